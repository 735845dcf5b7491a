package ttc

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// OutValue is the value of a bind that is not IN.
type OutValue struct {
	Type  datum.Type
	Value datum.Datum
	// Elements are the values of an array bind; Array says that it is one.
	Elements []datum.Datum
	Array    bool
	// Lob and Locator are those of a LOB that is not NULL.
	Lob     LobForm
	Locator Locator
	// Cursor is the number of a ref cursor, Columns are those of its rows. Number 0 is no cursor.
	Cursor  int
	Columns []Column
}

// AppendOutValues appends message 7 behind message 11: the binds that go back.
func AppendOutValues(dst []byte, d Dialect, values []OutValue) ([]byte, error) {
	var err error
	out := append(dst, byte(CodeRow)) //nolint:gocritic // the caller keeps dst if there is an error
	for i := range values {
		if out, err = values[i].encode(out, d); err != nil {
			return dst, err
		}
	}
	return out, nil
}

// AppendReturned appends message 7 of one execution of a statement with a RETURNING clause: for each bind
// the number of rows, and its values. values holds the binds of each row.
func AppendReturned(dst []byte, d Dialect, binds int, values [][]OutValue) ([]byte, error) {
	var err error
	out := append(dst, byte(CodeRow)) //nolint:gocritic // the caller keeps dst if there is an error
	for i := range binds {
		out = appendUB(out, uint64(len(values)))
		for _, row := range values {
			if out, err = row[i].encode(out, d); err != nil {
				return dst, err
			}
		}
	}
	return out, nil
}

// encode appends one value with its indicator behind it.
func (v *OutValue) encode(dst []byte, d Dialect) ([]byte, error) {
	switch {
	case v.Array: // each element has an indicator, the array has none
		dst = appendUB(dst, uint64(len(v.Elements)))
		for i := range v.Elements {
			var err error
			if dst, err = AppendValue(dst, &v.Type, &v.Elements[i]); err != nil {
				return dst, err
			}
			dst = append(dst, 0)
		}
		return dst, nil
	case v.Type.Code == datum.TypeCursor:
		dst = append(dst, 1)
		dst = Describe{Columns: v.Columns}.body(dst, d)
		dst = appendUB(dst, uint64(v.Cursor))
		return append(dst, 0), nil
	}
	var err error
	if IsLob(v.Type) {
		dst, err = AppendLob(dst, &v.Type, &v.Value, v.Lob, &v.Locator)
	} else {
		dst, err = AppendValue(dst, &v.Type, &v.Value)
	}
	return append(dst, 0), err
}
