package scenario_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

const contents = "V$LOGMNR_CONTENTS"

func ora(code int, text string) *wire.OraError { return &wire.OraError{Code: code, Message: text} }

// R11: whatever happens in the middle of a step, it leaves nothing and is mined again.
func TestR11FaultInTheMiddleOfAFetchLosesAndRepeatsNothing(t *testing.T) {
	sideBySide(t)
	for name, f := range map[string]wire.Fault{
		"connection reset":      {Then: wire.Reset},
		"connection closed":     {Then: wire.Close},
		"ORA-03113 and closed":  {Err: ora(3113, "end-of-file on communication channel"), Then: wire.Close},
		"ORA-00028 and closed":  {Err: ora(28, "your session has been killed"), Then: wire.Close},
		"ORA-00310":             {Err: ora(310, "archived log contains sequence 2; sequence 1 required")},
		"ORA-01291":             {Err: ora(1291, "missing log file")},
		"ORA-00604 around 310":  {Err: ora(604, "error occurred at recursive SQL level 1\nORA-00310: archived log contains sequence 2; sequence 1 required")},
		"ORA-01013 unexpected":  {Err: ora(1013, "user requested cancel of current operation")},
		"ORA-04036 memory":      {Err: ora(4036, "PGA memory used by the instance exceeds PGA_AGGREGATE_LIMIT")},
		"silence until timeout": {Then: wire.Hang},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(wireFaults))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			change := fields{"mining.fetch_rows": 26}
			if f.Then == wire.Hang {
				change["connection.read_timeout"], change["mining.query_timeout"] = "1s", "950ms"
			}
			p := s.start(change)
			var want []string
			for i, row := range []uint64{1, 2, 40} {
				f.Call, f.SQL, f.Rows, f.Count = wire.CallFetch, contents, row, 1
				h := s.server.AddFault(f)
				from := i * 100
				oneByOne(s, from/20, from/20+5, 20)
				want = append(want, inserts(from, from+100)...)
				if err := h.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				same(t, p.settle(), want...)
			}
		})
	}
}

// Every call of a step may fail.
func TestFaultAtAnyCallLosesAndRepeatsNothing(t *testing.T) {
	sideBySide(t)
	for name, f := range map[string]wire.Fault{
		"START fails":                     {Call: wire.CallExecute, SQL: "START_LOGMNR", Err: ora(1291, "missing log file")},
		"START is answered by a reset":    {Call: wire.CallExecute, SQL: "START_LOGMNR", Executed: true, Then: wire.Reset},
		"ADD_LOGFILE meets a duplicate":   {Call: wire.CallExecute, SQL: "ADD_LOGFILE", Err: ora(1289, "cannot add duplicate logfile")},
		"ADD_LOGFILE finds no file":       {Call: wire.CallExecute, SQL: "ADD_LOGFILE", Err: ora(1284, "file cannot be opened")},
		"the query is refused once":       {Call: wire.CallExecute, SQL: contents, Err: ora(1306, "dbms_logmnr.start_logmnr() must be invoked before selecting from v$logmnr_contents")},
		"the query never begins":          {Call: wire.CallExecute, SQL: contents, Then: wire.Reset},
		"the inventory fails":             {Call: wire.CallExecute, SQL: "V$ARCHIVED_LOG", Err: ora(3135, "connection lost contact"), Then: wire.Close},
		"the clock cannot be read":        {Call: wire.CallExecute, SQL: "CURRENT_SCN", Then: wire.Close},
		"the instance goes down":          {Call: wire.CallExecute, SQL: "START_LOGMNR", Err: ora(1089, "immediate shutdown or close in progress - no operations are permitted"), Then: wire.Close},
		"END fails":                       {Call: wire.CallExecute, SQL: "END_LOGMNR", Err: ora(1307, "no LogMiner session is currently active")},
		"a log is missing three times":    {Call: wire.CallExecute, SQL: "START_LOGMNR", Err: ora(1291, "missing log file"), Count: 3},
		"a container is closed meanwhile": {Call: wire.CallExecute, SQL: "START_LOGMNR", Err: ora(16331, `container "FREEPDB1" is not open`)},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(wireFaults))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(nil)
			f.User = oracletest.CaptureUser
			f.Count = max(f.Count, 1)
			h := s.server.AddFault(f)
			oneByOne(s, 0, 5, 3)
			if err := h.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			same(t, p.settle(), inserts(0, 15)...)
		})
	}
}

