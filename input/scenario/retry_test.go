package scenario_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// quick makes attempts follow each other fast.
func quick(change fields) fields {
	all := fields{"retry.initial_interval": "1ms", "retry.max_interval": "5ms"}
	for path, value := range change {
		all[path] = value
	}
	return all
}

// R10: a step that fails for ever with an error that mining again may cure stops after so many failures.
func TestStepRetriesAreBoundedByTheField(t *testing.T) {
	sideBySide(t)
	for _, limit := range []int{1, 4} {
		t.Run(strconv.Itoa(limit), func(t *testing.T) {
			s := begin(t, needing(wireFaults))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(quick(fields{"mining.max_step_retries": limit}))
			h := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "START_LOGMNR", Err: ora(310, "archived log contains sequence 2; sequence 1 required")})
			refusal(t, p.stopped(), 1002, "ORA-00310")
			if h.Hits() != limit+1 {
				t.Errorf("%d attempts, want %d and the one that is too many", h.Hits(), limit)
			}
		})
	}
}

// R11: three steps in a row in which no row arrives.
func TestSilentStepsAreATypedStopAfterTheQueryTimeout(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(quick(fields{"mining.query_timeout": "100ms"}))
	held := make(chan struct{})
	defer close(held)
	h := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: contents, Hold: held})
	began := time.Now()
	refusal(t, p.stopped(), 4003, "LogMiner")
	if h.Hits() != 3 || time.Since(began) > 30*time.Second {
		t.Errorf("%d attempts in %s, want three", h.Hits(), time.Since(began))
	}
}

// R11: rows that come slowly are no silence, although they travel in arrays: a log takes three times the time-out, with thirty rows.
func TestR11RowsThatComeSlowlyAreNoSilence(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(quick(nil))
	p.settle()
	p.kill()
	const rows = 30
	for n := range uint64(rows) {
		s.server.AddFault(wire.Fault{Call: wire.CallFetch, User: oracletest.CaptureUser, SQL: contents, Rows: n + 1, Delay: 100 * time.Millisecond})
	}
	oneByOne(s, 0, 1, rows)
	p = s.start(quick(fields{"mining.query_timeout": "1s", "connection.read_timeout": "10s"}))
	same(t, p.settle(), inserts(0, rows)...)
}

// R11, R12: silent steps of several logs are mined again with half of them; only those of one log count towards the stop.
func TestR11SilentStepsOfSeveralLogsAreHalvedFirst(t *testing.T) {
	s := begin(t, needing(wireFaults, ownSettings), logs(3, 64<<10))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	p.settle()
	p.kill()
	const many = 60
	for i := range many {
		s.exec("INSERT INTO $t VALUES (:1)", i)
		s.server.JumpSCN(2 * margin)
		s.switchLog()
	}
	// A blocked output holds mining back when steps have grown to eight logs.
	p = s.launch(quick(fields{"mining.query_timeout": "1s", "mining.max_logs_per_step": 8, "batching.count": 1, "checkpoint_limit": 1}))
	gate := make(chan struct{})
	p.judgeBy(func(ctx context.Context, _ int, _ []message) error {
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	p.until("no batch comes", func() bool { return p.taken() > 0 })
	added := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "ADD_LOGFILE"})
	quiet, last := 0, -1
	p.until("mining is not held back", func() bool {
		if now := added.Hits(); now != last {
			quiet, last = 0, now
		}
		quiet++
		return quiet > 40
	})
	t.Logf("%d logs were added before the output opens", added.Hits())
	held := make(chan struct{})
	h := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: contents, Hold: held})
	close(gate)
	// Fewer logs each time, and twice one, which the same number of logs as before shows: a third silence would end capture.
	var sizes []int
	before, singles := added.Hits(), 0
	p.until("steps are not halved down to one log", func() bool {
		if h.Hits() == len(sizes) {
			return false
		}
		size := added.Hits() - before
		if before += size; len(sizes) > 0 && size == sizes[len(sizes)-1] {
			singles++
		}
		sizes = append(sizes, size)
		return singles == 2
	})
	close(held)
	h.Remove()
	same(t, p.settle(), inserts(0, many)...)
	// Steps grow while they are fast: on a slow machine the first one that is silent has fewer than eight logs. One with more than four, its
	// margin among them, is halved twice at least before it is one log.
	smaller, least := slices.Compact(slices.Clone(sizes)), 3
	if sizes[0] <= 4 {
		least = 2
	}
	if len(smaller) < least || len(smaller) != len(sizes)-2 || !slices.IsSortedFunc(smaller, func(a, b int) int { return b - a }) {
		t.Errorf("silent steps of %v logs: not halved, and three times one log", sizes)
	}
}

// A database that stays away is a typed stop after retry.max_time, at the start and in the middle.
func TestUnreachableDatabaseIsATypedStopAfterTheTimeForRetries(t *testing.T) {
	sideBySide(t)
	t.Run("at the start", func(t *testing.T) {
		s := begin(t, needing(wireFaults, unreachable))
		h := s.server.AddFault(wire.Fault{Call: wire.CallConnect, Err: ora(12528, "all appropriate instances are blocking new connections")})
		p := s.launch(quick(fields{"retry.max_time": "300ms"}))
		refusal(t, p.stopped(), 1001, "ORA-12528")
		if h.Hits() < 3 {
			t.Errorf("%d attempts", h.Hits())
		}
		h.Remove()
	})
	t.Run("in the middle", func(t *testing.T) {
		s := begin(t, needing(wireFaults, unreachable))
		p := s.start(quick(fields{"retry.max_time": "300ms"}))
		h := s.server.AddFault(wire.Fault{Call: wire.CallLogon, User: oracletest.CaptureUser, Err: ora(1033, "ORACLE initialization or shutdown in progress")})
		if _, err := s.db.KillCapture(t.Context()); err != nil {
			t.Fatal(err)
		}
		refusal(t, p.stopped(), 1001, "ORA-01033")
		if h.Hits() < 3 {
			t.Errorf("%d attempts", h.Hits())
		}
		h.Remove()
	})
}

// R1, R12: an older bound and steps of one log deliver the same.
func TestOlderBoundsAndSmallStepsDeliverTheSame(t *testing.T) {
	s := begin(t, logs(3, 64<<10))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	change := fields{"mining.hold_back": "300ms", "mining.max_logs_per_step": 1}
	p := s.start(change)
	p.stop()
	for i := range 5 {
		oneByOne(s, i, i+1, 4)
		s.switchLog()
	}
	p = s.start(change)
	same(t, p.settle(), inserts(0, 20)...)
	began := time.Now()
	oneByOne(s, 5, 6, 4)
	same(t, p.settle(), inserts(0, 24)...)
	if took := time.Since(began); took < 300*time.Millisecond {
		t.Errorf("delivered %s after the commit, before its bound was old enough", took)
	}
}
