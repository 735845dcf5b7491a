package ttc

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

func decimal(t testing.TB, s string) *apd.Decimal {
	t.Helper()
	d, _, err := apd.NewFromString(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestNumberBytes(t *testing.T) {
	for _, tc := range []struct{ number, want string }{
		{"0", "80"},
		{"0.00", "80"},
		{"1", "c1 02"},
		{"10", "c1 0b"},
		{"100", "c2 02"},
		{"1E2", "c2 02"},
		{"123456.789", "c3 0d 23 39 4f 5b"},
		{"0.01", "c0 02"},
		{"0.001", "bf 0b"},
		{"-1", "3e 64 66"},
		{"-123.45", "3d 64 4e 38 66"},
		{"99999999999999999999999999999999999999", "d3" + strings.Repeat("64", 19)},
		{"-9999999999999999999999999999999999999999", "2b" + strings.Repeat("02", 20)}, // 20 digits: no 102 behind
		{"1E125", "ff 0b"},
		{"1E-130", "80 02"},
	} {
		got, err := appendNumber(nil, decimal(t, tc.number))
		if err != nil {
			t.Errorf("%s: %v", tc.number, err)
			continue
		}
		wantBytes(t, got, tc.want)
	}
}

func TestNumbersThatDoNotFit(t *testing.T) {
	for _, s := range []string{"1E126", "1E-131", "1" + strings.Repeat("23", 20), "NaN", "Infinity"} {
		if got, err := appendNumber([]byte{7}, decimal(t, s)); err == nil || len(got) != 1 {
			t.Errorf("%s became % x", s, got)
		}
	}
	if _, err := appendNumber(nil, nil); err == nil {
		t.Error("nothing became a number")
	}
}

func anyDecimal() *rapid.Generator[*apd.Decimal] {
	return rapid.Custom(func(t *rapid.T) *apd.Decimal {
		digits := rapid.StringMatching(`[0-9]{1,38}`).Draw(t, "digits")
		d, _, err := apd.NewFromString(digits)
		if err != nil {
			t.Fatal(err)
		}
		d.Exponent = int32(rapid.IntRange(-60, 60).Draw(t, "exponent"))
		d.Negative = rapid.Bool().Draw(t, "negative") && !d.IsZero()
		return d
	})
}

func TestNumberRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDecimal().Draw(t, "number")
		b, err := appendNumber(nil, d)
		if err != nil {
			t.Fatal(err)
		}
		back, err := decodeNumber(b)
		if err != nil {
			t.Fatal(err)
		}
		if back.Cmp(d) != 0 || back.Exponent > 0 {
			t.Fatalf("%s became %s", d, back)
		}
	})
}

// The bytes of NUMBERs compare like the numbers: the form is made for it.
func TestNumberBytesAreOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyDecimal().Draw(t, "a"), anyDecimal().Draw(t, "b")
		x, err := appendNumber(nil, a)
		if err != nil {
			t.Fatal(err)
		}
		y, err := appendNumber(nil, b)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Compare(x, y) != a.Cmp(b) {
			t.Fatalf("%s: % x and %s: % x", a, x, b, y)
		}
	})
}

func TestFloatBytes(t *testing.T) {
	wantBytes(t, appendDouble(nil, 1), "bf f0 00 00 00 00 00 00")
	wantBytes(t, appendDouble(nil, -1), "40 0f ff ff ff ff ff ff")
	wantBytes(t, appendFloat(nil, 1), "bf 80 00 00")
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		if got, err := decodeFloat(appendDouble(nil, f)); err != nil || got != f {
			t.Fatalf("%v became %v", f, got)
		}
		g := float64(rapid.Float32().Draw(t, "g"))
		if got, err := decodeFloat(appendFloat(nil, g)); err != nil || got != g {
			t.Fatalf("%v became %v", g, got)
		}
	})
}

