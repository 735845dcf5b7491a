package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// R2: the newest log is neither online nor archived for two seconds, more than quick retries take together. The step waits for it.
func TestR2NewestLogIsNowhereForTwoSeconds(t *testing.T) {
	s := begin(t, misleads(redo.Warts{R2SwitchGap: 2 * time.Second}))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(quick(fields{"mining.max_step_retries": 3}))
	s.exec("INSERT INTO $t VALUES (0)")
	for i := range 2 {
		s.switchLog()
		s.exec("INSERT INTO $t VALUES (:1)", i+1)
	}
	same(t, p.settle(), inserts(0, 3)...)
}

// R2: a second redo thread is enabled between the reading of the bound and START. One is all that this version mines: a typed stop, and
// once the thread is disabled again nothing is missing that committed meanwhile.
func TestR2ThreadThatIsEnabledBetweenBoundAndStart(t *testing.T) {
	s := begin(t, needing(ownSettings, wireFaults), serving(func(c *oracletest.Config) { c.Instances = 2 }))
	if err := s.server.SetThread(2, false, redo.EnabledDisabled); err != nil {
		t.Fatal(err)
	}
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	s.exec("INSERT INTO $t VALUES (0)")
	same(t, p.settle(), inserts(0, 1)...)
	held := make(chan struct{})
	h := s.server.AddFault(wire.Fault{Call: wire.CallExecute, User: oracletest.CaptureUser, SQL: "V$THREAD", Count: 1, Hold: held})
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.exec("INSERT INTO $t VALUES (1)")
	if err := s.server.SetThread(2, true, redo.EnabledPublic); err != nil {
		t.Fatal(err)
	}
	close(held)
	if stopped := p.stopped(); !strings.Contains(stopped.Action(), "DISABLE THREAD") {
		t.Errorf("%v does not say what to do", stopped)
	} else {
		refusal(t, stopped, 5001, "several redo threads")
	}
	got, _ := p.delivered()
	same(t, without(got, s.db.Table(fenceTable)), inserts(0, 1)...)
	p.kill()
	s.exec("INSERT INTO $t VALUES (2)")
	if err := s.server.SetThread(2, false, redo.EnabledDisabled); err != nil {
		t.Fatal(err)
	}
	same(t, s.start(nil).settle(), inserts(1, 3)...)
}

// wide is a table of many columns and what an insert of row i puts into it.
func (s *scenario) wide(columns int) (insert func(i int) string) {
	names := make([]string, columns-1)
	for i := range names {
		names[i] = fmt.Sprintf("c%d VARCHAR2(20)", i)
	}
	s.table("wide", "id NUMBER(9) PRIMARY KEY, "+strings.Join(names, ", "))
	return func(i int) string {
		values := make([]string, columns-1)
		for c := range values {
			values[c] = fmt.Sprintf("'r%d c%d'", i, c)
		}
		return fmt.Sprintf("INSERT INTO $wide VALUES (%d, %s)", i, strings.Join(values, ", "))
	}
}

// R7: rows of 300 columns, each of two redo records on both sides of a bound: that of a closed log, or one inside a log, since what is
// behind exceeds the memory and is mined in parts. Each row comes once and complete.
func TestR7RowsOf300ColumnsOnBothSidesOfABound(t *testing.T) {
	sideBySide(t)
	const columns, rows = 300, 60
	for name, c := range map[string]struct {
		warts  redo.Warts
		change fields
	}{
		"the end of a log":                        {redo.Warts{R7Pieces: 255, R7PieceSwitch: true}, fields{"mining.max_logs_per_step": 1}},
		"the end of a log, shown at the second":   {redo.Warts{R7Pieces: 255, R7PieceSwitch: true, R7LastPiece: true}, fields{"mining.max_logs_per_step": 1}},
		"inside a log":                            {redo.Warts{R7Pieces: 255}, fields{"transactions.memory": "256KiB"}},
		"inside a log, shown at the second piece": {redo.Warts{R7Pieces: 255, R7LastPiece: true}, fields{"transactions.memory": "256KiB"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, misleads(c.warts))
			insert := s.wide(columns)
			p := s.start(nil)
			p.settle()
			p.kill()
			for i := range rows {
				s.exec(insert(i))
			}
			p = s.start(c.change)
			got := p.settle()
			if len(got) != rows {
				t.Fatalf("%d messages, want %d", len(got), rows)
			}
			for i := range got {
				if n := strings.Count(string(got[i].value), fmt.Sprintf(`:"r%d c`, i)); string(got[i].event.Key) != fmt.Sprintf(`{"ID":%d}`, i) || n != columns-1 {
					t.Errorf("message %d has key %s and %d columns", i, got[i].event.Key, n)
				}
			}
			if c.change["transactions.memory"] != nil && s.boundsFrom(p) < 2 {
				t.Error("the rows were mined in one step: no bound lay between their records")
			}
		})
	}
}

// boundsFrom counts the bounds that a pipeline's batches of rows came with.
func (s *scenario) boundsFrom(p *pipeline) int {
	got, _ := p.delivered()
	bounds := map[string]bool{}
	for _, m := range got {
		at := m.event.Position.Done.SCN
		if g := m.event.Position.Group; g != nil {
			at = g.Boundary.SCN
		}
		bounds[at.String()] = true
	}
	return len(bounds)
}

