package oracletest_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/network"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
)

// reader is what a snapshot reads with: the capture user in a PDB.
func reader(t *testing.T, server *oracletest.Server) *client {
	t.Helper()
	c := connect(t, server, oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name)
	c.exec("ALTER SESSION SET CONTAINER = FREEPDB1")
	return c
}

// only is the one statement of a log that read a table.
func only(t *testing.T, l *engine.StatementLog) engine.TableRead {
	t.Helper()
	var reads []engine.TableRead
	for _, x := range l.Statements() {
		reads = append(reads, x.Reads...)
	}
	l.Reset()
	if len(reads) != 1 {
		t.Fatalf("reads: %+v", reads)
	}
	return reads[0]
}

// TestChunksByExtents reads a table and a partitioned one by the ROWID ranges of their extents, as of one SCN, through go-ora: every row comes once,
// and a chunk visits its own rows only (issue 8.1, reference logminer J).
func TestChunksByExtents(t *testing.T) {
	server := start(t, oracletest.Config{DataFiles: 3})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE empty (id NUMBER)")
	app.exec("CREATE TABLE heap (id NUMBER, v VARCHAR2(20))")
	app.exec("CREATE TABLE parts (id NUMBER, v VARCHAR2(20)) PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (12000), PARTITION p2 VALUES LESS THAN (30000), PARTITION p3 VALUES LESS THAN (99999))")
	const rows = 20000
	ids, texts := make([]int64, rows), make([]string, rows)
	for i := range ids {
		ids[i], texts[i] = int64(i), fmt.Sprintf("row %d", i)
	}
	for _, table := range []string{"heap", "parts"} {
		app.exec("INSERT INTO "+table+" VALUES (:1, :2)", ids, texts)
	}
	c := reader(t, server)
	if got := c.rows("SELECT COUNT(*) FROM DBA_EXTENTS WHERE OWNER = 'APP' AND SEGMENT_NAME = 'EMPTY'"); got[0] != "0" {
		t.Errorf("a table without rows has %s extents", got[0])
	}
	scn := c.rows("SELECT CURRENT_SCN FROM V$DATABASE")[0]
	app.exec("DELETE heap WHERE MOD(id, 2) = 0")
	app.exec("UPDATE parts SET v = 'new'")
	for _, table := range []string{"HEAP", "PARTS"} {
		extents := c.rows(`SELECT o.DATA_OBJECT_ID, e.RELATIVE_FNO, e.BLOCK_ID, e.BLOCKS, o.SUBOBJECT_NAME, e.SEGMENT_TYPE FROM DBA_EXTENTS e
			JOIN DBA_OBJECTS o ON o.OWNER = e.OWNER AND o.OBJECT_NAME = e.SEGMENT_NAME AND NVL(o.SUBOBJECT_NAME, '-') = NVL(e.PARTITION_NAME, '-')
			WHERE e.OWNER = 'APP' AND e.SEGMENT_NAME = :1 AND o.DATA_OBJECT_ID IS NOT NULL ORDER BY o.DATA_OBJECT_ID, e.EXTENT_ID`, table)
		if len(extents) < 17 {
			t.Fatalf("%s has %d extents", table, len(extents))
		}
		files := make(map[string]bool)
		seen := make(map[string]int)
		for _, line := range extents {
			e := strings.Split(line, "|")
			files[e[1]] = true
			l := server.LogStatements()
			got := c.rows("SELECT id, v FROM app."+table+" AS OF SCN "+scn+` WHERE ROWID BETWEEN DBMS_ROWID.ROWID_CREATE(1, :1, :2, :3, 0)
				AND DBMS_ROWID.ROWID_CREATE(1, :4, :5, :6 + :7 - 1, 32767)`, e[0], e[1], e[2], e[0], e[1], e[2], e[3])
			read := only(t, l)
			l.Stop()
			if read.Path != engine.RowIDRange || read.Visited != int64(len(got)) {
				t.Errorf("%s: %d rows, %+v", line, len(got), read)
			}
			for _, row := range got {
				seen[row]++
			}
			if e[4] != "-" {
				if n := c.rows("SELECT COUNT(*) FROM app." + table + " PARTITION (" + e[4] + ") WHERE ROWID BETWEEN DBMS_ROWID.ROWID_CREATE(1, " + e[0] + ", 1, 0, 0) AND DBMS_ROWID.ROWID_CREATE(1, " + e[0] + ", 1023, 99999999, 32767)"); n[0] == "0" {
					t.Errorf("no rows in %s by its data object", e[4])
				}
			}
		}
		if len(files) != 3 {
			t.Errorf("%s lies in %d files", table, len(files))
		}
		if len(seen) != rows {
			t.Errorf("%s: %d of %d rows", table, len(seen), rows)
		}
		for i := range ids {
			if row := fmt.Sprintf("%d|%s", ids[i], texts[i]); seen[row] != 1 {
				t.Fatalf("%s: %q came %d times", table, row, seen[row])
			}
		}
		if got := c.rows("SELECT COUNT(*), SUM(BLOCKS) FROM DBA_EXTENTS WHERE SEGMENT_NAME = :1", table); !slices.Equal(got, c.rows("SELECT SUM(EXTENTS), SUM(BLOCKS) FROM DBA_SEGMENTS WHERE SEGMENT_NAME = :1", table)) {
			t.Errorf("%s: segments and extents differ", table)
		}
	}
	app.exec("BEGIN DBMS_STATS.GATHER_TABLE_STATS(USER, 'PARTS'); END;")
	if got := c.rows("SELECT PARTITION_NAME, NUM_ROWS, OBJECT_TYPE FROM ALL_TAB_STATISTICS WHERE TABLE_NAME = 'PARTS' ORDER BY PARTITION_POSITION NULLS FIRST"); !slices.Equal(got, []string{
		"-|20000|TABLE", "P1|12000|PARTITION", "P2|8000|PARTITION", "P3|0|PARTITION",
	}) {
		t.Errorf("statistics: %v", got)
	}
	if got := c.rows("SELECT NUM_ROWS, CEIL(NUM_ROWS / BLOCKS) FROM ALL_TABLES WHERE TABLE_NAME = 'PARTS'"); got[0] != "20000|91" {
		t.Errorf("rows and rows of a block: %v", got)
	}
	if got := c.rows("SELECT NUM_ROWS FROM ALL_TABLES WHERE TABLE_NAME = 'HEAP'"); got[0] != "-" {
		t.Errorf("rows of a table that nobody has counted: %v", got)
	}
}

