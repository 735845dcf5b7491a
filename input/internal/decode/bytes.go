package decode

import (
	"encoding/binary"
	"math"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/charset"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Settings are what the bytes of a value depend on besides its column's type: those of the database or pluggable database that stores
// it. The zero Settings trust neither text nor TIMESTAMP WITH LOCAL TIME ZONE.
type Settings struct {
	// Text and National are the character sets, nil where they are not known.
	Text, National *charset.Set
	// Zone is DBTIMEZONE in minutes east of UTC, if ZoneFixed: a region has no such number.
	Zone      int16
	ZoneFixed bool
}

// bytesReader reads values out of Oracle's internal bytes (reference logminer D.4). Every form that Oracle does not store is refused
// (R47): bytes that were written for another layout must not pass as a value of this one.
type bytesReader struct {
	settings *Settings
	// text collects what values need of text, so that a row has one text for all.
	text []byte
}

// read reads a value that is not NULL. A value of kind Text, Bytes or Decimal is still without its text, which was added to r.text.
func (r *bytesReader) read(t *schema.Type, b []byte) (value.Value, reason) {
	switch t.Kind {
	case schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar:
		return value.OfText(""), r.characters(t, b)
	case schema.Number, schema.Float:
		return value.OfDecimal(""), r.number(t, b)
	case schema.BinaryFloat:
		return float32Of(b)
	case schema.BinaryDouble:
		return float64Of(b)
	case schema.Raw:
		if len(b) == 0 || len(b) > t.Length {
			return value.Value{}, badLength
		}
		r.text = append(r.text, b...)
		return value.OfBytes(""), ""
	case schema.RowID:
		return value.OfText(""), r.rowID(b)
	case schema.Date:
		if len(b) != dateSize {
			return value.Value{}, badLength
		}
		at, why := instant(b)
		return value.OfLocal(at), why
	case schema.Timestamp:
		at, why := stamp(t, b)
		return value.OfLocal(at), why
	case schema.TimestampTZ:
		return zoned(t, b)
	case schema.TimestampLTZ:
		return r.local(t, b)
	case schema.IntervalYM:
		return months(t, b)
	case schema.IntervalDS:
		return duration(t, b)
	default:
		return value.Value{}, notCaptured
	}
}

// maxFixed is the longest CHAR in bytes.
const maxFixed = 2000

// characters reads the character types.
func (r *bytesReader) characters(t *schema.Type, b []byte) reason {
	set := r.settings.Text
	if t.Kind == schema.NVarchar2 || t.Kind == schema.NChar {
		set = r.settings.National
	}
	if set == nil {
		return noCharset
	}
	if len(b) == 0 || len(b) > t.Length {
		return badLength
	}
	text, n, ok := set.Append(r.text, b)
	r.text = text
	if !ok {
		return badCharacters
	}
	// The dictionary counts characters for columns with length semantics of characters, which have room for the longest ones.
	counted := t.CharLength > 0 && t.CharLength < t.Length
	switch {
	case t.Kind == schema.Varchar2 || t.Kind == schema.NVarchar2:
		if counted && n > t.CharLength {
			return badLength
		}
	case len(b) == t.Length:
		// Padded to its bytes; with characters counted, only where the bytes end before the characters do.
		if counted && n != t.CharLength && (n > t.CharLength || t.Length < maxFixed) {
			return badPadding
		}
	case !counted || n != t.CharLength:
		return badPadding
	}
	return ""
}

// Forms of NUMBER: an exponent byte and up to 20 digits to the base 100. Those of negative numbers are complements, and a byte ends them
// where there is room for one.
const (
	numberZero      = 0x80
	numberEnd       = 0x66
	maxNumberPairs  = 20
	positiveOne     = 0xc1 // exponent byte of 1 to 99
	negativeOne     = 0x3e
	maxNumberDigits = 2 * maxNumberPairs
)

// number reads NUMBER and FLOAT.
func (r *bytesReader) number(t *schema.Type, b []byte) reason {
	if len(b) == 1 && b[0] == numberZero {
		r.text = append(r.text, '0')
		return ""
	}
	// Infinities are refused with the rest: one is a byte alone, the other has a digit of 100.
	if len(b) < 2 || len(b) > maxNumberPairs+1 {
		return badNumberBytes
	}
	var room [maxNumberDigits]byte
	negative := b[0] < numberZero
	exponent := int(b[0]) - positiveOne
	pairs := b[1:]
	if negative {
		exponent = negativeOne - int(b[0])
		if len(pairs) < maxNumberPairs || pairs[maxNumberPairs-1] == numberEnd {
			if pairs[len(pairs)-1] != numberEnd {
				return badNumberBytes
			}
			pairs = pairs[:len(pairs)-1]
		}
	}
	digits := room[:0]
	for _, p := range pairs {
		d := int(p) - 1
		if negative {
			d = 101 - int(p)
		}
		if d < 0 || d > 99 {
			return badNumberBytes
		}
		digits = append(digits, '0'+byte(d/10), '0'+byte(d%10)) //nolint:gosec // below 100
	}
	if len(digits) == 0 || digits[0] == '0' && digits[1] == '0' || digits[len(digits)-1] == '0' && digits[len(digits)-2] == '0' {
		return badNumberBytes // another form of a number that has a shorter one
	}
	point := 2 * (exponent + 1)
	if digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	if digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if !fits(t, len(digits), point) {
		return badDigits
	}
	if negative {
		r.text = append(r.text, '-')
	}
	r.text = appendPlain(r.text, digits, point)
	return ""
}

// maxPrecision is that of a NUMBER which has a scale alone, such as INTEGER.
const maxPrecision = 38

// fits compares a number of so many significant digits, the first of them right behind the point where point is 0, with precision and
// scale of its type.
func fits(t *schema.Type, significant, point int) bool {
	if t.Kind == schema.Float {
		// Precision counts binary digits, which Oracle turns into decimal ones with the factor 0.30103 (SQL Language Reference, FLOAT).
		return t.Precision <= 0 || significant <= t.Precision*30103/100000+1
	}
	if t.Scale == schema.NoNumber && t.Precision == schema.NoNumber {
		return true
	}
	precision, scale := t.Precision, t.Scale
	if precision == schema.NoNumber {
		precision = maxPrecision
	}
	if scale == schema.NoNumber {
		scale = 0
	}
	return significant-point <= scale && point <= precision-scale
}

// appendPlain writes digits with the point behind so many of them, as value.Decimal wants them.
func appendPlain(dst, digits []byte, point int) []byte {
	switch {
	case point <= 0:
		dst = append(dst, '0', '.')
		for range -point {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	case point >= len(digits):
		dst = append(dst, digits...)
		for range point - len(digits) {
			dst = append(dst, '0')
		}
		return dst
	}
	dst = append(append(dst, digits[:point]...), '.')
	return append(dst, digits[point:]...)
}

// float32Of reads BINARY_FLOAT: IEEE 754 whose order is that of its bytes. Oracle stores neither a negative zero nor another NaN than one
// (SQL Language Reference, Floating-Point Numbers).
func float32Of(b []byte) (value.Value, reason) {
	if len(b) != 4 {
		return value.Value{}, badLength
	}
	bits := binary.BigEndian.Uint32(b)
	if bits>>31 != 0 {
		bits &^= 1 << 31
	} else {
		bits = ^bits
	}
	const negativeZero, nan = 1 << 31, 0x7fc00000
	f := math.Float32frombits(bits)
	if bits == negativeZero || f != f && bits != nan {
		return value.Value{}, badFloatBytes
	}
	return value.OfFloat32(f), ""
}

// float64Of reads BINARY_DOUBLE.
func float64Of(b []byte) (value.Value, reason) {
	if len(b) != 8 {
		return value.Value{}, badLength
	}
	bits := binary.BigEndian.Uint64(b)
	if bits>>63 != 0 {
		bits &^= 1 << 63
	} else {
		bits = ^bits
	}
	const negativeZero, nan = 1 << 63, 0x7ff8000000000000
	f := math.Float64frombits(bits)
	if bits == negativeZero || f != f && bits != nan {
		return value.Value{}, badFloatBytes
	}
	return value.OfFloat64(f), ""
}

// rowIDSize is the size of a stored ROWID: 32 bits of data object, 10 of relative file, 22 of block, 16 of row.
const rowIDSize = 10

// rowID prints a ROWID, each part in its own digits to the base 64 (reference logminer B.3).
func (r *bytesReader) rowID(b []byte) reason {
	if len(b) != rowIDSize {
		return badLength
	}
	const fileBits, blockBits = 10, 22
	place := binary.BigEndian.Uint32(b[4:])
	r.text = appendBase64(r.text, binary.BigEndian.Uint32(b), 6)
	r.text = appendBase64(r.text, place>>blockBits&(1<<fileBits-1), 3)
	r.text = appendBase64(r.text, place&(1<<blockBits-1), 6)
	r.text = appendBase64(r.text, uint32(binary.BigEndian.Uint16(b[8:])), 3)
	return ""
}

func appendBase64(dst []byte, n uint32, digits int) []byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := digits - 1; i >= 0; i-- {
		dst = append(dst, alphabet[uint64(n)>>(6*i)&63])
	}
	return dst
}
