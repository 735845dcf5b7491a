package scalar

import (
	"encoding/binary"
	"math"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Tags put NULL behind every value, as an ascending ORDER BY does.
const (
	keyValue = 1
	keyNull  = 2
)

// AppendKey appends bytes that order as the values do and are equal exactly for equal values; keys of several values may be
// appended to each other.
func AppendKey(dst []byte, d *datum.Datum) []byte {
	if d.Kind == datum.Null {
		return append(dst, keyNull)
	}
	dst = append(dst, keyValue)
	switch d.Kind {
	case datum.Number, datum.IntervalYM, datum.IntervalDS:
		return appendNumberKey(dst, d.Number)
	case datum.Text, datum.Clob:
		return appendBytesKey(dst, d.Text)
	case datum.RowID:
		return appendRowIDKey(dst, d.Text)
	case datum.Raw, datum.Blob:
		return appendBytesKey(dst, string(d.Raw))
	case datum.Time:
		return appendTimeKey(dst, d.Time)
	case datum.Zoned:
		return appendTimeKey(dst, UTC(*d))
	case datum.Float:
		return appendFloatKey(dst, d.Float)
	case datum.Null:
	}
	return dst
}

func appendBytesKey(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		dst = append(dst, s[i])
		if s[i] == 0 {
			dst = append(dst, 0xff)
		}
	}
	return append(dst, 0, 0)
}

func appendTimeKey(dst []byte, t datum.DateTime) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(int32(t.Year)+32768))
	dst = append(dst, t.Month, t.Day, t.Hour, t.Minute, t.Second)
	return binary.BigEndian.AppendUint32(dst, t.Nano)
}

func appendFloatKey(dst []byte, f float64) []byte {
	if f == 0 {
		f = 0 // -0 equals 0
	}
	bits := math.Float64bits(f)
	switch {
	case math.IsNaN(f):
		bits = math.MaxUint64
	case bits>>63 == 1:
		bits = ^bits
	default:
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

func appendNumberKey(dst []byte, d *apd.Decimal) []byte {
	if d.Coeff.Sign() == 0 {
		return append(dst, 2)
	}
	start := len(dst)
	dst = append(dst, 3)
	dst = binary.BigEndian.AppendUint16(dst, uint16(leading(d)+1000))
	dst = d.Coeff.Append(dst, 10)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	dst = append(dst, 0)
	if d.Negative {
		for i := start; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
		dst[start] = 1
	}
	return dst
}
