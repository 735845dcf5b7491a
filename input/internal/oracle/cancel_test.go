package oracle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

var errEnough = errors.New("enough")

// blocked gives n rows and then nothing, until the call is broken off; reached is closed when it blocks.
func blocked(n int, reached chan<- struct{}) wire.Result {
	return stream(func(ctx context.Context, i int) ([]string, error) {
		if i < n {
			return []string{fmt.Sprint(i)}, nil
		}
		close(reached)
		<-ctx.Done()
		return nil, wire.Errorf(1013, "user requested cancel of current operation")
	}, 1)
}

// The driver's fetch ignores its context (reference tns-server 14.4).
func TestCancelReachesABlockedFetch(t *testing.T) {
	s := &script{}
	session := connect(t, config(server(t, s)))
	for round := range 3 {
		reached := make(chan struct{})
		s.on("blocked", func(context.Context, *scriptSession) (wire.Result, error) { return blocked(120, reached), nil })
		s.rows("after", []string{fmt.Sprint(round)})
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-reached
			cancel(errEnough)
		}()
		got, err := read(ctx, session, "select blocked")
		if !errors.Is(err, errEnough) || !session.Usable() {
			t.Fatalf("%d rows, error %v, usable %t", len(got), err, session.Usable())
		}
		if got, err := read(t.Context(), session, "select after"); err != nil || len(got) != 1 || got[0] != fmt.Sprint(round) {
			t.Fatalf("the next query: %v %v", got, err)
		}
	}
}

func TestCancelReachesABlockedCall(t *testing.T) {
	s := &script{}
	reached := make(chan struct{})
	s.on("START_LOGMNR", func(ctx context.Context, _ *scriptSession) (wire.Result, error) {
		close(reached)
		<-ctx.Done()
		return wire.Result{}, wire.Errorf(1013, "user requested cancel of current operation")
	})
	session := connect(t, config(server(t, s)))
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-reached
		cancel(errEnough)
	}()
	err := session.Exec(ctx, oracle.Statement{Name: "start", Text: "BEGIN DBMS_LOGMNR.START_LOGMNR; END;"})
	if !errors.Is(err, errEnough) || !session.Usable() {
		t.Errorf("error %v, usable %t", err, session.Usable())
	}
}

func TestCancelClosesTheSocketOfASilentServer(t *testing.T) {
	s := &script{}
	s.on("many", func(context.Context, *scriptSession) (wire.Result, error) { return endless(), nil })
	w := server(t, s)
	cfg := config(w)
	cfg.InterruptGrace = 50 * time.Millisecond
	session := connect(t, cfg)
	hang := w.AddFault(wire.Fault{Rows: 75, Then: wire.Hang})
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		_ = hang.Wait(t.Context())
		cancel(errEnough)
	}()
	if _, err := read(ctx, session, "select many"); !errors.Is(err, errEnough) {
		t.Errorf("error %v", err)
	}
	if session.Usable() {
		t.Error("usable although nobody answered the interrupt")
	}
}

// A marker sent just too late makes the next call fail with ORA-01013: such a session is not used again.
func TestLateInterruptAndUnexpectedCancelEndTheSession(t *testing.T) {
	s := &script{}
	s.on("cancelled", func(context.Context, *scriptSession) (wire.Result, error) {
		return wire.Result{}, wire.Errorf(1013, "user requested cancel of current operation")
	})
	session := connect(t, config(server(t, s)))
	_, err := read(t.Context(), session, "select cancelled")
	if class, _ := oracle.Classify(err); class != oracle.ReMine {
		t.Errorf("class of an unexpected ORA-01013: %s (%v)", class, err)
	}
	if session.Usable() {
		t.Error("usable after an ORA-01013 that nobody asked for")
	}
}

// Cancels race with completion: whatever happens, a session that still calls itself usable answers rightly.
func TestCancelRacesWithCompletion(t *testing.T) {
	s := &script{}
	s.on("short", func(context.Context, *scriptSession) (wire.Result, error) {
		return table([]string{"a"}, []string{"b"}, []string{"c"}), nil
	})
	s.rows("check", []string{"right"})
	w := server(t, s)
	session := connect(t, config(w))
	lost := 0
	for i := range 100 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*7)*time.Microsecond)
		got, err := read(ctx, session, "select short")
		cancel()
		if err == nil && len(got) != 3 {
			t.Fatalf("round %d: %v without an error", i, got)
		}
		if !session.Usable() {
			lost++
			if err := session.Close(); err != nil {
				t.Fatal(err)
			}
			session = connect(t, config(w))
		}
		if got, err := read(t.Context(), session, "select check"); err != nil || len(got) != 1 || got[0] != "right" {
			t.Fatalf("round %d: a usable session answers %v, %v", i, got, err)
		}
	}
	t.Logf("%d sessions thrown away", lost)
}

func TestCloseWithOpenRowsDoesNotBlock(t *testing.T) {
	s := &script{}
	s.on("many", func(context.Context, *scriptSession) (wire.Result, error) { return endless(), nil })
	session := connect(t, config(server(t, s)))
	rows, err := session.Query(t.Context(), oracle.Statement{Name: "read", Text: "select many"})
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	if _, err := read(t.Context(), session, "select many"); !errors.Is(err, oracle.ErrClosed) {
		t.Errorf("error %v", err)
	}
}
