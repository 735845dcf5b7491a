package engine

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// firstScene is a scene that begins with a first start.
type firstScene struct {
	*scene
	// at is what happens right before a call of the first start: "q", "list", "s".
	at    map[string]func()
	saved *position.Position
}

func newFirstScene(t *testing.T) *firstScene {
	t.Helper()
	f := &firstScene{scene: newScene(t), at: map[string]func(){}}
	f.config.Save = func(_ context.Context, p *position.Position) error {
		f.saved = f.through(p)
		return nil
	}
	step := f.db.tick
	f.db.tick = func() {
		if f.saved != nil {
			step()
		}
	}
	scns := 0
	f.db.enter = func(_ context.Context, what string) error {
		switch what {
		case "scn":
			what = []string{"q", "s"}[min(scns, 1)]
			scns++
		case "open":
			what = "list"
		}
		if happen := f.at[what]; happen != nil {
			delete(f.at, what)
			f.db.mu.Lock()
			defer f.db.mu.Unlock()
			happen()
		}
		return nil
	}
	return f
}

// write puts rows into the redo now.
func (f *firstScene) write(rows ...logminer.Row) {
	for _, r := range rows {
		f.db.flush(r, false)
		f.db.now = max(f.db.now, r.SCN)
	}
}

// open makes transactions those that a look shows.
func (f *firstScene) open(began position.SCN, numbers ...uint16) {
	f.db.active = nil
	for _, n := range numbers {
		f.db.active = append(f.db.active, oracle.OpenTransaction{Container: pdb, XID: xid(n), StartSCN: began})
	}
}

// R87: what is open at the start is listed and delivered whole, with its rows from before; what began behind q needs no list; what
// ends before s is not delivered, though listed.
func TestR87OpenTransactionsAreDeliveredWhole(t *testing.T) {
	f := newFirstScene(t)
	f.write(insert(f.a, xid(1), 1001, 1, "open"), insert(f.b, xid(2), 1002, 2, "ends behind the list"),
		insert(f.a, xid(3), 1003, 3, "ended"), commit(xid(3), 1004))
	f.open(1001, 1, 2)
	f.db.active = append(f.db.active, oracle.OpenTransaction{Container: 99, XID: xid(8), StartSCN: 3})
	f.at["list"] = func() { f.write(insert(f.a, xid(4), 1010, 4, "begun between q and the list")) }
	f.at["s"] = func() { f.write(commit(xid(2), 1020), insert(f.b, xid(5), 1021, 5, "begun before s")) }
	f.step(update(f.a, xid(1), 1050, image{1, "open"}, image{1, "whole"}), commit(xid(1), 1051))
	f.step(commit(xid(5), 1060), commit(xid(4), 1061))
	f.play(nil)
	f.want("1.1.7#0 c A/1 >open", "1.1.7#1 u A/1 open>whole", "5.1.7#0 c B/5 >begun before s", "4.1.7#0 c A/4 >begun between q and the list")
	first := f.saved.FirstStart
	if want := named(f.db.active[:2]); first == nil || cmp.Diff(want, first.Open) != "" || f.saved.Resume.SCN > 1001 {
		t.Fatalf("stored %+v, resume %s: want the two of the captured container listed, and their redo mined", first, f.saved.Resume.SCN)
	}
	if last := f.last(); last.FirstStart != nil {
		t.Fatalf("the position still keeps %+v", last.FirstStart)
	}
}

// R87, R32: a list that not every instance answered for is none.
func TestR87IncompleteListIsNoList(t *testing.T) {
	f := newFirstScene(t)
	f.db.enter = func(_ context.Context, what string) error {
		if what == "open" {
			return oracle.ErrIncomplete
		}
		return nil
	}
	f.play(nil)
	if !stop.Is(f.err, stop.Unavailable) || f.saved != nil {
		t.Fatalf("%v, saved %+v: want a start that is tried again", f.err, f.saved)
	}
}

// R88: the list is kept until all of it has ended; a kill before that leaves the transactions whole.
func TestR88ListIsKeptUntilItsTransactionsHaveEnded(t *testing.T) {
	f := newFirstScene(t)
	f.write(insert(f.a, xid(1), 1001, 1, "long"), insert(f.a, xid(2), 1002, 2, "short"), insert(f.a, xid(3), 1003, 3, "unlisted"),
		commit(xid(3), 1004))
	f.open(1001, 1, 2, 6)
	// 6 never touches a captured table; its ROLLBACK has no full XID.
	partial := rollback(xid(6), 1031)
	partial.XID.Sequence = position.PartialSequence
	// A ROLLBACK without address that comes again is that of an earlier transaction in the slot of 1.
	stale := rollback(xid(1), 1000)
	stale.XID.Sequence = position.PartialSequence
	f.write(stale)
	f.db.file[len(f.db.file)-1].Address = position.RBA{}
	f.step(commit(xid(2), 1030), partial)
	f.step()
	f.play(nil)
	f.want("2.1.7#0 c A/2 >short")
	killed := f.through(f.last())
	if want := []position.Transaction{{Container: pdb, XID: xid(1)}}; killed.FirstStart == nil || cmp.Diff(want, killed.FirstStart.Open) != "" {
		t.Fatalf("kept %+v, want the one that is open", killed.FirstStart)
	}
	f.step(insert(f.a, xid(1), 1500, 4, "later"), commit(xid(1), 1501))
	f.play(killed)
	f.want("1.1.7#0 c A/1 >long", "1.1.7#1 c A/4 >later")
	if p := f.last(); p.FirstStart != nil {
		t.Fatalf("kept %+v, want nothing", p.FirstStart)
	}
}

