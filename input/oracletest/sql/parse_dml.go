package sql

import (
	"slices"
	"strings"
)

func (p *parser) insert() Statement {
	verb := p.take()
	hint := strings.ToUpper(strings.TrimSpace(p.text[verb.end:p.peek().pos]))
	if p.is("ALL") || p.is("FIRST") {
		p.failWith(unimplemented(p.peek().pos, "multi-table INSERT"))
		return nil
	}
	if !p.accept("INTO") {
		p.fail(925, "missing INTO keyword")
	}
	s := &Insert{Table: p.object(), Append: strings.HasPrefix(hint, "/*+") && slices.Contains(strings.Fields(strings.Trim(hint, "/*+ ")), "APPEND")}
	if p.isAlias() && !p.is("VALUES") {
		p.take()
	}
	if p.peek().isOp("(") && !p.startsQuery() {
		s.Columns = p.columns()
	}
	switch {
	case p.accept("VALUES"):
		p.expectOp("(")
		s.Values = []Expr{p.valueOrDefault()}
		for p.acceptOp(",") {
			s.Values = append(s.Values, p.valueOrDefault())
		}
		if !p.acceptOp(")") {
			p.fail(917, "missing comma")
		}
	case p.startsQuery():
		s.Query = p.query()
	default:
		p.fail(926, "missing VALUES keyword")
	}
	s.Returning = p.returning()
	if s.Query != nil && s.Items != nil {
		p.fail(933, msgNotProperlyEnded)
	}
	return s
}

func (p *parser) valueOrDefault() Expr {
	if p.is("DEFAULT") {
		return &Default{at: at(p.take().pos)}
	}
	return p.expression()
}

func (p *parser) returning() Returning {
	var r Returning
	if p.accept("RETURNING") || p.accept("RETURN") {
		if p.is("OLD") || p.is("NEW") {
			p.failWith(unimplemented(p.peek().pos, "RETURNING "+p.peek().text))
		}
		r.Items = p.expressions()
		if p.is("BULK") {
			p.failWith(unimplemented(p.peek().pos, "BULK COLLECT"))
		}
		if !p.accept("INTO") {
			p.fail(925, "missing INTO keyword")
		}
		r.Into = p.targets()
		if len(r.Into) != len(r.Items) && p.failed == nil {
			p.fail(913, "too many values")
		}
	}
	if p.is("LOG", "ERRORS") {
		p.failWith(unimplemented(p.peek().pos, "LOG ERRORS clause"))
	}
	return r
}

func (p *parser) update() Statement {
	p.take()
	s := &Update{Table: p.object()}
	s.Alias = p.relationAlias()
	if !p.accept("SET") {
		p.fail(971, "missing SET keyword")
	}
	s.Set = []Assignment{p.assignment()}
	for p.acceptOp(",") {
		s.Set = append(s.Set, p.assignment())
	}
	if p.accept("WHERE") {
		s.Where = p.condition()
	}
	s.Returning = p.returning()
	return s
}

func (p *parser) assignment() Assignment {
	if p.peek().isOp("(") {
		p.take()
		a := Assignment{Columns: []ColumnName{p.targetColumn()}}
		for p.acceptOp(",") {
			a.Columns = append(a.Columns, p.targetColumn())
		}
		p.expectOp(")")
		p.expectOp("=")
		a.Query = p.parenthesisedQuery()
		return a
	}
	c := p.targetColumn()
	p.expectOp("=")
	return Assignment{Columns: []ColumnName{c}, X: p.valueOrDefault()}
}

// targetColumn takes a column that may have its table in front.
func (p *parser) targetColumn() ColumnName {
	c := p.column()
	if p.acceptOp(".") {
		c = p.column()
	}
	return c
}

func (p *parser) remove() Statement {
	p.take()
	p.accept("FROM")
	s := &Delete{Table: p.object()}
	s.Alias = p.relationAlias()
	if p.accept("WHERE") {
		s.Where = p.condition()
	}
	s.Returning = p.returning()
	return s
}

func (p *parser) transaction() Statement {
	switch p.take().text {
	case "COMMIT":
		p.accept("WORK")
		if p.is("WRITE") || p.is("COMMENT") || p.is("FORCE") {
			p.failWith(unimplemented(p.peek().pos, "COMMIT "+p.peek().text))
		}
		return &Commit{}
	case "SAVEPOINT":
		return &Savepoint{Name: p.name(3001, "unimplemented feature: savepoint name")}
	}
	p.accept("WORK")
	s := &Rollback{}
	if p.accept("TO") {
		p.accept("SAVEPOINT")
		s.Savepoint = p.name(1086, "savepoint never established")
	}
	return s
}

func (p *parser) setTransaction() Statement {
	pos := p.take().pos
	if !p.accept("TRANSACTION") {
		p.failWith(unimplemented(pos, "SET "+p.peek().text))
		return nil
	}
	s := &SetTransaction{}
	clause := p.accept("READ", "WRITE") || p.accept("ISOLATION", "LEVEL", "READ", "COMMITTED")
	if !clause {
		s.ReadOnly = p.accept("READ", "ONLY")
		clause = s.ReadOnly
	}
	if p.accept("NAME") {
		tok := p.take()
		if tok.kind != tokText || len(tok.text) > 255 {
			p.failAt(tok.pos, 2158, "invalid SET TRANSACTION option")
		}
		s.Name = tok.text
		return s
	}
	if !clause {
		p.failWith(unimplemented(pos, "SET TRANSACTION "+p.peek().text))
	}
	return s
}
