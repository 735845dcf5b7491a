package relation

import (
	"math/big"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// small holds the decimals of the numbers that most cells have; a decimal in a Datum is never modified.
var small = func() (list [1024]*apd.Decimal) {
	for i := range list {
		list[i] = apd.New(int64(i), 0)
	}
	return list
}()

// Int is a NUMBER cell.
func Int(n int64) datum.Datum {
	if n >= 0 && n < int64(len(small)) {
		return datum.Datum{Kind: datum.Number, Number: small[n]}
	}
	return datum.Datum{Kind: datum.Number, Number: apd.New(n, 0)}
}

// Uint is a NUMBER cell that may exceed a signed 64-bit integer, as NEXT_CHANGE# does (reference logminer H.2).
func Uint(n uint64) datum.Datum {
	if n <= 1<<63-1 {
		return Int(int64(n))
	}
	var coefficient apd.BigInt
	coefficient.SetMathBigInt(new(big.Int).SetUint64(n))
	return datum.Datum{Kind: datum.Number, Number: apd.NewWithBigInt(&coefficient, 0)}
}

// Text is a VARCHAR2 cell; empty text is NULL.
func Text(s string) datum.Datum {
	if s == "" {
		return datum.Datum{}
	}
	return datum.Datum{Kind: datum.Text, Text: s}
}

// YesNo is the cell YES or NO.
func YesNo(b bool) datum.Datum {
	if b {
		return Text("YES")
	}
	return Text("NO")
}

// Bytes is a RAW cell; no bytes are NULL.
func Bytes(b []byte) datum.Datum {
	if len(b) == 0 {
		return datum.Datum{}
	}
	return datum.Datum{Kind: datum.Raw, Raw: b}
}

// Date is a DATE cell with the wall clock of t, whole seconds; the zero time is NULL.
func Date(t time.Time) datum.Datum {
	if t.IsZero() {
		return datum.Datum{}
	}
	d := wallClock(t)
	d.Nano = 0
	return datum.Datum{Kind: datum.Time, Time: d}
}

func wallClock(t time.Time) datum.DateTime {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return datum.DateTime{
		Year: int16(year), Month: uint8(month), Day: uint8(day),
		Hour: uint8(hour), Minute: uint8(minute), Second: uint8(second), Nano: uint32(t.Nanosecond()),
	}
}
