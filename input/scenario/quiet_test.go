package scenario_test

import (
	"os"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// perStep is what one step on a quiet database asks of it, each statement by its first word that fits; the last fits all others. At
// the idle interval of three seconds that is twenty times as much in a minute.
var perStep = []struct {
	word string
	most int
}{
	{"START_LOGMNR", 1},
	{"END_LOGMNR", 1},
	{"ADD_LOGFILE", 2},
	{"V$LOGMNR_CONTENTS", 1},
	{"V$LOGMNR", 0},
	{"CURRENT_SCN", 1},
	{"V$ARCHIVED_LOG", 1},
	{"V$LOGFILE", 2}, // listed, and verified (R10)
	{"V$LOG", 2},
	{"V$THREAD", 1},
	{"V$DATABASE", 1},
	{"SYS_CONTEXT", 1},
	{"V$SESSION", 1},
	{"GV$TRANSACTION", 0},
	{"TAB_COLS", 0},
	{"", 1},
}

// R21: what a quiet database is asked is a small number of statements a step, none of them about the dictionary. With
// ORACLE_CDC_QUIET=1m the rates at the default intervals are measured for so long and printed.
func TestR21StatementsOnAQuietDatabaseKeepTheirBudget(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	long, err := time.ParseDuration(os.Getenv("ORACLE_CDC_QUIET"))
	measure := err == nil
	change := fields{}
	if measure {
		change = fields{"mining.poll_interval": nil, "mining.idle_interval": nil, "position.interval": nil}
	}
	p := s.start(change)
	s.exec("INSERT INTO $t VALUES (1)")
	p.settle()
	counts := make([]*wire.FaultHandle, len(perStep))
	for i, k := range perStep {
		counts[i] = s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: k.word, User: oracletest.CaptureUser})
	}
	if measure {
		p.quiet(15 * time.Second)
		before := make([]int, len(counts))
		for i, h := range counts {
			before[i] = h.Hits()
		}
		p.quiet(long)
		for i, h := range counts {
			t.Logf("%6.1f a minute %q", float64(h.Hits()-before[i])/long.Minutes(), perStep[i].word)
		}
		return
	}
	const steps = 30
	p.until("the steps do not go on", func() bool { return counts[0].Hits() >= steps })
	starts := counts[0].Hits()
	for i, h := range counts {
		// One more step may be under way.
		if n, most := h.Hits(), perStep[i].most*(starts+2); n > most {
			t.Errorf("%d statements with %q in %d steps, want at most %d a step", n, perStep[i].word, starts, perStep[i].most)
		}
	}
}
