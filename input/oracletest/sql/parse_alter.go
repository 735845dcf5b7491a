package sql

import (
	"slices"
	"strings"
)

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
	case p.accept("DATABASE"):
		return p.alterDatabase(false)
	case p.accept("PLUGGABLE", "DATABASE"):
		return p.alterDatabase(true)
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

func (p *parser) alterDatabase(pluggable bool) Statement {
	switch {
	case p.is("ADD", "SUPPLEMENTAL", "LOG", "DATA"), p.is("DROP", "SUPPLEMENTAL", "LOG", "DATA"):
		drop := p.take().text == "DROP"
		l := p.supplementalLog(drop)
		return &AlterDatabase{Logging: &l}
	case !pluggable && p.accept("FORCE", "LOGGING"):
		on := true
		return &AlterDatabase{ForceLogging: &on}
	case !pluggable && p.accept("NO", "FORCE", "LOGGING"):
		return &AlterDatabase{ForceLogging: new(bool)}
	}
	if pluggable {
		if state := p.pluggableState(); state != nil {
			return &AlterDatabase{State: state}
		}
	}
	p.failWith(unimplemented(p.peek().pos, "ALTER DATABASE "+p.peek().text))
	return nil
}

// pluggableState parses [names | ALL [EXCEPT names]] and what becomes of them; nil if something else comes.
func (p *parser) pluggableState() *PluggableState {
	s := &PluggableState{Pos: p.peek().pos}
	verb := func() bool { return p.is("OPEN") || p.is("CLOSE") || p.is("SAVE", "STATE") || p.is("DISCARD", "STATE") }
	s.All = p.accept("ALL")
	if s.All && p.accept("EXCEPT") || !s.All && !verb() {
		s.Names = append(s.Names, p.containerName())
		for p.acceptOp(",") {
			s.Names = append(s.Names, p.containerName())
		}
	}
	switch {
	case p.accept("OPEN"):
		s.Open = "READ WRITE"
		if p.accept("READ", "ONLY") {
			s.Open = "READ ONLY"
		} else {
			p.accept("READ", "WRITE")
		}
		s.Force = p.accept("FORCE")
	case p.accept("CLOSE"):
		s.Close, s.Immediate = true, p.accept("IMMEDIATE") || p.accept("ABORT")
	case p.accept("SAVE", "STATE"), p.accept("DISCARD", "STATE"):
	default:
		return nil
	}
	if p.accept("INSTANCES") {
		p.expectOp("=")
		p.expect("ALL")
	}
	return s
}

// supplementalLogging parses ADD|DROP SUPPLEMENTAL LOG … [, SUPPLEMENTAL LOG …]; nothing if something else comes.
func (p *parser) supplementalLogging() []SupplementalLogging {
	if !p.is("ADD", "SUPPLEMENTAL", "LOG") && !p.is("DROP", "SUPPLEMENTAL", "LOG") {
		return nil
	}
	drop := p.take().text == "DROP"
	list := []SupplementalLogging{p.supplementalLog(drop)}
	for p.acceptOp(",") {
		list = append(list, p.supplementalLog(drop))
	}
	return list
}

// supplementalLog parses SUPPLEMENTAL LOG DATA [(kinds) COLUMNS], or GROUP with a name and, to be added, its columns.
func (p *parser) supplementalLog(drop bool) SupplementalLogging {
	p.expect("SUPPLEMENTAL", "LOG")
	l := SupplementalLogging{Drop: drop}
	if p.accept("GROUP") {
		l.Pos = p.peek().pos
		l.Group = p.name(904, msgInvalidIdentifier)
		if !drop {
			p.loggedColumns(&l)
		}
		return l
	}
	p.expect("DATA")
	if !p.acceptOp("(") {
		return l
	}
	for {
		pos := p.peek().pos
		var kind *bool
		switch {
		case p.accept("ALL"):
			kind = &l.All
		case p.accept("PRIMARY", "KEY"):
			kind = &l.Primary
		case p.accept("UNIQUE"):
			p.accept("INDEX")
			kind = &l.Unique
		case p.accept("FOREIGN", "KEY"):
			kind = &l.ForeignKeys
		default:
			p.fail(905, msgMissingKeyword)
			return l
		}
		if *kind {
			p.failAt(pos, 32585, "duplicate specification of a supplemental log attribute")
		}
		*kind = true
		if !p.acceptOp(",") {
			break
		}
	}
	p.expectOp(")")
	p.expect("COLUMNS")
	return l
}

