package wire_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func decimal(t testing.TB, s string) datum.Datum {
	t.Helper()
	d, _, err := apd.NewFromString(s)
	if err != nil {
		t.Fatal(err)
	}
	return datum.Datum{Kind: datum.Number, Number: d}
}

// interval is a number of months or seconds.
func interval(t testing.TB, kind datum.Kind, n string) datum.Datum {
	t.Helper()
	d := decimal(t, n)
	d.Kind = kind
	return d
}

// Every type arrives in the driver as the value that was sent (reference tns-server 14.5).
func TestTypesReachTheDriver(t *testing.T) {
	noon := datum.DateTime{Year: 2024, Month: 2, Day: 29, Hour: 12, Minute: 34, Second: 56}
	precise := noon
	precise.Nano = 123456789
	zone := time.FixedZone("", -(5*3600 + 30*60))
	num := func(p, s int) datum.Type {
		return datum.Type{Code: datum.TypeNumber, HasPrecision: true, Precision: p, HasScale: true, Scale: s}
	}
	raw := []byte{0, 1, 0xFE, 0xFF}
	for _, tc := range []struct {
		name  string
		typ   datum.Type
		value datum.Datum
		want  any
	}{
		{"number", numberType, decimal(t, "-12345.6789"), "-12345.6789"},
		{"number zero", numberType, decimal(t, "0"), "0"},
		{"number of 38 digits", num(38, 0), decimal(t, strings.Repeat("9", 38)), strings.Repeat("9", 38)},
		{"small number", numberType, decimal(t, "0.000000000000000000001"), "0.000000000000000000001"},
		{"number with negative scale", num(5, -2), decimal(t, "1234500"), "1234500"},
		{"number with scale", num(10, 2), decimal(t, "-0.05"), "-0.05"},
		{"float", datum.Type{Code: datum.TypeNumber, Float: true, HasPrecision: true, Precision: 126}, decimal(t, "1.5"), "1.5"},
		{"varchar2", textType, text("Grüße, 世界 🌍"), "Grüße, 世界 🌍"},
		{"varchar2 of 252 bytes", textType, text(strings.Repeat("x", 252)), strings.Repeat("x", 252)},
		{"varchar2 of 253 bytes", textType, text(strings.Repeat("x", 253)), strings.Repeat("x", 253)},
		{"nvarchar2", datum.Type{Code: datum.TypeVarchar, National: true, Size: 20}, text("Grüße, 世界 🌍"), "Grüße, 世界 🌍"},
		{
			"long nvarchar2",
			datum.Type{Code: datum.TypeVarchar, National: true, Size: 2000},
			text(strings.Repeat("世", 1500)), strings.Repeat("世", 1500),
		},
		{"char", datum.Type{Code: datum.TypeChar, Size: 5}, text("ab   "), "ab   "},
		{"nchar", datum.Type{Code: datum.TypeChar, National: true, Size: 5}, text("äb   "), "äb   "},
		{"long", datum.Type{Code: datum.TypeLong}, text("long text"), "long text"},
		{"long raw", datum.Type{Code: datum.TypeLongRaw}, datum.Datum{Kind: datum.Raw, Raw: []byte{0, 1, 0xff}}, []byte{0, 1, 0xff}},
		{"date", datum.Type{Code: datum.TypeDate}, datum.Datum{Kind: datum.Time, Time: noon}, time.Date(2024, 2, 29, 12, 34, 56, 0, time.UTC)},
		{
			"timestamp",
			datum.Type{Code: datum.TypeTimestamp, Size: 9},
			datum.Datum{Kind: datum.Time, Time: precise},
			time.Date(2024, 2, 29, 12, 34, 56, 123456789, time.UTC),
		},
		{
			"timestamp without fraction",
			datum.Type{Code: datum.TypeTimestamp, Size: 6},
			datum.Datum{Kind: datum.Time, Time: noon},
			time.Date(2024, 2, 29, 12, 34, 56, 0, time.UTC),
		},
		{
			"timestamp with time zone",
			datum.Type{Code: datum.TypeTimestampTZ, Size: 9},
			datum.Datum{Kind: datum.Zoned, Time: precise, Offset: -330},
			time.Date(2024, 2, 29, 12, 34, 56, 123456789, zone),
		},
		{
			"timestamp with local time zone",
			datum.Type{Code: datum.TypeTimestampLTZ, Size: 6},
			datum.Datum{Kind: datum.Zoned, Time: noon, Offset: 60},
			time.Date(2024, 2, 29, 11, 34, 56, 0, time.UTC),
		},
		{"raw", datum.Type{Code: datum.TypeRaw, Size: 16}, datum.Datum{Kind: datum.Raw, Raw: raw}, raw},
		{"binary_double", datum.Type{Code: datum.TypeBinaryDouble}, datum.Datum{Kind: datum.Float, Float: -math.Pi}, -math.Pi},
		{"binary_float", datum.Type{Code: datum.TypeBinaryFloat}, datum.Datum{Kind: datum.Float, Float: 0.5}, float64(0.5)},
		{"rowid", datum.Type{Code: datum.TypeRowID}, datum.Datum{Kind: datum.RowID, Text: "AAASdqAAEAAAAInAAB"}, "AAASdqAAEAAAAInAAB"},
		{"interval year to month", datum.Type{Code: datum.TypeIntervalYM}, interval(t, datum.IntervalYM, "14"), "+01-02"},
		{
			"interval day to second",
			datum.Type{Code: datum.TypeIntervalDS, Size: 6},
			interval(t, datum.IntervalDS, "93784.000005"), "+01 02:03:04.000005",
		},
		{
			"negative interval of seconds",
			datum.Type{Code: datum.TypeIntervalDS, Size: 6},
			interval(t, datum.IntervalDS, "-93784.5"), "-01 02:03:04.500000",
		},
		{"null interval", datum.Type{Code: datum.TypeIntervalDS}, datum.Datum{}, nil},
		{"null number", numberType, datum.Datum{}, nil},
		{"null varchar2", textType, datum.Datum{}, nil},
		{"null date", datum.Type{Code: datum.TypeDate}, datum.Datum{}, nil},
		{"null raw", datum.Type{Code: datum.TypeRaw, Size: 1}, datum.Datum{}, nil},
		{"null rowid", datum.Type{Code: datum.TypeRowID}, datum.Datum{}, nil},
		{"null long", datum.Type{Code: datum.TypeLong}, datum.Datum{}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			// A number on either side shows that the value has exactly its bytes.
			columns := []wire.Column{{Name: "A", Type: numberType}, {Name: "V", Type: tc.typ, Nullable: true}, {Name: "B", Type: numberType}}
			row := []datum.Datum{number(1), tc.value, number(2)}
			backend := newScript().on("select v", table(columns, row, row))
			db := open(t, listen(t, wire.Config{Backend: backend}), nil)
			rows, err := db.QueryContext(t.Context(), "select v")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = rows.Close() }()
			n := 0
			for ; rows.Next(); n++ {
				var a, b string
				var got any
				if err := rows.Scan(&a, &got, &b); err != nil {
					t.Fatal(err)
				}
				if a != "1" || b != "2" || !same(got, tc.want) {
					t.Errorf("got %v %#v %v, want %#v", a, got, b, tc.want)
				}
			}
			if err := rows.Err(); err != nil || n != 2 {
				t.Errorf("%d rows, error %v", n, err)
			}
		})
	}
}

