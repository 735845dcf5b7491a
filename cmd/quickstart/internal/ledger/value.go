package ledger

import (
	"encoding/hex"
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

// Micros is a TIMESTAMP(6).
func Micros(t time.Time) Value { return Value{Text: t.Format("2006-01-02 15:04:05.000000")} }

// Bytes is a RAW; as in Oracle the empty one is NULL.
func Bytes(b []byte) Value { return Of(strings.ToUpper(hex.EncodeToString(b))) }
