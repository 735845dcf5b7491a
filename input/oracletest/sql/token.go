package sql

// kind of a token.
type kind uint8

const (
	tokEnd    kind = iota
	tokWord        // unquoted: text is upper case
	tokQuoted      // "quoted": text as written
	tokNumber
	tokText  // 'text', q'[text]'
	tokNText // N'text'
	tokBind  // :name, text is the name in upper case
	tokPunct // operator or punctuation
)

type token struct {
	kind kind
	text string
	pos  int
	end  int
}

// reserved are the words that Oracle does not take as names.
var reserved = wordSet(
	"ACCESS", "ADD", "ALL", "ALTER", "AND", "ANY", "AS", "ASC", "AUDIT", "BETWEEN", "BY", "CHAR", "CHECK", "CLUSTER",
	"COLUMN", "COMMENT", "COMPRESS", "CONNECT", "CREATE", "CURRENT", "DATE", "DECIMAL", "DEFAULT", "DELETE", "DESC",
	"DISTINCT", "DROP", "ELSE", "EXCLUSIVE", "EXISTS", "FILE", "FLOAT", "FOR", "FROM", "GRANT", "GROUP", "HAVING",
	"IDENTIFIED", "IMMEDIATE", "IN", "INCREMENT", "INDEX", "INITIAL", "INSERT", "INTEGER", "INTERSECT", "INTO", "IS",
	"LEVEL", "LIKE", "LOCK", "LONG", "MAXEXTENTS", "MINUS", "MLSLABEL", "MODE", "MODIFY", "NOAUDIT", "NOCOMPRESS",
	"NOT", "NOWAIT", "NULL", "NUMBER", "OF", "OFFLINE", "ON", "ONLINE", "OPTION", "OR", "ORDER", "PCTFREE", "PRIOR",
	"PUBLIC", "RAW", "RENAME", "RESOURCE", "REVOKE", "ROW", "ROWID", "ROWNUM", "SELECT", "SESSION",
	"SET", "SHARE", "SIZE", "SMALLINT", "START", "SUCCESSFUL", "SYNONYM", "SYSDATE", "TABLE", "THEN", "TO", "TRIGGER",
	"UID", "UNION", "UNIQUE", "UPDATE", "USER", "VALIDATE", "VALUES", "VARCHAR", "VARCHAR2", "VIEW", "WHENEVER",
	"WHERE", "WITH",
)

// notAlias are words that may be names but, after a table or a select item, begin the next clause.
var notAlias = wordSet("LEFT", "RIGHT", "FULL", "INNER", "CROSS", "NATURAL", "JOIN", "USING", "OUTER", "FETCH", "OFFSET",
	"PARTITION", "SUBPARTITION", "SAMPLE", "PIVOT", "UNPIVOT", "VERSIONS", "LOG", "RETURNING", "RETURN", "EXCEPT", "MODEL", "WINDOW", "BULK", "END")

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}
