package snapshot_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

const pdb = "FREEPDB1"

// bench is a stand-in with tables, and everything that a reader needs but a stream: F is always far enough.
type bench struct {
	t         *testing.T
	server    *oracletest.Server
	database  oracle.Database
	container oracle.Container
	config    snapshot.Config
	queue     *snapshot.Queue

	mu       sync.Mutex
	gate     *snapshot.Gate
	batches  []*snapshot.Batch
	versions map[schema.Table]*schema.Version
	lag      time.Duration
	waits    []string
	gaveUp   []string
	refused  []string
	// onSet is called when a batch has its SCN, before its rows are read.
	onSet func()
	// due is when soon is called while the reader runs.
	due  time.Time
	soon func()
}

// newBench starts a stand-in and runs a script in its pluggable database.
func newBench(t *testing.T, config oracletest.Config, script string) *bench {
	t.Helper()
	s, err := oracletest.Start(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, server: s, gate: snapshot.NewGate(0), queue: snapshot.NewQueue(), versions: map[schema.Table]*schema.Version{}}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	b.run(script)
	session := b.session()
	if b.database, err = oracle.ReadDatabase(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(b.database.PDBs, func(c oracle.Container) bool { return c.Name == pdb })
	b.container = b.database.PDBs[at]
	b.config = snapshot.Config{
		Oracle:   oracle.Config{ConnectionString: s.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name), FetchRows: 100},
		Database: b.database, Threads: 3, Tables: 2, MaxPending: 8, MaxBytes: 64 << 20, LeastRows: 10, MaxHold: 30 * time.Second, MaxLag: time.Minute,
		Retries: 3, RetryWait: time.Millisecond, RetryMaxWait: 10 * time.Millisecond, RetryTime: 10 * time.Second, Settle: 20 * time.Millisecond,
		Versions: b.version, Held: func(schema.Table) bool { return false }, Ordering: b, Queue: b.queue,
		Waiting: func(why string) { b.mu.Lock(); b.waits = append(b.waits, why); b.mu.Unlock() },
		Refused: func(t schema.Table, fault error) {
			b.mu.Lock()
			b.refused = append(b.refused, t.Name+": "+fault.Error())
			b.mu.Unlock()
		},
		GaveUp: func(_ snapshot.Chunk, why string) { b.mu.Lock(); b.gaveUp = append(b.gaveUp, why); b.mu.Unlock() },
		Log:    slog.New(slog.DiscardHandler), Now: time.Now,
	}
	return b
}

func (b *bench) run(script string) {
	b.t.Helper()
	if err := b.server.RunScript(b.t.Context(), "ALTER SESSION SET CONTAINER = "+pdb+";\n"+script); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) session() *oracle.Session {
	b.t.Helper()
	session, err := oracle.Connect(b.t.Context(), oracle.Config{
		ConnectionString: b.server.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name),
	}, oracle.Bookkeeping)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if err := session.Close(); err != nil {
			b.t.Error(err)
		}
	})
	return session
}

// describe reads the versions of all tables of APP, as capture would have them.
func (b *bench) describe() {
	b.t.Helper()
	session := b.session()
	found, err := oracle.Describe(b.t.Context(), session, b.database, b.container,
		func(t schema.Table) bool { return t.Owner == "APP" }, oracle.SmallestNotNull)
	if err != nil {
		b.t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.versions)
	for _, d := range found {
		b.versions[d.Version.Table] = d.Version
	}
}

func (b *bench) version(t schema.Table) (*schema.Version, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	v, ok := b.versions[t]
	return v, ok
}

func app(name string) schema.Table { return schema.Table{PDB: pdb, Owner: "APP", Name: name} }

