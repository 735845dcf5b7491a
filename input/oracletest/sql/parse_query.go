package sql

import "strings"

// query parses a whole query expression.
func (p *parser) query() *Query {
	defer p.enter()()
	q := &Query{}
	if p.accept("WITH") {
		q.With = p.commonTables()
	}
	if p.peek().isOp("(") {
		inner := p.parenthesisedQuery()
		if !p.setFollows() && !p.is("ORDER") && !p.is("FETCH") && !p.is("OFFSET") && len(q.With) == 0 {
			return inner
		}
		q.Sets = append(q.Sets, SetBranch{Op: "", Right: inner})
	} else {
		q.Select = p.selectBlock()
	}
	for p.setFollows() {
		branch := SetBranch{Pos: p.peek().pos, Op: p.take().text}
		if p.accept("ALL") {
			branch.Op += " ALL"
		}
		if p.peek().isOp("(") {
			branch.Right = p.parenthesisedQuery()
		} else {
			branch.Right = &Query{Select: p.selectBlock()}
		}
		q.Sets = append(q.Sets, branch)
	}
	p.queryTail(q)
	return q
}

func (p *parser) setFollows() bool { return p.is("UNION") || p.is("MINUS") || p.is("INTERSECT") }

func (p *parser) commonTables() []CommonTable {
	var list []CommonTable
	for {
		t := CommonTable{Name: p.name(903, "invalid table name")}
		if p.peek().isOp("(") {
			t.Columns = p.names()
		}
		if !p.accept("AS") {
			p.fail(905, msgMissingKeyword)
		}
		t.Query = p.parenthesisedQuery()
		list = append(list, t)
		if !p.acceptOp(",") {
			return list
		}
	}
}

// queryTail parses what follows the blocks: ORDER BY, the row limit, FOR UPDATE.
func (p *parser) queryTail(q *Query) {
	if p.accept("ORDER") {
		p.accept("SIBLINGS")
		p.expect("BY")
		q.OrderBy = p.orderItems()
	}
	if p.accept("OFFSET") {
		q.Offset = p.expression()
		if p.acceptAny("ROW", "ROWS") == "" {
			p.fail(905, msgMissingKeyword)
		}
	}
	if p.accept("FETCH") {
		if p.acceptAny("FIRST", "NEXT") == "" {
			p.fail(905, msgMissingKeyword)
		}
		q.Fetch = &Literal{at: at(p.peek().pos), Kind: NumberLiteral, Text: "1"}
		if !p.is("ROW") && !p.is("ROWS") {
			q.Fetch = p.expression()
		}
		q.Percent = p.accept("PERCENT")
		if p.acceptAny("ROW", "ROWS") == "" {
			p.fail(905, msgMissingKeyword)
		}
		if q.Ties = p.accept("WITH", "TIES"); !q.Ties {
			p.expect("ONLY")
		}
	}
	if p.is("FOR", "UPDATE") {
		q.Lock = p.lock()
	}
}

func (p *parser) lock() *Lock {
	p.take()
	p.take()
	l := &Lock{Wait: -1}
	if p.accept("OF") {
		for {
			l.Of = append(l.Of, p.nameOrCall(p.peek()))
			if !p.acceptOp(",") {
				break
			}
		}
	}
	switch {
	case p.accept("NOWAIT"):
		l.NoWait = true
	case p.accept("SKIP", "LOCKED"):
		l.SkipLocked = true
	case p.accept("WAIT"):
		l.Wait = p.integer()
	}
	return l
}

func (p *parser) orderItems() []Order {
	var list []Order
	for {
		o := Order{X: p.expression()}
		if p.accept("DESC") {
			o.Desc = true
		} else {
			p.accept("ASC")
		}
		o.NullsFirst = o.Desc
		if p.accept("NULLS") {
			o.NullsSet = true
			switch p.acceptAny("FIRST", "LAST") {
			case "FIRST":
				o.NullsFirst = true
			case "LAST":
				o.NullsFirst = false
			default:
				p.fail(30491, "missing FIRST or LAST keyword")
			}
		}
		list = append(list, o)
		if !p.acceptOp(",") {
			return list
		}
	}
}

