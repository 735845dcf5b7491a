package input

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// BenchmarkRowCost compares, in one run, what a row costs this process from fetch to acknowledged batch with what a bare loop
// costs that only fetches the same rows with the same driver settings. The stand-in is a process of its own. The figures to
// read are the two cpu-us/row and their ratio. Both sides run with the garbage collector as the binary sets it.
func BenchmarkRowCost(b *testing.B) {
	defer asTheBinary()()
	db := startStandIn(b)
	db.script(b, "CREATE TABLE app.generated (id NUMBER(19) PRIMARY KEY, name VARCHAR2(40), amount NUMBER(12,2), note VARCHAR2(200))",
		"ALTER TABLE app.generated ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	var acked, bare float64
	for b.Loop() {
		acked = db.capture(b, costRows)
		bare = db.fetchOnly(b)
	}
	b.ReportMetric(acked, "acked-cpu-us/row")
	b.ReportMetric(bare, "fetch-cpu-us/row")
	b.ReportMetric(acked/bare, "ratio")
	b.ReportMetric(0, "ns/op")
}

// costRows is the number of rows that are captured and fetched.
const costRows = 300_000

// capture lets a pipeline begin, loads rows while it is down, and returns the CPU microseconds per row that the pipeline takes to
// catch up with them.
func (p *standInProcess) capture(b *testing.B, rows int) float64 {
	b.Helper()
	file := filepath.Join(b.TempDir(), "position")
	_, stop := p.pipeline(b, file, rows)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			break
		}
		if time.Now().After(deadline) {
			b.Fatal("no position was stored")
		}
	}
	stop()
	p.load(b, rows)
	before := cpu(b)
	done, stop := p.pipeline(b, file, rows)
	defer stop()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		b.Fatal("the pipeline did not catch up")
	}
	return float64((cpu(b) - before).Microseconds()) / float64(rows)
}

// pipeline runs the input; done is closed after so many messages.
func (p *standInProcess) pipeline(b *testing.B, file string, rows int) (done <-chan struct{}, stop func()) {
	b.Helper()
	var got atomic.Int64
	all := make(chan struct{})
	s := p.stream(b, `FREEPDB1\.APP\.GENERATED`, file, "  snapshot: {mode: none}\n", func(batch service.MessageBatch) {
		if got.Add(int64(len(batch))) == int64(rows) {
			close(all)
		}
	})
	s.run()
	return all, s.stop
}

// fetchOnly fetches the same rows again and does nothing with them.
func (p *standInProcess) fetchOnly(b *testing.B) float64 {
	b.Helper()
	ctx := b.Context()
	books, err := oracle.Connect(ctx, p.config("c%23%23cdc", "cdc", p.Service), oracle.Bookkeeping)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = books.Close() }()
	database, err := oracle.ReadDatabase(ctx, books)
	if err != nil {
		b.Fatal(err)
	}
	mining, err := oracle.Connect(ctx, p.config("c%23%23cdc", "cdc", p.Service), oracle.Mining)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = mining.Close() }()
	from := position.Boundary{}
	inventory, err := redolog.Read(ctx, books, database.ResetlogsSCN, redolog.Since(from))
	if err != nil {
		b.Fatal(err)
	}
	if from.Marks, err = inventory.Start(inventory.Threads[0].Logs[0].First); err != nil {
		b.Fatal(err)
	}
	reading, err := oracle.CurrentSCN(ctx, books)
	if err != nil {
		b.Fatal(err)
	}
	plan, err := inventory.Plan(from, reading, 1<<20)
	if err != nil {
		b.Fatal(err)
	}
	for i, l := range plan.Logs {
		option := 3
		if i == 0 {
			option = 1
		}
		text := fmt.Sprintf("BEGIN DBMS_LOGMNR.ADD_LOGFILE('%s', %d); END;", l.Name, option)
		if err := mining.Exec(ctx, oracle.Statement{Name: "add log", Text: text}); err != nil {
			b.Fatal(err)
		}
	}
	start := fmt.Sprintf("BEGIN DBMS_LOGMNR.START_LOGMNR(%d, %d, Options => 2128); END;", plan.StartSCN, plan.EndSCN)
	if err := mining.Exec(ctx, oracle.Statement{Name: "start", Text: start}); err != nil {
		b.Fatal(err)
	}
	before := cpu(b)
	rows, err := mining.Query(ctx, oracle.Statement{Name: "fetch", Text: `SELECT scn, thread#, rs_id, ssn, operation_code, rollback, status, csf, info,
		xidusn, xidslt, xidsqn, src_con_id, data_obj#, data_objv#, seg_owner, table_name, row_id,
		username, timestamp, session#, serial#, sql_redo FROM v$logmnr_contents WHERE operation_code = 1`})
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for rows.Next() {
		n++
	}
	spent := cpu(b) - before
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || n < costRows {
		b.Fatalf("%d rows: %v", n, err)
	}
	return float64(spent.Microseconds()) / float64(n)
}
