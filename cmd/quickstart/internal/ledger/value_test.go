package ledger

import (
	"math"
	"math/big"
	"testing"
	"time"
)

func TestScaledNumbersHaveOneText(t *testing.T) {
	for _, c := range []struct {
		unscaled int64
		scale    int
		want     string
	}{
		{0, 0, "0"},
		{0, 2, "0"},
		{1250, 2, "12.5"},
		{-1250, 2, "-12.5"},
		{5, 2, "0.05"},
		{-5, 3, "-0.005"},
		{100, 2, "1"},
		{12, -3, "12000"},
		{123456789, 0, "123456789"},
	} {
		if got := Scaled(big.NewInt(c.unscaled), c.scale); got != (Value{Text: c.want}) {
			t.Errorf("%d scale %d: %v, want %s", c.unscaled, c.scale, got, c.want)
		}
	}
}

func TestEmptyTextIsNull(t *testing.T) {
	if !Of("").Null || Of(" ").Null || !Bytes(nil).Null {
		t.Error("the empty text is NULL in Oracle, a blank is not")
	}
	if (Row{Of("a,"), Of("b")}).String() == (Row{Of("a"), Of(",b")}).String() {
		t.Error("two different keys have one text")
	}
}

func TestKeyChangeIsSeen(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "ID", Key: true}, {Name: "TAG"}}}
	same := Change{Table: table, Op: Update, Key: Row{Int(1)}, After: Row{Int(1), Of("x")}}
	moved := Change{Table: table, Op: Update, Key: Row{Int(1)}, After: Row{Int(2), Of("x")}}
	if same.Rekeys() || !moved.Rekeys() {
		t.Error("an update is a key change exactly when its key differs")
	}
}

func TestTimesAreCutAndReadBack(t *testing.T) {
	when := time.Date(2026, 3, 29, 1, 30, 0, 123_456_789, time.FixedZone("", -(5*60+30)*60))
	for _, c := range []struct {
		value Value
		text  string
		nanos int
	}{
		{Seconds(when), "2026-03-29 01:30:00", 0},
		{Instant(when, 0), "2026-03-29 01:30:00", 0},
		{Instant(when, 3), "2026-03-29 01:30:00.123", 123_000_000},
		{Instant(when, 9), "2026-03-29 01:30:00.123456789", 123_456_789},
		{WithOffset(when, 0), "2026-03-29 01:30:00 -05:30", 0},
		{WithOffset(when, 7), "2026-03-29 01:30:00.1234567 -05:30", 123_456_700},
		{WithOffset(when.UTC(), 1), "2026-03-29 07:00:00.1 +00:00", 100_000_000},
	} {
		back, err := c.value.Time()
		if c.value.Text != c.text || err != nil || back.Nanosecond() != c.nanos || back.Format(time.DateTime) != c.text[:19] {
			t.Errorf("%s, want %s; read back %v, %v", c.value, c.text, back, err)
		}
	}
}

func TestFloatsHaveOneText(t *testing.T) {
	for text, v := range map[string]Value{
		"1.1": Float(float64(float32(1.1)), 32), "1.100000023841858": Float(float64(float32(1.1)), 64), "NaN": Float(math.NaN(), 64),
		"Infinity": Float(math.Inf(1), 32), "-Infinity": Float(math.Inf(-1), 64), "1e+30": Float(1e30, 64),
	} {
		if v != (Value{Text: text}) {
			t.Errorf("%v, want %s", v, text)
		}
	}
}