func (p *parser) selectBlock() *Select {
	s := &Select{Pos: p.peek().pos}
	if !p.accept("SELECT") {
		p.fail(928, "missing SELECT keyword")
		return s
	}
	if p.accept("DISTINCT") || p.accept("UNIQUE") {
		s.Distinct = true
	} else {
		p.accept("ALL")
	}
	s.Items = p.items()
	if p.block && p.accept("INTO") {
		s.Into = p.targets()
	}
	if !p.accept("FROM") {
		p.fail(923, msgMissingFrom)
		return s
	}
	s.From = append(s.From, p.joined())
	for p.acceptOp(",") {
		s.From = append(s.From, p.joined())
	}
	if p.accept("WHERE") {
		s.Where = p.condition()
	}
	if p.is("CONNECT") || p.is("START") {
		p.failWith(unimplemented(p.peek().pos, "CONNECT BY"))
	}
	p.grouping(s)
	return s
}

// grouping parses GROUP BY and HAVING, which may stand in either order.
func (p *parser) grouping(s *Select) {
	for p.failed == nil {
		switch {
		case s.GroupBy == nil && p.accept("GROUP"):
			p.expect("BY")
			if p.is("GROUPING", "SETS") || (p.is("ROLLUP") || p.is("CUBE")) && p.ahead(1).isOp("(") {
				p.failWith(unimplemented(p.peek().pos, "GROUP BY "+p.peek().text))
			}
			s.GroupBy = p.groupKeys()
		case s.Having == nil && p.accept("HAVING"):
			s.Having = p.condition()
		default:
			return
		}
	}
}

// groupKeys are the members of GROUP BY; keys that one pair of parentheses holds count as if it were not there.
func (p *parser) groupKeys() []Expr {
	var keys []Expr
	for _, e := range p.expressions() {
		if row, ok := e.(*Row); ok {
			keys = append(keys, row.Items...)
		} else {
			keys = append(keys, e)
		}
	}
	return keys
}

// targets are what INTO gives values: binds, and variables in a block.
func (p *parser) targets() []Expr {
	list := []Expr{p.target()}
	for p.acceptOp(",") {
		list = append(list, p.target())
	}
	return list
}

func (p *parser) target() Expr {
	tok := p.peek()
	switch {
	case tok.kind == tokBind:
		return p.bind(p.take())
	case p.block && canName(tok):
		return &Name{at: at(tok.pos), Column: p.take().text}
	}
	p.fail(1745, "invalid host/bind variable name")
	return nil
}

func (p *parser) items() []Item {
	var list []Item
	for {
		list = append(list, p.item())
		last := list[len(list)-1]
		if bare := last.Star != nil && last.Star.Table == ""; bare && (len(list) > 1 || p.peek().isOp(",")) {
			p.fail(923, msgMissingFrom)
			return list
		}
		if !p.acceptOp(",") {
			return list
		}
	}
}

func (p *parser) item() Item {
	start := p.peek()
	if p.acceptOp("*") {
		return Item{Star: &Name{at: at(start.pos)}}
	}
	if canName(start) && p.ahead(1).isOp(".") {
		if p.ahead(2).isOp("*") {
			p.i += 3
			return Item{Star: &Name{at: at(start.pos), Table: start.text}}
		}
		if canName(p.ahead(2)) && p.ahead(3).isOp(".") && p.ahead(4).isOp("*") {
			n := &Name{at: at(start.pos), Schema: start.text, Table: p.ahead(2).text}
			p.i += 5
			return Item{Star: n}
		}
	}
	it := Item{X: p.expression()}
	if p.failed != nil {
		return it
	}
	it.Text = p.text[start.pos:p.tokens[p.i-1].end]
	if p.accept("AS") {
		it.Alias = p.name(923, msgMissingFrom)
	} else if p.isAlias() {
		it.Alias = p.take().text
	}
	return it
}

