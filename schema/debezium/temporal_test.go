package debezium

import (
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

func dateTime(year int16, month, day, hour, minute, second uint8, nano uint32) value.DateTime {
	return value.DateTime{Year: year, Month: month, Day: day, Hour: hour, Minute: minute, Second: second, Nano: nano}
}

// Reference debezium-format 8.
func TestEpochTimes(t *testing.T) {
	for _, c := range []struct {
		in   value.DateTime
		unit form
		want string
	}{
		{dateTime(2018, 3, 27, 0, 0, 0, 0), epochMillis, "1522108800000"},
		{dateTime(2018, 3, 27, 12, 34, 56, 7_891_000), epochMicros, "1522154096007891"},
		{dateTime(2018, 3, 27, 12, 34, 56, 7_891_000), epochMillis, "1522154096007"},
		{dateTime(2018, 3, 27, 12, 34, 56, 130_000_000), epochMillis, "1522154096130"},
		{dateTime(2018, 3, 27, 12, 34, 56, 125_456_789), epochNanos, "1522154096125456789"},
		{dateTime(1969, 12, 31, 23, 59, 59, 999_999_000), epochMicros, "-1"},
		{dateTime(1969, 12, 31, 23, 59, 59, 999_999_000), epochMillis, "-1"},
		{dateTime(1, 1, 1, 0, 0, 0, 0), epochMillis, "-62135596800000"},
		{dateTime(-4712, 1, 1, 0, 0, 0, 0), epochMillis, "-210831897600000"},
		{dateTime(4247, 4, 5, 0, 0, 0, 0), epochMillis, "71863286400000"},
		{dateTime(9999, 12, 31, 23, 59, 59, 0), epochMillis, "253402300799000"},
		{dateTime(9999, 12, 31, 23, 59, 59, 999_999_000), epochMicros, "253402300799999999"},
		{dateTime(1970, 1, 1, 0, 0, 0, 0), epochNanos, "0"},
		{dateTime(1969, 12, 31, 23, 59, 59, 999_999_999), epochNanos, "-1"},
		{dateTime(2262, 4, 11, 23, 47, 16, 854_775_807), epochNanos, "9223372036854775807"},
		{dateTime(2262, 4, 11, 23, 47, 16, 854_775_808), epochNanos, ""},
		{dateTime(1677, 9, 21, 0, 12, 43, 145_224_192), epochNanos, "-9223372036854775808"},
		{dateTime(1677, 9, 21, 0, 12, 43, 145_224_191), epochNanos, ""},
		{dateTime(9999, 12, 31, 0, 0, 0, 0), epochNanos, ""},
		{dateTime(-4712, 1, 1, 0, 0, 0, 0), epochNanos, ""},
	} {
		got, err := appendEpoch(nil, c.in.Unix(), int64(c.in.Nano), c.unit)
		if (err != nil) != (c.want == "") || string(got) != c.want {
			t.Errorf("%+v in unit %d: %s, %v; want %q", c.in, c.unit, got, err, c.want)
		}
	}
}

func TestNanosecondsAreExactOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.OneOf(rapid.Int64Range(-210_831_897_600, 253_402_300_799), rapid.Int64Range(-9_223_372_040, -9_223_372_030),
			rapid.Int64Range(9_223_372_030, 9_223_372_040)).Draw(t, "seconds")
		nanos := rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")
		want := new(big.Int).Add(new(big.Int).Mul(big.NewInt(seconds), big.NewInt(1_000_000_000)), big.NewInt(nanos))
		got, ok := unixNanos(seconds, nanos)
		if ok != want.IsInt64() || ok && got != want.Int64() {
			t.Fatalf("%d s %d ns: %d, %t; want %s", seconds, nanos, got, ok, want)
		}
	})
}

