package oracletest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// Reference logminer D.3, L.2: named groups shape the before images of updates; those of deletes are whole anyway.
func TestUserLogGroupsShapeBeforeImages(t *testing.T) {
	const update = "UPDATE t SET a = 2 WHERE id = 1"
	const other = "UPDATE t SET d = 9 WHERE id = 1"
	for name, c := range map[string]struct {
		groups []string
		update string // WHERE of update
		other  string // WHERE of other
	}{
		"none":                  {nil, `"A" = '1'`, `"D" = '4'`},
		"unconditional":         {[]string{"GROUP g (id, b) ALWAYS"}, `"ID" = '1' and "A" = '1' and "B" = '2'`, `"ID" = '1' and "B" = '2' and "D" = '4'`},
		"conditional":           {[]string{"GROUP g (a, b)"}, `"A" = '1' and "B" = '2'`, `"D" = '4'`},
		"a column that is not":  {[]string{"GROUP g (b, c NO LOG) ALWAYS"}, `"A" = '1' and "B" = '2'`, `"B" = '2' and "D" = '4'`},
		"two":                   {[]string{"GROUP g (a, b)", "GROUP h (id) ALWAYS"}, `"ID" = '1' and "A" = '1' and "B" = '2'`, `"ID" = '1' and "D" = '4'`},
		"next to attributes":    {[]string{"DATA (PRIMARY KEY) COLUMNS", "GROUP g (c) ALWAYS"}, `"ID" = '1' and "A" = '1' and "C" IS NULL`, `"ID" = '1' and "C" IS NULL and "D" = '4'`},
		"unique, by its change": {[]string{"DATA (UNIQUE INDEX) COLUMNS"}, `"A" = '1' and "B" = '2'`, `"D" = '4'`},
		"all columns":           {[]string{"DATA (ALL) COLUMNS"}, `"ID" = '1' and "A" = '1' and "B" = '2' and "C" IS NULL and "D" = '4'`, `"ID" = '1' and "A" = '2' and "B" = '2' and "C" IS NULL and "D" = '4'`},
	} {
		t.Run(name, func(t *testing.T) {
			server := start(t, oracletest.Config{})
			app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
			app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY, a NUMBER, b NUMBER, c NUMBER, d NUMBER, UNIQUE (a, b))")
			for _, group := range c.groups {
				app.exec("ALTER TABLE t ADD SUPPLEMENTAL LOG " + group)
			}
			for _, text := range []string{"INSERT INTO t VALUES (1, 1, 2, NULL, 4)", update, other, "DELETE FROM t"} {
				app.exec(text)
			}
			got := capture(t, server).mine("sql_redo", "operation_code IN (2, 3)")
			want := []string{
				`update "APP"."T" set "A" = '2' where ` + c.update, `update "APP"."T" set "D" = '9' where ` + c.other,
				`delete from "APP"."T" where "ID" = '1' and "A" = '2' and "B" = '2' and "C" IS NULL and "D" = '9'`,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUserLogGroupsInTheDictionary(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER, b NUMBER, x NUMBER, c CLOB, CONSTRAINT k PRIMARY KEY (id))")
	app.exec("CREATE TABLE u (id NUMBER)")
	app.exec("ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP g (b, id NO LOG) ALWAYS, SUPPLEMENTAL LOG GROUP h (b)")
	for code, text := range map[int]string{
		904:   "t ADD SUPPLEMENTAL LOG GROUP i (nothing)",
		957:   "t ADD SUPPLEMENTAL LOG GROUP i (id, id)",
		30567: "u ADD SUPPLEMENTAL LOG GROUP g (id)",
		30568: "u DROP SUPPLEMENTAL LOG GROUP g",
		30569: "t ADD SUPPLEMENTAL LOG GROUP i (c)",
		32592: "t ADD SUPPLEMENTAL LOG GROUP i (id NO LOG)",
		32585: "t ADD SUPPLEMENTAL LOG DATA (ALL, ALL) COLUMNS",
		32587: "t DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
		2264:  "u ADD CONSTRAINT g UNIQUE (id)",
		3001:  "t DROP COLUMN b",
	} {
		app.fail(code, "ALTER TABLE "+text)
	}
	app.fail(30567, "ALTER TABLE u ADD SUPPLEMENTAL LOG GROUP k (id)")
	app.fail(30567, "ALTER TABLE u ADD SUPPLEMENTAL LOG GROUP n (id), SUPPLEMENTAL LOG GROUP n (id)")
	app.exec("ALTER TABLE t DROP COLUMN x")
	system := connect(t, server, oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
	const groups, columns = "SELECT log_group_name, log_group_type, always, generated FROM cdb_log_groups WHERE con_id = 3 ORDER BY 1",
		"SELECT log_group_name, column_name, position, logging_property FROM dba_log_group_columns ORDER BY 1, 3"
	if diff := cmp.Diff([]string{"G|USER LOG GROUP|ALWAYS|USER NAME", "H|USER LOG GROUP|CONDITIONAL|USER NAME"}, system.rows(groups)); diff != "" {
		t.Error(diff)
	}
	system.exec("ALTER SESSION SET CONTAINER = FREEPDB1")
	if diff := cmp.Diff([]string{"G|B|1|LOG", "G|ID|2|NO LOG", "H|B|1|LOG"}, system.rows(columns)); diff != "" {
		t.Error(diff)
	}
	app.exec("ALTER TABLE t DROP SUPPLEMENTAL LOG GROUP g")
	if diff := cmp.Diff([]string{"H|B|1|LOG"}, system.rows(columns)); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer H.1, L.2: what V$DATABASE shows of the database's logging.
func TestLoggingOfTheDatabase(t *testing.T) {
	server := start(t, oracletest.Config{})
	system := connect(t, server, oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
	pdb := connect(t, server, oracletest.SystemUser, oracletest.SystemPassword, "FREEPDB1")
	for _, step := range []struct {
		by   *client
		text string
		want string // FORCE_LOGGING and SUPPLEMENTAL_LOG_DATA_MIN, _PK, _UI, _FK, _ALL
	}{
		{system, "ALTER DATABASE FORCE LOGGING", "YES|YES|NO|NO|NO|NO"},
		{system, "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY, UNIQUE) COLUMNS", "YES|YES|YES|YES|NO|NO"},
		{system, "ALTER DATABASE DROP SUPPLEMENTAL LOG DATA", "YES|IMPLICIT|YES|YES|NO|NO"},
		{pdb, "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA (FOREIGN KEY, ALL) COLUMNS", "YES|IMPLICIT|YES|YES|YES|YES"},
		{pdb, "ALTER PLUGGABLE DATABASE DROP SUPPLEMENTAL LOG DATA (PRIMARY KEY, UNIQUE INDEX, FOREIGN KEY, ALL) COLUMNS", "YES|NO|NO|NO|NO|NO"},
		{system, "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA", "YES|YES|NO|NO|NO|NO"},
		{system, "ALTER DATABASE NO FORCE LOGGING", "NO|YES|NO|NO|NO|NO"},
		{system, "ALTER SYSTEM CHECKPOINT", "NO|YES|NO|NO|NO|NO"},
	} {
		step.by.exec(step.text)
		got := system.one(`SELECT force_logging, supplemental_log_data_min, supplemental_log_data_pk, supplemental_log_data_ui, supplemental_log_data_fk,
			supplemental_log_data_all FROM v$database`)
		if got != step.want {
			t.Errorf("%s: %s, want %s", step.text, got, step.want)
		}
	}
	system.fail(12921, "ALTER DATABASE NO FORCE LOGGING")
	system.exec("ALTER DATABASE FORCE LOGGING")
	system.fail(12920, "ALTER DATABASE FORCE LOGGING")
	pdb.fail(65040, "ALTER DATABASE NO FORCE LOGGING")
}

// ALTER SYSTEM SWITCH LOGFILE and ARCHIVE LOG CURRENT end the current log, CHECKPOINT does not.
func TestAlterSystemThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	system := connect(t, server, oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)
	for text, switches := range map[string]uint32{"SWITCH LOGFILE": 1, "ARCHIVE LOG CURRENT": 1, "CHECKPOINT": 0, "CHECKPOINT GLOBAL": 0} {
		before := server.Stats()
		system.exec("ALTER SYSTEM " + text)
		after := server.Stats()
		if after.Sequence-before.Sequence != switches || after.Archived-before.Archived != int(switches) {
			t.Errorf("%s: %+v, then %+v", text, before, after)
		}
	}
}

// Options and times of START_LOGMNR through a driver (reference logminer A.2, A.3).
func TestStartOptionsThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY, d DATE)")
	app.exec("INSERT INTO t VALUES (1.5, DATE '2026-02-28')")
	root := connect(t, server, oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name)
	root.exec("ALTER SESSION SET NLS_NUMERIC_CHARACTERS = ',.'")
	root.exec("BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => DBMS_LOGMNR.NEW); END;",
		root.one("SELECT f.member FROM v$log l JOIN v$logfile f ON f.group# = l.group# WHERE l.status = 'CURRENT'"))
	for _, c := range []struct{ arguments, want string }{
		{"Options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG", `insert into "APP"."T"("ID","D") values ('1,5',TO_DATE('28-FEB-26', 'DD-MON-RR'));`},
		{"StartTime => SYSDATE - 1/24, EndTime => SYSDATE + 1/24, Options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG + DBMS_LOGMNR.STRING_LITERALS_IN_STMT + DBMS_LOGMNR.SKIP_CORRUPTION", "ORA-01291"},
		{
			"EndTime => SYSDATE + 1/24, Options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG + DBMS_LOGMNR.STRING_LITERALS_IN_STMT + DBMS_LOGMNR.SKIP_CORRUPTION",
			`insert into "APP"."T"("ID","D") values ('1.5',TO_DATE('2026-02-28 00:00:00', 'YYYY-MM-DD HH24:MI:SS'));`,
		},
		{"StartTime => SYSDATE + 1, EndTime => SYSDATE, Options => 16", "ORA-01282"},
		{
			"Options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG + DBMS_LOGMNR.PRINT_PRETTY_SQL + DBMS_LOGMNR.NO_SQL_DELIMITER",
			"insert into \"APP\".\"T\"\n  values\n    \"ID\" = '1,5',\n    \"D\" = TO_DATE('28-FEB-26', 'DD-MON-RR')",
		},
	} {
		text := "BEGIN DBMS_LOGMNR.START_LOGMNR(" + c.arguments + "); END;"
		switch c.want {
		case "ORA-01291":
			root.fail(1291, text)
		case "ORA-01282":
			root.fail(1282, text)
		default:
			root.exec(text)
			if got := root.one("SELECT sql_redo FROM v$logmnr_contents WHERE operation_code = 1 AND seg_owner = 'APP'"); got != c.want {
				t.Errorf("%s: %s", c.arguments, got)
			}
		}
	}
}