func anyTime() *rapid.Generator[datum.DateTime] {
	return rapid.Custom(func(t *rapid.T) datum.DateTime {
		year := rapid.IntRange(-4712, 9999).Filter(func(y int) bool { return y != 0 }).Draw(t, "year")
		return datum.DateTime{
			Year:  int16(year),
			Month: uint8(rapid.IntRange(1, 12).Draw(t, "month")), Day: uint8(rapid.IntRange(1, 28).Draw(t, "day")),
			Hour: uint8(rapid.IntRange(0, 23).Draw(t, "hour")), Minute: uint8(rapid.IntRange(0, 59).Draw(t, "minute")),
			Second: uint8(rapid.IntRange(0, 59).Draw(t, "second")), Nano: uint32(rapid.IntRange(0, 999999999).Draw(t, "nano")),
		}
	})
}

func TestDateBytes(t *testing.T) {
	when := datum.DateTime{Year: 2024, Month: 2, Day: 29, Hour: 23, Minute: 59, Second: 58}
	wantBytes(t, appendDate(nil, when), "78 7c 02 1d 18 3c 3b")
	wantBytes(t, appendTimestamp(nil, when), "78 7c 02 1d 18 3c 3b") // no fraction: as short as a DATE
	wantBytes(t, appendDate(nil, datum.DateTime{Year: -4712, Month: 1, Day: 1}), "35 58 01 01 01 01 01")
	when.Nano = 1
	wantBytes(t, appendTimestamp(nil, when), "78 7c 02 1d 18 3c 3b 00 00 00 01")
	wantBytes(t, appendTimestampTZ(nil, when, 120), "78 7c 02 1d 16 3c 3b 00 00 00 01 16 3c")
	wantBytes(t, appendTimestampTZ(nil, when, -330), "78 7c 03 01 06 1e 3b 00 00 00 01 0f 1e")
}

func TestDateTimeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		when := anyTime().Draw(t, "time")
		got, err := decodeDateTime(appendTimestamp(nil, when))
		if err != nil || got != when {
			t.Fatalf("%+v became %+v, %v", when, got, err)
		}
		offset := int16(rapid.IntRange(-15*60, 14*60).Draw(t, "offset"))
		if when.Year < -4711 || when.Year > 9998 {
			return // the time in UTC may be outside the calendar
		}
		got, zone, err := decodeZoned(appendTimestampTZ(nil, when, offset))
		if err != nil || got != when || zone != offset {
			t.Fatalf("%+v at %d became %+v at %d, %v", when, offset, got, zone, err)
		}
	})
}

func TestShiftAgreesWithTheClock(t *testing.T) {
	got := shift(datum.DateTime{Year: -1, Month: 12, Day: 31, Hour: 23, Minute: 30}, 60)
	if want := (datum.DateTime{Year: 1, Month: 1, Day: 1, Hour: 0, Minute: 30}); got != want { // there is no year 0
		t.Errorf("got %+v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		unix := rapid.Int64Range(0, 1<<33).Draw(t, "unix")
		minutes := int16(rapid.IntRange(-900, 900).Draw(t, "minutes"))
		from, to := time.Unix(unix, 0).UTC(), time.Unix(unix+60*int64(minutes), 0).UTC()
		if got := shift(calendar(from), minutes); got != calendar(to) {
			t.Fatalf("%v and %d minutes became %+v", from, minutes, got)
		}
	})
}

func calendar(t time.Time) datum.DateTime {
	return datum.DateTime{
		Year: int16(t.Year()), Month: uint8(t.Month()), Day: uint8(t.Day()),
		Hour: uint8(t.Hour()), Minute: uint8(t.Minute()), Second: uint8(t.Second()),
	}
}

