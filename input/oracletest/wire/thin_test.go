package wire_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// python finds an interpreter with python-oracledb; ORACLETEST_PYTHON names another one than python3.
func python(t *testing.T) string {
	t.Helper()
	name := os.Getenv("ORACLETEST_PYTHON")
	if name == "" {
		name = "python3"
	}
	if err := exec.CommandContext(t.Context(), name, "-c", "import oracledb").Run(); err != nil {
		t.Skipf("%s has no oracledb: %v; set ORACLETEST_PYTHON", name, err)
	}
	return name
}

// node checks that there is a node with oracledb; NODE_PATH names its folder.
func node(t *testing.T) string {
	t.Helper()
	if err := exec.CommandContext(t.Context(), "node", "-e", "require('oracledb')").Run(); err != nil {
		t.Skipf("node has no oracledb: %v; set NODE_PATH", err)
	}
	return "node"
}

// Independent clients of Oracle's take the same bytes (reference tns-server 1). node-oracledb 6.10 and newer
// ask for the native form of a scale.
func TestPythonThinClient(t *testing.T) { testThinClient(t, "testdata/thin_client.py", python(t)) }

func TestNodeThinClient(t *testing.T) { testThinClient(t, "testdata/thin_client.js", node(t)) }

func testThinClient(t *testing.T, program string, interpreter ...string) {
	t.Helper()
	for _, config := range []wire.Config{
		{SDU: 512},
		{},
		{SDU: 2 << 20, Errors: wire.ErrorMarker},
		{FieldVersion: 7},
		{FieldVersion: 13, EagerReset: true},
		{BitVectors: true},
	} {
		t.Run(fmt.Sprintf("SDU %d errors %d field version %d bits %t", config.SDU, config.Errors, config.FieldVersion, config.BitVectors),
			func(t *testing.T) {
				backend := thinBackend(t)
				config.Backend = backend
				server := listen(t, config)
				args := append(interpreter[1:len(interpreter):len(interpreter)], program, server.Addr().String()+"/"+testService, testUser, testPassword)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a client that waits for ever is a failure
				defer cancel()
				out, err := exec.CommandContext(ctx, interpreter[0], args...).CombinedOutput() //nolint:gosec // of the test's environment
				if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); err != nil || lines[len(lines)-1] != "ok" {
					t.Fatalf("%v\n%s", err, out)
				}
				for _, name := range []string{"id", "module", "action"} {
					if got := backend.labelled(name); got != "my "+name {
						t.Errorf("label %s is %q", name, got)
					}
				}
			})
	}
}

// editedText is the large text as the programs change it: the third and fourth character are one outside the
// BMP, and it ends after 50000.
func editedText() string {
	units := utf16.Encode([]rune(largeText()))
	high, low := utf16.EncodeRune('🌍')
	units[2], units[3] = uint16(high), uint16(low)
	return string(utf16.Decode(units[:50000]))
}

