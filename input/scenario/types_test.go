package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// typed is a column with a value and how records must show it (seed 001, column types).
type typed struct{ columnType, sql, want string }

func numbers() []typed {
	return []typed{
		// Up to 18 digits before the point: a JSON number.
		{"NUMBER(1)", "-9", `-9`},
		{"NUMBER(2)", "99", `99`},
		{"NUMBER(4)", "-9999", `-9999`},
		{"NUMBER(9)", "999999999", `999999999`},
		{"NUMBER(10)", "0", `0`},
		{"NUMBER(18)", "-999999999999999999", `-999999999999999999`},
		// A negative scale widens.
		{"NUMBER(5,-2)", "1234567", `1234600`},
		{"NUMBER(16,-2)", "999999999999999900", `999999999999999900`},
		// More digits, or digits behind the point: the unscaled value as base64.
		{"NUMBER(19)", "1000000000000000000", `"DeC2s6dkAAA="`},
		{"NUMBER(38)", "99999999999999999999999999999999999999", `"SztMqFqGxHoJiiI//////w=="`},
		{"NUMBER(38)", "-99999999999999999999999999999999999999", `"tMSzV6V5O4X2dd3AAAAAAQ=="`},
		{"NUMBER(38)", "0", `"AA=="`},
		{"INTEGER", "42", `"Kg=="`},
		{"NUMBER(10,2)", "12.5", `"BOI="`},
		{"NUMBER(10,2)", "-0.01", `"/w=="`},
		{"NUMBER(10,2)", "12.499", `"BOI="`},
		{"NUMBER(3,2)", ".15", `"Dw=="`},
		{"NUMBER(2,4)", "-0.0015", `"8Q=="`},
		{"NUMBER(38,37)", "1", `"B4XuENXaRtkA9DagAAAAAA=="`},
		{"NUMBER(*,2)", "12.5", `"BOI="`},
		// Without precision: scale and value.
		{"NUMBER", ".15", `{"scale":2,"value":"Dw=="}`},
		{"NUMBER", "-1.5", `{"scale":1,"value":"8Q=="}`},
		{"NUMBER", "12345678901234567890", `{"scale":0,"value":"AKtUqYzrHwrS"}`},
		{"NUMBER", "0", `{"scale":0,"value":"AA=="}`},
	}
}

// Escapes are those of the JSON converter that consumers know (reference debezium-format): surrogates and capital digits.
func texts() []typed {
	long := strings.Repeat("'", 1500) + strings.Repeat("long", 625)
	return []typed{
		{"VARCHAR2(40)", text("plain 'quoted' text"), `"plain 'quoted' text"`},
		{"VARCHAR2(40)", text(`double "quoted" \ backslash`), `"double \"quoted\" \\ backslash"`},
		{"VARCHAR2(40)", text("; -- and || /* not SQL */, '"), `"; -- and || /* not SQL */, '"`},
		{"VARCHAR2(40)", text("' where \"ID\" = '1"), `"' where \"ID\" = '1"`},
		{"VARCHAR2(40)", text("two\nlines\r\n\tand a tab"), `"two\nlines\r\n\tand a tab"`},
		{"VARCHAR2(40)", text("ünïcode ☃ 😀"), `"ünïcode ☃ \uD83D\uDE00"`},
		{"VARCHAR2(40)", text("<html> & co"), `"<html> & co"`},
		{"VARCHAR2(40)", text(" blanks around "), `" blanks around "`},
		{"VARCHAR2(40)", text("NULL"), `"NULL"`},
		{"VARCHAR2(40)", text(""), `null`},
		{"VARCHAR2(40)", "CHR(1) || 'control' || CHR(31)", `"\u0001control\u001F"`},
		{"VARCHAR2(4000)", text(long), `"` + long + `"`},
		{"VARCHAR2(4000)", text(strings.Repeat("é", 2000)), `"` + strings.Repeat("é", 2000) + `"`},
		{"CHAR(5)", text("x"), `"x    "`},
		{"CHAR(5)", text("12345"), `"12345"`},
		{"CHAR(5)", text("é"), `"é   "`},
		{"CHAR(5 CHAR)", text("é"), `"é    "`},
		{"NVARCHAR2(20)", text("ünïcode ☃ text"), `"ünïcode ☃ text"`},
		{"NVARCHAR2(20)", text("😀 \\ '"), `"\uD83D\uDE00 \\ '"`},
	}
}

