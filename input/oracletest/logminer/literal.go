package logminer

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// appendLiteral writes a value as SQL_REDO does (reference logminer D.2); NULL gives NULL.
func appendLiteral(dst []byte, d *datum.Datum, t *datum.Type, n *nls) []byte {
	switch d.Kind {
	case datum.Text:
		text := d.Text
		if t.Code == datum.TypeChar {
			text = pad(text, t)
		}
		if t.National {
			return appendUnistr(dst, text)
		}
		return appendQuoted(dst, text)
	case datum.Number:
		dst = append(dst, '\'')
		dst = appendNumber(dst, d.Number, n.point)
		return append(dst, '\'')
	case datum.Time:
		return appendTimeLiteral(dst, d, t, n)
	case datum.Zoned:
		return appendZonedLiteral(dst, d, t, n)
	case datum.Raw:
		dst = append(dst, "HEXTORAW('"...)
		dst = hex.AppendEncode(dst, d.Raw)
		return append(dst, "')"...)
	case datum.Float:
		dst = append(dst, '\'')
		dst = appendFloat(dst, d.Float, t.Code, n.point)
		return append(dst, '\'')
	case datum.RowID:
		return appendQuoted(dst, d.Text)
	case datum.IntervalYM, datum.IntervalDS:
		return appendIntervalLiteral(dst, d, t, n.point)
	case datum.Clob:
		// NCLOB too is a plain string (reference logminer D.2).
		if d.Text == "" {
			return append(dst, "EMPTY_CLOB()"...)
		}
		return appendQuoted(dst, d.Text)
	case datum.Blob:
		if len(d.Raw) == 0 {
			return append(dst, "EMPTY_BLOB()"...)
		}
		dst = append(dst, "HEXTORAW('"...)
		dst = hex.AppendEncode(dst, d.Raw)
		return append(dst, "')"...)
	case datum.Null:
	}
	return append(dst, "NULL"...)
}

// pad blank pads CHAR to bytes, with CHAR semantics and NCHAR to characters.
func pad(text string, t *datum.Type) string {
	length := len(text)
	if t.CharUsed || t.National {
		length = utf8.RuneCountInString(text)
	}
	if length >= t.Size {
		return text
	}
	return text + strings.Repeat(" ", t.Size-length)
}

func appendQuoted(dst []byte, text string) []byte {
	dst = append(dst, '\'')
	for {
		i := strings.IndexByte(text, '\'')
		if i < 0 {
			break
		}
		dst = append(append(dst, text[:i+1]...), '\'')
		text = text[i+1:]
	}
	return append(append(dst, text...), '\'')
}

// appendUnistr escapes what is not printable ASCII as UTF-16 units; the backslash becomes \005C because readers are known
// to pass with that form only (reference logminer D.2, "Backslash in UNISTR").
func appendUnistr(dst []byte, text string) []byte {
	dst = append(dst, "UNISTR('"...)
	for _, r := range text {
		switch {
		case r == '\'':
			dst = append(dst, "''"...)
		case r >= ' ' && r < utf8.RuneSelf && r != '\\' && r != 0x7f:
			dst = append(dst, byte(r))
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				dst = append(dst, '\\', upperHex[unit>>12], upperHex[unit>>8&15], upperHex[unit>>4&15], upperHex[unit&15])
			}
		}
	}
	return append(dst, "')"...)
}

const upperHex = "0123456789ABCDEF"

// appendNumber writes plain digits without trailing zeros and without a zero before the decimal character.
func appendNumber(dst []byte, d *apd.Decimal, point byte) []byte {
	if d.Exponent == 0 && !d.Negative && d.Coeff.IsUint64() {
		return strconv.AppendUint(dst, d.Coeff.Uint64(), 10)
	}
	var reduced apd.Decimal
	reduced.Reduce(d)
	if reduced.IsZero() {
		return append(dst, '0')
	}
	from := len(dst)
	dst = reduced.Append(dst, 'f')
	digits := dst[from:]
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > 1 && digits[0] == '0' {
		copy(digits, digits[1:])
		dst = dst[:len(dst)-1]
	}
	if point != '.' {
		for i := from; i < len(dst); i++ {
			if dst[i] == '.' {
				dst[i] = point
			}
		}
	}
	return dst
}

// appendFloat writes BINARY_FLOAT with 9 and BINARY_DOUBLE with 17 significant digits and an exponent of three
// digits, as the observed 1.50000005E+010 (reference logminer D.2).
func appendFloat(dst []byte, f float64, code datum.TypeCode, point byte) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "Nan"...)
	case math.IsInf(f, 1):
		return append(dst, "Inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-Inf"...)
	case f == 0:
		return append(dst, '0')
	}
	digits := 16
	if code == datum.TypeBinaryFloat {
		digits, f = 8, float64(float32(f))
	}
	text := strconv.FormatFloat(f, 'E', digits, 64)
	mantissa, exponent, _ := strings.Cut(text, "E")
	mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	if point != '.' {
		mantissa = strings.Replace(mantissa, ".", string(rune(point)), 1)
	}
	dst = append(dst, mantissa...)
	dst = append(dst, 'E', exponent[0])
	for range 3 - (len(exponent) - 1) {
		dst = append(dst, '0')
	}
	return append(dst, exponent[1:]...)
}

func appendTimeLiteral(dst []byte, d *datum.Datum, t *datum.Type, n *nls) []byte {
	if t.Code == datum.TypeDate {
		dst = append(dst, "TO_DATE('"...)
		dst = n.date.appendTime(dst, d.Time, 0, 0, n.point)
		dst = append(dst, "', '"...)
		dst = append(dst, n.date.text...)
		return append(dst, "')"...)
	}
	dst = append(dst, "TO_TIMESTAMP('"...)
	dst = n.timestamp.appendTime(dst, d.Time, t.Size, 0, n.point)
	return append(dst, "')"...)
}

func appendZonedLiteral(dst []byte, d *datum.Datum, t *datum.Type, n *nls) []byte {
	dst = append(dst, "TO_TIMESTAMP_TZ('"...)
	if t.Code == datum.TypeTimestampLTZ {
		dst = n.timestamp.appendTime(dst, shift(d, n.zone), t.Size, 0, n.point)
	} else {
		dst = n.timestampTZ.appendTime(dst, d.Time, t.Size, d.Offset, n.point)
	}
	return append(dst, "')"...)
}
