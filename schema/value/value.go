package value

import (
	"math"
	"strings"
)

// Kind says what a Value is.
type Kind uint8

// The kinds of value. The zero Kind is Absent, so that a column nobody set is unknown and never null.
const (
	// Absent: the statement does not name the column; its value is unknown.
	Absent Kind = iota
	// Null is Oracle's NULL (the empty string included).
	Null
	// Unavailable: the column has a value that the redo does not hold.
	Unavailable
	// Decimal is a NUMBER or FLOAT as plain decimal digits: no exponent, no plus, "0.5" and not ".5", as many
	// digits after the point as the source gave.
	Decimal
	// Text is any character type, in UTF-8, blank padding kept.
	Text
	// Bytes is RAW or BLOB.
	Bytes
	// Local is DATE or TIMESTAMP: a calendar date and time of day without a zone.
	Local
	// Zoned is TIMESTAMP WITH TIME ZONE: wall clock and offset. TIMESTAMP WITH LOCAL TIME ZONE is Zoned at offset zero.
	Zoned
	// Float32 and Float64 are BINARY_FLOAT and BINARY_DOUBLE, NaN and infinities included.
	Float32
	Float64
	// Months is INTERVAL YEAR TO MONTH, in months.
	Months
	// Duration is INTERVAL DAY TO SECOND.
	Duration
)

// DateTime is a calendar date and time of day as Oracle prints them: proleptic, Year as Oracle counts it (negative is BC;
// there is no year 0 in Oracle, but bad data with year 0 exists and is kept).
type DateTime struct {
	Year                             int16
	Month, Day, Hour, Minute, Second uint8
	Nano                             uint32
}

// Value is one decoded value. The zero Value is Absent.
type Value struct {
	text   string
	num    int64 // packed DateTime, float bits, months, or seconds of a Duration
	nano   int32
	offset int16
	kind   Kind
}

// Of kinds without content.
var (
	nullValue        = Value{kind: Null}
	unavailableValue = Value{kind: Unavailable}
)

// OfNull returns NULL.
func OfNull() Value { return nullValue }

// OfUnavailable returns the mark for a value that the redo does not hold.
func OfUnavailable() Value { return unavailableValue }

// OfDecimal takes plain decimal digits; the caller has checked and normalised them.
func OfDecimal(digits string) Value { return Value{kind: Decimal, text: digits} }

// OfText takes UTF-8 text.
func OfText(s string) Value { return Value{kind: Text, text: s} }

// OfBytes takes raw bytes, held in a string so that they cannot change.
func OfBytes(raw string) Value { return Value{kind: Bytes, text: raw} }

// OfLocal takes a date and time of day without zone.
func OfLocal(t DateTime) Value {
	return Value{kind: Local, num: pack(t), nano: int32(t.Nano)} //nolint:gosec // Nano is below 1e9
}

// OfZoned takes a wall clock and its offset in minutes east of UTC.
func OfZoned(t DateTime, offsetMinutes int16) Value {
	return Value{kind: Zoned, num: pack(t), nano: int32(t.Nano), offset: offsetMinutes} //nolint:gosec // Nano is below 1e9
}

// OfFloat32 takes a BINARY_FLOAT.
func OfFloat32(f float32) Value { return Value{kind: Float32, num: int64(math.Float32bits(f))} }

// OfFloat64 takes a BINARY_DOUBLE.
func OfFloat64(f float64) Value {
	return Value{kind: Float64, num: int64(math.Float64bits(f))} //nolint:gosec // bits travel unchanged
}

// OfMonths takes an INTERVAL YEAR TO MONTH.
func OfMonths(months int64) Value { return Value{kind: Months, num: months} }

// OfDuration takes an INTERVAL DAY TO SECOND: whole seconds and nanoseconds, both with the sign of the interval.
func OfDuration(seconds int64, nanos int32) Value {
	return Value{kind: Duration, num: seconds, nano: nanos}
}

// Kind returns what the value is.
func (v Value) Kind() Kind { return v.kind }

// Known reports whether the value is there: NULL is, Absent and Unavailable are not.
func (v Value) Known() bool { return v.kind != Absent && v.kind != Unavailable }

