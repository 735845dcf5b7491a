package wire

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// assign turns the value of an OUT bind into one of the type the client declared, as an assignment does
// where no format is needed.
func assign(d *ttc.Descriptor, v *datum.Datum) (ttc.OutValue, error) {
	out := ttc.OutValue{Type: d.Type(), Value: *v}
	if v.Kind == datum.Null {
		return out, nil
	}
	var ok bool
	switch out.Type.Code {
	case datum.TypeNumber:
		ok = toNumber(&out.Value)
	case datum.TypeVarchar, datum.TypeChar, datum.TypeLong:
		if ok = toText(&out.Value); ok && textSize(&out) > d.Size && d.Size > 0 {
			return out, Errorf(oraNumericValue, "PL/SQL: numeric or value error: character string buffer too small")
		}
	case datum.TypeRaw, datum.TypeLongRaw:
		if ok = toRaw(&out.Value); ok && len(out.Value.Raw) > d.Size && d.Size > 0 {
			return out, Errorf(oraNumericValue, "PL/SQL: numeric or value error: raw variable length too long")
		}
	case datum.TypeBinaryFloat, datum.TypeBinaryDouble:
		ok = toFloat(&out.Value)
	case datum.TypeDate, datum.TypeTimestamp:
		if v.Kind == datum.Zoned {
			out.Value.Kind, out.Value.Offset = datum.Time, 0
		}
		ok = out.Value.Kind == datum.Time
	case datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
		if v.Kind == datum.Time {
			out.Value.Kind, out.Value.Offset = datum.Zoned, 0
		}
		ok = out.Value.Kind == datum.Zoned
	case datum.TypeIntervalYM:
		ok = v.Kind == datum.IntervalYM
	case datum.TypeIntervalDS:
		ok = v.Kind == datum.IntervalDS
	case datum.TypeClob:
		ok = v.Kind == datum.Clob || toText(&out.Value)
	case datum.TypeBlob:
		ok = v.Kind == datum.Blob || v.Kind == datum.Raw
	case datum.TypeRowID:
		ok = v.Kind == datum.RowID || v.Kind == datum.Text
	default:
		return out, notImplemented("OUT bind of type " + strconv.Itoa(int(out.Type.Code)))
	}
	if !ok {
		return out, Errorf(oraNumericValue, "PL/SQL: numeric or value error")
	}
	return out, nil
}

func textSize(out *ttc.OutValue) int {
	if out.Type.National {
		return 2 * len(utf16.Encode([]rune(out.Value.Text)))
	}
	return len(out.Value.Text)
}

func toNumber(v *datum.Datum) bool {
	var n apd.Decimal
	switch v.Kind {
	case datum.Number:
		return true
	case datum.Text:
		if _, _, err := n.SetString(strings.TrimSpace(v.Text)); err != nil || n.Form != apd.Finite {
			return false
		}
	case datum.Float:
		if _, err := n.SetFloat64(v.Float); err != nil || n.Form != apd.Finite {
			return false
		}
	default:
		return false
	}
	*v = datum.Datum{Kind: datum.Number, Number: &n}
	return true
}

func toText(v *datum.Datum) bool {
	switch v.Kind {
	case datum.Text, datum.RowID:
	case datum.Clob:
		*v = datum.Datum{Kind: datum.Text, Text: v.Text}
	case datum.Number:
		*v = datum.Datum{Kind: datum.Text, Text: v.Number.Text('f')}
	case datum.Float:
		*v = datum.Datum{Kind: datum.Text, Text: strconv.FormatFloat(v.Float, 'G', -1, 64)}
	case datum.Raw:
		*v = datum.Datum{Kind: datum.Text, Text: strings.ToUpper(hex.EncodeToString(v.Raw))}
	default:
		return false // dates need a format, which is the session's
	}
	return true
}

func toRaw(v *datum.Datum) bool {
	switch v.Kind {
	case datum.Raw:
	case datum.Blob:
		v.Kind = datum.Raw
	case datum.Text:
		b, err := hex.DecodeString(v.Text)
		if err != nil {
			return false
		}
		*v = datum.Datum{Kind: datum.Raw, Raw: b}
	default:
		return false
	}
	return true
}

func toFloat(v *datum.Datum) bool {
	switch v.Kind {
	case datum.Float:
	case datum.Number:
		f, err := v.Number.Float64()
		if err != nil {
			return false
		}
		*v = datum.Datum{Kind: datum.Float, Float: f}
	default:
		return false
	}
	return true
}
