package ttc

import (
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// ValueError says that the database delivered a value that does not fit the type it described.
type ValueError struct {
	Type   datum.Type
	Kind   datum.Kind
	Reason string
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("value of kind %d does not fit type %d: %s", e.Kind, e.Type.Code, e.Reason)
}

func unfit(t *datum.Type, v *datum.Datum, reason string) error {
	return &ValueError{Type: *t, Kind: v.Kind, Reason: reason}
}

// AppendValue appends a value as a column or OUT bind of the type sends it (reference tns-server 8). It
// allocates nothing for the common values.
func AppendValue(dst []byte, t *datum.Type, v *datum.Datum) ([]byte, error) {
	if v.Kind == datum.Null {
		dst = append(dst, 0)
		if t.Code == datum.TypeLong || t.Code == datum.TypeLongRaw {
			dst = append(dst, 0, 0)
		}
		return dst, nil
	}
	switch t.Code {
	case datum.TypeVarchar, datum.TypeChar, datum.TypeLong:
		return appendText(dst, t, v)
	case datum.TypeRaw, datum.TypeLongRaw:
		return appendRaw(dst, t, v)
	case datum.TypeRowID:
		if v.Kind != datum.RowID && v.Kind != datum.Text {
			return dst, unfit(t, v, "no row id")
		}
		out, err := appendRowID(dst, v.Text)
		if err != nil {
			return dst, unfit(t, v, err.Error())
		}
		return out, nil
	default: // a length below 253, which is written behind the bytes
		at := len(dst)
		out, err := appendBare(append(dst, 0), t, v)
		if err != nil {
			return dst, err
		}
		out[at] = byte(len(out) - at - 1)
		return out, nil
	}
}

func appendText(dst []byte, t *datum.Type, v *datum.Datum) ([]byte, error) {
	if v.Kind != datum.Text && v.Kind != datum.RowID && v.Kind != datum.Clob {
		return dst, unfit(t, v, "no text")
	}
	if t.National {
		dst = appendNational(dst, v.Text)
	} else {
		dst = appendClr(dst, v.Text)
	}
	if t.Code == datum.TypeLong {
		dst = append(dst, 0, 0)
	}
	return dst, nil
}

func appendRaw(dst []byte, t *datum.Type, v *datum.Datum) ([]byte, error) {
	if v.Kind != datum.Raw && v.Kind != datum.Blob {
		return dst, unfit(t, v, "no bytes")
	}
	dst = appendClr(dst, v.Raw)
	if t.Code == datum.TypeLongRaw {
		dst = append(dst, 0, 0)
	}
	return dst, nil
}

// appendBare appends the bytes of a value without their length.
func appendBare(dst []byte, t *datum.Type, v *datum.Datum) ([]byte, error) {
	switch t.Code {
	case datum.TypeNumber:
		if v.Kind == datum.Number {
			out, err := appendNumber(dst, v.Number)
			if err != nil {
				return dst, unfit(t, v, err.Error())
			}
			return out, nil
		}
	case datum.TypeDate:
		if v.Kind == datum.Time {
			return appendDate(dst, v.Time), nil
		}
	case datum.TypeTimestamp:
		if v.Kind == datum.Time {
			return appendTimestamp(dst, v.Time), nil
		}
	case datum.TypeTimestampTZ:
		if v.Kind == datum.Zoned {
			return appendTimestampTZ(dst, v.Time, v.Offset), nil
		}
	case datum.TypeTimestampLTZ: // in DBTIMEZONE, which is +00:00
		if v.Kind == datum.Zoned {
			return appendTimestamp(dst, shift(v.Time, -v.Offset)), nil
		}
	case datum.TypeBinaryFloat:
		if v.Kind == datum.Float {
			return appendFloat(dst, v.Float), nil
		}
	case datum.TypeBinaryDouble:
		if v.Kind == datum.Float {
			return appendDouble(dst, v.Float), nil
		}
	case datum.TypeIntervalYM, datum.TypeIntervalDS:
		return appendInterval(dst, t, v)
	default:
	}
	return dst, unfit(t, v, "no such value")
}

// Sendable reports whether values of the type can be sent. A ref cursor needs more than a value.
func Sendable(t datum.Type) bool {
	switch t.Code {
	case datum.TypeVarchar, datum.TypeNumber, datum.TypeLong, datum.TypeRowID, datum.TypeDate, datum.TypeRaw,
		datum.TypeLongRaw, datum.TypeChar, datum.TypeBinaryFloat, datum.TypeBinaryDouble, datum.TypeTimestamp,
		datum.TypeTimestampTZ, datum.TypeTimestampLTZ, datum.TypeIntervalYM, datum.TypeIntervalDS, datum.TypeClob, datum.TypeBlob:
		return true
	default:
		return false
	}
}
