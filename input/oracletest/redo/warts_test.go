package redo

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
)

var tableT = &catalog.Table{Owner: "APP", Name: "T", Columns: make([]catalog.Column, 2)}

func changeOf(sqn uint32) *Record {
	return &Record{Op: Insert, Table: tableT, XID: XID{USN: 1, Sqn: sqn}}
}

func markerOf(op Op, sqn uint32) *Record { return &Record{Op: op, XID: XID{USN: 1, Sqn: sqn}} }

// lines shows the records of the log in hand: operation, sequence of the transaction, SCN above FirstSCN.
func lines(t testing.TB, s *Stream) []string {
	t.Helper()
	f, err := s.OpenFile(s.threads[0].current.member)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Header(); err != nil { // what is due is written now
		t.Fatal(err)
	}
	var list []string
	for _, r := range readFile(t, f) {
		list = append(list, fmt.Sprintf("%d of %d at %d", r.Op, r.XID.Sqn, r.SCN-s.config.FirstSCN))
	}
	return list
}

func wantLines(t testing.TB, s *Stream, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, lines(t, s)); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer F.5 and O, scene 4: rows of an open transaction come late, with the SCNs they had.
func TestK2PrivateStrandIsWrittenAtCommit(t *testing.T) {
	s := open(t, Config{Warts: Warts{K2PrivateStrand: 1 << 20}})
	appendAll(t, s, changeOf(1))
	appendAll(t, s, changeOf(2))
	appendAll(t, s, changeOf(1))
	wantLines(t, s)
	appendAll(t, s, markerOf(Commit, 2))
	wantLines(t, s, "1 of 2 at 2", "7 of 2 at 4")
	appendAll(t, s, markerOf(Rollback, 1))
	wantLines(t, s, "1 of 2 at 2", "7 of 2 at 4", "1 of 1 at 1", "1 of 1 at 3", "36 of 1 at 5")
}

func TestK2PrivateStrandIsWrittenAtASwitch(t *testing.T) {
	s := open(t, Config{Warts: Warts{K2PrivateStrand: 1 << 20}})
	appendAll(t, s, changeOf(1))
	first, err := s.OpenFile(s.threads[0].current.member)
	if err != nil {
		t.Fatal(err)
	}
	switchOnce(t, s)
	if recs := readFile(t, first); len(recs) != 1 {
		t.Errorf("%d records in the log that ended", len(recs))
	}
	appendAll(t, s, markerOf(Commit, 1))
	wantLines(t, s, "7 of 1 at 3")
}

func TestK2PrivateStrandIsWrittenWhenItIsFull(t *testing.T) {
	record := changeOf(1).size()
	s := open(t, Config{Warts: Warts{K2PrivateStrand: 2 * record}})
	appendAll(t, s, changeOf(1))
	appendAll(t, s, changeOf(2))
	wantLines(t, s)
	appendAll(t, s, changeOf(1))
	wantLines(t, s, "1 of 1 at 1", "1 of 1 at 3")
}

// Correctness K1: one log write holds the strands one after the other.
func TestK1DisplacedTransactionsStayInOrder(t *testing.T) {
	s := open(t, Config{Warts: Warts{K1Displaced: 4}})
	for i := range uint32(40) {
		appendAll(t, s, changeOf(i%8))
	}
	wantLines(t, s)
	appendAll(t, s, markerOf(Commit, 3))
	f, err := s.OpenFile(s.threads[0].current.member)
	if err != nil {
		t.Fatal(err)
	}
	recs := readFile(t, f)
	if len(recs) != 41 {
		t.Fatalf("%d records", len(recs))
	}
	if slices.IsSortedFunc(recs, func(a, b *Record) int { return int(a.SCN) - int(b.SCN) }) {
		t.Error("addresses follow the SCNs")
	}
	last := map[uint32]SCN{}
	for _, r := range recs {
		if r.SCN < last[r.XID.Sqn] {
			t.Errorf("transaction %d: SCN %d after %d", r.XID.Sqn, r.SCN, last[r.XID.Sqn])
		}
		last[r.XID.Sqn] = r.SCN
	}
}

func TestR14DisplacedTransactionsLoseTheirOrder(t *testing.T) {
	s := open(t, Config{Warts: Warts{K1Displaced: 3, R14Displaced: true}})
	for range 20 {
		appendAll(t, s, changeOf(1))
	}
	appendAll(t, s, markerOf(Commit, 1))
	f, err := s.OpenFile(s.threads[0].current.member)
	if err != nil {
		t.Fatal(err)
	}
	if recs := readFile(t, f); slices.IsSortedFunc(recs, func(a, b *Record) int { return int(a.SCN) - int(b.SCN) }) {
		t.Error("the transaction is in SCN order")
	}
}

