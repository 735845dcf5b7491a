package sql

import "strings"

// wordExpression parses what starts with a word: keywords with a grammar of their own, calls, names.
func (p *parser) wordExpression(tok token) Expr {
	if tok.kind == tokWord {
		switch tok.text {
		case "NULL":
			p.take()
			return &Literal{at: at(tok.pos)}
		case "CASE":
			return p.caseExpression()
		case "DATE", "TIMESTAMP":
			if lit := p.ahead(1); lit.kind == tokText {
				p.take()
				p.take()
				k := DateLiteral
				if tok.text == "TIMESTAMP" {
					k = TimestampLiteral
				}
				return &Literal{at: at(tok.pos), Kind: k, Text: lit.text}
			}
		case "INTERVAL":
			if p.ahead(1).kind == tokText {
				return p.interval()
			}
		case "SQL":
			if attribute := p.ahead(2); p.block && p.ahead(1).isOp("%") && attribute.kind == tokWord {
				p.i += 3
				return &Name{at: at(tok.pos), Column: "SQL%" + attribute.text}
			}
		case "PRIOR", "CONNECT_BY_ROOT":
			p.failWith(unimplemented(tok.pos, tok.text))
			return nil
		case "CURSOR":
			if p.ahead(1).isOp("(") && p.ahead(2).is("SELECT") {
				p.failWith(unimplemented(tok.pos, "CURSOR expression"))
				return nil
			}
		}
		if p.ahead(1).isOp("(") {
			switch tok.text {
			case "CAST":
				return p.cast()
			case "EXTRACT":
				return p.extract()
			case "TRIM":
				return p.trim()
			}
		}
	}
	return p.nameOrCall(tok)
}

// pseudo are reserved words that stand for a value.
var pseudo = wordSet("ROWID", "ROWNUM", "SYSDATE", "USER", "UID", "LEVEL")

func (p *parser) nameOrCall(tok token) Expr {
	if tok.kind == tokWord && reserved[tok.text] && !pseudo[tok.text] {
		p.fail(936, msgMissingExpression)
		return &Literal{at: at(tok.pos)}
	}
	parts := []string{p.take().text}
	quoted := tok.kind == tokQuoted
	for p.peek().isOp(".") && len(parts) < 3 && (canName(p.ahead(1)) || p.ahead(1).kind == tokWord) {
		p.take()
		last := p.take()
		quoted = last.kind == tokQuoted
		parts = append(parts, last.text)
	}
	if p.peek().isOp("(") && !p.outerJoinMark() {
		return p.call(tok.pos, parts)
	}
	n := &Name{at: at(tok.pos), Column: parts[len(parts)-1], Quoted: quoted}
	switch len(parts) {
	case 2:
		n.Table = parts[0]
	case 3:
		n.Schema, n.Table = parts[0], parts[1]
	}
	if n.Optional = p.outerJoinMark(); n.Optional {
		p.i += 3
	}
	return n
}

func (p *parser) outerJoinMark() bool {
	return p.peek().isOp("(") && p.ahead(1).isOp("+") && p.ahead(2).isOp(")")
}

func (p *parser) call(pos int, parts []string) Expr {
	c := &Call{at: at(pos), Name: joinName(parts)}
	p.expectOp("(")
	switch {
	case p.acceptOp("*"):
		c.Star = true
	case !p.peek().isOp(")"):
		c.Distinct = p.accept("DISTINCT") || p.accept("UNIQUE")
		if !c.Distinct {
			p.accept("ALL")
		}
		c.Args = p.expressions()
		p.afterArguments(c)
	}
	p.expectOp(")")
	p.behindCall(c)
	return c
}

// afterArguments are clauses inside the parentheses of a call, behind its arguments.
func (p *parser) afterArguments(c *Call) {
	switch {
	case c.Name == "LISTAGG" && p.accept("ON", "OVERFLOW", "ERROR"): // what it does anyway
	case p.is("ON", "OVERFLOW"):
		p.failWith(unimplemented(p.peek().pos, "LISTAGG ON OVERFLOW "+p.ahead(2).text))
	case p.is("IGNORE", "NULLS"), p.is("RESPECT", "NULLS"):
		p.failWith(unimplemented(p.peek().pos, p.peek().text+" NULLS"))
	}
}

