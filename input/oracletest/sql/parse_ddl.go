package sql

import "slices"

func (p *parser) create() Statement {
	p.take()
	tok := p.peek()
	switch {
	case p.accept("TABLE"):
		return p.createTable()
	case p.accept("USER"):
		return p.createUser()
	case p.accept("ROLE"):
		return p.createRole()
	case p.is("UNIQUE", "INDEX"), p.is("INDEX"):
		return p.createIndex()
	case p.accept("SEQUENCE"):
		return p.sequence(&Sequence{})
	case p.is("OR", "REPLACE", "VIEW"), p.is("NOFORCE", "VIEW"), p.is("OR", "REPLACE", "NOFORCE", "VIEW"), p.is("VIEW"):
		return p.createView()
	case tok.kind == tokWord:
		p.failWith(unimplemented(tok.pos, "CREATE "+tok.text))
	default:
		p.fail(901, "invalid CREATE command")
	}
	return nil
}

func (p *parser) createTable() Statement {
	s := &CreateTable{Table: p.object()}
	if !p.peek().isOp("(") && slices.ContainsFunc([]string{"AS", "TABLESPACE", "LOGGING", "NOLOGGING", "NOCOMPRESS", "PCTFREE", "INITRANS", "SEGMENT", "PARTITION"}, func(w string) bool { return p.is(w) }) {
		p.asSelect(s)
		return s
	}
	if tok := p.ahead(2); tok.isOp(",") || tok.isOp(")") {
		s.Names = p.columns()
		p.asSelect(s)
		return s
	}
	p.expectOp("(")
	for {
		if p.startsConstraint() {
			if def := p.constraint(); def != nil {
				s.Constraints = append(s.Constraints, *def)
			}
		} else {
			s.Columns = append(s.Columns, p.columnDef())
		}
		if !p.acceptOp(",") {
			break
		}
	}
	p.expectOp(")")
	for before := -1; p.failed == nil && before != p.i; {
		before = p.i
		switch {
		case p.is("PARTITION", "BY"):
			s.Partitioning = p.partitioning()
		case p.accept("ENABLE", "ROW", "MOVEMENT"):
			s.RowMovement = true
		case p.accept("DISABLE", "ROW", "MOVEMENT"):
		case p.accept("ORGANIZATION", "HEAP"):
		case p.accept("ORGANIZATION", "INDEX"):
			s.IndexOrganized = true
		default:
			p.placement(s)
		}
	}
	return s
}

// placement parses a clause that says where a table lies and what its loads leave in the redo, or nothing.
func (p *parser) placement(s *CreateTable) {
	switch {
	case p.accept("NOLOGGING"):
		s.NoLogging = true
	case p.accept("TABLESPACE"):
		s.Tablespace = p.name(959, "tablespace does not exist")
	default:
		p.storageClause()
	}
}

// asSelect parses what is behind the name and the columns of a CREATE TABLE AS SELECT.
func (p *parser) asSelect(s *CreateTable) {
	for p.failed == nil && !p.is("AS") {
		before := p.i
		if p.placement(s); p.i == before {
			break
		}
	}
	if !p.accept("AS") {
		p.fail(922, "missing or invalid option")
		return
	}
	binds := len(p.binds)
	s.As = p.query()
	if len(p.binds) > binds {
		p.fail(1027, "bind variables not allowed for data definition operations")
	}
}

func (p *parser) renameTable() Statement {
	p.take()
	s := &RenameTable{From: Object{Pos: p.peek().pos, Name: p.name(903, "invalid table name")}}
	p.expect("TO")
	s.To = p.name(903, "invalid table name")
	return s
}

func (p *parser) purge() Statement {
	p.take()
	switch {
	case p.accept("RECYCLEBIN"):
		return &Recycled{All: true}
	case p.accept("TABLE"):
		return &Recycled{Table: p.object()}
	}
	p.failWith(unimplemented(p.peek().pos, "PURGE "+p.peek().text))
	return nil
}

func (p *parser) flashback() Statement {
	p.take()
	if !p.accept("TABLE") {
		p.failWith(unimplemented(p.peek().pos, "FLASHBACK "+p.peek().text))
		return nil
	}
	s := &Recycled{Table: p.object(), Back: true}
	if !p.accept("TO", "BEFORE", "DROP") {
		p.failWith(unimplemented(p.peek().pos, "FLASHBACK TABLE "+p.peek().text+" "+p.ahead(1).text))
		return nil
	}
	if p.accept("RENAME", "TO") {
		s.RenameTo = p.name(903, "invalid table name")
	}
	return s
}