// TestKeysOfEveryBind reads pages behind a key that go-ora sends as a bind of its type (issue 8.1).
func TestKeysOfEveryBind(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	c := reader(t, server)
	c.exec("ALTER SESSION SET NLS_SORT = BINARY NLS_COMP = BINARY")
	at := time.Date(2026, 3, 29, 1, 2, 3, 123456789, time.UTC)
	number, err := goora.NewNumberFromString("12345678901234567890.5")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		typ    string
		values []string // three of them, rising
		bind   any      // the one in the middle
		marker string
		scan   bool // the bind is of another type than the key, which is converted for every row: no range
	}{
		{"NUMBER(10)", []string{"-5", "7", "10"}, int64(7), ":1", false},
		{"NUMBER", []string{"-5", "12345678901234567890.5", "12345678901234567890.6"}, number, ":1", false},
		{"NUMBER", []string{"-5", "12345678901234567890.5", "12345678901234567890.6"}, "12345678901234567890.5", "TO_NUMBER(:1)", false},
		{"FLOAT", []string{"-5", "0.5", "0.75"}, 0.5, ":1", false},
		{"VARCHAR2(20)", []string{"'Z'", "'a'", "'\u00e4'"}, "a", ":1", false},
		{"NVARCHAR2(20)", []string{"N'Z'", "N'\u00e4'", "N'\u4e2d'"}, goora.NVarChar("\u00e4"), ":1", false},
		{"CHAR(4)", []string{"'A'", "'B'", "'B a'"}, "B   ", ":1", false},
		{"RAW(8)", []string{"HEXTORAW('00')", "HEXTORAW('7F00')", "HEXTORAW('FF')"}, []byte{0x7f, 0}, ":1", false},
		{"DATE", []string{"DATE '1969-01-01'", "TO_DATE('2026-03-29 01:02:03', 'YYYY-MM-DD HH24:MI:SS')", "DATE '2030-01-01'"}, "2026-03-29 01:02:03", "TO_DATE(:1, 'YYYY-MM-DD HH24:MI:SS')", false},
		{"DATE", []string{"DATE '1969-01-01'", "TO_DATE('2026-03-29 01:02:03', 'YYYY-MM-DD HH24:MI:SS')", "DATE '2030-01-01'"}, at.Truncate(time.Second), ":1", true},
		{"TIMESTAMP(9)", []string{"TIMESTAMP '2026-03-29 01:02:03.123456788'", "TIMESTAMP '2026-03-29 01:02:03.123456789'", "TIMESTAMP '2026-03-29 01:02:03.12345679'"}, goora.TimeStamp(at), ":1", false},
		{
			"TIMESTAMP(9)",
			[]string{"TIMESTAMP '2026-03-29 01:02:03.123456788'", "TIMESTAMP '2026-03-29 01:02:03.123456789'", "TIMESTAMP '2026-03-29 01:02:03.12345679'"},
			"2026-03-29 01:02:03.123456789", "TO_TIMESTAMP(:1, 'YYYY-MM-DD HH24:MI:SS.FF9')", false,
		},
		{
			"TIMESTAMP(9) WITH TIME ZONE",
			[]string{"TIMESTAMP '2026-03-29 01:02:03.1 +02:00'", "TIMESTAMP '2026-03-29 01:02:03.123456789 +00:00'", "TIMESTAMP '2026-03-29 01:02:03.2 +00:00'"},
			goora.TimeStampTZ(at), ":1", false,
		},
		{"BINARY_DOUBLE", []string{"-1e300d", "0.5d", "1e300d"}, 0.5, "TO_BINARY_DOUBLE(:1)", false},
		{"INTERVAL DAY TO SECOND", []string{"INTERVAL '-1' DAY", "INTERVAL '0 01:02:03.5' DAY TO SECOND", "INTERVAL '2' DAY"}, "0 01:02:03.5", "TO_DSINTERVAL(:1)", false},
		{"INTERVAL YEAR TO MONTH", []string{"INTERVAL '-1' MONTH", "INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '3' YEAR"}, "1-2", "TO_YMINTERVAL(:1)", false},
	} {
		app.exec("CREATE TABLE k (a " + row.typ + ", b NUMBER, PRIMARY KEY (a, b))")
		for i, value := range row.values {
			for b := range 100 {
				app.exec(fmt.Sprintf("INSERT INTO k VALUES (%s, %d)", value, i*100+b))
			}
		}
		scn := c.rows("SELECT CURRENT_SCN FROM V$DATABASE")[0]
		app.exec("DELETE k")
		text := fmt.Sprintf("SELECT b FROM app.k AS OF SCN %s WHERE a > %s OR (a = %s AND b > :3) ORDER BY a, b FETCH FIRST 60 ROWS ONLY",
			scn, row.marker, strings.ReplaceAll(row.marker, ":1", ":2"))
		l := server.LogStatements()
		got := c.rows(text, row.bind, row.bind, 149)
		read := only(t, l)
		l.Stop()
		var want []string
		for b := 150; b < 210; b++ {
			want = append(want, fmt.Sprint(b))
		}
		path, visited := engine.IndexRange, int64(60)
		if row.scan {
			path, visited = engine.IndexScan, 210
		}
		if !slices.Equal(got, want) || read.Visited != visited || read.Path != path {
			t.Errorf("%s with %T: %v, %+v", row.typ, row.bind, got, read)
		}
		app.exec("DROP TABLE k PURGE")
	}
}