// task queues a table.
func (b *bench) task(name string, mode snapshot.Mode, from *snapshot.Frontier, rows int) *snapshot.Task {
	b.t.Helper()
	v, ok := b.version(app(name))
	if !ok {
		b.t.Fatalf("no table %s", name)
	}
	p, _ := snapshot.NewProgress(v, mode, from, rows)
	task := &snapshot.Task{Table: v.Table, Container: b.container, Progress: p}
	b.queue.Add(task)
	return task
}

func (b *bench) Lag() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lag
}

func (b *bench) Close() (snapshot.Ticket, position.SCN) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.gate.Close()
}

func (b *bench) Set(t snapshot.Ticket, scn position.SCN) bool {
	b.mu.Lock()
	ok, then := b.gate.Set(t, scn), b.onSet
	b.mu.Unlock()
	if ok && then != nil {
		then()
	}
	return ok
}

func (b *bench) GiveUp(t snapshot.Ticket) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.gate.GiveUp(t)
}

func (b *bench) Deliver(batch *snapshot.Batch) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	ok := b.gate.Filled(batch.Ticket)
	if ok {
		b.batches = append(b.batches, batch)
	}
	return ok
}

// next takes a batch that was read.
func (b *bench) next() *snapshot.Batch {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.batches) == 0 {
		return nil
	}
	batch := b.batches[0]
	b.batches = b.batches[1:]
	return batch
}

// row is a row that was read, with the SCN.
type row struct {
	scn   position.SCN
	table string
	image []value.Value
	rowID string
}

var errDone = errors.New("everything is read")

// after calls f a while after now, when the reader runs, in the goroutine of the test.
func (b *bench) after(d time.Duration, f func()) { b.due, b.soon = time.Now().Add(d), f }

// read runs the reader until the tasks are finished, and gives all rows; an error that ends the reader is returned. taken is called for
// every part, before it counts as released.
func (b *bench) read(taken func(*snapshot.Part), tasks ...*snapshot.Task) ([]row, error) {
	b.t.Helper()
	ctx, cancel := context.WithCancelCause(b.t.Context())
	defer cancel(nil)
	ended := make(chan error, 1)
	go func() { ended <- snapshot.NewReader(&b.config).Run(ctx) }()
	var out []row
	deadline := time.Now().Add(60 * time.Second)
	for {
		select {
		case err := <-ended:
			return out, err
		case <-time.After(time.Millisecond):
		}
		if b.soon != nil && time.Now().After(b.due) {
			then := b.soon
			b.soon = nil
			then()
		}
		if time.Now().After(deadline) {
			b.t.Fatal("it does not come to an end")
		}
		for batch := b.next(); batch != nil; batch = b.next() {
			chunks := batch.Chunks()
			for _, part := range batch.Parts {
				if taken != nil {
					taken(part)
				}
				for selected, err := range part.Rows() {
					if err != nil {
						b.t.Fatal(err)
					}
					out = append(out, row{batch.SCN, part.Chunk.Table.Name, selected.Image, selected.RowID})
				}
				part.Released()
			}
			b.mu.Lock()
			b.gate.Released(batch.Ticket, chunks)
			b.mu.Unlock()
			batch.Release()
		}
		if b.soon == nil && !slices.ContainsFunc(tasks, func(t *snapshot.Task) bool { return !t.Progress.Finished() }) {
			cancel(errDone)
			if err := <-ended; !errors.Is(err, context.Canceled) {
				return out, err
			}
			return out, nil
		}
	}
}

// ids gives the first column of the rows of a table, in order.
func ids(rows []row, table string) []string {
	var out []string
	for _, r := range rows {
		if r.table == table {
			out = append(out, r.image[0].Text())
		}
	}
	slices.Sort(out)
	return out
}

// script of n rows, a thousand to a transaction.
func inserts(n int, values func(i int) string) string {
	var s strings.Builder
	for i := range n {
		s.WriteString("INSERT INTO " + values(i) + ";\n")
		if i%1000 == 999 {
			s.WriteString("COMMIT;\n")
		}
	}
	return s.String() + "COMMIT;\n"
}
