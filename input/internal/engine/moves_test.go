package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	schemachange "github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// rereads answers for the database: the rows AS OF every SCN, by ROWID.
type rereads struct {
	rows   map[string][]value.Value
	fault  error
	asked  []string
	rested int
}

func (r *rereads) Read(ctx context.Context, l *snapshot.Lookup) (map[string][]value.Value, error) {
	r.asked = append(r.asked, fmt.Sprintf("%s %s %d", l.Version.Table.Name, l.SCN, len(l.RowIDs)))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := map[string][]value.Value{}
	for _, id := range l.RowIDs {
		if row, ok := r.rows[id]; ok {
			out[id] = row
		}
	}
	return out, r.fault
}

func (r *rereads) Rest() { r.rested++ }

// rekeyed is an emitter while table A is read by keys, up to 100 so far; B is not read.
type rekeyed struct {
	*emission
	t       *testing.T
	a, b    *schema.Version
	rereads *rereads
}

func newRekeyed(t *testing.T) *rekeyed {
	t.Helper()
	wider := func(v *schema.Version) *schema.Version {
		w := v.Columns[1]
		w.Name, w.SegmentID = "W", 3
		v.Columns, v.Logging = append(v.Columns, w), schema.LoggingKey
		return v.Seal()
	}
	m := &rekeyed{emission: newEmission(t, wide()), t: t, a: wider(table("A", 101)), b: wider(table("B", 102)), rereads: &rereads{rows: map[string][]value.Value{}}}
	e := m.emitter
	e.config.BatchCount = 1 << 20
	e.lookup, e.peers.Ops = m.rereads, true
	e.running.Snapshot = &position.Snapshot{ID: "s", Status: position.SnapshotRunning, Tables: []position.SnapshotTable{{Table: "PDB1.APP.A"}}}
	m.cut("100")
	return m
}

// cut has table A read up to a key; without one nothing of it is read yet.
func (m *rekeyed) cut(upTo string) {
	from := &snapshot.Frontier{Mode: snapshot.ByKey, Key: []string{"ID"}, Types: []string{m.a.Columns[0].Type.String()}, Left: []snapshot.Range{{After: snapshot.Bound{upTo}}}}
	if upTo == "" {
		from = nil
	}
	p, resumed := snapshot.NewProgress(m.a, "", from, 1000)
	if resumed != (from != nil) {
		m.t.Fatal("the frontier does not fit")
	}
	m.emitter.snapshots.readings[m.a.Table] = &reading{table: m.a.Table, task: &snapshot.Task{Table: m.a.Table, Progress: p}}
}

// texts makes an image; "-" is what the redo does not name, "?" what it does not hold.
func texts(id, v, w string) []value.Value {
	out := []value.Value{value.OfDecimal(id), value.OfText(v), value.OfText(w)}
	for i, s := range []string{id, v, w} {
		switch s {
		case "-":
			out[i] = value.Value{}
		case "?":
			out[i] = value.OfUnavailable()
		}
	}
	return out
}

func moved(v *schema.Version, rowID string, before, after []value.Value) transaction.Change {
	return transaction.Change{Op: transaction.Update, Version: v, Before: before, After: after, RowID: rowID, Thread: 1, Millis: 1}
}

// commit emits a transaction that commits at an SCN and gives its records.
func (m *rekeyed) commit(scn position.SCN, after *acknowledged, changes ...transaction.Change) []string {
	m.t.Helper()
	m.buffer.Begin(position.Boundary{})
	id := transaction.ID{Container: pdb, XID: position.XID{USN: 1, Slot: 1, Sequence: uint32(scn)}}
	for i := range changes {
		c := changes[i]
		c.SCN, c.Address = scn-1, position.RBA{Sequence: 1, Block: uint32(scn), Byte: uint16(i)}
		m.buffer.Append(id, "APP", c)
	}
	m.buffer.End(id, transaction.End{Commit: true, Key: position.Key{SCN: scn, Thread: 1, Address: position.RBA{Sequence: 1, Block: uint32(scn) + 1}}})
	b := position.Boundary{SCN: scn, Marks: []position.Mark{{Thread: 1, Address: position.RBA{Sequence: 1, Block: uint32(scn) + 1}, Log: 1}}}
	if err := m.emitter.emit(m.t.Context(), &group{items: m.buffer.Keep(), boundary: b, floor: b, after: after}); err != nil {
		m.t.Fatal(err)
	}
	var out []string
	for len(m.out) > 0 {
		for _, ev := range (<-m.out).Events {
			out = append(out, shownMove(&ev))
		}
	}
	return out
}

