package oracletest_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// LOBs of any size, RETURNING and intervals through a driver.
func TestLOBsAndIntervalsThroughTheDriver(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec("CREATE TABLE d (id NUMBER PRIMARY KEY, c CLOB, b BLOB, i INTERVAL DAY TO SECOND, y INTERVAL YEAR TO MONTH)")
	long := strings.Repeat("größer als eine Zeile ", 20_000)
	app.exec("INSERT INTO d (id, c, b) VALUES (1, :1, :2)", goora.Clob{String: long, Valid: true}, goora.Blob{Data: []byte(long), Valid: true})
	app.exec("INSERT INTO d VALUES (2, EMPTY_CLOB(), NULL, INTERVAL '1 02:03:04' DAY TO SECOND, INTERVAL '1-2' YEAR TO MONTH)")
	var c string
	var b []byte
	if err := app.conn.QueryRowContext(t.Context(), "SELECT c, b FROM d WHERE id = 1").Scan(&c, &b); err != nil {
		t.Fatal(err)
	}
	if c != long || string(b) != long {
		t.Errorf("%d characters and %d bytes came back of %d", len(c), len(b), len(long))
	}
	if got := app.one("SELECT LENGTH(c), NVL(LENGTH(b), -1), TO_CHAR(i), TO_CHAR(y) FROM d WHERE id = 2"); got != "0|-1|+01 02:03:04.000000|+01-02" {
		t.Error(got)
	}
	var id int64
	var text string
	app.exec("UPDATE d SET c = 'short' WHERE id = 2 RETURNING id, TO_CHAR(c) INTO :1, :2", sql.Out{Dest: &id}, goora.Out{Dest: &text, Size: 100})
	if id != 2 || text != "short" {
		t.Errorf("returned %d, %q", id, text)
	}
}

// Reference logminer D.2 and E.2: what LogMiner shows of small LOBs and of intervals.
func TestLOBsAndIntervalsInLogMiner(t *testing.T) {
	server := start(t, oracletest.Config{})
	app := connect(t, server, "app", "app", "FREEPDB1")
	app.exec("CREATE TABLE d (id NUMBER PRIMARY KEY, c CLOB, n NCLOB, b BLOB, i INTERVAL DAY(5) TO SECOND(6), y INTERVAL YEAR(4) TO MONTH)")
	app.exec("ALTER TABLE d ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	app.exec("INSERT INTO d VALUES (1, 'it''s', N'short nclob', HEXTORAW('cafebabe'), INTERVAL '5 04:03:02.123456' DAY TO SECOND, '12-3')")
	app.exec("UPDATE d SET c = NULL, i = NULL")
	app.exec("DELETE d")
	got := capture(t, server).mine("operation, sql_redo", "operation_code IN (1, 2, 3) AND table_name = 'D'")
	where := ` where "ID" = '1' and "I" = TO_DSINTERVAL('+00005 04:03:02.123456') and "Y" = TO_YMINTERVAL('+0012-03')`
	gone := ` where "ID" = '1' and "I" IS NULL and "Y" = TO_YMINTERVAL('+0012-03')`
	want := []string{
		`INSERT|insert into "APP"."D"("ID","C","N","B","I","Y") values ('1',EMPTY_CLOB(),EMPTY_CLOB(),EMPTY_BLOB(),` +
			`TO_DSINTERVAL('+00005 04:03:02.123456'),TO_YMINTERVAL('+0012-03'))`,
		`UPDATE|update "APP"."D" set "C" = 'it''s', "N" = 'short nclob', "B" = HEXTORAW('cafebabe')` + where,
		`UPDATE|update "APP"."D" set "I" = NULL` + where,
		`UPDATE|update "APP"."D" set "C" = NULL` + gone,
		`DELETE|delete from "APP"."D"` + gone,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