// R20: the log writer stands still, so that a commit reaches the log after the step that covered its SCN: published, counted, and
// the final state is right.
func TestR20CommitOfAPausedLogWriterIsDeliveredAndCounted(t *testing.T) {
	s := begin(t, needing(ownSettings))
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	const late = "oracle_cdc_late_commits_total"
	p := s.start(fields{"emit.heartbeats": "always", "emit.heartbeat_interval": "5ms", "position.interval": "1ms"})
	s.exec("INSERT INTO $t VALUES (1, 0)")
	p.settle()
	if n := p.counted.of(late); n != 0 {
		t.Fatalf("%d late commits before the pause", n)
	}
	resume := s.server.PauseLogWriter()
	s.exec("UPDATE $t SET v = 1")
	committed := s.scn()
	p.until("the bound does not pass the commit", func() bool { return uint64(s.stored().Done.SCN) > committed })
	resume()
	s.exec("UPDATE $t SET v = 2")
	got := withoutHeartbeats(p.settle())
	same(t, got, `{"ID":1} c {"ID":1,"V":0}`, `{"ID":1} u {"ID":1,"V":0} -> {"ID":1,"V":1}`, `{"ID":1} u {"ID":1,"V":1} -> {"ID":1,"V":2}`)
	if n := p.counted.of(late); n != 1 {
		t.Errorf("%d late commits counted, want 1", n)
	}
}

// R119: nothing that is captured happens for a day. A log is switched every hour and what the position does not need is purged; a
// restart is possible in every hour, and none of it makes a message.
func TestR119QuietDayWithSwitchesPurgesAndRestarts(t *testing.T) {
	s := begin(t, logs(3, 64<<10), needing(purging))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	change := fields{"emit.heartbeats": "always", "emit.heartbeat_interval": "5ms", "position.interval": "1ms"}
	p := s.start(change)
	purged := 0
	for hour := range 24 {
		s.server.JumpSCN(2 * margin)
		s.switchLog()
		now := s.scn()
		p.until("the position does not follow", func() bool {
			return uint64(s.stored().Resume.SCN) > now && s.stored().Resume.Equal(s.stored().Done)
		})
		purged += s.purge()
		if hour%3 == 1 {
			p.kill()
			if got, _ := p.delivered(); len(withoutHeartbeats(got)) > 0 {
				t.Fatalf("hour %d: %q", hour, lines(got))
			}
			s.switchLog() // and while nobody captures
			p = s.start(change)
		}
	}
	if purged < 20 {
		t.Errorf("%d logs were purged: the position held them", purged)
	}
	s.exec("INSERT INTO $t VALUES (1)")
	same(t, withoutHeartbeats(p.settle()), inserts(1, 2)...)
}

// R121: the newest address of the position lies in a log that is gone, logs behind the first one that is needed: the start succeeds.
// Only without that log it does not.
func TestR121MarkInAPurgedLogThroughARestart(t *testing.T) {
	sideBySide(t)
	for _, needed := range []bool{false, true} {
		t.Run(fmt.Sprintf("the needed log is gone too: %t", needed), func(t *testing.T) {
			s := begin(t, logs(3, 64<<10), needing(purging))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			change := fields{"emit.heartbeats": "always", "emit.heartbeat_interval": "5ms", "position.interval": "1ms"}
			p := s.start(change)
			s.exec("INSERT INTO $t VALUES (1)")
			p.settle()
			// COMMITs of others are addresses too: nothing commits while the logs are switched.
			for range 5 {
				s.server.JumpSCN(2 * margin)
				s.switchLog()
			}
			p.until("the first needed log does not move", func() bool {
				m := s.stored().Resume.Marks[0]
				return m.Log >= m.Address.Sequence+3
			})
			p.kill()
			if m := s.stored().Resume.Marks[0]; m.Address.IsZero() || m.Log < m.Address.Sequence+3 {
				t.Fatalf("mark %+v", m)
			}
			if s.purge() < 3 {
				t.Fatal("too few logs were purged")
			}
			s.exec("INSERT INTO $t VALUES (2)")
			if needed {
				s.foreignWork()
				s.server.PurgeArchived(s.server.CurrentSCN())
				refusal(t, s.launch(nil).stopped(), 2002, "")
				return
			}
			same(t, s.start(nil).settle(), inserts(2, 3)...)
		})
	}
}

// R67: a transaction in several batches, killed inside, and then more tables are captured: the digest of the settings differs, so it
// is sent again from its first event, with a word about it.
func TestR67SplitTransactionIsSentAgainWhenTheCaptureIsWidened(t *testing.T) {
	sideBySide(t)
	for _, widened := range []bool{false, true} {
		t.Run(fmt.Sprint(widened), func(t *testing.T) {
			s := begin(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			s.table("u", "id NUMBER(9) PRIMARY KEY")
			narrow := fields{"batching.count": 2, "include": s.include("t", fenceTable)}
			p := s.start(narrow)
			blocked := p.blockFrom(3)
			s.commit(
				"INSERT INTO $t VALUES (0)", "INSERT INTO $u VALUES (100)", "INSERT INTO $t VALUES (1)", "INSERT INTO $t VALUES (2)",
				"INSERT INTO $t VALUES (3)", "INSERT INTO $t VALUES (4)", "INSERT INTO $t VALUES (5)",
			)
			<-blocked
			got, _ := p.delivered()
			same(t, got, inserts(0, 4)...)
			p.until("the position does not follow", func() bool { return s.stored().Sequence >= got[3].event.Position.Sequence })
			p.kill()
			if !widened {
				same(t, s.start(narrow).settle(), inserts(4, 6)...)
				return
			}
			p = s.start(fields{"batching.count": 2})
			same(t, p.settle(), slices.Concat(inserts(0, 1), inserts(100, 101), inserts(1, 6))...)
			if !strings.Contains(p.log.text(), "delivered again from its first event") {
				t.Error("nobody is told")
			}
		})
	}
}
