package oracletest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

func TestWartsAreSwitchedAtRunTime(t *testing.T) {
	server := start(t, oracletest.Config{Warts: redo.Warts{R117PartialXID: true}})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
	rolledBack := func(id int) {
		t.Helper()
		tx, err := app.conn.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), "INSERT INTO t VALUES (:1)", id); err != nil {
			t.Fatal(err)
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
	rolledBack(1)
	if err := server.SetWarts(redo.Warts{}); err != nil {
		t.Fatal(err)
	}
	rolledBack(2)
	got := capture(t, server).mine("operation, CASE xidsqn WHEN 4294967295 THEN 'partial' END", "operation_code IN (2, 36)")
	want := []string{"DELETE|partial", "ROLLBACK|partial", "DELETE|-", "ROLLBACK|-"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := server.SetWarts(redo.Warts{R14Displaced: true}); err == nil {
		t.Error("wrong warts were accepted")
	}
}

// R20, R30: commits return and are seen by queries while the log writer hangs; their redo comes when it goes on.
func TestR30PausedLogWriter(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
	resume := server.PauseLogWriter()
	app.exec("INSERT INTO t VALUES (1)")
	if got := app.one("SELECT COUNT(*) FROM t"); got != "1" {
		t.Errorf("%s rows", got)
	}
	root := capture(t, server)
	if got := root.mine("operation", "table_name = 'T' AND operation_code = 1"); len(got) != 0 {
		t.Errorf("mined while the writer hangs: %q", got)
	}
	resume()
	if got := root.mine("operation", "table_name = 'T' AND operation_code = 1"); len(got) != 1 {
		t.Errorf("mined afterwards: %q", got)
	}
}

// R117: without local undo transaction ids are unique in the whole database, and the database says so.
func TestR117SharedUndo(t *testing.T) {
	for _, shared := range []bool{false, true} {
		server := start(t, oracletest.Config{SharedUndo: shared, PDBs: []string{"FREEPDB1", "SALES"}})
		for _, pdb := range []string{"FREEPDB1", "SALES"} {
			app := connect(t, server, "app", "app", pdb)
			app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
			app.exec("INSERT INTO t VALUES (1)")
		}
		root := capture(t, server)
		xids := root.mine("xidusn || '.' || xidslt || '.' || xidsqn", "operation_code = 1 AND seg_owner = 'APP'")
		if len(xids) != 2 || (xids[0] != xids[1]) != shared {
			t.Errorf("shared %v: %q", shared, xids)
		}
		local := strings.ToUpper(strconv.FormatBool(!shared))
		if got := root.one("SELECT property_value FROM database_properties WHERE property_name = 'LOCAL_UNDO_ENABLED'"); got != local {
			t.Errorf("shared %v: LOCAL_UNDO_ENABLED is %s", shared, got)
		}
	}
}

func TestR124DatabaseIsBehind(t *testing.T) {
	server := start(t, oracletest.Config{})
	root := capture(t, server)
	before := root.one("SELECT current_scn FROM v$database")
	if err := server.SetWarts(redo.Warts{R124Behind: 1000}); err != nil {
		t.Fatal(err)
	}
	if after := root.one("SELECT current_scn FROM v$database"); after >= before {
		t.Errorf("%s after %s", after, before)
	}
}

// Reference logminer D.3 and B.4: nothing guarantees the SQL without minimal supplemental logging.
func TestRedoWithoutSupplementalLoggingHasStatus3(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
	app.exec("INSERT INTO t VALUES (1)")
	system := connect(t, server, "system", "oracle", "FREE")
	system.exec("ALTER DATABASE DROP SUPPLEMENTAL LOG DATA")
	app.exec("INSERT INTO t VALUES (2)")
	system.exec("ALTER DATABASE ADD SUPPLEMENTAL LOG DATA")
	app.exec("INSERT INTO t VALUES (3)")
	got := capture(t, server).mine("status, info, sql_redo", "operation_code = 1 AND seg_owner = 'APP'")
	want := []string{
		`0|-|insert into "APP"."T"("ID") values ('1')`,
		`3|no supplemental log data found|insert into "APP"."T"("ID") values ('2')`,
		`0|-|insert into "APP"."T"("ID") values ('3')`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestControlOfWarts(t *testing.T) {
	server := start(t, oracletest.Config{})
	control := server.Control()
	send := func(method, body string) (int, string) {
		t.Helper()
		w := httptest.NewRecorder()
		control.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, "/warts", strings.NewReader(body)))
		text, err := io.ReadAll(w.Result().Body)
		if err != nil {
			t.Fatal(err)
		}
		return w.Code, string(text)
	}
	if code, body := send(http.MethodPost, `{"K1Displaced": 3, "R13ZeroAddressRollback": true}`); code != http.StatusOK {
		t.Errorf("%d %s", code, body)
	}
	if code, body := send(http.MethodPost, `{"R9Cut": 2}`); code != http.StatusOK {
		t.Errorf("%d %s", code, body)
	}
	if want := (redo.Warts{K1Displaced: 3, R13ZeroAddressRollback: true, R9Cut: 2}); server.Warts() != want {
		t.Errorf("%+v", server.Warts())
	}
	if code, body := send(http.MethodGet, ""); code != http.StatusOK || !strings.Contains(body, `"K1Displaced":3`) {
		t.Errorf("%d %s", code, body)
	}
	for _, bad := range []string{`{"NoSuchWart": true}`, `{"K1Displaced": -1}`, "x"} {
		if code, _ := send(http.MethodPost, bad); code != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, code)
		}
	}
}

func TestLoadThatKeepsFewRows(t *testing.T) {
	server := start(t, oracletest.Config{})
	for range 2 {
		if err := server.LoadKeeping(t.Context(), "", 3500, 700); err != nil {
			t.Fatal(err)
		}
	}
	app := connect(t, server, "app", "app", "FREEPDB1")
	if got := app.one("SELECT MIN(id), MAX(id), COUNT(*) FROM generated"); got != "6301|7000|700" {
		t.Errorf("rows %s", got)
	}
	if got := capture(t, server).mine("operation, COUNT(*)", "seg_owner = 'APP' AND operation_code IN (1, 2) GROUP BY operation ORDER BY operation"); strings.Join(got, " ") != "DELETE|6300 INSERT|7000" {
		t.Errorf("redo %q", got)
	}
}

// The memory of the whole server does not follow the redo. LOAD_ROWS sets the number of rows, as in
//
//	LOAD_ROWS=5000000 go test -run TestServerMemory -v -timeout 30m ./input/oracletest
func TestServerMemoryIsBoundedWhateverTheRedo(t *testing.T) {
	rows := 60_000
	if text := os.Getenv("LOAD_ROWS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		rows = n
	}
	const keep, budget, slack = 5000, 4 << 20, 24 << 20
	server := start(t, oracletest.Config{RedoMemory: budget, UndoRetention: time.Millisecond})
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	check := func(when string) {
		t.Helper()
		if used := int64(heap() - before); used > budget+slack {
			t.Fatalf("%s: %d bytes in memory", when, used)
		}
	}
	for range 4 {
		if err := server.LoadKeeping(t.Context(), "", rows/4, keep); err != nil {
			t.Fatal(err)
		}
		check("loaded")
	}
	got := capture(t, server).mine("COUNT(*)", "operation_code IN (1, 2) AND seg_owner = 'APP'")
	if got[0] != strconv.Itoa(2*rows-keep) {
		t.Errorf("%s rows were mined, want %d", got[0], 2*rows-keep)
	}
	check("mined")
	t.Logf("%d redo rows, %d bytes", 2*rows-keep, heap()-before)
}
