package oracletest_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	goora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/network"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// refused is the error of a log-on.
func refused(t *testing.T, server *oracletest.Server, user, password, service string) int {
	t.Helper()
	db := sql.OpenDB(goora.NewConnector(server.DSN(user, password, service)))
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	err := db.PingContext(t.Context())
	var ora *network.OracleError
	if errors.As(err, &ora) {
		return ora.ErrCode
	}
	if err != nil {
		t.Error(err)
	}
	return 0
}

// doomed is a session that the server ends: that it cannot be closed in order is no failure.
func doomed(t *testing.T, server *oracletest.Server, user, password, service string) *client {
	t.Helper()
	db := sql.OpenDB(goora.NewConnector(server.DSN(user, password, service)))
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		_ = db.Close()
	})
	return &client{t: t, conn: conn}
}

// Reference logminer A.7, I; correctness R127: a PDB that is closed at once ends its sessions and rolls their work back; LogMiner does not
// go past its redo, and the CDB_ views are silent about it, until it is open.
func TestPluggableDatabaseIsClosedAndOpened(t *testing.T) {
	server := start(t, oracletest.Config{PDBs: []string{"FREEPDB1", "SALES"}})
	system := connect(t, server, oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
	here := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	there := doomed(t, server, oracletest.AppUser, oracletest.AppPassword, "SALES")
	for _, app := range []*client{here, there} {
		app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
		app.exec("INSERT INTO t VALUES (1)")
	}
	moved := doomed(t, server, oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
	moved.exec("ALTER SESSION SET CONTAINER = SALES")
	tx, err := there.conn.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "INSERT INTO t VALUES (2)"); err != nil {
		t.Fatal(err)
	}

	system.exec("ALTER PLUGGABLE DATABASE sales CLOSE IMMEDIATE")
	for _, ended := range []*client{there, moved} {
		if _, err := ended.conn.ExecContext(context.Background(), "BEGIN NULL; END;"); err == nil {
			t.Error("a session in the PDB lives on")
		}
	}
	// The client may hear of the end before the server has let the session go.
	for deadline := time.Now().Add(10 * time.Second); len(server.Wire().Sessions()) != 2 && time.Now().Before(deadline); {
		<-time.After(time.Millisecond)
	}
	if here.one("SELECT COUNT(*) FROM t") != "1" || len(server.Wire().Sessions()) != 2 {
		t.Errorf("other sessions: %+v", server.Wire().Sessions())
	}
	if got := system.rows("SELECT name, open_mode FROM v$pdbs WHERE con_id > 2 ORDER BY name"); !slices.Equal(got, []string{"FREEPDB1|READ WRITE", "SALES|MOUNTED"}) {
		t.Errorf("%q", got)
	}
	if got := system.one("SELECT COUNT(*) FROM cdb_tables WHERE owner = 'APP'"); got != "1" {
		t.Errorf("%s tables", got)
	}
	if got := system.one("SELECT COUNT(*) FROM v$transaction"); got != "0" {
		t.Errorf("%s open transactions", got)
	}
	if got := refused(t, server, oracletest.AppUser, oracletest.AppPassword, "SALES"); got != 1033 {
		t.Errorf("log-on: ORA-%05d", got)
	}
	system.fail(1109, "ALTER SESSION SET CONTAINER = SALES")
	root := capture(t, server)
	root.exec("BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => 1); END;",
		root.one("SELECT f.member FROM v$log l JOIN v$logfile f ON f.group# = l.group# WHERE l.status = 'CURRENT'"))
	root.exec("BEGIN DBMS_LOGMNR.START_LOGMNR(Options => 2128); END;")
	root.fail(16331, "SELECT COUNT(*) FROM v$logmnr_contents")

	system.exec("ALTER PLUGGABLE DATABASE ALL OPEN")
	got := root.mine("operation, rollback, sql_redo", "src_con_name = 'SALES' AND (seg_owner = 'APP' OR operation = 'ROLLBACK') AND operation <> 'DDL'")
	want := []string{
		`INSERT|0|insert into "APP"."T"("ID") values ('1')`, `INSERT|0|insert into "APP"."T"("ID") values ('2')`, "", "ROLLBACK|0|rollback",
	}
	if len(got) == 4 {
		want[2] = got[2] // its ROWID
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "SALES").one("SELECT COUNT(*) FROM t"); got != "1" {
		t.Errorf("%s rows", got)
	}
}

func TestReadOnlyPluggableDatabase(t *testing.T) {
	server := start(t, oracletest.Config{})
	system := connect(t, server, oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
	doomed(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1").exec("CREATE TABLE t (id NUMBER)")
	system.fail(65019, "ALTER PLUGGABLE DATABASE freepdb1 OPEN")
	system.exec("ALTER PLUGGABLE DATABASE freepdb1 CLOSE ABORT")
	system.fail(65020, "ALTER PLUGGABLE DATABASE freepdb1 CLOSE")
	system.exec("ALTER PLUGGABLE DATABASE freepdb1 OPEN READ ONLY")
	app := doomed(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	for _, text := range []string{"INSERT INTO t VALUES (1)", "DELETE FROM t", "UPDATE t SET id = 2", "CREATE TABLE u (id NUMBER)", "SELECT * FROM t FOR UPDATE"} {
		app.fail(16000, text)
	}
	if got := app.one("SELECT COUNT(*) FROM t"); got != "0" {
		t.Errorf("%s rows", got)
	}
	system.exec("ALTER PLUGGABLE DATABASE freepdb1 OPEN READ WRITE FORCE")
	app.exec("INSERT INTO t VALUES (1)")

	system.fail(65011, "ALTER PLUGGABLE DATABASE nothing CLOSE")
	system.fail(65000, "ALTER PLUGGABLE DATABASE CLOSE")
	local := connect(t, server, oracletest.SystemUser, oracletest.SystemPassword, "FREEPDB1")
	local.fail(65040, "ALTER PLUGGABLE DATABASE ALL OPEN")
	local.exec("ALTER PLUGGABLE DATABASE CLOSE IMMEDIATE")
	local.fail(1109, "SELECT COUNT(*) FROM app.t")
	local.fail(1109, "INSERT INTO app.t VALUES (2)")
	local.exec("ALTER PLUGGABLE DATABASE OPEN")
	if got := local.one("SELECT COUNT(*) FROM app.t"); got != "1" {
		t.Errorf("%s rows", got)
	}
}

// CLOSE waits for the sessions, lets nobody in, and can be given up.
func TestPluggableDatabaseClosesWhenItsSessionsAreGone(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := doomed(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER)")
	attempt := func(ctx context.Context) <-chan error {
		system := doomed(t, server, oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
		done := make(chan error, 1)
		go func() {
			_, err := system.conn.ExecContext(ctx, "ALTER PLUGGABLE DATABASE freepdb1 CLOSE")
			done <- err
		}()
		for refused(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1") != 1033 {
			if t.Context().Err() != nil {
				t.Fatal("new sessions are let in for ever")
			}
		}
		return done
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := attempt(ctx)
	app.exec("INSERT INTO t VALUES (1)")
	cancel()
	if err := <-done; err == nil {
		t.Fatal("closed under a session")
	}
	for refused(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1") == 1033 {
		if t.Context().Err() != nil {
			t.Fatal("nobody is let in after the CLOSE was given up")
		}
	}

	done = attempt(t.Context())
	select {
	case err := <-done:
		t.Fatalf("closed under a session: %v", err)
	default:
	}
	app.exec("INSERT INTO t VALUES (2)")
	for _, other := range server.Wire().Sessions() {
		if other.Service == "FREEPDB1" {
			server.Wire().Kill(other.ID, wire.Close)
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