func timesAndBytes() []typed {
	at := func(s string) string { return "TIMESTAMP '" + s + "'" }
	return []typed{
		{"DATE", "TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS')", `1772286359000`},
		{"DATE", "DATE '0001-01-01'", `-62135596800000`},
		{"DATE", "TO_DATE('9999-12-31 23:59:59', 'YYYY-MM-DD HH24:MI:SS')", `253402300799000`},
		{"DATE", "DATE '1900-01-01'", `-2208988800000`},
		{"TIMESTAMP(0)", at("2026-03-29 01:30:00"), `1774747800000`},
		{"TIMESTAMP(3)", at("2026-03-29 01:30:00.123"), `1774747800123`},
		{"TIMESTAMP(6)", at("2026-03-29 01:30:00.123456"), `1774747800123456`},
		{"TIMESTAMP(6)", at("1969-12-31 23:59:59.999999"), `-1`},
		{"TIMESTAMP", at("2026-03-29 01:30:00"), `1774747800000000`},
		{"TIMESTAMP(7)", at("2026-03-29 01:30:00.1234567"), `1774747800123456700`},
		{"TIMESTAMP(9)", at("2026-03-29 01:30:00.123456789"), `1774747800123456789`},
		{"RAW(16)", "HEXTORAW('00ff')", `"AP8="`},
		{"RAW(16)", "HEXTORAW('0123456789abcdef0123456789abcdef')", `"ASNFZ4mrze8BI0VniavN7w=="`},
		{"RAW(2000)", "HEXTORAW('" + strings.Repeat("00", 2000) + "')", `"` + strings.Repeat("A", 2666) + `A="`},
	}
}

func floatsZonesAndIntervals() []typed {
	return []typed{
		{"FLOAT", "-1.5", `{"scale":1,"value":"8Q=="}`},
		{"FLOAT(63)", "0.001", `{"scale":3,"value":"AQ=="}`},
		{"BINARY_FLOAT", "TO_BINARY_FLOAT('1.1')", `1.1`},
		{"BINARY_FLOAT", "TO_BINARY_FLOAT('1e-20')", `1.0E-20`},
		{"BINARY_FLOAT", "TO_BINARY_FLOAT('NaN')", `"NaN"`},
		{"BINARY_DOUBLE", "TO_BINARY_DOUBLE('0.1')", `0.1`},
		{"BINARY_DOUBLE", "TO_BINARY_DOUBLE('-1.7976931348623157e308')", `-1.7976931348623157E308`},
		{"BINARY_DOUBLE", "TO_BINARY_DOUBLE('-Infinity')", `"-Infinity"`},
		{"TIMESTAMP(0) WITH TIME ZONE", "TIMESTAMP '2026-03-29 01:30:00 +05:30'", `"2026-03-29T01:30:00+05:30"`},
		{"TIMESTAMP(9) WITH TIME ZONE", "TIMESTAMP '2026-03-29 01:30:00.123456789 -11:45'", `"2026-03-29T01:30:00.123456789-11:45"`},
		{"TIMESTAMP WITH TIME ZONE", "TIMESTAMP '2026-03-29 01:30:00 +00:00'", `"2026-03-29T01:30:00.000000Z"`},
		{"TIMESTAMP(3) WITH LOCAL TIME ZONE", "TIMESTAMP '2026-03-29 01:30:00.5 +02:00'", `"2026-03-28T23:30:00.500Z"`},
		{"INTERVAL YEAR(4) TO MONTH", "INTERVAL '-1-1' YEAR(4) TO MONTH", `-3.41874E13`},
		{"INTERVAL YEAR(4) TO MONTH", "INTERVAL '9999-11' YEAR(4) TO MONTH", `3.155733702E17`},
		{"INTERVAL DAY(4) TO SECOND(6)", "INTERVAL '1 02:03:04.567890' DAY(4) TO SECOND(6)", `9.378456789E10`},
		{"INTERVAL DAY TO SECOND", "INTERVAL '-0 00:00:00.000001' DAY TO SECOND", `-1.0`},
		{"INTERVAL DAY(9) TO SECOND(9)", "INTERVAL '0 00:00:00.000000001' DAY(9) TO SECOND(9)", `0.001`},
	}
}

