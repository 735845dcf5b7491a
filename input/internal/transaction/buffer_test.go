package transaction

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

var (
	tableA = (&schema.Version{Table: schema.Table{PDB: "P", Owner: "APP", Name: "A"}}).Seal()
	tableB = (&schema.Version{Table: schema.Table{PDB: "P", Owner: "APP", Name: "B"}}).Seal()
	txOne  = ID{Container: 3, XID: position.XID{USN: 5, Slot: 0, Sequence: 614}}
)

func change(op Op, v *schema.Version, rowID string, scn position.SCN, address uint32) Change {
	return Change{Op: op, Version: v, RowID: rowID, SCN: scn, Thread: 1, Address: position.RBA{Sequence: 1, Block: address}}
}

func undo(op Op, v *schema.Version, rowID string, address uint32) Undo {
	return Undo{Op: op, Table: v.Table, RowID: rowID, Thread: 1, Address: position.RBA{Sequence: 1, Block: address}}
}

func commitAt(scn position.SCN, address uint32) End {
	return End{Commit: true, Key: position.Key{SCN: scn, Thread: 1, Address: position.RBA{Sequence: 1, Block: address}}}
}

// survivors renders what a committed transaction would emit.
func survivors(c *Committed) []string {
	var out []string
	for ch := range c.Changes() {
		out = append(out, fmt.Sprintf("%d %s %d", ch.Op, ch.RowID, ch.Address.Block))
	}
	return out
}

// The trace is recorded (reference logminer F.2): only the last two inserts survive, although their ROWIDs were used before.
func TestR112RecordedTraceOfRowIDsUsedAgain(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableA, "AAN", 1, 1))
	b.Append(txOne, "", change(Insert, tableA, "AAO", 1, 2))
	b.Append(txOne, "", change(Update, tableA, "AAO", 1, 3))
	b.Append(txOne, "", change(Update, tableA, "AAO", 1, 4))
	for i, u := range []Undo{
		undo(Update, tableA, "AAO", 5), undo(Update, tableA, "AAO", 6), undo(Delete, tableA, "AAO", 7), undo(Delete, tableA, "AAN", 8),
	} {
		b.Undo(txOne, u)
		if b.pendingOutOfOrder != 0 {
			t.Fatalf("undo %d was not matched on top", i)
		}
	}
	b.Append(txOne, "", change(Insert, tableA, "AAN", 2, 9))
	b.Append(txOne, "", change(Insert, tableA, "AAO", 2, 10))
	b.End(txOne, commitAt(3, 11))
	out := b.Keep()
	if got, want := survivors(out[0]), []string{"1 AAN 9", "1 AAO 10"}; !slices.Equal(got, want) || out[0].Fault() != nil {
		t.Fatalf("survivors %v (fault %v), want %v", got, out[0].Fault(), want)
	}
}

func TestR112ArrayInsertIsUndoneInEitherOrder(t *testing.T) {
	for _, order := range [][]string{{"AAC", "AAB", "AAA"}, {"AAA", "AAB", "AAC"}} {
		b := New(1 << 20)
		b.Begin(position.Boundary{})
		b.Append(txOne, "", change(Insert, tableA, "AAZ", 1, 1))
		for _, r := range []string{"AAA", "AAB", "AAC"} {
			b.Append(txOne, "", change(Insert, tableA, r, 2, 2)) // one RS_ID
		}
		for i, r := range order {
			b.Undo(txOne, undo(Delete, tableA, r, uint32(3+i)))
		}
		b.End(txOne, commitAt(3, 9))
		out := b.Keep()
		if got := survivors(out[0]); !slices.Equal(got, []string{"1 AAZ 1"}) || out[0].Fault() != nil {
			t.Fatalf("order %v: survivors %v, fault %v", order, got, out[0].Fault())
		}
		if b.OutOfOrder() != 0 {
			t.Fatalf("order %v counted as out of order", order)
		}
	}
}

// R113, R87: what was done before anybody mined its table has no change to take back, and takes none of another row.
func TestR113UndoOfAChangeFromBeforeStopsNothing(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 1))
	missed := undo(Delete, tableA, "AAX", 2)
	missed.Missed = true
	b.Undo(txOne, missed)
	mine := undo(Delete, tableA, "AAA", 3)
	mine.Missed = true
	b.Append(txOne, "", change(Insert, tableA, "AAB", 1, 4))
	b.Undo(txOne, mine)
	b.End(txOne, commitAt(3, 5))
	if out := b.Keep(); out[0].Fault() != nil || out[0].Len() != 1 {
		t.Errorf("%d survive, fault %v", out[0].Len(), out[0].Fault())
	}
}

