package ledger

import (
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Value is a column's value as canonical text, so that values from SQL, from a topic and from the workload compare as they
// are.
type Value struct {
	Text string
	Null bool
}

// Row is a row's values in the order of its table's columns, or those of its key.
type Row []Value

// Equal reports whether two rows hold the same values.
func (r Row) Equal(o Row) bool { return slices.Equal(r, o) }

// String joins the values, unambiguously.
func (r Row) String() string {
	parts := make([]string, len(r))
	for i, v := range r {
		parts[i] = v.String()
	}
	return strings.Join(parts, ",")
}

// String quotes the text, or says NULL.
func (v Value) String() string {
	if v.Null {
		return "NULL"
	}
	return strconv.Quote(v.Text)
}

// Null is the value of a column without one.
func Null() Value { return Value{Null: true} }

// Of is text; as in Oracle the empty one is NULL.
func Of(text string) Value { return Value{Text: text, Null: text == ""} }

// Int is a whole number.
func Int(n int64) Value { return Value{Text: strconv.FormatInt(n, 10)} }

// Scaled is unscaled × 10^-scale.
func Scaled(unscaled *big.Int, scale int) Value {
	digits := new(big.Int).Abs(unscaled).String()
	if scale < 0 {
		digits, scale = digits+strings.Repeat("0", -scale), 0
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	text := digits[:len(digits)-scale]
	if fraction := strings.TrimRight(digits[len(digits)-scale:], "0"); fraction != "" {
		text += "." + fraction
	}
	if text = strings.TrimLeft(text, "0"); text == "" || text[0] == '.' {
		text = "0" + text
	}
	if unscaled.Sign() < 0 && text != "0" {
		text = "-" + text
	}
	return Value{Text: text}
}

// Seconds is a DATE.
func Seconds(t time.Time) Value { return Value{Text: t.Format("2006-01-02 15:04:05")} }

// Instant is a TIMESTAMP with so many digits of a second; finer ones are cut off.
func Instant(t time.Time, digits int) Value { return Value{Text: t.Format(instantLayout(digits))} }

// WithOffset is a TIMESTAMP WITH TIME ZONE with so many digits of a second; finer ones are cut off.
func WithOffset(t time.Time, digits int) Value {
	return Value{Text: t.Format(instantLayout(digits) + offsetLayout)}
}

// Time reads a Date, Timestamp, Zoned or Local back.
func (v Value) Time() (time.Time, error) {
	// Parse takes a fraction that the layout does not name.
	if t, err := time.Parse(time.DateTime, v.Text); err == nil {
		return t, nil
	}
	return time.Parse(time.DateTime+offsetLayout, v.Text)
}

const offsetLayout = " -07:00"

func instantLayout(digits int) string {
	if digits == 0 {
		return time.DateTime
	}
	return time.DateTime + "." + strings.Repeat("0", digits)
}

// Float is a BINARY_FLOAT or a BINARY_DOUBLE, with 32 or 64 bits.
func Float(f float64, bits int) Value {
	switch {
	case math.IsInf(f, 1):
		return Value{Text: "Infinity"}
	case math.IsInf(f, -1):
		return Value{Text: "-Infinity"}
	}
	return Value{Text: strconv.FormatFloat(f, 'g', -1, bits)}
}

// Bytes is a RAW; as in Oracle the empty one is NULL.
func Bytes(b []byte) Value { return Of(strings.ToUpper(hex.EncodeToString(b))) }
