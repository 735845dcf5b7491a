package logminer

import (
	"encoding/binary"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// interval has the fields of an INTERVAL; all of them have its sign.
type interval struct {
	negative                                            bool
	years, months, days, hours, minutes, seconds, nanos int64
}

// split takes an interval of months or of seconds apart.
func split(d *datum.Datum) interval {
	var whole, fraction apd.Decimal
	d.Number.Modf(&whole, &fraction)
	whole.Negative, fraction.Negative = false, false
	fraction.Exponent += 9
	// Both are in range for every interval that Oracle has; beyond it the fields are 0.
	n, _ := whole.Int64()
	nanos, _ := fraction.Int64()
	i := interval{negative: d.Number.Negative}
	if d.Kind == datum.IntervalYM {
		i.years, i.months = n/12, n%12
		return i
	}
	i.days, i.hours, i.minutes, i.seconds, i.nanos = n/86400, n/3600%24, n/60%60, n%60, nanos
	return i
}

// leadingDigits is the precision of an interval that declares none.
const leadingDigits = 2

// appendIntervalLiteral writes the leading field in the declared precision, the fraction in its declared digits (reference
// logminer D.2).
func appendIntervalLiteral(dst []byte, d *datum.Datum, t *datum.Type, point byte) []byte {
	i, digits := split(d), max(t.Precision, leadingDigits)
	sign := byte('+')
	if i.negative {
		sign = '-'
	}
	if d.Kind == datum.IntervalYM {
		dst = append(append(dst, "TO_YMINTERVAL('"...), sign)
		dst = append(appendPadded(dst, int(i.years), digits), '-')
		return append(appendPadded(dst, int(i.months), 2), "')"...)
	}
	dst = append(append(dst, "TO_DSINTERVAL('"...), sign)
	dst = append(appendPadded(dst, int(i.days), digits), ' ')
	dst = append(appendPadded(dst, int(i.hours), 2), ':')
	dst = append(appendPadded(dst, int(i.minutes), 2), ':')
	dst = appendPadded(dst, int(i.seconds), 2)
	if t.Size > 0 {
		dst = appendFraction(append(dst, point), uint32(i.nanos), t.Size)
	}
	return append(dst, "')"...)
}

// Fields of an interval are stored with a bias (reference logminer D.4).
const (
	intervalBias      = 0x80000000
	intervalSmallBias = 60
)

func appendInternalInterval(dst []byte, d *datum.Datum) []byte {
	i, sign := split(d), int64(1)
	if i.negative {
		sign = -1
	}
	small := func(n int64) byte { return byte(sign*n + intervalSmallBias) }
	if d.Kind == datum.IntervalYM {
		return append(binary.BigEndian.AppendUint32(dst, uint32(sign*i.years+intervalBias)), small(i.months))
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(sign*i.days+intervalBias))
	dst = append(dst, small(i.hours), small(i.minutes), small(i.seconds))
	return binary.BigEndian.AppendUint32(dst, uint32(sign*i.nanos+intervalBias))
}