func (p *parser) loggedColumns(l *SupplementalLogging) {
	p.expectOp("(")
	for {
		column := LoggedColumn{ColumnName: p.column()}
		column.NoLog = p.accept("NO", "LOG")
		l.Columns = append(l.Columns, column)
		if !p.acceptOp(",") {
			break
		}
	}
	p.expectOp(")")
	l.Always = p.accept("ALWAYS")
}

func (p *parser) alterTable() Statement {
	s := &AlterTable{Table: p.object()}
	if s.Logging = p.supplementalLogging(); s.Logging != nil {
		for _, l := range s.Logging {
			if l.Group == "" && !l.All && !l.Primary && !l.Unique && !l.ForeignKeys {
				p.fail(905, msgMissingKeyword)
			}
		}
		return s
	}
	p.alteration(s)
	for p.failed == nil && s.columnClause() && (p.is("ADD") || p.is("MODIFY")) {
		more := &AlterTable{Table: s.Table}
		if p.alteration(more); p.failed == nil && !more.columnClause() {
			p.fail(1735, "invalid ALTER TABLE option")
		}
		s.More = append(s.More, more)
	}
	return s
}

// columnClause reports whether the clause may have others of its kind behind it.
func (s *AlterTable) columnClause() bool {
	return s.AddColumns != nil || s.Modify != nil || s.AddConstraint != nil
}

func (p *parser) alteration(s *AlterTable) {
	tok := p.peek()
	switch {
	case p.partitionChange(s):
	case p.accept("ADD"):
		p.alterAdd(s)
	case p.is("MODIFY", "CONSTRAINT"), p.is("MODIFY", "PRIMARY", "KEY"):
		p.modifyConstraint(s)
	case p.is("MODIFY", "PARTITION"), p.is("MODIFY", "DEFAULT"):
		p.failWith(unimplemented(tok.pos, "ALTER TABLE MODIFY "+p.ahead(1).text))
	case p.accept("MODIFY"):
		s.Modify = p.definitions(p.modifyDef)
	case p.accept("RENAME", "COLUMN"):
		s.RenameColumn = p.renaming()
	case p.accept("RENAME", "CONSTRAINT"):
		s.RenameConstraint = p.renaming()
	case p.accept("RENAME", "TO"):
		s.RenameTo = p.name(903, "invalid table name")
	case p.accept("DROP", "UNUSED", "COLUMNS"):
		s.DropUnused = true
		p.noCheckpoint()
	case p.accept("SET", "UNUSED"):
		p.setUnused(s)
	case p.accept("DROP"):
		p.alterDrop(s)
	case p.is("ENABLE", "ROW", "MOVEMENT"), p.is("DISABLE", "ROW", "MOVEMENT"):
		s.Physical = p.take().text + " ROW MOVEMENT"
		p.expect("ROW", "MOVEMENT")
	case p.is("ENABLE"), p.is("DISABLE"):
		p.constraintChange(s)
	case p.physical(s):
	case tok.kind == tokWord:
		p.failWith(unimplemented(tok.pos, "ALTER TABLE "+tok.text))
	default:
		p.fail(1735, "invalid ALTER TABLE option")
	}
}

func (p *parser) renaming() *[2]ColumnName {
	from := p.column()
	p.expect("TO")
	return &[2]ColumnName{from, p.column()}
}

