package wire_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

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
func TestPythonThinClient(t *testing.T) { testThinClient(t, python(t), "testdata/thin_client.py") }

func TestNodeThinClient(t *testing.T) { testThinClient(t, node(t), "testdata/thin_client.js") }

func testThinClient(t *testing.T, interpreter, program string) {
	t.Helper()
	for _, config := range []wire.Config{
		{SDU: 512},
		{},
		{SDU: 2 << 20, Errors: wire.ErrorMarker},
		{FieldVersion: 7},
		{FieldVersion: 13, EagerReset: true},
	} {
		config.Backend = thinBackend(t)
		server := listen(t, config)
		out, err := exec.CommandContext(t.Context(), interpreter, program, //nolint:gosec // the interpreter of the test's environment
			server.Addr().String()+"/"+testService, testUser, testPassword).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != "ok" {
			t.Errorf("SDU %d, errors %d, field version %d: %v\n%s", config.SDU, config.Errors, config.FieldVersion, err, out)
		}
	}
}

// thinBackend knows the statements of both programs.
func thinBackend(t *testing.T) *script {
	t.Helper()
	entered := make(chan struct{}, 10)
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
	return newScript().
		on("select 0", series(0)).on("select 1", series(1)).on("select 2", series(2)).on("select 3", series(3)).
		on("select 100", series(100)).on("select 101", series(101)).on("select 1000", series(1000)).
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
		on("select lob", table([]wire.Column{{Name: "L", Type: datum.Type{Code: datum.TypeClob}}})).
		on(`ALTER SESSION SET CURRENT_SCHEMA = "SALES"`, done(0)).
		on("begin wait; end;", blocking(entered))
}
