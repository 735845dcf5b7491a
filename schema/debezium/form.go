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

	rare // no form: those below belong to modes that are not the default
	// decimalText is plain decimal digits as text, at the column's scale where it has one; decimalDouble the nearest float64.
	decimalText
	decimalDouble
	base64Text
	base64URLText
	hexText
	// isoLocal is ISO 8601 without a zone, isoUTC the same with Z, both with the fraction digits that the value needs.
	isoLocal
	isoUTC
	// integerMicros is floatMicros as int64, without what is finer; isoDuration is ISO 8601 with every component.
	integerMicros
	isoDuration
	// Structs of calendar fields.
	structuredTime
	structuredZoned
	structuredDuration
	// What Connect's simple header converter writes in another way than JSON.
	headerDecimal
	headerText
	headerFloat
	headerDate
	// masked is one text for every value, hashed its digest, truncated its beginning.
	masked
	hashed
	truncated
)

// shape is a form with what it must know of the column.
type shape struct {
	form form
	// scale and precision are those of the decimal forms; a precision of 0 sets no limit, and a decimalText or decimalDouble
	// without a scale has NoNumber. For the temporal forms scale is the number of fraction digits, NoNumber for DATE.
	scale, precision int
	// width is the number of digits of an integer.
	width int
	// semantic is the name of the Connect schema, empty without one.
	semantic string
}

// hasPlaceholder reports whether a value of the type that the redo does not hold can be written as the placeholder text; other
// types write null and name the column in the header cdc.unavailable (contracts 4). No mode changes that: digits as text are
// digits still.
func hasPlaceholder(k schema.TypeKind) bool {
	switch k {
	case schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar, schema.Long, schema.RowID, schema.URowID,
		schema.CLOB, schema.NCLOB, schema.XMLType, schema.Raw, schema.LongRaw, schema.BLOB:
		return true
	default:
		return false
	}
}

var errUnsupported = errors.New("columns of this type cannot be published")

// shapeOf is the one table from column types to forms (seed 001 "Column types"; reference debezium-format 5 where the seed
// is silent: negative scales, NUMBER(*,s)). The settings are complete and valid.
func (s *Settings) shapeOf(t schema.Type) (shape, error) {
	switch t.Kind {
	case schema.Number:
		return s.decimalShape(numberShape(t)), nil
	case schema.Float:
		return s.decimalShape(shape{form: variableDecimal, semantic: variableScaleName}), nil
	case schema.BinaryFloat:
		return shape{form: float32Form}, nil
	case schema.BinaryDouble:
		return shape{form: float64Form}, nil
	case schema.XMLType:
		return shape{form: plainText, semantic: s.Profile.xml}, nil
	case schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar, schema.Long, schema.RowID, schema.URowID,
		schema.CLOB, schema.NCLOB:
		return shape{form: plainText}, nil
	case schema.Raw, schema.LongRaw, schema.BLOB:
		binary, _ := binaryStyle(s.Binary)
		return shape{form: binary.form}, nil
	case schema.Unsupported:
		return shape{}, errUnsupported
	default:
		return s.temporalShape(t), nil
	}
}

// decimalShape applies the mode of decimals.
func (s *Settings) decimalShape(precise shape) shape {
	if s.Decimals == PreciseDecimals || precise.form == integer && precise.scale < 0 && s.Profile.roundedIntegers {
		return precise
	}
	out := precise
	out.semantic = ""
	if out.form = decimalText; s.Decimals == DoubleDecimals {
		out.form = decimalDouble
	}
	if precise.form == variableDecimal {
		out.scale = schema.NoNumber
	}
	return out
}

func (s *Settings) temporalShape(t schema.Type) shape {
	mode := s.Profile.temporals[s.Temporals]
	var st style
	digits := fractionDigits(t)
	switch t.Kind {
	case schema.Date:
		st, digits = mode.coarse, schema.NoNumber
	case schema.Timestamp:
		switch {
		case digits <= 3:
			st = mode.coarse
		case digits <= 6:
			st = mode.middle
		default:
			st = mode.fine
		}
	case schema.TimestampTZ:
		st = mode.zoned
	case schema.TimestampLTZ:
		st = mode.utc
	default:
		if st = mode.interval; st.form == noForm {
			st = s.Profile.intervals[s.Intervals]
		}
		if t.Kind == schema.IntervalYM {
			digits = schema.NoNumber
		}
	}
	return shape{form: st.form, semantic: st.semantic, scale: digits}
}

// numberShape: the width in digits before the point decides, so that a negative scale widens; NUMBER(*,s) has Oracle's
// greatest precision, 38, and sets no limit of its own.
func numberShape(t schema.Type) shape {
	const fitsInt64 = 18
	if t.Precision == schema.NoNumber && t.Scale == schema.NoNumber {
		return shape{form: variableDecimal, semantic: variableScaleName}
	}
	s := shape{form: scaledDecimal, semantic: decimalName}
	width := greatestPrecision
	if t.Precision != schema.NoNumber {
		s.precision, width = t.Precision, t.Precision
	}
	if t.Scale != schema.NoNumber {
		s.scale = t.Scale
	}
	if s.scale <= 0 && width-s.scale <= fitsInt64 {
		s.form, s.width, s.semantic = integer, width-s.scale, ""
	}
	return s
}

// greatestPrecision is that of NUMBER, in decimal digits.
const greatestPrecision = 38

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
