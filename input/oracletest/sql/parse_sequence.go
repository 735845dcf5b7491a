package sql

// sequence parses the options of CREATE or ALTER SEQUENCE.
func (p *parser) sequence(s *Sequence) Statement {
	s.Name = p.object()
	for p.failed == nil && !p.atEnd() {
		switch {
		case p.accept("START", "WITH"):
			s.Start = p.signed()
		case p.accept("INCREMENT", "BY"):
			s.Increment = p.signed()
		case p.accept("MINVALUE"):
			s.Min = p.signed()
		case p.accept("MAXVALUE"):
			s.Max = p.signed()
		case p.accept("NOMINVALUE"):
			s.NoMin = true
		case p.accept("NOMAXVALUE"):
			s.NoMax = true
		case p.accept("CYCLE"), p.is("NOCYCLE"):
			cycle := !p.accept("NOCYCLE")
			s.Cycle = &cycle
		case p.accept("ORDER"), p.is("NOORDER"):
			order := !p.accept("NOORDER")
			s.Order = &order
		case p.accept("CACHE"):
			n := p.integer()
			s.Cache = &n
		case p.accept("NOCACHE"):
			s.Cache = new(int)
		case p.accept("NOKEEP"), p.accept("NOSCALE"), p.accept("GLOBAL"):
		default:
			p.failWith(unimplemented(p.peek().pos, "SEQUENCE "+p.peek().text))
		}
	}
	return s
}

// signed takes an integer with its sign, as text: sequences go beyond 64 bits.
func (p *parser) signed() string {
	sign := ""
	if p.acceptOp("-") {
		sign = "-"
	} else {
		p.acceptOp("+")
	}
	tok := p.take()
	if tok.kind != tokNumber || len(tok.text) > 28 {
		p.failAt(tok.pos, 4001, "sequence parameter must be an integer")
		return ""
	}
	for _, c := range []byte(tok.text) {
		if !isDigit(c) {
			p.failAt(tok.pos, 4001, "sequence parameter must be an integer")
			return ""
		}
	}
	return sign + tok.text
}

func (p *parser) createView() Statement {
	s := &CreateView{Replace: p.accept("OR", "REPLACE")}
	p.accept("NOFORCE")
	p.expect("VIEW")
	s.Name = p.object()
	if p.peek().isOp("(") {
		s.Columns = p.names()
	}
	p.expect("AS")
	start := p.peek().pos
	s.Query = p.query()
	if p.failed == nil {
		s.Text = p.text[start:p.tokens[p.i-1].end]
	}
	if len(p.binds) > 0 {
		p.fail(1027, "bind variables not allowed for data definition operations")
	}
	if p.accept("WITH", "READ", "ONLY") {
		s.ReadOnly = true
	} else if p.is("WITH") {
		p.failWith(unimplemented(p.peek().pos, "WITH CHECK OPTION"))
	}
	return s
}
