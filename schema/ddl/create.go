package ddl

import "strings"

func (p *parser) create() bool {
	temporary := false
	for {
		switch w := p.word(0); w {
		case "GLOBAL", "PRIVATE", "TEMPORARY":
			temporary = temporary || w != "TEMPORARY"
		case "OR", "REPLACE", "NO", "FORCE", "NOFORCE", "EDITIONABLE", "NONEDITIONABLE", "EDITIONING", "SHARDED", "DUPLICATED", "PUBLIC", "SHARED",
			"BIGFILE", "SMALLFILE", "UNDO", "BITMAP", "MULTIVALUE", "AND", "COMPILE", "RESOLVE", "HYBRID", "VECTOR", "SEARCH", "PLUGGABLE", "CLEAN", "LOCAL", "USECASE",
			"FLEXIBLE", "STRICT":
			if w == "PLUGGABLE" {
				p.s.Verb += " PLUGGABLE DATABASE"
				return p.is(Ignore, Tables|Filled)
			}
		case "UNIQUE":
			p.s.Unique = true
		case "TABLE":
			p.s.Verb += " TABLE"
			p.skip(1)
			return p.createTable(temporary)
		case "IMMUTABLE", "BLOCKCHAIN":
			// Nobody has shown that they can be captured (R132); the dictionary says so of one that matches.
		default:
			return p.createOther()
		}
		p.skip(1)
	}
}

func (p *parser) createOther() bool {
	object := p.object()
	p.s.Verb += " " + object
	switch object {
	case "":
		return false
	case "INDEX":
		return p.createIndex()
	case "MATERIALIZED VIEW":
		if !p.take("LOG") {
			return p.is(Ignore, Tables|Filled) // it has a table of its name
		}
	}
	return p.is(Ignore, 0)
}

// createIndex reads the name of an index and of its table. A unique one may be the key of a table that has no other (seed 000 lets
// indexes be, but contracts takes unique ones as keys).
func (p *parser) createIndex() bool {
	p.take("IF", "NOT", "EXISTS")
	if !p.named(&p.s.Index) || !p.take("ON") {
		return false
	}
	if p.take("CLUSTER") {
		return p.is(Ignore, 0)
	}
	if !p.named(&p.s.Table) {
		return false
	}
	if p.s.Unique {
		p.s.Effects |= Key
	}
	return p.is(Ignore, 0)
}

func (p *parser) createTable(temporary bool) bool {
	if !p.table() {
		return false
	}
	if WorkTable(p.s.Table.Name) {
		return p.is(Ignore, 0)
	}
	if temporary {
		return p.is(CreateTemporaryTable, 0) // whose rows are in no redo
	}
	if p.take("SHARING") {
		p.skip(2)
	}
	start := p.at
	if p.symbol(0, "(") && !p.tableItems() {
		return false
	}
	class, effects := CreateTable, Layout|Key|Logging|Tables|Segments
	for !p.ended() && !p.symbol(0, ";") {
		if p.word(0) == "AS" && !p.stores(start) {
			class, effects = CreateTableAsSelect, effects|Filled
		}
		if !p.pass() {
			return false
		}
	}
	return p.finished() && p.is(class, effects)
}

// tableItems reads columns and constraints of a new table; what adds them to one that exists has effects of its own.
func (p *parser) tableItems() bool {
	was := p.s.Class
	ok := p.items(Added)
	p.s.Class, p.s.Effects = was, 0
	return ok
}

// WorkTable reports a name that Oracle gives to tables it makes for itself in users' schemas (reference logminer G.1, I). They are never
// captured.
func WorkTable(name string) bool {
	for _, prefix := range []string{
		"BIN$", "MLOG$_", "RUPD$_", "SYS_IOT_OVER_", "SYS_IOT_MAP_", "MDRT_", "MDRS_", "MDXT_", "ORA_TEMP_", "CMP3$", "CMP4$", "DBMS_TABCOMP_TEMP_",
		"SYS_FBA_", "SYS_RESERVJRNL_",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
