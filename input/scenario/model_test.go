package scenario_test

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// model is what a test knows of a database whose tables come, change and go while sessions work on them: every row with the layout of its
// moment, and what a reader that never lagged delivers of it, in the order of the commits. It asks the product nothing.
type model struct {
	s    *scenario
	r    *rand.Rand
	pdbs []*modelPDB
	// expected is what committed, in order.
	expected []expectation
	types    []classic
	// made counts names and values that must be unique.
	made int
	// statements are those that were run, for who has to understand a failure.
	statements []string
	// shaped counts the DDL by table name since the reader last had everything; careful: none gets a second one.
	shaped          map[string]int
	careful, steady bool
	// loaded are captured tables that were created with rows, dropped those that made partitions themselves and were dropped, by name;
	// renamed has what tables were called next.
	loaded  []string
	dropped map[string]bool
	renamed map[string]string
	// filled: one of the loaded had rows.
	filled bool
}

// expectation is one message: its text, and a pattern where a value may be unavailable (R109).
type expectation struct {
	text    string
	pattern *regexp.Regexp
}

func (e *expectation) met(by string) bool {
	return by == e.text || e.pattern != nil && e.pattern.MatchString(by)
}

// classic is a column type that is captured, with values as SQL and as records have them.
type classic struct {
	declared string
	values   []typed
}

// classics are all of them but those of very long values.
func classics() (out []classic) {
	for _, group := range [][]typed{numbers(), texts(), timesAndBytes(), floatsZonesAndIntervals()} {
		for _, v := range group {
			if len(v.sql) > 200 || v.want == "null" {
				continue
			}
			at := slices.IndexFunc(out, func(c classic) bool { return c.declared == v.columnType })
			if at < 0 {
				at, out = len(out), append(out, classic{declared: v.columnType})
			}
			out[at].values = append(out[at].values, v)
		}
	}
	return out
}

type modelPDB struct {
	name    string
	ddl     *session
	writers []*modelWriter
	tables  []*modelTable
	// bin are the tables that were dropped and not purged.
	bin []*modelTable
}

type modelTable struct {
	pdb  *modelPDB
	name string
	// columns are those that are stored or virtual, in the order of the segment; the first is the key of the rows here.
	columns []*modelColumn
	rows    map[int]modelRow
	// primary: ID is the primary key; unique: there is a unique index on K.
	primary, unique bool
	// interval tables make their partitions themselves; partitions are those of others, by their upper bounds.
	interval   bool
	partitions []modelPartition
	// guarded: a column was added with a default, so that NULL in an old row may stand for one (R109).
	guarded bool
	// plain: no DDL changed the columns. logged: the table has supplemental logging besides that of the database.
	plain, logged bool
}

type modelPartition struct {
	name  string
	below int
}

type modelColumn struct {
	name                        string
	of                          classic
	notNull, invisible, virtual bool
	// byDefault is the value of rows that do not have the column.
	byDefault *typed
}

// modelRow has the values of a row as records show them. A column that is not there came later.
type modelRow map[*modelColumn]string

// captured are the names that the configuration matches.
var captured = regexp.MustCompile(`^T[0-9]+$`)

func newModel(s *scenario, seed uint64, pdbs ...string) *model {
	m := &model{s: s, r: rand.New(rand.NewPCG(seed, 7)), types: classics(), shaped: map[string]int{}, dropped: map[string]bool{}, renamed: map[string]string{}}
	for _, name := range pdbs {
		db := &modelPDB{name: name, ddl: s.connectTo(name)}
		for i := range 2 {
			db.writers = append(db.writers, &modelWriter{m: m, pdb: db, session: s.connectTo(name), base: i * keysEach, touched: map[*modelTable]bool{}})
		}
		m.pdbs = append(m.pdbs, db)
	}
	return m
}

// connectTo connects the application to a PDB of the stand-in.
func (s *scenario) connectTo(pdb string) *session {
	s.t.Helper()
	c := &session{s: s, db: sql.OpenDB(goora.NewConnector(s.server.DSN(oracletest.AppUser, oracletest.AppPassword, pdb)))}
	s.t.Cleanup(func() { _ = c.db.Close() })
	var err error
	if c.conn, err = c.db.Conn(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.conn.Close() })
	return c
}

func (m *model) next() int {
	m.made++
	return m.made
}

// chance is true in one of n cases.
func (m *model) chance(n int) bool { return m.r.IntN(n) == 0 }

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

func (t *modelTable) full() string { return t.pdb.name + ".APP." + t.name }

