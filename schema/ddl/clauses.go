package ddl

import "strings"

// add reads on behind ADD.
func (p *parser) add() bool {
	switch {
	case p.partitions(0) && !p.namedColumn(1):
		return p.segments("ADD")
	case p.word(0) == "OVERFLOW" && !p.typed(1):
		return p.rest(Partition, Segments)
	case p.word(0) == "CLUSTERING" && !p.typed(1):
		return p.rest(Ignore, 0)
	}
	return p.items(Added)
}

// items reads a list in brackets or a single item: columns and constraints, in ADD and in CREATE TABLE, and columns in MODIFY.
func (p *parser) items(a Action) bool {
	if !p.takeSymbol("(") {
		for {
			if !p.item(a, false) {
				return false
			}
			if !p.takeSymbol(",") {
				return true
			}
		}
	}
	for {
		if !p.item(a, true) {
			return false
		}
		if p.takeSymbol(")") {
			return true
		}
		if !p.takeSymbol(",") {
			return false
		}
	}
}

// item reads one item up to what ends it.
func (p *parser) item(a Action, listed bool) bool {
	p.take("IF", "NOT", "EXISTS")
	switch {
	case p.constrains():
		return p.constraint() && p.toEnd(listed, p.disabled)
	case p.reads(0, "SUPPLEMENTAL", "LOG") && (p.word(2) == "DATA" || p.word(2) == "GROUP"):
		return p.log(false) && p.toEnd(listed, nil)
	case p.reads(0, "PERIOD", "FOR"):
		return false // temporal validity (R132)
	case p.reads(0, "SCOPE", "FOR"), p.word(0) == "REF" && p.symbol(1, "("):
		return p.toEnd(listed, nil) && p.also(ModifyColumn, Layout)
	}
	return p.column(a, listed)
}

// toEnd goes to the end of an item, and shows what it passes.
func (p *parser) toEnd(listed bool, show func()) bool {
	for {
		switch {
		case p.symbol(0, ","):
			return true
		case listed && p.symbol(0, ")"):
			return true
		case !listed && (p.ended() || p.symbol(0, ";") || p.begins()):
			return true
		}
		if show != nil {
			show()
		}
		if !p.pass() {
			return false
		}
	}
}

// column reads a column with what is said of it.
func (p *parser) column(a Action, listed bool) bool {
	name, ok := p.simple()
	if !ok {
		return false
	}
	c, start := Column{Name: name, Action: a}, p.at
	whole := p.toEnd(listed, func() {
		p.disabled()
		switch {
		case p.reads(0, "PRIMARY", "KEY"):
			p.s.PrimaryKey, p.s.KeyKnown = []string{name}, true
			p.s.Effects |= Key
		case p.word(0) == "UNIQUE":
			p.s.Effects |= Key
		case p.word(0) == "AS" && p.symbol(1, "(") && !p.stores(start):
			c.Virtual = true
		case p.word(0) == "MATERIALIZED":
			c.Virtual = false // an expression whose values are stored
		}
	})
	if !whole {
		return false
	}
	p.s.Columns = append(p.s.Columns, c)
	switch {
	case a == Modified:
		return p.also(ModifyColumn, Layout)
	case c.Virtual:
		return p.also(AddVirtualColumn, Layout)
	}
	return p.also(AddColumn, Layout)
}

// disabled takes back what was said of a primary key that is not enforced.
func (p *parser) disabled() {
	if p.word(0) == "DISABLE" {
		p.s.PrimaryKey, p.s.KeyKnown = nil, false
	}
}

// stores reports that AS, which comes next, says how a column is stored: STORE AS, STORE ALL VARRAYS AS. What stands before start is
// a name, which may be STORE too.
func (p *parser) stores(start int) bool {
	if p.at == start {
		return false
	}
	last := upper(p.ahead[p.at-1].Text)
	return last == "STORE" || last == "VARRAYS"
}

// namedColumn reports what follows, k places ahead, on a name that is a word of Oracle's too: a type and no partition of that name.
func (p *parser) namedColumn(k int) bool {
	return p.typed(k) && p.word(k+1) != "VALUES"
}

