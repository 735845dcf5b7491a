package scenario_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// chunkRead holds or fails the statement that reads a chunk.
func chunkRead(f wire.Fault) wire.Fault {
	f.Call, f.User, f.SQL = wire.CallExecute, oracletest.CaptureUser, `"T" AS OF SCN`
	return f
}

// ofKey lists what a consumer got about one row.
func ofKey(got []message, key string) []string {
	var out []string
	for i := range got {
		if string(got[i].event.Key) == key {
			out = append(out, got[i].line())
		}
	}
	return out
}

// R76: what commits between a chunk's SCN and its publication comes behind the rows of the chunk, which do not have it.
func TestR76CommitBetweenTheSCNOfAChunkAndItsPublication(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", rowColumns)
	s.fill("t", 0, 30)
	held := make(chan struct{})
	h := s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: held}))
	p := s.start(initially(nil))
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.commit("UPDATE $t SET name = 'later' WHERE id = 7")
	s.commit("DELETE FROM $t WHERE id = 8")
	s.commit("UPDATE $t SET id = 40 WHERE id = 9")
	mined := time.NewTimer(200 * time.Millisecond)
	defer mined.Stop()
	<-mined.C
	if got, _ := p.delivered(); len(without(got, s.db.Table(fenceTable))) > 0 {
		t.Errorf("changes went before the chunk that they are newer than: %q", lines(got))
	}
	close(held)
	got := p.settle()
	p.snapshotted()
	for key, want := range map[string][]string{
		"7": {`{"ID":7} r {"ID":7,"V":7,"NAME":"row 7"}`, `{"ID":7} u {"ID":7,"V":7,"NAME":"row 7"} -> {"ID":7,"V":7,"NAME":"later"}`},
		"8": {`{"ID":8} r {"ID":8,"V":8,"NAME":"row 8"}`, `{"ID":8} d {"ID":8,"V":8,"NAME":"row 8"}`, `{"ID":8} tombstone`},
		"9": {`{"ID":9} r {"ID":9,"V":9,"NAME":"row 9"}`, `{"ID":9} d {"ID":9,"V":9,"NAME":"row 9"}`, `{"ID":9} tombstone`},
	} {
		if diff := cmp.Diff(want, ofKey(got, `{"ID":`+key+`}`)); diff != "" {
			t.Errorf("row %s: %s", key, diff)
		}
	}
	s.sameRows(got, "t")
}

// R78: a reader that hangs holds the stream up for no longer than it may; the rows come later.
func TestR78ReaderThatHangsLetsChangesPassAfterMaxHold(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", rowColumns)
	s.fill("t", 0, 30)
	held := make(chan struct{})
	h := s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: held}))
	p := s.start(initially(fields{"snapshot.max_hold": "1s"}))
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.exec("UPDATE $t SET name = 'later' WHERE id = 7")
	p.when("the change", func(got []message) bool {
		return slices.ContainsFunc(got, func(m message) bool { return string(m.event.Key) == `{"ID":7}` && m.event.Kind == change.Change })
	})
	close(held)
	p.snapshotted()
	s.sameRows(p.settle(), "t")
}

// ORA-01555 has a chunk read again in halves, down to 1,000 rows; what cannot be read then stops with CDC-8001, and goes on there when the
// database keeps more.
func TestUndoThatIsGoneHalvesChunksAndThenStops(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", rowColumns)
	s.fill("t", 0, 8000)
	tooOld := ora(1555, "snapshot too old: rollback segment number 5 with name \"_SYSSMU5_1\" too small")
	h := s.server.AddFault(chunkRead(wire.Fault{Rows: 1500, Err: tooOld}))
	p := s.start(initially(fields{"snapshot.chunk_rows": 4000, "snapshot.threads": 1}))
	p.snapshotted()
	if h.Hits() == 0 {
		t.Fatal("no chunk was too old")
	}
	if reads := s.sameRows(p.settle(), "t"); reads != 8000 {
		t.Errorf("%d rows were read of 8000", reads)
	}
	p.kill()
	h.Remove()
	h = s.server.AddFault(chunkRead(wire.Fault{Rows: 500, Err: tooOld}))
	again := initially(fields{"snapshot.mode": "always", "snapshot.chunk_rows": 4000, "snapshot.chunk_retries": 1})
	p = s.launch(again)
	refusal(t, p.stopped(), 8001, s.db.Table("t"))
	p.kill()
	h.Remove()
	p = s.start(again)
	p.snapshotted()
	s.sameRows(p.settle(), "t")
}