func TestRowIDBytes(t *testing.T) {
	got, err := appendRowID(nil, "AAASdqAAEAAAAInAAB")
	if err != nil {
		t.Fatal(err)
	}
	wantBytes(t, got, "0e 03 01 27 6a 01 04 00 02 02 27 01 01")
	for _, bad := range []string{"", "AAASdqAAEAAAAInAA", "AAASdqAAEAAAAInAA!"} {
		if _, err := appendRowID(nil, bad); err == nil {
			t.Errorf("%q is a ROWID", bad)
		}
	}
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(0, 400, -1).Draw(t, "text")
		s = strings.ToValidUTF8(s, "?")
		r := NewReader(&packets{data: [][]byte{appendNational(nil, s)}})
		got, err := decodeText(r.Clr(), &Descriptor{Form: FormNational})
		if err != nil || got != s {
			t.Fatalf("%q became %q, %v", s, got, err)
		}
	})
}

// A value of the wrong kind is an error that names both, never other bytes.
func TestValuesOfTheWrongKind(t *testing.T) {
	values := []datum.Datum{
		{Kind: datum.Number, Number: apd.New(1, 0)},
		{Kind: datum.Text, Text: "x"},
		{Kind: datum.Time, Time: datum.DateTime{Year: 1, Month: 1, Day: 1}},
		{Kind: datum.Zoned, Time: datum.DateTime{Year: 1, Month: 1, Day: 1}},
		{Kind: datum.Raw, Raw: []byte{1}},
		{Kind: datum.Float, Float: math.Pi},
	}
	fits := map[datum.TypeCode]datum.Kind{
		datum.TypeNumber: datum.Number, datum.TypeVarchar: datum.Text, datum.TypeChar: datum.Text, datum.TypeDate: datum.Time,
		datum.TypeTimestamp: datum.Time, datum.TypeTimestampTZ: datum.Zoned, datum.TypeTimestampLTZ: datum.Zoned,
		datum.TypeRaw: datum.Raw, datum.TypeBinaryDouble: datum.Float, datum.TypeBinaryFloat: datum.Float, datum.TypeClob: 255,
	}
	for code, kind := range fits {
		for _, v := range values {
			_, err := AppendValue(nil, &datum.Type{Code: code}, &v)
			if (err == nil) != (v.Kind == kind) {
				t.Errorf("kind %d as type %d: %v", v.Kind, code, err)
			}
		}
	}
}

// Server cost per fetched row: 22 columns, nothing allocated (reference tns-server 14.1).
func BenchmarkRow(b *testing.B) {
	columns, row := logminerRow(b)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = AppendRow(dst[:0], columns, row, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestRowAllocatesNothing(t *testing.T) {
	columns, row := logminerRow(t)
	dst := make([]byte, 0, 4096)
	n := testing.AllocsPerRun(100, func() {
		if _, err := AppendRow(dst, columns, row, nil); err != nil {
			t.Error(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations per row", n)
	}
}

// logminerRow is like a row of V$LOGMNR_CONTENTS: 12 NUMBER, DATE, RAW(8), 8 VARCHAR2, about 600 bytes.
func logminerRow(t testing.TB) ([]Column, []datum.Datum) {
	t.Helper()
	var columns []Column
	var row []datum.Datum
	add := func(code datum.TypeCode, v datum.Datum) {
		columns = append(columns, Column{Name: "C", Type: datum.Type{Code: code, Size: 4000}})
		row = append(row, v)
	}
	for i := range 12 {
		add(datum.TypeNumber, datum.Datum{Kind: datum.Number, Number: apd.New(int64(i)*123456789, 0)})
	}
	add(datum.TypeDate, datum.Datum{Kind: datum.Time, Time: datum.DateTime{Year: 2024, Month: 1, Day: 2}})
	add(datum.TypeRaw, datum.Datum{Kind: datum.Raw, Raw: make([]byte, 8)})
	for range 7 {
		add(datum.TypeVarchar, datum.Datum{Kind: datum.Text, Text: "SALES"})
	}
	add(datum.TypeVarchar, datum.Datum{Kind: datum.Text, Text: strings.Repeat("insert ", 64)})
	return columns, row
}
