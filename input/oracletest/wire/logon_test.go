package wire_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func TestLogonRefusals(t *testing.T) {
	server := listen(t, wire.Config{Backend: newScript()})
	for _, tc := range []struct {
		name, user, password, service string
		code                          int
	}{
		{"wrong password", testUser, "guess", testService, 1017},
		{"password of another case", testUser, strings.ToUpper(testPassword), testService, 1017},
		{"unknown user", "NOBODY", testPassword, testService, 1017},
		{"unknown service", testUser, testPassword, "NOWHERE", 12514},
	} {
		t.Run(tc.name, func(t *testing.T) {
			db := openDSN(t, dsn(server, tc.user, tc.password, tc.service, nil))
			wantOra(t, db.PingContext(t.Context()), tc.code)
			if n := len(server.Sessions()); n != 0 {
				t.Errorf("%d sessions, want none", n)
			}
		})
	}
}

func TestLogonTellsTheBackendWhoConnected(t *testing.T) {
	backend := newScript()
	server := listen(t, wire.Config{Backend: backend})
	db := openDSN(t, dsn(server, "app", testPassword, testService, nil)) // names are upper case in the database
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	logon := backend.logons[0]
	if logon.User != testUser || logon.Service != testService || logon.SessionID == 0 || logon.Serial == 0 || logon.Program == "" {
		t.Errorf("logon %+v", logon)
	}
	if !strings.HasPrefix(logon.Alter, "ALTER SESSION SET NLS_LANGUAGE=") || strings.Contains(logon.Alter, "\x00") {
		t.Errorf("alter session text %q", logon.Alter)
	}
	sessions := server.Sessions()
	if len(sessions) != 1 || sessions[0].ID != logon.SessionID || sessions[0].User != testUser {
		t.Errorf("sessions %+v", sessions)
	}
}

// A long descriptor does not fit the CONNECT packet and follows in a DATA packet (reference tns-server 4).
func TestLogonWithLongDescriptor(t *testing.T) {
	server := listen(t, wire.Config{Backend: newScript()})
	db := openDSN(t, dsn(server, testUser, testPassword, testService, map[string]string{
		"PROGRAM": strings.Repeat("p", 300),
	}))
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Without SERVER LOCATION go-ora asks for SYSTIMESTAMP, which is SQL like any other.
func TestSystimestampQueryGoesToTheBackend(t *testing.T) {
	zoned := datum.Datum{
		Kind: datum.Zoned, Offset: 120,
		Time: datum.DateTime{Year: 2024, Month: 5, Day: 6, Hour: 7, Minute: 8, Second: 9},
	}
	backend := newScript().on("SELECT SYSTIMESTAMP FROM DUAL", table([]wire.Column{
		{Name: "SYSTIMESTAMP", Type: datum.Type{Code: datum.TypeTimestampTZ, Size: 6}},
	}, []datum.Datum{zoned}))
	server := listen(t, wire.Config{Backend: backend})
	db := open(t, server, map[string]string{"SERVER LOCATION": ""})
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := backend.last(t).SQL; got != "SELECT SYSTIMESTAMP FROM DUAL" {
		t.Errorf("statement %q", got)
	}
}

func TestAlterSessionGoesToTheBackend(t *testing.T) {
	const alter = "ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS'"
	backend := newScript().on(alter, done(0))
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	if _, err := db.ExecContext(t.Context(), alter); err != nil {
		t.Fatal(err)
	}
	if got := backend.last(t).SQL; got != alter {
		t.Errorf("statement %q", got)
	}
}

func TestLogoffClosesTheSessionCleanly(t *testing.T) {
	backend := newScript()
	server := listen(t, wire.Config{Backend: backend})
	db := openDSN(t, dsn(server, testUser, testPassword, testService, nil))
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if h := backend.history(); len(h) != 1 || h[0] != "close clean=true" {
		t.Errorf("history %v", h)
	}
}

func TestCloseDropsSessionsAndWaits(t *testing.T) {
	backend := newScript().on("wait", func(ctx context.Context, _ *scriptSession, _ wire.Statement) (wire.Result, error) {
		<-ctx.Done()
		return wire.Result{}, ctx.Err()
	})
	server := listen(t, wire.Config{Backend: backend})
	db := open(t, server, nil)
	failed := make(chan error, 1)
	h := server.AddFault(wire.Fault{SQL: "wait"})
	go func() {
		_, err := db.ExecContext(context.Background(), "wait")
		failed <- err
	}()
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err == nil {
		t.Error("a call of a closed server succeeded")
	}
	if h := backend.history(); len(h) != 1 || h[0] != "close clean=false" {
		t.Errorf("history %v", h)
	}
}

// Commit and rollback reach the session; database/sql rolls back what is left open.
func TestTransactionCalls(t *testing.T) {
	backend := newScript().on("update t", done(1))
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	for _, end := range []func(*sql.Tx) error{(*sql.Tx).Commit, (*sql.Tx).Rollback} {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), "update t"); err != nil {
			t.Fatal(err)
		}
		if err := end(tx); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(backend.history(), " "); got != "commit rollback" {
		t.Errorf("history %q", got)
	}
}

func TestOutsideATransactionStatementsCommitThemselves(t *testing.T) {
	backend := newScript().on("update t set a = :1", done(1))
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	stmt, err := db.PrepareContext(t.Context(), "update t set a = :1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stmt.Close() }()
	for i := range 2 { // parsed, then re-executed
		if _, err := stmt.ExecContext(t.Context(), i); err != nil {
			t.Fatal(err)
		}
		if !backend.last(t).AutoCommit {
			t.Errorf("execution %d does not commit", i)
		}
	}
}