func (p *parser) isAlias() bool {
	tok := p.peek()
	return tok.kind == tokQuoted || tok.kind == tokWord && !reserved[tok.text] && !notAlias[tok.text]
}

func (p *parser) joined() Relation {
	defer p.enter()()
	left := p.relation()
	for p.failed == nil {
		j := &Join{Pos: p.peek().pos, L: left}
		switch {
		case p.accept("JOIN"), p.accept("INNER", "JOIN"):
			j.Kind = "INNER"
		case p.accept("CROSS", "JOIN"):
			j.Kind = "CROSS"
		case p.is("LEFT"), p.is("RIGHT"), p.is("FULL"):
			j.Kind = p.take().text
			p.accept("OUTER")
			p.expect("JOIN")
		case p.accept("NATURAL"):
			j.Natural = true
			p.naturalKind(j)
		case p.is("CROSS", "APPLY"), p.is("OUTER", "APPLY"):
			p.failWith(unimplemented(p.peek().pos, "APPLY"))
			return left
		default:
			return left
		}
		j.R = p.relation()
		if !j.Natural {
			p.joinCondition(j)
		}
		left = j
	}
	return left
}

func (p *parser) naturalKind(j *Join) {
	j.Kind = p.acceptAny("INNER", "LEFT", "RIGHT", "FULL")
	switch j.Kind {
	case "":
		j.Kind = "INNER"
	case "INNER":
	default:
		p.accept("OUTER")
	}
	p.expect("JOIN")
}

func (p *parser) joinCondition(j *Join) {
	switch {
	case j.Kind == "CROSS":
	case p.accept("ON"):
		j.On = p.condition()
	case p.accept("USING"):
		j.Using = p.names()
	default:
		p.fail(905, msgMissingKeyword)
	}
}

func (p *parser) relation() Relation {
	if p.peek().isOp("(") {
		if p.startsQuery() {
			d := &Derived{Query: p.parenthesisedQuery()}
			d.Alias = p.relationAlias()
			return d
		}
		p.take()
		r := p.joined()
		p.expectOp(")")
		return r
	}
	if p.is("TABLE") && p.ahead(1).isOp("(") || p.is("LATERAL") {
		p.failWith(unimplemented(p.peek().pos, p.peek().text))
	}
	t := &Table{Object: p.object()}
	if p.is("SUBPARTITION") || p.is("PARTITION", "FOR") || p.is("VERSIONS") {
		p.failWith(unimplemented(p.peek().pos, strings.ToLower(p.peek().text)+" clause"))
	}
	p.part(t)
	if p.accept("AS", "OF") {
		if t.Moment = p.is("TIMESTAMP"); t.Moment {
			p.take()
		} else {
			p.expect("SCN")
		}
		t.AsOf = p.expression()
	}
	t.Alias = p.relationAlias()
	return t
}

// part parses what limits a table to some of its rows.
func (p *parser) part(t *Table) {
	if p.is("PARTITION") && p.ahead(1).isOp("(") {
		p.take()
		p.take()
		t.Partition = p.name(14108, "illegal partition-extended table name syntax")
		p.expectOp(")")
	}
	if !p.is("SAMPLE") || !p.ahead(1).isOp("(") && p.ahead(1).text != "BLOCK" {
		return
	}
	p.take()
	t.Sample = &Sample{Block: p.accept("BLOCK")}
	p.expectOp("(")
	t.Sample.Percent = p.expression()
	p.expectOp(")")
	if p.accept("SEED") {
		p.expectOp("(")
		t.Sample.Seed = p.expression()
		p.expectOp(")")
	}
}

func (p *parser) relationAlias() string {
	if p.isAlias() {
		return p.take().text
	}
	return ""
}
