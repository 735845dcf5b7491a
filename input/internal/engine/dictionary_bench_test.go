package engine

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// withTables is a miner on a stand-in with so many tables of so many columns, all of which match, and what the stand-in is asked.
func withTables(tb testing.TB, tables, columns int) (*miner, *oracletest.Server) {
	tb.Helper()
	server, err := oracletest.Start(tb.Context(), oracletest.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	var script strings.Builder
	script.WriteString("ALTER DATABASE ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;\nALTER SESSION SET CONTAINER = FREEPDB1;\n")
	for i := range tables {
		fmt.Fprintf(&script, "CREATE TABLE app.t%d (id NUMBER(10) PRIMARY KEY", i)
		for c := 1; c < columns; c++ {
			fmt.Fprintf(&script, ", c%d VARCHAR2(40)", c)
		}
		script.WriteString(");\n")
	}
	if err := server.RunScript(tb.Context(), script.String()); err != nil {
		tb.Fatal(err)
	}
	config := testConfig(tb)
	config.Oracle.ConnectionString = server.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name)
	config.PDBs = []string{"FREEPDB1"}
	if config.Selection, err = naming.NewSelection([]string{`FREEPDB1\.APP\..*`}, nil, false); err != nil {
		tb.Fatal(err)
	}
	db := newOracleDatabase(config)
	tb.Cleanup(func() {
		if err := db.close(); err != nil {
			tb.Error(err)
		}
		if err := server.Close(); err != nil {
			tb.Error(err)
		}
	})
	m := newMiner(config, db)
	if err := m.connect(tb.Context(), nil); err != nil {
		tb.Fatal(err)
	}
	return m, server
}

// What a start asks of the dictionary is the same number of statements for any number of tables of a schema.
func TestStatementsOnTheDictionaryDoNotGrowWithItsTables(t *testing.T) {
	var asked [2]int
	for i, tables := range []int{2, 60} {
		m, server := withTables(t, tables, 3)
		log := server.LogStatements()
		got, err := m.readTables(t.Context())
		log.Stop()
		if err != nil || len(got.byName) != tables {
			t.Fatalf("%d tables, want %d: %v", len(got.byName), tables, err)
		}
		asked[i] = len(log.Statements())
	}
	if asked[0] != asked[1] || asked[0] == 0 {
		t.Errorf("%d statements for 2 tables, %d for 60", asked[0], asked[1])
	}
	t.Logf("%d statements", asked[0])
}

// BenchmarkDictionary reads 5,000 tables of 40 columns, as a start and a DDL do. CPU is that of the process, the stand-in in it; memory is
// what the captured set keeps.
func BenchmarkDictionary(b *testing.B) {
	m, server := withTables(b, 5000, 40)
	heap := func() uint64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := heap()
	log := server.LogStatements()
	began, read := cpu(), (*tables)(nil)
	for b.Loop() {
		t, err := m.readTables(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		read = t
	}
	spent := cpu() - began
	log.Stop()
	b.ReportMetric(float64(len(log.Statements()))/float64(b.N), "statements/op")
	b.ReportMetric(float64(spent.Milliseconds())/float64(b.N), "cpu-ms/op")
	log.Reset()
	b.ReportMetric(float64(heap()-before)/(1<<20), "kept-MiB")
	if len(read.byName) != 5000 {
		b.Fatalf("%d tables", len(read.byName))
	}
}

// BenchmarkVersionOfARow finds the layout of a row among 5,000 tables, of which each had three.
func BenchmarkVersionOfARow(b *testing.B) {
	set := newTables(0)
	for i := range 5000 {
		for n := range uint64(3) {
			v := table(fmt.Sprintf("T%d", i), uint64(1000+i))
			set.take(v, false, era{version: v, from: position.SCN(1000 * n), began: position.SCN(1000 * n)})
		}
	}
	for name, scn := range map[string]position.SCN{"newest": 5000, "oldest": 500} {
		b.Run(name, func(b *testing.B) {
			var found *schema.Version
			i := uint64(0)
			for b.Loop() {
				l, ok := set.of(pdb, 1000+i%5000, "APP", "T", scn)
				if !ok {
					b.Fatal("no layout")
				}
				found = l.version
				i += 37
			}
			runtime.KeepAlive(found)
		})
	}
}
