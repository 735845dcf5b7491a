package oracle_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestR16SettingsAreReadBackAfterConnect(t *testing.T) {
	s := &script{}
	w := server(t, s)
	session := connect(t, config(w))
	if id := session.ID(); id.SID == 0 || id.Serial == 0 {
		t.Errorf("session id %+v", id)
	}
	for _, setting := range []string{"NLS_DATE_FORMAT", "NLS_TIMESTAMP_TZ_FORMAT", "TIME_ZONE"} {
		s.mu.Lock()
		s.refuse = setting
		s.mu.Unlock()
		_, err := oracle.Connect(t.Context(), config(w), oracle.Bookkeeping)
		if !errors.Is(err, oracle.ErrSettings) || !strings.Contains(err.Error(), setting) {
			t.Errorf("a server that ignores %s: %v", setting, err)
		}
	}
}

func TestR10CheckNoticesAnotherSession(t *testing.T) {
	s := &script{}
	session := connect(t, config(server(t, s)))
	if err := session.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.serialShift = 1
	s.mu.Unlock()
	err := session.Check(t.Context())
	if class, _ := oracle.Classify(err); !errors.Is(err, oracle.ErrOtherSession) || class != oracle.Reconnect {
		t.Errorf("another SERIAL#: %v", err)
	}
}

func TestStatementsOnASessionOneAtATime(t *testing.T) {
	s := &script{}
	s.rows("two rows", []string{"a"}, []string{"b"})
	session := connect(t, config(server(t, s)))
	rows, err := session.Query(t.Context(), oracle.Statement{Name: "read two", Text: "select two rows"})
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if _, err := read(t.Context(), session, "select two rows"); !errors.Is(err, oracle.ErrRowsOpen) {
		t.Errorf("a second query while rows are open: %v", err)
	}
	if err := session.Exec(t.Context(), oracle.Statement{Name: "end", Text: "BEGIN NULL; END;"}); !errors.Is(err, oracle.ErrRowsOpen) {
		t.Errorf("a call while rows are open: %v", err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), session, "select two rows"); err != nil || len(got) != 2 {
		t.Errorf("after Close: %v %v", got, err)
	}
}

func TestOracleErrorsLeaveTheSessionUsable(t *testing.T) {
	s := &script{}
	s.rows("one row", []string{"a"})
	session := connect(t, config(server(t, s)))
	_, err := read(t.Context(), session, "select nothing")
	if n, ok := oracle.Code(err); !ok || n != 942 || !session.Usable() {
		t.Fatalf("error %v, usable %t", err, session.Usable())
	}
	if got, err := read(t.Context(), session, "select one row"); err != nil || len(got) != 1 {
		t.Errorf("the next query: %v %v", got, err)
	}
}

// The driver answers query 2 with the rows of query 1 when the connection is used again after a read time-out
// (reference tns-server 14.3).
func TestR16ReadTimeoutThrowsTheConnectionAway(t *testing.T) {
	s := &script{}
	s.rows("first", []string{"1"})
	s.rows("second", []string{"2"})
	w := server(t, s)
	cfg := config(w)
	cfg.ReadTimeout = time.Second
	session := connect(t, cfg)
	release := make(chan struct{})
	w.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "first", Count: 1, Hold: release})
	_, err := read(t.Context(), session, "select first")
	close(release)
	if class, _ := oracle.Classify(err); class != oracle.Reconnect || session.Usable() {
		t.Fatalf("after a read time-out: %v, usable %t", err, session.Usable())
	}
	got, err := read(t.Context(), session, "select second")
	if !errors.Is(err, oracle.ErrUnusable) || got != nil {
		t.Errorf("the poisoned session gave %v, %v", got, err)
	}
	if class, _ := oracle.Classify(err); class != oracle.Reconnect {
		t.Errorf("class of an unusable session: %s", class)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if got, err := read(t.Context(), connect(t, cfg), "select second"); err != nil || len(got) != 1 || got[0] != "2" {
		t.Errorf("a new session: %v %v", got, err)
	}
}

// database/sql and the driver swallow what goes wrong while they close the cursor of a call that succeeded.
func TestR16TimeoutWhileACursorIsClosedIsNoticed(t *testing.T) {
	s := &script{}
	s.on("BEGIN", func(context.Context, *scriptSession) (wire.Result, error) { return wire.Result{}, nil })
	w := server(t, s)
	cfg := config(w)
	cfg.ReadTimeout = time.Second
	session := connect(t, cfg)
	w.AddFault(wire.Fault{Call: wire.CallPing, Then: wire.Hang})
	_ = session.Exec(t.Context(), oracle.Statement{Name: "call", Text: "BEGIN NULL; END;"})
	if session.Usable() {
		t.Error("the session is used on although the answer to a close is still on its way")
	}
}

func TestConnectionClosedByTheServer(t *testing.T) {
	for name, how := range map[string]wire.Outcome{"closed": wire.Close, "reset": wire.Reset} {
		t.Run(name, func(t *testing.T) {
			s := &script{}
			s.on("many", func(context.Context, *scriptSession) (wire.Result, error) { return endless(), nil })
			w := server(t, s)
			session := connect(t, config(w))
			w.AddFault(wire.Fault{Call: wire.CallFetch, Rows: 120, Then: how})
			got, err := read(t.Context(), session, "select many")
			if class, typed := oracle.Classify(err); class != oracle.Reconnect || typed.Code != stop.Unavailable {
				t.Fatalf("%d rows, %v", len(got), err)
			}
			if session.Usable() {
				t.Error("still usable")
			}
		})
	}
}

// A socket closed on the client's side is never thrown out by the driver: every later call fails for ever.
func TestLocallyClosedSocketIsNotUsedAgain(t *testing.T) {
	s := &script{}
	s.on("slow", func(ctx context.Context, _ *scriptSession) (wire.Result, error) {
		<-ctx.Done()
		return wire.Result{}, wire.Errorf(1013, "user requested cancel of current operation")
	})
	w := server(t, s)
	cfg := config(w)
	cfg.InterruptGrace = 50 * time.Millisecond
	session := connect(t, cfg)
	w.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "slow", Then: wire.Hang})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := read(ctx, session, "select slow"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	_, err := read(t.Context(), session, "select slow")
	if !errors.Is(err, oracle.ErrUnusable) || errors.Is(err, net.ErrClosed) && session.Usable() {
		t.Errorf("error %v", err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

// endless gives rows until the call is broken off.
func endless() wire.Result {
	return stream(func(ctx context.Context, n int) ([]string, error) {
		if ctx.Err() != nil {
			return nil, wire.Errorf(1013, "user requested cancel of current operation")
		}
		return []string{fmt.Sprint(n)}, nil
	}, 1)
}