func shownMove(ev *schemachange.Event) string {
	switch ev.Kind {
	case schemachange.Ops:
		text := string(ev.Value)
		return text[strings.Index(text, `"details":`):]
	case schemachange.Tombstone:
		return string(ev.Key) + " tombstone"
	}
	text := string(ev.Value)
	var parts []string
	for _, member := range []string{`"after":`, `"op":`} {
		at := strings.Index(text, member)
		end := strings.IndexAny(text[at+len(member):], "}") + 1
		if member == `"op":` {
			end = 3
		}
		parts = append(parts, text[at+len(member):at+len(member)+end])
	}
	if ev.Op == schemachange.Delete {
		parts[0] = ""
	}
	return string(ev.Key) + " " + strings.Trim(parts[1], `"`) + " " + parts[0]
}

func (m *rekeyed) want(got []string, want ...string) {
	m.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		m.t.Errorf("(-want +got)\n%s", diff)
	}
}

const rowA, rowB = "AAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAB"

// R84: the create event of a row that gets another key while its table is read has the whole row: what the redo logged, and of the rest what was
// there at the commit.
func TestR84RowThatMovesIsReselectedAsOfItsCommit(t *testing.T) {
	m := newRekeyed(t)
	m.rereads.rows[rowA] = texts("3", "of a later change", "read")
	got := m.commit(1010, nil, moved(m.a, rowA, texts("500", "-", "-"), texts("3", "logged", "-")))
	m.want(got, `{"ID":500} d `, `{"ID":500} tombstone`, `{"ID":3} c {"ID":3,"V":"logged","W":"read"}`)
	m.rereads.rows[rowB] = texts("4", "v", "w")
	got = m.commit(1020, nil, moved(m.a, rowB, texts("501", "?", "x"), texts("4", "?", "w")))
	m.want(got, `{"ID":501} d `, `{"ID":501} tombstone`, `{"ID":4} c {"ID":4,"V":"v","W":"w"}`)
	m.want(m.rereads.asked, "A 1010 1", "A 1020 1")
}

// R84: nothing is read again that the stream has whole, that a chunk will still have, or that is in no snapshot.
func TestR84RowsThatNeedNotBeReselected(t *testing.T) {
	partial := func(v *schema.Version) transaction.Change {
		return moved(v, rowA, texts("500", "-", "-"), texts("3", "-", "-"))
	}
	for name, c := range map[string]struct {
		arrange func(m *rekeyed)
		change  func(m *rekeyed) transaction.Change
	}{
		"whole row": {nil, func(m *rekeyed) transaction.Change {
			return moved(m.a, rowA, texts("500", "v", "w"), texts("3", "v", "w"))
		}},
		"same key": {nil, func(m *rekeyed) transaction.Change {
			return moved(m.a, rowA, texts("3", "-", "-"), texts("3", "v", "-"))
		}},
		"table that is not read":  {nil, func(m *rekeyed) transaction.Change { return partial(m.b) }},
		"table that is done":      {func(m *rekeyed) { m.emitter.without(m.a.Table) }, func(m *rekeyed) transaction.Change { return partial(m.a) }},
		"no key was read yet":     {func(m *rekeyed) { m.cut("") }, func(m *rekeyed) transaction.Change { return partial(m.a) }},
		"snapshot is over":        {func(m *rekeyed) { m.emitter.running.Snapshot.Status = position.SnapshotCompleted }, func(m *rekeyed) transaction.Change { return partial(m.a) }},
		"columns without a field": {func(m *rekeyed) { m.a.Columns[1].Excluded, m.a.Columns[2].Excluded = true, true }, func(m *rekeyed) transaction.Change { return partial(m.a) }},
	} {
		t.Run(name, func(t *testing.T) {
			m := newRekeyed(t)
			if c.arrange != nil {
				c.arrange(m)
			}
			m.commit(1010, nil, c.change(m))
			if len(m.rereads.asked) > 0 {
				t.Errorf("%q was read", m.rereads.asked)
			}
		})
	}
	t.Run("paused", func(t *testing.T) {
		m := newRekeyed(t)
		m.emitter.running.Snapshot.Status = position.SnapshotPaused
		m.commit(1010, nil, partial(m.a))
		m.want(m.rereads.asked, "A 1010 1")
	})
}

