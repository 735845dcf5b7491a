package sql

// condition parses OR, the loosest binding level; it also accepts plain expressions.
func (p *parser) condition() Expr {
	defer p.enter()()
	x := p.conjunction()
	for {
		pos := p.peek().pos
		if !p.accept("OR") {
			return x
		}
		x = &Logic{at: at(pos), L: x, R: p.conjunction()}
	}
}

func (p *parser) conjunction() Expr {
	x := p.negation()
	for {
		pos := p.peek().pos
		if !p.accept("AND") {
			return x
		}
		x = &Logic{at: at(pos), And: true, L: x, R: p.negation()}
	}
}

func (p *parser) negation() Expr {
	pos := p.peek().pos
	if !p.accept("NOT") {
		return p.predicate()
	}
	defer p.enter()()
	return &Not{at: at(pos), X: p.negation()}
}

func (p *parser) predicate() Expr {
	pos := p.peek().pos
	if p.is("EXISTS") && p.ahead(1).isOp("(") {
		p.take()
		return &Exists{at: at(pos), Query: p.parenthesisedQuery()}
	}
	x := p.expression()
	for p.failed == nil {
		pos = p.peek().pos
		switch {
		case p.accept("IS"):
			not := p.accept("NOT")
			if !p.accept("NULL") {
				p.fail(908, "missing NULL keyword")
			}
			x = &IsNull{at: at(pos), X: x, Not: not}
		case p.is("NOT", "BETWEEN"), p.is("BETWEEN"):
			x = p.between(x)
		case p.is("NOT", "LIKE"), p.is("LIKE"):
			x = p.like(x)
		case p.is("NOT", "IN"), p.is("IN"):
			x = p.in(x)
		default:
			op := comparison(p.peek())
			if op == "" {
				return x
			}
			p.take()
			x = p.comparison(pos, op, x)
		}
	}
	return x
}

func comparison(tok token) string {
	if tok.kind != tokPunct {
		return ""
	}
	switch tok.text {
	case "=", "<", "<=", ">", ">=", "<>":
		return tok.text
	case "!=", "^=":
		return "<>"
	}
	return ""
}

func (p *parser) comparison(pos int, op string, left Expr) Expr {
	c := &Compare{at: at(pos), Op: op, L: left}
	switch q := p.acceptAny("ANY", "SOME", "ALL"); q {
	case "":
		c.R = p.expression()
		return c
	case "SOME":
		c.Quantifier = "ANY"
	default:
		c.Quantifier = q
	}
	start := p.peek().pos
	p.expectOp("(")
	if p.holdsQuery() {
		c.R = &Subquery{at: at(start), Query: p.query()}
	} else {
		c.R = &Row{at: at(start), Items: p.expressions()}
	}
	p.expectOp(")")
	return c
}

func (p *parser) between(x Expr) Expr {
	b := &Between{at: at(p.peek().pos), X: x, Not: p.accept("NOT")}
	p.expect("BETWEEN")
	b.Low = p.expression()
	p.expect("AND")
	b.High = p.expression()
	return b
}

func (p *parser) like(x Expr) Expr {
	l := &Like{at: at(p.peek().pos), X: x, Not: p.accept("NOT")}
	p.expect("LIKE")
	l.Pattern = p.expression()
	if p.accept("ESCAPE") {
		l.Escape = p.expression()
	}
	return l
}

func (p *parser) in(x Expr) Expr {
	n := &In{at: at(p.peek().pos), X: x, Not: p.accept("NOT")}
	p.expect("IN")
	if !p.peek().isOp("(") {
		n.List = []Expr{p.expression()}
		return n
	}
	p.take()
	if p.holdsQuery() {
		n.Query = p.query()
	} else {
		n.List = p.expressions()
		if len(n.List) > 1000 {
			p.fail(1795, "maximum number of expressions in a list is 1000")
		}
	}
	p.expectOp(")")
	return n
}

func (p *parser) expressions() []Expr {
	list := []Expr{p.expression()}
	for p.acceptOp(",") {
		list = append(list, p.expression())
	}
	return list
}

// expression parses what has a value: + - and || bind equally, as in Oracle.
func (p *parser) expression() Expr {
	defer p.enter()()
	x := p.term()
	for {
		tok := p.peek()
		if !tok.isOp("+") && !tok.isOp("-") && !tok.isOp("||") {
			return x
		}
		p.take()
		x = &Binary{at: at(tok.pos), Op: tok.text, L: x, R: p.term()}
	}
}

