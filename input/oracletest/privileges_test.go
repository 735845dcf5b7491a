package oracletest_test

import (
	"database/sql"
	"errors"
	"slices"
	"testing"

	goora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/network"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// logon answers the ORA code of a log-on, 0 for one that works.
func logon(t *testing.T, server *oracletest.Server, user, password, service string) int {
	t.Helper()
	db := sql.OpenDB(goora.NewConnector(server.DSN(user, password, service)))
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	err := db.PingContext(t.Context())
	var ora *network.OracleError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ora):
		return ora.ErrCode
	}
	t.Fatal(err)
	return 0
}

// Contracts 9: SYSTEM may take away what capture needs, and a driver sees what is missing.
func TestGrantsAreTakenAwayThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	system := connect(t, server, oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER)")
	app.exec("INSERT INTO t VALUES (1)")
	changes := func() int {
		return len(capture(t, server).mine("operation", "operation_code = 1 AND table_name = 'T'"))
	}
	if n := changes(); n != 1 {
		t.Fatalf("%d rows with all grants", n)
	}
	cdc := capture(t, server)
	if got := cdc.rows("SELECT privilege FROM session_privs"); !slices.Contains(got, "LOGMINING") || slices.Contains(got, "CREATE TABLE") {
		t.Errorf("privileges %v", got)
	}

	system.exec("ALTER USER c##cdc SET CONTAINER_DATA = DEFAULT CONTAINER = CURRENT")
	if n, pdbs := changes(), cdc.rows("SELECT name FROM v$pdbs"); n != 0 || len(pdbs) != 0 {
		t.Errorf("without CONTAINER_DATA: %d rows, PDBs %v", n, pdbs)
	}
	system.exec("ALTER USER c##cdc SET CONTAINER_DATA = ALL CONTAINER = CURRENT")
	if n := changes(); n != 1 {
		t.Errorf("%d rows with CONTAINER_DATA again", n)
	}

	system.exec("REVOKE LOGMINING FROM c##cdc CONTAINER = ALL")
	if got := cdc.rows("SELECT privilege FROM session_privs"); slices.Contains(got, "LOGMINING") {
		t.Errorf("privileges %v", got)
	}
	cdc.fail(1031, "SELECT * FROM v$logmnr_contents")
	system.exec("GRANT LOGMINING TO c##cdc CONTAINER = ALL")

	system.exec("REVOKE SELECT ANY DICTIONARY FROM c##cdc CONTAINER = ALL")
	cdc.fail(942, "SELECT * FROM v$database")
	cdc.fail(942, "SELECT * FROM cdb_tables")
	system.exec("GRANT SELECT ON sys.v_$database TO c##cdc CONTAINER = ALL")
	cdc.rows("SELECT * FROM v$database")

	system.exec("REVOKE EXECUTE_CATALOG_ROLE FROM c##cdc CONTAINER = ALL")
	system.exec("REVOKE EXECUTE ON sys.dbms_logmnr FROM c##cdc CONTAINER = ALL")
	connect(t, server, oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name).fail(6550, "BEGIN DBMS_LOGMNR.END_LOGMNR; END;")

	system.exec("REVOKE CREATE SESSION FROM c##cdc CONTAINER = ALL")
	if code := logon(t, server, oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name); code != 1045 {
		t.Errorf("without CREATE SESSION: ORA-%05d", code)
	}
	system.exec("ALTER USER c##cdc ACCOUNT LOCK")
	if code := logon(t, server, oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name); code != 28000 {
		t.Errorf("locked: ORA-%05d", code)
	}
	if code := logon(t, server, oracletest.CaptureUser, "wrong", oracletest.Name); code != 1017 {
		t.Errorf("with a wrong password: ORA-%05d", code)
	}
}

// What an application uses, through a driver.
func TestAnApplicationThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	for _, text := range []string{
		"CREATE SEQUENCE order_seq START WITH 1000",
		"CREATE TABLE customers (id NUMBER PRIMARY KEY, name VARCHAR2(50) NOT NULL, CONSTRAINT named CHECK (LENGTH(name) > 1))",
		"CREATE TABLE orders (id NUMBER DEFAULT order_seq.NEXTVAL PRIMARY KEY, customer NUMBER NOT NULL CONSTRAINT order_customer REFERENCES customers ON DELETE CASCADE, note CLOB)",
		"CREATE INDEX order_customer_ix ON orders (customer)",
		"CREATE VIEW order_list (id, name) AS SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.customer",
	} {
		app.exec(text)
	}
	app.exec("INSERT INTO customers VALUES (1, 'Ada')")
	var id int64
	app.exec("INSERT INTO orders (customer, note) VALUES (:1, :2) RETURNING id INTO :3", 1, "first", goora.Out{Dest: &id})
	if id != 1000 {
		t.Errorf("order %d", id)
	}
	app.fail(2291, "INSERT INTO orders (customer) VALUES (2)")
	app.fail(2290, "INSERT INTO customers VALUES (2, 'x')")
	if got := app.one("SELECT id, name FROM order_list"); got != "1000|Ada" {
		t.Error(got)
	}
	if got := app.one("SELECT constraint_type, delete_rule FROM user_constraints WHERE constraint_name = 'ORDER_CUSTOMER'"); got != "R|CASCADE" {
		t.Error(got)
	}
	app.exec("DELETE FROM customers")
	if got := app.one("SELECT COUNT(*) FROM order_list"); got != "0" {
		t.Error(got)
	}
}
