package engine

import (
	"context"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// guarded is V$GUARDED, which asks for LOGMINING as V$LOGMNR_CONTENTS does, and what else a capture reads.
type guarded struct{}

func (guarded) View(owner, name string) (View, bool) {
	switch name {
	case "V$GUARDED", "V_$GUARDED":
		return guardedView{oneRow{}}, true
	case "V$PLAIN", "V_$PLAIN", "DBA_PLAIN", "ALL_PLAIN":
		return oneRow{}, owner == "" || owner == sysUser
	}
	return nil, false
}

type oneRow struct{}

func (oneRow) Columns() []wire.Column { return []wire.Column{{Name: "N", Type: numberType}} }

func (oneRow) Open(context.Context, Caller) (wire.Rows, error) { return &single{}, nil }

type single struct{ done bool }

func (r *single) Next(_ context.Context, dst []datum.Datum) (bool, error) {
	first := !r.done
	r.done, dst[0] = true, datum.Datum{}
	return first, nil
}

func (r *single) Close() error { return nil }

type guardedView struct{ oneRow }

func (guardedView) Privilege() string { return "LOGMINING" }

// session logs on, or expects the code of a refusal.
func (db *database) refuseLogon(t *testing.T, service, user string, code int) {
	t.Helper()
	db.next++
	s, err := db.Open(t.Context(), wire.Logon{Service: service, User: user, SessionID: db.next, Serial: 1})
	if err == nil {
		s.Close(false)
	}
	wantCode(t, "log-on of "+user, err, code)
}

// Every grant of reference logminer L.1: with it the capture user works, SYSTEM takes it away, and it does not.
func TestEveryGrantOfCaptureCanBeTakenAway(t *testing.T) {
	logmnr := "begin dbms_logmnr.end_logmnr; end;"
	for _, row := range []struct {
		name, revoke, statement string
		code                    int
		inPDB                   bool
	}{
		{name: "EXECUTE_CATALOG_ROLE alone", revoke: "revoke execute_catalog_role from c##cdc container = all", statement: logmnr},
		{name: "EXECUTE alone", revoke: "revoke execute on sys.dbms_logmnr from c##cdc container = all", statement: logmnr},
		{name: "LOGMINING", revoke: "revoke logmining from c##cdc container = all", statement: "select * from v$guarded", code: 1031},
		{name: "SELECT ANY DICTIONARY", revoke: "revoke select any dictionary from c##cdc container = all", statement: "select * from v$plain", code: 942},
		{name: "dictionary views", revoke: "revoke select any dictionary from c##cdc container = all", statement: "select * from dba_plain", code: 942},
		{name: "ALL_ views stay", revoke: "revoke select any dictionary from c##cdc container = all", statement: "select * from all_plain"},
		{name: "SET CONTAINER", revoke: "revoke set container from c##cdc container = all", statement: "alter session set container = freepdb1", code: 1031},
		{name: "FLASHBACK ANY TABLE", revoke: "revoke flashback any table from c##cdc container = all", statement: "select * from app.t as of scn 1", code: 1031, inPDB: true},
		{name: "SELECT ANY TABLE", revoke: "revoke select any table from c##cdc container = all", statement: "select * from app.t", code: 1031, inPDB: true},
	} {
		t.Run(row.name, func(t *testing.T) {
			db := openDatabase(t)
			db.Extend(guarded{}, &recorder{})
			db.app(t).exec("create table t (id number)")
			system := db.connect(t, "FREE", "system")
			connect := func() *client {
				c := db.connect(t, "FREE", "c##cdc")
				if row.inPDB {
					c.exec("alter session set container = freepdb1")
				}
				return c
			}
			before := connect()
			if _, err := before.rows(row.statement); err != nil && code(err) != "8181" {
				t.Fatalf("with all grants: %v", err)
			}
			system.exec(row.revoke)
			after := connect()
			if row.code == 0 {
				if _, err := after.rows(row.statement); err != nil {
					t.Errorf("%v", err)
				}
				return
			}
			after.refuse(row.code, row.statement)
		})
	}
	t.Run("both ways to DBMS_LOGMNR", func(t *testing.T) {
		db := openDatabase(t)
		db.Extend(guarded{}, &recorder{})
		system := db.connect(t, "FREE", "system")
		system.exec("revoke execute_catalog_role from c##cdc container = all")
		system.exec("revoke execute on sys.dbms_logmnr from c##cdc container = all")
		db.connect(t, "FREE", "c##cdc").refuse(6550, logmnr)
		system.exec("grant execute on dbms_logmnr to c##cdc container = all")
		db.connect(t, "FREE", "c##cdc").exec(logmnr)
	})
	t.Run("CREATE SESSION", func(t *testing.T) {
		db := openDatabase(t)
		system := db.connect(t, "FREE", "system")
		system.exec("revoke create session from c##cdc container = all")
		db.refuseLogon(t, "FREE", "c##cdc", 1045)
		system.exec("grant create session to c##cdc")
		db.connect(t, "FREE", "c##cdc")
		db.refuseLogon(t, "FREEPDB1", "c##cdc", 1045)
	})
	t.Run("one view by its own grant", func(t *testing.T) {
		db := openDatabase(t)
		db.Extend(guarded{}, nil)
		system := db.connect(t, "FREE", "system")
		system.exec("revoke select any dictionary from c##cdc container = all")
		system.refuse(2030, "grant select on v$plain to c##cdc")
		system.exec("grant select on sys.v_$plain to c##cdc container = all")
		c := db.connect(t, "FREE", "c##cdc")
		c.exec("select * from v$plain")
		c.refuse(942, "select * from dba_plain")
		system.exec("grant select_catalog_role to c##cdc container = all")
		c.refuse(942, "select * from dba_plain") // a role counts from the next log-on on
		db.connect(t, "FREE", "c##cdc").exec("select * from dba_plain")
	})
}

func TestContainerDataHidesPDBs(t *testing.T) {
	db := openDatabase(t)
	sees := func(c *client, container int) bool {
		s, ok := c.s.(Caller)
		return ok && s.Sees(container)
	}
	c, system := db.connect(t, "FREE", "c##cdc"), db.connect(t, "FREE", "system")
	if !sees(c, 3) || !sees(system, 3) {
		t.Error("the accounts of the start do not see the PDB")
	}
	system.exec("alter user c##cdc set container_data = default container = current")
	if sees(c, 3) || !sees(c, catalog.Root) || !sees(system, 3) {
		t.Error("CONTAINER_DATA = DEFAULT shows the PDB, or hides the root")
	}
	system.exec("alter user c##cdc add container_data = (freepdb1) container = current")
	if !sees(c, 3) {
		t.Error("a named container is hidden")
	}
	system.exec("alter user c##cdc remove container_data = (freepdb1)")
	system.refuse(65011, "alter user c##cdc set container_data = (nopdb)")
	if sees(c, 3) {
		t.Error("a container that was taken away shows")
	}
	c.exec("alter session set container = freepdb1")
	if !sees(c, 3) || sees(c, catalog.Root) {
		t.Error("a PDB shows something else than itself")
	}
}

// Without any right to a table it does not exist; with another right the privilege is missing.
func TestObjectPrivileges(t *testing.T) {
	db := openDatabase(t)
	system, app := db.connect(t, "FREEPDB1", "system"), db.app(t)
	system.exec("create user u identified by u")
	system.exec("grant create session to u")
	app.exec("create table t (id number primary key, v number)")
	app.exec("insert into t values (1, 1)")
	app.exec("commit")
	u := db.connect(t, "FREEPDB1", "u")
	statements := map[string]string{
		"select": "select * from app.t", "insert": "insert into app.t values (2, 2)", "update": "update app.t set v = 3", "delete": "delete app.t",
		"flashback": "select * from app.t as of scn 1", "alter": "alter table app.t add supplemental log data (all) columns", "index": "create index i on app.t (v)",
	}
	for _, text := range statements {
		u.refuse(942, text)
	}
	u.refuse(942, "drop table app.t")
	u.refuse(942, "select count(*) from dual where exists (select 1 from app.t)")
	u.refuse(942, "grant select on app.t to system")
	u.refuse(1031, "create table mine (a number)")
	u.refuse(1031, "create table app.yours (a number)")
	app.exec("grant index on t to u")
	for name, text := range statements {
		if name != "index" {
			u.refuse(1031, text)
		}
	}
	u.refuse(1031, "drop table app.t")
	for _, name := range []string{"select", "insert", "update", "delete", "alter", "index"} {
		app.exec("grant " + name + " on t to u")
		u.exec(statements[name])
		u.exec("rollback")
	}
	app.exec("revoke select on t from u")
	u.refuse(1031, "update app.t set v = 3 where id = 1")
	u.refuse(1031, "delete app.t where id = 1")
	app.exec("grant read on t to u")
	u.want("1|1", "select * from app.t")
	u.refuse(1031, "select * from app.t for update")
	u.refuse(1031, "select * from app.t as of scn 1")
	app.exec("grant flashback on t to u with grant option")
	u.refuse(8181, "select * from app.t as of scn 1")
	u.exec("grant flashback on app.t to public")
	u.refuse(1031, "grant read on app.t to public")
	app.exec("alter table t rename to t2")
	u.want("1|1", "select * from app.t2")
	app.exec("revoke all on t2 from u")
	u.refuse(1031, "select * from app.t2") // FLASHBACK is everybody's
	app.exec("drop table t2")
	app.exec("create table t2 (a number)")
	u.refuse(942, "select * from app.t2")
}

func TestRolesAndSystemPrivileges(t *testing.T) {
	db := openDatabase(t)
	system, app := db.connect(t, "FREEPDB1", "system"), db.app(t)
	app.exec("create table t (a number)")
	app.refuse(1031, "create role r")
	app.refuse(1031, "create user u identified by u")
	app.refuse(1031, "drop user system")
	app.refuse(1031, "alter user system identified by guess")
	app.refuse(1031, "alter system switch logfile")
	app.refuse(1031, "alter database add supplemental log data (all) columns")
	app.refuse(1031, "grant create session to app")
	app.exec("alter user app identified by other")
	system.exec("create role reader")
	system.exec("create role clerk not identified")
	system.refuse(1921, "create role clerk")
	system.exec("create user u identified by u account lock")
	system.refuse(1920, "create user clerk identified by u")
	db.refuseLogon(t, "FREEPDB1", "u", 28000)
	system.exec("alter user u account unlock password expire")
	db.refuseLogon(t, "FREEPDB1", "u", 1045)
	app.exec("grant select on t to reader")
	system.exec("grant reader, create session to clerk")
	system.exec("grant clerk to u with admin option")
	db.refuseLogon(t, "FREEPDB1", "u", 28001)
	system.exec("alter user u identified by new")
	u := db.connect(t, "FREEPDB1", "u")
	u.want("0", "select count(*) from app.t")
	u.exec("grant clerk to app")
	system.refuse(1934, "grant clerk to reader")
	system.refuse(1951, "revoke reader from u")
	system.refuse(1952, "revoke create table from u")
	system.refuse(1927, "revoke select on app.t from u")
	system.refuse(1919, "grant nothing to u")
	system.refuse(990, "grant select any thing to u")
	system.refuse(990, "grant select to u")
	system.refuse(2224, "grant execute on app.t to u")
	system.refuse(2225, "grant select on sys.dbms_logmnr to u")
	system.refuse(4042, "grant execute on sys.dbms_nothing to u")
	system.refuse(942, "grant select on app.nothing to u")
	system.refuse(1749, "grant select on app.t to system")
	system.refuse(65050, "grant create session to c##cdc container = all")
	system.refuse(65066, "alter user c##cdc account lock")
	system.refuse(1940, "drop user u")
	system.exec("revoke reader from clerk")
	db.connect(t, "FREEPDB1", "u").refuse(942, "select * from app.t")
	system.exec("drop role clerk")
	db.refuseLogon(t, "FREEPDB1", "u", 1045)
	u.refuse(1919, "grant clerk to app")
	root := db.connect(t, "FREE", "system")
	root.refuse(65092, "revoke logmining from c##cdc")
	root.refuse(3001, "grant select (a) on app.t to u")
	root.exec("create role c##r")
	root.exec("grant all privileges to c##r")
	root.exec("grant c##r to c##cdc")
	db.connect(t, "FREE", "c##cdc").exec("create table r (a number)")
}

func TestGrantsShowTheirScope(t *testing.T) {
	db := openDatabase(t)
	root := db.connect(t, "FREE", "system")
	root.exec("grant create table to c##cdc")
	root.exec("grant create table to c##cdc container = all")
	find := func(container int) catalog.Grant {
		for _, g := range db.Grants(container) {
			if g.Grantee == "C##CDC" && g.Name == "CREATE TABLE" {
				return g
			}
		}
		return catalog.Grant{}
	}
	if g := find(catalog.Root); !g.Local || !g.Common {
		t.Errorf("at the root: %+v", g)
	}
	if g := find(3); g.Local || !g.Common {
		t.Errorf("in the PDB: %+v", g)
	}
	root.exec("revoke create table from c##cdc container = all")
	if g := find(catalog.Root); !g.Local || g.Common {
		t.Errorf("at the root: %+v", g)
	}
	if g := find(3); g.Name != "" {
		t.Errorf("in the PDB: %+v", g)
	}
	if n := len(db.Roles(3)); n != 5 {
		t.Errorf("%d roles", n)
	}
}