// Text returns the content of Decimal, Text and Bytes.
func (v Value) Text() string { return v.text }

// DateTime returns the wall clock of Local and Zoned.
func (v Value) DateTime() DateTime { return unpack(v.num, v.nano) }

// Unix returns the wall clock of Local and Zoned, taken as UTC, in seconds since the epoch, and the nanoseconds behind them.
func (v Value) Unix() (seconds, nanos int64) { return unpack(v.num, 0).Unix(), int64(v.nano) }

// OffsetMinutes returns the offset of Zoned, east of UTC.
func (v Value) OffsetMinutes() int16 { return v.offset }

// Float32 returns a BINARY_FLOAT.
func (v Value) Float32() float32 {
	return math.Float32frombits(uint32(v.num)) //nolint:gosec // put there as 32 bits
}

// Float64 returns a BINARY_DOUBLE.
func (v Value) Float64() float64 {
	return math.Float64frombits(uint64(v.num)) //nolint:gosec // bits travel unchanged
}

// Months returns an INTERVAL YEAR TO MONTH in months.
func (v Value) Months() int64 { return v.num }

// Duration returns an INTERVAL DAY TO SECOND as seconds and nanoseconds.
func (v Value) Duration() (seconds int64, nanos int32) { return v.num, v.nano }

// Equal reports whether two values are the same: same kind and content. Decimals are compared by their digits, so
// "1.0" differs from "1"; decode gives both images of a row one form.
func (v Value) Equal(o Value) bool { return v == o }

// Same is Equal without copies, for the row path.
func Same(v, o *Value) bool {
	return v.num == o.num && v.kind == o.kind && v.nano == o.nano && v.offset == o.offset && v.text == o.text
}

// Size estimates the memory that the value refers to beyond itself, in bytes.
func (v Value) Size() int { return len(v.text) }

// Detach gives values memory of their own in the place of a larger text that they were cut from, so that the rest of that text
// can go.
func Detach(values []Value) {
	n := 0
	for i := range values {
		n += len(values[i].text)
	}
	var b strings.Builder
	b.Grow(n)
	for i := range values {
		b.WriteString(values[i].text)
	}
	own := b.String()
	for i := range values {
		size := len(values[i].text)
		values[i].text, own = own[:size], own[size:]
	}
}

func pack(t DateTime) int64 {
	return int64(t.Year)<<40 | int64(t.Month)<<32 | int64(t.Day)<<24 | int64(t.Hour)<<16 | int64(t.Minute)<<8 | int64(t.Second)
}

func unpack(n int64, nano int32) DateTime {
	return DateTime{
		Year: int16(n >> 40), Month: uint8(n >> 32), Day: uint8(n >> 24), Hour: uint8(n >> 16), //nolint:gosec // fields as packed
		Minute: uint8(n >> 8), Second: uint8(n), Nano: uint32(nano), //nolint:gosec // fields as packed
	}
}

// Civil returns days since 1970-01-01 of a date in the proleptic Gregorian calendar, where Oracle's year -1 (1 BC) is the
// astronomical year 0.
func (t DateTime) Civil() int64 {
	// The calendar repeats every 400 years of 146,097 days. Counted from far enough below every int16 the sums stay positive, so
	// that divisions are plain ones.
	const eras, eraYears, eraDays = 82, 400, 146_097
	y, m := uint32(int32(t.Year)+eras*eraYears), uint32(t.Month) //nolint:gosec // positive
	if t.Year < 0 {
		y++
	}
	// The year begins in March here, so that the leap day is its last.
	if m <= 2 {
		y--
		m += 12
	}
	centuries := y / 100
	days := y*365 + y/4 - centuries + centuries/4 + (153*(m-3)+2)/5 + uint32(t.Day) - 1
	return int64(days) - eras*eraDays - 719_468
}

// Unix returns seconds since the epoch of the wall clock taken as UTC.
func (t DateTime) Unix() int64 {
	return t.Civil()*86400 + int64(t.Hour)*3600 + int64(t.Minute)*60 + int64(t.Second)
}
