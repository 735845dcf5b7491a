package value

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestZeroValueIsAbsentAndNeverNull(t *testing.T) {
	var v Value
	if v.Kind() != Absent || v.Known() || v.Equal(OfNull()) {
		t.Fatalf("zero Value is %v, want Absent and unlike NULL", v.Kind())
	}
}

func TestDateTimeSurvivesPacking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := DateTime{
			Year: rapid.Int16Range(-4712, 9999).Draw(t, "year"), Month: rapid.Uint8Range(1, 12).Draw(t, "month"),
			Day: rapid.Uint8Range(1, 31).Draw(t, "day"), Hour: rapid.Uint8Range(0, 23).Draw(t, "hour"),
			Minute: rapid.Uint8Range(0, 59).Draw(t, "minute"), Second: rapid.Uint8Range(0, 59).Draw(t, "second"),
			Nano: rapid.Uint32Range(0, 999999999).Draw(t, "nano"),
		}
		if out := OfLocal(in).DateTime(); out != in {
			t.Fatalf("local: %+v became %+v", in, out)
		}
		offset := rapid.Int16Range(-14*60, 14*60).Draw(t, "offset")
		if v := OfZoned(in, offset); v.DateTime() != in || v.OffsetMinutes() != offset {
			t.Fatalf("zoned: %+v at %d became %+v at %d", in, offset, v.DateTime(), v.OffsetMinutes())
		}
	})
}

// The values are golden in reference debezium-format 8.
func TestUnixOfWallClock(t *testing.T) {
	for _, c := range []struct {
		in   DateTime
		want int64
	}{
		{DateTime{Year: 2018, Month: 3, Day: 27}, 1522108800},
		{DateTime{Year: 1, Month: 1, Day: 1}, -62135596800},
		{DateTime{Year: -4712, Month: 1, Day: 1}, -210831897600},
		{DateTime{Year: 4247, Month: 4, Day: 5}, 71863286400},
		{DateTime{Year: 9999, Month: 12, Day: 31, Hour: 23, Minute: 59, Second: 59}, 253402300799},
		{DateTime{Year: 1969, Month: 12, Day: 31, Hour: 23, Minute: 59, Second: 59}, -1},
	} {
		if got := c.in.Unix(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.in, got, c.want)
		}
	}
}

func TestUnixAgreesWithTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds")
		w := time.Unix(s, 0).UTC()
		in := DateTime{
			Year: int16(w.Year()), Month: uint8(w.Month()), Day: uint8(w.Day()),
			Hour: uint8(w.Hour()), Minute: uint8(w.Minute()), Second: uint8(w.Second()),
		}
		if got := in.Unix(); got != s {
			t.Fatalf("%s: %d, want %d", w, got, s)
		}
	})
}
