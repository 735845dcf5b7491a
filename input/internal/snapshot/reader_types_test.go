package snapshot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// keys are types of key columns with 40 values in their order, some of them at the ends of what the type holds.
func keys() map[string]func(i int) string {
	pick := func(values ...string) func(int) string {
		return func(i int) string {
			if i < len(values) {
				return values[i]
			}
			return ""
		}
	}
	text := pick("'A'", "'a'", "'Z'", "'z'", "'é'", "'~'", "'it''s'", "'日本語'", "'😀'", "'\\'", "' '", "'aB'", "'Ab'")
	return map[string]func(int) string{
		"NUMBER":                            pick("-1E125", "-"+strings.Repeat("9", 38), "-1E-130", "0", "1E-130", "0.1", "12345678901234567890.123456789", "9.9E125"),
		"NUMBER(10)":                        func(i int) string { return fmt.Sprint(i*i - 100) },
		"FLOAT":                             pick("3.33", "-2E100", "1E-50"),
		"BINARY_FLOAT":                      pick("TO_BINARY_FLOAT('0.29')", "TO_BINARY_FLOAT('-3.4e38')", "TO_BINARY_FLOAT('Infinity')", "TO_BINARY_FLOAT('NaN')", "TO_BINARY_FLOAT('-Infinity')"),
		"BINARY_DOUBLE":                     pick("TO_BINARY_DOUBLE('0.1')", "TO_BINARY_DOUBLE('1e300')", "TO_BINARY_DOUBLE('-1e-300')", "TO_BINARY_DOUBLE('Infinity')", "TO_BINARY_DOUBLE('NaN')"),
		"VARCHAR2(30)":                      text,
		"NVARCHAR2(30)":                     text,
		"CHAR(8)":                           pick("'A'", "'a'", "'b '", "'日本'", "'~'", "'Z'"),
		"NCHAR(8)":                          pick("'A'", "'a'", "'b '", "'日本'", "'~'", "'Z'"),
		"RAW(8)":                            pick("HEXTORAW('00')", "HEXTORAW('00ff')", "HEXTORAW('ff')", "HEXTORAW('7f')", "HEXTORAW('80')"),
		"DATE":                              pick("TO_DATE('-4712-01-01 12:34:56', 'SYYYY-MM-DD HH24:MI:SS')", "DATE '9999-12-31'", "DATE '0001-01-01'", "DATE '2026-01-01'"),
		"TIMESTAMP(9)":                      pick("TIMESTAMP '2026-01-01 00:00:00.000000001'", "TIMESTAMP '2026-01-01 00:00:00.000000002'", "TIMESTAMP '9999-12-31 23:59:59.999999999'", "TIMESTAMP '0001-01-01 00:00:00'"),
		"TIMESTAMP(9) WITH TIME ZONE":       pick("TIMESTAMP '2026-01-01 00:00:00 +05:00'", "TIMESTAMP '2026-01-01 00:00:00 -11:45'", "TIMESTAMP '2025-12-31 23:00:00 +00:00'"),
		"TIMESTAMP(6) WITH LOCAL TIME ZONE": pick("TIMESTAMP '2026-01-01 00:00:00.5 +05:00'", "TIMESTAMP '2026-01-01 00:00:00 -11:45'", "TIMESTAMP '2025-12-31 23:00:00 +00:00'"),
		"INTERVAL YEAR(9) TO MONTH":         pick("INTERVAL '-999999999-11' YEAR(9) TO MONTH", "INTERVAL '0-1' YEAR(9) TO MONTH", "INTERVAL '5-0' YEAR(9) TO MONTH"),
		"INTERVAL DAY(9) TO SECOND(9)": pick("INTERVAL '-999999999 23:59:59.999999999' DAY(9) TO SECOND(9)", "INTERVAL '0 00:00:00.000000001' DAY(9) TO SECOND(9)",
			"INTERVAL '1 02:03:04.5' DAY(9) TO SECOND(9)"),
	}
}