// behindCall parses what makes a call an ordered aggregate or an analytic function.
func (p *parser) behindCall(c *Call) {
	switch {
	case p.is("KEEP"):
		p.failWith(unimplemented(p.peek().pos, "KEEP (DENSE_RANK)"))
	case p.is("IGNORE", "NULLS"), p.is("RESPECT", "NULLS"):
		p.failWith(unimplemented(p.peek().pos, p.peek().text+" "+p.ahead(1).text+" of an analytic function"))
	}
	if p.accept("WITHIN", "GROUP") {
		p.expectOp("(")
		p.expect("ORDER", "BY")
		c.Within = p.orderItems()
		p.expectOp(")")
	}
	if p.is("OVER") && p.ahead(1).isOp("(") {
		p.take()
		c.Over = p.window()
	}
}

func (p *parser) window() *Window {
	w := &Window{}
	p.expectOp("(")
	if p.accept("PARTITION") {
		p.expect("BY")
		for _, e := range p.expressions() {
			if row, ok := e.(*Row); ok {
				w.Partition = append(w.Partition, row.Items...)
			} else {
				w.Partition = append(w.Partition, e)
			}
		}
	}
	if p.accept("ORDER") {
		p.accept("SIBLINGS")
		p.expect("BY")
		w.OrderBy = p.orderItems()
	}
	if p.is("ROWS") || p.is("RANGE") || p.is("GROUPS") {
		p.failWith(unimplemented(p.peek().pos, "window frame "+p.peek().text))
	}
	p.expectOp(")")
	return w
}

func joinName(parts []string) string {
	return strings.Join(parts, ".")
}

func (p *parser) caseExpression() Expr {
	c := &Case{at: at(p.take().pos)}
	defer p.enter()()
	if !p.is("WHEN") {
		c.Operand = p.expression()
	}
	for p.accept("WHEN") {
		var w When
		if c.Operand == nil {
			w.Cond = p.condition()
		} else {
			w.Cond = p.expression()
		}
		p.expect("THEN")
		w.Then = p.expression()
		c.Whens = append(c.Whens, w)
	}
	if len(c.Whens) == 0 {
		p.fail(905, msgMissingKeyword)
	}
	if p.accept("ELSE") {
		c.Else = p.expression()
	}
	p.expect("END")
	return c
}

// Digits of an INTERVAL that says nothing: of its leading field, and of the fraction of its seconds.
const (
	defaultLeading  = 2
	defaultFraction = 6
)

func (p *parser) interval() Expr {
	x := &Interval{at: at(p.take().pos), Text: p.take().text, Precision: defaultLeading, Fraction: defaultFraction}
	x.From = p.intervalField()
	if p.acceptOp("(") {
		x.Precision = p.digits(1)
		if x.From == "SECOND" && p.acceptOp(",") {
			x.Fraction = p.digits(0)
		}
		p.expectOp(")")
	}
	if !p.accept("TO") {
		return x
	}
	x.To = p.intervalField()
	if x.To == "SECOND" && p.acceptOp("(") {
		x.Fraction = p.digits(0)
		p.expectOp(")")
	}
	return x
}

func (p *parser) intervalField() string {
	field := p.acceptAny("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
	if field == "" {
		p.fail(30089, "missing or invalid <datetime field>")
	}
	return field
}

// digits takes a precision of a datetime or interval, at most 9.
func (p *parser) digits(least int) int {
	n := p.integer()
	if n < least || n > 9 {
		p.fail(30088, "datetime/interval precision is out of range")
	}
	return n
}

func (p *parser) cast() Expr {
	c := &Cast{at: at(p.take().pos)}
	p.expectOp("(")
	c.X = p.expression()
	p.expect("AS")
	c.Type = p.dataType()
	p.expectOp(")")
	return c
}

func (p *parser) extract() Expr {
	e := &Extract{at: at(p.take().pos)}
	p.expectOp("(")
	e.Field = p.acceptAny("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "TIMEZONE_HOUR", "TIMEZONE_MINUTE")
	if e.Field == "" {
		p.fail(907, msgMissingRight)
	}
	if !p.accept("FROM") {
		p.fail(907, msgMissingRight)
	}
	e.X = p.expression()
	p.expectOp(")")
	return e
}

func (p *parser) trim() Expr {
	t := &Trim{at: at(p.take().pos), Side: "BOTH"}
	p.expectOp("(")
	side := p.acceptAny("LEADING", "TRAILING", "BOTH")
	if side != "" {
		t.Side = side
	}
	if !p.is("FROM") {
		t.X = p.expression()
	}
	if p.accept("FROM") {
		t.Chars, t.X = t.X, p.expression()
	} else if side != "" {
		p.fail(907, msgMissingRight)
	}
	p.expectOp(")")
	return t
}
