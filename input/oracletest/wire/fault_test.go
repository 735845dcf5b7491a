package wire_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// count reads rows until they end and returns their number with the error they ended with.
func count(ctx context.Context, t *testing.T, server *wire.Server) (int, error) {
	t.Helper()
	rows, err := open(t, server, map[string]string{"PREFETCH_ROWS": "10"}).QueryContext(ctx, "select many")
	if err != nil {
		return 0, err
	}
	return rest(rows)
}

func faultServer(t *testing.T) *wire.Server {
	t.Helper()
	return listen(t, wire.Config{Backend: newScript().on("select many", series(100)).on("update t", done(1))})
}

func TestFaultErrorOnDemand(t *testing.T) {
	server := faultServer(t)
	db := open(t, server, nil)
	h := server.AddFault(wire.Fault{SQL: "UPDATE", Err: wire.Errorf(1555, "snapshot too old"), Count: 2})
	for range 2 {
		_, err := db.ExecContext(t.Context(), "update t")
		wantOra(t, err, 1555)
	}
	if _, err := db.ExecContext(t.Context(), "update t"); err != nil {
		t.Errorf("behind its count the fault still strikes: %v", err)
	}
	if h.Hits() != 2 {
		t.Errorf("%d hits, want 2", h.Hits())
	}
}

func TestFaultsChooseTheirMoment(t *testing.T) {
	strike := wire.Errorf(20999, "struck")
	for _, tc := range []struct {
		name  string
		fault wire.Fault
		hits  int
	}{
		{"any call", wire.Fault{}, 1},
		{"execute", wire.Fault{Call: wire.CallExecute}, 1},
		{"another call", wire.Fault{Call: wire.CallCommit}, 0},
		{"statement in another case", wire.Fault{SQL: "SELECT many"}, 1},
		{"another statement", wire.Fault{SQL: "insert"}, 0},
		{"user", wire.Fault{User: "app"}, 1},
		{"another user", wire.Fault{User: "sys"}, 0},
		{"service", wire.Fault{Service: "freepdb1"}, 1},
		{"another service", wire.Fault{Service: "free"}, 0},
		{"another session", wire.Fault{SessionID: 999}, 0},
		{"fetch", wire.Fault{Call: wire.CallFetch, Rows: 0}, 1},
		{"row", wire.Fault{Rows: 15}, 1},
		{"row that never comes", wire.Fault{Rows: 101}, 0},
		{"done", wire.Fault{Executed: true, Call: wire.CallExecute}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := faultServer(t)
			db := open(t, server, map[string]string{"PREFETCH_ROWS": "10"})
			if err := db.PingContext(t.Context()); err != nil {
				t.Fatal(err)
			}
			tc.fault.Err = strike
			h := server.AddFault(tc.fault)
			err := queryError(t.Context(), db, "select many")
			if tc.hits == 0 {
				if err != nil || h.Hits() != 0 {
					t.Errorf("%d hits, error %v", h.Hits(), err)
				}
				return
			}
			wantOra(t, err, 20999)
			if h.Hits() == 0 {
				t.Error("not counted")
			}
		})
	}
}

func TestFaultErrorAfterRows(t *testing.T) {
	server := faultServer(t)
	server.AddFault(wire.Fault{SQL: "many", Rows: 42, Err: wire.Errorf(1555, "snapshot too old"), Count: 1})
	n, err := count(t.Context(), t, server)
	wantOra(t, err, 1555)
	if n < 40 || n > 42 {
		t.Errorf("%d rows in front of the error", n)
	}
	if n, err := count(t.Context(), t, server); n != 100 || err != nil {
		t.Errorf("%d rows, error %v behind the fault", n, err)
	}
}

func TestFaultCloseAfterRows(t *testing.T) {
	server := faultServer(t)
	server.AddFault(wire.Fault{Rows: 42, Then: wire.Close, Count: 1})
	if _, err := count(t.Context(), t, server); !errors.Is(err, driver.ErrBadConn) {
		t.Errorf("error %v, want a bad connection", err)
	}
}

func TestFaultResetAfterRows(t *testing.T) {
	server := faultServer(t)
	server.AddFault(wire.Fault{Rows: 42, Then: wire.Reset, Count: 1})
	n, err := count(t.Context(), t, server)
	if err == nil || n >= 100 {
		t.Errorf("%d rows without an error", n)
	}
}

func TestFaultCloseInsteadOfAnAnswer(t *testing.T) {
	server := faultServer(t)
	server.AddFault(wire.Fault{SQL: "update", Then: wire.Close, Count: 1})
	if _, err := open(t, server, nil).ExecContext(t.Context(), "update t"); !errors.Is(err, io.EOF) {
		t.Errorf("error %v, want EOF", err)
	}
}

// The work is done, but the client does not learn it: a commit in doubt.
func TestFaultLosesTheAnswerOfACommit(t *testing.T) {
	backend := newScript().on("update t", done(1))
	server := listen(t, wire.Config{Backend: backend})
	server.AddFault(wire.Fault{Call: wire.CallCommit, Executed: true, Then: wire.Close, Count: 1})
	tx, err := open(t, server, nil).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "update t"); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err == nil {
		t.Error("the commit was answered")
	}
	if h := backend.history(); len(h) == 0 || h[0] != "commit" {
		t.Errorf("history %v", h)
	}
}

