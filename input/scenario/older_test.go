package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// everyType are columns of every type that is captured, with values of a row and of another.
const (
	everyType = "id NUMBER(9) PRIMARY KEY, n NUMBER, d NUMBER(10,2), f FLOAT, bf BINARY_FLOAT, bd BINARY_DOUBLE, v VARCHAR2(20), nv NVARCHAR2(20), " +
		"c CHAR(10), cc CHAR(10 CHAR), nc NCHAR(10), r RAW(10), dt DATE, ts TIMESTAMP(6), t9 TIMESTAMP(9), tz TIMESTAMP(6) WITH TIME ZONE, " +
		"lz TIMESTAMP(3) WITH LOCAL TIME ZONE, ym INTERVAL YEAR(4) TO MONTH, ds INTERVAL DAY(5) TO SECOND(6)"
	everyValue = "1234567890.123456789, -42.50, 3.14159, 1.5, -2.5E100, 'Köln ''😀''', 'ünïcode ☃', 'abc', 'äbc', 'nchár', HEXTORAW('DEADBEEF00FF'), " +
		"TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS'), TIMESTAMP '2026-03-29 01:30:00.123456', TIMESTAMP '1999-12-31 23:59:59.000000001', " +
		"TIMESTAMP '2026-03-29 01:30:00.5 +05:30', TIMESTAMP '2026-10-25 02:30:00.25 +01:00', INTERVAL '12-3' YEAR(4) TO MONTH, INTERVAL '-5 04:03:02.123456' DAY(5) TO SECOND(6)"
)

// R44, R47: what was written before a DDL and is mined after it comes out as what was mined before it: every type, inserts, updates and
// deletes, NULLs at the end shown or not; in the process that knew the table and in one that knows it from the schema topic.
func TestR44RowsFromBeforeADDLAreThoseThatWereMinedBeforeIt(t *testing.T) {
	sideBySide(t)
	work := []string{
		"INSERT INTO $t VALUES (#1, " + everyValue + ")",
		"INSERT INTO $t (id) VALUES (#2)",
		"UPDATE $t SET n = NULL, v = 'x', tz = TIMESTAMP '2026-03-29 23:30:00.000001 -11:45' WHERE id = #1",
		"UPDATE $t SET n = 0, nc = NULL, bd = -0.5 WHERE id = #2",
		"DELETE FROM $t WHERE id = #1",
	}
	for name, tt := range map[string]struct {
		warts   redo.Warts
		ddl     []string
		restart bool
	}{
		"add, same process":          {ddl: []string{"ALTER TABLE $t ADD (note VARCHAR2(10))"}},
		"drop last, restarted":       {ddl: []string{"ALTER TABLE $t DROP COLUMN ds"}, restart: true},
		"drop in the middle":         {ddl: []string{"ALTER TABLE $t DROP COLUMN v"}, restart: true},
		"set unused, ends left out":  {ddl: []string{"ALTER TABLE $t SET UNUSED COLUMN v"}, restart: true, warts: redo.Warts{R46TrailingNulls: true}},
		"add with default, any DDL":  {ddl: []string{"ALTER TABLE $t ADD (z NUMBER DEFAULT 5)"}, restart: true, warts: redo.Warts{R41AnyVersion: true}},
		"rename, same process":       {ddl: []string{"ALTER TABLE $t RENAME COLUMN v TO w"}},
		"several DDL, then the rows": {ddl: []string{"ALTER TABLE $t DROP COLUMN v", "ALTER TABLE $t ADD (x DATE)", "ALTER TABLE $t DROP COLUMN nc"}, restart: true},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := begin(t, misleads(tt.warts)), newBroker(t)
			s.table("t", everyType)
			p := s.startKafka(b, nil)
			run := func(first, second string) {
				for _, statement := range work {
					s.commit(strings.NewReplacer("#1", first, "#2", second).Replace(statement))
				}
			}
			run("1", "2")
			p.settleKafka(b)
			if tt.restart {
				p.stop()
			}
			run("3", "4")
			for _, statement := range tt.ddl {
				s.exec(statement)
			}
			if tt.restart {
				p = s.launchKafka(b, nil, "kafka_franz: {}")
			}
			p.settleKafka(b)
			var got []string
			for _, r := range b.topic("shop." + s.full("t")) {
				if len(r.Value) == 0 {
					got = append(got, "tombstone")
					continue
				}
				record := (&message{value: r.Value}).record()
				got = append(got, record.Op+" "+string(record.Before)+" "+string(record.After))
			}
			if len(got)%2 != 0 || len(got) < 2*len(work) {
				t.Fatalf("%d records", len(got))
			}
			before, after := got[:len(got)/2], got[len(got)/2:]
			for i := range after {
				after[i] = strings.NewReplacer(`"ID":3,`, `"ID":1,`, `"ID":4,`, `"ID":2,`).Replace(after[i])
			}
			if !slices.Equal(before, after) {
				t.Errorf("from before the DDL:\n%s\nmined before it:\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
			}
		})
	}
}
