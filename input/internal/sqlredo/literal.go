package sqlredo

import "strings"

const jsonComment = "/* JSON */ "

// literal reads one value. What may follow it is checked by the caller: a quote that ends a value too early is found there,
// since only a delimiter of the grammar can follow a value.
func (p *parser) literal(lit *Literal) error {
	*lit = Literal{JSON: p.accept(jsonComment), Offset: p.pos}
	var err error
	switch c := p.peek(); {
	case c == '\'':
		lit.Form = Text
		lit.Text, err = p.quoted()
		return err
	case c == '-' || c == '+' || c == '.' || isDigit(c):
		lit.Form = Number
		return p.number(lit)
	case p.accept("NULL"):
		lit.Form = Null
		return nil
	case p.accept("Unsupported Type"):
		lit.Form = UnsupportedType
		return nil
	case c >= 'A' && c <= 'Z':
		lit.Form = Function
		return p.calls(lit)
	}
	return p.fail(badValue)
}

// quoted reads a string; a quote in it is doubled.
func (p *parser) quoted() (Quoted, error) {
	begin := p.pos + 1
	doubled := false
	for at := begin; ; at += 2 {
		n := strings.IndexByte(p.text[at:], '\'')
		if n < 0 {
			return Quoted{}, p.fail(badQuote)
		}
		at += n
		if at+1 == len(p.text) || p.text[at+1] != '\'' {
			p.pos = at + 1
			return Quoted{Raw: p.text[begin:at], Doubled: doubled}, nil
		}
		doubled = true
	}
}

// String gives the text with single quotes.
func (q Quoted) String() string {
	if !q.Doubled {
		return q.Raw
	}
	return strings.ReplaceAll(q.Raw, "''", "'")
}

// number reads [+-]digits[.digits][E[+-]digits], with digits on at least one side of the point.
func (p *parser) number(lit *Literal) error {
	begin := p.pos
	if c := p.peek(); c == '-' || c == '+' {
		p.pos++
	}
	n := p.digits()
	if p.accept(".") {
		n += p.digits()
	}
	if n == 0 {
		return p.fail(badNumber)
	}
	if c := p.peek(); c == 'E' || c == 'e' {
		p.pos++
		if c := p.peek(); c == '-' || c == '+' {
			p.pos++
		}
		if p.digits() == 0 {
			return p.fail(badNumber)
		}
	}
	lit.Text.Raw = p.text[begin:p.pos]
	return nil
}

func (p *parser) digits() int {
	begin := p.pos
	for isDigit(p.peek()) {
		p.pos++
	}
	return p.pos - begin
}

// calls reads a function call and the calls that are concatenated to it; blanks around the operator are optional (C008).
func (p *parser) calls(lit *Literal) error {
	var err error
	if lit.Call, err = p.call(); err != nil {
		return err
	}
	first := len(p.out.calls)
	for p.concatenation() {
		c, err := p.call()
		if err != nil {
			return err
		}
		if !concatenates(c) || !concatenates(lit.Call) {
			return p.fail(badPiece)
		}
		p.out.calls = append(p.out.calls, c)
	}
	if n := len(p.out.calls); n > first {
		lit.More = p.out.calls[first:n:n]
	}
	return nil
}

func concatenates(c Call) bool { return c.Name == Unistr || c.Name == HexToRaw }

// concatenation takes the operator with the blanks around it, or nothing.
func (p *parser) concatenation() bool {
	begin := p.pos
	p.blanks()
	if !p.accept("||") {
		p.pos = begin
		return false
	}
	p.blanks()
	return true
}

func (p *parser) blanks() {
	for p.peek() == ' ' {
		p.pos++
	}
}

func (p *parser) call() (Call, error) {
	begin := p.pos
	for c := p.peek(); c == '_' || c >= 'A' && c <= 'Z'; c = p.peek() {
		p.pos++
	}
	name, least, most := functionName(p.text[begin:p.pos])
	if name == 0 {
		p.pos = begin
		return Call{}, p.fail(badFunction)
	}
	if !p.accept("(") {
		return Call{}, p.fail(badArguments)
	}
	c := Call{Name: name}
	args := [2]*Quoted{&c.Text, &c.Format}
	n := 0
	for ; n < most; n++ {
		if n >= least && p.peek() == ')' {
			break
		}
		if n > 0 {
			if !p.accept(",") {
				return Call{}, p.fail(badArguments)
			}
			p.accept(" ")
		}
		if p.peek() != '\'' {
			return Call{}, p.fail(badArguments)
		}
		var err error
		if *args[n], err = p.quoted(); err != nil {
			return Call{}, err
		}
	}
	if n == 2 && c.Format.Raw == "" {
		return Call{}, p.fail(badArguments) // not the same as none, which has a meaning
	}
	if !p.accept(")") {
		return Call{}, p.fail(badArguments)
	}
	return c, nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