// TestSnapshotTooOldWhileFetching covers ORA-01555 and ORA-08103 in the middle of the rows that go-ora fetches (R81, R82).
func TestSnapshotTooOldWhileFetching(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
	ids := make([]int64, 5000)
	for i := range ids {
		ids[i] = int64(i)
	}
	app.exec("INSERT INTO t VALUES (:1)", ids)
	db := sql.OpenDB(goora.NewConnector(server.DSN(oracletest.CaptureUser, oracletest.CapturePassword, "FREEPDB1") + "?PREFETCH_ROWS=50"))
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	c := reader(t, server)
	for _, row := range []struct {
		query string
		do    func()
		code  int
	}{
		{"SELECT id FROM app.t AS OF SCN %s", func() { app.exec("UPDATE t SET id = -id - 1"); server.ExpireUndo(server.CurrentSCN()) }, 1555},
		{"SELECT id FROM app.t AS OF SCN %s ORDER BY id", func() { app.exec("UPDATE t SET id = -id - 1"); server.ExpireUndo(server.CurrentSCN()) }, 1555},
		{"SELECT id FROM app.t AS OF SCN %s", func() { app.exec("TRUNCATE TABLE t"); app.exec("INSERT INTO t VALUES (:1)", ids) }, 8103},
		{"SELECT id FROM app.t AS OF SCN %s", func() { app.exec("ALTER TABLE t ADD x NUMBER") }, 1466},
		{"SELECT id FROM app.t AS OF SCN %s", func() { app.exec("DROP TABLE t PURGE") }, 8103},
	} {
		text := fmt.Sprintf(row.query, c.rows("SELECT CURRENT_SCN FROM V$DATABASE")[0])
		n, code := fetchAll(t, db, text, row.do)
		if n < 100 || n == 5000 || code != row.code {
			t.Errorf("%s: %d rows, then ORA-%05d, want ORA-%05d", text, n, code, row.code)
		}
	}
}