func (t *modelTable) captured() bool { return captured.MatchString(t.name) }

// open reports whether rows of an id have a partition.
func (t *modelTable) open(id int) bool {
	return t.partitions == nil || id < t.partitions[len(t.partitions)-1].below
}

func (t *modelTable) partitioned() bool { return t.interval || t.partitions != nil }

// partition gives the ids of a partition.
func (t *modelTable) partition(at int) (from, below int) {
	if at > 0 {
		from = t.partitions[at-1].below
	}
	return from, t.partitions[at].below
}

// value draws a value of a column, NULL where it may.
func (m *model) value(c *modelColumn) (literal, shown string) {
	if !c.notNull && m.chance(5) {
		return "NULL", "null"
	}
	v := pick(m.r, c.of.values)
	return v.sql, v.want
}

// image gives a row as records show it now, and as a pattern if a value may be missing.
func (t *modelTable) image(row modelRow, old bool) (text, pattern string) {
	uncertain := false
	var a, b strings.Builder
	for _, c := range t.columns {
		if c.invisible || c.virtual {
			continue
		}
		shown, stored := row[c]
		if !stored {
			shown = "null"
		}
		if a.Len() > 0 {
			a.WriteByte(',')
			b.WriteByte(',')
		}
		name := strconv.Quote(c.name) + ":"
		if !stored && c.byDefault != nil {
			shown, stored = c.byDefault.want, false
		}
		a.WriteString(name + shown)
		if old && t.guarded && (shown == "null" || !stored) {
			uncertain = true
			b.WriteString(regexp.QuoteMeta(name) + "(?:" + regexp.QuoteMeta(shown) + "|" + regexp.QuoteMeta(unavailable) + ")")
			continue
		}
		b.WriteString(regexp.QuoteMeta(name + shown))
	}
	if !uncertain {
		return "{" + a.String() + "}", ""
	}
	return "{" + a.String() + "}", `\{` + b.String() + `\}`
}

// unavailable stands for a value that a record says it does not have.
const unavailable = "<unavailable>"

func (t *modelTable) key(row modelRow) string {
	at := 0
	if !t.primary {
		at = 1
	}
	return fmt.Sprintf(`{%q:%s}`, t.columns[at].name, row[t.columns[at]])
}

// expect makes the messages of one change of a row; an image that is nil is not there.
func (t *modelTable) expect(before, after modelRow) []expectation {
	if !t.captured() {
		return nil
	}
	one := func(key, op string, images ...modelRow) expectation {
		text := t.full() + " " + key + " " + op
		pattern, uncertain := regexp.QuoteMeta(text), false
		for i, row := range images {
			between := map[bool]string{true: " ", false: " -> "}[i == 0]
			shown, open := t.image(row, before != nil)
			text += between + shown
			if open == "" {
				open = regexp.QuoteMeta(shown)
			} else {
				uncertain = true
			}
			pattern += regexp.QuoteMeta(between) + open
		}
		e := expectation{text: text}
		if uncertain {
			e.pattern = regexp.MustCompile("^" + pattern + "$")
		}
		return e
	}
	gone := func() []expectation {
		return []expectation{one(t.key(before), "d", before), one(t.key(before), "tombstone")}
	}
	switch {
	case before == nil:
		return []expectation{one(t.key(after), "c", after)}
	case after == nil:
		return gone()
	case t.key(before) != t.key(after):
		return append(gone(), one(t.key(after), "c", after))
	}
	return []expectation{one(t.key(after), "u", before, after)}
}

// modelWriter is a session with ids of its own in every table, so that it never waits for another one.
type modelWriter struct {
	m       *model
	pdb     *modelPDB
	session *session
	base    int

	tx      *transaction
	pending []expectation
	undo    []func()
	// saved are the lengths of pending and undo at the savepoint.
	saved   *[2]int
	touched map[*modelTable]bool
}

func (w *modelWriter) exec(statement string) {
	w.m.s.t.Helper()
	if w.tx == nil {
		w.tx = w.session.begin()
	}
	w.m.note(w.pdb.name, w.base, statement)
	w.tx.exec(statement)
}

func (m *model) note(pdb string, who int, statement string) {
	m.statements = append(m.statements, fmt.Sprintf("%s/%d: %s", pdb, who, statement))
}

// put changes a row in the transaction.
func (w *modelWriter) put(t *modelTable, id int, row modelRow) {
	old, had := t.rows[id]
	if row == nil {
		delete(t.rows, id)
	} else {
		t.rows[id] = row
	}
	w.touched[t] = true
	w.undo = append(w.undo, func() {
		if delete(t.rows, id); had {
			t.rows[id] = old
		}
	})
}