// R88, R51: a listed transaction whose group is acknowledged in part is still listed, so that a restart finds its first rows.
func TestR88ListCoversTheGroupInProgress(t *testing.T) {
	f := newFirstScene(t)
	f.config.BatchCount = 1
	f.write(insert(f.a, xid(1), 1001, 1, "a"), insert(f.a, xid(1), 1002, 2, "b"))
	f.open(1001, 1)
	f.step(insert(f.a, xid(1), 1050, 3, "c"), commit(xid(1), 1051))
	f.play(nil)
	f.want("1.1.7#0 c A/1 >a", "1.1.7#1 c A/2 >b", "1.1.7#2 c A/3 >c")
	for event, rest := range map[string][]string{
		"1.1.7#0 c A/1 >a": {"1.1.7#1 c A/2 >b", "1.1.7#2 c A/3 >c"},
		"1.1.7#1 c A/2 >b": {"1.1.7#2 c A/3 >c"},
	} {
		first := f.batches
		f.play(f.after(event))
		f.want(rest...)
		f.batches = first
	}
}

// R89: mining begins at the first redo of the oldest transaction; where that is not known or gone, nothing is stored.
func TestR89OldestOpenTransactionDecidesWhereMiningBegins(t *testing.T) {
	f := newFirstScene(t)
	f.open(0, 4)
	f.play(nil)
	if fault, _ := stop.As(f.err); fault == nil || fault.Code != stop.RedoPurged || fault.Object != "transaction 4.1.7 in container 3" || f.saved != nil {
		t.Fatalf("%v, saved %+v: want CDC-2002 with the transaction", f.err, f.saved)
	}
	f = newFirstScene(t)
	f.open(900, 4)
	f.open(900, 4, 5)
	f.db.active[1].StartSCN = 800
	f.db.enter = func(_ context.Context, what string) error {
		if what == "start" {
			return stop.New(stop.RedoPurged, "thread 1 sequence 1", "gone")
		}
		return nil
	}
	f.play(nil)
	if fault, _ := stop.As(f.err); fault == nil || fault.Code != stop.RedoPurged || fault.Object != "transaction 5.1.7 in container 3, open since SCN 800" {
		t.Fatalf("%v: want CDC-2002 with the oldest transaction", f.err)
	}
}

// R90: what commits up to s, or has rows below q and is not listed, is dropped with its faults; a fault of what commits above s
// stands.
func TestR90BelowSNothingIsEmittedAndNothingStops(t *testing.T) {
	generic := func(f *firstScene, n uint16, scn position.SCN) logminer.Row {
		r := insert(f.a, xid(n), scn, 9, "")
		r.Redo = `insert into "UNKNOWN"."OBJ# 101"("COL 1","COL 2") values (HEXTORAW('c102'),HEXTORAW('61'));`
		return r
	}
	unknown := func(f *firstScene, n uint16, scn position.SCN) logminer.Row {
		return of(f.a, row(xid(n), scn, 77), "AAA", "")
	}
	f := newFirstScene(t)
	f.write(unsupported(f.a, xid(1), 1001), generic(f, 1, 1001), unknown(f, 1, 1002), undone(insert(f.a, xid(1), 0, 7, "x"), 1002),
		insert(f.a, xid(2), 1003, 1, "rolled back"))
	f.open(1003, 2, 4)
	f.at["list"] = func() {
		f.write(unsupported(f.a, xid(1), 1010), unknown(f, 1, 1011), commit(xid(1), 1012), unknown(f, 3, 1013))
	}
	f.at["s"] = func() {
		f.write(undone(insert(f.a, xid(2), 0, 1, ""), 1020), rollback(xid(2), 1021), commit(xid(3), 1022))
	}
	f.step(insert(f.a, xid(5), 1050, 5, "above"), commit(xid(5), 1051))
	f.play(nil)
	f.want("5.1.7#0 c A/5 >above")

	for name, bad := range map[string]func(*firstScene, uint16, position.SCN) logminer.Row{"generic": generic, "unknown operation": unknown} {
		f := newFirstScene(t)
		f.write(bad(f, 4, 1003))
		f.open(1003, 4)
		f.step(insert(f.a, xid(5), 1050, 5, "before"), commit(xid(5), 1051))
		f.step(commit(xid(4), 1060))
		f.play(nil)
		if _, typed := stop.As(f.err); !typed || !slices.Equal(f.events(), []string{"5.1.7#0 c A/5 >before"}) {
			t.Errorf("%s: %v behind %v, want a stop at the commit of the listed transaction", name, f.err, f.events())
		}
	}
}

// R90, R93: a DDL whose row lies below q takes effect when its transaction commits above s.
func TestR90DDLOfAListedTransactionIsJudged(t *testing.T) {
	f := newFirstScene(t)
	f.config.StopAtBulkDDL = true
	ddl := of(f.a, row(xid(1), 1001, logminer.DDL), "", "truncate table APP.A")
	f.write(ddl)
	f.open(1001, 1)
	f.step(commit(xid(1), 1050))
	f.play(nil)
	if !stop.Is(f.err, stop.DDL) {
		t.Fatalf("%v, want CDC-6002", f.err)
	}
}
