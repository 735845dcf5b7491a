package ddl

import "strings"

// Classify reads a statement. owner is the schema of names that stand without one: SEG_OWNER of the row.
func Classify(text, owner string) Statement {
	p := parser{cursor: cursor{scan: scanner{text}, owner: owner}}
	if !p.statement() {
		p.s = Statement{Class: Unknown, Verb: p.verb()}
	}
	return p.s
}

// parser fills a statement. Its methods report false for what they do not understand.
type parser struct {
	cursor
	s Statement
}

// verb gives the first two words.
func (p *parser) verb() string {
	p.at = 0
	first, second := p.word(0), p.word(1)
	switch {
	case len(first) > longestVerb:
		return ""
	case second == "" || len(second) > longestVerb:
		return first
	}
	return first + " " + second
}

// longestVerb bounds a word in bytes that may say what a statement does.
const longestVerb = 30

// is sets the class and adds effects.
func (p *parser) is(c Class, e Effects) bool {
	p.s.Class = c
	p.s.Effects |= e
	return true
}

func (p *parser) statement() bool {
	verb := p.word(0)
	p.s.Verb = verb
	p.skip(1)
	switch verb {
	case "ALTER":
		return p.alter()
	case "CREATE":
		return p.create()
	case "DROP":
		return p.drop()
	case "TRUNCATE":
		return p.truncate()
	case "RENAME":
		return p.rename()
	case "FLASHBACK":
		return p.flashback()
	case "PURGE":
		// What was dropped before. Rows from before it lose the name that they have in the bin.
		if p.s.Verb += " " + p.word(0); p.take("TABLE") && !p.named(&p.s.Table) {
			return false
		}
		return p.is(Ignore, Segments)
	case "GRANT", "REVOKE", "COMMENT", "ANALYZE", "AUDIT", "NOAUDIT", "ASSOCIATE", "DISASSOCIATE", "ADMINISTER":
		return p.is(Ignore, 0)
	}
	return false
}

// named takes a name into the statement.
func (p *parser) named(to *Name) (ok bool) {
	*to, ok = p.name()
	return ok
}

// table takes IF [NOT] EXISTS and the name of the statement's table.
func (p *parser) table() bool {
	if !p.take("IF", "EXISTS") {
		p.take("IF", "NOT", "EXISTS")
	}
	return p.named(&p.s.Table)
}

func (p *parser) truncate() bool {
	switch {
	case p.take("TABLE"):
		p.s.Verb += " TABLE"
		if !p.table() {
			return false
		}
		for p.ending() {
		}
		return p.finished() && p.is(Truncate, Segments|Rowless)
	case p.take("CLUSTER"):
		p.s.Verb += " CLUSTER"
		return p.is(Ignore, Segments|Rowless) // of tables that the text does not name
	}
	return false
}

// ending takes a word that may stand behind the name of TRUNCATE TABLE.
func (p *parser) ending() bool {
	if p.take("CASCADE") {
		p.s.Cascades = true
		return true
	}
	return p.takeAny("PRESERVE", "PURGE", "MATERIALIZED", "VIEW", "LOG", "DROP", "ALL", "REUSE", "STORAGE")
}

// rename reads RENAME a TO b: tables, views, sequences and synonyms.
func (p *parser) rename() bool {
	if !p.named(&p.s.Table) || !p.take("TO") || !p.renamed(&p.s.New) {
		return false
	}
	return p.finished() && p.is(RenameTable, Tables)
}

// renamed takes the new name of the statement's table, which stays with its owner.
func (p *parser) renamed(to *Name) bool {
	owner := p.owner
	p.owner = p.s.Table.Owner
	defer func() { p.owner = owner }()
	return p.named(to)
}

func (p *parser) flashback() bool {
	p.s.Verb += " " + p.word(0)
	if !p.take("TABLE") || !p.named(&p.s.Table) {
		return false // a database that went back has another incarnation
	}
	for p.takeSymbol(",") {
		n, ok := p.name()
		if !ok {
			return false
		}
		p.s.Also = append(p.s.Also, n)
	}
	if !p.take("TO") {
		return false
	}
	if !p.take("BEFORE", "DROP") {
		return p.is(Ignore, RowIDs|Rewritten)
	}
	if p.take("RENAME", "TO") && !p.renamed(&p.s.New) {
		return false
	}
	return p.finished() && p.is(UndropTable, Tables|Segments)
}

// recycled reports a name in the recycle bin.
func recycled(name string) bool { return strings.HasPrefix(name, "BIN$") }

func (p *parser) drop() bool {
	if p.take("TABLE") {
		p.s.Verb += " TABLE"
		return p.table() && p.dropTable()
	}
	p.take("PUBLIC")
	object := p.object()
	p.s.Verb += " " + object
	switch object {
	case "", "DATABASE":
		return false
	case "INDEX":
		p.take("IF", "EXISTS")
		return p.named(&p.s.Index) && p.is(Ignore, Key)
	case "USER", "TABLESPACE", "CLUSTER", "PLUGGABLE DATABASE", "MATERIALIZED VIEW":
		if p.word(0) != "LOG" {
			return p.is(Ignore, Tables) // with the tables in it
		}
	case "TYPE":
		return p.is(Ignore, Layout) // FORCE takes away the columns of the type
	}
	return p.is(Ignore, 0)
}

// dropTable reads on behind the name. LogMiner adds the name that the table has in the recycle bin (reference logminer G.1).
func (p *parser) dropTable() bool {
	for {
		switch t := p.peek(1); {
		case p.takeAny("CASCADE", "CONSTRAINTS", "CONSTRAINT", "PURGE", "FORCE"):
		case p.word(0) == "AS" && (t.Kind == Quoted || t.Kind == Literal) && !t.Open:
			p.s.Recycled = strings.Trim(t.Text, `"'`)
			p.skip(2)
		default:
			return p.finished() && p.is(DropTable, Tables)
		}
	}
}

// object takes the words of a kind of object that is no table, as CREATE, ALTER and DROP write it.
func (p *parser) object() string {
	first := p.word(0)
	if second := first + " " + p.word(1); twoWords(second) {
		p.skip(2)
		return second
	}
	switch first {
	case "INDEX", "VIEW", "SEQUENCE", "SYNONYM", "TRIGGER", "PACKAGE", "PROCEDURE", "FUNCTION", "TYPE", "USER", "ROLE", "PROFILE", "TABLESPACE",
		"CLUSTER", "DIRECTORY", "CONTEXT", "LIBRARY", "JAVA", "OPERATOR", "INDEXTYPE", "DIMENSION", "OUTLINE", "DISKGROUP", "SESSION", "SYSTEM",
		"DATABASE", "CONTROLFILE", "PFILE", "SPFILE", "EDITION", "HIERARCHY", "DOMAIN", "ASSERTION":
		p.skip(1)
		return first
	}
	return ""
}

func twoWords(words string) bool {
	switch words {
	case "MATERIALIZED VIEW", "MATERIALIZED ZONEMAP", "ROLLBACK SEGMENT", "RESTORE POINT", "AUDIT POLICY", "PLUGGABLE DATABASE", "DATABASE LINK",
		"FLASHBACK ARCHIVE", "LOCKDOWN PROFILE", "INMEMORY JOIN", "ANALYTIC VIEW", "ATTRIBUTE DIMENSION", "PROPERTY GRAPH", "MLE MODULE", "MLE ENV",
		"DATABASE DICTIONARY", "RESOURCE COST", "LOGICAL PARTITION", "JSON RELATIONAL", "SQL TRANSLATION":
		return true
	}
	return false
}
