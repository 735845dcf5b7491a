package debezium

import (
	"errors"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

var (
	errNanoRange = errors.New("time lies outside 1677-09-21 to 2262-04-11, the range of 64-bit nanoseconds")
	errNotUTC    = errors.New("TIMESTAMP WITH LOCAL TIME ZONE is not in UTC")
)

// appendEpoch appends a wall clock, taken as UTC, as a count of units since the epoch; digits finer than the unit are cut
// off towards the past (reference debezium-format 8).
func appendEpoch(dst []byte, seconds, nanos int64, unit form) ([]byte, error) {
	switch unit {
	case epochMillis:
		return appendInt(dst, seconds*1_000+nanos/1_000_000), nil
	case epochMicros:
		return appendInt(dst, seconds*1_000_000+nanos/1_000), nil
	default:
		n, ok := unixNanos(seconds, nanos)
		if !ok {
			return dst, errNanoRange
		}
		return appendInt(dst, n), nil
	}
}

// unixNanos reports false where the count does not fit 64 bits.
func unixNanos(seconds, nanos int64) (int64, bool) {
	const most = 9_223_372_036
	switch {
	case seconds >= 0 && seconds <= most:
		n := seconds*1_000_000_000 + nanos
		return n, n >= 0
	case seconds < 0 && seconds >= -most-1:
		// Written so that the product fits although the sum may only just do so.
		n := (seconds+1)*1_000_000_000 + (nanos - 1_000_000_000)
		return n, n < 0
	}
	return 0, false
}

// appendZoned appends ISO 8601 text with exactly `digits` fraction digits and the offset, Z where it is zero.
func appendZoned(dst []byte, t value.DateTime, offset int16, digits int) []byte {
	dst = appendWallClock(append(dst, '"'), t)
	if digits > 0 {
		dst = appendFraction(append(dst, '.'), t.Nano, digits)
	}
	return append(appendZone(dst, offset), '"')
}

// appendWallClock appends YYYY-MM-DDTHH:MI:SS.
func appendWallClock(dst []byte, t value.DateTime) []byte {
	dst = appendYear(dst, t.Year)
	dst = append(dst, '-')
	dst = appendTwo(dst, int(t.Month))
	dst = append(dst, '-')
	dst = appendTwo(dst, int(t.Day))
	dst = append(dst, 'T')
	dst = appendTwo(dst, int(t.Hour))
	dst = append(dst, ':')
	dst = appendTwo(dst, int(t.Minute))
	dst = append(dst, ':')
	return appendTwo(dst, int(t.Second))
}

// appendFraction appends the first digits of a fraction of nine.
func appendFraction(dst []byte, nano uint32, digits int) []byte {
	for unit, i := uint32(100_000_000), 0; i < digits && unit > 0; i++ {
		dst = append(dst, '0'+byte(nano/unit%10))
		unit /= 10
	}
	return dst
}

// appendZone appends an offset as Java writes it.
func appendZone(dst []byte, offset int16) []byte {
	switch {
	case offset == 0:
		dst = append(dst, 'Z')
	case offset < 0:
		dst = appendOffset(append(dst, '-'), -int(offset))
	default:
		dst = appendOffset(append(dst, '+'), int(offset))
	}
	return dst
}

func appendOffset(dst []byte, minutes int) []byte {
	dst = appendTwo(dst, minutes/60)
	dst = append(dst, ':')
	return appendTwo(dst, minutes%60)
}

// appendYear writes the proleptic year, in which Oracle's 1 BC is the year 0.
func appendYear(dst []byte, oracle int16) []byte {
	year := int(oracle)
	if year < 0 {
		year++
	}
	if year < 0 {
		dst = append(dst, '-')
		year = -year
	}
	if year > 9999 {
		if oracle > 0 {
			dst = append(dst, '+') // ISO 8601: a year of more than four digits has its sign
		}
		return appendInt(dst, int64(year))
	}
	dst = appendTwo(dst, year/100)
	return appendTwo(dst, year%100)
}

func appendTwo(dst []byte, n int) []byte { return append(dst, '0'+byte(n/10%10), '0'+byte(n%10)) }

// monthMicros is a twelfth of 365.25 days in microseconds.
const monthMicros = 2_629_800_000_000

// intervalMicros is the float64 nearest to an interval in microseconds.
func intervalMicros(v value.Value) float64 {
	if v.Kind() == value.Months {
		return float64(v.Months()) * monthMicros
	}
	seconds, nanos := v.Duration()
	// 2^53 microseconds are 285 years; whole microseconds below that are exact.
	const exact = 1 << 53 / 1_000_000
	if seconds > -exact && seconds < exact && nanos%1_000 == 0 {
		return float64(seconds*1_000_000 + int64(nanos)/1_000)
	}
	var buf [40]byte
	micros, _ := strconv.ParseFloat(string(appendMicros(buf[:0], seconds, nanos)), 64)
	return micros
}

// appendMicros writes an interval in microseconds as decimal digits.
func appendMicros(dst []byte, seconds int64, nanos int32) []byte {
	if seconds < 0 || nanos < 0 {
		dst = append(dst, '-')
	}
	dst = appendUint(dst, magnitude(seconds))
	n := magnitude(int64(nanos))
	for i, unit := 0, uint64(100_000_000); unit > 0; i, unit = i+1, unit/10 {
		if i == 6 {
			dst = append(dst, '.')
		}
		dst = append(dst, '0'+byte(n/unit%10))
	}
	return dst
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
