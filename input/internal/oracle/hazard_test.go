package oracle_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R16: after a read time-out the driver answers the next query with the rows of the one before (reference tns-server 14.3): the hazard
// itself, on the driver alone, and then on a session, which refuses.
func TestR16RowsOfThePreviousQueryAreRefused(t *testing.T) {
	s := &script{}
	s.rows("first", []string{"rows of the first"})
	s.rows("second", []string{"rows of the second"})
	w := server(t, s)
	cfg := config(w)
	cfg.ReadTimeout = time.Second
	slow := func() (release func()) {
		held := make(chan struct{})
		w.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "first", Count: 1, Hold: held})
		return func() { close(held) }
	}

	dsn, err := url.Parse(cfg.ConnectionString)
	if err != nil {
		t.Fatal(err)
	}
	dsn.RawQuery = "TIMEOUT=1&PREFETCH_ROWS=50"
	db := sql.OpenDB(goora.NewConnector(dsn.String()))
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	release := slow()
	var got string
	if err := db.QueryRowContext(t.Context(), "select first").Scan(&got); err == nil {
		t.Fatal("the driver did not time out")
	}
	release()
	if err := db.QueryRowContext(t.Context(), "select second").Scan(&got); got != "rows of the first" {
		t.Logf("the driver gives %q, %v: the hazard does not show", got, err)
	}

	session := connect(t, cfg)
	release = slow()
	_, err = read(t.Context(), session, "select first")
	release()
	if err == nil || session.Usable() {
		t.Fatalf("%v, usable %t after a read time-out", err, session.Usable())
	}
	if rows, err := read(t.Context(), session, "select second"); !errors.Is(err, oracle.ErrUnusable) || len(rows) != 0 {
		t.Errorf("%v, %v: want the session refused", rows, err)
	}
	if err := session.Exec(t.Context(), oracle.Statement{Name: "end", Text: "BEGIN END_LOGMNR; END;"}); !errors.Is(err, oracle.ErrUnusable) {
		t.Errorf("a call: %v", err)
	}
}

// A read time-out in the middle of a fetch: the rows before it came, and nothing after.
func TestR16ReadTimeoutInAFetchEndsTheSession(t *testing.T) {
	s := &script{}
	s.on("many", func(context.Context, *scriptSession) (wire.Result, error) { return endless(), nil })
	s.rows("second", []string{"rows of the second"})
	w := server(t, s)
	cfg := config(w)
	cfg.ReadTimeout = time.Second
	session := connect(t, cfg)
	held := make(chan struct{})
	w.AddFault(wire.Fault{Call: wire.CallFetch, SQL: "many", Rows: 120, Count: 1, Hold: held})
	_, err := read(t.Context(), session, "select many")
	close(held)
	if class, _ := oracle.Classify(err); class != oracle.Reconnect || session.Usable() {
		t.Fatalf("%s, %v, usable %t", class, err, session.Usable())
	}
	if rows, err := read(t.Context(), session, "select second"); !errors.Is(err, oracle.ErrUnusable) || len(rows) != 0 {
		t.Errorf("%v, %v: want the session refused", rows, err)
	}
}

// database/sql repeats a statement on another connection when the driver calls the first one bad; that one has no LogMiner state
// and no settings (reference tns-server 14.2). The session connects once, whatever happens.
func TestStatementIsNeverRepeatedOnAnotherConnection(t *testing.T) {
	for name, f := range map[string]wire.Fault{
		"closed before the call": {Call: wire.CallExecute, SQL: "first", Then: wire.Close},
		"reset before the call":  {Call: wire.CallExecute, SQL: "first", Then: wire.Reset},
		"ORA-03113":              {Call: wire.CallExecute, SQL: "first", Err: wire.Errorf(3113, "end-of-file on communication channel"), Then: wire.Close},
		"ORA-00028 alone":        {Call: wire.CallExecute, SQL: "first", Err: wire.Errorf(28, "your session has been killed")},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{}
			s.rows("first", []string{"1"})
			w := server(t, s)
			session := connect(t, config(w))
			logons := w.AddFault(wire.Fault{Call: wire.CallLogon})
			f.Count = 1
			h := w.AddFault(f)
			rows, err := read(t.Context(), session, "select first")
			if class, _ := oracle.Classify(err); class != oracle.Reconnect || len(rows) != 0 {
				t.Errorf("%v, %v", rows, err)
			}
			rows, err = read(t.Context(), session, "select first")
			if !errors.Is(err, oracle.ErrUnusable) || len(rows) != 0 {
				t.Errorf("again: %v, %v", rows, err)
			}
			if logons.Hits() != 0 || h.Hits() != 1 {
				t.Errorf("%d log-ons and %d statements", logons.Hits(), h.Hits())
			}
		})
	}
}

