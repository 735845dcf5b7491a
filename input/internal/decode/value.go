package decode

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/sqlredo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// decodeValue gives a literal the meaning that its column's type has (reference logminer D.2).
func decodeValue(kind schema.TypeKind, l *sqlredo.Literal) (value.Value, reason) {
	switch {
	case l.Form == sqlredo.Null:
		return value.OfNull(), ""
	case l.Form == sqlredo.UnsupportedType && !kind.Captured():
		return value.OfUnavailable(), "" // the redo does not hold it: neither text nor NULL (C005)
	case l.Form == sqlredo.UnsupportedType:
		return value.Value{}, badShown
	case !kind.Captured():
		return value.Value{}, notCaptured
	case l.JSON:
		return value.Value{}, badForm
	}
	switch kind {
	case schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar:
		return text(l)
	case schema.Number, schema.Float:
		return decimal(l)
	case schema.BinaryFloat:
		return floating(l, 32)
	case schema.BinaryDouble:
		return floating(l, 64)
	case schema.Raw:
		return raw(l)
	case schema.RowID:
		return rowID(l)
	default:
		return temporal(kind, l)
	}
}

// temporal decodes the types whose literals are function calls of their own.
func temporal(kind schema.TypeKind, l *sqlredo.Literal) (value.Value, reason) {
	if l.Form != sqlredo.Function || l.Text.Doubled || l.Format.Doubled {
		return value.Value{}, badForm
	}
	switch {
	case kind == schema.Date && l.Name == sqlredo.ToDate:
		return date(l.Text.Raw, l.Format.Raw)
	case kind == schema.Timestamp && l.Name == sqlredo.ToTimestamp:
		return timestamp(l.Text.Raw, l.Format.Raw)
	case kind == schema.TimestampTZ && l.Name == sqlredo.ToTimestampTZ:
		return timestampTZ(l.Text.Raw, l.Format.Raw)
	case kind == schema.TimestampLTZ && l.Name == sqlredo.ToTimestampTZ:
		return timestampLTZ(l.Text.Raw, l.Format.Raw)
	case kind == schema.IntervalYM && l.Name == sqlredo.ToYMInterval:
		return yearToMonth(l.Text.Raw)
	case kind == schema.IntervalDS && l.Name == sqlredo.ToDSInterval:
		return dayToSecond(l.Text.Raw)
	}
	return value.Value{}, badForm
}