func TestR1WriteLagDelaysVisibility(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	s := open(t, Config{Warts: Warts{R1WriteLag: 50 * time.Millisecond}, Now: func() time.Time { return now }})
	appendAll(t, s, changeOf(1))
	appendAll(t, s, markerOf(Commit, 1))
	read := s.NextSCN()
	now = now.Add(49 * time.Millisecond)
	wantLines(t, s)
	now = now.Add(time.Millisecond)
	wantLines(t, s, "1 of 1 at 1", "7 of 1 at 2")
	if read != s.config.FirstSCN+3 {
		t.Errorf("the clock shows %d", read)
	}
}

func TestR30PausedWriterWritesWhenItResumes(t *testing.T) {
	s := open(t, Config{Warts: Warts{K2PrivateStrand: 1 << 20}})
	resume := s.PauseWriter()
	appendAll(t, s, changeOf(1))
	appendAll(t, s, markerOf(Commit, 1))
	wantLines(t, s)
	resume()
	wantLines(t, s, "1 of 1 at 1", "7 of 1 at 2")
	appendAll(t, s, changeOf(2), markerOf(Commit, 2))
	if n := len(lines(t, s)); n != 4 {
		t.Errorf("%d records after the writer resumed", n)
	}
}

func TestR5SplitSCNGivesRowsOfOneAddressTheirOwn(t *testing.T) {
	s := open(t, Config{Warts: Warts{R5SplitSCN: true}})
	a, b := changeOf(1), changeOf(1)
	b.Shared = true
	appendAll(t, s, a, b)
	if a.RBA != b.RBA || b.SCN != a.SCN+1 {
		t.Errorf("addresses %v %v, SCNs %d %d", a.RBA, b.RBA, a.SCN, b.SCN)
	}
}

func TestWartsAreFixedWhenARecordIsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		warts Warts
		want  string
	}{
		"none":           {Warts{}, "START; INSERT; DELETE(undo); COMMIT; ROLLBACK"},
		"partial XID":    {Warts{R117PartialXID: true}, "START; INSERT; DELETE(undo) partial; COMMIT; ROLLBACK partial"},
		"zero rollback":  {Warts{R13ZeroAddressRollback: true}, "START; INSERT; DELETE(undo); COMMIT; ROLLBACK noaddress"},
		"zero commit":    {Warts{R13ZeroAddressCommit: true}, "START; INSERT; DELETE(undo); COMMIT noaddress; ROLLBACK"},
		"zero change":    {Warts{R13ZeroAddressChange: true}, "START; INSERT noaddress; DELETE(undo) noaddress; COMMIT; ROLLBACK"},
		"zero XID":       {Warts{R13ZeroXIDChange: true}, "START; INSERT noxid; DELETE(undo) noxid; COMMIT; ROLLBACK"},
		"zero XID start": {Warts{R13ZeroXIDStart: true}, "START noxid; START; INSERT; DELETE(undo); COMMIT; ROLLBACK"},
		"thread 0":       {Warts{R29ThreadZero: true}, "START; INSERT; DELETE(undo); COMMIT thread0; ROLLBACK thread0"},
		"empty":          {Warts{R29ThreadZeroEmpty: true}, "START; INSERT; DELETE(undo); COMMIT; COMMIT thread0; ROLLBACK"},
		"no start":       {Warts{R53NoStart: true}, "START hidden; INSERT; DELETE(undo); COMMIT; ROLLBACK"},
		"unsupported":    {Warts{R22Unsupported: "APP.T"}, "START; INSERT unsupported; DELETE(undo) unsupported; COMMIT; ROLLBACK"},
		"other table":    {Warts{R22Unsupported: "APP.U"}, "START; INSERT; DELETE(undo); COMMIT; ROLLBACK"},
		"operation":      {Warts{R138Operation: 77}, "START; INSERT; 77; DELETE(undo); 77; COMMIT; ROLLBACK"},
		"internal":       {Warts{R138Internal: true}, "START; INSERT; ; DELETE(undo); (undo); COMMIT; ROLLBACK"},
		"hidden":         {Warts{R113Hidden: 5}, "START; INSERT hidden; DELETE(undo); COMMIT; ROLLBACK"},
		"pieces":         {Warts{R7Pieces: 1}, "START; INSERT first; last; DELETE(undo) first; (undo) last; COMMIT; ROLLBACK"},
		"shows last":     {Warts{R7Pieces: 1, R7LastPiece: true}, "START; INSERT first showslast; last; DELETE(undo) first showslast; (undo) last; COMMIT; ROLLBACK"},
		"narrow":         {Warts{R7Pieces: 2}, "START; INSERT; DELETE(undo); COMMIT; ROLLBACK"},
		"late":           {Warts{R8LateChanges: 1, R8LateCommits: 5}, "START; INSERT late; DELETE(undo); COMMIT late; ROLLBACK"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, Config{Warts: c.warts})
			first := changeOf(1)
			first.Shared = true
			undo := changeOf(1)
			undo.Op, undo.Undo = Delete, true
			appendAll(t, s, markerOf(Start, 1), first)
			appendAll(t, s, undo)
			appendAll(t, s, markerOf(Commit, 1))
			appendAll(t, s, markerOf(Rollback, 2))
			f, err := s.OpenFile(s.threads[0].current.member)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.SetWarts(Warts{}); err != nil {
				t.Fatal(err)
			}
			got := ""
			for i, r := range readFile(t, f) {
				if i > 0 {
					got += "; "
				}
				got += wartLine(r)
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func wartLine(r *Record) string {
	names := map[Op]string{Start: "START", Insert: "INSERT", Delete: "DELETE", Commit: "COMMIT", Rollback: "ROLLBACK", 77: "77"}
	line := names[r.Op]
	if r.Undo {
		line += "(undo)"
	}
	for _, q := range []struct {
		on   bool
		name string
	}{
		{r.PartialXID(), "partial"},
		{r.ZeroXID(), "noxid"},
		{r.ZeroAddress(), "noaddress"},
		{r.ThreadZero(), "thread0"},
		{r.Hidden(), "hidden"},
		{r.Unsupported(), "unsupported"},
		{r.Late(), "late"},
		{r.FirstPiece(), "first"},
		{r.ShowsLast(), "showslast"},
		{r.LastPiece(), "last"},
	} {
		if q.on {
			line = strings.TrimSpace(line + " " + q.name)
		}
	}
	return line
}

// Correctness R14: a row comes after a later one of its transaction.
func TestR14StrandThatStaysIsPassed(t *testing.T) {
	s := open(t, Config{Warts: Warts{K2PrivateStrand: 1, R14StrandStays: true}})
	appendAll(t, s, changeOf(1))
	appendAll(t, s, changeOf(1))
	wantLines(t, s, "1 of 1 at 2")
	appendAll(t, s, markerOf(Commit, 1))
	wantLines(t, s, "1 of 1 at 2", "1 of 1 at 1", "7 of 1 at 3")
}

func TestR7LogIsSwitchedBetweenThePieces(t *testing.T) {
	s := open(t, Config{Warts: Warts{R7Pieces: 1, R7PieceSwitch: true}})
	appendAll(t, s, changeOf(1))
	wantLines(t, s, "0 of 1 at 3")
	f, err := s.OpenFile(s.Archived()[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if recs := readFile(t, f); len(recs) != 1 || !recs[0].FirstPiece() {
		t.Errorf("%d records in the first log", len(recs))
	}
}

func TestR112UndoForwardTurnsRunsAround(t *testing.T) {
	s := open(t, Config{Warts: Warts{R112UndoForward: true}})
	undo := func(row string, op Op) *Record {
		r := changeOf(1)
		r.Op, r.Undo, r.RowID = op, true, row
		return r
	}
	appendAll(t, s, undo("c", Delete), undo("b", Delete), undo("x", Update), undo("a", Delete), changeOf(1), changeOf(1))
	f, err := s.OpenFile(s.threads[0].current.member)
	if err != nil {
		t.Fatal(err)
	}
	got, last := "", SCN(0)
	for _, r := range readFile(t, f) {
		if r.SCN <= last {
			t.Errorf("SCN %d after %d", r.SCN, last)
		}
		got, last = got+r.RowID, r.SCN
	}
	if got != "bcxa" {
		t.Errorf("rows %s", got)
	}
}

func TestR2NewLogIsNotListedForAWhile(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	s := open(t, Config{Warts: Warts{R2SwitchGap: 2 * time.Second}, Now: func() time.Time { return now }})
	if n := len(s.Online()); n != 3 {
		t.Errorf("%d logs before a switch", n)
	}
	switchOnce(t, s)
	for _, l := range s.Online() {
		if l.Status == StatusCurrent {
			t.Errorf("group %d is listed", l.Group)
		}
	}
	if n := len(s.Members()); n != 3 {
		t.Errorf("%d files in the gap: a switch changes none", n)
	}
	now = now.Add(2 * time.Second)
	if n := len(s.Online()); n != 3 {
		t.Errorf("%d logs after the gap", n)
	}
}

func TestCountsOfWartsAreTaken(t *testing.T) {
	s := open(t, Config{Warts: Warts{R9Cut: 1, R8LateCommits: 2}})
	cut := func(w *Warts) *int { return &w.R9Cut }
	if !s.Take(cut) || s.Take(cut) {
		t.Error("R9Cut was not taken once")
	}
	appendAll(t, s, markerOf(Commit, 1))
	if w := s.Warts(); w.R9Cut != 0 || w.R8LateCommits != 1 {
		t.Errorf("left: %+v", w)
	}
}

func TestWrongWartsAreRefused(t *testing.T) {
	for _, w := range []Warts{{K1Displaced: -1}, {R14Displaced: true}, {R1WriteLag: -1}} {
		if _, err := Open(Config{Warts: w}); err == nil {
			t.Errorf("Open took %+v", w)
		}
		s := open(t, Config{})
		if err := s.SetWarts(w); err == nil {
			t.Errorf("SetWarts took %+v", w)
		}
	}
}

func drawWarts(t *rapid.T) Warts {
	w := Warts{
		K2PrivateStrand: rapid.SampledFrom([]int64{0, 500, 1 << 20}).Draw(t, "strand"), K1Displaced: rapid.IntRange(0, 3).Draw(t, "displaced"),
		R5SplitSCN: rapid.Bool().Draw(t, "split"), R29ThreadZeroEmpty: rapid.Bool().Draw(t, "empty"),
	}
	w.R14Displaced = w.K1Displaced > 1 && rapid.Bool().Draw(t, "inside")
	return w
}

// K3, and that nothing is lost or doubled, whatever the warts and whenever they change.
func TestK3HoldsUnderWarts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := open(t, Config{
			Threads: rapid.IntRange(1, 3).Draw(rt, "threads"), LogSize: minLogSize, Groups: 2, Warts: drawWarts(rt),
			MemoryBudget: 1 << 20, SpillDir: t.TempDir(),
		})
		written := map[*Record]bool{}
		resume := func() {}
		for range rapid.IntRange(1, 60).Draw(rt, "calls") {
			switch rapid.IntRange(0, 9).Draw(rt, "kind") {
			case 0:
				if err := s.SwitchThread(t.Context(), rapid.IntRange(1, len(s.threads)).Draw(rt, "thread")); err != nil {
					rt.Fatal(err)
				}
			case 1:
				if err := s.SetWarts(drawWarts(rt)); err != nil {
					rt.Fatal(err)
				}
			case 2:
				resume()
				resume = s.PauseWriter()
			default:
				r := changeOf(uint32(rapid.IntRange(1, 5).Draw(rt, "transaction")))
				r.Op = rapid.SampledFrom([]Op{Insert, Insert, Insert, Commit, Rollback}).Draw(rt, "op")
				r.Origin.Instance = 1 + int(r.XID.Sqn)%len(s.threads)
				appendAll(t, s, r)
				written[r] = true
			}
		}
		resume()
		switchOnce(t, s) // brings out what is still buffered
		for _, name := range logNames(s) {
			f, err := s.OpenFile(name)
			if err != nil {
				rt.Fatal(err)
			}
			h, err := f.Header()
			if err != nil {
				rt.Fatal(err)
			}
			for _, r := range readFile(rt, f) {
				if r.SCN < h.FirstChange || r.SCN >= h.NextChange {
					rt.Fatalf("SCN %d in sequence %d, %d..%d", r.SCN, h.Sequence, h.FirstChange, h.NextChange)
				}
				if r.Thread != h.Thread || r.Thread != max(r.Origin.Instance, 1) {
					rt.Fatalf("a record of instance %d is in thread %d", r.Origin.Instance, h.Thread)
				}
				if r.ThreadZero() {
					continue
				}
				if !written[r] {
					rt.Fatalf("record %s was not written, or is there twice", r.RBA)
				}
				delete(written, r)
			}
		}
		if len(written) != 0 || s.buffer.bytes != 0 || len(s.buffer.private) != 0 {
			rt.Fatalf("%d records are lost, %d bytes buffered", len(written), s.buffer.bytes)
		}
	})
}
