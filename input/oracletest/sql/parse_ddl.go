package sql

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
	if p.is("AS") {
		p.failWith(unimplemented(p.peek().pos, "CREATE TABLE AS SELECT"))
		return nil
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
	p.storage()
	return s
}

// storage accepts the clauses that say where a table lies, not what it holds.
func (p *parser) storage() {
	for p.failed == nil {
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
			return
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
