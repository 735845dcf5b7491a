package engine

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// content is a table by its key: id -> n and u.
type content map[int][2]int

// member is a session with what the model knows of its transaction: own rows by key, nil where deleted.
type member struct {
	c     *client
	own   map[int]*[2]int
	marks map[string]map[int]*[2]int
}

// model runs random statements of several sessions against the engine and a map.
type model struct {
	t         *rapid.T
	db        *database
	committed content
	members   []*member
	history   map[redo.SCN]content // by an SCN read after the commit
}

func (m *model) view(s *member) content {
	v := maps.Clone(m.committed)
	for id, row := range s.own {
		if row == nil {
			delete(v, id)
		} else {
			v[id] = *row
		}
	}
	return v
}

// run executes a statement; one that would wait for another session is cancelled, which must leave nothing behind.
func (m *model) run(s *member, text string) (int64, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	type outcome struct {
		n   int64
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		r, err := s.c.s.Execute(ctx, wire.Statement{SQL: text})
		done <- outcome{r.RowsAffected, err}
	}()
	for {
		select {
		case o := <-done:
			return o.n, o.err
		default:
			if m.db.waits() {
				cancel()
			}
			runtime.Gosched()
		}
	}
}

// change runs a DML whose effect on a view is apply: the new content, and whether a unique key is violated.
func (m *model) change(s *member, text string, apply func(content) (content, bool)) {
	before := m.view(s)
	after, duplicate := apply(maps.Clone(before))
	_, err := m.run(s, text)
	switch got := codeOf(err); {
	case err == nil:
		if duplicate {
			m.t.Fatalf("%s succeeded with a duplicate key", text)
		}
		for id := range before {
			if _, ok := after[id]; ok {
				continue
			}
			// A key that was never committed is free again for others.
			delete(s.own, id)
			if _, ok := m.committed[id]; ok {
				s.own[id] = nil
			}
		}
		for id, row := range after {
			if old, ok := before[id]; !ok || old != row || s.own[id] != nil {
				s.own[id] = &row
			}
		}
	case got == "1" && duplicate, got == "1013":
	default:
		m.t.Fatalf("%s: %v (duplicate by the model: %v)", text, err, duplicate)
	}
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return code(err)
}

func uniqueU(c content) bool {
	seen := make(map[int]bool)
	for _, row := range c {
		if seen[row[1]] && row[1] != 0 {
			return false
		}
		seen[row[1]] = true
	}
	return true
}

func sqlNumber(n int) string {
	if n == 0 {
		return "null"
	}
	return strconv.Itoa(n)
}

