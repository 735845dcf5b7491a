package debezium

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

var errMicroRange = errors.New("interval is longer than 64-bit microseconds hold; records.intervals: string has no such limit")

// appendRare renders a value of the column's kind in a form of a mode that is not the default.
func (f *field) appendRare(dst []byte, v value.Value) ([]byte, error) {
	switch f.form {
	case decimalText:
		return appendPlainDecimal(dst, v.Text(), f.shape)
	case decimalDouble:
		return appendNearest(dst, v.Text(), f.shape)
	case base64Text:
		return appendBase64(dst, v.Text()), nil
	case base64URLText:
		dst = base64.URLEncoding.AppendEncode(append(dst, '"'), []byte(v.Text()))
		return append(dst, '"'), nil
	case hexText:
		return appendHex(dst, v.Text()), nil
	case isoLocal:
		return append(appendISO(append(dst, '"'), v.DateTime()), '"'), nil
	case isoUTC:
		return append(appendISO(append(dst, '"'), v.DateTime()), 'Z', '"'), nil
	case integerMicros:
		return appendIntegerMicros(dst, v)
	case isoDuration:
		return appendDuration(dst, v), nil
	case structuredTime:
		dst = appendCalendar(dst, v.DateTime())
		return appendPrecision(append(dst, `,"specialValue":null`...), f.scale), nil
	case structuredZoned:
		dst = append(appendCalendar(dst, v.DateTime()), `,"offsetSeconds":`...)
		dst = strconv.AppendInt(dst, int64(v.OffsetMinutes())*60, 10)
		dst = append(appendZone(append(dst, `,"zoneId":"`...), v.OffsetMinutes()), `","specialValue":null`...)
		return appendPrecision(dst, f.scale), nil
	case structuredDuration:
		return appendPrecision(appendComponents(dst, v), f.scale), nil
	case headerDecimal:
		return appendSimpleNumber(dst, v.Text(), f.shape)
	case headerText:
		if !utf8.ValidString(v.Text()) {
			return dst, errNotUTF8
		}
		return appendSimpleText(dst, v.Text()), nil
	case headerFloat:
		return appendSimpleFloat(dst, v), nil
	case headerDate:
		return appendSimpleDate(dst, v.DateTime()), nil
	case masked, hashed, truncated:
		return f.appendTreated(dst, v)
	default:
		return dst, errWrongKind
	}
}