func (p *parser) term() Expr {
	x := p.factor()
	for {
		tok := p.peek()
		if !tok.isOp("*") && !tok.isOp("/") {
			return x
		}
		p.take()
		x = &Binary{at: at(tok.pos), Op: tok.text, L: x, R: p.factor()}
	}
}

func (p *parser) factor() Expr {
	tok := p.peek()
	if tok.isOp("-") || tok.isOp("+") {
		defer p.enter()()
		p.take()
		return &Unary{at: at(tok.pos), Op: tok.text, X: p.factor()}
	}
	x := p.primary()
	for {
		pos := p.peek().pos
		if !p.accept("AT") {
			return x
		}
		z := &AtTimeZone{at: at(pos), X: x}
		if p.accept("LOCAL") {
			z.Zone = &Name{at: at(pos), Column: "SESSIONTIMEZONE"}
		} else {
			p.expect("TIME", "ZONE")
			z.Zone = p.primary()
		}
		x = z
	}
}

func (p *parser) primary() Expr {
	tok := p.peek()
	switch tok.kind {
	case tokNumber:
		p.take()
		return numberLiteral(tok)
	case tokText:
		p.take()
		return &Literal{at: at(tok.pos), Kind: TextLiteral, Text: tok.text}
	case tokNText:
		p.take()
		return &Literal{at: at(tok.pos), Kind: NationalLiteral, Text: tok.text}
	case tokBind:
		p.take()
		return p.bind(tok)
	case tokPunct:
		if tok.text == "(" {
			return p.parenthesis()
		}
	case tokWord, tokQuoted:
		return p.wordExpression(tok)
	}
	p.fail(936, msgMissingExpression)
	return &Literal{at: at(tok.pos)}
}

func numberLiteral(tok token) Expr {
	switch last := tok.text[len(tok.text)-1]; last {
	case 'f', 'F', 'd', 'D':
		return &Literal{at: at(tok.pos), Kind: FloatLiteral, Text: tok.text}
	}
	return &Literal{at: at(tok.pos), Kind: NumberLiteral, Text: tok.text}
}

func (p *parser) bind(tok token) *Bind {
	b := &Bind{at: at(tok.pos), Name: tok.text, Index: len(p.binds)}
	p.binds = append(p.binds, tok.text)
	return b
}

func (p *parser) parenthesis() Expr {
	start := p.take().pos
	defer p.enter()()
	if p.holdsQuery() {
		q := &Subquery{at: at(start), Query: p.query()}
		p.expectOp(")")
		return q
	}
	x := p.condition()
	if !p.peek().isOp(",") {
		p.expectOp(")")
		if row, ok := x.(*Row); ok {
			row.Enclosed = true
		}
		return x
	}
	row := &Row{at: at(start), Items: []Expr{x}}
	for p.acceptOp(",") {
		row.Items = append(row.Items, p.expression())
	}
	p.expectOp(")")
	return row
}

// startsQuery reports whether a query begins here, perhaps behind parentheses.
func (p *parser) startsQuery() bool {
	n := 0
	for p.ahead(n).isOp("(") {
		n++
	}
	if first := p.ahead(n); !first.is("SELECT") && !first.is("WITH") {
		return false
	}
	// An inner parenthesis may as well be the first part of an expression or of a join.
	for ; n > 1; n-- {
		if !p.closesQuery(n - 1) {
			return false
		}
	}
	return true
}

// holdsQuery is startsQuery behind an opening parenthesis that was taken.
func (p *parser) holdsQuery() bool {
	return p.startsQuery() && (!p.peek().isOp("(") || p.closesQuery(0))
}

// closesQuery reports whether what follows the partner of the nth token, a parenthesis, goes on with a query or ends it.
func (p *parser) closesQuery(n int) bool {
	for depth := 0; ; n++ {
		switch tok := p.ahead(n); {
		case tok.kind == tokEnd:
			return true // the error is found where it is
		case tok.isOp("("):
			depth++
		case tok.isOp(")"):
			if depth--; depth == 0 {
				next := p.ahead(n + 1)
				return next.isOp(")") || next.is("UNION") || next.is("MINUS") || next.is("INTERSECT") || next.is("ORDER") || next.is("OFFSET") || next.is("FETCH")
			}
		}
	}
}

func (p *parser) parenthesisedQuery() *Query {
	p.expectOp("(")
	q := p.query()
	p.expectOp(")")
	return q
}
