package ttc

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// AppendRow appends message 7: one row of a query. On an error nothing of the row is appended.
func AppendRow(dst []byte, columns []Column, values []datum.Datum) ([]byte, error) {
	var err error
	out := dst
	out = append(out, byte(CodeRow))
	for i := range columns {
		if out, err = AppendValue(out, &columns[i].Type, &values[i]); err != nil {
			return dst, err
		}
	}
	return out, nil
}

// OutValue is the value of a bind that is not IN.
type OutValue struct {
	Type  datum.Type
	Value datum.Datum
}

// AppendOutValues appends message 7 behind message 11: the binds that go back.
func AppendOutValues(dst []byte, values []OutValue) ([]byte, error) {
	var err error
	out := dst
	out = append(out, byte(CodeRow))
	for i := range values {
		if out, err = AppendValue(out, &values[i].Type, &values[i].Value); err != nil {
			return dst, err
		}
		out = append(out, 0)
	}
	return out, nil
}
