package store

import (
	"testing"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
)

// TestPackedRows holds packed rows to what they were, of every kind of value.
func TestPackedRows(t *testing.T) {
	number := func(s string) *apd.Decimal {
		n, _, err := apd.NewFromString(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var cells []datum.Datum
	for _, s := range []string{"0", "-1", "1e125", "-1e-130", "18446744073709551615", "18446744073709551616", "-99999999999999999999999999999999999999", "0.1"} {
		cells = append(cells, datum.Datum{Kind: datum.Number, Number: number(s)}, datum.Datum{Kind: datum.IntervalDS, Number: number(s)}, datum.Datum{Kind: datum.IntervalYM, Number: number(s)})
	}
	for _, s := range []string{"", "a", "\x00", "\u4e2d\U0001f600", string(make([]byte, 70000))} {
		cells = append(cells, datum.Datum{Kind: datum.Clob, Text: s}, datum.Datum{Kind: datum.Blob, Raw: []byte(s)})
		if s != "" {
			cells = append(cells, datum.Datum{Kind: datum.Text, Text: s}, datum.Datum{Kind: datum.Raw, Raw: []byte(s)}, datum.Datum{Kind: datum.RowID, Text: s})
		}
	}
	for _, at := range []datum.DateTime{{Year: -4712, Month: 1, Day: 1}, {Year: 9999, Month: 12, Day: 31, Hour: 23, Minute: 59, Second: 59, Nano: 999999999}, {Year: 2026, Month: 2, Day: 3}} {
		cells = append(cells, datum.Datum{Kind: datum.Time, Time: at}, datum.Datum{Kind: datum.Zoned, Time: at, Offset: -720}, datum.Datum{Kind: datum.Zoned, Time: at, Offset: 840})
	}
	for _, f := range []float64{0, -1.5, 1e300, 5e-324} {
		cells = append(cells, datum.Datum{Kind: datum.Float, Float: f})
	}
	cells = append(cells, datum.Datum{})
	v := &version{cells: cells}
	v.pack()
	if v.cells != nil || v.gone() {
		t.Fatal("not packed")
	}
	got := v.row()
	if len(got) != len(cells) {
		t.Fatalf("%d of %d values", len(got), len(cells))
	}
	for i := range cells {
		if !scalar.Equal(&got[i], &cells[i]) || got[i].Offset != cells[i].Offset || got[i].Time != cells[i].Time || string(scalar.AppendKey(nil, &got[i])) != string(scalar.AppendKey(nil, &cells[i])) {
			t.Errorf("value %d: %+v, want %+v", i, got[i], cells[i])
		}
		if n := got[i].Number; n != nil && n.Exponent != cells[i].Number.Exponent {
			t.Errorf("value %d: exponent %d", i, n.Exponent)
		}
	}
	gone := &version{}
	gone.pack()
	if !gone.gone() || gone.row() != nil {
		t.Error("a deleted row came back")
	}
}