func TestR113UndoWithoutPartnerStopsOnlyACommit(t *testing.T) {
	for _, committed := range []bool{true, false} {
		b := New(1 << 20)
		b.Begin(position.Boundary{})
		b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 1))
		b.Undo(txOne, undo(Delete, tableA, "AAX", 2))
		b.End(txOne, End{Commit: committed, Key: position.Key{SCN: 5, Thread: 1}})
		out := b.Keep()
		if !committed {
			if len(out) != 0 || b.Open() != 0 || b.Used() != 0 {
				t.Fatalf("rolled back: %d items, %d open, %d bytes", len(out), b.Open(), b.Used())
			}
			continue
		}
		if !stop.Is(out[0].Fault(), stop.UndoUnmatched) {
			t.Fatalf("committed: fault %v, want CDC-3005", out[0].Fault())
		}
	}
}

func TestR113UndoBelowTheTopIsMatchedAndCounted(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 1))
	b.Append(txOne, "", change(Insert, tableA, "AAB", 1, 2))
	b.Undo(txOne, undo(Delete, tableA, "AAA", 3))
	b.Append(txOne, "", change(Insert, tableA, "AAC", 1, 4))
	b.Undo(txOne, undo(Delete, tableA, "AAC", 5))
	b.Undo(txOne, undo(Delete, tableA, "AAB", 6))
	b.End(txOne, commitAt(3, 7))
	out := b.Keep()
	if out[0].Len() != 0 || out[0].Fault() != nil || b.OutOfOrder() != 1 {
		t.Fatalf("%d survive, fault %v, %d out of order; want none, none, 1", out[0].Len(), out[0].Fault(), b.OutOfOrder())
	}
}

// Undo of a row in another table, or with another ROWID, must never take a good change away (R114, R115).
func TestR114UndoNeverTakesAChangeOfAnotherTable(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableB, "AAA", 1, 1))
	b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 2))
	b.Append(txOne, "", change(Unsupported, tableA, "AAU", 1, 3))
	b.Undo(txOne, undo(Unsupported, tableA, "AAU", 4))
	b.Undo(txOne, undo(Delete, tableA, "AAA", 5))
	b.End(txOne, commitAt(3, 6))
	out := b.Keep()
	if got := survivors(out[0]); !slices.Equal(got, []string{"1 AAA 1"}) || out[0].Fault() != nil {
		t.Fatalf("survivors %v, fault %v", got, out[0].Fault())
	}
}

func TestR22FaultyChangeStopsOnlyWhileItStands(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{})
	bad := change(Insert, tableA, "AAB", 1, 2)
	bad.Fault = stop.New(stop.Undecodable, "APP.A", "test")
	b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 1))
	b.Append(txOne, "", bad)
	b.Undo(txOne, undo(Delete, tableA, "AAB", 3))
	b.End(txOne, commitAt(3, 4))
	if out := b.Keep(); out[0].Fault() != nil {
		t.Fatalf("the undone change still stops: %v", out[0].Fault())
	}
	b.Append(txOne, "", bad)
	b.End(txOne, commitAt(5, 6))
	if out := b.Keep(); !stop.Is(out[0].Fault(), stop.Undecodable) {
		t.Fatalf("fault %v, want CDC-3001", out[0].Fault())
	}
}

func TestR14BrokenOrderInsideATransactionStopsItsCommit(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableA, "AAA", 7, 1))
	b.Append(txOne, "", change(Insert, tableA, "AAB", 6, 2))
	b.End(txOne, commitAt(9, 3))
	if out := b.Keep(); !stop.Is(out[0].Fault(), stop.Corrupt) {
		t.Fatalf("fault %v, want CDC-3002", out[0].Fault())
	}
}

func TestR117PartialXIDResolvesToTheOpenTransaction(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{})
	partial := ID{Container: 3, XID: position.XID{USN: 5, Slot: 0, Sequence: position.PartialSequence}}
	if _, ok := b.Resolve(partial, 9); ok {
		t.Fatal("resolved with nothing open")
	}
	b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 1))
	if id, ok := b.Resolve(partial, 9); !ok || id != txOne {
		t.Fatalf("resolved to %v, %v", id, ok)
	}
	other := partial
	other.Container = 4
	if _, ok := b.Resolve(other, 9); ok {
		t.Fatal("resolved across containers")
	}
	b.End(txOne, End{})
	if _, ok := b.Resolve(partial, 9); ok {
		t.Fatal("resolved to a transaction that has ended")
	}
}