// appendPlainDecimal appends plain digits as text: at the column's scale where it has one, else with the digits that the
// value needs, so that a value has one form (P6).
func appendPlainDecimal(dst []byte, text string, s shape) ([]byte, error) {
	scale := s.scale
	if scale == schema.NoNumber {
		scale = neededScale(text)
	}
	var buf [digitBuffer]byte
	digits, negative, err := unscaled(buf[:], text, scale)
	if err != nil {
		return dst, err
	}
	if s.precision > 0 && len(digits) > s.precision {
		return dst, errPrecision
	}
	dst = append(dst, '"')
	if negative {
		dst = append(dst, '-')
	}
	if scale <= 0 {
		dst = append(dst, digits...)
		if digits[0] != '0' {
			dst = appendZeros(dst, -scale)
		}
		return append(dst, '"'), nil
	}
	if n := len(digits) - scale; n > 0 {
		dst = append(append(dst, digits[:n]...), '.')
		dst = append(dst, digits[n:]...)
	} else {
		dst = append(appendZeros(append(dst, '0', '.'), -n), digits...)
	}
	return append(dst, '"'), nil
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// neededScale counts the digits after the point without zeros at the end.
func neededScale(text string) int {
	point := strings.IndexByte(text, '.')
	if point < 0 {
		return 0
	}
	return len(strings.TrimRight(text[point+1:], "0"))
}

// appendNearest appends the float64 nearest to a NUMBER that fits its column.
func appendNearest(dst []byte, text string, s shape) ([]byte, error) {
	scale := s.scale
	if scale == schema.NoNumber {
		scale = neededScale(text)
	}
	var buf [digitBuffer]byte
	digits, _, err := unscaled(buf[:], text, scale)
	if err != nil {
		return dst, err
	}
	if s.precision > 0 && len(digits) > s.precision {
		return dst, errPrecision
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return dst, errNotDecimal
	}
	return appendFloat(dst, n, 64), nil
}

func appendHex(dst []byte, raw string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for i := range len(raw) {
		dst = append(dst, digits[raw[i]>>4], digits[raw[i]&15])
	}
	return append(dst, '"')
}

// appendISO appends a wall clock with the fraction digits that it needs, none for whole seconds.
func appendISO(dst []byte, t value.DateTime) []byte {
	dst = appendWallClock(dst, t)
	digits := 9
	for n := t.Nano; digits > 0 && n%10 == 0; n /= 10 {
		digits--
	}
	if digits == 0 {
		return dst
	}
	return appendFraction(append(dst, '.'), t.Nano, digits)
}

// appendIntegerMicros appends an interval in whole microseconds; digits finer than that are cut off towards zero.
func appendIntegerMicros(dst []byte, v value.Value) ([]byte, error) {
	const most = 1<<63 - 1
	if v.Kind() == value.Months {
		if n := v.Months(); n <= most/monthMicros && n >= -(most/monthMicros) {
			return strconv.AppendInt(dst, n*monthMicros, 10), nil
		}
		return dst, errMicroRange
	}
	seconds, nanos := v.Duration()
	// One second less than the most leaves room for the fraction.
	if limit := int64(most/1_000_000 - 1); seconds > limit || seconds < -limit {
		return dst, errMicroRange
	}
	return strconv.AppendInt(dst, seconds*1_000_000+int64(nanos)/1_000, 10), nil
}

// components are the parts of an interval, each with its sign.
type components struct {
	years, months, days, hours, minutes, seconds int64
	nanos                                        int32
}

func componentsOf(v value.Value) components {
	if v.Kind() == value.Months {
		return components{years: v.Months() / 12, months: v.Months() % 12}
	}
	seconds, nanos := v.Duration()
	return components{
		days: seconds / 86400, hours: seconds / 3600 % 24, minutes: seconds / 60 % 60, seconds: seconds % 60, nanos: nanos,
	}
}

// appendDuration appends every component of an interval, each with its sign, and the fraction digits that the seconds need
// (reference debezium-format 8).
func appendDuration(dst []byte, v value.Value) []byte {
	c := componentsOf(v)
	dst = append(dst, '"', 'P')
	dst = append(strconv.AppendInt(dst, c.years, 10), 'Y')
	dst = append(strconv.AppendInt(dst, c.months, 10), 'M')
	dst = append(strconv.AppendInt(dst, c.days, 10), 'D', 'T')
	dst = append(strconv.AppendInt(dst, c.hours, 10), 'H')
	dst = append(strconv.AppendInt(dst, c.minutes, 10), 'M')
	if c.seconds == 0 && c.nanos < 0 {
		dst = append(dst, '-')
	}
	dst = strconv.AppendInt(dst, c.seconds, 10)
	if n := uint32(magnitude(int64(c.nanos))); n > 0 { //nolint:gosec // below 1e9
		digits := 9
		for m := n; m%10 == 0; m /= 10 {
			digits--
		}
		dst = appendFraction(append(dst, '.'), n, digits)
	}
	return append(dst, 'S', '"')
}

// appendComponents appends the members of StructuredDuration up to nanos.
func appendComponents(dst []byte, v value.Value) []byte {
	c := componentsOf(v)
	dst = strconv.AppendInt(append(dst, `{"years":`...), c.years, 10)
	dst = strconv.AppendInt(append(dst, `,"months":`...), c.months, 10)
	dst = strconv.AppendInt(append(dst, `,"days":`...), c.days, 10)
	dst = strconv.AppendInt(append(dst, `,"hours":`...), c.hours, 10)
	dst = strconv.AppendInt(append(dst, `,"minutes":`...), c.minutes, 10)
	dst = strconv.AppendInt(append(dst, `,"seconds":`...), c.seconds, 10)
	return strconv.AppendInt(append(dst, `,"nanos":`...), int64(c.nanos), 10)
}

// appendCalendar appends the members of the structured times up to nanos; the year is the proleptic one.
func appendCalendar(dst []byte, t value.DateTime) []byte {
	year := int64(t.Year)
	if year < 0 {
		year++
	}
	dst = strconv.AppendInt(append(dst, `{"year":`...), year, 10)
	dst = strconv.AppendInt(append(dst, `,"month":`...), int64(t.Month), 10)
	dst = strconv.AppendInt(append(dst, `,"day":`...), int64(t.Day), 10)
	dst = strconv.AppendInt(append(dst, `,"hour":`...), int64(t.Hour), 10)
	dst = strconv.AppendInt(append(dst, `,"minute":`...), int64(t.Minute), 10)
	dst = strconv.AppendInt(append(dst, `,"second":`...), int64(t.Second), 10)
	return strconv.AppendInt(append(dst, `,"nanos":`...), int64(t.Nano), 10)
}

// appendPrecision closes a structured value.
func appendPrecision(dst []byte, digits int) []byte {
	dst = append(dst, `,"precision":`...)
	if digits == schema.NoNumber {
		return append(dst, "null}"...)
	}
	return append(strconv.AppendInt(dst, int64(digits), 10), '}')
}
