package engine

import (
	"slices"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Loads without logging leave no redo of their rows, neither forward nor undone, and say so of their tablespace alone (reference logminer F.6,
// V$DATAFILE.UNRECOVERABLE_CHANGE#).
func TestLoadsWithoutRedo(t *testing.T) {
	db := openDatabase(t)
	a := db.app(t)
	do := func(statements ...string) {
		for _, text := range statements {
			a.exec(text)
		}
	}
	unrecoverable := func() map[string]uint64 {
		last := map[string]uint64{}
		for _, ts := range db.Tablespaces(3) {
			last[ts.Name] = ts.Unrecoverable
		}
		return last
	}
	ops := func(run func()) (list []redo.Op) {
		from := len(db.log.records)
		run()
		for _, r := range db.log.records[from:] {
			list = append(list, r.Op)
		}
		return list
	}
	do("create table s (id number)", "insert into s values (1)", "insert into s values (2)", "insert into s values (3)")
	do("commit")
	do("create table l (id number primary key) nologging tablespace bulk", "create table w (id number) tablespace bulk")
	if got := unrecoverable(); len(got) != 2 || got["USERS"] != 0 || got["BULK"] != 0 {
		t.Fatalf("before: %v", got)
	}
	for _, c := range []struct {
		statement string
		want      []redo.Op
	}{
		{"insert into l select id from s", []redo.Op{redo.Start, redo.Insert, redo.Insert, redo.Insert, redo.Commit}},
		{"insert /*+ APPEND */ into w select id from s", []redo.Op{redo.Start, redo.Insert, redo.Insert, redo.Insert, redo.Commit}},
		{"insert /*+ parallel */ into l select id + 10 from s", []redo.Op{redo.Start, redo.Insert, redo.Insert, redo.Insert, redo.Commit}},
		{"insert /* append */ into l select id + 20 from s", []redo.Op{redo.Start, redo.Insert, redo.Insert, redo.Insert, redo.Commit}},
	} {
		if got := ops(func() { do(c.statement, "commit") }); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.statement, got, c.want)
		}
	}
	if got := unrecoverable(); got["BULK"] != 0 {
		t.Fatalf("what is logged counts: %v", got)
	}
	if got := ops(func() { do("insert /*+ append parallel(4) */ into l select id + 30 from s", "commit") }); !slices.Equal(got, []redo.Op{redo.Start, redo.Commit}) {
		t.Errorf("a load: %v", got)
	}
	a.want("12", "select count(*) from l")
	first := unrecoverable()
	if first["BULK"] == 0 || first["USERS"] != 0 || first["BULK"] > uint64(db.log.CurrentSCN()) {
		t.Fatalf("a load: %v", first)
	}
	if got := ops(func() { do("insert /*+ append */ into l select id + 40 from s", "rollback") }); !slices.Equal(got, []redo.Op{redo.Start, redo.Rollback}) {
		t.Errorf("a load that is rolled back: %v", got)
	}
	a.want("12", "select count(*) from l")
	second := unrecoverable()
	if second["BULK"] <= first["BULK"] {
		t.Errorf("%d behind %d", second["BULK"], first["BULK"])
	}
	do("create table c nologging as select * from s")
	if got := unrecoverable(); got["USERS"] == 0 || got["BULK"] != second["BULK"] {
		t.Errorf("CREATE TABLE AS SELECT: %v", got)
	}
	db.connect(t, "FREE", "system").exec("alter database force logging")
	if got := ops(func() { do("insert /*+ append */ into l select id + 50 from s", "commit") }); len(got) != 5 {
		t.Errorf("with FORCE LOGGING: %v", got)
	}
}
