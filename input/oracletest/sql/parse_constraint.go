package sql

func (p *parser) startsConstraint() bool {
	return p.is("CONSTRAINT") || p.is("PRIMARY", "KEY") || p.is("UNIQUE") || p.is("CHECK") || p.is("FOREIGN", "KEY") || p.is("SUPPLEMENTAL", "LOG")
}

// constraint parses an out-of-line constraint.
func (p *parser) constraint() *ConstraintDef {
	c := &ConstraintDef{Pos: p.peek().pos}
	if p.accept("CONSTRAINT") {
		c.Name = p.name(904, msgInvalidIdentifier)
	}
	switch {
	case p.accept("PRIMARY", "KEY"):
		c.Kind = PrimaryKey
		c.Columns = p.names()
	case p.accept("UNIQUE"):
		c.Columns = p.names()
	case p.accept("FOREIGN", "KEY"):
		c.Columns = p.names()
		p.references(c)
	case p.is("CHECK"):
		p.check(c)
	default:
		p.failWith(unimplemented(p.peek().pos, "constraint "+p.peek().text))
		return nil
	}
	p.constraintState(c)
	return c
}

// references parses REFERENCES table [(columns)] [ON DELETE ...].
func (p *parser) references(c *ConstraintDef) {
	c.Kind = ForeignKey
	p.expect("REFERENCES")
	c.Parent = p.object()
	if p.peek().isOp("(") {
		c.ParentColumns = p.names()
	}
	if !p.accept("ON", "DELETE") {
		return
	}
	switch {
	case p.accept("CASCADE"):
		c.OnDelete = "CASCADE"
	case p.accept("SET", "NULL"):
		c.OnDelete = "SET NULL"
	default:
		p.fail(905, msgMissingKeyword)
	}
}

func (p *parser) check(c *ConstraintDef) {
	c.Kind = Check
	p.take()
	p.expectOp("(")
	start := p.peek().pos
	binds := len(p.binds)
	c.Check = p.condition()
	if p.failed == nil {
		c.CheckText = p.text[start:p.tokens[p.i-1].end]
	}
	if len(p.binds) > binds {
		p.fail(1027, "bind variables not allowed for data definition operations")
	}
	p.expectOp(")")
}

// constraintState takes what says whether a constraint counts. It counts for all rows, at once, or not at all.
func (p *parser) constraintState(c *ConstraintDef) {
	for p.failed == nil {
		switch {
		case p.accept("ENABLE"):
			c.Disabled = false
		case p.accept("DISABLE"):
			c.Disabled = true
		case p.accept("USING", "INDEX"):
			p.indexStorage()
		case p.accept("VALIDATE"), p.accept("NOT", "DEFERRABLE"), p.accept("INITIALLY", "IMMEDIATE"), p.accept("NORELY"):
		case p.is("NOVALIDATE"), p.is("DEFERRABLE"), p.is("INITIALLY"), p.is("RELY"):
			p.failWith(unimplemented(p.peek().pos, "constraint state "+p.peek().text))
		default:
			return
		}
	}
}

// indexStorage accepts the clauses that say where the index of a constraint lies.
func (p *parser) indexStorage() {
	for p.failed == nil {
		switch {
		case p.accept("TABLESPACE"):
			p.name(959, "tablespace does not exist")
		case p.accept("PCTFREE"), p.accept("INITRANS"):
			p.integer()
		default:
			return
		}
	}
}

func (p *parser) columnProperties(c *ColumnDef) {
	for p.failed == nil {
		def := ConstraintDef{Pos: p.peek().pos, Columns: []string{c.Name}, Inline: true}
		if p.accept("CONSTRAINT") {
			def.Name = p.name(904, msgInvalidIdentifier)
		}
		switch {
		case p.accept("NOT", "NULL"):
			c.NotNull, c.NullSet = true, true
			p.notNullState()
			continue
		case p.accept("NULL"):
			c.NullSet = true
			continue
		case p.accept("PRIMARY", "KEY"):
			def.Kind = PrimaryKey
		case p.accept("UNIQUE"):
		case p.is("REFERENCES"):
			p.references(&def)
		case p.is("CHECK"):
			p.check(&def)
		case p.is("DEFAULT") && def.Name == "":
			p.columnDefault(c)
			continue
		case def.Name == "" && (p.is("VISIBLE") || p.is("INVISIBLE")):
			c.Visibility = p.take().text
			continue
		case def.Name == "" && (p.is("AS") || p.is("GENERATED", "ALWAYS", "AS")) && !p.is("GENERATED", "ALWAYS", "AS", "IDENTITY"):
			p.virtual(c)
			continue
		case def.Name != "" || p.peek().kind == tokWord:
			p.failWith(unimplemented(p.peek().pos, "column clause "+p.peek().text))
			return
		default:
			return
		}
		p.constraintState(&def)
		c.Constraints = append(c.Constraints, def)
	}
}

// virtual parses [GENERATED ALWAYS] AS (expression) [VIRTUAL].
func (p *parser) virtual(c *ColumnDef) {
	p.accept("GENERATED", "ALWAYS")
	p.expect("AS")
	p.expectOp("(")
	start := p.peek().pos
	binds := len(p.binds)
	c.Virtual = p.expression()
	if p.failed == nil {
		c.VirtualText = p.text[start:p.tokens[p.i-1].end]
	}
	if len(p.binds) > binds {
		p.fail(1027, "bind variables not allowed for data definition operations")
	}
	p.expectOp(")")
	p.accept("VIRTUAL")
}

// notNullState takes what may follow NOT NULL; it cannot be switched off here.
func (p *parser) notNullState() {
	var state ConstraintDef
	pos := p.peek().pos
	if p.constraintState(&state); state.Disabled {
		p.failWith(unimplemented(pos, "NOT NULL DISABLE"))
	}
}

// constraintChange parses ENABLE or DISABLE of a constraint.
func (p *parser) constraintChange(s *AlterTable) {
	c := &ConstraintChange{Pos: p.peek().pos, Disable: p.take().text == "DISABLE"}
	if p.is("NOVALIDATE") || c.Disable && p.is("VALIDATE") {
		p.failWith(unimplemented(p.peek().pos, "constraint state "+p.peek().text))
	}
	p.accept("VALIDATE")
	switch {
	case p.accept("CONSTRAINT"):
		c.Name = p.name(904, msgInvalidIdentifier)
	case p.accept("PRIMARY", "KEY"):
		c.Primary = true
	case p.accept("UNIQUE"):
		c.Columns = p.names()
	default:
		p.failWith(unimplemented(p.peek().pos, "ALTER TABLE ENABLE "+p.peek().text))
	}
	p.accept("USING", "INDEX")
	c.Cascade = c.Disable && p.accept("CASCADE")
	s.Change = c
}
