package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// R9: a statement in several chunks that is cut off between them is read again whole.
func TestR9StatementsInChunksAreNeverAppliedInPart(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY, a VARCHAR2(4000), b VARCHAR2(4000)")
	p := s.start(fields{"mining.fetch_rows": 26})
	a, b := strings.Repeat("é'", 1300), strings.Repeat("☃", 1300)
	var want []string
	for i := range 6 {
		h := s.server.AddFault(wire.Fault{Call: wire.CallFetch, SQL: contents, Rows: uint64(2 + i), Count: 1, Then: wire.Reset})
		s.exec("INSERT INTO $t VALUES (:1, :2, :3)", i, a, b)
		want = append(want, fmt.Sprintf(`{"ID":%d} c {"ID":%d,"A":"%s","B":"%s"}`, i, i, a, b))
		if err := h.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		same(t, p.settle(), want...)
	}
}

// P5: messages that are out are bounded, and a transaction that is larger than the bound passes all the same.
func TestCheckpointLimitHoldsBackAndLetsPass(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(fields{"checkpoint_limit": 10, "batching.count": 4})
	x := s.begin()
	for i := range 100 {
		x.exec("INSERT INTO $t VALUES (:1)", i)
	}
	x.commit()
	same(t, p.settle(), inserts(0, 100)...)
}

// A backlog of many small transactions is larger than the budget, and none of them is: it is worked off.
func TestBacklogBeyondTheBudgetIsWorkedOff(t *testing.T) {
	s := begin(t, logs(4, 64<<10))
	s.table("t", "id NUMBER(9) PRIMARY KEY, filler VARCHAR2(400)")
	p := s.start(nil)
	p.settle()
	p.stop()
	const transactions, rows = 100, 20
	for k := range transactions {
		ids := make([]int, rows)
		for r := range ids {
			ids[r] = k*rows + r
		}
		s.exec("INSERT INTO $t SELECT :1, RPAD('x', 400, 'x') FROM dual", ids)
	}
	p = s.start(fields{"transactions.memory": "256KiB"})
	got := p.settle()
	if len(got) != transactions*rows {
		t.Fatalf("%d messages, want %d", len(got), transactions*rows)
	}
	for i := range got {
		if want := fmt.Sprintf(`{"ID":%d}`, i); string(got[i].event.Key) != want {
			t.Fatalf("message %d has key %s, want %s", i, got[i].event.Key, want)
		}
	}
}

// While the output is behind, mining waits instead of filling the memory.
func TestSlowOutputHoldsBackInsteadOfExhaustingTheBudget(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, filler VARCHAR2(400)")
	p := s.launch(fields{"transactions.memory": "512KiB", "batching.count": 100})
	gate := make(chan struct{})
	p.judgeBy(func(ctx context.Context, _ int, _ []message) error {
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	p.awaitCapture()
	const transactions, rows = 30, 100
	for k := range transactions {
		ids := make([]int, rows)
		for r := range ids {
			ids[r] = k*rows + r
		}
		s.exec("INSERT INTO $t SELECT :1, RPAD('x', 400, 'x') FROM dual", ids)
	}
	p.until("no batch comes", func() bool { return p.taken() > 0 })
	close(gate)
	if got := p.settle(); len(got) != transactions*rows {
		t.Fatalf("%d messages, want %d", len(got), transactions*rows)
	}
}

// An output that refuses everything does not make the input log on all the time.
func TestOutputThatRefusesEverythingIsNotAStormOfLogons(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	logons := s.server.AddFault(wire.Fault{Call: wire.CallLogon, User: oracletest.CaptureUser})
	p := s.launch(nil)
	var refusals atomic.Int64
	p.judgeBy(func(context.Context, int, []message) error {
		refusals.Add(1)
		return errors.New("no")
	})
	p.awaitCapture()
	before := logons.Hits()
	s.exec("INSERT INTO $t VALUES (1)")
	p.until("nothing is refused", func() bool { return refusals.Load() > 0 })
	p.quiet(3 * time.Second)
	if n := logons.Hits() - before; n > 20 {
		t.Errorf("%d log-ons in 3 seconds for %d refusals", n, refusals.Load())
	}
	p.judgeBy(nil)
	same(t, p.settle(), `{"ID":1} c {"ID":1}`)
}

// A stop is prompt wherever the input is.
func TestStopEndsTheInputWhereverItIs(t *testing.T) {
	sideBySide(t)
	t.Run("listing open transactions", func(t *testing.T) {
		s := begin(t, needing(wireFaults))
		s.table("t", "id NUMBER(9) PRIMARY KEY")
		s.begin().exec("INSERT INTO $t VALUES (1)")
		hold := make(chan struct{})
		t.Cleanup(func() { close(hold) })
		h := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "GV$TRANSACTION", User: oracletest.CaptureUser, Hold: hold})
		p := s.launch(nil)
		p.until("a first start does not ask for open transactions", func() bool { return h.Hits() > 0 })
		p.stop()
		p.untouched()
	})
	t.Run("waiting for the database", func(t *testing.T) {
		s := begin(t, needing(wireFaults))
		h := s.server.AddFault(wire.Fault{Call: wire.CallConnect, Err: ora(12528, "all appropriate instances are blocking new connections")})
		p := s.launch(nil)
		p.until("nobody connects", func() bool { return h.Hits() > 0 })
		h.Remove()
		p.stop()
	})
	t.Run("fetching from a silent server", func(t *testing.T) {
		s := begin(t, needing(wireFaults))
		s.table("t", "id NUMBER(9) PRIMARY KEY")
		p := s.start(nil)
		held := make(chan struct{})
		defer close(held)
		h := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: contents, Hold: held})
		if err := h.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.stop()
	})
	t.Run("connecting to a server that hangs", func(t *testing.T) {
		s := begin(t, needing(wireFaults))
		h := s.server.AddFault(wire.Fault{Call: wire.CallLogon, User: oracletest.CaptureUser, Then: wire.Hang})
		p := s.launch(fields{"connection.connect_timeout": "5s"})
		if err := h.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.stop()
	})
	t.Run("behind an output that takes nothing", func(t *testing.T) {
		s := begin(t)
		s.table("t", "id NUMBER(9) PRIMARY KEY")
		p := s.launch(fields{"checkpoint_limit": 2, "batching.count": 1})
		waits := p.blockFrom(1)
		p.awaitCapture()
		oneByOne(s, 0, 10, 1)
		<-waits
		p.stopHard()
		p.untouched()
		same(t, s.start(nil).settle(), inserts(0, 10)...)
	})
}

