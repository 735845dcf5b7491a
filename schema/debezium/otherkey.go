package debezium

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// otherKeys reports whether the records of a key change carry the key of the other side.
func (p *Profile) otherKeys() bool {
	return slices.ContainsFunc(p.headers, func(m headerMember) bool { return m.from == newKeyHeader })
}

// headerFields gives the key fields in the forms that Connect's simple header converter writes where they differ from JSON's.
func headerFields(key []field) ([]field, error) {
	out := slices.Clone(key)
	for i := range out {
		f := &out[i]
		if !utf8.ValidString(f.field) {
			return nil, errNotUTF8
		}
		literal := append(appendSimpleText(nil, f.field), ':')
		if i > 0 {
			literal = append([]byte{','}, literal...)
		}
		f.literal = string(literal)
		switch {
		case f.form == scaledDecimal:
			f.form = headerDecimal
		case f.form == plainText:
			f.form = headerText
		case f.form == float32Form || f.form == float64Form:
			f.form = headerFloat
		case f.semantic == connectTimestampName:
			f.form = headerDate
		}
	}
	return out, nil
}

// AppendOtherKey appends the key of an event as the header on the other side of a key change holds it. It appends nothing where
// the profile has no such header. The error is a *stop.Error; dst is as before then.
func (t *Table) AppendOtherKey(dst []byte, ev *change.Event) ([]byte, error) {
	if len(t.headerKey) == 0 {
		return dst, nil
	}
	out, err := t.appendFields(append(dst, '{'), ev, t.headerKey)
	if err != nil {
		return dst, err
	}
	return append(out, '}'), nil
}

// appendSimpleText quotes as the simple header converter does: only backslashes and quotes are escaped.
func appendSimpleText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}

// appendSimpleNumber writes a Decimal as Java's BigDecimal.toString does: plain, but with an exponent for a negative scale and
// for small fractions.
func appendSimpleNumber(dst []byte, text string, s shape) ([]byte, error) {
	const smallest = -6
	var buf [digitBuffer]byte
	digits, negative, err := unscaled(buf[:], text, s.scale)
	if err != nil {
		return dst, err
	}
	if s.precision > 0 && len(digits) > s.precision {
		return dst, errPrecision
	}
	if negative {
		dst = append(dst, '-')
	}
	exponent := len(digits) - 1 - s.scale
	switch {
	case s.scale == 0:
		return append(dst, digits...), nil
	case s.scale > 0 && exponent >= smallest:
		if n := len(digits) - s.scale; n > 0 {
			return append(append(append(dst, digits[:n]...), '.'), digits[n:]...), nil
		}
		return append(appendZeros(append(dst, '0', '.'), s.scale-len(digits)), digits...), nil
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	if exponent == 0 {
		return dst, nil
	}
	dst = append(dst, 'E')
	if exponent > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(exponent), 10), nil
}

// appendSimpleFloat is appendFloat without quotes around NaN and the infinities.
func appendSimpleFloat(dst []byte, v value.Value) []byte {
	start := len(dst)
	if v.Kind() == value.Float32 {
		dst = appendFloat(dst, float64(v.Float32()), 32)
	} else {
		dst = appendFloat(dst, v.Float64(), 64)
	}
	if dst[start] == '"' {
		text := strings.Trim(string(dst[start:]), `"`)
		dst = append(dst[:start], text...)
	}
	return dst
}

// appendSimpleDate writes a Connect Timestamp as the simple header converter does: as a time of day on the first day of the
// epoch, as a date at midnight.
func appendSimpleDate(dst []byte, t value.DateTime) []byte {
	const day = 86400
	seconds, millis := t.Unix(), t.Nano/1_000_000
	text := appendWallClock(nil, t)
	date, clock, _ := strings.Cut(string(text), "T")
	clock += "." + string(appendFraction(nil, t.Nano, 3)) + "Z"
	switch {
	case seconds < day:
		return append(dst, clock...)
	case seconds%day == 0 && millis == 0:
		return append(dst, date...)
	}
	return append(append(append(dst, date...), 'T'), clock...)
}