// work runs one statement, or ends the transaction.
func (w *modelWriter) work() {
	w.m.s.t.Helper()
	r := w.m.r
	if len(w.pdb.tables) == 0 {
		return
	}
	t := pick(r, w.pdb.tables)
	switch n := r.IntN(20); {
	case n < 14:
		w.change(t)
	case n == 14 && w.tx != nil:
		w.exec("SAVEPOINT s")
		w.saved = &[2]int{len(w.pending), len(w.undo)}
	case n == 15 && w.saved != nil:
		w.exec("ROLLBACK TO SAVEPOINT s")
		w.back(w.saved[1])
		w.pending = w.pending[:w.saved[0]]
	case n == 16:
		w.end(false)
	case n > 16:
		w.end(true)
	}
}

// change changes a row of a table.
func (w *modelWriter) change(t *modelTable) {
	r := w.m.r
	id := w.base + r.IntN(keysEach)
	row, there := t.rows[id]
	switch n := r.IntN(8); {
	case !there && t.open(id):
		w.insert(t, id)
	case !there:
	case n < 5:
		w.update(t, id, row)
	case n == 5:
		to := w.base + r.IntN(keysEach)
		if _, taken := t.rows[to]; taken || !t.open(to) || t.partitioned() && !t.primary {
			return
		}
		w.exec(fmt.Sprintf("UPDATE %s SET ID = %d WHERE ID = %d", t.name, to, id))
		moved := maps.Clone(row)
		moved[t.columns[0]] = strconv.Itoa(to)
		w.pending = append(w.pending, t.expect(row, moved)...)
		w.put(t, id, nil)
		w.put(t, to, moved)
	default:
		w.exec(fmt.Sprintf("DELETE FROM %s WHERE ID = %d", t.name, id))
		w.pending = append(w.pending, t.expect(row, nil)...)
		w.put(t, id, nil)
	}
}

func (w *modelWriter) insert(t *modelTable, id int) {
	row, names, literals := modelRow{}, []string{}, []string{}
	for i, c := range t.columns {
		var literal, shown string
		switch {
		case c.virtual:
			continue
		case i == 0:
			shown = strconv.Itoa(id)
			literal = shown
		case i == 1:
			shown = strconv.Itoa(w.m.next())
			literal = shown
		case w.m.chance(6) && (c.byDefault != nil || !c.notNull):
			if row[c] = "null"; c.byDefault != nil {
				row[c] = c.byDefault.want
			}
			continue
		default:
			literal, shown = w.m.value(c)
		}
		row[c] = shown
		names, literals = append(names, c.name), append(literals, literal)
	}
	w.exec(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", t.name, strings.Join(names, ", "), strings.Join(literals, ", ")))
	w.pending = append(w.pending, t.expect(nil, row)...)
	w.put(t, id, row)
}

func (w *modelWriter) update(t *modelTable, id int, row modelRow) {
	next, set := maps.Clone(row), []string{}
	for _, c := range t.columns[2:] {
		if !c.virtual && w.m.chance(len(t.columns)/2) && len(set) < 3 {
			literal, shown := w.m.value(c)
			next[c] = shown
			set = append(set, c.name+" = "+literal)
		}
	}
	if len(set) == 0 {
		return
	}
	w.exec(fmt.Sprintf("UPDATE %s SET %s WHERE ID = %d", t.name, strings.Join(set, ", "), id))
	w.pending = append(w.pending, t.expect(row, next)...)
	w.put(t, id, next)
}

func (w *modelWriter) back(to int) {
	for len(w.undo) > to {
		last := len(w.undo) - 1
		w.undo[last]()
		w.undo = w.undo[:last]
	}
}

// end commits or rolls back.
func (w *modelWriter) end(commit bool) {
	w.m.s.t.Helper()
	if w.tx == nil {
		return
	}
	if commit {
		w.m.note(w.pdb.name, w.base, "COMMIT")
		w.tx.commit()
		w.m.expected = append(w.m.expected, w.pending...)
	} else {
		w.m.note(w.pdb.name, w.base, "ROLLBACK")
		w.tx.rollback()
		w.back(0)
	}
	w.tx, w.pending, w.undo, w.saved = nil, nil, nil, nil
	clear(w.touched)
}

// end ends all transactions.
func (m *model) end() {
	for _, db := range m.pdbs {
		for _, w := range db.writers {
			w.end(!m.chance(4))
		}
	}
}