func (m *model) step() {
	t := m.t
	s := rapid.SampledFrom(m.members).Draw(t, "session")
	id := rapid.IntRange(1, 8).Draw(t, "id")
	n := rapid.IntRange(1, 5).Draw(t, "n")
	u := rapid.IntRange(0, 6).Draw(t, "u")
	switch rapid.SampledFrom([]string{"insert", "insert", "insert", "update", "update", "key", "shift", "delete", "range", "copy", "savepoint", "back", "commit", "commit", "rollback", "check"}).Draw(t, "op") {
	case "insert":
		m.change(s, fmt.Sprintf("insert into t values (%d, %d, %s)", id, n, sqlNumber(u)), func(c content) (content, bool) {
			_, dup := c[id]
			c[id] = [2]int{n, u}
			return c, dup || !uniqueU(c)
		})
	case "update":
		m.change(s, fmt.Sprintf("update t set n = %d, u = %s where id = %d", n, sqlNumber(u), id), func(c content) (content, bool) {
			if _, ok := c[id]; ok {
				c[id] = [2]int{n, u}
			}
			return c, !uniqueU(c)
		})
	case "key":
		m.change(s, fmt.Sprintf("update t set id = %d where id = %d", id%8+1, id), func(c content) (content, bool) {
			row, ok := c[id]
			if !ok {
				return c, false
			}
			_, dup := c[id%8+1]
			delete(c, id)
			c[id%8+1] = row
			return c, dup
		})
	case "shift":
		m.change(s, "update t set id = id + 100, n = n + 1 where id < 100", func(c content) (content, bool) {
			out, dup := content{}, false
			for id, row := range c {
				if id >= 100 {
					_, had := out[id]
					dup = dup || had
					out[id] = row
				}
			}
			for id, row := range c {
				if id < 100 {
					_, had := out[id+100]
					dup = dup || had
					out[id+100] = [2]int{row[0] + 1, row[1]}
				}
			}
			return out, dup
		})
	case "delete":
		m.change(s, fmt.Sprintf("delete from t where id = %d", id), func(c content) (content, bool) {
			delete(c, id)
			return c, false
		})
	case "range":
		m.change(s, fmt.Sprintf("delete from t where n = %d", n), func(c content) (content, bool) {
			maps.DeleteFunc(c, func(_ int, row [2]int) bool { return row[0] == n })
			return c, false
		})
	case "copy":
		m.change(s, fmt.Sprintf("insert into t (id, n) select mod(id + %d, 8) + 1, n from t where n <= %d order by id", n, n), func(c content) (content, bool) {
			out, dup := maps.Clone(c), false
			for id, row := range c {
				if row[0] <= n {
					to := (id+n)%8 + 1
					_, had := out[to]
					dup = dup || had
					out[to] = [2]int{row[0], 0}
				}
			}
			return out, dup
		})
	case "savepoint":
		s.c.exec("savepoint s" + strconv.Itoa(n))
		s.marks[strconv.Itoa(n)] = maps.Clone(s.own)
	case "back":
		if own, ok := s.marks[strconv.Itoa(n)]; ok {
			// Savepoints after this one end; those of the same state stay valid in the model as in the engine.
			if _, err := s.c.try("rollback to s" + strconv.Itoa(n)); err == nil {
				s.own = maps.Clone(own)
			}
		}
	case "commit":
		s.c.exec("commit")
		m.committed = m.view(s)
		s.own, s.marks = map[int]*[2]int{}, map[string]map[int]*[2]int{}
		m.history[m.db.log.CurrentSCN()] = maps.Clone(m.committed)
	case "rollback":
		s.c.exec("rollback")
		s.own, s.marks = map[int]*[2]int{}, map[string]map[int]*[2]int{}
	}
	m.compare(s.c, "select id, n, nvl(u, 0) from t order by id", m.view(s))
}

func (m *model) compare(c *client, text string, want content, values ...any) {
	got, err := c.rows(text, values...)
	if err != nil {
		m.t.Fatalf("%s: %v", text, err)
	}
	if w := lines(want); !slices.Equal(got, w) {
		m.t.Fatalf("%s\n got %v\nwant %v", text, got, w)
	}
}

func lines(c content) []string {
	list := []string{}
	for _, id := range slices.Sorted(maps.Keys(c)) {
		list = append(list, fmt.Sprintf("%d|%d|%d", id, c[id][0], c[id][1]))
	}
	if len(list) == 0 {
		return nil
	}
	return list
}

// Random interleaved transactions with savepoints, failed and cancelled statements: every session sees what the model says, AS OF SCN shows
// every commit as the model remembers it, and the redo alone gives the same tables.
func TestRandomTransactionsAgreeWithTheModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		db := openDatabase(t)
		m := &model{t: rt, db: db, committed: content{}, history: make(map[redo.SCN]content)}
		for range 3 {
			m.members = append(m.members, &member{c: db.app(t), own: map[int]*[2]int{}, marks: map[string]map[int]*[2]int{}})
		}
		m.members[0].c.exec("create table t (id number primary key, n number, u number unique)")
		from := len(db.log.records)
		for range rapid.IntRange(10, 80).Draw(rt, "steps") {
			m.step()
		}
		for _, s := range m.members {
			s.c.s.Close(false)
		}
		reader := db.app(t)
		m.compare(reader, "select id, n, nvl(u, 0) from t order by id", m.committed)
		for scn, want := range m.history {
			m.compare(reader, "select id, n, nvl(u, 0) from t as of scn :1 order by id", want, scn)
		}
		r := newReplay(rt)
		for _, rec := range db.log.records[from:] {
			r.apply(rec)
			if rec.Op == redo.Commit {
				rows, err := reader.rows("select rowid, id, n, u from t as of scn :1", rec.SCN)
				if err != nil {
					rt.Fatal(err)
				}
				r.compare("at a commit", r.committed, rows)
			}
		}
		rows := reader.query("select rowid, id, n, u from t")
		r.compare("at the end", r.committed, rows)
		r.compare("as pages", r.pages, rows)
		if len(r.open) > 0 {
			rt.Fatalf("transactions without an end: %v", r.open)
		}
	})
}

