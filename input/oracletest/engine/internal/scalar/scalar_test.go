package scalar

import (
	"bytes"
	"cmp"
	"math"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

func numbers() *rapid.Generator[datum.Datum] {
	return rapid.Custom(func(t *rapid.T) datum.Datum {
		d := apd.New(rapid.Int64().Draw(t, "coefficient"), int32(rapid.IntRange(-120, 100).Draw(t, "exponent")))
		if rapid.Bool().Draw(t, "few digits") {
			d = apd.New(int64(rapid.IntRange(-20, 20).Draw(t, "small")), int32(rapid.IntRange(-2, 2).Draw(t, "scale")))
		}
		if err := Round(d); err != nil {
			d = apd.New(0, 0)
		}
		return datum.Datum{Kind: datum.Number, Number: d}
	})
}

func times() *rapid.Generator[datum.DateTime] {
	return rapid.Custom(func(t *rapid.T) datum.DateTime {
		at := time.Unix(rapid.Int64Range(-60_000_000_000, 250_000_000_000).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos"))
		return FromTime(at.UTC())
	})
}

func values(kind datum.Kind) *rapid.Generator[datum.Datum] {
	return rapid.Custom(func(t *rapid.T) datum.Datum {
		switch kind {
		case datum.Number:
			return numbers().Draw(t, "number")
		case datum.Text:
			return datum.Datum{Kind: kind, Text: rapid.SampledFrom([]string{"a", "a\x00", "a\x00b", "ab", "b", "\x00", "ä", "aa"}).Draw(t, "text")}
		case datum.Raw:
			return datum.Datum{Kind: kind, Raw: rapid.SliceOfN(rapid.Byte(), 1, 3).Draw(t, "raw")}
		case datum.Time:
			return Date(times().Draw(t, "time"))
		case datum.Zoned:
			return Zone(ToTime(times().Draw(t, "time")), int16(rapid.IntRange(-720, 840).Draw(t, "offset")))
		}
		f := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN(), 0.5, -0.5}).Draw(t, "float")
		return datum.Datum{Kind: datum.Float, Float: f}
	})
}

// Keys order as values do, NULL last, and are equal exactly for equal values.
func TestKeysOrderAsValues(t *testing.T) {
	for _, kind := range []datum.Kind{datum.Number, datum.Text, datum.Raw, datum.Time, datum.Zoned, datum.Float} {
		rapid.Check(t, func(t *rapid.T) {
			a, b := values(kind).Draw(t, "a"), values(kind).Draw(t, "b")
			ka, kb := AppendKey(nil, &a), AppendKey(nil, &b)
			if got, want := bytes.Compare(ka, kb), cmp.Compare(Compare(&a, &b), 0); got != want {
				t.Fatalf("keys %x and %x compare %d, values %d", ka, kb, got, want)
			}
			null := AppendKey(nil, &datum.Datum{})
			if bytes.Compare(ka, null) >= 0 {
				t.Fatal("NULL is not last")
			}
			if bytes.HasPrefix(ka, kb) && !bytes.Equal(ka, kb) {
				t.Fatal("a key begins another: keys of two columns could be confused")
			}
		})
	}
}

func TestNumbersSurviveTheirText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := numbers().Draw(t, "number").Number
		text := NumberText(d, '.')
		back, err := ParseNumber(text, '.')
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		// The scientific form keeps 34 digits.
		if CompareNumbers(d, back) != 0 && d.NumDigits() <= 34 {
			t.Fatalf("%v became %s and %v", d, text, back)
		}
		if len(text) > 42 {
			t.Fatalf("%s is longer than Oracle's", text)
		}
	})
}

// A NUMBER is normalised: equal numbers have equal fields, whatever they were computed from.
func TestEqualNumbersHaveOneForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers().Draw(t, "a").Number, numbers().Draw(t, "b").Number
		sum, err := Arithmetic('+', a, b)
		if err != nil {
			t.Skip("overflow")
		}
		other, err := Arithmetic('+', b, a)
		if err != nil || sum.Coeff.Cmp(&other.Coeff) != 0 || sum.Exponent != other.Exponent || sum.Negative != other.Negative {
			t.Fatalf("%v and %v: %v %v %v", a, b, sum, other, err)
		}
		if sum.Exponent > 0 || sum.NumDigits() > 126 {
			t.Fatalf("%v is not normalised", sum)
		}
	})
}

