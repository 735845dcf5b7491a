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
	b.config.MaxPending, b.config.Threads, b.config.Tables = 2, 1, 1
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