func TestKilledSessionsAreReplaced(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	for i := range 3 {
		n, err := s.db.KillCapture(t.Context())
		if err != nil || n == 0 {
			t.Fatalf("%d sessions were killed: %v", n, err)
		}
		oneByOne(s, i*5, i*5+5, 3)
		same(t, p.settle(), inserts(0, i*15+15)...)
	}
}

// A listener that refuses for a while, after the sessions died.
func TestUnreachableDatabaseIsTriedAgainUntilItIsBack(t *testing.T) {
	sideBySide(t)
	for name, f := range map[string]wire.Fault{
		"the listener knows no handler": {Call: wire.CallConnect, Err: ora(12514, "listener does not currently know of service requested")},
		"the connection is reset":       {Call: wire.CallConnect, Then: wire.Reset},
		"the instance is starting":      {Call: wire.CallLogon, User: oracletest.CaptureUser, Err: ora(1033, "ORACLE initialization or shutdown in progress")},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(wireFaults, unreachable))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(nil)
			oneByOne(s, 0, 2, 3)
			p.settle()
			f.Count = 2
			h := s.server.AddFault(f)
			if _, err := s.db.KillCapture(t.Context()); err != nil {
				t.Fatal(err)
			}
			p.until("nobody connects again", func() bool { return h.Hits() == 2 })
			oneByOne(s, 2, 4, 3)
			same(t, p.settle(), inserts(0, 12)...)
		})
	}
}

// A database that is not there yet is waited for; nothing is stored meanwhile.
func TestFirstStartWaitsForADatabaseThatIsNotReachable(t *testing.T) {
	s := begin(t, needing(wireFaults, unreachable))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	h := s.server.AddFault(wire.Fault{Call: wire.CallConnect, Err: ora(12528, "all appropriate instances are blocking new connections"), Count: 3})
	p := s.start(nil)
	if h.Hits() != 3 {
		t.Errorf("captures after %d of 3 refusals", h.Hits())
	}
	s.commit("INSERT INTO $t VALUES (1)")
	same(t, p.settle(), `{"ID":1} c {"ID":1}`)
}

// An ORA code that nobody classified is a stop that names it (contracts 6).
func TestR138UnknownORACodeIsATypedStop(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: contents, Err: ora(29999, "something new")})
	stopped := p.stopped()
	refusal(t, stopped, 1003, "ORA-29999")
	if stopped.ORA != 29999 {
		t.Errorf("ORA number %d", stopped.ORA)
	}
}

// A step that fails for ever is a typed stop after a number of attempts, not a loop.
func TestLogThatStaysMissingIsATypedStop(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	h := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "ADD_LOGFILE", Err: ora(1284, "file cannot be opened")})
	refusal(t, p.stopped(), 2002, "ORA-01284")
	if h.Hits() < 2 {
		t.Errorf("%d attempts", h.Hits())
	}
}

// One fault after the other while several sessions work.
func TestFaultsUnderLoadLoseAndRepeatNothing(t *testing.T) {
	s := begin(t, needing(wireFaults), logs(3, 64<<10))
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)")
	p := s.start(fields{"mining.fetch_rows": 26, "batching.count": 10})
	faults := []wire.Fault{
		{Call: wire.CallFetch, SQL: contents, Rows: 3, Then: wire.Reset},
		{Call: wire.CallExecute, SQL: "START_LOGMNR", Err: ora(1291, "missing log file")},
		{Call: wire.CallFetch, SQL: contents, Rows: 11, Err: ora(310, "archived log contains sequence 2; sequence 1 required")},
		{Call: wire.CallExecute, SQL: "V$LOG", Executed: true, Then: wire.Close},
		{Call: wire.CallFetch, SQL: contents, Rows: 29, Err: ora(3113, "end-of-file on communication channel"), Then: wire.Close},
	}
	for i, f := range faults {
		f.User, f.Count = oracletest.CaptureUser, 1
		h := s.server.AddFault(f)
		work(s, uint64(100+i), 120)
		s.switchLog()
		if err := h.Wait(t.Context()); err != nil {
			t.Fatalf("fault %d: %v", i, err)
		}
		p.settle()
	}
	got := p.settle()
	replica := map[string]string{}
	for i := range got {
		got[i].applyTo(replica)
	}
	if want := s.rowsAt("t", s.scn()); fmt.Sprint(want) != fmt.Sprint(replica) {
		t.Errorf("the table is %v, the stream makes %v", want, replica)
	}
	ids := identities(got)
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			t.Fatalf("%s came twice", id)
		}
	}
}
