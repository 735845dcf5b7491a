package sql

import "strings"

func (p *parser) alter() Statement {
	p.take()
	tok := p.peek()
	switch {
	case p.accept("TABLE"):
		return p.alterTable()
	case p.accept("SESSION"):
		return p.alterSession()
	case p.accept("SYSTEM"):
		return p.alterSystem()
	case p.accept("DATABASE"), p.accept("PLUGGABLE", "DATABASE"):
		if l := p.supplementalLogging(); l != nil {
			return &AlterDatabase{Logging: *l}
		}
		p.failWith(unimplemented(tok.pos, "ALTER DATABASE "+p.peek().text))
	case p.accept("USER"):
		return p.alterUser()
	case p.accept("SEQUENCE"):
		return p.sequence(&Sequence{Alter: true})
	case tok.kind == tokWord:
		p.failWith(unimplemented(tok.pos, "ALTER "+tok.text))
	default:
		p.fail(940, "invalid ALTER command")
	}
	return nil
}

// supplementalLogging parses ADD|DROP SUPPLEMENTAL LOG DATA [(kinds) COLUMNS]; nil if something else comes.
func (p *parser) supplementalLogging() *SupplementalLogging {
	if !p.is("ADD", "SUPPLEMENTAL", "LOG", "DATA") && !p.is("DROP", "SUPPLEMENTAL", "LOG", "DATA") {
		return nil
	}
	l := &SupplementalLogging{Drop: p.take().text == "DROP"}
	p.expect("SUPPLEMENTAL", "LOG", "DATA")
	if !p.acceptOp("(") {
		return l
	}
	for {
		switch {
		case p.accept("ALL"):
			l.All = true
		case p.accept("PRIMARY", "KEY"):
			l.Primary = true
		case p.accept("UNIQUE"):
			p.accept("INDEX")
			l.Unique = true
		case p.accept("FOREIGN", "KEY"):
			l.ForeignKeys = true
		default:
			p.fail(905, msgMissingKeyword)
		}
		if !p.acceptOp(",") {
			break
		}
	}
	p.expectOp(")")
	p.expect("COLUMNS")
	return l
}

func (p *parser) alterTable() Statement {
	s := &AlterTable{Table: p.object()}
	if s.Logging = p.supplementalLogging(); s.Logging != nil {
		if !s.Logging.All && !s.Logging.Primary && !s.Logging.Unique && !s.Logging.ForeignKeys {
			p.fail(905, msgMissingKeyword)
		}
		return s
	}
	tok := p.peek()
	switch {
	case p.accept("ADD"):
		p.alterAdd(s)
	case p.is("MODIFY", "CONSTRAINT"), p.is("MODIFY", "PRIMARY", "KEY"):
		p.failWith(unimplemented(tok.pos, "ALTER TABLE MODIFY CONSTRAINT"))
	case p.accept("MODIFY"):
		s.Modify = p.definitions(p.modifyDef)
	case p.accept("RENAME", "COLUMN"):
		from := p.column()
		p.expect("TO")
		s.RenameColumn = &[2]ColumnName{from, p.column()}
	case p.accept("RENAME", "TO"):
		s.RenameTo = p.name(903, "invalid table name")
	case p.accept("DROP"):
		p.alterDrop(s)
	case p.is("ENABLE"), p.is("DISABLE"):
		p.constraintChange(s)
	case tok.kind == tokWord:
		p.failWith(unimplemented(tok.pos, "ALTER TABLE "+tok.text))
	default:
		p.fail(1735, "invalid ALTER TABLE option")
	}
	return s
}

func (p *parser) alterAdd(s *AlterTable) {
	if p.is("SUPPLEMENTAL") {
		p.failWith(unimplemented(p.peek().pos, "supplemental log group"))
		return
	}
	if p.startsConstraint() {
		s.AddConstraint = p.constraint()
		return
	}
	if p.peek().isOp("(") && p.startsConstraintAt(1) {
		p.take()
		s.AddConstraint = p.constraint()
		p.expectOp(")")
		return
	}
	p.accept("COLUMN")
	s.AddColumns = p.definitions(p.columnDef)
}

func (p *parser) startsConstraintAt(n int) bool {
	ahead := *p
	ahead.i += n
	return ahead.startsConstraint()
}

func (p *parser) definitions(one func() ColumnDef) []ColumnDef {
	if !p.acceptOp("(") {
		return []ColumnDef{one()}
	}
	list := []ColumnDef{one()}
	for p.acceptOp(",") {
		list = append(list, one())
	}
	p.expectOp(")")
	return list
}

func (p *parser) modifyDef() ColumnDef {
	c := ColumnDef{Pos: p.peek().pos, Name: p.name(904, msgInvalidIdentifier)}
	if !p.is("NOT") && !p.is("NULL") && !p.is("DEFAULT") && p.peek().kind == tokWord {
		c.Type = p.dataType()
	}
	p.columnProperties(&c)
	return c
}

func (p *parser) alterDrop(s *AlterTable) {
	switch {
	case p.accept("COLUMN"):
		s.DropColumns = []ColumnName{p.column()}
	case p.peek().isOp("("):
		s.DropColumns = p.columns()
	case p.accept("PRIMARY", "KEY"):
		s.DropPrimary = true
	case p.accept("UNIQUE"):
		s.DropUnique = p.names()
	case p.accept("CONSTRAINT"):
		s.DropConstraint = p.name(904, msgInvalidIdentifier)
	default:
		p.failWith(unimplemented(p.peek().pos, "ALTER TABLE DROP "+p.peek().text))
	}
	s.Cascade = p.accept("CASCADE", "CONSTRAINTS") || p.accept("CASCADE")
}

func (p *parser) alterSystem() Statement {
	switch {
	case p.accept("SWITCH", "LOGFILE"):
		return &AlterSystem{}
	case p.accept("ARCHIVE", "LOG", "CURRENT"):
		return &AlterSystem{Archive: true}
	}
	p.failWith(unimplemented(p.peek().pos, "ALTER SYSTEM "+p.peek().text))
	return nil
}

func (p *parser) alterSession() Statement {
	if !p.accept("SET") {
		p.failWith(unimplemented(p.peek().pos, "ALTER SESSION "+p.peek().text))
		return nil
	}
	s := &AlterSession{}
	if p.is("CONTAINER") && p.ahead(1).isOp("=") {
		p.i += 2
		s.Container = p.containerName()
		return s
	}
	for p.peek().kind == tokWord {
		name := p.take().text
		p.expectOp("=")
		s.Set = append(s.Set, Setting{Name: name, Value: p.settingValue()})
	}
	if len(s.Set) == 0 {
		p.fail(2248, "invalid option for ALTER SESSION")
	}
	return s
}

// containerName takes a name that may hold a dollar in front of further letters, CDB$ROOT, which scans as one word.
func (p *parser) containerName() string {
	return strings.ToUpper(p.name(65015, "missing or invalid container name"))
}

func (p *parser) settingValue() string {
	sign := ""
	if p.acceptOp("-") {
		sign = "-"
	}
	tok := p.take()
	switch tok.kind {
	case tokWord, tokQuoted, tokText, tokNumber:
		return sign + tok.text
	}
	p.failAt(tok.pos, 922, "missing or invalid option")
	return ""
}