func TestArithmeticKeepsFortyDigits(t *testing.T) {
	for _, row := range []struct {
		op         byte
		a, b, want string
	}{
		{'/', "1", "3", ".3333333333333333333333333333333333333333"},
		{'/', "10", "3", "3.33333333333333333333333333333333333333"},
		{'/', "100", "3", "33.33333333333333333333333333333333333333"},
		{'/', "2", "3", ".6666666666666666666666666666666666666667"},
		{'*', "99999999999999999999", "99999999999999999999", "9999999999999999999800000000000000000001"},
		{'-', "1", "1e-130", "1"},
		{'+', "0.1", "0.2", ".3"},
	} {
		a, errA := ParseNumber(row.a, '.')
		b, errB := ParseNumber(row.b, '.')
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		got, err := Arithmetic(row.op, a, b)
		if err != nil || NumberText(got, '.') != row.want {
			t.Errorf("%s %c %s = %v %v, want %s", row.a, row.op, row.b, got, err, row.want)
		}
	}
}

func TestDatetimesSurviveTheirModel(t *testing.T) {
	for _, format := range []string{
		"YYYY-MM-DD HH24:MI:SS.FF9", "DD-MON-YYYY HH:MI:SSXFF9 AM", "SYYYY DDD SSSSS FF9", "FMMonth DD, YYYY FMHH24MISSFF9", "YYYYMMDDHH24MISSFF9",
	} {
		m, err := ParseModel(format)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			at := times().Draw(t, "time")
			if at.Year < 1000 {
				t.Skip("FM leaves leading zeros of the year out")
			}
			text := m.Format(Date(at), 9)
			back, err := m.Parse(text, time.Now(), 0)
			if err != nil || back.Time != at {
				t.Fatalf("%s: %v became %q and %v (%v)", format, at, text, back.Time, err)
			}
		})
	}
}

func TestZonedModel(t *testing.T) {
	m, err := ParseModel("YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := values(datum.Zoned).Draw(t, "zoned")
		if d.Time.Year < 1 {
			t.Skip("no sign in the model")
		}
		back, err := m.Parse(m.Format(d, 6), time.Now(), 99)
		if err != nil || back.Kind != datum.Zoned || back.Time != d.Time || back.Offset != d.Offset {
			t.Fatalf("%v became %v (%v)", d, back, err)
		}
	})
}

// Reference logminer B.3 has the sample.
func TestRowIDs(t *testing.T) {
	if got := RowID(175071, 92, 1145706, 13); got != "AAAqvfABcAAEXtqAAN" {
		t.Errorf("ROWID %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.Uint32().Draw(t, "object")
		file := rapid.Uint32Range(0, 1023).Draw(t, "file")
		block := rapid.Uint32().Draw(t, "block")
		row := rapid.Uint32Range(0, 32767).Draw(t, "row")
		o, f, b, r, ok := ParseRowID(RowID(object, file, block, row))
		if !ok || o != object || f != file || b != block || r != row {
			t.Fatal(o, f, b, r, ok)
		}
	})
	for _, text := range []string{"", "AAAqvfABcAAEXtqAA", "AAAqvfABcAAEXtqAA!"} {
		if _, _, _, _, ok := ParseRowID(text); ok {
			t.Errorf("%q is taken for a ROWID", text)
		}
	}
}

func TestParseOffset(t *testing.T) {
	for text, want := range map[string]int16{"+02:00": 120, "-03:30": -210, "UTC": 0, "5:30": 330, "+1": 60} {
		if got, err := ParseOffset(text); err != nil || got != want {
			t.Errorf("%s: %d %v", text, got, err)
		}
	}
	for _, text := range []string{"Europe/Berlin", "+16:00", "+01:99", ""} {
		if _, err := ParseOffset(text); err == nil {
			t.Errorf("%q is taken for an offset", text)
		}
	}
}
