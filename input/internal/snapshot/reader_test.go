package snapshot_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
)

func numbered(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = strconv.Itoa(i)
	}
	slices.Sort(out)
	return out
}

func TestAllRowsAreReadOnceInOneOrderedPass(t *testing.T) {
	const n = 2500
	b := newBench(t, oracletest.Config{}, "CREATE TABLE app.t (id NUMBER PRIMARY KEY, v VARCHAR2(20));\n"+
		inserts(n, func(i int) string { return fmt.Sprintf("app.t VALUES (%d, 'v%d')", i, i) }))
	b.describe()
	task := b.task("T", "", nil, 100)
	log := b.server.LogStatements()
	rows, err := b.read(nil, task)
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(rows, "T"); !slices.Equal(got, numbered(n)) {
		t.Fatalf("%d rows of %d", len(got), n)
	}
	f := task.Progress.Frontier()
	if !f.Done || f.Rows != n || f.Mode != snapshot.ByKey || f.Estimate < n-100 || f.Estimate > n+100 {
		t.Errorf("frontier %+v", f)
	}
	visited, planned, read := map[string]int64{}, 0, 0
	log.Stop()
	for _, st := range log.Statements() {
		for _, r := range st.Reads {
			if r.Table != "T" {
				continue
			}
			if r.AsOf == 0 {
				planned++
				visited["plan"] += r.Visited
				if r.Path != engine.IndexScan {
					t.Errorf("the plan reads by %s", r.Path)
				}
				continue
			}
			read++
			visited["chunks"] += r.Visited
		}
	}
	t.Logf("%d rows: %d plan visits %d, %d chunks visit %d", n, planned, visited["plan"], read, visited["chunks"])
	if planned != 1 || visited["plan"] != n {
		t.Errorf("%d plans visit %d rows", planned, visited["plan"])
	}
	if visited["chunks"] > n+n/10 {
		t.Errorf("the chunks visit %d rows", visited["chunks"])
	}
}
