package oracletest_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
)

// TestLargeTable holds what a row of a large table takes below 500 bytes, its redo apart, so that two million fit into a gigabyte, and a chunk of it
// as of an SCN to the rows of the chunk, by key and by ROWID, while other transactions go on (issue 8.1).
func TestLargeTable(t *testing.T) {
	const before, rows = 40_000, 60_000 // what lies in front fills pools and passes the size from which on rows are packed
	server := start(t, oracletest.Config{RedoMemory: 4 << 20})
	if err := server.Load(t.Context(), "", before); err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	from := heap()
	if err := server.Load(t.Context(), "", rows); err != nil {
		t.Fatal(err)
	}
	if size := (heap() - from) / rows; size > 500 {
		t.Errorf("%d bytes for each row", size)
	} else {
		t.Logf("%d bytes for each row", size)
	}
	c := reader(t, server)
	scn := c.rows("SELECT CURRENT_SCN FROM V$DATABASE")[0]
	app := connect(t, server, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
	app.exec("UPDATE generated SET name = 'changed' WHERE MOD(id, 3) = 0")
	app.exec("DELETE generated WHERE MOD(id, 3) = 1")
	l := server.LogStatements()
	defer l.Stop()
	for id := 0; id < before+rows; id += 25_000 {
		got := c.rows("SELECT COUNT(*), MIN(id), MAX(id), COUNT(NULLIF(name, 'changed')) FROM app.generated AS OF SCN "+scn+" WHERE id > :1 AND id <= :2", id, id+1000)
		if want := fmt.Sprintf("1000|%d|%d|1000", id+1, id+1000); got[0] != want {
			t.Errorf("chunk behind %d: %s, want %s", id, got[0], want)
		}
		if read := only(t, l); read.Path != engine.IndexRange || read.Visited != 1000 {
			t.Errorf("chunk behind %d: %+v", id, read)
		}
	}
	extent := "DBMS_ROWID.ROWID_CREATE(1, (SELECT DATA_OBJECT_ID FROM DBA_OBJECTS WHERE OBJECT_NAME = 'GENERATED'), 12, %d, %d)"
	got := c.rows("SELECT COUNT(*), COUNT(NULLIF(name, 'changed')) FROM app.generated AS OF SCN " + scn + " WHERE ROWID BETWEEN " + fmt.Sprintf(extent, 512, 0) + " AND " + fmt.Sprintf(extent, 639, 32767))
	if got[0] != fmt.Sprintf("%d|%d", 128*91, 128*91) {
		t.Errorf("rows of 128 blocks: %s", got[0])
	}
	if read := only(t, l); read.Path != engine.RowIDRange || read.Visited != 128*91 {
		t.Errorf("128 blocks: %+v", read)
	}
}