// Reference debezium-format 8.
func TestZonedText(t *testing.T) {
	at := dateTime(2018, 3, 27, 1, 34, 56, 7_891_000)
	for _, c := range []struct {
		in     value.DateTime
		offset int16
		digits int
		want   string
	}{
		{at, -11 * 60, 6, "2018-03-27T01:34:56.007891-11:00"},
		{at, -11 * 60, 3, "2018-03-27T01:34:56.007-11:00"},
		{at, -11 * 60, 9, "2018-03-27T01:34:56.007891000-11:00"},
		{dateTime(2018, 3, 27, 1, 34, 0, 0), 120, 6, "2018-03-27T01:34:00.000000+02:00"},
		{dateTime(2018, 3, 26, 23, 34, 0, 0), 0, 6, "2018-03-26T23:34:00.000000Z"},
		{at, 330, 0, "2018-03-27T01:34:56+05:30"},
		{at, -570, 0, "2018-03-27T01:34:56-09:30"},
		{dateTime(9999, 12, 31, 23, 59, 59, 999_999_999), 14 * 60, 9, "9999-12-31T23:59:59.999999999+14:00"},
		{dateTime(1, 1, 1, 0, 0, 0, 0), 0, 0, "0001-01-01T00:00:00Z"},
		{dateTime(-1, 1, 1, 0, 0, 0, 0), 0, 0, "0000-01-01T00:00:00Z"},
		{dateTime(-4712, 1, 1, 0, 0, 0, 0), 0, 0, "-4711-01-01T00:00:00Z"},
	} {
		if got := string(appendZoned(nil, c.in, c.offset, c.digits)); got != `"`+c.want+`"` {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestZonedTextIsTheInstant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(-62_135_500_000, 253_402_200_000).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos"))
		offset := rapid.Int16Range(-14*60, 14*60).Draw(t, "offset")
		local := at.In(time.FixedZone("", int(offset)*60))
		in := dateTime(int16(local.Year()), uint8(local.Month()), uint8(local.Day()), uint8(local.Hour()), uint8(local.Minute()), uint8(local.Second()), uint32(local.Nanosecond()))
		got := string(appendZoned(nil, in, offset, 9))
		back, err := time.Parse(`"`+time.RFC3339Nano+`"`, got)
		if err != nil || !back.Equal(at) {
			t.Fatalf("%s became %s: %v", local, got, err)
		}
	})
}

// Reference debezium-format 8, as float64 (seed 001 "Column types").
func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		in   value.Value
		want string
	}{
		{value.OfMonths(14), "3.68172E13"},
		{value.OfMonths(-42), "-1.104516E14"},
		{value.OfMonths(123*12 + 11), "3.9105126E15"},
		{value.OfDuration(-93784, -560_000_000), "-9.378456E10"},
		{value.OfDuration(950399, 999_999_000), "9.50399999999E11"},
		{value.OfDuration(93784, 123_456_000), "9.3784123456E10"},
		{value.OfDuration(93784, 123_456_789), "9.3784123456789E10"},
		{value.OfDuration(0, 0), "0.0"},
		{value.OfDuration(0, -1), "-0.001"},
		{value.OfDuration(0, 1_000), "1.0"},
		{value.OfDuration(999_999_999*86400, 0), "8.63999999136E19"},
	} {
		if got := string(appendFloat(nil, intervalMicros(c.in), 64)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestIntervalIsTheNearestFloat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.OneOf(rapid.Int64Range(0, 100_000), rapid.Int64Range(0, 1_000_000_000*86400)).Draw(t, "seconds")
		nanos := rapid.Int32Range(0, 999_999_999).Draw(t, "nanos")
		want, _ := new(big.Rat).SetFrac(
			new(big.Int).Add(new(big.Int).Mul(big.NewInt(seconds), big.NewInt(1_000_000_000)), big.NewInt(int64(nanos))), big.NewInt(1_000)).Float64()
		if rapid.Bool().Draw(t, "negative") {
			seconds, nanos, want = -seconds, -nanos, -want
		}
		if got := intervalMicros(value.OfDuration(seconds, nanos)); got != want && !(got == 0 && want == 0) {
			t.Fatalf("%d s %d ns: %g, want %g", seconds, nanos, got, want)
		}
		if math.Abs(want) == 0 && math.Signbit(intervalMicros(value.OfDuration(0, 0))) {
			t.Fatal("zero interval is negative")
		}
	})
}
