package engine

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// P8, R52: a transaction that holds the position over several logs is named, once in a while, and its age is measured.
func TestR52TransactionThatHoldsThePositionIsNamed(t *testing.T) {
	s := newScene(t)
	var log bytes.Buffer
	s.config.Log = slog.New(slog.NewTextHandler(&log, nil))
	s.config.Now = func() time.Time { return time.Now().AddDate(30, 0, 0) } // behind the time of the rows
	s.step(insert(s.a, xid(3), 1002, 1, "open"))
	for range 6 {
		s.steps = append(s.steps, func() { s.db.now += 10; s.db.switchLog() })
	}
	s.play(s.beginning())
	if n := strings.Count(log.String(), "transaction=3.1.7"); n != 1 || !strings.Contains(log.String(), "logs=3") {
		t.Errorf("named %d times: %s", n, log.String())
	}
	if age := time.Duration(s.seen.last.OldestOpenMillis) * time.Millisecond; s.seen.last.Open != 1 || age <= 0 {
		t.Errorf("%d open, the oldest for %s", s.seen.last.Open, age)
	}
	if s.seen.last.SafeEnd < s.seen.last.Bound {
		t.Errorf("safe end %s below the bound %s", s.seen.last.SafeEnd, s.seen.last.Bound)
	}
}

func TestHolderIsNamedAgainAfterAWhile(t *testing.T) {
	s := newScene(t)
	var log bytes.Buffer
	s.config.Log = slog.New(slog.NewTextHandler(&log, nil))
	m := newMiner(s.config, s.db)
	at := func(log uint32) position.Boundary {
		return position.Boundary{SCN: 1000, Marks: []position.Mark{{Thread: 1, Log: log}}}
	}
	m.buffer.Begin(at(1))
	m.buffer.Hold(transaction.ID{Container: pdb, XID: xid(3)}, 1001)
	m.buffer.Keep()
	now := time.Now()
	for _, look := range []struct {
		log   uint32
		after time.Duration
		named int
	}{{3, 0, 0}, {4, 0, 1}, {5, time.Minute, 1}, {5, heldInterval, 2}} {
		floor, id, held := m.buffer.Floor()
		m.holding.look(s.config, floor, id, held, at(look.log), now.Add(look.after))
		if n := strings.Count(log.String(), "transaction="); n != look.named {
			t.Errorf("log %d after %s: named %d times, want %d", look.log, look.after, n, look.named)
		}
	}
}

func TestFailuresAreToldApart(t *testing.T) {
	stalled := &oracle.Fault{Class: oracle.ReMine, Limit: 3, Becomes: stop.New(stop.Stalled, "LogMiner", "no row")}
	for _, c := range []struct {
		err       error
		reconnect bool
		want      Failure
	}{{stalled, false, StepTimedOut}, {stalled, true, ConnectionLost}, {stop.New(stop.StepFailed, "", "miss"), false, StepFailed}} {
		if got := failureOf(c.err, c.reconnect); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}