// The folder of the position file goes away.
func TestPositionFolderThatGoesAwayIsATypedStop(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	if err := os.Rename(filepath.Dir(s.file), filepath.Dir(s.file)+".away"); err != nil {
		t.Fatal(err)
	}
	s.exec("INSERT INTO $t VALUES (1)")
	refusal(t, p.stopped(), 5003, s.file)
	if err := os.Rename(filepath.Dir(s.file)+".away", filepath.Dir(s.file)); err != nil {
		t.Fatal(err)
	}
	p.stop()
	p = s.start(nil)
	p.settle()
}

func TestTableOf300ColumnsIsCaptured(t *testing.T) {
	s := begin(t)
	columns, values, image := []string{"id NUMBER(9) PRIMARY KEY"}, []string{"1"}, `{"ID":1`
	for i := range 300 {
		columns = append(columns, fmt.Sprintf("a_rather_long_name_%d VARCHAR2(40)", i))
		values = append(values, fmt.Sprintf("'value of column %d'", i))
		image += fmt.Sprintf(`,"A_RATHER_LONG_NAME_%d":"value of column %d"`, i, i)
	}
	s.table("t", strings.Join(columns, ", "))
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES ("+strings.Join(values, ", ")+")", "UPDATE $t SET a_rather_long_name_0 = NULL")
	changed := strings.Replace(image, `"value of column 0"`, "null", 1)
	same(t, p.settle(), `{"ID":1} c `+image+"}", `{"ID":1} u `+image+"} -> "+changed+"}")
}

// R135: nothing is made of the distance between two SCNs.
func TestR135SCNsThatJumpLoseNothing(t *testing.T) {
	s := begin(t, needing(ownSettings))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	open := s.connect(app).begin()
	open.exec("INSERT INTO $t VALUES (100)")
	for i := range 3 {
		oneByOne(s, i, i+1, 2)
		s.server.JumpSCN(1_000_000_000_000)
		p.settle()
	}
	open.commit()
	same(t, p.settle(), append(inserts(0, 6), inserts(100, 101)...)...)
}

// R136: the redo has the wall clock of the server; records have the time since the epoch.
func TestR136TimesAreThoseOfTheEpochWhateverTheServersZone(t *testing.T) {
	sideBySide(t)
	for name, zone := range map[string]*time.Location{
		"UTC": time.UTC, "east": time.FixedZone("east", 5*3600+1800), "west": time.FixedZone("west", -9*3600),
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(ownSettings), serving(func(c *oracletest.Config) { c.Zone = zone }))
			s.table("t", "id NUMBER(9) PRIMARY KEY, d DATE")
			p := s.start(nil)
			s.exec("INSERT INTO $t VALUES (1, TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS'))")
			got := p.settle()
			same(t, got, `{"ID":1} c {"ID":1,"D":1772286359000}`)
			for _, ms := range []int64{got[0].event.Millis, got[0].event.Transaction.CommitMillis} {
				if off := time.Since(time.UnixMilli(ms)); off < -2*time.Second || off > 2*time.Minute {
					t.Errorf("the record says %s, which is %s ago", time.UnixMilli(ms).UTC(), off)
				}
			}
		})
	}
}

func TestRelease19IsCaptured(t *testing.T) {
	s := begin(t, needing(ownSettings), serving(func(c *oracletest.Config) { c.Release = 19 }))
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)")
	p := s.start(nil)
	work(s, 19, 200)
	s.switchLog()
	work(s, 20, 100)
	replica := map[string]string{}
	for _, m := range p.settle() {
		m.applyTo(replica)
	}
	if want := s.rowsAt("t", s.scn()); fmt.Sprint(want) != fmt.Sprint(replica) || len(replica) == 0 {
		t.Errorf("the table is %v, the stream makes %v", want, replica)
	}
}