// querier is a session or several.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// fetchAll counts the rows of a query up to its end or an ORA error; do is called behind the hundredth.
func fetchAll(t *testing.T, from querier, text string, do func()) (n, code int) {
	t.Helper()
	var ora *network.OracleError
	rows, err := from.QueryContext(t.Context(), text)
	if errors.As(err, &ora) {
		return 0, ora.ErrCode
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}()
	for rows.Next() {
		if n++; n == 100 {
			do()
		}
	}
	if err := rows.Err(); err != nil && !errors.As(err, &ora) {
		t.Fatal(err)
	}
	if ora != nil {
		code = ora.ErrCode
	}
	return n, code
}

// TestUndoByControl lets undo expire from another process.
func TestUndoByControl(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
	app.exec("INSERT INTO t VALUES (1)")
	c := reader(t, server)
	scn := c.rows("SELECT CURRENT_SCN FROM V$DATABASE")[0]
	app.exec("UPDATE t SET id = 2")
	post := func(path string) int {
		answer := httptest.NewRecorder()
		server.Control().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, nil))
		return answer.Code
	}
	if code := post("/expire-undo?before=x"); code != http.StatusBadRequest {
		t.Errorf("status %d for what is no SCN", code)
	}
	if code := post("/expire-undo?before=" + scn); code != http.StatusOK {
		t.Errorf("status %d", code)
	}
	if got := c.rows("SELECT id FROM app.t AS OF SCN " + scn); got[0] != "1" {
		t.Errorf("as of the SCN itself: %v", got)
	}
	if code := post("/expire-undo"); code != http.StatusOK {
		t.Errorf("status %d", code)
	}
	if n, code := fetchAll(t, c.conn, "SELECT id FROM app.t AS OF SCN "+scn, nil); n != 0 || code != 1555 {
		t.Errorf("from before: %d rows, ORA-%05d", n, code)
	}
}

// TestIndexOrganized covers a table without extents and physical ROWIDs: it is read by its key (reference logminer J).
func TestIndexOrganized(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("CREATE TABLE iot (id NUMBER, v VARCHAR2(20), CONSTRAINT k PRIMARY KEY (id)) ORGANIZATION INDEX")
	ids, texts := make([]int64, 500), make([]string, 500)
	for i := range ids {
		ids[i], texts[i] = int64(500-i), "v"
	}
	app.exec("INSERT INTO iot VALUES (:1, :2)", ids, texts)
	c := reader(t, server)
	if got := c.rows("SELECT t.IOT_TYPE, o.DATA_OBJECT_ID, (SELECT COUNT(*) FROM DBA_EXTENTS WHERE SEGMENT_NAME = 'IOT') FROM ALL_TABLES t JOIN DBA_OBJECTS o ON o.OWNER = t.OWNER AND o.OBJECT_NAME = t.TABLE_NAME WHERE t.TABLE_NAME = 'IOT'"); got[0] != "IOT|-|0" {
		t.Errorf("dictionary: %v", got)
	}
	if got := c.rows("SELECT ROWID FROM app.iot WHERE id = 7"); len(got) != 1 || got[0][0] != '*' {
		t.Errorf("ROWID: %v", got)
	}
	scn := c.rows("SELECT CURRENT_SCN FROM V$DATABASE")[0]
	app.exec("DELETE iot WHERE id > 100")
	l := server.LogStatements()
	defer l.Stop()
	if got := c.rows("SELECT id FROM app.iot AS OF SCN "+scn+" WHERE id > :1 ORDER BY id FETCH FIRST 3 ROWS ONLY", 250); !slices.Equal(got, []string{"251", "252", "253"}) {
		t.Errorf("a page: %v", got)
	}
	if read := only(t, l); read.Visited != 3 || read.Index != "K" {
		t.Errorf("a page: %+v", read)
	}
	if got := c.rows("SELECT COUNT(*) FROM app.iot"); got[0] != "100" {
		t.Errorf("all: %v", got)
	}
	if read := only(t, l); read.Visited != 100 || read.Path != engine.IndexScan {
		t.Errorf("all: %+v", read)
	}
}
