package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// A row of twelve columns in the three kinds of statement, as LogMiner writes them with full supplemental logging.
const (
	orderPlaced = `insert into "APP"."ORDERS"("ID","CUSTOMER","STATUS","AMOUNT","CREATED","UPDATED","NOTE","CODE","FLAG","TOKEN","QTY","PRICE") values ('1234567890','Müller & Söhne','OPEN      ','-42.5',TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS'),TO_TIMESTAMP('2026-03-29 01:30:00.123456000'),'plain text',UNISTR('code'),NULL,HEXTORAW('deadbeef00ff'),'17','1234567890.123456')`
	orderPaid   = `update "APP"."ORDERS" set "STATUS" = 'PAID      ', "UPDATED" = TO_TIMESTAMP('2026-03-29 01:31:00.123456000') where "ID" = '1234567890' and "CUSTOMER" = 'Müller & Söhne' and "STATUS" = 'OPEN      ' and "AMOUNT" = '-42.5' and "CREATED" = TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS') and "UPDATED" = TO_TIMESTAMP('2026-03-29 01:30:00.123456000') and "NOTE" = 'plain text' and "CODE" = UNISTR('code') and "FLAG" IS NULL and "TOKEN" = HEXTORAW('deadbeef00ff') and "QTY" = '17' and "PRICE" = '1234567890.123456'`
	orderGone   = `delete from "APP"."ORDERS" where "ID" = '1234567890' and "CUSTOMER" = 'Müller & Söhne' and "STATUS" = 'PAID      ' and "AMOUNT" = '-42.5' and "CREATED" = TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS') and "UPDATED" = TO_TIMESTAMP('2026-03-29 01:31:00.123456000') and "NOTE" = 'plain text' and "CODE" = UNISTR('code') and "FLAG" IS NULL and "TOKEN" = HEXTORAW('deadbeef00ff') and "QTY" = '17' and "PRICE" = '1234567890.123456'`
)

// statement is one of them with its budget of allocations: the images in one, and the bytes that HEXTORAW stands for in each image.
type statement struct {
	name   string
	op     change.Op
	redo   transaction.Op
	text   string
	budget float64
}

func statements() []statement {
	return []statement{
		{"insert", change.Create, transaction.Insert, orderPlaced, 2},
		{"update", change.Update, transaction.Update, orderPaid, 2},
		{"delete", change.Delete, transaction.Delete, orderGone, 2},
	}
}

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

// rowToMessage gives a function that takes one row from SQL_REDO to the bytes of its record, and one that renders again what was
// read last.
func rowToMessage(tb testing.TB, st statement) (whole, render func() []byte) {
	tb.Helper()
	v := ordersTable(tb)
	c, err := (&Config{}).engine()
	if err != nil {
		tb.Fatal(err)
	}
	records := engine.NewRecords(c.Records, naming.NewTopics(c.Template, "shop", ""))
	tx := &change.Transaction{ID: position.XID{USN: 5, Sequence: 614}, Key: position.Key{SCN: 2543105, Thread: 1}, Count: 1}
	var d decode.Decoder
	var events []change.Event
	var buf []byte
	base := change.Event{
		Kind: change.Change, Version: v, SCN: 2543100, Thread: 1, RowID: "AAAR3sAAEAAAACXAAA",
		Address: position.RBA{Sequence: 18, Block: 1, Byte: 16}, Transaction: tx, TableOrder: 1,
	}
	render = func() []byte {
		if events, buf, err = records.Append(events[:0], buf[:0], &base, st.redo); err != nil {
			tb.Fatal(err)
		}
		return events[0].Value
	}
	whole = func() []byte {
		img, err := d.Row(v, st.op, st.text)
		if err != nil {
			tb.Fatal(err)
		}
		base.Before, base.After = img.Before, img.After
		return render()
	}
	return whole, render
}

// The budget of the row path (reference style 8).
func TestRowToMessageKeepsItsBudgetOfAllocations(t *testing.T) {
	for _, st := range statements() {
		row, _ := rowToMessage(t, st)
		n := testing.AllocsPerRun(100, func() { row() })
		t.Logf("%s: %.0f allocations", st.name, n)
		if n > st.budget {
			t.Errorf("%s: %.0f allocations, budget %.0f", st.name, n, st.budget)
		}
	}
}

