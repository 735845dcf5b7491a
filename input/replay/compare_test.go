package replay

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// compare checks an image column by column. A column that the case does not name must be unknown, not NULL; hidden columns
// are never published and do not count.
func compare(t *testing.T, side string, v *schema.Version, want image, got []value.Value) {
	t.Helper()
	if (want == nil) != (got == nil) {
		t.Errorf("%s: there is an image: %t, want %t", side, got != nil, want != nil)
		return
	}
	for name := range want {
		if i, ok := v.Column(name); !ok || !v.Columns[i].Published() {
			t.Errorf("%s: column %s is not published", side, name)
		}
	}
	for i := range got {
		c := &v.Columns[i]
		if !c.Published() {
			continue
		}
		expected, named := want[c.Name]
		if named != (got[i].Kind() != value.Absent) {
			t.Errorf("%s.%s: in the image: %t, want %t", side, c.Name, !named, named)
			continue
		}
		if named && !equal(&c.Type, expected, got[i]) {
			t.Errorf("%s.%s: %s, want %v", side, c.Name, oracleText(&c.Type, got[i]), expected)
		}
	}
}

func equal(typ *schema.Type, want any, got value.Value) bool {
	switch w := want.(type) {
	case nil:
		return got.Kind() == value.Null
	case map[string]any:
		return w["$unavailable"] == true && got.Kind() == value.Unavailable
	case string:
		text := oracleText(typ, got)
		if a, ok := new(big.Rat).SetString(w); ok && got.Kind() == value.Decimal {
			b, ok := new(big.Rat).SetString(text)
			return ok && a.Cmp(b) == 0 && !strings.HasPrefix(text, ".") && !strings.HasPrefix(text, "-.") && !strings.ContainsAny(text, "eE+")
		}
		if got.Kind() == value.Bytes {
			return strings.EqualFold(w, text)
		}
		return w == text && got.Known() && got.Kind() != value.Null
	}
	return false
}

// oracleText gives a value as the conventions of the cases write it.
func oracleText(typ *schema.Type, v value.Value) string {
	switch v.Kind() {
	case value.Decimal, value.Text:
		return v.Text()
	case value.Bytes:
		return strings.ToUpper(hex.EncodeToString([]byte(v.Text())))
	case value.Local:
		return clock(v.DateTime())
	case value.Zoned:
		if typ.Kind == schema.TimestampLTZ {
			return clock(v.DateTime())
		}
		sign, minutes := '+', v.OffsetMinutes()
		if minutes < 0 {
			sign, minutes = '-', -minutes
		}
		return fmt.Sprintf("%s %c%02d:%02d", clock(v.DateTime()), sign, minutes/60, minutes%60)
	case value.Float32:
		return float(float64(v.Float32()))
	case value.Float64:
		return float(v.Float64())
	case value.Months:
		sign, months := signed(v.Months())
		return fmt.Sprintf("%c%0*d-%02d", sign, typ.Precision, months/12, months%12)
	case value.Duration:
		seconds, nanos := v.Duration()
		sign, s := signed(seconds)
		if seconds < 0 && nanos > 0 || seconds > 0 && nanos < 0 {
			return "(seconds and nanoseconds of different sign)"
		}
		if nanos < 0 {
			sign, nanos = '-', -nanos
		}
		return fmt.Sprintf("%c%0*d %02d:%02d:%02d.%.*s", sign, typ.Precision, s/86400, s/3600%24, s/60%60, s%60,
			typ.Scale, fmt.Sprintf("%09d", nanos))
	}
	return fmt.Sprintf("(kind %d)", v.Kind())
}

func signed(n int64) (rune, int64) {
	if n < 0 {
		return '-', -n
	}
	return '+', n
}

func float(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return fmt.Sprint(f)
}

func clock(t value.DateTime) string {
	sign, year := "", t.Year
	if year < 0 {
		sign, year = "-", -year
	}
	text := fmt.Sprintf("%s%04d-%02d-%02d %02d:%02d:%02d", sign, year, t.Month, t.Day, t.Hour, t.Minute, t.Second)
	if t.Nano != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%09d", t.Nano), "0")
	}
	return text
}
