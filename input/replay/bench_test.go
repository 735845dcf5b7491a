package replay

import (
	"io"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

const twelveColumns = `insert into "APP"."ORDERS"("ID","CUSTOMER","STATUS","AMOUNT","CREATED","UPDATED","NOTE","CODE","FLAG","TOKEN","QTY","PRICE") values ('1234567890','Müller & Söhne','OPEN      ','-42.5',TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS'),TO_TIMESTAMP('2026-03-29 01:30:00.123456000'),'plain text',UNISTR('code'),NULL,HEXTORAW('deadbeef00ff'),'17','1234567890.123456');`

func ordersTable(tb testing.TB) *schema.Version {
	tb.Helper()
	t := tableRecord{PDB: "FREEPDB1", Owner: "APP", Name: "ORDERS", PrimaryKey: []string{"ID"}, Columns: []columnRecord{
		{Name: "ID", Type: "NUMBER(10)"},
		{Name: "CUSTOMER", Type: "VARCHAR2(40)"},
		{Name: "STATUS", Type: "CHAR(10)"},
		{Name: "AMOUNT", Type: "NUMBER(12,2)"},
		{Name: "CREATED", Type: "DATE"},
		{Name: "UPDATED", Type: "TIMESTAMP(6)"},
		{Name: "NOTE", Type: "VARCHAR2(200)"},
		{Name: "CODE", Type: "NVARCHAR2(10)"},
		{Name: "FLAG", Type: "CHAR(1)"},
		{Name: "TOKEN", Type: "RAW(16)"},
		{Name: "QTY", Type: "NUMBER(9)"},
		{Name: "PRICE", Type: "NUMBER(18,6)"},
	}}
	v, err := t.version()
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// rowToMessage gives a function that takes one row from SQL_REDO to the bytes of its record.
func rowToMessage(tb testing.TB) func() int {
	tb.Helper()
	v := ordersTable(tb)
	s, err := newSession(Config{}.withDefaults(), io.Discard)
	if err != nil {
		tb.Fatal(err)
	}
	records := engine.NewRecords(s.settings, naming.NewTopics(s.template, "shop", ""))
	tx := &change.Transaction{ID: position.XID{USN: 5, Sequence: 614}, Key: position.Key{SCN: 2543105, Thread: 1}, Count: 1}
	var d decode.Decoder
	var events []change.Event
	var buf []byte
	return func() int {
		img, err := d.Row(v, change.Create, twelveColumns)
		if err != nil {
			tb.Fatal(err)
		}
		base := change.Event{
			Kind: change.Change, Version: v, After: img.After, SCN: 2543100, Thread: 1, RowID: "AAAR3sAAEAAAACXAAA",
			Address: position.RBA{Sequence: 18, Block: 1, Byte: 16}, Transaction: tx, TableOrder: 1,
		}
		if events, buf, err = records.Append(events[:0], buf[:0], base, transaction.Insert); err != nil {
			tb.Fatal(err)
		}
		return len(buf)
	}
}

// The budget of the row path (reference style 8): the image, and the bytes that HEXTORAW stands for.
func TestRowToMessageKeepsItsBudgetOfAllocations(t *testing.T) {
	row := rowToMessage(t)
	if n := testing.AllocsPerRun(100, func() { row() }); n > 2 {
		t.Fatalf("%.0f allocations, budget 2", n)
	}
}

func BenchmarkRowToMessage(b *testing.B) {
	row := rowToMessage(b)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		size = row()
	}
	b.ReportMetric(float64(size), "bytes/message")
}
