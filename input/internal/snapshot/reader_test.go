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
			if r.Backward {
				if r.Visited > 1 {
					t.Errorf("%d rows are visited for the last key", r.Visited)
				}
				continue
			}
			if r.AsOf == 0 {
				planned++
				visited["plan"] += r.Visited
				if r.Path != engine.IndexScan && r.Path != engine.IndexRange {
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

// Rows that come behind the last one while a table is read are the stream's; before it every row is read, whatever its text became.
func TestATableThatGrowsEndsWhereItWasCut(t *testing.T) {
	b := newBench(t, oracletest.Config{}, "CREATE TABLE app.n (id NUMBER, k NUMBER PRIMARY KEY);\nCREATE TABLE app.v (id NUMBER, k VARCHAR2(10) PRIMARY KEY);\n"+
		inserts(50, func(i int) string { return fmt.Sprintf("app.n VALUES (%d, %d)", i, i) })+
		inserts(50, func(i int) string { return fmt.Sprintf("app.v VALUES (%d, 'k%03d')", i, i) }))
	b.describe()
	b.config.Threads, b.config.MaxPending = 1, 1
	for name, want := range map[string]int{"N": 50, "V": 51} {
		grown := false
		rows, err := b.read(func(*snapshot.Part) {
			if !grown {
				grown = true
				b.run("INSERT INTO app.n VALUES (50, 50);\nINSERT INTO app.v VALUES (50, 'k050');\nCOMMIT;\n")
			}
		}, b.task(name, "", nil, 20))
		if err != nil || !slices.Equal(ids(rows, name), numbered(want)) {
			t.Errorf("%s: %d rows, want %d, %v", name, len(rows), want, err)
		}
		b.run("DELETE FROM app.n WHERE id = 50;\nDELETE FROM app.v WHERE id = 50;\nCOMMIT;\n")
	}
}