// text is a SQL literal.
func text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// A value that was inserted, updated and deleted has the same bytes in every image; NULL is null in all of them.
func TestValuesOfEveryTypeRoundTrip(t *testing.T) {
	sideBySide(t)
	for name, group := range map[string][]typed{
		"numbers": numbers(), "texts": texts(), "times and bytes": timesAndBytes(), "floats, zones and intervals": floatsZonesAndIntervals(),
	} {
		t.Run(name, func(t *testing.T) { roundTrip(t, group) })
	}
}

func roundTrip(t *testing.T, group []typed) {
	s := begin(t)
	columns, values := []string{"id NUMBER(9) PRIMARY KEY"}, []string{"1"}
	full, empty := `{"ID":1`, `{"ID":2`
	nulls := []string{"2"}
	for i, c := range group {
		columns = append(columns, fmt.Sprintf("c%d %s", i, c.columnType))
		values = append(values, c.sql)
		nulls = append(nulls, "NULL")
		full += fmt.Sprintf(`,"C%d":%s`, i, c.want)
		empty += fmt.Sprintf(`,"C%d":null`, i)
	}
	full, empty = full+`,"LAST":null}`, empty+`,"LAST":null}`
	changed := strings.Replace(full, `"LAST":null`, `"LAST":"changed"`, 1)
	s.table("t", strings.Join(append(columns, "last VARCHAR2(10)"), ", "))
	p := s.start(nil)
	s.exec("INSERT INTO $t VALUES (" + strings.Join(values, ", ") + ", NULL)")
	s.exec("UPDATE $t SET last = 'changed' WHERE id = 1")
	s.exec("DELETE FROM $t WHERE id = 1")
	s.exec("INSERT INTO $t VALUES (" + strings.Join(nulls, ", ") + ", NULL)")
	s.exec("UPDATE $t SET (" + strings.Join(names(len(group)), ", ") + ") = (SELECT " + strings.Join(values[1:], ", ") + " FROM dual) WHERE id = 2")
	refilled := strings.Replace(full, `{"ID":1`, `{"ID":2`, 1)
	want := []string{
		`{"ID":1} c ` + full, `{"ID":1} u ` + full + " -> " + changed, `{"ID":1} d ` + changed, `{"ID":1} tombstone`,
		`{"ID":2} c ` + empty, `{"ID":2} u ` + empty + " -> " + refilled,
	}
	got := lines(p.settle())
	for i := range want {
		if i < len(got) && got[i] != want[i] {
			explain(t, group, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d messages, want %d", len(got), len(want))
	}
}

func names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("c%d", i)
	}
	return out
}

// explain names the columns in which the last image of two lines differs.
func explain(t *testing.T, group []typed, got, want string) {
	t.Helper()
	image := func(line string) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line[strings.LastIndex(line, `{"ID":`):]), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		return m
	}
	g, w := image(got), image(want)
	for i, c := range group {
		name := fmt.Sprintf("C%d", i)
		if string(g[name]) != string(w[name]) {
			t.Errorf("%s %s: %s, want %s", c.columnType, c.sql, g[name], w[name])
		}
	}
	if !t.Failed() {
		t.Error(cmp.Diff(want, got))
	}
}
