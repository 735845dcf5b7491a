package ddl

func (p *parser) alter() bool {
	if p.take("TABLE") {
		p.s.Verb += " TABLE"
		return p.table() && p.clauses() && p.finished()
	}
	p.take("PUBLIC")
	object := p.object()
	p.s.Verb += " " + object
	switch object {
	case "":
		return false
	case "DATABASE", "PLUGGABLE DATABASE":
		return p.alterDatabase()
	case "INDEX":
		return p.alterIndex()
	case "TYPE":
		return p.is(Ignore, Layout) // CASCADE changes the columns of the type
	}
	return p.is(Ignore, 0)
}

// alterDatabase reads what a whole database logs. Every other change of it makes the settings worth reading again too (R108), but for
// its character sets, which every text in the redo is read with.
func (p *parser) alterDatabase() bool {
	for !p.ended() {
		switch {
		case p.reads(0, "ADD", "SUPPLEMENTAL", "LOG"), p.reads(0, "DROP", "SUPPLEMENTAL", "LOG"):
			dropped := p.word(0) == "DROP"
			p.skip(1)
			if !p.log(dropped) {
				return false
			}
		case p.reads(0, "CHARACTER", "SET"):
			return false
		default:
			p.skip(1)
		}
	}
	if p.s.Class == "" {
		p.is(Ignore, Logging)
	}
	return true
}

// alterIndex reads what makes a unique index valid or not, or gives it another place among the names: both decide on the key of a table
// without a primary key.
func (p *parser) alterIndex() bool {
	p.take("IF", "EXISTS")
	if !p.named(&p.s.Index) {
		return false
	}
	p.is(Ignore, 0)
	for ; !p.ended(); p.skip(1) {
		switch p.word(0) {
		case "REBUILD", "UNUSABLE", "RENAME", "ENABLE", "DISABLE":
			p.is(Ignore, Key)
		}
	}
	return true
}

// rank says which class a statement of several clauses has.
func rank(c Class) int {
	switch c {
	case "":
		return 0
	case Ignore:
		return 1
	case SupplementalLog:
		return 2
	case Constraint:
		return 3
	case ChangeKey:
		return 4
	case AddVirtualColumn:
		return 5
	default:
		return 6
	}
}

// also adds a clause to what the statement is.
func (p *parser) also(c Class, e Effects) bool {
	if rank(c) > rank(p.s.Class) {
		p.s.Class = c
	}
	p.s.Effects |= e
	return true
}

// clauses reads the clauses of ALTER TABLE.
func (p *parser) clauses() bool {
	for n := 0; ; n++ {
		if p.ended() || p.symbol(0, ";") {
			return n > 0
		}
		if !p.clause() {
			return false
		}
		for !p.ended() && !p.symbol(0, ";") && !p.begins() {
			if !p.pass() {
				return false
			}
		}
	}
}

// begins reports that a further clause begins: the words that can only be one, and those that are one before certain others.
func (p *parser) begins() bool {
	next := p.word(1)
	switch p.word(0) {
	case "ADD", "MODIFY", "RENAME":
		return true
	case "DROP":
		switch next {
		case "COLUMN", "UNUSED", "COLUMNS", "PRIMARY", "UNIQUE", "CONSTRAINT", "SUPPLEMENTAL", "PERIOD", "CLUSTERING":
			return true
		}
		return p.symbol(1, "(")
	case "SET":
		return next == "UNUSED"
	case "ENABLE", "DISABLE":
		return p.switches(1)
	case "ROW":
		return next == "ARCHIVAL"
	case "NO":
		return p.reads(1, "ROW", "ARCHIVAL") || p.reads(1, "FLASHBACK", "ARCHIVE")
	case "FLASHBACK":
		return next == "ARCHIVE"
	}
	return false
}

// switches reports what ENABLE and DISABLE can be said of, from k places ahead on; behind a constraint they may say its state alone.
func (p *parser) switches(k int) bool {
	if w := p.word(k); w == "VALIDATE" || w == "NOVALIDATE" {
		k++
	}
	switch p.word(k) {
	case "CONSTRAINT", "PRIMARY", "UNIQUE", "ROW", "TABLE", "ALL", "LOGICAL", "CONTAINER_MAP", "CONTAINERS_DEFAULT":
		return true
	}
	return false
}

func (p *parser) clause() bool {
	verb := p.word(0)
	switch verb {
	case "ADD":
		p.skip(1)
		return p.add()
	case "MODIFY":
		p.skip(1)
		return p.modify()
	case "DROP":
		p.skip(1)
		return p.dropClause()
	case "SET":
		p.skip(1)
		return p.set()
	case "RENAME":
		p.skip(1)
		return p.renameClause()
	case "MOVE", "TRUNCATE", "SPLIT", "MERGE", "EXCHANGE", "COALESCE":
		p.skip(1)
		return p.segments(verb)
	case "ENABLE", "DISABLE":
		p.skip(1)
		return p.enable()
	case "ROW":
		if p.take("ROW", "ARCHIVAL") {
			return p.also(Ignore, Layout) // a hidden column (R111)
		}
	case "NO":
		if p.take("NO", "ROW", "ARCHIVAL") {
			return p.also(Ignore, Layout)
		}
	case "SHRINK":
		return p.rest(Ignore, RowIDs)
	case "ILM":
		return p.rest(Ignore, 0)
	}
	return p.storage() && p.also(Ignore, 0)
}

// rest ends with a clause behind which no other can stand.
func (p *parser) rest(c Class, e Effects) bool {
	for !p.ended() && !p.symbol(0, ";") {
		if !p.pass() {
			return false
		}
	}
	return p.also(c, e)
}

// storage goes behind the first words of a clause that says how and where rows are stored, read or kept, and changes none of them.
func (p *parser) storage() bool {
	words, next := 1, p.word(1)
	switch p.word(0) {
	case "PCTFREE", "PCTUSED", "INITRANS", "MAXTRANS", "STORAGE", "TABLESPACE", "LOGGING", "NOLOGGING", "FILESYSTEM_LIKE_LOGGING", "COMPRESS",
		"NOCOMPRESS", "CACHE", "NOCACHE", "RESULT_CACHE", "PARALLEL", "NOPARALLEL", "MONITORING", "NOMONITORING", "ALLOCATE", "DEALLOCATE",
		"INMEMORY", "INDEXING", "ANNOTATIONS", "MINIMIZE", "NOMINIMIZE", "RECORDS_PER_BLOCK", "OVERFLOW", "PCTTHRESHOLD", "INCLUDING", "MEMOPTIMIZE",
		"LOB", "VARRAY", "REBUILD":
	case "READ":
		if words = 2; next != "ONLY" && next != "WRITE" {
			return false
		}
	case "ROW", "COLUMN":
		if words = 2; next != "STORE" {
			return false
		}
	case "DEFAULT":
		if words = 2; next != "COLLATION" {
			return false
		}
	case "NO":
		switch words = 2; next {
		case "INMEMORY", "MEMOPTIMIZE", "FLASHBACK", "DROP", "DELETE":
		default:
			return false
		}
	default:
		return false // FLASHBACK ARCHIVE too, which captured tables must not have (R132)
	}
	p.skip(words)
	return true
}
