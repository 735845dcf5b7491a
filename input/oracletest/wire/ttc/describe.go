package ttc

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// Column is one column of a describe message.
type Column struct {
	Name     string
	Type     datum.Type
	Nullable bool
	// Lob is the form of its values if it is a LOB.
	Lob LobForm
}

// Describe is message 16: the columns of a query.
type Describe struct {
	Columns []Column
}

// unconstrainedScale is the scale of a NUMBER without one and of FLOAT.
const unconstrainedScale = -127

// Sizes of the types whose size is fixed, in bytes (reference tns-server 6 and 8).
const (
	sizeNumber       = 22
	sizeDate         = 7
	sizeTimestamp    = 11
	sizeTimestampTZ  = 13
	sizeBinaryFloat  = 4
	sizeBinaryDouble = 8
	sizeRowID        = 18
	sizeIntervalYM   = 5
	sizeIntervalDS   = 11
)

// leadingDigits is the precision of an interval that declares none.
const leadingDigits = 2

// sizeUnknownText is the size of a text expression whose length the statement does not say.
const sizeUnknownText = 4000

// opaque is the length of the bytes at the start that no client looks into.
const opaque = 16

const (
	formNone     = 0
	formDatabase = 1
	// FormNational is the charset form of national text.
	FormNational = 2
)

// Encode appends the message.
func (m Describe) Encode(dst []byte, d Dialect) []byte {
	dst = append(dst, byte(CodeDescribe), opaque)
	return m.body(appendZeros(dst, opaque), d)
}

// body appends the message from the row size on, which is also how a ref cursor is described.
func (m Describe) body(dst []byte, d Dialect) []byte {
	total := 0
	for i := range m.Columns {
		bytes, _ := size(m.Columns[i].Type)
		total += bytes
	}
	dst = appendUB(dst, uint64(total))
	dst = appendUB(dst, uint64(len(m.Columns)))
	if len(m.Columns) > 0 {
		dst = append(dst, byte(len(m.Columns)))
	}
	for i := range m.Columns {
		dst = m.Columns[i].encode(dst, d, i+1)
	}
	return appendZeros(dst, 6)
}

func (c *Column) encode(dst []byte, d Dialect, position int) []byte {
	t := c.Type
	bytes, chars := size(t)
	precision, scale := precisionScale(t)
	charset, form := charset(t)
	dst = append(dst, byte(t.Code), 0, byte(precision))
	if d.NativeScale {
		dst = append(dst, byte(int8(scale)))
	} else {
		dst = appendSB(dst, int64(scale))
	}
	dst = appendUB(dst, uint64(bytes))
	dst = appendZeros(dst, 4) // array size, flags, type id, version
	dst = appendUB(dst, uint64(charset))
	dst = append(dst, byte(form))
	dst = appendUB(dst, uint64(chars))
	if d.FieldVersion >= 8 {
		dst = append(dst, 0)
	}
	dst = append(dst, flag(c.Nullable), byte(len(c.Name)))
	dst = appendDlc(dst, c.Name)
	dst = append(dst, 0, 0) // schema, type name
	dst = appendUB(dst, uint64(position))
	return append(dst, 0)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// size is the size of a column in bytes and, for text, in characters. It is never 0: such a column has no
// value on the wire at all (reference tns-server 6).
func size(t datum.Type) (bytes, chars int) {
	n := t.Size
	switch t.Code {
	case datum.TypeNumber:
		return sizeNumber, 0
	case datum.TypeDate:
		return sizeDate, 0
	case datum.TypeTimestamp, datum.TypeTimestampLTZ:
		return sizeTimestamp, 0
	case datum.TypeTimestampTZ:
		return sizeTimestampTZ, 0
	case datum.TypeBinaryFloat:
		return sizeBinaryFloat, 0
	case datum.TypeBinaryDouble:
		return sizeBinaryDouble, 0
	case datum.TypeRowID:
		return sizeRowID, 0
	case datum.TypeIntervalYM:
		return sizeIntervalYM, 0
	case datum.TypeIntervalDS:
		return sizeIntervalDS, 0
	case datum.TypeClob, datum.TypeBlob:
		return sizeUnknownText, 0
	case datum.TypeVarchar, datum.TypeChar:
		if n <= 0 {
			n = sizeUnknownText
		}
		switch {
		case t.National:
			return 2 * n, n
		case t.CharUsed:
			return 4 * n, n
		}
		return n, n
	default:
		if n <= 0 {
			n = sizeUnknownText
		}
		return n, 0
	}
}

func precisionScale(t datum.Type) (precision, scale int) {
	switch t.Code {
	case datum.TypeNumber:
		switch {
		case t.Float:
			return t.Precision, unconstrainedScale
		case t.HasPrecision:
			return t.Precision, t.Scale
		case t.HasScale:
			return 38, t.Scale
		}
		return 0, unconstrainedScale
	case datum.TypeTimestamp, datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
		return 0, t.Size
	case datum.TypeIntervalYM:
		return max(t.Precision, leadingDigits), 0
	case datum.TypeIntervalDS:
		return max(t.Precision, leadingDigits), t.Size
	default:
		return 0, 0
	}
}

func charset(t datum.Type) (id, form int) {
	switch t.Code {
	case datum.TypeVarchar, datum.TypeChar, datum.TypeLong, datum.TypeClob:
		if t.National {
			return CharsetUTF16, FormNational
		}
		return CharsetUTF8, formDatabase
	default:
		return 0, formNone
	}
}