func (p *parser) setUnused(s *AlterTable) {
	if p.accept("COLUMN") {
		s.SetUnused = []ColumnName{p.column()}
	} else {
		s.SetUnused = p.columns()
	}
	s.Cascade = p.accept("CASCADE", "CONSTRAINTS")
	if p.is("ONLINE") {
		p.accept("ONLINE")
	}
}

// noCheckpoint refuses a DROP of columns that commits now and then: rows of it have two layouts (R111).
func (p *parser) noCheckpoint() {
	if p.is("CHECKPOINT") || p.is("CONTINUE") {
		p.failWith(unimplemented(p.peek().pos, "DROP COLUMN CHECKPOINT"))
	}
}

// modifyConstraint parses MODIFY CONSTRAINT name or PRIMARY KEY with ENABLE or DISABLE.
func (p *parser) modifyConstraint(s *AlterTable) {
	p.take()
	c := &ConstraintChange{Pos: p.peek().pos}
	if p.accept("CONSTRAINT") {
		c.Name = p.name(904, msgInvalidIdentifier)
	} else {
		p.expect("PRIMARY", "KEY")
		c.Primary = true
	}
	switch {
	case p.accept("ENABLE"):
	case p.accept("DISABLE"):
		c.Disable = true
	default:
		p.failWith(unimplemented(p.peek().pos, "ALTER TABLE MODIFY CONSTRAINT "+p.peek().text))
	}
	p.accept("VALIDATE")
	c.Cascade = p.accept("CASCADE")
	s.Change = c
}

// physical parses clauses that change no column.
func (p *parser) physical(s *AlterTable) bool {
	tok := p.peek()
	switch {
	case p.is("MOVE", "SUBPARTITION"):
		return false
	case p.accept("MOVE"):
		s.Physical = "MOVE"
		if p.is("ONLINE") {
			p.failWith(unimplemented(p.peek().pos, "ALTER TABLE MOVE ONLINE"))
		}
		p.storage()
	case p.accept("SHRINK", "SPACE"):
		s.Physical = "SHRINK SPACE"
		_ = p.accept("COMPACT") || p.accept("CASCADE")
	case p.accept("READ", "ONLY"):
		s.Physical = "READ ONLY"
	case p.accept("READ", "WRITE"):
		s.Physical = "READ WRITE"
	case tok.is("CACHE"), tok.is("NOCACHE"), tok.is("NOPARALLEL"), tok.is("PARALLEL"):
		s.Physical = "STORAGE"
		if p.take(); p.peek().kind == tokNumber {
			p.integer()
		}
	case tok.is("LOGGING"), tok.is("NOCOMPRESS"), tok.is("PCTFREE"), tok.is("INITRANS"):
		s.Physical = "STORAGE"
		p.storage()
	default:
		return false
	}
	return true
}

func (p *parser) alterAdd(s *AlterTable) {
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
	if p.is("PERIOD", "FOR") {
		p.failWith(unimplemented(p.peek().pos, "ALTER TABLE ADD PERIOD"))
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
	if !slices.ContainsFunc([]string{"NOT", "NULL", "DEFAULT", "VISIBLE", "INVISIBLE", "AS", "GENERATED"}, func(w string) bool { return p.is(w) }) && p.peek().kind == tokWord {
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
	if s.DropColumns != nil {
		p.noCheckpoint()
	}
}

func (p *parser) alterSystem() Statement {
	switch {
	case p.accept("SWITCH", "LOGFILE"):
		return &AlterSystem{}
	case p.accept("ARCHIVE", "LOG", "CURRENT"): // it waits for no archiver: what is switched is copied at once or when it is due
		return &AlterSystem{}
	case p.accept("CHECKPOINT"):
		_ = p.accept("GLOBAL") || p.accept("LOCAL")
		return &AlterSystem{Checkpoint: true}
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