func same(got, want any) bool {
	switch want := want.(type) {
	case time.Time:
		got, ok := got.(time.Time)
		return ok && got.Equal(want)
	case []byte:
		got, ok := got.([]byte)
		return ok && string(got) == string(want)
	case float64:
		switch got := got.(type) {
		case float32:
			return float64(got) == want
		case float64:
			return got == want
		}
		return false
	default:
		return got == want
	}
}

func TestDescribeReachesTheDriver(t *testing.T) {
	backend := newScript().on("select v", table([]wire.Column{
		{Name: "N", Type: datum.Type{Code: datum.TypeNumber, HasPrecision: true, Precision: 10, HasScale: true, Scale: -2}},
		{Name: "S", Type: datum.Type{Code: datum.TypeVarchar, Size: 40}, Nullable: true},
		{Name: "C", Type: datum.Type{Code: datum.TypeVarchar, Size: 10, CharUsed: true}, Nullable: true},
	}))
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	rows, err := db.QueryContext(t.Context(), "select v")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	types, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	if p, s, _ := types[0].DecimalSize(); types[0].Name() != "N" || p != 10 || s != 254 { // the driver's byte for -2
		t.Errorf("N: %s precision %d scale %d", types[0].Name(), p, s)
	}
	for i, want := range map[int]int64{1: 40, 2: 10} {
		if length, _ := types[i].Length(); length != want {
			t.Errorf("%s: length %d, want %d", types[i].Name(), length, want)
		}
	}
	if nullable, _ := types[0].Nullable(); nullable {
		t.Error("N is nullable")
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
}

// Binds arrive in the database as the values that were bound.
func TestBindsReachTheBackend(t *testing.T) {
	when := time.Date(2021, 3, 4, 5, 6, 7, 890123000, time.FixedZone("", 7200))
	utc := datum.DateTime{Year: 2021, Month: 3, Day: 4, Hour: 3, Minute: 6, Second: 7, Nano: 890123000}
	local := datum.DateTime{Year: 2021, Month: 3, Day: 4, Hour: 5, Minute: 6, Second: 7, Nano: 890123000}
	for _, tc := range []struct {
		name  string
		value any
		want  datum.Datum
	}{
		{"int", 42, number(42)},
		{"negative int", -1234567, number(-1234567)},
		{"hundred", 100, number(100)},
		{"largest int", int64(math.MaxInt64), number(math.MaxInt64)},
		{"zero", 0, number(0)},
		{"float", 1.5, decimal(t, "1.5")},
		{"text", "Grüße 🌍", text("Grüße 🌍")},
		{"time in UTC", when.UTC(), datum.Datum{Kind: datum.Zoned, Time: utc}},
		{"empty text", "", datum.Datum{}},
		{"nil", nil, datum.Datum{}},
		{"long text", strings.Repeat("ä", 10000), text(strings.Repeat("ä", 10000))},
		{"very long text", strings.Repeat("z", 50000), text(strings.Repeat("z", 50000))},
		{"bytes", []byte{1, 2, 3}, datum.Datum{Kind: datum.Raw, Raw: []byte{1, 2, 3}}},
		{"nvarchar2", go_ora.NVarChar("Grüße 🌍"), text("Grüße 🌍")},
		{"timestamp", go_ora.TimeStamp(when), datum.Datum{Kind: datum.Time, Time: local}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			backend := newScript().on("update t set a = :1, b = :2, c = :3", done(1))
			db := open(t, listen(t, wire.Config{Backend: backend}), nil)
			if _, err := db.ExecContext(t.Context(), "update t set a = :1, b = :2, c = :3", 1, tc.value, "x"); err != nil {
				t.Fatal(err)
			}
			got := backend.last(t).Binds
			if len(got) != 1 || len(got[0]) != 3 {
				t.Fatalf("binds %v", got)
			}
			if !equal(got[0][0], number(1)) || !equal(got[0][1], tc.want) || !equal(got[0][2], text("x")) {
				t.Errorf("got %+v, want %+v", got[0], tc.want)
			}
		})
	}
}