// asStruct is a record as a program would declare it that writes it with encoding/json.
type asStruct struct {
	Before      *orderStruct `json:"before"`
	After       *orderStruct `json:"after"`
	Source      sourceStruct `json:"source"`
	Op          string       `json:"op"`
	TSMillis    *int64       `json:"ts_ms"`
	TSMicros    *int64       `json:"ts_us"`
	TSNanos     *int64       `json:"ts_ns"`
	Transaction *struct {
		ID         string `json:"id"`
		Total      int64  `json:"total_order"`
		Collection int64  `json:"data_collection_order"`
	} `json:"transaction"`
}

type orderStruct struct {
	ID       *int64  `json:"ID"`
	Customer *string `json:"CUSTOMER"`
	Status   *string `json:"STATUS"`
	Amount   []byte  `json:"AMOUNT"`
	Created  *int64  `json:"CREATED"`
	Updated  *int64  `json:"UPDATED"`
	Note     *string `json:"NOTE"`
	Code     *string `json:"CODE"`
	Flag     *string `json:"FLAG"`
	Token    []byte  `json:"TOKEN"`
	Quantity *int64  `json:"QTY"`
	Price    []byte  `json:"PRICE"`
}

type sourceStruct struct {
	Version   string  `json:"version"`
	Connector string  `json:"connector"`
	Name      string  `json:"name"`
	TSMillis  int64   `json:"ts_ms"`
	Snapshot  string  `json:"snapshot"`
	DB        string  `json:"db"`
	Sequence  *string `json:"sequence"`
	Schema    string  `json:"schema"`
	Table     string  `json:"table"`
	TxID      string  `json:"txId"`
	SCN       string  `json:"scn"`
	CommitSCN string  `json:"commit_scn"`
	Address   string  `json:"rs_id"`
	SSN       int64   `json:"ssn"`
	Thread    int64   `json:"redo_thread"`
	User      *string `json:"user_name"`
	RowID     string  `json:"row_id"`
	PDB       string  `json:"pdb"`
	Reselect  *string `json:"reselect"`
}

// structOf reads a record into the struct, and makes sure that it holds all of it.
func structOf(tb testing.TB, value []byte) *asStruct {
	tb.Helper()
	var record asStruct
	strict := json.NewDecoder(bytes.NewReader(value))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&record); err != nil {
		tb.Fatalf("%v: %s", err, value)
	}
	again, err := json.Marshal(&record)
	if err != nil {
		tb.Fatal(err)
	}
	var got, want any
	if err := errors.Join(json.Unmarshal(again, &got), json.Unmarshal(value, &want)); err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Fatalf("encoding/json writes another record (-ours +its):\n%s", diff)
	}
	return &record
}

func TestStructOfTheBenchmarkIsTheRecord(t *testing.T) {
	for _, st := range statements() {
		row, _ := rowToMessage(t, st)
		structOf(t, row())
	}
}

// BenchmarkRowToMessage is a row from SQL_REDO to the bytes of its record. The figure of encoding/json-ns/op is what json.Marshal
// takes in the same run to write the same record from a struct that is filled already; ratio is that over what a whole row takes,
// render-ratio that over what rendering alone takes. All are CPU time of the process, collection of garbage included, and the three
// take turns: a machine that is busy with something else moves neither one of them alone nor, much, the ratios. Turns are long against a
// cycle of the collector, so that each pays for its own garbage.
func BenchmarkRowToMessage(b *testing.B) {
	const turn = 10_000
	for _, st := range statements() {
		b.Run(st.name, func(b *testing.B) {
			row, render := rowToMessage(b, st)
			record := structOf(b, row())
			marshal := func() []byte {
				out, err := json.Marshal(record)
				if err != nil {
					b.Fatal(err)
				}
				return out
			}
			var theirs, rendered, whole time.Duration
			timed := func(total *time.Duration, f func() []byte) {
				began := cpu(b)
				for range turn {
					f()
				}
				*total += cpu(b) - began
			}
			turns := 0
			for b.Loop() {
				timed(&theirs, marshal)
				timed(&rendered, render)
				timed(&whole, row)
				turns++
			}
			perRow := func(total time.Duration) float64 { return float64(total.Nanoseconds()) / float64(turns*turn) }
			b.ReportMetric(float64(len(row())), "bytes/message")
			b.ReportMetric(testing.AllocsPerRun(100, func() { row() }), "allocs/row")
			b.ReportMetric(perRow(whole), "ns/row")
			b.ReportMetric(perRow(rendered), "render-ns/row")
			b.ReportMetric(perRow(theirs), "encoding/json-ns/row")
			b.ReportMetric(float64(theirs)/float64(whole), "ratio")
			b.ReportMetric(float64(theirs)/float64(rendered), "render-ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
