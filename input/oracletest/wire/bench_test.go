package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/tns"
)

// BenchmarkFetch is the cost of a fetched row of 22 columns and 600 bytes up to the socket, with a client
// that throws the bytes away. The measure of reference tns-server 14.1 is 0.7 us.
func BenchmarkFetch(b *testing.B) {
	const rows = 1000
	var columns []wire.Column
	var row []datum.Datum
	add := func(n int, code datum.TypeCode, v datum.Datum) {
		for range n {
			columns = append(columns, wire.Column{Name: "C", Type: datum.Type{Code: code, Size: 4000}})
			row = append(row, v)
		}
	}
	add(12, datum.TypeNumber, number(123456789))
	add(1, datum.TypeDate, datum.Datum{Kind: datum.Time, Time: datum.DateTime{Year: 2024, Month: 1, Day: 2}})
	add(1, datum.TypeRaw, datum.Datum{Kind: datum.Raw, Raw: make([]byte, 8)})
	add(7, datum.TypeVarchar, text("SALES"))
	add(1, datum.TypeVarchar, text(strings.Repeat("insert ", 64)))
	backend := newScript().on("select n", func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
		return wire.Result{Columns: columns, Rows: &rowSource{
			next: func(_ context.Context, _ int, dst []datum.Datum) (bool, error) { return copy(dst, row) > 0, nil },
		}}, nil
	})
	r := openRaw(b, listen(b, wire.Config{Backend: backend}))
	r.send(1000, executeRequest("select n", 1)...)
	r.receive()
	fetch := []byte{0x03, 0x05, 0, 1, 1, 2, rows >> 8, rows & 0xFF}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		r.send(100, fetch...)
		for len(r.receive()) == tns.Payload(tns.DefaultSDU) { // the answer does not end at the end of a packet
		}
		n += rows
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/row")
}