func TestR19RowsAfterTheirCommitBelongToItAndItemsComeInKeyOrder(t *testing.T) {
	b := New(1 << 20)
	two := ID{Container: 3, XID: position.XID{USN: 6, Slot: 1, Sequence: 9}}
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 1))
	b.End(txOne, commitAt(1005, 5))
	b.Append(two, "", change(Insert, tableA, "AAB", 1, 2))
	b.End(two, commitAt(1001, 9))
	b.Append(txOne, "", change(Insert, tableA, "AAC", 2, 6))
	out := b.Keep()
	if len(out) != 2 || out[0].ID != two || out[1].ID != txOne || out[1].Len() != 2 {
		t.Fatalf("items %v", out)
	}
}

func TestR52TransactionHoldsTheBoundaryBeforeItsFirstRow(t *testing.T) {
	b := New(1 << 20)
	at := func(scn position.SCN) position.Boundary {
		return position.Boundary{SCN: scn}.With(position.Mark{Thread: 1, Address: position.RBA{Sequence: uint32(scn)}, Log: 1})
	}
	b.Begin(at(10))
	b.Append(txOne, "", change(Insert, tableA, "AAA", 11, 1))
	b.Keep()
	b.Begin(at(20))
	b.Append(txOne, "", change(Insert, tableA, "AAB", 21, 2))
	b.Keep()
	if floor, holder, ok := b.Floor(); !ok || holder != txOne || !floor.Equal(at(10)) {
		t.Fatalf("floor %v held by %v (%v), want the boundary at 10", floor, holder, ok)
	}
	b.End(txOne, commitAt(25, 3))
	if out := b.Keep(); !out[0].First.Equal(at(10)) {
		t.Fatalf("item holds %v, want the boundary at 10", out[0].First)
	}
	if _, _, ok := b.Floor(); ok {
		t.Fatal("something is held with nothing open")
	}
}

// R18: whatever a step did, discarding it gives the buffer from before, and running it again gives what running it once
// would have given.
func TestR18DiscardedStepLeavesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		with, without := New(1<<30), New(1<<30)
		steps := rapid.IntRange(1, 6).Draw(t, "steps")
		address := uint32(1)
		for s := range steps {
			before := position.Boundary{SCN: position.SCN(s)}
			script := drawScript(t, &address)
			for range rapid.IntRange(0, 2).Draw(t, "failures") {
				with.Begin(before)
				cut := rapid.IntRange(0, len(script)).Draw(t, "cut")
				for _, do := range script[:cut] {
					do(with)
				}
				used := without.Used()
				with.Discard()
				if with.Used() != used || with.Open() != without.Open() {
					t.Fatalf("after discard: %d bytes and %d open, want %d and %d", with.Used(), with.Open(), used, without.Open())
				}
			}
			with.Begin(before)
			without.Begin(before)
			for _, do := range script {
				do(with)
				do(without)
			}
			got, want := with.Keep(), without.Keep()
			if len(got) != len(want) {
				t.Fatalf("%d items, want %d", len(got), len(want))
			}
			for i := range got {
				if got[i].ID != want[i].ID || !slices.Equal(survivors(got[i]), survivors(want[i])) || !got[i].First.Equal(want[i].First) ||
					(got[i].Fault() == nil) != (want[i].Fault() == nil) {
					t.Fatalf("item %d: %v %v, want %v %v", i, survivors(got[i]), got[i].Fault(), survivors(want[i]), want[i].Fault())
				}
				got[i].Release()
				want[i].Release()
			}
		}
		for id := range without.open {
			with.Begin(position.Boundary{})
			with.End(id, End{})
			with.Keep()
		}
		if with.Used() != 0 {
			t.Fatalf("%d bytes are left with nothing open", with.Used())
		}
	})
}

