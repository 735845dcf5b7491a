package input

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	runtimemetrics "runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// Tests that only measure run where ORACLE_CDC_MEASURE says how many rows a table is to have (make bench does not: they take minutes).
func measured(t *testing.T) (rows int) {
	t.Helper()
	text := os.Getenv("ORACLE_CDC_MEASURE")
	if text == "" {
		t.Skip("set ORACLE_CDC_MEASURE to a number of rows")
	}
	rows, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// fill loads rows, and drops the redo of them but for the last, which capture may want to begin in: nobody reads it.
func (p *standInProcess) fill(tb testing.TB, rows int) {
	tb.Helper()
	const step = 500_000
	for ; rows > 0; rows -= step {
		p.control(tb, "purge?before=999999999999&rm=true")
		p.load(tb, min(rows, step))
		p.control(tb, "switch")
	}
}

// memory is the most that was seen of it, in bytes.
type memory struct{ live, heap, resident int64 }

// watchMemory looks at the memory of this process until stop is called. every is called with what is live, behind a collection where it is
// not nil.
func watchMemory(tb testing.TB, every func(live int64)) (stop func() memory) {
	tb.Helper()
	samples := []runtimemetrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	var most memory
	ctx, cancel := context.WithCancel(context.Background())
	var watcher sync.WaitGroup
	watcher.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			if every != nil {
				runtime.GC()
			}
			runtimemetrics.Read(samples)
			live := int64(samples[0].Value.Uint64())
			if every != nil {
				every(live)
			}
			most.live = max(most.live, live)
			most.heap = max(most.heap, int64(samples[1].Value.Uint64()))
			if status, err := os.ReadFile("/proc/self/statm"); err == nil {
				if fields := strings.Fields(string(status)); len(fields) > 1 {
					pages, _ := strconv.ParseInt(fields[1], 10, 64)
					most.resident = max(most.resident, pages*int64(os.Getpagesize()))
				}
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	})
	return func() memory {
		cancel()
		watcher.Wait()
		return most
	}
}

func (m memory) String() string {
	return fmt.Sprintf("live %.1f MiB, heap %.1f MiB, resident %.1f MiB", float64(m.live)/(1<<20), float64(m.heap)/(1<<20), float64(m.resident)/(1<<20))
}

// The memory of a snapshot is that of its pending chunks, however many rows the table has. The stand-in is a process of its own.
func TestMemoryOfASnapshotDoesNotGrowWithItsRows(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a table of 100,000 rows")
	}
	db := startStandIn(t)
	db.script(t, createGenerated)
	const rows, room = 100_000, 2 << 20
	db.load(t, rows)
	// Between two batches only what is kept is live; a row is 60 bytes as it is read and 900 as a record.
	var got atomic.Int64
	least := [2]int64{math.MaxInt64, math.MaxInt64}
	s := db.snapshotOf(t, "  snapshot: {mode: snapshot_only, chunk_rows: 2000, threads: 2}\n  mining: {poll_interval: 100ms}\n", &got)
	stop := watchMemory(t, func(live int64) {
		switch n := got.Load(); {
		case n > rows/10 && n < rows*4/10:
			least[0] = min(least[0], live)
		case n > rows*7/10:
			least[1] = min(least[1], live)
		}
	})
	s.run()
	s.wait(10 * time.Minute)
	most := stop()
	t.Logf("%d bytes are live at first, %d in the end; at most %s", least[0], least[1], most)
	switch {
	case got.Load() != rows:
		t.Errorf("%d rows came, want %d", got.Load(), rows)
	case least[0] == math.MaxInt64 || least[1] == math.MaxInt64:
		t.Error("nothing was measured")
	case least[1] > least[0]+room:
		t.Errorf("%d bytes are live at first, %d in the end", least[0], least[1])
	}
}

// snapshotOf makes a pipeline that reads the loaded table, and counts its messages.
func (p *standInProcess) snapshotOf(t *testing.T, fields string, got *atomic.Int64) *stream {
	t.Helper()
	return p.stream(t, `FREEPDB1\.APP\.GENERATED`, filepath.Join(t.TempDir(), "position"), fields,
		func(batch service.MessageBatch) { got.Add(int64(len(batch))) })
}

// TestMeasureMemory tells what the process needs for the snapshot of a large table.
func TestMeasureMemory(t *testing.T) {
	rows := measured(t)
	defer asTheBinary()()
	db := startStandIn(t)
	db.script(t, createGenerated)
	db.fill(t, rows)
	var got atomic.Int64
	s := db.snapshotOf(t, "  snapshot: {mode: snapshot_only}\n", &got)
	before, began := cpu(t), time.Now()
	stop := watchMemory(t, nil)
	s.run()
	s.wait(30 * time.Minute)
	most := stop()
	if n := got.Load(); n != int64(rows) {
		t.Fatalf("%d rows came, want %d", n, rows)
	}
	t.Logf("%d rows in %s, %.2f us CPU a row: %s; %s", rows, time.Since(began).Round(time.Second), float64((cpu(t)-before).Microseconds())/float64(rows), most, load())
}

