package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// benchColumns are twelve columns as orders have them, with their literals in the redo; wider tables repeat them.
var benchColumns = []struct {
	typ     schema.Type
	literal string
}{
	{schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 10}, `'1234567890'`},
	{schema.Type{Kind: schema.Varchar2, Name: "VARCHAR2", Length: 40}, `'Müller & Söhne'`},
	{schema.Type{Kind: schema.Char, Name: "CHAR", Length: 10}, `'OPEN      '`},
	{schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 12, Scale: 2}, `'-42.5'`},
	{schema.Type{Kind: schema.Date, Name: "DATE"}, `TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS')`},
	{schema.Type{Kind: schema.Timestamp, Name: "TIMESTAMP(6)", Scale: 6}, `TO_TIMESTAMP('2026-03-29 01:30:00.123456000')`},
	{schema.Type{Kind: schema.Varchar2, Name: "VARCHAR2", Length: 200}, `'plain text'`},
	{schema.Type{Kind: schema.NVarchar2, Name: "NVARCHAR2", Length: 20}, `UNISTR('code')`},
	{schema.Type{Kind: schema.Char, Name: "CHAR", Length: 1}, `NULL`},
	{schema.Type{Kind: schema.Raw, Name: "RAW", Length: 16}, `HEXTORAW('deadbeef00ff')`},
	{schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 9}, `'17'`},
	{schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 18, Scale: 6}, `'1234567890.123456'`},
}

// benchTable is a table of so many columns and the insert of a row.
func benchTable(columns int) (v *schema.Version, insert string) {
	v = &schema.Version{
		Table: schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "ORDERS"}, Number: 1,
		Key: schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}},
	}
	var names, values []string
	for i := range columns {
		c := benchColumns[i%len(benchColumns)]
		name := fmt.Sprintf("COLUMN_%d", i)
		v.Columns = append(v.Columns, schema.Column{Name: name, Type: c.typ, SegmentID: i + 1, Nullable: i > 0})
		names, values = append(names, `"`+name+`"`), append(values, c.literal)
	}
	return v.Seal(), `insert into "APP"."ORDERS"(` + strings.Join(names, ",") + `) values (` + strings.Join(values, ",") + `)`
}

// recordPath takes a row from its redo to the bytes of its record; it belongs to one goroutine.
type recordPath struct {
	version *schema.Version
	insert  string
	decoder decode.Decoder
	records *Records
	base    change.Event
	events  []change.Event
	buf     []byte
}

func newRecordPath(tb testing.TB, columns int, s debezium.Settings) *recordPath {
	tb.Helper()
	s.ConnectorVersion, s.Server, s.Database = "1.0.0", "shop", "FREE"
	template, err := naming.ParseTemplate(s.Profile.Template)
	if err != nil {
		tb.Fatal(err)
	}
	p := &recordPath{records: NewRecords(s, naming.NewTopics(template, "shop", ""))}
	p.version, p.insert = benchTable(columns)
	p.base = change.Event{
		Kind: change.Change, Version: p.version, SCN: 2543100, Thread: 1, RowID: "AAAR3sAAEAAAACXAAA",
		Address: position.RBA{Sequence: 18, Block: 1, Byte: 16}, TableOrder: 1, Millis: 1700000000000, Built: 1700000000123456789,
		Transaction: &change.Transaction{
			ID: position.XID{USN: 5, Sequence: 614}, Key: position.Key{SCN: 2543105, Thread: 1}, Count: 1, CommitMillis: 1700000000000, User: "SHOP",
		},
	}
	return p
}

// whole is decode and render, render what was decoded last.
func (p *recordPath) whole(tb testing.TB) []byte {
	img, err := p.decoder.Row(p.version, change.Create, p.insert)
	if err != nil {
		tb.Fatal(err)
	}
	p.base.Before, p.base.After = img.Before, img.After
	return p.render(tb)
}

func (p *recordPath) render(tb testing.TB) []byte {
	var err error
	if p.events, p.buf, err = p.records.Append(p.events[:0], p.buf[:0], &p.base, transaction.Insert); err != nil {
		tb.Fatal(err)
	}
	return p.events[0].Value
}

// forms are both profiles in both encodings.
func forms() map[string]debezium.Settings {
	out := map[string]debezium.Settings{}
	for _, p := range []*debezium.Profile{debezium.CDC(), debezium.Debezium()} {
		for _, e := range []debezium.Encoding{debezium.JSON, debezium.JSONSchema} {
			out[p.Name+" "+string(e)] = debezium.Settings{Profile: p, Encoding: e}
		}
	}
	return out
}

