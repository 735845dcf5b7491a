package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	schemachange "github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// wide is a table of twelve columns as applications have them.
func wide() *schema.Version {
	v := &schema.Version{
		Table: schema.Table{PDB: "PDB1", Owner: "APP", Name: "ORDERS"}, Container: pdb, Logging: schema.LoggingAll, ObjectIDs: []uint64{7},
		Number: 1, Key: schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}},
	}
	add := func(name string, t schema.Type) {
		v.Columns = append(v.Columns, schema.Column{Name: name, SegmentID: len(v.Columns) + 1, Nullable: len(v.Columns) > 0, Type: t})
	}
	number := schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 12, Scale: 2}
	text := schema.Type{Kind: schema.Varchar2, Name: "VARCHAR2", Length: 80, CharLength: 80, Precision: schema.NoNumber, Scale: schema.NoNumber}
	add("ID", schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 10})
	for i := range 4 {
		add(fmt.Sprintf("AMOUNT%d", i), number)
		add(fmt.Sprintf("NAME%d", i), text)
	}
	add("MADE", schema.Type{Kind: schema.Date, Name: "DATE", Precision: schema.NoNumber, Scale: schema.NoNumber})
	add("CHANGED", schema.Type{Kind: schema.Timestamp, Name: "TIMESTAMP(6)", Precision: schema.NoNumber, Scale: 6})
	add("NOTE", text)
	return v.Seal()
}

const wideInsert = `insert into "APP"."ORDERS"("ID","AMOUNT0","NAME0","AMOUNT1","NAME1","AMOUNT2","NAME2","AMOUNT3","NAME3","MADE","CHANGED","NOTE")` +
	` values ('4711','12.50','first name','13.5','second name','1400','third name','0.99','fourth name',` +
	`TO_DATE('2026-05-01 10:00:00', 'YYYY-MM-DD HH24:MI:SS'),TO_TIMESTAMP('2026-05-01 10:00:00.123456'),'a longer note about the order');`

// emission is an emitter with a buffer in front of it, and nobody who is slow behind it.
type emission struct {
	buffer  *transaction.Buffer
	emitter *emitter
	out     chan *schemachange.Batch
	change  transaction.Change
	scn     position.SCN
	events  int
}

func newEmission(t testing.TB, v *schema.Version) *emission {
	t.Helper()
	c := testConfig(t)
	c.BatchCount = 2000
	var d decode.Decoder
	image, err := d.Row(v, schemachange.Create, wideInsert)
	if err != nil {
		t.Fatal(err)
	}
	e := &emission{
		buffer: transaction.New(1 << 40), out: make(chan *schemachange.Batch, 64), scn: 1000,
		change: transaction.Change{
			Op: transaction.Insert, Version: v, After: image.After, RowID: "AAAR3qAAEAAAACXAAA", Thread: 1, Millis: 1_700_000_000_000,
			TextBytes: len(wideInsert),
		},
	}
	records := NewRecords(c.Records, naming.NewTopics(c.Template, "shop", "FREE"))
	e.emitter = &emitter{config: c, records: records, out: e.out, released: func() {}, order: newOrdering(time.Now, 0), snapshots: newSnapshots(c, newRoster()), lookup: &rereads{}}
	e.emitter.running.Done = e.boundary()
	e.emitter.running.Resume = e.emitter.running.Done
	return e
}

func (e *emission) boundary() position.Boundary {
	return position.Boundary{SCN: e.scn, Marks: []position.Mark{{Thread: 1, Address: position.RBA{Sequence: 1, Block: uint32(e.scn)}, Log: 1}}}
}

// step takes transactions of so many rows from decoded rows to bytes in batches.
func (e *emission) step(t testing.TB, transactions, rows int) {
	e.buffer.Begin(e.emitter.running.Done)
	for n := range transactions {
		id := transaction.ID{Container: pdb, XID: position.XID{USN: uint16(n), Sequence: uint32(e.scn)}}
		for range rows {
			e.scn++
			e.change.SCN, e.change.Address = e.scn, position.RBA{Sequence: 1, Block: uint32(e.scn)}
			e.buffer.Append(id, "APP", e.change)
		}
		e.scn++
		e.buffer.End(id, transaction.End{Commit: true, Key: position.Key{SCN: e.scn, Thread: 1, Address: position.RBA{Sequence: 1, Block: uint32(e.scn)}}})
	}
	b := e.boundary()
	if err := e.emitter.emit(t.Context(), &group{items: e.buffer.Keep(), boundary: b, floor: b}); err != nil {
		t.Fatal(err)
	}
	for len(e.out) > 0 {
		e.events += len((<-e.out).Events)
	}
}

// BenchmarkEmit is the path from a decoded row of twelve columns to its bytes in a batch.
func BenchmarkEmit(b *testing.B) {
	for _, shape := range []struct {
		name               string
		transactions, rows int
	}{{"one transaction of 1000 rows", 1, 1000}, {"100 transactions of 10 rows", 100, 10}, {"1000 transactions of one row", 1000, 1}} {
		b.Run(shape.name, func(b *testing.B) {
			e := newEmission(b, wide())
			b.ReportAllocs()
			for b.Loop() {
				e.step(b, shape.transactions, shape.rows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(e.events), "ns/event")
		})
	}
}

// The budget of the row path in allocations for each event: what remains is shared by a transaction or a batch.
func TestEmissionAllocatesPerBatchAndNotPerEvent(t *testing.T) {
	for _, c := range []struct {
		transactions, rows int
		most               float64
	}{{1, 1000, 0.1}, {100, 10, 0.8}, {1000, 1, 3.2}} {
		e := newEmission(t, wide())
		got := testing.AllocsPerRun(5, func() { e.step(t, c.transactions, c.rows) }) / float64(c.transactions*c.rows)
		t.Logf("%d transactions of %d rows: %.3f allocations per event", c.transactions, c.rows, got)
		if got > c.most {
			t.Errorf("%d transactions of %d rows: %.3f allocations per event, the budget is %g", c.transactions, c.rows, got, c.most)
		}
	}
}

// P5: many small batches may be out at once, so each takes what it needs.
func TestSmallBatchTakesLittleMemory(t *testing.T) {
	e := newEmission(t, wide())
	e.step(t, 1, 1000)
	e.emitter.left = 1
	e.emitter.open()
	if events, bytes := cap(e.emitter.batch.Events), cap(e.emitter.buffer); events > 8 || bytes > 16<<10 {
		t.Fatalf("a batch for one event has room for %d events and %d bytes", events, bytes)
	}
}