// R81: a table that was just changed by DDL cannot be read as of before; the chunk waits and is read.
func TestR81TableThatChangedTooRecentlyIsReadLater(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", rowColumns)
	s.fill("t", 0, 30)
	h := s.server.AddFault(chunkRead(wire.Fault{Count: 1, Err: ora(1466, "unable to read data - table definition has changed")}))
	p := s.start(initially(nil))
	p.snapshotted()
	if h.Hits() != 1 {
		t.Fatalf("%d chunks failed", h.Hits())
	}
	if reads := s.sameRows(p.settle(), "t"); reads != 30 {
		t.Errorf("%d rows were read", reads)
	}
}

// R81: DDL while a chunk is read: the rows come in one layout, and each record says which.
func TestR81ColumnThatIsAddedWhileAChunkIsRead(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.logAll()
	s.table("t", rowColumns)
	s.fill("t", 0, 30)
	held := make(chan struct{})
	h := s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: held}))
	p := s.start(initially(nil))
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.exec("ALTER TABLE $t ADD (extra NUMBER(5))")
	s.exec("UPDATE $t SET extra = 5 WHERE id = 7")
	close(held)
	p.snapshotted()
	got := p.settle()
	for i := range got {
		if ev := got[i].event; ev.Kind == change.Snapshot && strings.Contains(got[i].line(), `"EXTRA"`) != (ev.Version.Number == 2) {
			t.Fatalf("version %d: %s", ev.Version.Number, got[i].line())
		}
	}
	replica, _ := consumed(got, s.db.Table("t"))
	if len(replica) != 30 || !strings.Contains(replica[`{"ID":7}`], `"EXTRA":5`) {
		t.Errorf("%d rows, %s", len(replica), replica[`{"ID":7}`])
	}
}

// R83: a commit below the SCN of a chunk reaches the redo after the chunk went out: it comes late, over newer rows, and the chunk is read
// again.
func TestR83CommitThatComesLateHasItsChunkReadAgain(t *testing.T) {
	s := begin(t, needing(ownSettings))
	s.table("t", rowColumns)
	s.fill("t", 0, 20)
	change := initially(fields{"snapshot.mode": "always", "position.interval": "1ms"})
	p := s.start(change)
	p.snapshotted()
	p.settle()
	p.stop()
	resume := s.server.PauseLogWriter()
	defer resume()
	s.exec("UPDATE $t SET v = 1000 WHERE id = 7")
	s.exec("UPDATE $t SET v = 2000 WHERE id = 7")
	p = s.launch(change)
	p.until("the rows are not read", func() bool { return p.reads("t") >= 20 })
	resume()
	p.until("they are not read again", func() bool { return p.reads("t") >= 40 })
	p.snapshotted()
	got := p.settle()
	want := []string{
		`{"ID":7} r {"ID":7,"V":2000,"NAME":"row 7"}`,
		`{"ID":7} u {"ID":7,"V":7,"NAME":"row 7"} -> {"ID":7,"V":1000,"NAME":"row 7"}`,
		`{"ID":7} u {"ID":7,"V":1000,"NAME":"row 7"} -> {"ID":7,"V":2000,"NAME":"row 7"}`,
		`{"ID":7} r {"ID":7,"V":2000,"NAME":"row 7"}`,
	}
	if diff := cmp.Diff(want, ofKey(got, `{"ID":7}`)); diff != "" {
		t.Error(diff)
	}
	s.sameRows(got, "t")
}
