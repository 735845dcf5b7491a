package snapshot_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// What waits is bounded by rows. Many small tables are read while a few full chunks would have to wait, and no more than those few
// full chunks are.
func TestSmallTablesWaitTogetherAndFullChunksDoNot(t *testing.T) {
	const small = 25
	script := ""
	for i := range small {
		script += fmt.Sprintf("CREATE TABLE app.s%d (id NUMBER PRIMARY KEY);\n", i) + inserts(3, func(n int) string { return fmt.Sprintf("app.s%d VALUES (%d)", i, n) })
	}
	script += "CREATE TABLE app.f (id NUMBER PRIMARY KEY);\n" + inserts(2000, func(n int) string { return fmt.Sprintf("app.f VALUES (%d)", n) })
	b := newBench(t, oracletest.Config{}, script)
	b.describe()
	b.config.MaxPending, b.config.Threads, b.config.Tables, b.config.LeastRows = 2, 1, 1, 300
	for name, tc := range map[string]struct {
		tables []string
		most   int
	}{
		"small": {names("S", small), small},
		"full":  {[]string{"F"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			for _, table := range tc.tables {
				b.task(table, "", nil, 300)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- snapshot.NewReader(&b.config).Run(ctx) }()
			waiting := func() int {
				b.mu.Lock()
				defer b.mu.Unlock()
				return len(b.batches)
			}
			for deadline := time.Now().Add(20 * time.Second); waiting() < tc.most && time.Now().Before(deadline); {
				<-time.After(5 * time.Millisecond)
			}
			<-time.After(200 * time.Millisecond) // and no more
			if n := waiting(); n != tc.most {
				t.Errorf("%d batches wait, want %d", n, tc.most)
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			for _, table := range tc.tables {
				b.queue.Remove(app(table))
			}
			for batch := b.next(); batch != nil; batch = b.next() {
				b.GiveUp(batch.Ticket)
				batch.Discard()
			}
		})
	}
}

func names(prefix string, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%s%d", prefix, i))
	}
	return out
}

// R78: what the stream waited for too long is read again in halves, also where its rows were there: as it is it would be given up again.
func TestR78BatchThatIsGivenUpIsHalved(t *testing.T) {
	b := newBench(t, oracletest.Config{}, "CREATE TABLE app.t (id NUMBER PRIMARY KEY);\n"+inserts(800, func(n int) string { return fmt.Sprintf("app.t VALUES (%d)", n) }))
	b.describe()
	b.config.Threads, b.config.LeastRows = 1, 100
	task := b.task("T", "", nil, 20_000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- snapshot.NewReader(&b.config).Run(ctx) }()
	var first *snapshot.Batch
	for deadline := time.Now().Add(20 * time.Second); first == nil && time.Now().Before(deadline); first = b.next() {
		<-time.After(time.Millisecond)
	}
	cancel()
	<-ended
	if first == nil {
		t.Fatal("nothing is read")
	}
	b.GiveUp(first.Ticket)
	first.GiveUp()
	for batch := b.next(); batch != nil; batch = b.next() {
		b.GiveUp(batch.Ticket)
		batch.Discard()
	}
	of, most := first.Parts[0].Chunk.Range, 0
	rows, err := b.read(func(p *snapshot.Part) {
		if p.Chunk.Range.After == nil || of.UpTo != nil && p.Chunk.Range.UpTo != nil && p.Chunk.Range.UpTo[0] == of.UpTo[0] {
			most = max(most, p.Chunk.Rows)
		}
	}, task)
	if err != nil || len(ids(rows, "T")) != 800 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if most != 200 {
		t.Errorf("it is read again in chunks of %d rows, want 200", most)
	}
}
