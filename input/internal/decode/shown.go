package decode

import (
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Shown gives the value of a column out of what a query shows of it, by the readers that its redo goes through too: a row that is read
// and the same row in the redo have one value (P6). The text is plain for character types, ROWID and NUMBER, the bytes themselves for
// RAW, and what TO_CHAR gives for dates, timestamps and intervals, by the formats that sessions set. The empty text is NULL.
// BINARY_FLOAT and BINARY_DOUBLE have no text that keeps every bit; the driver gives their numbers.
func Shown(c *schema.Column, text string) (value.Value, error) {
	if text == "" {
		return value.OfNull(), nil
	}
	val, why := shown(c.Type.Kind, text)
	if why != "" {
		return value.Value{}, valueError(c, why)
	}
	return val, nil
}

func shown(kind schema.TypeKind, text string) (value.Value, reason) {
	switch kind {
	case schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar:
		if !utf8.ValidString(text) {
			return value.Value{}, badUTF8
		}
		return value.OfText(text), ""
	case schema.Number, schema.Float:
		return digits(text)
	case schema.Raw:
		return value.OfBytes(text), ""
	case schema.RowID:
		return physicalRowID(text)
	case schema.Date:
		return date(text, isoSignedDate)
	case schema.Timestamp:
		return timestamp(text, "")
	case schema.TimestampTZ:
		return timestampTZ(text, "")
	case schema.TimestampLTZ:
		return timestampLTZ(text, "")
	case schema.IntervalYM:
		return yearToMonth(text)
	case schema.IntervalDS:
		return dayToSecond(text)
	default:
		return value.Value{}, notCaptured
	}
}
