package logminer

import (
	"encoding/binary"
	"math"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// appendInternal writes the bytes in which Oracle stores a value (reference logminer D.4); they show when the
// dictionary does not match the redo. The database character set is AL32UTF8, the national one AL16UTF16.
func appendInternal(dst []byte, d *datum.Datum, t *datum.Type) []byte {
	switch d.Kind {
	case datum.Text:
		text := d.Text
		if t.Code == datum.TypeChar {
			text = pad(text, t)
		}
		if !t.National {
			return append(dst, text...)
		}
		for _, unit := range utf16.Encode([]rune(text)) {
			dst = binary.BigEndian.AppendUint16(dst, unit)
		}
		return dst
	case datum.RowID:
		return appendInternalRowID(dst, d.Text)
	case datum.Number:
		return appendInternalNumber(dst, d.Number)
	case datum.Time:
		return appendInternalTime(dst, d.Time, t.Code != datum.TypeDate)
	case datum.Zoned:
		dst = appendInternalTime(dst, shift(d, time.UTC), true)
		if t.Code == datum.TypeTimestampLTZ {
			return dst
		}
		return append(dst, byte(d.Offset/60+20), byte(d.Offset%60+60))
	case datum.Raw:
		return append(dst, d.Raw...)
	case datum.Float:
		return appendInternalFloat(dst, d.Float, t.Code)
	case datum.IntervalYM, datum.IntervalDS:
		return appendInternalInterval(dst, d)
	case datum.Clob, datum.Blob: // a locator, which nobody decodes (reference logminer D.4)
	case datum.Null:
	}
	return dst
}

// appendInternalRowID writes 32 bits of data object, 10 of relative file, 22 of block and 16 of row, as DUMP shows them: AAATLnAAFAAAAD9AAB is
// 0,1,32,e7,1,40,0,fd,0,1.
func appendInternalRowID(dst []byte, text string) []byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	part := func(from, to int) (n uint64) {
		for i := from; i < to && i < len(text); i++ {
			n = n<<6 | uint64(max(strings.IndexByte(alphabet, text[i]), 0))
		}
		return n
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(part(0, 6)))
	dst = binary.BigEndian.AppendUint32(dst, uint32(part(6, 9)<<22|part(9, 15)))
	return binary.BigEndian.AppendUint16(dst, uint16(part(15, 18)))
}

// appendInternalNumber writes the exponent byte and base-100 digits; negative numbers are complemented and end in 0x66
// unless all 20 digits are used.
func appendInternalNumber(dst []byte, d *apd.Decimal) []byte {
	var reduced apd.Decimal
	reduced.Reduce(d)
	if reduced.IsZero() {
		return append(dst, 0x80)
	}
	digits := reduced.Coeff.Append(nil, 10)
	point := len(digits) + int(reduced.Exponent) // decimal digits before the point
	if point%2 != 0 {
		digits = append([]byte{'0'}, digits...)
		point++
	}
	if len(digits)%2 != 0 {
		digits = append(digits, '0')
	}
	exponent := byte(point / 2)
	if reduced.Negative {
		dst = append(dst, 0x3f-exponent)
	} else {
		dst = append(dst, 0xc0+exponent)
	}
	for i := 0; i < len(digits); i += 2 {
		pair := (digits[i]-'0')*10 + digits[i+1] - '0'
		if reduced.Negative {
			dst = append(dst, 101-pair)
		} else {
			dst = append(dst, pair+1)
		}
	}
	if reduced.Negative && len(digits) < 40 {
		dst = append(dst, 0x66)
	}
	return dst
}

// appendInternalTime writes the 7 bytes of a DATE and, for a timestamp with a fraction, 4 bytes of nanoseconds.
func appendInternalTime(dst []byte, t datum.DateTime, timestamp bool) []byte {
	year := int(t.Year)
	dst = append(dst, byte(year/100+100), byte(year%100+100), t.Month, t.Day, t.Hour+1, t.Minute+1, t.Second+1)
	if timestamp && t.Nano != 0 {
		dst = binary.BigEndian.AppendUint32(dst, t.Nano)
	}
	return dst
}

func appendInternalFloat(dst []byte, f float64, code datum.TypeCode) []byte {
	if f == 0 {
		f = 0 // -0 is stored as 0
	}
	if code == datum.TypeBinaryFloat {
		bits := math.Float32bits(float32(f))
		if math.IsNaN(f) {
			bits = 0x7fc00000
		}
		if bits>>31 != 0 {
			return binary.BigEndian.AppendUint32(dst, ^bits)
		}
		return binary.BigEndian.AppendUint32(dst, bits|1<<31)
	}
	bits := math.Float64bits(f)
	if math.IsNaN(f) {
		bits = 0x7ff8000000000000
	}
	if bits>>63 != 0 {
		return binary.BigEndian.AppendUint64(dst, ^bits)
	}
	return binary.BigEndian.AppendUint64(dst, bits|1<<63)
}