// thinBackend knows the statements of both programs.
func thinBackend(t *testing.T) *script {
	t.Helper()
	moment := datum.DateTime{Year: 2024, Month: 2, Day: 29, Hour: 12, Minute: 34, Second: 56}
	precise := moment
	precise.Nano = 123456000
	types := []datum.Datum{
		number(-1234567), decimal(t, "0.25"), text("Grüße 🌍"), text("Grüße 🌍"), text("ab   "),
		{Kind: datum.Time, Time: moment},
		{Kind: datum.Time, Time: precise},
		{Kind: datum.Zoned, Time: precise, Offset: 120},
		{Kind: datum.Raw, Raw: []byte{0, 0xFF}},
		{Kind: datum.Float, Float: -1.5},
		{Kind: datum.Float, Float: 0.5},
		{Kind: datum.RowID, Text: "AAASdqAAEAAAAInAAB"},
		{},
	}
	months, days := datum.Type{Code: datum.TypeIntervalYM}, datum.Type{Code: datum.TypeIntervalDS, Size: 6}
	lobColumns, lobs := lobRows()
	closed := 0
	return newScript().
		on("select 0", series(0)).on("select 1", series(1)).on("select 2", series(2)).on("select 3", series(3)).
		on("select 100", series(100)).on("select many", series(200000)).on("select 101", series(101)).on("select 1000", series(1000)).
		on("select types", table([]wire.Column{
			{Name: "N", Type: datum.Type{Code: datum.TypeNumber}},
			{Name: "D", Type: datum.Type{Code: datum.TypeNumber, HasPrecision: true, Precision: 10, HasScale: true, Scale: 2}},
			{Name: "S", Type: textType},
			{Name: "NS", Type: datum.Type{Code: datum.TypeVarchar, National: true, Size: 40}},
			{Name: "C", Type: datum.Type{Code: datum.TypeChar, Size: 5}},
			{Name: "DT", Type: datum.Type{Code: datum.TypeDate}},
			{Name: "TS", Type: datum.Type{Code: datum.TypeTimestamp, Size: 6}},
			{Name: "TZ", Type: datum.Type{Code: datum.TypeTimestampTZ, Size: 6}},
			{Name: "R", Type: datum.Type{Code: datum.TypeRaw, Size: 16}},
			{Name: "BD", Type: datum.Type{Code: datum.TypeBinaryDouble}},
			{Name: "BF", Type: datum.Type{Code: datum.TypeBinaryFloat}},
			{Name: "RI", Type: datum.Type{Code: datum.TypeRowID}},
			{Name: "NUL", Type: textType, Nullable: true},
		}, types, types)).
		on("select intervals", table([]wire.Column{{Name: "YM", Type: months}, {Name: "DS", Type: days}},
											[]datum.Datum{interval(t, datum.IntervalYM, "14"), interval(t, datum.IntervalDS, "93784.5")},
											[]datum.Datum{interval(t, datum.IntervalYM, "-14"), interval(t, datum.IntervalDS, "-93784.5")})).
		on("select days", table([]wire.Column{{Name: "DS", Type: days}}, // python-oracledb 1.2.1 knows no months
			[]datum.Datum{interval(t, datum.IntervalDS, "93784.5")}, []datum.Datum{interval(t, datum.IntervalDS, "-93784.5")})).
		on("select echo from dual where :a = :b", func(_ context.Context, s *scriptSession, stmt wire.Statement) (wire.Result, error) {
			return table([]wire.Column{
				{Name: "A", Type: datum.Type{Code: datum.TypeVarchar, Size: 32767}, Nullable: true}, {Name: "B", Type: numberType},
			}, stmt.Binds[0])(nil, s, stmt)
		}).
		on("insert into t values (:1, :2)", func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
			return wire.Result{RowsAffected: int64(len(stmt.Binds))}, nil
		}).
		on("begin block(:1, :2, :3); end;", func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
			in, err := stmt.Binds[0][0].Number.Int64()
			return wire.Result{Out: []wire.Out{
				{Direction: wire.In},
				{Direction: wire.OutTo, Value: number(2 * in)},
				{Direction: wire.InOut, Value: text(stmt.Binds[0][2].Text + "!")},
			}}, err
		}).
		on("select late", func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
			return wire.Result{Columns: seriesColumns(), Rows: &rowSource{
				next: func(_ context.Context, n int, dst []datum.Datum) (bool, error) {
					dst[0], dst[1] = number(int64(n)), text("x")
					if n == 150 {
						return false, wire.Errorf(1555, "snapshot too old")
					}
					return true, nil
				},
			}}, nil
		}).
		on("select lobs", table(lobColumns, lobs...)).
		on("insert lobs values (:1, :2, :3)", func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
			got := stmt.Binds[0]
			if (got[0].Text != largeText() && got[0].Text != editedText()) || got[1].Text != largeText() || !bytes.Equal(got[2].Raw, largeBytes()) {
				return wire.Result{}, wire.Errorf(20001, "%d, %d and %d bytes arrived", len(got[0].Text), len(got[1].Text), len(got[2].Raw))
			}
			return wire.Result{RowsAffected: 1}, nil
		}).
		on("alter session set current_schema = SALES", done(0)).
		on("begin cursors(:1, :2, :3); end;", opens(series(300), table(lobColumns, lobs...), &closed)).
		on("begin lobs(:1, :2, :3); end;", func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
			return wire.Result{Out: []wire.Out{
				{Direction: wire.OutTo, Value: clob(largeText())},
				{Direction: wire.OutTo, Value: blob(largeBytes())},
				{Direction: wire.InOut, Value: clob(stmt.Binds[0][2].Text + "!")},
			}}, nil
		}).
		on("insert into t (a) values (:1) returning id, name into :2, :3", func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
			r := wire.Result{RowsAffected: int64(2 * len(stmt.Binds))}
			for _, row := range stmt.Binds {
				n, err := row[0].Number.Int64()
				if err != nil {
					return r, err
				}
				r.Returned = append(r.Returned, [][]datum.Datum{{number(10 * n), text("row 0")}, {number(10*n + 1), text("row 1")}})
			}
			return r, nil
		}).
		on("begin arrays(:1, :2); end;", func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
			doubled := make([]datum.Datum, len(stmt.Arrays[0]))
			for i, d := range stmt.Arrays[0] {
				n, err := d.Number.Int64()
				if err != nil {
					return wire.Result{}, err
				}
				doubled[i] = number(2 * n)
			}
			return wire.Result{Out: []wire.Out{{Direction: wire.In}, {Direction: wire.OutTo, Elements: doubled}}}, nil
		}).
		on("insert into odd values (:1)", func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
			var r wire.Result
			for _, row := range stmt.Binds {
				if n, err := row[0].Number.Int64(); err != nil || n%3 == 2 {
					return r, wire.Errorf(1, "unique constraint (A.B) violated")
				}
				r.RowsAffected++
				r.Counts = append(r.Counts, 1)
			}
			return r, nil
		}).
		on(`ALTER SESSION SET CURRENT_SCHEMA = "SALES"`, done(0)).
		on("begin wait; end;", func(ctx context.Context, _ *scriptSession, _ wire.Statement) (wire.Result, error) {
			<-ctx.Done()
			return wire.Result{}, ctx.Err()
		})
}

// jdbc finds the jar of Oracle's JDBC driver: ORACLETEST_OJDBC names it.
func jdbc(t *testing.T) string {
	t.Helper()
	jar := os.Getenv("ORACLETEST_OJDBC")
	if jar == "" {
		t.Skip("no JDBC driver; set ORACLETEST_OJDBC to the ojdbc11 jar")
	}
	if err := exec.CommandContext(t.Context(), "java", "-version").Run(); err != nil {
		t.Skipf("no java: %v", err)
	}
	return jar
}

func TestJDBCThinClient(t *testing.T) {
	testThinClient(t, "testdata/ThinClient.java", "java", "-cp", jdbc(t))
}
