package scenario_test

import (
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
	if h.Hits() != 4 || time.Since(began) > 30*time.Second {
		t.Errorf("%d attempts in %s, want three retries", h.Hits(), time.Since(began))
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