// load is what else the machine does.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "load not known"
	}
	return "load " + string(bytes.TrimSpace(text))
}

// TestMeasureLatency tells how long a commit takes to be handed over while nothing is read, and while a table is.
func TestMeasureLatency(t *testing.T) {
	rows := measured(t)
	defer asTheBinary()()
	db := startStandIn(t)
	db.script(t, createGenerated, "CREATE TABLE app.live (id NUMBER(19) PRIMARY KEY, made NUMBER(19))", "ALTER TABLE app.live ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	db.fill(t, rows)
	for _, snapshot := range []string{"{mode: none}", "{mode: initial}", "{mode: initial, chunk_rows: 10000}"} {
		took, read, began := db.latencies(t, snapshot, rows)
		slices.Sort(took)
		t.Logf("%s: %d commits, %d rows read, %s: p50 %s, p99 %s, most %s; %s", snapshot, len(took), read, time.Since(began).Round(time.Second),
			took[len(took)/2].Round(time.Millisecond), took[len(took)*99/100].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond), load())
	}
}

// latencies commits 50 rows a second while a pipeline runs, for as long as a snapshot takes or 20 s.
func (p *standInProcess) latencies(t *testing.T, snapshot string, rows int) (took []time.Duration, read int64, began time.Time) {
	t.Helper()
	var mu sync.Mutex
	var got atomic.Int64
	arrived := make(chan struct{}, 1)
	s := p.stream(t, `FREEPDB1\.APP\.(GENERATED|LIVE)`, filepath.Join(t.TempDir(), "position"), "  snapshot: "+snapshot+"\n",
		func(batch service.MessageBatch) {
			now := time.Now()
			for _, m := range batch {
				ev := change.From(m.Context())
				if ev.Kind == change.Snapshot && ev.Version.Table.Name == "GENERATED" {
					got.Add(1)
				}
				if ev.Kind != change.Change {
					continue
				}
				made, _ := strconv.ParseInt(ev.After[1].Text(), 10, 64)
				mu.Lock()
				took = append(took, now.Sub(time.Unix(0, made)))
				mu.Unlock()
				select {
				case arrived <- struct{}{}:
				default:
				}
			}
		})
	db := sql.OpenDB(goora.NewConnector(fmt.Sprintf("oracle://app:app@%s/FREEPDB1", p.Listen)))
	defer func() { _ = db.Close() }()
	commit := func() {
		if _, err := db.ExecContext(t.Context(), "INSERT INTO app.live SELECT NVL(MAX(id), 0) + 1, :1 FROM app.live", time.Now().UnixNano()); err != nil {
			t.Fatal(err)
		}
	}
	s.run()
	defer s.stop()
	for waiting := true; waiting; {
		commit()
		select {
		case <-arrived:
			waiting = false
		case <-time.After(100 * time.Millisecond):
		}
	}
	mu.Lock()
	took = nil
	mu.Unlock()
	began = time.Now()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for got.Load() < int64(rows) && (!strings.Contains(snapshot, "none") || time.Since(began) < 20*time.Second) {
		<-tick.C
		commit()
	}
	mu.Lock()
	defer mu.Unlock()
	return slices.Clone(took), got.Load(), began
}

// TestMeasureManyTables tells how long many small tables take.
func TestMeasureManyTables(t *testing.T) {
	measured(t)
	db := startStandIn(t)
	const tables, rows = 500, 10
	var statements []string
	for i := range tables {
		name := fmt.Sprintf("app.small_%d", i)
		statements = append(statements, "CREATE TABLE "+name+" (id NUMBER(9) PRIMARY KEY, v VARCHAR2(40))",
			fmt.Sprintf("BEGIN FOR i IN 1..%d LOOP INSERT INTO %s VALUES (i, 'row ' || i); END LOOP; COMMIT; END;", rows, name))
	}
	db.script(t, statements...)
	for _, at := range []int{1, 4} {
		var got atomic.Int64
		var first atomic.Int64
		s := db.stream(t, `FREEPDB1\.APP\.SMALL_.*`, filepath.Join(t.TempDir(), "position"), fmt.Sprintf("  snapshot: {mode: snapshot_only, tables: %d}\n", at),
			func(batch service.MessageBatch) {
				first.CompareAndSwap(0, time.Now().UnixNano())
				got.Add(int64(len(batch)))
			})
		before, began := cpu(t), time.Now()
		s.run()
		s.wait(10 * time.Minute)
		if n := got.Load(); n != tables*rows {
			t.Fatalf("%d rows came", n)
		}
		t.Logf("%d tables, %d at once: %s, %s of it behind the first row, %s CPU; %s", tables, at, time.Since(began).Round(time.Millisecond),
			time.Since(time.Unix(0, first.Load())).Round(time.Millisecond), (cpu(t) - before).Round(time.Millisecond), load())
	}
}
