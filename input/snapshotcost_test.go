package input

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	goora "github.com/sijms/go-ora/v2"
)

// createGenerated makes the table that the stand-in loads itself.
const createGenerated = "CREATE TABLE app.generated (id NUMBER(19) PRIMARY KEY, name VARCHAR2(40), amount NUMBER(12,2), note VARCHAR2(200))"

// BenchmarkSnapshotCost compares, in one run, what a row of a snapshot costs this process from query to acknowledged batch with what a bare
// loop costs that only fetches the same rows by the same queries with the same driver settings. The stand-in is a process of its own.
func BenchmarkSnapshotCost(b *testing.B) {
	defer asTheBinary()()
	db := startStandIn(b)
	db.script(b, createGenerated)
	db.load(b, snapshotRows)
	for _, connections := range []int{1, 4} {
		b.Run(fmt.Sprintf("connections=%d", connections), func(b *testing.B) {
			var acked, bare float64
			for b.Loop() {
				acked = db.snapshot(b, snapshotRows, connections)
				bare = db.readOnly(b, connections)
			}
			b.ReportMetric(acked, "acked-cpu-us/row")
			b.ReportMetric(bare, "fetch-cpu-us/row")
			b.ReportMetric(acked/bare, "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const (
	// snapshotRows is the number of rows that are read.
	snapshotRows = 400_000
	// snapshotChunk is how many rows a chunk has, snapshotFetch a round trip: the defaults of the input.
	snapshotChunk = 100_000
	snapshotFetch = 5000
)

// snapshot reads the table whole and returns the CPU microseconds per row of it.
func (p *standInProcess) snapshot(tb testing.TB, rows, connections int) float64 {
	tb.Helper()
	var got atomic.Int64
	s := p.stream(tb, `FREEPDB1\.APP\.GENERATED`, filepath.Join(tb.TempDir(), "position"),
		fmt.Sprintf("  snapshot: {mode: snapshot_only, threads: %d}\n", connections),
		func(batch service.MessageBatch) { got.Add(int64(len(batch))) })
	before := cpu(tb)
	s.run()
	s.wait(10 * time.Minute)
	spent := cpu(tb) - before
	if n := got.Load(); n != int64(rows) {
		tb.Fatalf("%d rows came, want %d", n, rows)
	}
	return float64(spent.Microseconds()) / float64(rows)
}

// readOnly fetches the rows by the queries of a snapshot and drops them.
func (p *standInProcess) readOnly(b *testing.B, connections int) float64 {
	b.Helper()
	db := sql.OpenDB(goora.NewConnector(fmt.Sprintf("oracle://c%%23%%23cdc:cdc@%s/%s?PREFETCH_ROWS=%d&SERVER LOCATION=UTC", p.Listen, p.Service, snapshotFetch)))
	defer func() { _ = db.Close() }()
	open := make([]*sql.Conn, connections)
	for i := range open {
		conn, err := db.Conn(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if _, err := conn.ExecContext(b.Context(), "ALTER SESSION SET CONTAINER = FREEPDB1"); err != nil {
			b.Fatal(err)
		}
		open[i] = conn
	}
	var scn int64
	if err := open[0].QueryRowContext(b.Context(), "SELECT current_scn FROM v$database").Scan(&scn); err != nil {
		b.Fatal(err)
	}
	before := cpu(b)
	var workers sync.WaitGroup
	var total atomic.Int64
	for n, conn := range open {
		workers.Go(func() {
			for low := n * snapshotChunk; low < snapshotRows; low += connections * snapshotChunk {
				rows, err := readChunk(b.Context(), conn, scn, low)
				if err != nil {
					b.Error(err)
					return
				}
				total.Add(rows)
			}
		})
	}
	workers.Wait()
	spent := cpu(b) - before
	if n := total.Load(); n != snapshotRows {
		b.Fatalf("%d rows were fetched, want %d", n, snapshotRows)
	}
	return float64(spent.Microseconds()) / snapshotRows
}

// readChunk counts the rows of a chunk.
func readChunk(ctx context.Context, conn *sql.Conn, scn int64, low int) (n int64, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT "ID", "NAME", "AMOUNT", "NOTE" FROM "APP"."GENERATED" AS OF SCN :1
 WHERE "ID" > TO_NUMBER(:2) AND "ID" <= TO_NUMBER(:3)`, scn, fmt.Sprint(low), fmt.Sprint(low+snapshotChunk))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var v [4]any
	for rows.Next() {
		if err := rows.Scan(&v[0], &v[1], &v[2], &v[3]); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}