// time.Time is bound as TIMESTAMP WITH TIME ZONE (reference tns-server 14.5).
func TestTimeBindKeepsTheInstant(t *testing.T) {
	when := time.Date(2021, 3, 4, 5, 6, 7, 0, time.FixedZone("", 7200))
	backend := newScript().on("update t set a = :1", done(1))
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	if _, err := db.ExecContext(t.Context(), "update t set a = :1", when); err != nil {
		t.Fatal(err)
	}
	v := backend.last(t).Binds[0][0]
	if v.Kind != datum.Zoned {
		t.Fatalf("kind %d", v.Kind)
	}
	got := time.Date(int(v.Time.Year), time.Month(v.Time.Month), int(v.Time.Day), int(v.Time.Hour),
		int(v.Time.Minute), int(v.Time.Second), int(v.Time.Nano), time.FixedZone("", int(v.Offset)*60))
	if !got.Equal(when) {
		t.Errorf("got %v, want %v", got, when)
	}
}

func equal(a, b datum.Datum) bool {
	if a.Kind != b.Kind || a.Text != b.Text || string(a.Raw) != string(b.Raw) || a.Time != b.Time ||
		a.Offset != b.Offset || a.Float != b.Float {
		return false
	}
	return a.Kind != datum.Number || a.Number.Cmp(b.Number) == 0 && a.Number.Exponent <= 0
}

func TestNamedBindsRepeatTheirValue(t *testing.T) {
	const query = "select n, s from t where a = :first or b = :Second or c = :first -- :no\n and d = ':text'"
	backend := newScript().on(query, series(1))
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	rows, err := db.QueryContext(t.Context(), query, named("first", 5), named("Second", "x"))
	if err != nil {
		t.Fatal(err)
	}
	readSeries(t, rows, 1)
	got := backend.last(t).Binds[0]
	if len(got) != 3 || !equal(got[0], number(5)) || !equal(got[1], text("x")) || !equal(got[2], number(5)) {
		t.Errorf("binds %+v", got)
	}
}

func TestArrayBinds(t *testing.T) {
	const insert = "insert into t (a, b) values (:1, :2)"
	backend := newScript().on(insert, func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
		r := wire.Result{RowsAffected: int64(len(stmt.Binds))}
		for range stmt.Binds {
			r.Counts = append(r.Counts, 1)
		}
		return r, nil
	})
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	stmt, err := db.PrepareContext(t.Context(), insert)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stmt.Close() }()
	for _, n := range []int{3, 1, 500} {
		numbers, names := make([]int, n), make([]string, n)
		for i := range n {
			numbers[i], names[i] = i*i, strings.Repeat("n", i%300)
		}
		result, err := stmt.ExecContext(t.Context(), numbers, names)
		if err != nil {
			t.Fatal(err)
		}
		if affected, _ := result.RowsAffected(); affected != int64(n) {
			t.Errorf("%d rows, want %d", affected, n)
		}
		got := backend.last(t).Binds
		if len(got) != n {
			t.Fatalf("%d bind rows, want %d", len(got), n)
		}
		for i := range n {
			want := text(names[i])
			if names[i] == "" {
				want = datum.Datum{}
			}
			if !equal(got[i][0], number(int64(i*i))) || !equal(got[i][1], want) {
				t.Fatalf("row %d: %+v", i, got[i])
			}
		}
	}
}

// A region needs rules that are not here: the statement is refused, the session goes on.
func TestUnknownRegionsAreRefused(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skipf("no time zones here: %v", err)
	}
	db := open(t, listen(t, wire.Config{Backend: newScript().on("update t set a = :1", done(1))}), nil)
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(t.Context(), "update t set a = :1", time.Date(2024, 7, 1, 0, 0, 0, 0, berlin))
	wantOra(t, err, 1882)
	if _, err := db.ExecContext(t.Context(), "update t set a = :1", time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Error(err)
	}
}
