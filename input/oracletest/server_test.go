package oracletest_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	goora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/network"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, config oracletest.Config) *oracletest.Server {
	t.Helper()
	server, err := oracletest.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// client is one session of a driver that knows nothing of the stand-in.
type client struct {
	t    *testing.T
	conn *sql.Conn
}

func connect(t *testing.T, server *oracletest.Server, user, password, service string) *client {
	t.Helper()
	db := sql.OpenDB(goora.NewConnector(server.DSN(user, password, service)))
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
			t.Error(err)
		}
	})
	return &client{t: t, conn: conn}
}

func (c *client) exec(text string, args ...any) {
	c.t.Helper()
	if _, err := c.conn.ExecContext(context.Background(), text, args...); err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
}

func (c *client) fail(code int, text string, args ...any) {
	c.t.Helper()
	_, err := c.conn.ExecContext(context.Background(), text, args...)
	var ora *network.OracleError
	if !errors.As(err, &ora) || ora.ErrCode != code {
		c.t.Fatalf("%s: %v, want ORA-%05d", text, err, code)
	}
}

// rows reads a query as text, one row a line, separated by |; NULL is -.
func (c *client) rows(text string, args ...any) []string {
	c.t.Helper()
	rows, err := c.conn.QueryContext(context.Background(), text, args...)
	if err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			c.t.Error(err)
		}
	}()
	columns, err := rows.Columns()
	if err != nil {
		c.t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		cells, to := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := rows.Scan(to...); err != nil {
			c.t.Fatal(err)
		}
		line := make([]string, len(columns))
		for i, cell := range cells {
			line[i] = "-"
			if cell.Valid {
				line[i] = cell.String
			}
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	if err := rows.Err(); err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
	return lines
}

func (c *client) one(text string, args ...any) string {
	c.t.Helper()
	lines := c.rows(text, args...)
	if len(lines) != 1 {
		c.t.Fatalf("%s: %d rows", text, len(lines))
	}
	return lines[0]
}

// capture is a mining session with the settings of reference logminer A.6.
func capture(t *testing.T, server *oracletest.Server) *client {
	t.Helper()
	c := connect(t, server, oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name)
	for _, setting := range []string{
		"NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS'", "NLS_TIMESTAMP_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF9'",
		"NLS_TIMESTAMP_TZ_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM'", "NLS_NUMERIC_CHARACTERS = '.,'", "TIME_ZONE = 'UTC'",
	} {
		c.exec("ALTER SESSION SET " + setting)
	}
	return c
}

// mine does what a capture client does for one range: inventory, list of logs, START, query.
func (c *client) mine(columns, where string, args ...any) []string {
	c.t.Helper()
	bound := c.one("SELECT TO_CHAR(current_scn) FROM v$database")
	names := c.rows(`SELECT a.name FROM v$archived_log a JOIN v$database d ON d.resetlogs_change# = a.resetlogs_change#
		WHERE a.dest_id = 1 AND a.archived = 'YES' AND a.standby_dest = 'NO' AND a.deleted = 'NO' ORDER BY a.thread#, a.sequence#`)
	names = append(names, c.rows(`SELECT MIN(f.member) FROM v$log l JOIN v$logfile f ON f.group# = l.group# AND f.type = 'ONLINE' AND f.status IS NULL
		WHERE l.status NOT IN ('UNUSED', 'CLEARING', 'CLEARING_CURRENT') AND l.archived = 'NO'
		GROUP BY l.thread#, l.sequence#, l.status, l.archived, l.first_change#, l.next_change#`)...)
	for i, name := range names {
		option := 3
		if i == 0 {
			option = 1
		}
		c.exec("BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => :2); END;", name, option)
	}
	first := c.one("SELECT TO_CHAR(MIN(low_scn)) FROM v$logmnr_logs")
	c.exec("BEGIN DBMS_LOGMNR.START_LOGMNR(StartScn => :1, EndScn => :2, Options => 2128); END;", first, bound)
	rows := c.rows("SELECT "+columns+" FROM v$logmnr_contents WHERE "+where, args...)
	c.exec("BEGIN DBMS_LOGMNR.END_LOGMNR; END;")
	return rows
}

// Reference logminer O, scenes 1 and 2, by real statements through a real driver.
func TestScenesThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY, name VARCHAR2(50))")
	app.exec("ALTER TABLE t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	tx, err := app.conn.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"INSERT INTO t VALUES (1, 'one')", "UPDATE t SET name = 'uno' WHERE id = 1", "DELETE FROM t WHERE id = 1",
		"INSERT INTO t VALUES (2, 'a')", "SAVEPOINT s", "INSERT INTO t VALUES (3, 'b')", "UPDATE t SET name = 'c' WHERE id = 2",
		"ROLLBACK TO SAVEPOINT s", "INSERT INTO t VALUES (4, NULL)",
	} {
		if _, err := tx.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if _, err := tx.ExecContext(t.Context(), "INSERT INTO t VALUES (4, 'dup')"); err == nil {
		t.Fatal("a duplicate key was accepted")
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := server.SwitchLogfile(t.Context()); err != nil {
		t.Fatal(err)
	}

	got := capture(t, server).mine("operation, rollback, username, src_con_name, sql_redo",
		"operation_code IN (6, 7) OR operation_code IN (1, 2, 3) AND seg_owner = 'APP' AND table_name = :1", "T")
	want := []string{
		"START|0|APP|FREEPDB1|set transaction read write",
		`INSERT|0|APP|FREEPDB1|insert into "APP"."T"("ID","NAME") values ('1','one')`,
		`UPDATE|0|APP|FREEPDB1|update "APP"."T" set "NAME" = 'uno' where "ID" = '1' and "NAME" = 'one'`,
		`DELETE|0|APP|FREEPDB1|delete from "APP"."T" where "ID" = '1' and "NAME" = 'uno'`,
		`INSERT|0|APP|FREEPDB1|insert into "APP"."T"("ID","NAME") values ('2','a')`,
		`INSERT|0|APP|FREEPDB1|insert into "APP"."T"("ID","NAME") values ('3','b')`,
		`UPDATE|0|APP|FREEPDB1|update "APP"."T" set "NAME" = 'c' where "ID" = '2' and "NAME" = 'a'`,
		`UPDATE|1|APP|FREEPDB1|update "APP"."T" set "NAME" = 'a'`,
		`DELETE|1|APP|FREEPDB1|delete from "APP"."T" where ROWID = '…'`,
		`INSERT|0|APP|FREEPDB1|insert into "APP"."T"("ID","NAME") values ('4',NULL)`,
		`INSERT|0|APP|FREEPDB1|insert into "APP"."T"("ID","NAME") values ('4','dup')`,
		`DELETE|1|APP|FREEPDB1|delete from "APP"."T" where ROWID = '…'`,
		"COMMIT|0|APP|FREEPDB1|commit",
	}
	if len(got) < len(want) {
		t.Fatalf("%d rows: %q", len(got), got)
	}
	got = got[len(got)-len(want):] // before come the transactions of the DDL
	for i := range got {
		if head, _, ok := strings.Cut(got[i], "ROWID = '"); ok {
			got[i] = head + "ROWID = '…'"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer O, scene 6, and G.3: rows from before a DDL, by today's dictionary.
func TestRowsFromBeforeADDL(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, "app", "app", "FREEPDB1")
	for _, text := range []string{
		"CREATE TABLE lag (id NUMBER PRIMARY KEY)", "INSERT INTO lag VALUES (1)", "ALTER TABLE lag ADD (note VARCHAR2(10))", "INSERT INTO lag VALUES (2, 'x')",
		"CREATE TABLE gone (id NUMBER PRIMARY KEY)", "INSERT INTO gone VALUES (8)", "DROP TABLE gone PURGE",
		"CREATE TABLE binned (id NUMBER PRIMARY KEY)", "INSERT INTO binned VALUES (9)", "DROP TABLE binned",
	} {
		app.exec(text)
	}
	got := capture(t, server).mine("status, table_name, sql_redo", "operation_code IN (1, 5)")
	for i, line := range got {
		line = regexp.MustCompile(`BIN\$[^"|]+`).ReplaceAllString(line, "BIN$…")
		got[i] = regexp.MustCompile(`OBJ# \d+`).ReplaceAllString(line, "OBJ# …")
	}
	want := []string{
		"0|LAG|CREATE TABLE lag (id NUMBER PRIMARY KEY)",
		`2|LAG|insert into "APP"."LAG"("COL 1") values (HEXTORAW('c102'))`,
		"0|LAG|ALTER TABLE lag ADD (note VARCHAR2(10))",
		`0|LAG|insert into "APP"."LAG"("ID","NOTE") values ('2','x')`,
		"0|GONE|CREATE TABLE gone (id NUMBER PRIMARY KEY)",
		`2|OBJ# …|insert into "UNKNOWN"."OBJ# …"("COL 1") values (HEXTORAW('c109'))`,
		"0|GONE|DROP TABLE gone PURGE",
		"0|BINNED|CREATE TABLE binned (id NUMBER PRIMARY KEY)",
		`0|BIN$…|insert into "APP"."BIN$…"("ID") values ('9')`,
		`0|BINNED|ALTER TABLE "APP"."BINNED" RENAME TO "BIN$…"`,
		`0|BINNED|DROP TABLE binned AS "BIN$…"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer B.5: a long statement through the driver, cut inside text of several bytes a character.
func TestR9LongStatementThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec("CREATE TABLE long_rows (id NUMBER PRIMARY KEY, a VARCHAR2(4000), b VARCHAR2(4000))")
	a, b := strings.Repeat("\u00e9'", 1000), strings.Repeat("z\u2603", 900)
	app.exec("INSERT INTO long_rows VALUES (1, :1, :2)", a, b)
	got := capture(t, server).mine("csf, sql_redo", "operation_code = 1 AND table_name = 'LONG_ROWS'")
	statement := ""
	for i, line := range got {
		flag, chunk, _ := strings.Cut(line, "|")
		if last := i == len(got)-1; (flag == "0") != last || len(chunk) > 4000 {
			t.Errorf("chunk %d: CSF %s, %d bytes", i, flag, len(chunk))
		}
		statement += chunk
	}
	want := `insert into "APP"."LONG_ROWS"("ID","A","B") values ('1','` + strings.ReplaceAll(a, "'", "''") + `','` + b + `')`
	if statement != want {
		t.Errorf("%d chunks do not make the statement", len(got))
	}
}

func TestAccountsAndServices(t *testing.T) {
	server := start(t, oracletest.Config{PDBs: []string{"FREEPDB1", "SALES"}})
	for _, c := range []struct{ user, password, service, want string }{
		{"app", "app", "FREEPDB1", "APP|FREEPDB1"},
		{"app", "app", "SALES", "APP|SALES"},
		{"c##cdc", "cdc", "FREE", "C##CDC|CDB$ROOT"},
		{"system", "oracle", "FREE", "SYSTEM|CDB$ROOT"},
		{"system", "oracle", "SALES", "SYSTEM|SALES"},
	} {
		got := connect(t, server, c.user, c.password, c.service).
			one("SELECT SYS_CONTEXT('USERENV', 'SESSION_USER'), SYS_CONTEXT('USERENV', 'CON_NAME') FROM dual")
		if got != c.want {
			t.Errorf("%s at %s: %s", c.user, c.service, got)
		}
	}
	for _, c := range []struct {
		user, password, service string
		code                    int
	}{
		{"app", "wrong", "FREEPDB1", 1017}, {"app", "app", "FREE", 1017}, {"app", "app", "NONE", 12514},
	} {
		db := sql.OpenDB(goora.NewConnector(server.DSN(c.user, c.password, c.service)))
		err := db.PingContext(t.Context())
		var ora *network.OracleError
		if !errors.As(err, &ora) || ora.ErrCode != c.code {
			t.Errorf("%s at %s: %v, want ORA-%05d", c.user, c.service, err, c.code)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Reference logminer I: what an inventory of tables reads, at the root, of a PDB's table.
func TestDictionaryThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec(`CREATE TABLE orders (id NUMBER(10) NOT NULL, customer VARCHAR2(40) NOT NULL, code CHAR(3), due DATE, at TIMESTAMP(6), tag RAW(16),
		CONSTRAINT orders_pk PRIMARY KEY (id))`)
	app.exec("ALTER TABLE orders ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	root := connect(t, server, "c##cdc", "cdc", "FREE")
	got := root.rows(`SELECT c.column_name, c.data_type, c.data_length, c.data_precision, c.data_scale, c.nullable, c.segment_column_id
		FROM cdb_tab_cols c JOIN v$containers k ON k.con_id = c.con_id
		WHERE k.name = 'FREEPDB1' AND c.owner = 'APP' AND c.table_name = 'ORDERS' ORDER BY c.internal_column_id`)
	want := []string{
		"ID|NUMBER|22|10|0|N|1", "CUSTOMER|VARCHAR2|40|-|-|N|2", "CODE|CHAR|3|-|-|Y|3", "DUE|DATE|7|-|-|Y|4", "AT|TIMESTAMP(6)|11|-|6|Y|5",
		"TAG|RAW|16|-|-|Y|6",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := root.one("SELECT cc.column_name FROM cdb_constraints k JOIN cdb_cons_columns cc ON cc.con_id = k.con_id AND cc.owner = k.owner AND cc.constraint_name = k.constraint_name " +
		"WHERE k.constraint_type = 'P' AND k.status = 'ENABLED' AND k.table_name = 'ORDERS'"); got != "ID" {
		t.Errorf("key column %s", got)
	}
	if got := root.one("SELECT log_group_type FROM cdb_log_groups WHERE table_name = 'ORDERS'"); got != "ALL COLUMN LOGGING" {
		t.Errorf("log group %s", got)
	}
	if got := root.one("SELECT supplemental_log_data_min || ' ' || log_mode || ' ' || cdb FROM v$database"); got != "YES ARCHIVELOG YES" {
		t.Errorf("database %s", got)
	}
}

// Reference logminer F.4.
func TestOpenTransactionsThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
	tx, err := app.conn.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "INSERT INTO t VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	root := connect(t, server, "c##cdc", "cdc", "FREE")
	query := `SELECT t.con_id, s.username, CASE WHEN t.start_scn > 0 THEN 'started' END
		FROM gv$transaction t LEFT JOIN gv$session s ON s.saddr = t.ses_addr AND s.inst_id = t.inst_id`
	if got := root.one(query); got != "3|APP|started" {
		t.Errorf("open transaction: %s", got)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if got := root.rows(query); len(got) != 0 {
		t.Errorf("after the rollback: %q", got)
	}
}

func TestLogMinerErrorsThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	root := capture(t, server)
	root.fail(1284, "BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => DBMS_LOGMNR.NEW); END;", "/none.log")
	root.fail(1292, "BEGIN DBMS_LOGMNR.START_LOGMNR(Options => DBMS_LOGMNR.DICT_FROM_ONLINE_CATALOG + 2048 + 64); END;")
	root.fail(1307, "BEGIN DBMS_LOGMNR.END_LOGMNR; END;")
	app := connect(t, server, "system", "oracle", "FREEPDB1")
	app.fail(65040, "BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => 1); END;", "/none.log")
	var scn string
	if err := root.conn.QueryRowContext(t.Context(), "SELECT scn FROM v$logmnr_contents").Scan(&scn); err == nil || !strings.Contains(err.Error(), "ORA-01306") {
		t.Errorf("SELECT without START: %v", err)
	}
}

func TestSwitchAndPurge(t *testing.T) {
	server := start(t, oracletest.Config{LogGroups: 2, LogSize: 8 << 10})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY, v VARCHAR2(1000))")
	for i := range 40 {
		app.exec("INSERT INTO t VALUES (:1, :2)", i, strings.Repeat("x", 900))
	}
	system := connect(t, server, "system", "oracle", "FREE")
	system.exec("ALTER SYSTEM SWITCH LOGFILE")
	root := capture(t, server)
	before := server.Stats()
	if before.Archived < 5 || fmt.Sprint(before.Sequence) != root.one("SELECT sequence# FROM v$log WHERE status = 'CURRENT'") {
		t.Errorf("%+v", before)
	}
	if got := root.mine("COUNT(*)", "operation_code = 1 AND table_name = 'T'"); got[0] != "40" {
		t.Errorf("%s inserts were mined", got[0])
	}
	if n := server.PurgeArchived(server.CurrentSCN() + 1); n != before.Archived {
		t.Errorf("%d of %d logs purged", n, before.Archived)
	}
	if got := root.rows("SELECT name FROM v$archived_log WHERE deleted = 'NO'"); len(got) != 0 {
		t.Errorf("not purged: %q", got)
	}
}

func TestScriptRunsAsSystem(t *testing.T) {
	server := start(t, oracletest.Config{})
	script := `-- set-up
ALTER SESSION SET CONTAINER = FREEPDB1;
CREATE TABLE app.s (id NUMBER PRIMARY KEY);
INSERT INTO app.s VALUES (7);
`
	if err := server.RunScript(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	if got := connect(t, server, "app", "app", "FREEPDB1").one("SELECT id FROM s"); got != "7" {
		t.Errorf("id = %s", got)
	}
	if err := server.RunScript(t.Context(), "SELECT 1 FROM dual;\nDROP NONSENSE 'secret';"); err == nil ||
		!strings.Contains(err.Error(), "statement 2") || strings.Contains(err.Error(), "secret") {
		t.Errorf("err = %v", err)
	}
}

func TestLoadWithoutTheWire(t *testing.T) {
	server := start(t, oracletest.Config{})
	if err := server.Load(t.Context(), "", 2500); err != nil {
		t.Fatal(err)
	}
	if err := server.Load(t.Context(), "FREEPDB1", 500); err != nil {
		t.Fatal(err)
	}
	if got := connect(t, server, "app", "app", "FREEPDB1").one("SELECT COUNT(*) FROM generated"); got != "3000" {
		t.Errorf("%s rows", got)
	}
	if err := server.Load(t.Context(), "NONE", 1); err == nil {
		t.Error("an unknown PDB was accepted")
	}
}

func TestConfigIsChecked(t *testing.T) {
	for name, config := range map[string]oracletest.Config{
		"release":    {Release: 12},
		"PDB name":   {PDBs: []string{"bad name"}},
		"twice":      {PDBs: []string{"A", "A"}},
		"address":    {Listen: "0.0.0.0:0"},
		"log size":   {LogSize: 10},
		"retention":  {UndoRetention: -1},
		"root's own": {PDBs: []string{"FREE"}},
		"instances":  {Instances: 99},
	} {
		if server, err := oracletest.Start(t.Context(), config); err == nil {
			t.Errorf("%s: accepted", name)
			_ = server.Close()
		}
	}
}

// Reference logminer A.7 and I: a PDB with redo in the range must be open, captured or not, and CDB_ views leave a closed one out without
// a word.
func TestClosedPDBStopsTheFetchUntilItOpens(t *testing.T) {
	server := start(t, oracletest.Config{PDBs: []string{"FREEPDB1", "SALES"}})
	for _, pdb := range []string{"FREEPDB1", "SALES"} {
		app := connect(t, server, "app", "app", pdb)
		app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
		app.exec("INSERT INTO t VALUES (1)")
	}
	root := capture(t, server)
	const insert = "operation_code = 1 AND seg_owner = 'APP'"
	if got := root.mine("src_con_name", insert); len(got) != 2 {
		t.Fatalf("%q", got)
	}
	if err := server.SetOpenMode("SALES", "MOUNTED"); err != nil {
		t.Fatal(err)
	}
	root.exec("BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => 1); END;", root.one("SELECT f.member FROM v$log l JOIN v$logfile f ON f.group# = l.group# WHERE l.status = 'CURRENT'"))
	root.exec("BEGIN DBMS_LOGMNR.START_LOGMNR(Options => 2128); END;")
	root.fail(16331, "SELECT COUNT(*) FROM v$logmnr_contents")
	if got := root.rows("SELECT name, open_mode FROM v$pdbs WHERE con_id > 2 ORDER BY name"); !slices.Equal(got, []string{"FREEPDB1|READ WRITE", "SALES|MOUNTED"}) {
		t.Errorf("%q", got)
	}
	if got := root.one("SELECT COUNT(*) FROM cdb_tables WHERE owner = 'APP'"); got != "1" {
		t.Errorf("%s tables", got)
	}
	if err := server.SetOpenMode("SALES", "READ WRITE"); err != nil {
		t.Fatal(err)
	}
	if got := root.mine("src_con_name", insert); len(got) != 2 {
		t.Errorf("opened again: %q", got)
	}
	if err := server.SetOpenMode("NONE", "MOUNTED"); err == nil {
		t.Error("an unknown PDB was closed")
	}
}