// typed reports a type of Oracle's k places ahead: what stands before it is the name of a column, whatever else it might mean.
func (p *parser) typed(k int) bool {
	switch p.word(k) {
	case "NUMBER", "NUMERIC", "DECIMAL", "DEC", "INTEGER", "INT", "SMALLINT", "FLOAT", "REAL", "DOUBLE", "BINARY_FLOAT", "BINARY_DOUBLE", "CHAR",
		"CHARACTER", "NCHAR", "VARCHAR", "VARCHAR2", "NVARCHAR2", "NATIONAL", "LONG", "RAW", "DATE", "TIMESTAMP", "INTERVAL", "CLOB", "NCLOB", "BLOB",
		"BFILE", "ROWID", "UROWID", "JSON", "XMLTYPE", "BOOLEAN", "VECTOR":
		return true
	}
	return false
}

// constrains reports a constraint. Words that are not reserved may be names of columns as well.
func (p *parser) constrains() bool {
	switch p.word(0) {
	case "CONSTRAINT":
		switch p.word(2) {
		case "PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "NOT", "NULL", "REFERENCES":
			return true
		}
	case "PRIMARY", "FOREIGN":
		return p.word(1) == "KEY"
	case "UNIQUE", "CHECK":
		return true
	}
	return false
}

// constraint reads the kind of a new constraint and the columns of a primary key.
func (p *parser) constraint() bool {
	if p.take("CONSTRAINT") {
		if _, ok := p.simple(); !ok {
			return false
		}
	}
	if !p.take("PRIMARY", "KEY") {
		return p.also(Constraint, Layout|Key)
	}
	key, ok := p.list()
	p.s.PrimaryKey, p.s.KeyKnown = key, true
	return ok && p.also(ChangeKey, Layout|Key)
}

func (p *parser) modify() bool {
	switch {
	case p.reads(0, "PARTITION", "BY"):
		p.s.Partitioned = true
		return p.rest(Partition, Layout|Segments|RowIDs)
	case p.partitions(0) && !p.namedColumn(1):
		return p.segments("MODIFY")
	case p.reads(0, "DEFAULT", "ATTRIBUTES"), p.word(0) == "CLUSTERING" && !p.typed(1):
		return p.rest(Ignore, 0)
	case p.word(0) == "LOB" && p.symbol(1, "(") && p.peek(2).Kind != Number, p.reads(0, "NESTED", "TABLE"), p.word(0) == "VARRAY" && !p.typed(1):
		return p.rest(Ignore, 0)
	case p.word(0) == "CONSTRAINT" && !p.typed(1), p.word(0) == "UNIQUE":
		p.skip(1)
		return p.also(Constraint, Layout|Key)
	case p.take("PRIMARY", "KEY"):
		return p.also(ChangeKey, Layout|Key)
	}
	return p.items(Modified)
}

func (p *parser) dropClause() bool {
	switch {
	case p.partitions(0):
		return p.segments("DROP")
	case p.take("PRIMARY", "KEY"):
		p.s.PrimaryKey, p.s.KeyKnown = nil, true
		return p.also(ChangeKey, Layout|Key)
	case p.take("UNIQUE"):
		return p.also(Constraint, Layout|Key)
	case p.take("CONSTRAINT"):
		if p.take("IF", "EXISTS"); p.constraintName() {
			return p.also(ChangeKey, Layout|Key) // it may have been the key
		}
		return false
	case p.reads(0, "SUPPLEMENTAL", "LOG"):
		return p.log(true)
	case p.take("UNUSED", "COLUMNS"):
		p.checkpoint()
		return p.also(Ignore, Layout) // columns that nobody sees, but others get their numbers (R43)
	case p.take("COLUMNS", "CONTINUE"):
		p.checkpoint()
		return p.also(Ignore, Layout|Unfinished)
	case p.take("CLUSTERING"):
		return p.rest(Ignore, 0)
	}
	if !p.columns(Dropped) {
		return false
	}
	p.checkpoint()
	return p.also(DropColumn, Layout)
}

func (p *parser) constraintName() bool {
	_, ok := p.simple()
	return ok
}

// columns takes COLUMN with a name, or names in brackets.
func (p *parser) columns(a Action) bool {
	var names []string
	var ok bool
	if p.take("COLUMN") {
		p.take("IF", "EXISTS")
		name, found := p.simple()
		names, ok = []string{name}, found
	} else {
		names, ok = p.list()
	}
	for _, name := range names {
		p.s.Columns = append(p.s.Columns, Column{Name: name, Action: a})
	}
	return ok
}

