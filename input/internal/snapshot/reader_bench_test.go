package snapshot_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// standInChild makes the test binary a stand-in, so that its CPU time is not that of the reader.
const standInChild = "SNAPSHOT_STANDIN_CHILD"

// benchRows is a square, since the table is filled by a join of one with itself.
const benchRows = 330 * 330

// serveChild is the stand-in with a filled table. It ends with its input.
func serveChild() error {
	ctx := context.Background()
	s, err := oracletest.Start(ctx, oracletest.Config{})
	if err != nil {
		return err
	}
	script := "ALTER SESSION SET CONTAINER = FREEPDB1;\nCREATE TABLE app.h (n NUMBER);\n" +
		"CREATE TABLE app.t (id NUMBER(10) PRIMARY KEY, customer NUMBER(10), status VARCHAR2(10), amount NUMBER(12,2), note VARCHAR2(100), made DATE, changed TIMESTAMP(6), flag CHAR(1));\n"
	for i := range 330 {
		script += fmt.Sprintf("INSERT INTO app.h VALUES (%d);\n", i)
	}
	script += "COMMIT;\nINSERT INTO app.t SELECT a.n * 330 + b.n, b.n, 'open', a.n * 1.25, 'delivered by hand, ring twice', DATE '2026-01-01', TIMESTAMP '2026-01-01 12:34:56.123456', 'Y' FROM app.h a, app.h b;\nCOMMIT;\n"
	if err := s.RunScript(ctx, script); err != nil {
		return err
	}
	fmt.Println(s.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name))
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return s.Close()
}

// startChild gives the DSN of a stand-in in a process of its own.
func startChild(tb testing.TB) string {
	tb.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(tb.Context()), os.Args[0])
	cmd.Env = append(os.Environ(), standInChild+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			tb.Error(err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func ownCPU(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

const (
	benchFetch = 5000
	benchChunk = 12_000
)

// BenchmarkRead reads a table whole: by the reader, to values, and by a loop over the same queries that only fetches. Both in this process,
// the database in another.
func BenchmarkRead(b *testing.B) {
	dsn := startChild(b)
	for _, connections := range []int{1, 4} {
		b.Run(fmt.Sprintf("bare/%d", connections), func(b *testing.B) { benchBare(b, dsn, connections) })
		b.Run(fmt.Sprintf("product/%d", connections), func(b *testing.B) { benchProduct(b, dsn, connections) })
	}
}

func report(b *testing.B, rows int, used time.Duration) {
	b.Helper()
	if rows != benchRows*b.N {
		b.Fatalf("%d rows", rows)
	}
	b.ReportMetric(float64(used.Nanoseconds())/float64(rows), "cpu-ns/row")
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

func benchProduct(b *testing.B, dsn string, connections int) {
	config := oracle.Config{ConnectionString: dsn, FetchRows: benchFetch}
	session, err := oracle.Connect(b.Context(), config, oracle.Bookkeeping)
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			b.Error(err)
		}
	}()
	h := &bench{gate: snapshot.NewGate(0), queue: snapshot.NewQueue(), versions: map[schema.Table]*schema.Version{}}
	if h.database, err = oracle.ReadDatabase(b.Context(), session); err != nil {
		b.Fatal(err)
	}
	for _, c := range h.database.PDBs {
		if c.Name == pdb {
			h.container = c
		}
	}
	found, err := oracle.Describe(b.Context(), session, h.database, h.container, func(t schema.Table) bool { return t == app("T") }, oracle.SmallestNotNull)
	if err != nil {
		b.Fatal(err)
	}
	h.versions[app("T")] = found[0].Version
	h.config = snapshot.Config{
		Oracle: config, Database: h.database, Threads: connections, Tables: 1, MaxPending: 8, MaxBytes: 256 << 20, LeastRows: 1000,
		MaxHold: time.Minute, MaxLag: time.Minute, Retries: 3, RetryWait: time.Millisecond, RetryMaxWait: time.Second, RetryTime: time.Minute, Settle: time.Second,
		Versions: h.version, Held: func(schema.Table) bool { return false }, Ordering: h, Queue: h.queue, Waiting: func(string) {}, GaveUp: func(_ snapshot.Chunk, why string) { b.Error(why) },
		Log: slog.New(slog.DiscardHandler), Now: time.Now,
	}
	rows := 0
	started := ownCPU(b)
	b.ResetTimer()
	for range b.N {
		p, _ := snapshot.NewProgress(found[0].Version, "", nil, benchChunk)
		h.queue.Add(&snapshot.Task{Table: app("T"), Container: h.container, Progress: p})
		ctx, cancel := context.WithCancel(b.Context())
		var reader sync.WaitGroup
		reader.Go(func() { _ = snapshot.NewReader(&h.config).Run(ctx) })
		for !p.Finished() {
			batch := h.next()
			if batch == nil {
				<-time.After(time.Millisecond)
				continue
			}
			for _, part := range batch.Parts {
				for _, err := range part.Rows() {
					if err != nil {
						b.Fatal(err)
					}
					rows++
				}
				part.Released()
			}
			h.mu.Lock()
			h.gate.Released(batch.Ticket, nil)
			h.mu.Unlock()
			batch.Release()
		}
		cancel()
		reader.Wait()
	}
	report(b, rows, ownCPU(b)-started)
}

func benchBare(b *testing.B, dsn string, connections int) {
	var open []*sql.Conn
	for range connections {
		db := sql.OpenDB(goora.NewConnector(dsn + fmt.Sprintf("?PREFETCH_ROWS=%d&SERVER LOCATION=UTC", benchFetch)))
		defer db.Close()
		conn, err := db.Conn(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.ExecContext(b.Context(), "ALTER SESSION SET CONTAINER = FREEPDB1"); err != nil {
			b.Fatal(err)
		}
		open = append(open, conn)
	}
	const query = `SELECT "ID", "CUSTOMER", "STATUS", "AMOUNT", "NOTE", TO_CHAR("MADE", 'SYYYY-MM-DD HH24:MI:SS'), TO_CHAR("CHANGED", 'SYYYY-MM-DD HH24:MI:SS.FF9'), "FLAG"
  FROM app.t WHERE "ID" >= :1 AND "ID" < :2`
	var scn uint64
	if err := open[0].QueryRowContext(b.Context(), "SELECT current_scn FROM v$database").Scan(&scn); err != nil {
		b.Fatal(err)
	}
	asOf := strings.Replace(query, "app.t", fmt.Sprintf("app.t AS OF SCN %d", scn), 1)
	started := ownCPU(b)
	b.ResetTimer()
	counts := make([]int, connections)
	for range b.N {
		var workers sync.WaitGroup
		for n, conn := range open {
			workers.Go(func() {
				for low := n * benchChunk; low < benchRows; low += connections * benchChunk {
					got, err := fetchOnly(b.Context(), conn, asOf, low)
					if err != nil {
						b.Error(err)
						return
					}
					counts[n] += got
				}
			})
		}
		workers.Wait()
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	report(b, total, ownCPU(b)-started)
}

// fetchOnly counts the rows of a chunk.
func fetchOnly(ctx context.Context, conn *sql.Conn, query string, low int) (n int, err error) {
	rows, err := conn.QueryContext(ctx, query, low, low+benchChunk)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var v [8]any
	for rows.Next() {
		if err := rows.Scan(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}
