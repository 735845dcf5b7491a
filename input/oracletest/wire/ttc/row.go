package ttc

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// AppendRow appends message 7: one row of a query. locators has one element per column if there is a LOB
// among them. On an error nothing of the row is appended.
func AppendRow(dst []byte, columns []Column, values []datum.Datum, locators []Locator) ([]byte, error) {
	var err error
	out := dst
	out = append(out, byte(CodeRow))
	for i := range columns {
		if out, err = appendCell(out, columns, values, locators, i); err != nil {
			return dst, err
		}
	}
	return out, nil
}

func appendCell(dst []byte, columns []Column, values []datum.Datum, locators []Locator, i int) ([]byte, error) {
	c := &columns[i]
	if IsLob(c.Type) {
		return AppendLob(dst, &c.Type, &values[i], c.Lob, &locators[i])
	}
	return AppendValue(dst, &c.Type, &values[i])
}
