package ttc

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// BindRow is one row of bind values, message 7 of the client.
type BindRow struct {
	// Values has one element per bind.
	Values []datum.Datum
	// Unsupported is the type code of a value that was read but cannot be handed on; 0 if there is none.
	Unsupported datum.TypeCode
}

// Decode reads the row with its code. skip says which binds are not sent: OUT binds of a re-execution, and
// repeated names. If none is sent there is no row. block says that the statement is a PL/SQL block.
func (m *BindRow) Decode(r *Reader, binds []Descriptor, skip []bool, block bool) error {
	m.Values = make([]datum.Datum, len(binds))
	m.Unsupported = 0
	started := false
	for _, last := range []bool{false, true} {
		for i := range binds {
			if skip[i] || binds[i].Last(block) != last || r.Err() != nil {
				continue
			}
			if !started {
				started = true
				if code := r.U8(); Code(code) != CodeRow {
					r.Fail("message %d instead of a bind row", code)
				}
			}
			m.value(r, &binds[i], &m.Values[i])
		}
	}
	return r.Err()
}

func (m *BindRow) value(r *Reader, d *Descriptor, v *datum.Datum) {
	switch {
	case d.ArraySize > 0:
		for range r.Count(maxArray) {
			r.Clr()
			if r.Err() != nil {
				return
			}
		}
		m.Unsupported = d.Code
	case d.Code == datum.TypeCursor:
		r.Skip(2)
		m.Unsupported = d.Code
	case d.Code == datum.TypeClob || d.Code == datum.TypeBlob:
		if r.UB4() != 0 {
			r.Clr()
			m.Unsupported = d.Code
		}
	default:
		decodeValue(r, d, v)
	}
}

func decodeValue(r *Reader, d *Descriptor, v *datum.Datum) {
	b := r.Clr()
	if len(b) == 0 {
		return
	}
	var err error
	switch d.Type().Code {
	case datum.TypeVarchar, datum.TypeChar, datum.TypeLong, datum.TypeRowID:
		v.Kind = datum.Text
		v.Text, err = decodeText(b, d)
	case datum.TypeNumber:
		v.Kind = datum.Number
		v.Number, err = decodeNumber(b)
	case datum.TypeDate, datum.TypeTimestamp:
		v.Kind = datum.Time
		v.Time, err = decodeDateTime(b)
	case datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
		v.Kind = datum.Zoned
		v.Time, v.Offset, err = decodeZoned(b)
	case datum.TypeRaw, datum.TypeLongRaw:
		v.Kind = datum.Raw
		v.Raw = b
	case datum.TypeBinaryFloat, datum.TypeBinaryDouble:
		v.Kind = datum.Float
		v.Float, err = decodeFloat(b)
	default:
		r.Fail("bind of type %d", d.Code)
	}
	if err != nil {
		r.Fail("bind of type %d: %v", d.Code, err)
	}
}