// Each type is cut behind every row, alone and as the second column of a key: the chunks must have each row once all the same.
func TestTablesAreCutByEveryTypeOfKey(t *testing.T) {
	var script strings.Builder
	want := map[string]int{}
	at := 0
	for kind, value := range keys() {
		alone, second := fmt.Sprintf("A%d", at), fmt.Sprintf("B%d", at)
		at++
		// A constraint over TIMESTAMP WITH TIME ZONE is none that Oracle makes.
		constraint := func(columns string) string {
			if strings.Contains(kind, "WITH TIME ZONE") {
				return ""
			}
			return ", PRIMARY KEY (" + columns + ")"
		}
		fmt.Fprintf(&script, "CREATE TABLE app.%s (id NUMBER, k %s NOT NULL%s);\n", alone, kind, constraint("k"))
		fmt.Fprintf(&script, "CREATE TABLE app.%s (id NUMBER, g VARCHAR2(5) NOT NULL, k %s NOT NULL, n NUMBER NOT NULL%s);\n", second, kind, constraint("g, k, n"))
		n := 0
		for i := range 40 {
			v := value(i)
			if v == "" {
				break
			}
			fmt.Fprintf(&script, "INSERT INTO app.%s VALUES (%d, %s);\n", alone, i, v)
			n++
			for j, g := range []string{"'x'", "'y'", "'X'"} {
				fmt.Fprintf(&script, "INSERT INTO app.%s VALUES (%d, %s, %s, %d);\n", second, 3*i+j, g, v, j)
			}
		}
		want[alone], want[second] = n, 3*n
	}
	b := newBench(t, oracletest.Config{}, script.String()+"COMMIT;\n")
	b.describe()
	b.config.LeastRows, b.config.MaxPending, b.config.Tables, b.config.Threads = 1, 100, 4, 4
	var tasks []*snapshot.Task
	for name := range want {
		// A key that the dictionary lacks may come from the configuration.
		b.mu.Lock()
		v := b.versions[app(name)]
		if len(v.Key.Columns) == 0 {
			v.Key.Origin = "config"
			for i := range v.Columns {
				if v.Columns[i].Name != "ID" {
					v.Key.Columns = append(v.Key.Columns, i)
				}
			}
		}
		b.mu.Unlock()
		task := b.task(name, "", nil, 1)
		if task.Progress.Frontier().Mode != snapshot.ByKey {
			t.Errorf("%s is cut by %s", name, task.Progress.Frontier().Mode)
		}
		tasks = append(tasks, task)
	}
	chunks := map[string]int{}
	rows, err := b.read(func(p *snapshot.Part) { chunks[p.Chunk.Table.Name]++ }, tasks...)
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range want {
		if got := ids(rows, name); !slices.Equal(got, numbered(n)) {
			t.Errorf("%s: rows %v, want %d", name, got, n)
		}
		if chunks[name] < n/3 {
			t.Errorf("%s: %d chunks for %d rows", name, chunks[name], n)
		}
	}
	if len(b.gaveUp) > 0 {
		t.Errorf("given up: %v", b.gaveUp)
	}
}

func TestR85TablesWithoutKeyAreCutByBlocks(t *testing.T) {
	const n = 3000
	b := newBench(t, oracletest.Config{}, "CREATE TABLE app.t (id NUMBER, v VARCHAR2(200));\nCREATE TABLE app.none (id NUMBER);\n"+
		"CREATE TABLE app.p (id NUMBER) PARTITION BY RANGE (id) (PARTITION a VALUES LESS THAN (500), PARTITION b VALUES LESS THAN (MAXVALUE));\n"+
		inserts(n, func(i int) string { return fmt.Sprintf("app.t VALUES (%d, RPAD('x', 200, 'x'))", i) })+
		inserts(1000, func(i int) string { return fmt.Sprintf("app.p VALUES (%d)", i) }))
	b.describe()
	var tasks []*snapshot.Task
	for _, name := range []string{"T", "NONE", "P"} {
		tasks = append(tasks, b.task(name, "", nil, 400))
	}
	chunks := map[string]int{}
	rows, err := b.read(func(p *snapshot.Part) { chunks[p.Chunk.Table.Name]++ }, tasks...)
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int{"T": n, "NONE": 0, "P": 1000} {
		if got := ids(rows, name); !slices.Equal(got, numbered(n)) {
			t.Errorf("%s: %d rows, want %d", name, len(got), n)
		}
	}
	t.Logf("chunks %v", chunks)
	if chunks["T"] < 3 {
		t.Errorf("%d chunks of T", chunks["T"])
	}
	if f := tasks[0].Progress.Frontier(); f.Mode != snapshot.ByRowID || len(f.Segments) != 1 {
		t.Errorf("frontier %+v", f)
	}
}