// A log-on is made once too: database/sql tries again with a driver that calls the connection bad, which locks accounts.
func TestLogonIsNeverRepeated(t *testing.T) {
	for name, f := range map[string]wire.Fault{
		"closed": {Call: wire.CallLogon, Then: wire.Close}, "reset": {Call: wire.CallLogon, Then: wire.Reset},
		"ORA-01033":                {Call: wire.CallLogon, Err: wire.Errorf(1033, "ORACLE initialization or shutdown in progress")},
		"ORA-03113":                {Call: wire.CallLogon, Err: wire.Errorf(3113, "end-of-file on communication channel"), Then: wire.Close},
		"ORA-12528 at the connect": {Call: wire.CallConnect, Err: wire.Errorf(12528, "all appropriate instances are blocking new connections")},
	} {
		w := server(t, &script{})
		h := w.AddFault(f)
		_, err := oracle.Connect(t.Context(), config(w), oracle.Mining)
		if class, _ := oracle.Classify(err); class != oracle.Reconnect || h.Hits() != 1 {
			t.Errorf("%s: %d log-ons, %s, %v", name, h.Hits(), class, err)
		}
	}
}

// The codes for which the driver itself calls a connection bad (reference tns-server 14.3) end a session and are answered by
// connecting again, in a query, a fetch and a call.
func TestCodesOfABadConnectionEndTheSession(t *testing.T) {
	for _, code := range []int{28, 1012, 1033, 1034, 1089, 3113, 3114, 3135, 12528, 12537} {
		for name, strike := range map[string]wire.Fault{
			"query": {Call: wire.CallExecute, SQL: "many"}, "fetch": {Call: wire.CallFetch, SQL: "many", Rows: 60}, "call": {Call: wire.CallExecute, SQL: "BEGIN"},
		} {
			s := &script{}
			s.on("many", func(context.Context, *scriptSession) (wire.Result, error) { return endless(), nil })
			s.on("BEGIN", func(context.Context, *scriptSession) (wire.Result, error) { return wire.Result{}, nil })
			w := server(t, s)
			session := connect(t, config(w))
			strike.Err, strike.Count = wire.Errorf(code, "the connection is bad"), 1
			w.AddFault(strike)
			var err error
			if name == "call" {
				err = session.Exec(t.Context(), oracle.Statement{Name: "call", Text: "BEGIN NULL; END;"})
			} else {
				_, err = read(t.Context(), session, "select many")
			}
			if class, typed := oracle.Classify(err); class != oracle.Reconnect || typed.Code != stop.Unavailable || session.Usable() {
				t.Errorf("ORA-%05d in a %s: %s, usable %t, %v", code, name, class, session.Usable(), err)
			}
			_ = session.Close()
		}
	}
}

// Number of rows per round trip: what the driver takes for unset, and what does not fit its two bytes, is refused.
func TestFetchRowsThatTheDriverMisreadsAreRefused(t *testing.T) {
	for rows, ok := range map[int]bool{1: false, 25: false, 26: true, 65535: true, 65536: false, oracle.SlowFetchRows: true} {
		cfg := oracle.Config{ConnectionString: "oracle://u:p@localhost:1521/FREE", FetchRows: rows, ConnectTimeout: time.Second, ReadTimeout: time.Second, InterruptGrace: time.Second}
		err := cfg.Validate()
		if refused := err != nil && strings.Contains(err.Error(), "fetch_rows"); refused == ok {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}