// replay rebuilds tables from redo records: pages as recovery does, every change as it comes; committed as a capture client does, with the undo of a
// transaction taking back the top of its stack.
type replay struct {
	t                *rapid.T
	pages, committed map[string][]string
	open             map[redo.XID][]*redo.Record
	lastCommit       redo.SCN
}

func newReplay(t *rapid.T) *replay {
	return &replay{t: t, pages: map[string][]string{}, committed: map[string][]string{}, open: map[redo.XID][]*redo.Record{}}
}

func (r *replay) apply(rec *redo.Record) {
	changes, isOpen := r.open[rec.XID]
	if (rec.Op == redo.Start) == isOpen {
		r.t.Fatalf("record %s of XID %v, which is open: %v", opName(rec), rec.XID, isOpen)
	}
	switch rec.Op {
	case redo.Start:
		r.open[rec.XID] = []*redo.Record{}
	case redo.Commit:
		if rec.SCN <= r.lastCommit {
			r.t.Fatalf("commit SCN %d after %d", rec.SCN, r.lastCommit)
		}
		r.lastCommit = rec.SCN
		for _, c := range changes {
			change(r.t, r.committed, c)
		}
		delete(r.open, rec.XID)
	case redo.Rollback:
		if len(changes) > 0 {
			r.t.Fatalf("rollback with %d changes not undone", len(changes))
		}
		delete(r.open, rec.XID)
	default:
		change(r.t, r.pages, rec)
		if !rec.Undo {
			r.open[rec.XID] = append(changes, rec)
			return
		}
		inverse := map[redo.Op]redo.Op{redo.Insert: redo.Delete, redo.Delete: redo.Insert, redo.Update: redo.Update}
		if len(changes) == 0 {
			r.t.Fatalf("undo of nothing")
		}
		top := changes[len(changes)-1]
		if top.RowID != rec.RowID || inverse[top.Op] != rec.Op {
			r.t.Fatalf("undo %s %s does not take back %s %s", opName(rec), rec.RowID, opName(top), top.RowID)
		}
		r.open[rec.XID] = changes[:len(changes)-1]
	}
}

func change(t *rapid.T, rows map[string][]string, rec *redo.Record) {
	old, exists := rows[rec.RowID]
	if (rec.Op == redo.Insert) == exists {
		t.Fatalf("%s at %s, where a row is: %v", opName(rec), rec.RowID, exists)
	}
	for i, set := range rec.BeforeSet {
		if set && show(rec.Before[i]) != old[i] {
			t.Fatalf("%s at %s: before image %s, the row has %s", opName(rec), rec.RowID, show(rec.Before[i]), old[i])
		}
	}
	if rec.Op == redo.Delete {
		delete(rows, rec.RowID)
		return
	}
	row := slices.Clone(old)
	if row == nil {
		row = make([]string, len(rec.AfterSet))
	}
	for i, set := range rec.AfterSet {
		if set {
			row[i] = show(rec.After[i])
		}
	}
	rows[rec.RowID] = row
}

func (r *replay) compare(when string, rows map[string][]string, want []string) {
	got := make([]string, 0, len(rows))
	for id, row := range rows {
		got = append(got, id+"|"+strings.Join(row, "|"))
	}
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		r.t.Fatalf("%s\nredo gives %v\ntable has  %v", when, got, want)
	}
}
