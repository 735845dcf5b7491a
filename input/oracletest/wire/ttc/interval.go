package ttc

import (
	"encoding/binary"
	"errors"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Intervals travel as fields with a bias (reference tns-server 8): years or days and nanoseconds with the
// large one, the fields between with the small one.
const (
	intervalBias      = 0x80000000
	intervalSmallBias = 60
	lengthIntervalYM  = 5
	lengthIntervalDS  = 11
	nanosPerSecond    = 1e9
	secondsPerDay     = 86400
)

var errInterval = errors.New("not an interval")

func appendInterval(dst []byte, t *datum.Type, v *datum.Datum) ([]byte, error) {
	var err error
	switch {
	case t.Code == datum.TypeIntervalYM && v.Kind == datum.IntervalYM:
		dst, err = appendIntervalYM(dst, v.Number)
	case t.Code == datum.TypeIntervalDS && v.Kind == datum.IntervalDS:
		dst, err = appendIntervalDS(dst, v.Number)
	default:
		err = errInterval
	}
	if err != nil {
		return dst, unfit(t, v, err.Error())
	}
	return dst, nil
}

// appendIntervalYM appends an INTERVAL YEAR TO MONTH, given in months.
func appendIntervalYM(dst []byte, months *apd.Decimal) ([]byte, error) {
	n, err := months.Int64()
	if err != nil || n/12 < -999999999 || n/12 > 999999999 {
		return dst, errInterval
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(n/12+intervalBias))
	return append(dst, byte(n%12+intervalSmallBias)), nil
}

// appendIntervalDS appends an INTERVAL DAY TO SECOND, given in seconds.
func appendIntervalDS(dst []byte, seconds *apd.Decimal) ([]byte, error) {
	var whole, fraction apd.Decimal
	seconds.Modf(&whole, &fraction)
	n, err := whole.Int64()
	if err != nil || n/secondsPerDay < -999999999 || n/secondsPerDay > 999999999 {
		return dst, errInterval
	}
	fraction.Exponent += 9
	nanos, err := fraction.Int64()
	if err != nil {
		return dst, errInterval
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(n/secondsPerDay+intervalBias))
	n %= secondsPerDay
	dst = append(dst, byte(n/3600+intervalSmallBias), byte(n/60%60+intervalSmallBias), byte(n%60+intervalSmallBias))
	return binary.BigEndian.AppendUint32(dst, uint32(nanos+intervalBias)), nil
}

func decodeIntervalYM(b []byte) (*apd.Decimal, error) {
	if len(b) != lengthIntervalYM {
		return nil, errInterval
	}
	years := int64(binary.BigEndian.Uint32(b)) - intervalBias
	return apd.New(years*12+int64(b[4])-intervalSmallBias, 0), nil
}

func decodeIntervalDS(b []byte) (*apd.Decimal, error) {
	if len(b) != lengthIntervalDS {
		return nil, errInterval
	}
	days := int64(binary.BigEndian.Uint32(b)) - intervalBias
	nanos := int64(binary.BigEndian.Uint32(b[7:])) - intervalBias
	if nanos <= -nanosPerSecond || nanos >= nanosPerSecond {
		return nil, errInterval
	}
	field := func(i int) int64 { return int64(b[i]) - intervalSmallBias }
	seconds := apd.New(days*secondsPerDay+field(4)*3600+field(5)*60+field(6), 0)
	if nanos == 0 {
		return seconds, nil
	}
	if _, err := apd.BaseContext.WithPrecision(38).Add(seconds, seconds, apd.New(nanos, -9)); err != nil {
		return nil, errInterval
	}
	return seconds, nil
}
