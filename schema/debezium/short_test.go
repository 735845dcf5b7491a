package debezium

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Short ways must lead where the long ones do.

func TestNumbersAreThoseOfStrconv(t *testing.T) {
	check := func(n uint64) {
		if got, want := string(appendUint([]byte("x"), n)), "x"+strconv.FormatUint(n, 10); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		signed := int64(n) //nolint:gosec // every pattern of bits is wanted
		if got, want := string(appendInt(nil, signed)), strconv.FormatInt(signed, 10); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	power := uint64(1)
	for bit := range 64 {
		for d := range uint64(5) {
			check(1<<bit + d - 2)
			check(power + d - 2)
		}
		power *= 10 // past 10^19 any number will do
	}
	check(math.MaxUint64)
	rapid.Check(t, func(t *rapid.T) { check(rapid.Uint64().Draw(t, "n") >> rapid.IntRange(0, 63).Draw(t, "shift")) })
}

func TestShortDecimalsAreThoseOfTheLongWay(t *testing.T) {
	long := func(text string, s shape) ([]byte, bool) {
		var buf [digitBuffer]byte
		digits, negative, err := unscaled(buf[:], text, s.scale)
		if err != nil || s.precision > 0 && len(digits) > s.precision {
			return nil, false
		}
		return appendUnscaled(nil, digits, negative), true
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9]{0,3}|-?[0-9]{1,20}(\.[0-9]{0,8})?|[-.0-9x]{0,6}`).Draw(t, "text")
		s := shape{scale: rapid.IntRange(-3, 20).Draw(t, "scale"), precision: rapid.IntRange(0, 38).Draw(t, "precision")}
		want, fits := long(text, s)
		got, err := appendScaled(nil, text, s)
		if fits != (err == nil) || fits && !bytes.Equal(got, want) {
			t.Fatalf("%q at %+v: %s, %v; want %s, %t", text, s, got, err, want, fits)
		}
	})
}

func TestWholeNumbersAreThoseOfTheLongWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9]{0,20}|-?0{1,3}[0-9]{0,3}|[-.0-9x]{0,6}`).Draw(t, "text")
		precision := rapid.IntRange(1, 18).Draw(t, "precision")
		var buf [digitBuffer]byte
		digits, negative, err := unscaled(buf[:], text, 0)
		fits := err == nil && len(digits) <= precision
		want := string(digits)
		if negative {
			want = "-" + want
		}
		got, err := appendInteger(nil, text, shape{precision: precision})
		if fits != (err == nil) || fits && string(got) != want {
			t.Fatalf("%q of %d digits: %s, %v; want %s, %t", text, precision, got, err, want, fits)
		}
	})
}

// The new image of an update takes over what has not changed; it must be what an insert of it gives.
func TestNewImageIsThatOfAnInsert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.SampledFrom([]int{1, 2, 5, 63, 64, 65, 130}).Draw(t, "columns")
		types := make([]schema.Type, columns)
		for i := range types {
			types[i] = varchar()
		}
		v := versionOf(types...)
		tab, err := NewTable(settings(), v)
		if err != nil {
			t.Fatal(err)
		}
		image := func(label string) []value.Value {
			out := make([]value.Value, columns)
			for i := range out {
				out[i] = rapid.SampledFrom([]value.Value{
					value.OfNull(), {}, value.OfUnavailable(), value.OfText("a"), value.OfText("b"), value.OfText(strings.Repeat("long ", 9) + `"`),
				}).Draw(t, label)
			}
			return out
		}
		before, after := image("before"), image("after")
		member := func(ev *change.Event, name, end string) string {
			out, err := tab.AppendValue([]byte("x"), ev)
			if err != nil {
				t.Fatal(err)
			}
			_, rest, _ := strings.Cut(string(out), `"`+name+`":`)
			part, _, _ := strings.Cut(rest, end)
			return part
		}
		update := streamed(v, change.Update, before, after)
		if got, want := member(update, "after", `,"source":`), member(streamed(v, change.Create, nil, after), "after", `,"source":`); got != want {
			t.Fatalf("new image\n%s\nwant\n%s", got, want)
		}
		if got, want := member(update, "before", `,"after":`), member(streamed(v, change.Delete, before, nil), "before", `,"after":`); got != want {
			t.Fatalf("old image\n%s\nwant\n%s", got, want)
		}
	})
}

// What an operation makes constant is what the program of any event writes.
func TestProgramsOfOneOperationAreThatOfAny(t *testing.T) {
	tab, insert := orders(t)
	row := insert.After
	for _, ev := range []*change.Event{
		insert, streamed(insert.Version, change.Update, row, row), streamed(insert.Version, change.Delete, row, nil),
	} {
		if tab.programs.of(ev) == &tab.programs.any {
			t.Fatalf("%s is written by the program of any event", ev.Op.Name())
		}
		got, err := tab.AppendValue(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		general := *tab
		general.programs = programs{tab.programs.any, tab.programs.any, tab.programs.any, tab.programs.any}
		want, err := general.AppendValue(nil, ev)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s, %v:\n%s\nwant\n%s", ev.Op.Name(), err, got, want)
		}
	}
}