func TestFaultErrorThenClose(t *testing.T) {
	server := faultServer(t)
	server.AddFault(wire.Fault{SQL: "update", Err: wire.Errorf(20001, "bye"), Then: wire.Close, Count: 1})
	conn, err := open(t, server, nil).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, err = conn.ExecContext(t.Context(), "update t")
	wantOra(t, err, 20001)
	if _, err := conn.ExecContext(t.Context(), "update t"); err == nil {
		t.Error("the connection is still there")
	}
}

func TestFaultRefusesConnections(t *testing.T) {
	server := faultServer(t)
	h := server.AddFault(wire.Fault{Call: wire.CallConnect, Service: testService, Err: wire.Errorf(12528, "blocked"), Count: 1})
	wantOra(t, open(t, server, nil).PingContext(t.Context()), 12528)
	if h.Hits() != 1 {
		t.Errorf("%d hits", h.Hits())
	}
	server.AddFault(wire.Fault{Call: wire.CallConnect, Then: wire.Close, Count: 1})
	if err := open(t, server, nil).PingContext(t.Context()); err == nil {
		t.Error("the connection was accepted")
	}
	server.AddFault(wire.Fault{Call: wire.CallLogon, Err: wire.Errorf(28000, "account locked"), Count: 1})
	wantOra(t, open(t, server, nil).PingContext(t.Context()), 28000)
	if err := open(t, server, nil).PingContext(t.Context()); err != nil {
		t.Error(err)
	}
}

// A hang ignores even the break: the client is left to its own time-out.
func TestFaultHangs(t *testing.T) {
	skipDriverRace(t)
	server := faultServer(t)
	h := server.AddFault(wire.Fault{SQL: "update", Then: wire.Hang, Count: 1})
	db, d := openRemembered(t, server, nil)
	failed := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		_, err := db.ExecContext(ctx, "update t")
		failed <- err
	}()
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-failed:
		t.Fatalf("answered: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	if err := d.last().Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err == nil {
		t.Error("no error from a closed connection")
	}
}

func TestFaultHoldsUntilReleased(t *testing.T) {
	server := faultServer(t)
	hold := make(chan struct{})
	h := server.AddFault(wire.Fault{Rows: 20, Hold: hold, Count: 1})
	type answer struct {
		n   int
		err error
	}
	answers := make(chan answer, 1)
	db := open(t, server, map[string]string{"PREFETCH_ROWS": "10"})
	go func() {
		rows, err := db.QueryContext(context.Background(), "select many")
		if err != nil {
			answers <- answer{0, err}
			return
		}
		n, err := rest(rows)
		answers <- answer{n, err}
	}()
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case a := <-answers:
		t.Fatalf("%d rows came through, error %v", a.n, a.err)
	default:
	}
	close(hold)
	if a := <-answers; a.n != 100 || a.err != nil {
		t.Errorf("%d rows, error %v", a.n, a.err)
	}
}

// A break ends a delay.
func TestCancelEndsADelay(t *testing.T) {
	skipDriverRace(t)
	server := faultServer(t)
	h := server.AddFault(wire.Fault{SQL: "update", Delay: time.Hour, Count: 1})
	db, _ := openRemembered(t, server, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_ = h.Wait(ctx)
		cancel()
	}()
	_, err := db.ExecContext(ctx, "update t")
	wantOra(t, err, 1013)
	if err := db.PingContext(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRemovedFaultDoesNotStrike(t *testing.T) {
	server := faultServer(t)
	h := server.AddFault(wire.Fault{SQL: "update", Err: wire.Errorf(1, "struck")})
	h.Remove()
	if _, err := open(t, server, nil).ExecContext(t.Context(), "update t"); err != nil {
		t.Error(err)
	}
}

func TestKilledSessions(t *testing.T) {
	entered := make(chan struct{}, 1)
	backend := newScript().on("begin wait; end;", blocking(entered)).on("update t", done(1))
	for _, tc := range []struct {
		name string
		how  wire.Outcome
		code int
	}{
		{"with an answer", wire.Proceed, 28},
		{"closed", wire.Close, 0},
		{"reset", wire.Reset, 0},
	} {
		for _, running := range []bool{true, false} {
			t.Run(tc.name, func(t *testing.T) {
				server := listen(t, wire.Config{Backend: backend})
				if server.Kill(17, tc.how) {
					t.Error("a session that is not there was killed")
				}
				conn, err := open(t, server, nil).Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = conn.Close() }()
				statement := "update t"
				if running {
					statement = "begin wait; end;"
					go func() {
						<-entered
						server.KillAll(tc.how)
					}()
				} else if server.KillAll(tc.how) != 1 {
					t.Error("no session killed")
				}
				_, err = conn.ExecContext(t.Context(), statement)
				switch {
				case err == nil:
					t.Error("the session lives")
				case tc.code != 0:
					wantOra(t, err, tc.code)
				}
			})
		}
	}
}
