package ttc

import (
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// BindRow is one row of bind values, message 7 of the client.
type BindRow struct {
	// Values has one element per bind. That of a LOB is its locator, in Raw.
	Values []datum.Datum
	// Arrays holds the elements of PL/SQL array binds, by bind.
	Arrays map[int][]datum.Datum
	// Unsupported is the type code of a value that was read but cannot be handed on; 0 if there is none.
	Unsupported datum.TypeCode
	// Region says that a time zone region was read that nobody here has the rules of.
	Region bool
}

// Decode reads the row with its code. skip says which binds are not sent: OUT binds of a re-execution, and
// repeated names. If none is sent there is no row. block says that the statement is a PL/SQL block.
func (m *BindRow) Decode(r *Reader, binds []Descriptor, skip []bool, block bool) error {
	m.Values = make([]datum.Datum, len(binds))
	m.Arrays, m.Unsupported, m.Region = nil, 0, false
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
			m.value(r, &binds[i], i)
		}
	}
	return r.Err()
}

func (m *BindRow) value(r *Reader, d *Descriptor, i int) {
	v := &m.Values[i]
	switch {
	case d.ArraySize > 0:
		m.array(r, d, i)
	case d.Code == datum.TypeCursor:
		if there := r.UB4() != 0; there && r.UB4() != 0 { // an open one
			m.Unsupported = d.Code
		}
	case IsLob(d.Type()):
		if r.UB4() != 0 {
			if v.Raw = r.Clr(); v.Raw != nil {
				v.Kind = datum.Blob
			}
		}
	default:
		m.scalar(r, d, v)
	}
}

func (m *BindRow) scalar(r *Reader, d *Descriptor, v *datum.Datum) {
	b := r.Clr()
	if len(b) == 0 {
		return
	}
	switch err := decodeValue(b, d, v); {
	case errors.Is(err, errRegion):
		m.Region = true
	case err != nil:
		r.Fail("bind of type %d: %v", d.Code, err)
	}
}

func (m *BindRow) array(r *Reader, d *Descriptor, i int) {
	if d.Code == datum.TypeCursor || IsLob(d.Type()) {
		r.Fail("array of type %d", d.Code)
		return
	}
	n := r.Count(maxArray)
	elements := make([]datum.Datum, 0, min(n, 1024))
	for range n {
		var v datum.Datum
		m.scalar(r, d, &v)
		if r.Err() != nil {
			return
		}
		elements = append(elements, v)
	}
	if m.Arrays == nil {
		m.Arrays = map[int][]datum.Datum{}
	}
	m.Arrays[i] = elements
}

func decodeValue(b []byte, d *Descriptor, v *datum.Datum) (err error) {
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
	case datum.TypeIntervalYM:
		v.Kind = datum.IntervalYM
		v.Number, err = decodeIntervalYM(b)
	case datum.TypeIntervalDS:
		v.Kind = datum.IntervalDS
		v.Number, err = decodeIntervalDS(b)
	case datum.TypeRaw, datum.TypeLongRaw:
		v.Kind = datum.Raw
		v.Raw = b
	case datum.TypeBinaryFloat, datum.TypeBinaryDouble:
		v.Kind = datum.Float
		v.Float, err = decodeFloat(b)
	default:
		err = errors.New("unknown")
	}
	return err
}
