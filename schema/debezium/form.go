package debezium

import (
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// form says how the values of a column are written.
type form uint8

const (
	noForm form = iota
	// integer is a JSON number of at most 18 digits (int8 to int64).
	integer
	// scaledDecimal is the base64 of the unscaled value at the column's scale (Connect's Decimal).
	scaledDecimal
	// variableDecimal is a struct of scale and unscaled value.
	variableDecimal
	plainText
	rawBytes
	float32Form
	float64Form
	// Milliseconds, microseconds and nanoseconds since the epoch of a wall clock taken as UTC.
	epochMillis
	epochMicros
	epochNanos
	// zonedText is ISO 8601 with an offset, utcText the same in UTC.
	zonedText
	utcText
	// floatMicros is an interval in microseconds as float64, a month counted as 365.25 / 12 days.
	floatMicros
)

// shape is a form with what it must know of the column.
type shape struct {
	form form
	// scale and precision are those of the decimal forms; a precision of 0 sets no limit. For the zoned forms scale is the
	// number of fraction digits.
	scale, precision int
}

// hasPlaceholder reports whether a value that the redo does not hold can be written as the placeholder text; other forms
// write null and name the column in the header cdc.unavailable (contracts 4).
func (f form) hasPlaceholder() bool { return f == plainText || f == rawBytes }

var errUnsupported = errors.New("columns of this type cannot be published")

// shapeOf is the one table from column types to forms (seed 001 "Column types"; reference debezium-format 5 where the seed
// is silent: negative scales, NUMBER(*,s)).
func (p *Profile) shapeOf(t schema.Type) (shape, error) {
	switch t.Kind {
	case schema.Number:
		return numberShape(t), nil
	case schema.Float:
		return shape{form: variableDecimal}, nil
	case schema.BinaryFloat:
		return shape{form: float32Form}, nil
	case schema.BinaryDouble:
		return shape{form: float64Form}, nil
	case schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar, schema.Long, schema.RowID, schema.URowID,
		schema.CLOB, schema.NCLOB, schema.XMLType:
		return shape{form: plainText}, nil
	case schema.Raw, schema.LongRaw, schema.BLOB:
		return shape{form: rawBytes}, nil
	case schema.Date:
		return shape{form: epochMillis}, nil
	case schema.Timestamp:
		switch digits := fractionDigits(t); {
		case digits <= 3:
			return shape{form: epochMillis}, nil
		case digits <= 6:
			return shape{form: epochMicros}, nil
		}
		return shape{form: epochNanos}, nil
	case schema.TimestampTZ:
		return shape{form: zonedText, scale: fractionDigits(t)}, nil
	case schema.TimestampLTZ:
		return shape{form: utcText, scale: fractionDigits(t)}, nil
	case schema.IntervalYM, schema.IntervalDS:
		return shape{form: p.interval}, nil
	case schema.Unsupported:
	}
	return shape{}, errUnsupported
}

// numberShape: the width in digits before the point decides, so that a negative scale widens; NUMBER(*,s) has Oracle's
// greatest precision, 38, and sets no limit of its own.
func numberShape(t schema.Type) shape {
	const greatest, fitsInt64 = 38, 18
	if t.Precision == schema.NoNumber && t.Scale == schema.NoNumber {
		return shape{form: variableDecimal}
	}
	s := shape{form: scaledDecimal}
	width := greatest
	if t.Precision != schema.NoNumber {
		s.precision, width = t.Precision, t.Precision
	}
	if t.Scale != schema.NoNumber {
		s.scale = t.Scale
	}
	if s.scale <= 0 && width-s.scale <= fitsInt64 {
		s.form = integer
	}
	return s
}

// fractionDigits of a TIMESTAMP; Oracle's default is 6.
func fractionDigits(t schema.Type) int {
	if t.Scale == schema.NoNumber {
		return 6
	}
	return t.Scale
}

func isLOB(k schema.TypeKind) bool {
	switch k {
	case schema.CLOB, schema.NCLOB, schema.BLOB, schema.XMLType:
		return true
	default:
		return false
	}
}
