package ttc

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// The three lists of batch errors, as node-oracledb and go-ora read them.
func TestBatchErrorBytes(t *testing.T) {
	got := appendBatch(nil, []BatchError{{Execution: 2, Code: 1, Message: "ORA-1"}, {Execution: 300, Code: 1400, Message: "x"}})
	wantBytes(t, got, `01 02 02 01 01 02 05 78  01 02 02 01 02 02 01 2c  01 02 02 01 05 05 "ORA-1" 00 00 01 01 01 "x" 00 00`)
	wantBytes(t, appendBatch(nil, nil), "00 00 00")
}

// The call number of a summary is the sequence of the call: Oracle's JDBC driver compares them.
func TestSummaryNamesItsCall(t *testing.T) {
	b := Summary{Call: 0x2A}.Encode(nil, field12)
	if len(b) != 31 || b[22] != 0x2A {
		t.Errorf("% x", b)
	}
}

func TestOutValuesOfEveryShape(t *testing.T) {
	number := datum.Type{Code: datum.TypeNumber}
	one := datum.Datum{Kind: datum.Number, Number: decimal(t, "1")}
	b, err := AppendOutValues(nil, field12, []OutValue{
		{Type: number, Array: true, Elements: []datum.Datum{one, {}}},
		{Type: datum.Type{Code: datum.TypeCursor}, Cursor: 5, Columns: []Column{{Name: "N", Type: number, Nullable: true}}},
		{Type: datum.Type{Code: datum.TypeCursor}},
	})
	if err != nil {
		t.Fatal(err)
	}
	wantBytes(t, b, `07 01 02 02 c102 00 00 00
		01 01 16 01 01 01 02 00 00 81 7f 01 16 00 00 00 00 00 00 00 00 01 01 01 01 01 4e 00 00 01 01 00 00 00 00 00 00 00 01 05 00
		01 00 00 00 00 00 00 00 00 00 00`)
	b, err = AppendReturned(nil, field12, 2, [][]OutValue{
		{{Type: number, Value: one}, {Type: number}}, {{Type: number}, {Type: number, Value: one}},
	})
	if err != nil {
		t.Fatal(err)
	}
	wantBytes(t, b, "07 01 02 02 c102 00 00 00  01 02 00 00 02 c102 00")
	if b, err = AppendReturned(nil, field12, 1, nil); err != nil {
		t.Fatal(err)
	}
	wantBytes(t, b, "07 00")
}

func TestEndToEnd(t *testing.T) {
	prefixed := `00 00 01 1f 01 01 02 01 01 01 01 00 00 00 00 00 00 00 00 00 00 00 01 00 02 "id" 01 "m"`
	plain := `00 00 01 1f 01 01 02 01 01 01 01 00 00 00 00 00 00 00 00 00 00 00 01 00 "id" "m"`
	for d, request := range map[Dialect]string{{PrefixedText: true}: prefixed, {}: plain} {
		r := NewReader(cut(bytesOf(t, request), 9))
		var m EndToEnd
		if err := m.Decode(r, d); err != nil || r.Buffered() != 0 {
			t.Fatalf("%v, %d bytes left", err, r.Buffered())
		}
		if *m.ClientID != "id" || *m.Module != "m" || *m.Action != "" || m.ClientInfo != nil || *m.Operation != "" {
			t.Errorf("%+v", m)
		}
	}
}

// A client that repeats the columns that are left out sees the rows as they were.
func TestRepeatsLoseNothing(t *testing.T) {
	columns := make([]Column, 11)
	for i := range columns {
		columns[i] = Column{Type: datum.Type{Code: datum.TypeVarchar, Size: 10}}
	}
	rapid.Check(t, func(t *rapid.T) {
		var m Repeats
		var seen []string
		for range rapid.IntRange(1, 8).Draw(t, "rows") {
			row, want := make([]datum.Datum, len(columns)), make([]string, len(columns))
			for i := range row {
				if n := rapid.IntRange(0, 2).Draw(t, "value"); n > 0 {
					row[i] = datum.Datum{Kind: datum.Text, Text: fmt.Sprint(n)}
				}
				want[i] = row[i].Text
			}
			b, err := m.AppendRow(nil, columns, row, nil)
			if err != nil {
				t.Fatal(err)
			}
			seen = readRepeated(t, b, seen, len(columns))
			if fmt.Sprint(seen) != fmt.Sprint(want) {
				t.Fatalf("got %q, want %q", seen, want)
			}
		}
	})
}

// readRepeated reads a row as go-oracledb does: the count must equal the number of set bits.
func readRepeated(t *rapid.T, b []byte, before []string, columns int) []string {
	r := NewReader(cut(b, 1000))
	if Code(r.U8()) != CodeBitVector {
		t.Fatal("a row without a vector")
	}
	sent := r.UB2()
	vector := r.Bytes((columns + 7) / 8)
	if Code(r.U8()) != CodeRow {
		t.Fatal("a vector without a row")
	}
	row := make([]string, columns)
	for i := range row {
		if vector[i/8]&(1<<(i%8)) == 0 {
			row[i] = before[i]
			continue
		}
		sent--
		row[i] = string(r.Clr())
	}
	if sent != 0 || r.Err() != nil || r.Buffered() != 0 {
		t.Fatalf("%d columns missing, %v, %d bytes left", sent, r.Err(), r.Buffered())
	}
	return row
}