func drawScript(t *rapid.T, address *uint32) []func(*Buffer) {
	var script []func(*Buffer)
	for range rapid.IntRange(0, 12).Draw(t, "rows") {
		id := ID{Container: 3, XID: position.XID{USN: rapid.Uint16Range(1, 3).Draw(t, "usn"), Sequence: 1}}
		v := rapid.SampledFrom([]*schema.Version{tableA, tableB}).Draw(t, "table")
		row := rapid.SampledFrom([]string{"", "AAA", "AAB", "AAC"}).Draw(t, "rowid")
		op := rapid.SampledFrom([]Op{Insert, Update, Delete}).Draw(t, "op")
		at := *address
		*address++
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0, 1, 2:
			script = append(script, func(b *Buffer) { b.Append(id, "U", change(op, v, row, position.SCN(at), at)) })
		case 3, 4:
			script = append(script, func(b *Buffer) { b.Undo(id, undo(op, v, row, at)) })
		default:
			commit := rapid.Bool().Draw(t, "commit")
			script = append(script, func(b *Buffer) { b.End(id, End{Commit: commit, Key: position.Key{SCN: position.SCN(at), Thread: 1}}) })
		}
	}
	return script
}

func TestR8ReplacedChangeIsBackWhenTheStepFails(t *testing.T) {
	b := New(1 << 20)
	first := change(Insert, tableA, "AAA", 1, 1)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", first)
	b.Keep()
	used := b.Used()
	second := first
	second.RowID, second.TextBytes = "AAB", 100
	b.Begin(position.Boundary{})
	if !b.Replace(txOne, second) || b.Used() != used+100 {
		t.Fatalf("not replaced, %d bytes", b.Used())
	}
	b.Discard()
	if b.Used() != used {
		t.Fatalf("%d bytes after discard, want %d", b.Used(), used)
	}
	other := change(Insert, tableA, "AAA", 1, 2)
	if b.Begin(position.Boundary{}); b.Replace(txOne, other) || b.Replace(ID{Container: 9}, second) {
		t.Fatal("replaced what is not there")
	}
	b.End(txOne, commitAt(9, 9))
	if got := survivors(b.Keep()[0]); !slices.Equal(got, []string{"1 AAA 1"}) {
		t.Fatalf("survivors %v", got)
	}
}

func TestHeldTransactionWithoutRowsHoldsTheFloorUntilItsEnd(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{SCN: 10})
	b.Hold(txOne, 11)
	b.Discard()
	if b.Open() != 0 {
		t.Fatal("a failed step left it open")
	}
	b.Begin(position.Boundary{SCN: 10})
	b.Hold(txOne, 11)
	b.Keep()
	b.Begin(position.Boundary{SCN: 20})
	b.Hold(txOne, 21)
	b.Discard()
	if floor, _, ok := b.Floor(); !ok || floor.SCN != 10 {
		t.Fatalf("floor %v, %v", floor, ok)
	}
	b.Begin(position.Boundary{SCN: 20})
	b.End(txOne, commitAt(25, 3))
	if end, ok := b.Ending(txOne); !ok || !end.Commit {
		t.Fatalf("end %+v, %v", end, ok)
	}
	if out := b.Keep(); len(out) != 0 || b.Open() != 0 {
		t.Fatalf("%d items, %d open: want none", len(out), b.Open())
	}
}

func TestExhaustedNamesTheLargestTransactions(t *testing.T) {
	b := New(10)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 1))
	if !b.Over() {
		t.Fatal("not over a budget of 10 bytes")
	}
	if err := b.Exhausted(); err.Code != stop.BufferFull || err.Object == "" {
		t.Fatalf("%v", err)
	}
}

// R117: rows of two clustered tables have one ROWID. The undo of the lower one does not take the other, and an undo whose change was
// never shown takes neither.
func TestR117UndoFindsItsTableWhereTablesShareAROWID(t *testing.T) {
	b := New(1 << 20)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableA, "AAA", 1, 1))
	b.Append(txOne, "", change(Insert, tableB, "AAA", 2, 2))
	b.Undo(txOne, undo(Delete, tableA, "AAA", 3))
	b.End(txOne, commitAt(3, 4))
	if out := b.Keep(); out[0].Len() != 1 || out[0].Fault() != nil || b.OutOfOrder() != 1 {
		t.Fatalf("%d survive, fault %v, %d out of order; want the other table's, none, 1", out[0].Len(), out[0].Fault(), b.OutOfOrder())
	}
	b = New(1 << 20)
	b.Begin(position.Boundary{})
	b.Append(txOne, "", change(Insert, tableB, "AAA", 1, 1))
	b.Undo(txOne, undo(Delete, tableA, "AAA", 2))
	b.End(txOne, commitAt(3, 3))
	if out := b.Keep(); !stop.Is(out[0].Fault(), stop.UndoUnmatched) {
		t.Fatalf("fault %v, want CDC-3005: the change of another table was taken back", out[0].Fault())
	}
}
