package scenario_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// padding makes rows that fill small logs quickly.
const padding = "VARCHAR2(400)"

func TestLogSwitchesAtAnyMomentLoseNothing(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	long := s.connect(app).begin()
	var want []string
	for i := range 12 {
		long.exec("INSERT INTO $t VALUES (:1)", 100+i)
		if i%3 != 0 {
			s.switchLog()
		}
		s.exec("INSERT INTO $t VALUES (:1)", i)
		want = append(want, inserts(i, i+1)...)
		s.switchLog()
	}
	long.commit()
	s.switchLog()
	want = append(want, inserts(100, 112)...)
	same(t, p.settle(), want...)
}

// Logs of a few hundred rows that are reused all the time: the stream goes on through archived copies.
func TestTinyLogsThatAreReusedLoseNothing(t *testing.T) {
	sideBySide(t)
	for name, delay := range map[string]time.Duration{"archived at once": 0, "archived late": 20 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, logs(3, 64<<10), serving(func(c *oracletest.Config) { c.ArchiveDelay = delay }))
			s.table("t", "id NUMBER(9) PRIMARY KEY, filler "+padding)
			p := s.start(nil)
			const transactions, rows = 40, 50
			for k := range transactions {
				ids := make([]int, rows)
				for r := range ids {
					ids[r] = k*rows + r
				}
				s.exec("INSERT INTO $t SELECT :1, RPAD('x', 400, 'x') FROM dual", ids)
			}
			got := p.settle()
			if len(got) != transactions*rows {
				t.Fatalf("%d messages, want %d", len(got), transactions*rows)
			}
			for i := range got {
				if want := fmt.Sprintf(`{"ID":%d}`, i); string(got[i].event.Key) != want {
					t.Fatalf("message %d has key %s, want %s", i, got[i].event.Key, want)
				}
			}
			if switched := s.server.Stats().Sequence; switched < 10 {
				t.Errorf("only %d logs were written", switched)
			}
		})
	}
}

// purge removes the archived logs that the stored position does not need any more, and says how many.
func (s *scenario) purge() int {
	s.t.Helper()
	needed := s.stored().Resume.Marks[0].Log
	row := s.connect(admin).rows("SELECT TO_CHAR(MAX(next_change#)) FROM v$archived_log WHERE sequence# < :1", needed)[0][0]
	if row == "-" {
		return 0
	}
	before, err := strconv.ParseUint(row, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.server.PurgeArchived(redo.SCN(before))
}

// margin is what a step reads again of the redo before it (R7).
const margin = 10_000

// foreignWork moves the redo on by several logs and by more SCNs than the margin, without a row that is captured.
func (s *scenario) foreignWork() {
	s.t.Helper()
	for range 2 {
		if err := s.server.Load(context.Background(), "", 1500); err != nil {
			s.t.Fatal(err)
		}
		s.server.JumpSCN(margin)
	}
	s.switchLog()
}

// Everything that the position says is not needed goes away while capture runs, and before each restart.
func TestLogsBehindThePositionMayGo(t *testing.T) {
	s := begin(t, logs(3, 64<<10), needing(purging))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	purged := 0
	var want []string
	for i := range 6 {
		if i%2 == 1 {
			p.stop()
			purged += s.purge()
			p = s.start(nil)
			want = nil
		}
		s.foreignWork()
		s.exec("INSERT INTO $t VALUES (:1)", i)
		want = append(want, inserts(i, i+1)...)
		same(t, p.settle(), want...)
		last, _ := p.delivered()
		p.until("the position does not follow", func() bool {
			return s.stored().Done.SCN >= last[len(last)-1].event.Transaction.Key.SCN
		})
		purged += s.purge()
	}
	if purged < 20 {
		t.Errorf("only %d logs were purged: the position held them", purged)
	}
}

// R6, R119 to R121: a database on which nothing happens that is captured. The position moves on with the logs, so that they may
// go, and a restart needs none of them.
func TestR119PositionFollowsAQuietDatabaseAcrossPurgedLogs(t *testing.T) {
	s := begin(t, logs(3, 64<<10), needing(purging))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(fields{"emit.heartbeats": "always", "emit.heartbeat_interval": "20ms"})
	open := s.connect(app).begin()
	open.exec("INSERT INTO $t VALUES (1)")
	open.rollback()
	first := s.stored()
	s.foreignWork()
	p.until("the position does not move", func() bool {
		return s.stored().Resume.Marks[0].Log > first.Resume.Marks[0].Log+5
	})
	if purged := s.purge(); purged < 5 {
		t.Errorf("%d logs were purged", purged)
	}
	p.kill()
	got, _ := p.delivered()
	for _, m := range got {
		if m.event.Kind != "heartbeat" {
			t.Errorf("a message of kind %s on a quiet database", m.event.Kind)
		}
	}
	p = s.start(nil)
	s.exec("INSERT INTO $t VALUES (2)")
	same(t, p.settle(), `{"ID":2} c {"ID":2}`)
}

// R52: an open transaction holds what it needs; after its end the position goes on.
func TestR52OpenTransactionHoldsThePositionUntilItEnds(t *testing.T) {
	s := begin(t, logs(3, 64<<10), needing(purging))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	open := s.connect(app).begin()
	open.exec("INSERT INTO $t VALUES (1)")
	s.exec("INSERT INTO $t VALUES (2)")
	p.settle()
	held := s.stored().Resume.SCN
	s.foreignWork()
	p.settle()
	p.until("done does not move", func() bool { return uint64(s.stored().Done.SCN) > uint64(held)+margin })
	s.purge()
	p.kill()
	p = s.start(nil)
	open.exec("INSERT INTO $t VALUES (3)")
	open.commit()
	same(t, p.settle(), `{"ID":1} c {"ID":1}`, `{"ID":3} c {"ID":3}`)
	p.until("resume does not move", func() bool { return uint64(s.stored().Resume.SCN) > uint64(held)+margin })
}

// A log that the position needs is gone: a typed stop that names it, and nothing is skipped.
func TestPurgedLogThatIsNeededIsATypedStop(t *testing.T) {
	sideBySide(t)
	for name, remove := range map[string]func(*oracletest.Server, redo.SCN) int{
		"deleted by RMAN": (*oracletest.Server).PurgeArchived, "removed behind the database's back": (*oracletest.Server).RemoveArchived,
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, logs(2, 64<<10), needing(purging))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(nil)
			s.exec("INSERT INTO $t VALUES (1)")
			p.settle()
			p.kill()
			s.exec("INSERT INTO $t VALUES (2)")
			s.foreignWork()
			if n := remove(s.server, s.server.CurrentSCN()); n == 0 {
				t.Fatal("nothing was removed")
			}
			p = s.launch(nil)
			refusal(t, p.stopped(), 2002, "")
			if got, _ := p.delivered(); len(got) != 0 {
				t.Errorf("delivered: %q", lines(got))
			}
		})
	}
}
