package snapshot

import (
	"math"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// query builds a statement. Every value goes in by a bind of its own: Oracle counts each place in SQL as one.
type query struct {
	text strings.Builder
	args []any
	// conditional: it has its WHERE.
	conditional bool
}

func (q *query) add(parts ...string) {
	for _, p := range parts {
		q.text.WriteString(p)
	}
}

// bind writes the next place, as an argument of a function where around is not empty.
func (q *query) bind(value any) string {
	q.args = append(q.args, value)
	return ":" + strconv.Itoa(len(q.args))
}

func (q *query) statement(name string) oracle.Statement {
	return oracle.Statement{Name: name, Text: q.text.String()}
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func tableName(t schema.Table) string { return quoted(t.Owner) + "." + quoted(t.Name) }

// boundExpression asks for a key column in the text form that bindBound takes back.
func boundExpression(c *schema.Column) string {
	name := quoted(c.Name)
	switch c.Type.Kind {
	case schema.Raw:
		return "RAWTOHEX(" + name + ")"
	case schema.TimestampTZ:
		return "TO_CHAR(SYS_EXTRACT_UTC(" + name + "), '" + stampFormat + "')"
	default:
		return expression(c)
	}
}

// bindBound makes an operand of the column's own type of the text of a bound, so that the column is compared as it is and its index can be
// used. What matters is that one text always gives one value: the chunks on both sides of it then have every row, whatever it is.
func (q *query) bindBound(c *schema.Column, text string) string {
	at := func(s string) string { return q.bind(s) }
	switch c.Type.Kind {
	case schema.Number, schema.Float:
		return "TO_NUMBER(" + at(text) + ")"
	case schema.BinaryFloat:
		return "TO_BINARY_FLOAT(" + at(text) + ")"
	case schema.BinaryDouble:
		return "TO_BINARY_DOUBLE(" + at(text) + ")"
	case schema.NVarchar2, schema.NChar:
		// A bind travels in the database's character set, which may lack what the national one has.
		return "UNISTR(" + at(escaped(text)) + ")"
	case schema.Raw:
		return "HEXTORAW(" + at(text) + ")"
	case schema.Date:
		return "TO_DATE(" + at(text) + ", '" + dateFormat + "')"
	case schema.Timestamp:
		return "TO_TIMESTAMP(" + at(text) + ", '" + stampFormat + "')"
	case schema.TimestampTZ:
		return "FROM_TZ(TO_TIMESTAMP(" + at(text) + ", '" + stampFormat + "'), '+00:00')"
	case schema.TimestampLTZ:
		return "CAST(FROM_TZ(TO_TIMESTAMP(" + at(text) + ", '" + stampFormat + "'), '+00:00') AS TIMESTAMP WITH LOCAL TIME ZONE)"
	case schema.IntervalYM:
		return "TO_YMINTERVAL(" + at(text) + ")"
	case schema.IntervalDS:
		return "TO_DSINTERVAL(" + at(text) + ")"
	default:
		return at(text)
	}
}

// escaped is text as UNISTR takes it: everything outside of ASCII, and the backslash, by its UTF-16 units.
func escaped(text string) string {
	var b strings.Builder
	unit := func(u uint32) {
		const digits = "0123456789ABCDEF"
		b.WriteByte('\\')
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(digits[u>>shift&15])
		}
	}
	for _, r := range text {
		switch {
		case r >= 0x10000:
			unit(0xd800 + uint32(r-0x10000)>>10)   //nolint:gosec // a rune above the plane
			unit(0xdc00 + uint32(r-0x10000)&0x3ff) //nolint:gosec // a rune above the plane
		case r >= 0x80 || r == '\\' || r < ' ':
			unit(uint32(r)) //nolint:gosec // a rune of the plane
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// boundCell gives the text of a bound out of what the driver gave for boundExpression; false: no place to cut at.
func boundCell(c *cell) (string, bool) {
	switch c.form {
	case text:
		return c.text, c.text != ""
	case float:
		if math.IsNaN(c.number) || math.IsInf(c.number, 0) {
			return "", false
		}
		return strconv.FormatFloat(c.number, 'e', -1, 64), true
	default:
		return "", false
	}
}

// keyColumns are the columns that a version is cut by.
func keyColumns(v *schema.Version) []*schema.Column {
	out := make([]*schema.Column, len(v.Key.Columns))
	for i, at := range v.Key.Columns {
		out[i] = &v.Columns[at]
	}
	return out
}

// within writes the condition that rows lie in a range of keys; empty for the whole table. The comparison of the first column alone
// lets an index be entered at the right place: that of the whole key has an OR in it.
func (q *query) within(key []*schema.Column, r Range) {
	if r.After != nil {
		q.and()
		q.add(quoted(key[0].Name), " >= ", q.bindBound(key[0], r.After[0]), " AND ")
		q.beyond(key, r.After, ">", ">")
	}
	if r.UpTo != nil {
		q.and()
		q.add(quoted(key[0].Name), " <= ", q.bindBound(key[0], r.UpTo[0]), " AND ")
		q.beyond(key, r.UpTo, "<", "<=")
	}
}

// beyond compares keys in the order of their columns: a > x OR a = x AND (b > y OR ...). Oracle has no such comparison of rows.
func (q *query) beyond(key []*schema.Column, bound Bound, operator, last string) {
	q.add("(")
	for i, c := range key {
		name := quoted(c.Name)
		if i == len(key)-1 {
			q.add(name, " ", last, " ", q.bindBound(c, bound[i]))
			break
		}
		q.add(name, " ", operator, " ", q.bindBound(c, bound[i]), " OR ")
		q.add(name, " = ", q.bindBound(c, bound[i]), " AND (")
	}
	q.add(strings.Repeat(")", len(key)))
}

// and begins a further condition.
func (q *query) and() {
	if q.conditional {
		q.add(" AND ")
		return
	}
	q.conditional = true
	q.add("\n WHERE ")
}

// only adds the user's condition. It stands on lines of its own, so that a comment at its end takes nothing with it.
func (q *query) only(condition string) {
	if condition != "" {
		q.and()
		q.add("(\n", condition, "\n)")
	}
}

// keyList gives the select list of a key, by the names k0, k1 and so on, these names, and the columns in order, each with a suffix.
func keyList(key []*schema.Column, suffix string) (list, names, order string) {
	var l, n, o []string
	for i, c := range key {
		name := "k" + strconv.Itoa(i)
		l = append(l, boundExpression(c)+" "+name)
		n = append(n, name)
		o = append(o, quoted(c.Name)+suffix)
	}
	return strings.Join(l, ", "), strings.Join(n, ", "), strings.Join(o, ", ")
}

// planByKey asks for every nth key of a range, in order, each with its number: one pass over the key's index, of which only the cuts
// travel. A function that looks at the next row would have the server keep them all.
func planByKey(v *schema.Version, r Range, n int, condition string) (oracle.Statement, []any) {
	key := keyColumns(v)
	list, names, order := keyList(key, "")
	q := &query{}
	q.add("SELECT n, ", names, " FROM (SELECT ", list, ", ROW_NUMBER() OVER (ORDER BY ", order, ") n\n  FROM ", tableName(v.Table))
	q.within(key, r)
	q.only(condition)
	q.add(")\n WHERE MOD(n, ", q.bind(n), ") = 0 ORDER BY n")
	return q.statement("cut table " + v.Table.String()), q.args
}

// lastKey asks for the highest key behind a bound: one entry at the end of the key's index.
func lastKey(v *schema.Version, after Bound) (oracle.Statement, []any) {
	key := keyColumns(v)
	list, _, order := keyList(key, " DESC")
	q := &query{}
	q.add("SELECT ", list, "\n  FROM ", tableName(v.Table))
	q.within(key, Range{After: after})
	q.add("\n ORDER BY ", order, " FETCH FIRST 1 ROW ONLY")
	return q.statement("look for the last key of table " + v.Table.String()), q.args
}

// readByKey asks for the rows of a chunk.
func readByKey(v *schema.Version, list string, c *Chunk, scn position.SCN, condition string) (oracle.Statement, []any) {
	q := selecting(v, list, scn)
	q.within(keyColumns(v), c.Range)
	q.only(condition)
	return q.statement("read table " + v.Table.String()), q.args
}

// readByRowID asks for the rows of a run of blocks. No block has more rows than the last number says.
func readByRowID(v *schema.Version, list string, b blocks, scn position.SCN, condition string) (oracle.Statement, []any) {
	q := selecting(v, list, scn)
	q.and()
	q.add("ROWID BETWEEN DBMS_ROWID.ROWID_CREATE(1, ", q.bind(b.object), ", ", q.bind(b.file), ", ", q.bind(b.first), ", 0)")
	q.add(" AND DBMS_ROWID.ROWID_CREATE(1, ", q.bind(b.object), ", ", q.bind(b.file), ", ", q.bind(b.last), ", 32767)")
	q.only(condition)
	return q.statement("read table " + v.Table.String()), q.args
}

// readWhole asks for all rows.
func readWhole(v *schema.Version, list string, scn position.SCN, condition string) (oracle.Statement, []any) {
	q := selecting(v, list, scn)
	q.only(condition)
	return q.statement("read table " + v.Table.String()), q.args
}

// limited has a statement give one row where the chunk is no more.
func (c *Chunk) limited(st oracle.Statement) oracle.Statement {
	if c.Mode == One {
		st.Text += "\n FETCH FIRST 1 ROW ONLY"
	}
	return st
}

// readRows asks for single rows, by their ROWIDs.
func readRows(v *schema.Version, list string, rowIDs []string, scn position.SCN) (oracle.Statement, []any) {
	q := selecting(v, list, scn)
	q.and()
	q.add("ROWID IN (")
	for i, id := range rowIDs {
		if i > 0 {
			q.add(", ")
		}
		q.add("CHARTOROWID(", q.bind(id), ")")
	}
	q.add(")")
	return q.statement("read rows of table " + v.Table.String()), q.args
}

func selecting(v *schema.Version, list string, scn position.SCN) *query {
	q := &query{}
	q.add("SELECT ", list, "\n  FROM ", tableName(v.Table), " AS OF SCN ", q.bind(uint64(scn)))
	return q
}

// readOverride asks for the rows of the user's query.
func readOverride(v *schema.Version, list, override string, scn position.SCN, condition string) (oracle.Statement, []any, error) {
	text, err := atSCN(v.Table, override, scn)
	if err != nil {
		return oracle.Statement{}, nil, err
	}
	q := &query{}
	q.add("SELECT ", list, " FROM (\n", text, "\n)")
	q.only(condition)
	return q.statement("read the override of table " + v.Table.String()), q.args, nil
}

// SCNPlace is where an override has the SCN: SELECT ... FROM app.t AS OF SCN :scn. Nobody documents AS OF behind a query in parentheses,
// so the query itself says of which tables it reads the past.
const SCNPlace = ":scn"

// atSCN puts the SCN into an override, outside of its texts, names and comments.
func atSCN(t schema.Table, override string, scn position.SCN) (string, error) {
	var out strings.Builder
	found, before := false, byte(' ')
	for rest := strings.TrimRight(override, "; \t\r\n"); rest != ""; {
		n := 1
		switch {
		case len(rest) > 2 && rest[0]|0x20 == 'q' && rest[1] == '\'' && (!inName(string(before)) || before|0x20 == 'n'):
			n = through(rest, closing(rest[2:3])+"'", 3)
		case rest[0] == '\'' || rest[0] == '"':
			n = through(rest, rest[:1], 1)
		case strings.HasPrefix(rest, "--"):
			n = through(rest, "\n", 2)
		case strings.HasPrefix(rest, "/*"):
			n = through(rest, "*/", 2)
		case len(rest) >= len(SCNPlace) && strings.EqualFold(rest[:len(SCNPlace)], SCNPlace) && !inName(rest[len(SCNPlace):]):
			out.WriteString(scn.String())
			before, rest, found = '0', rest[len(SCNPlace):], true
			continue
		}
		out.WriteString(rest[:n])
		before, rest = rest[n-1], rest[n:]
	}
	if !found {
		return "", stop.New(stop.Configuration, t.String(), "the query of snapshot.overrides does not say where the SCN belongs").
			Doing("write AS OF SCN %s behind its tables: SELECT ... FROM owner.name AS OF SCN %s WHERE ...", SCNPlace, SCNPlace)
	}
	return out.String(), nil
}

// closing is what ends a text of the form q'[...]'.
func closing(opening string) string {
	switch opening {
	case "[":
		return "]"
	case "{":
		return "}"
	case "(":
		return ")"
	case "<":
		return ">"
	}
	return opening
}

// through is how far a text reaches that ends with a mark, from begins on.
func through(text, mark string, begins int) int {
	if at := strings.Index(text[begins:], mark); at >= 0 {
		return begins + at + len(mark)
	}
	return len(text)
}

func inName(rest string) bool {
	if rest == "" {
		return false
	}
	c := rest[0]
	return c == '_' || c == '$' || c == '#' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