// R84: a row that cannot be read comes with the placeholder, and an event says so, once for all of a transaction.
func TestR84RowThatCannotBeReselectedHasThePlaceholder(t *testing.T) {
	const unread = `{"ID":3,"V":"logged","W":"__cdc_unavailable_value"}`
	change := func(m *rekeyed, rowID, key string) transaction.Change {
		return moved(m.a, rowID, texts("500", "-", "-"), texts(key, "logged", "-"))
	}
	details := func(rows int, why string) string {
		return fmt.Sprintf(`"details":{"table":"PDB1.APP.A","rows":"%d","transaction":"1.1.1010","commit_scn":"1010","why":"%s"}}`, rows, why)
	}
	const gone = "the row is not there any more, or has another key"
	for name, c := range map[string]struct {
		row   []value.Value
		fault error
		rowID string
		why   string
	}{
		"row gone":     {nil, nil, rowA, gone},
		"other row":    {texts("9", "of another", "row"), nil, rowA, gone},
		"no ROWID":     {nil, nil, "", gone},
		"query failed": {texts("3", "x", "y"), errors.New("no"), rowA, "the query failed"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newRekeyed(t)
			if c.row != nil {
				m.rereads.rows[rowA] = c.row
			}
			m.rereads.fault = c.fault
			got := m.commit(1010, nil, change(m, c.rowID, "3"))
			m.want(got, `{"ID":500} d `, `{"ID":500} tombstone`, `{"ID":3} c `+unread, details(1, c.why))
		})
	}
	t.Run("all of a table", func(t *testing.T) {
		m := newRekeyed(t)
		m.rereads.fault = errors.New("no")
		var changes []transaction.Change
		for i := range 3 * snapshot.MostReselected {
			changes = append(changes, change(m, rowA, fmt.Sprint(i)))
		}
		got := m.commit(1010, nil, changes...)
		m.want(m.rereads.asked, "A 1010 1")
		m.want(got[len(got)-1:], details(3*snapshot.MostReselected, "the query failed"))
	})
}

// R84: a row is read as of the commit: what a later change of the same transaction set, it did not have when it got its key.
func TestR84WhatALaterChangeSetsIsNotReadIntoAnEarlierOne(t *testing.T) {
	m := newRekeyed(t)
	m.rereads.rows[rowA] = texts("3", "late", "w")
	got := m.commit(1010, nil,
		moved(m.a, rowA, texts("500", "-", "-"), texts("3", "-", "-")),
		moved(m.a, rowB, texts("8", "-", "-"), texts("8", "other row", "-")),
		moved(m.a, rowA, texts("3", "-", "-"), texts("3", "late", "-")),
	)
	m.want(got[2:3], `{"ID":3} c {"ID":3,"V":"__cdc_unavailable_value","W":"w"}`)
	m.rereads.rows[rowA] = texts("3", "v", "w")
	again := moved(m.a, rowA, nil, texts("3", "v", "w"))
	again.Op = transaction.Insert
	got = m.commit(1020, nil,
		moved(m.a, rowA, texts("500", "-", "-"), texts("3", "-", "-")),
		transaction.Change{Op: transaction.Delete, Version: m.a, Before: texts("3", "-", "-"), RowID: rowA, Thread: 1, Millis: 1}, again,
	)
	m.want(got[2:3], `{"ID":3} c {"ID":3,"V":"__cdc_unavailable_value","W":"__cdc_unavailable_value"}`)
}

// R84: rows are read many at a time, in the order of the stream; what a restart has delivered is not read again.
func TestR84RowsAreReselectedManyAtATime(t *testing.T) {
	m := newRekeyed(t)
	const rows = 2*snapshot.MostReselected + 3
	var changes []transaction.Change
	var want []string
	for i := range rows {
		id, key := fmt.Sprintf("%018d", i), fmt.Sprint(i)
		m.rereads.rows[id] = texts(key, "v"+key, "w"+key)
		changes = append(changes, moved(m.a, id, texts(fmt.Sprint(1000+i), "-", "-"), texts(key, "-", "-")))
		want = append(want, fmt.Sprintf(`{"ID":%d} c {"ID":%d,"V":"v%d","W":"w%d"}`, i, i, i, i))
	}
	creates := func(got []string) []string {
		return slices.DeleteFunc(got, func(s string) bool { return !strings.Contains(s, " c ") })
	}
	m.want(creates(m.commit(1010, nil, changes...)), want...)
	m.want(m.rereads.asked, "A 1010 64", "A 1010 64", "A 1010 3")
	m.rereads.asked = nil
	m.want(creates(m.commit(1020, &acknowledged{index: rows - 3}, changes...)), want[rows-2:]...)
	m.want(m.rereads.asked, "A 1020 2")
}

// R84: who waits for a row ends with capture.
func TestR84ReselectEndsWithCapture(t *testing.T) {
	m := newRekeyed(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	item := &transaction.Committed{}
	mv := &moves{left: []*transaction.Change{new(moved(m.a, rowA, texts("500", "-", "-"), texts("3", "-", "-")))}, hopeless: map[schema.Table]string{}}
	if _, err := m.emitter.whole(ctx, mv, item, mv.left[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
