package ddl

import "slices"

// cursor goes through the tokens that say something. It cuts them as they are wanted: what is told from the first words costs no more
// than those, whatever package body stands behind them.
type cursor struct {
	scan  scanner
	owner string
	ahead []Token
	at    int
	// open: the text ended inside a token.
	open bool
}

// peek gives the token k places ahead, one without text behind the end.
func (c *cursor) peek(k int) Token {
	for c.at+k >= len(c.ahead) {
		t, ok := c.scan.next()
		if !ok {
			return Token{}
		}
		c.open = c.open || t.Open
		switch t.Kind {
		case Space, Comment, Hint:
		default:
			c.ahead = append(c.ahead, t)
		}
	}
	return c.ahead[c.at+k]
}

// word gives a word k places ahead as Oracle takes it, nothing for anything else.
func (c *cursor) word(k int) string {
	if t := c.peek(k); t.Kind == Word {
		return upper(t.Text)
	}
	return ""
}

func (c *cursor) symbol(k int, text string) bool {
	t := c.peek(k)
	return t.Kind == Symbol && t.Text == text
}

// ended reports that nothing follows.
func (c *cursor) ended() bool { return c.peek(0).Text == "" }

func (c *cursor) skip(n int) {
	for range n {
		if !c.ended() {
			c.at++
		}
	}
}

// reads reports whether the words follow, from k places ahead on.
func (c *cursor) reads(k int, words ...string) bool {
	for i, w := range words {
		if c.word(k+i) != w {
			return false
		}
	}
	return true
}

// take goes behind the words if they follow.
func (c *cursor) take(words ...string) bool {
	if !c.reads(0, words...) {
		return false
	}
	c.skip(len(words))
	return true
}

// takeAny goes behind one of the words.
func (c *cursor) takeAny(words ...string) bool {
	if w := c.word(0); w == "" || !slices.Contains(words, w) {
		return false
	}
	c.skip(1)
	return true
}

func (c *cursor) takeSymbol(text string) bool {
	if !c.symbol(0, text) {
		return false
	}
	c.skip(1)
	return true
}

// simple takes one name. A word that is reserved can only be one in quotes.
func (c *cursor) simple() (name string, ok bool) {
	t := c.peek(0)
	switch {
	case t.Open:
		return "", false
	case t.Kind == Word:
		name = upper(t.Text)
		if reserved(name) || t.Text[0] == '_' || t.Text[0] == '$' || t.Text[0] == '#' {
			return "", false
		}
	case t.Kind == Quoted && len(t.Text) > 2:
		name = t.Text[1 : len(t.Text)-1]
	default:
		return "", false
	}
	c.skip(1)
	return name, true
}

// name takes a name with or without its owner. One of another database is none.
func (c *cursor) name() (n Name, ok bool) {
	n.Owner = c.owner
	if n.Name, ok = c.simple(); !ok {
		return Name{}, false
	}
	if c.takeSymbol(".") {
		n.Owner = n.Name
		if n.Name, ok = c.simple(); !ok {
			return Name{}, false
		}
	}
	if c.symbol(0, ".") || c.symbol(0, "@") {
		return Name{}, false
	}
	return n, true
}

// list takes names in brackets. Words such as NO LOG or ASC beside them are passed over.
func (c *cursor) list() (names []string, ok bool) {
	if !c.takeSymbol("(") {
		return nil, false
	}
	for {
		n, ok := c.simple()
		if !ok {
			return nil, false
		}
		names = append(names, n)
		for !c.symbol(0, ",") && !c.symbol(0, ")") {
			if !c.pass() {
				return nil, false
			}
		}
		if c.takeSymbol(")") {
			return names, true
		}
		c.skip(1)
	}
}

// pass goes behind one token, or behind all that a bracket encloses. It reports false where the bracket does not close, or closes
// nothing, and at the end.
func (c *cursor) pass() bool {
	depth := 0
	for {
		switch {
		case c.ended():
			return false
		case c.symbol(0, "("):
			depth++
		case c.symbol(0, ")"):
			depth--
		}
		if depth < 0 {
			return false
		}
		c.skip(1)
		if depth == 0 {
			return true
		}
	}
}

// finished reports that the statement is whole and nothing stands behind it but semicolons.
func (c *cursor) finished() bool {
	for c.takeSymbol(";") {
	}
	return c.ended() && !c.open
}

// reserved words are no names without quotes (those of the SQL reference that can stand where a name is looked for).
func reserved(word string) bool {
	switch word {
	case "ACCESS", "ADD", "ALL", "ALTER", "AND", "ANY", "AS", "ASC", "AUDIT", "BETWEEN", "BY", "CHAR", "CHECK", "CLUSTER", "COLUMN", "COMMENT",
		"COMPRESS", "CONNECT", "CREATE", "CURRENT", "DATE", "DECIMAL", "DEFAULT", "DELETE", "DESC", "DISTINCT", "DROP", "ELSE", "EXCLUSIVE",
		"EXISTS", "FILE", "FLOAT", "FOR", "FROM", "GRANT", "GROUP", "HAVING", "IDENTIFIED", "IMMEDIATE", "IN", "INCREMENT", "INDEX", "INITIAL",
		"INSERT", "INTEGER", "INTERSECT", "INTO", "IS", "LEVEL", "LIKE", "LOCK", "LONG", "MAXEXTENTS", "MINUS", "MODE", "MODIFY", "NOAUDIT",
		"NOCOMPRESS", "NOT", "NOWAIT", "NULL", "NUMBER", "OF", "OFFLINE", "ON", "ONLINE", "OPTION", "OR", "ORDER", "PCTFREE", "PRIOR", "PUBLIC",
		"RAW", "RENAME", "RESOURCE", "REVOKE", "ROW", "ROWID", "ROWNUM", "ROWS", "SELECT", "SESSION", "SET", "SHARE", "SIZE", "SMALLINT",
		"START", "SUCCESSFUL", "SYNONYM", "SYSDATE", "TABLE", "THEN", "TO", "TRIGGER", "UID", "UNION", "UNIQUE", "UPDATE", "USER", "VALIDATE",
		"VALUES", "VARCHAR", "VARCHAR2", "VIEW", "WHENEVER", "WHERE", "WITH":
		return true
	}
	return false
}
