package snapshot_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

func TestMain(m *testing.M) {
	if os.Getenv(standInChild) != "" {
		if err := serveChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

func columnOf(name string, kind schema.TypeKind, length int) schema.Column {
	return schema.Column{Name: name, Nullable: true, Type: schema.Type{Kind: kind, Name: "T", Length: length}}
}

// sample is a value as SQL and as what a record is made of.
type sample struct {
	ddl, sql string
	kind     schema.TypeKind
	want     value.Value
}

func samples() []sample {
	moment := value.DateTime{Year: -4712, Month: 1, Day: 1, Hour: 12, Minute: 34, Second: 56}
	stamp := value.DateTime{Year: 9999, Month: 12, Day: 31, Hour: 23, Minute: 59, Second: 59, Nano: 123456789}
	nines := strings.Repeat("9", 38)
	return []sample{
		{"NUMBER", "-" + nines, schema.Number, value.OfDecimal("-" + nines)},
		{"NUMBER", "1E-120", schema.Number, value.OfDecimal("0." + strings.Repeat("0", 119) + "1")},
		{"NUMBER", "12E80", schema.Number, value.OfDecimal("12" + strings.Repeat("0", 80))},
		{"NUMBER(5,-2)", "12345", schema.Number, value.OfDecimal("12300")},
		{"FLOAT(126)", "3.33", schema.Float, value.OfDecimal("3.33")},
		{"BINARY_FLOAT", "TO_BINARY_FLOAT('0.29')", schema.BinaryFloat, value.OfFloat32(0.29)},
		{"BINARY_FLOAT", "TO_BINARY_FLOAT('-5.3797204e-33')", schema.BinaryFloat, value.OfFloat32(-5.3797204e-33)},
		{"BINARY_FLOAT", "TO_BINARY_FLOAT('3.4028235e38')", schema.BinaryFloat, value.OfFloat32(math.MaxFloat32)},
		{"BINARY_FLOAT", "TO_BINARY_FLOAT('-Infinity')", schema.BinaryFloat, value.OfFloat32(float32(math.Inf(-1)))},
		{"BINARY_DOUBLE", "TO_BINARY_DOUBLE('0.1')", schema.BinaryDouble, value.OfFloat64(0.1)},
		{"BINARY_DOUBLE", "TO_BINARY_DOUBLE('Infinity')", schema.BinaryDouble, value.OfFloat64(math.Inf(1))},
		{"VARCHAR2(20)", "'it''s ☃ 😀'", schema.Varchar2, value.OfText("it's ☃ 😀")},
		{"NVARCHAR2(20)", "'ünïcode 😀'", schema.NVarchar2, value.OfText("ünïcode 😀")},
		{"CHAR(5)", "'é'", schema.Char, value.OfText("é   ")},
		{"NCHAR(5)", "'é'", schema.NChar, value.OfText("é    ")},
		{"RAW(4)", "HEXTORAW('00ff')", schema.Raw, value.OfBytes("\x00\xff")},
		{"DATE", "TO_DATE('-4712-01-01 12:34:56', 'SYYYY-MM-DD HH24:MI:SS')", schema.Date, value.OfLocal(moment)},
		{"TIMESTAMP(9)", "TIMESTAMP '9999-12-31 23:59:59.123456789'", schema.Timestamp, value.OfLocal(stamp)},
		{"TIMESTAMP(9) WITH TIME ZONE", "TIMESTAMP '9999-12-31 23:59:59.123456789 -11:45'", schema.TimestampTZ, value.OfZoned(stamp, -705)},
		{
			"TIMESTAMP(3) WITH LOCAL TIME ZONE", "TIMESTAMP '2026-03-29 01:30:00.5 +02:00'", schema.TimestampLTZ,
			value.OfZoned(value.DateTime{Year: 2026, Month: 3, Day: 28, Hour: 23, Minute: 30, Nano: 500_000_000}, 0),
		},
		{"INTERVAL YEAR(9) TO MONTH", "INTERVAL '-999999999-11' YEAR(9) TO MONTH", schema.IntervalYM, value.OfMonths(-11_999_999_999)},
		{
			"INTERVAL DAY(9) TO SECOND(9)", "INTERVAL '-999999999 23:59:59.999999999' DAY(9) TO SECOND(9)", schema.IntervalDS,
			value.OfDuration(-86_399_999_999_999, -999_999_999),
		},
	}
}

func open(t *testing.T, script string) *oracle.Session {
	t.Helper()
	s, err := oracletest.Start(context.Background(), oracletest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.RunScript(t.Context(), "ALTER SESSION SET CONTAINER = FREEPDB1;\n"+script); err != nil {
		t.Fatal(err)
	}
	session, err := oracle.Connect(t.Context(), oracle.Config{
		ConnectionString: s.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name),
	}, oracle.Bookkeeping)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	// A session whose zone is another shows TIMESTAMP WITH LOCAL TIME ZONE no differently.
	for _, text := range []string{"ALTER SESSION SET CONTAINER = FREEPDB1", "ALTER SESSION SET TIME_ZONE = '+05:00'"} {
		if err := session.Exec(t.Context(), oracle.Statement{Name: "set", Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	return session
}

// images reads all rows of app.t.
func images(t *testing.T, session *oracle.Session, v *schema.Version) (out [][]value.Value, err error) {
	t.Helper()
	row, err := snapshot.NewRow(v)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := session.Query(t.Context(), oracle.Statement{Name: "read app.t", Text: "SELECT " + row.List() + " FROM app.t ORDER BY id"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { err = errors.Join(err, rows.Err(), rows.Close()) }()
	for rows.Next() {
		image, err := row.Read(rows)
		if err != nil {
			return out, err
		}
		out = append(out, image)
	}
	return out, nil
}

func TestEveryTypeIsReadByQuery(t *testing.T) {
	v := &schema.Version{Table: schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "T"}, Columns: []schema.Column{columnOf("ID", schema.Number, 22)}}
	columns, values := "id NUMBER", "1"
	for i, s := range samples() {
		name := "C" + string(rune('A'+i))
		columns, values = columns+", "+name+" "+s.ddl, values+", "+s.sql
		v.Columns = append(v.Columns, columnOf(name, s.kind, 60))
	}
	v.Seal()
	session := open(t, "CREATE TABLE app.t ("+columns+");\nGRANT SELECT ON app.t TO c##cdc;\nINSERT INTO app.t VALUES ("+values+
		");\nINSERT INTO app.t (id) VALUES (2);\nCOMMIT;\n")
	got, err := images(t, session, v)
	if err != nil || len(got) != 2 {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	for i, s := range samples() {
		if full := got[0][i+1]; full != s.want {
			t.Errorf("%s %s: %+v, want %+v", s.ddl, s.sql, full, s.want)
		}
		if empty := got[1][i+1]; empty != value.OfNull() {
			t.Errorf("%s NULL: %+v", s.ddl, empty)
		}
	}
}

// What a statement of the redo never names is not asked for either; an invisible column is in both.
func TestOnlyStoredColumnsAreAskedFor(t *testing.T) {
	column := func(name string, change func(*schema.Column)) schema.Column {
		c := columnOf(name, schema.Number, 22)
		change(&c)
		return c
	}
	v := (&schema.Version{Columns: []schema.Column{
		column("V", func(c *schema.Column) { c.Virtual, c.Hidden = true, true }), column("G", func(c *schema.Column) { c.Guard = true }),
		column("U", func(c *schema.Column) { c.Unused = true }), column("X", func(c *schema.Column) { c.Excluded = true }),
		column("I", func(c *schema.Column) { c.Hidden = true }), column("Mixed Case", func(*schema.Column) {}), columnOf("R", schema.RowID, 10),
	}}).Seal()
	row, err := snapshot.NewRow(v)
	if err != nil || row.List() != `"I", "Mixed Case", "R"` {
		t.Errorf("%v %v", row, err)
	}
	for what, columns := range map[string][]schema.Column{
		"no column":       {v.Columns[0]},
		"a LOB":           {columnOf("L", schema.CLOB, 4000)},
		"a LOB inside":    {columnOf("L", schema.Varchar2, 32767)},
		"an unknown type": {columnOf("L", schema.Unsupported, 1)},
	} {
		if _, err := snapshot.NewRow((&schema.Version{Columns: columns}).Seal()); !stop.Is(err, stop.Configuration) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A version that is not the table's stops with the column's name and without its value.
func TestAValueOfAnotherTypeIsRefused(t *testing.T) {
	session := open(t, "CREATE TABLE app.t (id NUMBER, c VARCHAR2(20));\nGRANT SELECT ON app.t TO c##cdc;\nINSERT INTO app.t VALUES (1, 'secret');\nCOMMIT;\n")
	for name, kind := range map[string]schema.TypeKind{
		"NUMBER": schema.Number, "RAW": schema.Raw, "ROWID": schema.RowID, "BINARY_DOUBLE": schema.BinaryDouble,
	} {
		v := &schema.Version{Table: schema.Table{Owner: "APP", Name: "T"}, Columns: []schema.Column{columnOf("ID", schema.Number, 22), columnOf("C", kind, 20)}}
		_, err := images(t, session, v.Seal())
		if !stop.Is(err, stop.Undecodable) || !strings.Contains(err.Error(), "APP.T.C") || strings.Contains(err.Error(), "secret") {
			t.Errorf("as %s: %v", name, err)
		}
	}
}