// checkpoint goes through what may stand behind columns that go.
func (p *parser) checkpoint() {
	for {
		switch {
		case p.takeAny("CASCADE", "CONSTRAINTS", "CONSTRAINT", "INVALIDATE", "ONLINE"):
		case p.take("CHECKPOINT"):
			p.s.Effects |= Unfinished
			if p.peek(0).Kind == Number {
				p.skip(1)
			}
		default:
			return
		}
	}
}

func (p *parser) set() bool {
	switch {
	case p.take("UNUSED"):
		if !p.columns(Unused) {
			return false
		}
		p.checkpoint()
		return p.also(SetUnused, Layout)
	case p.take("INTERVAL"), p.take("PARTITIONING"):
		return p.rest(Partition, Segments) // whether the table makes its partitions itself (R103)
	case p.take("SUBPARTITION", "TEMPLATE"), p.take("STORE", "IN"):
		return p.rest(Partition, 0)
	}
	return false
}

func (p *parser) renameClause() bool {
	switch {
	case p.take("TO"):
		return p.renameTo()
	case p.take("COLUMN"):
		from, ok1 := p.simple()
		to := p.take("TO")
		name, ok2 := p.simple()
		p.s.Columns = append(p.s.Columns, Column{Name: from, New: name, Action: Renamed})
		return ok1 && to && ok2 && p.also(RenameColumn, Layout)
	case p.partitions(0), p.word(0) == "LOB":
		return p.segments("RENAME")
	case p.word(0) == "CONSTRAINT":
		return p.rest(Constraint, 0)
	}
	return false
}

// renameTo reads RENAME TO. Oracle does it itself as a table goes into the recycle bin and when it comes back (reference logminer G.1).
func (p *parser) renameTo() bool {
	var to Name
	if !p.renamed(&to) || !p.ended() && !p.symbol(0, ";") {
		return false
	}
	switch {
	case recycled(to.Name):
		p.s.Recycled = to.Name
		return p.is(DropTable, Tables)
	case recycled(p.s.Table.Name):
		p.s.New = to
		return p.is(UndropTable, Tables|Segments)
	}
	p.s.New = to
	return p.is(RenameTable, Tables)
}

// enable reads on behind ENABLE and DISABLE.
func (p *parser) enable() bool {
	if !p.switches(0) {
		return false
	}
	p.takeAny("VALIDATE", "NOVALIDATE")
	switch {
	case p.take("PRIMARY", "KEY"):
		return p.also(ChangeKey, Layout|Key)
	case p.take("CONSTRAINT"), p.take("UNIQUE"):
		return p.also(Constraint, Layout|Key)
	case p.take("LOGICAL", "REPLICATION"):
		return p.also(SupplementalLog, Logging)
	}
	return p.also(Ignore, 0) // row movement, locks, triggers
}

// log reads a clause about supplemental logging from SUPPLEMENTAL on; several may follow each other with commas.
func (p *parser) log(dropped bool) bool {
	for {
		l := Log{Dropped: dropped}
		if !p.take("SUPPLEMENTAL", "LOG") {
			return false
		}
		switch {
		case p.take("GROUP"):
			var ok bool
			if l.Group, ok = p.simple(); !ok {
				return false
			}
			if p.symbol(0, "(") {
				if l.Columns, ok = p.list(); !ok {
					return false
				}
			}
			l.Always = p.take("ALWAYS")
		case p.take("DATA"):
			if !p.logged(&l) {
				return false
			}
		default:
			return false
		}
		p.s.Logs = append(p.s.Logs, l)
		p.also(SupplementalLog, Logging)
		if !p.symbol(0, ",") || !p.reads(1, "SUPPLEMENTAL", "LOG") {
			return true
		}
		p.skip(1)
	}
}

// logged reads the kinds of columns behind DATA: (ALL, PRIMARY KEY, …) COLUMNS, or none for the minimal level. A database may say more
// here, such as FOR PROCEDURAL REPLICATION.
func (p *parser) logged(l *Log) bool {
	if !p.takeSymbol("(") {
		return true
	}
	for {
		var what []string
		for p.word(0) != "" {
			what = append(what, p.word(0))
			p.skip(1)
		}
		if what == nil {
			return false
		}
		l.What = append(l.What, strings.Join(what, " "))
		if p.takeSymbol(")") {
			break
		}
		if !p.takeSymbol(",") {
			return false
		}
	}
	return p.takeAny("COLUMNS", "COLUMN")
}