// storage accepts the clauses that say where a table lies, not what it holds.
func (p *parser) storage() {
	for p.failed == nil {
		before := p.i
		if p.storageClause(); p.i == before {
			return
		}
	}
}

// storageClause takes one of them, or nothing.
func (p *parser) storageClause() {
	switch {
	case p.accept("TABLESPACE"):
		p.name(959, "tablespace does not exist")
	case p.accept("LOGGING"), p.accept("NOCOMPRESS"), p.accept("SEGMENT", "CREATION", "IMMEDIATE"), p.accept("SEGMENT", "CREATION", "DEFERRED"):
	case p.accept("PCTFREE"), p.accept("INITRANS"):
		p.integer()
	case p.accept("USING", "INDEX"):
	default:
		if p.peek().kind == tokWord {
			p.failWith(unimplemented(p.peek().pos, "table clause "+p.peek().text))
		}
	}
}

func (p *parser) columnDef() ColumnDef {
	c := ColumnDef{Pos: p.peek().pos, Name: p.name(904, msgInvalidIdentifier)}
	if !p.is("AS") && !p.is("GENERATED", "ALWAYS") { // a virtual column may have the type of its expression
		c.Type = p.dataType()
	}
	p.columnProperties(&c)
	if c.Type.Code == 0 && c.Virtual == nil && p.failed == nil {
		p.fail(902, "invalid datatype")
	}
	return c
}

func (p *parser) columnDefault(c *ColumnDef) {
	p.take()
	if p.is("ON") {
		p.failWith(unimplemented(p.peek().pos, "DEFAULT ON NULL"))
		return
	}
	start := p.peek().pos
	c.Default = p.expression()
	if p.failed == nil {
		c.DefaultText = p.text[start:p.tokens[p.i-1].end]
	}
}

func (p *parser) createIndex() Statement {
	s := &CreateIndex{Unique: p.accept("UNIQUE")}
	p.expect("INDEX")
	s.Name = p.object()
	p.expect("ON")
	s.Table = p.object()
	p.expectOp("(")
	for {
		s.Columns = append(s.Columns, p.column())
		if p.peek().isOp("(") {
			p.failWith(unimplemented(p.peek().pos, "function-based index"))
		}
		if p.is("DESC") {
			p.failWith(unimplemented(p.peek().pos, "descending index"))
		}
		p.accept("ASC")
		if !p.acceptOp(",") {
			break
		}
	}
	p.expectOp(")")
	p.storage()
	return s
}

func (p *parser) drop() Statement {
	p.take()
	tok := p.peek()
	switch {
	case p.accept("TABLE"):
		s := &DropTable{Table: p.object()}
		s.Cascade = p.accept("CASCADE", "CONSTRAINTS")
		s.Purge = p.accept("PURGE")
		return s
	case p.accept("SEQUENCE"):
		return &DropSequence{Name: p.object()}
	case p.accept("VIEW"):
		s := &DropView{Name: p.object()}
		p.accept("CASCADE", "CONSTRAINTS")
		return s
	case p.accept("INDEX"):
		return &DropIndex{Name: p.object()}
	case p.accept("USER"):
		return &DropUser{Name: p.userName(), Cascade: p.accept("CASCADE")}
	case p.accept("ROLE"):
		return &DropRole{Name: p.userName()}
	case tok.kind == tokWord:
		p.failWith(unimplemented(tok.pos, "DROP "+tok.text))
	default:
		p.fail(950, "invalid DROP option")
	}
	return nil
}

func (p *parser) truncate() Statement {
	p.take()
	if !p.accept("TABLE") {
		p.fail(3290, "invalid truncate command - missing CLUSTER or TABLE keyword")
	}
	s := &Truncate{Table: p.object()}
	if p.accept("DROP") || p.accept("REUSE") {
		p.expect("STORAGE")
	}
	return s
}

func (p *parser) comment() Statement {
	p.take()
	p.expect("ON")
	s := &Comment{}
	switch {
	case p.accept("TABLE"):
		s.Table = p.object()
	case p.accept("COLUMN"):
		first := p.name(904, msgInvalidIdentifier)
		p.expectOp(".")
		s.Table.Name = first
		if second := p.name(904, msgInvalidIdentifier); p.acceptOp(".") {
			s.Table = Object{Owner: first, Name: second}
			p.name(904, msgInvalidIdentifier)
		}
	default:
		p.failWith(unimplemented(p.peek().pos, "COMMENT ON "+p.peek().text))
	}
	p.expect("IS")
	if p.take().kind != tokText {
		p.fail(1780, "string literal required")
	}
	return s
}
