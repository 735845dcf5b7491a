package debezium

import (
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

var (
	errWrongKind  = errors.New("decoded value is not of the column's type")
	errRequired   = errors.New("the redo holds no value for it, and its schema requires one")
	errNoKeyValue = errors.New("the redo holds no value for it")
)

// field is a column of the row or key struct.
type field struct {
	// What every value needs comes first, so that it lies together.

	// literal is the member's name with the comma before it: `,"NAME":`.
	literal string
	index   int
	shape
	kind     value.Kind
	nullable bool
	// name is the column's, field that of the record's member.
	name, field string
	// required: the row's schema has no null for it.
	required bool
	// def is the column's default as JSON, empty without one; null what stands for NULL.
	def, null string
	// unavailable is what stands for a value that the redo does not hold, absent for one that the statement does not name.
	unavailable, absent string
	// treatment is what a mask or truncation does, nil without one.
	treatment *treatment
}

func newField(s Settings, c *schema.Column, index int, first bool) (field, error) {
	sh, err := s.shapeOf(c.Type)
	if err != nil {
		return field{}, err
	}
	literal := []byte{','}
	if first {
		literal = literal[:0]
	}
	member := s.fieldName(c.Name)
	if literal, err = appendText(literal, member); err != nil {
		return field{}, err
	}
	f := field{
		shape: sh, index: index, name: c.Name, field: member, nullable: c.Nullable,
		kind: kindOf(sh.form, c.Type.Kind), null: "null", unavailable: "null", absent: "null",
		required: s.Profile.requiredFields && !c.Nullable,
	}
	f.setDefault(s.Default, c)
	if hasPlaceholder(c.Type.Kind) {
		v := placeholderValue(f.kind, s.Placeholder)
		placeholder, err := f.append(nil, &v) // the member has no name yet
		if err != nil {
			return field{}, err
		}
		f.unavailable = string(placeholder)
	}
	f.literal = string(append(literal, ':'))
	if isLOB(c.Type.Kind) {
		// LogMiner names no LOB column in a WHERE clause: a missing one is unavailable, not left out by the logging level.
		f.absent = f.unavailable
	}
	return f, nil
}

// setDefault renders the column's default. One that is no literal, or does not fit its column, is none: nothing is made up.
func (f *field) setDefault(of func(*schema.Column) (value.Value, bool), c *schema.Column) {
	if of == nil || c.Default == nil || !f.form.hasDefault() {
		return
	}
	v, ok := of(c)
	if !ok || v.Kind() != f.kind {
		return
	}
	if text, err := f.append(nil, &v); err == nil { // the member has no name yet
		f.def = string(text)
	}
}

// kindOf is the kind of value that a form takes.
func kindOf(f form, t schema.TypeKind) value.Kind {
	switch f {
	case integer, scaledDecimal, variableDecimal, decimalText, decimalDouble:
		return value.Decimal
	case plainText:
		return value.Text
	case rawBytes, base64Text, base64URLText, hexText:
		return value.Bytes
	case float32Form:
		return value.Float32
	case float64Form:
		return value.Float64
	case epochMillis, epochMicros, epochNanos, isoLocal, isoUTC, structuredTime:
		return value.Local
	case zonedText, utcText, structuredZoned:
		return value.Zoned
	case floatMicros, integerMicros, isoDuration, structuredDuration:
		if t == schema.IntervalYM {
			return value.Months
		}
		return value.Duration
	case noForm, rare, masked, hashed, truncated, headerDecimal, headerText, headerFloat, headerDate:
	}
	return value.Absent
}

// append renders the member with one value.
func (f *field) append(dst []byte, v *value.Value) ([]byte, error) {
	dst = append(dst, f.literal...)
	if v.Kind() != f.kind {
		return f.appendMissing(dst, v.Kind())
	}
	switch f.form {
	case integer:
		return appendInteger(dst, v.Text(), f.shape)
	case scaledDecimal:
		return appendScaled(dst, v.Text(), f.shape)
	case variableDecimal:
		return appendVariable(dst, v.Text())
	case plainText:
		return appendText(dst, v.Text())
	case rawBytes:
		return appendBase64(dst, v.Text()), nil
	case float32Form:
		return appendFloat(dst, float64(v.Float32()), 32), nil
	case float64Form:
		return appendFloat(dst, v.Float64(), 64), nil
	case epochMillis, epochMicros, epochNanos:
		seconds, nanos := v.Unix()
		return appendEpoch(dst, seconds, nanos, f.form)
	case utcText:
		if v.OffsetMinutes() != 0 {
			return dst, errNotUTC
		}
		return appendZoned(dst, v.DateTime(), 0, f.scale), nil
	case zonedText:
		return appendZoned(dst, v.DateTime(), v.OffsetMinutes(), f.scale), nil
	case floatMicros:
		return appendFloat(dst, intervalMicros(*v), 64), nil
	default:
		return f.appendRare(dst, *v)
	}
}

// strict lets no null stand in a field that the record's own schema calls required: readers would refuse the record, and a
// fallback value would be invented.
func (f *field) strict() {
	for _, text := range [...]*string{&f.null, &f.absent, &f.unavailable} {
		if *text == "null" {
			*text = ""
		}
	}
}

// placeholderValue makes the placeholder a value of the column.
func placeholderValue(k value.Kind, text string) value.Value {
	if k == value.Bytes {
		return value.OfBytes(text)
	}
	return value.OfText(text)
}

// appendMissing renders what stands for a value that is not there.
func (f *field) appendMissing(dst []byte, missing value.Kind) ([]byte, error) {
	text := f.unavailable
	switch missing {
	case value.Null:
		if f.form != masked {
			text = f.null
		}
	case value.Absent:
		text = f.absent
	case value.Unavailable:
	default:
		return dst, errWrongKind
	}
	if text == "" {
		return dst, errRequired
	}
	return append(dst, text...), nil
}

func (t *Table) fault(f *field, err error) error {
	fault := stop.Wrap(stop.Undecodable, err, t.object+"."+f.name, "a value cannot be published")
	if errors.Is(err, errRequired) {
		return fault.Doing("use records.profile cdc, where every field may be null, or records.encoding json")
	}
	return fault
}

// unfit is the error of a table that records cannot be made for.
func unfit(err error, object string) error {
	return stop.Wrap(stop.Configuration, err, object, "records cannot be made").Doing("exclude the table, or the column with columns.exclude")
}