// declared makes of a record the struct that a program would declare to write it with encoding/json: members in their order, numbers as
// int64, a null as a pointer. The schema, which never changes, is text that stands ready; json.Marshal checks it each time all the same.
func declared(tb testing.TB, raw json.RawMessage) reflect.Value {
	tb.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	token, err := d.Token()
	if err != nil {
		tb.Fatal(err)
	}
	switch token := token.(type) {
	case nil:
		return reflect.ValueOf((*string)(nil))
	case string:
		return reflect.ValueOf(token)
	case bool:
		return reflect.ValueOf(token)
	case json.Number:
		n, err := token.Int64()
		if err != nil {
			tb.Fatal(err)
		}
		return reflect.ValueOf(n)
	}
	var fields []reflect.StructField
	var values []reflect.Value
	for d.More() {
		name, err := d.Token()
		if err != nil {
			tb.Fatal(err)
		}
		var member json.RawMessage
		if err := d.Decode(&member); err != nil {
			tb.Fatal(err)
		}
		v := reflect.ValueOf(member)
		if name != "schema" || member[0] != '{' {
			v = declared(tb, member)
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", len(fields)), Type: v.Type(), Tag: reflect.StructTag(fmt.Sprintf(`json:"%s"`, name)),
		})
		values = append(values, v)
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i, v := range values {
		out.Field(i).Set(v)
	}
	return out
}

func marshaller(tb testing.TB, record []byte) func() []byte {
	tb.Helper()
	value := declared(tb, record).Addr().Interface()
	return func() []byte {
		out, err := json.Marshal(value)
		if err != nil {
			tb.Fatal(err)
		}
		return out
	}
}

// What encoding/json writes in the benchmark is the same record, and rows of either width stay within the budget of allocations: the
// images in one, and the bytes of each RAW.
func TestRecordsOfTheBenchmark(t *testing.T) {
	for name, s := range forms() {
		for _, columns := range []int{12, 60} {
			p := newRecordPath(t, columns, s)
			record := bytes.Clone(p.whole(t))
			var got, want any
			if err := json.Unmarshal(marshaller(t, record)(), &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(record, &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d columns: encoding/json writes another record", name, columns)
			}
			if n := testing.AllocsPerRun(100, func() { p.render(t) }); n > 0 {
				t.Errorf("%s, %d columns: %g allocations to render", name, columns, n)
			}
			if n, most := testing.AllocsPerRun(100, func() { p.whole(t) }), 1+float64(columns/len(benchColumns)); n > most {
				t.Errorf("%s, %d columns: %g allocations to decode and render, budget %g", name, columns, n, most)
			}
		}
	}
}

// BenchmarkRecords is a row from its redo to its record, and rendering alone, in every profile and encoding, for 12 and 60 columns.
// ratio is what json.Marshal takes for the same record from a struct that is filled already over what rendering takes, in turns of the
// same run. All are CPU time of the process, so that a busy machine does not count.
func BenchmarkRecords(b *testing.B) {
	for name, s := range forms() {
		for _, columns := range []int{12, 60} {
			b.Run(fmt.Sprintf("%s %d", name, columns), func(b *testing.B) {
				p := newRecordPath(b, columns, s)
				marshal := marshaller(b, bytes.Clone(p.whole(b)))
				var theirs, rendered, whole time.Duration
				turns := 0
				timed := func(total *time.Duration, f func() []byte) {
					const turn = 2000
					began := processTime(b)
					for range turn {
						f()
					}
					*total += (processTime(b) - began) / turn
				}
				for b.Loop() {
					timed(&theirs, marshal)
					timed(&rendered, func() []byte { return p.render(b) })
					timed(&whole, func() []byte { return p.whole(b) })
					turns++
				}
				b.ReportMetric(float64(whole.Nanoseconds())/float64(turns), "ns/row")
				b.ReportMetric(float64(rendered.Nanoseconds())/float64(turns), "render-ns/row")
				b.ReportMetric(testing.AllocsPerRun(100, func() { p.whole(b) }), "allocs/row")
				b.ReportMetric(testing.AllocsPerRun(100, func() { p.render(b) }), "render-allocs/row")
				b.ReportMetric(float64(theirs.Nanoseconds())/float64(turns), "encoding/json-ns/row")
				b.ReportMetric(float64(theirs)/float64(rendered), "ratio")
				b.ReportMetric(float64(len(p.render(b))), "bytes/row")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkDecodeAndRender is decode and render alone, on as many cores as -cpu gives, a decoder and a renderer for each.
func BenchmarkDecodeAndRender(b *testing.B) {
	for name, s := range forms() {
		for _, columns := range []int{12, 60} {
			b.Run(fmt.Sprintf("%s %d", name, columns), func(b *testing.B) {
				var messages atomic.Int64
				began := processTime(b)
				b.RunParallel(func(pb *testing.PB) {
					p, n := newRecordPath(b, columns, s), int64(0)
					for pb.Next() {
						p.whole(b)
						n++
					}
					messages.Add(n)
				})
				b.ReportMetric(float64(messages.Load())/b.Elapsed().Seconds(), "messages/s")
				b.ReportMetric(float64((processTime(b)-began).Nanoseconds())/float64(messages.Load()), "cpu-ns/message")
			})
		}
	}
}

func processTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
