package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// segments are the ids of the partitions of T by name, as object/data object, the smallest being 1.
func segments(t *testing.T, db *database) map[string]catalog.Partition {
	t.Helper()
	list := make(map[string]catalog.Partition)
	for _, p := range layoutOf(t, db, "T").Partitioning.Partitions {
		list[p.Name] = p
	}
	return list
}

func partitionNames(t *testing.T, db *database) string {
	t.Helper()
	var names []string
	for _, p := range layoutOf(t, db, "T").Partitioning.Partitions {
		names = append(names, p.Name+"("+p.HighValue+")")
	}
	return strings.Join(names, " ")
}

const rangePartitioned = "create table t (id number primary key, k number) partition by range (k) " +
	"(partition p1 values less than (10), partition p2 values less than (20) tablespace users, partition p3 values less than (30))"

// Reference logminer G.2: DATA_OBJ# and DATA_OBJD# of rows before and after the maintenance of partitions.
func TestObjectIDsOfPartitions(t *testing.T) {
	for _, c := range []struct {
		ddl, partition      string
		object, data, first bool // changed: of the partition, and anything of p1
		after               string
	}{
		{"alter table t add partition p4 values less than (maxvalue)", "P4", true, true, false, "P1(10) P2(20) P3(30) P4(maxvalue)"},
		{"alter table t move partition p1", "P1", false, true, true, "P1(10) P2(20) P3(30)"},
		{"alter table t drop partition p3 update indexes", "P1", false, false, false, "P1(10) P2(20)"},
		{"alter table t truncate partition p1", "P1", false, true, true, "P1(10) P2(20) P3(30)"},
		{"alter table t exchange partition p3 with table x", "P3", true, true, false, "P1(10) P2(20) P3(30)"},
		{"alter table t merge partitions p2, p3 into partition p3", "P3", true, true, false, "P1(10) P3(30)"},
		{"alter table t split partition p2 at (15) into (partition p2, partition p2b)", "P2B", true, true, false, "P1(10) P2(15) P2B(20) P3(30)"},
		{"alter table t split partition p2 at (15) into (partition p2, partition p2b)", "P2", true, true, false, "P1(10) P2(15) P2B(20) P3(30)"},
		{"alter table t rename partition p1 to q1", "Q1", true, true, false, "Q1(10) P2(20) P3(30)"},
		{"truncate table t", "P2", false, true, true, "P1(10) P2(20) P3(30)"},
		{"alter table t add (n number)", "P2", false, false, false, "P1(10) P2(20) P3(30)"},
	} {
		db := openDatabase(t)
		a := db.app(t)
		a.exec(rangePartitioned)
		a.exec("create table x (id number, k number)")
		before, layout := segments(t, db), layoutOf(t, db, "T")
		a.exec(c.ddl)
		after, now := segments(t, db), layoutOf(t, db, "T")
		if got := after[c.partition].ObjectID != before[c.partition].ObjectID; got != c.object {
			t.Errorf("%s: object id of %s changed: %v", c.ddl, c.partition, got)
		}
		if got := after[c.partition].DataObjectID != before[c.partition].DataObjectID; got != c.data {
			t.Errorf("%s: data object id of %s changed: %v", c.ddl, c.partition, got)
		}
		if q, ok := after["Q1"]; ok && (q.ObjectID != before["P1"].ObjectID || q.DataObjectID != before["P1"].DataObjectID) {
			t.Errorf("%s: Q1 is %+v", c.ddl, q)
		}
		if p := after["P1"]; p.Name != "" && (p.DataObjectID != before["P1"].DataObjectID) != c.first {
			t.Errorf("%s: P1 is %+v", c.ddl, p)
		}
		if now.ObjectID != layout.ObjectID || (now.Version != layout.Version) != strings.Contains(c.ddl, "add (n") {
			t.Errorf("%s: table %+v", c.ddl, now)
		}
		if got := partitionNames(t, db); got != c.after {
			t.Errorf("%s: partitions %s, want %s", c.ddl, got, c.after)
		}
	}
}

// Rows go where their key belongs, and stay readable by ROWID, through all maintenance.
func TestRowsOfPartitions(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec(rangePartitioned)
	c.exec("alter table t add supplemental log data (all) columns")
	c.exec("insert into t select 1, 5 from dual union all select 2, 15 from dual union all select 3, 16 from dual union all select 4, 25 from dual")
	ids := segments(t, db)
	if r := lastChange(db); r.Segment != ids["P3"].ObjectID || r.RowID != c.query("select rowid from t where id = 4")[0] {
		t.Errorf("last insert %+v", r)
	}
	c.want("3", "select id from t where rowid = (select rowid from t where id = 3)")
	c.refuse(14400, "insert into t values (5, 30)")
	c.refuse(14400, "insert into t values (5, null)")
	c.refuse(14402, "update t set k = 6 where id = 2")
	c.refuse(1, "insert into t values (2, 5)")
	c.exec("commit")
	c.exec("alter table t enable row movement")
	from := len(db.log.records)
	c.exec("update t set k = 6 where id = 2")
	c.want("1|5 ; 2|6 ; 3|16 ; 4|25", "select id, k from t order by id")
	var ops []string
	for _, r := range db.log.records[from:] {
		ops = append(ops, fmt.Sprintf("%d/%d", r.Op, r.Segment))
	}
	if got, want := strings.Join(ops, " "), fmt.Sprintf("6/0 2/%d 1/%d", ids["P2"].ObjectID, ids["P1"].ObjectID); got != want {
		t.Errorf("redo of a moved row: %s, want %s", got, want)
	}
	c.exec("rollback")
	c.want("1|5 ; 2|15 ; 3|16 ; 4|25", "select id, k from t order by id")
	c.exec("alter table t split partition p2 at (16) into (partition p2a, partition p2b)")
	c.want("1|5 ; 2|15 ; 3|16 ; 4|25", "select id, k from t order by id")
	c.exec("alter table t truncate partition p2a")
	c.want("1 ; 3 ; 4", "select id from t order by id")
	c.exec("create table x (id number, k number)")
	c.exec("insert into x values (9, 17)")
	c.exec("commit")
	c.refuse(14099, "alter table t exchange partition p1 with table x")
	c.exec("alter table t exchange partition p2b with table x including indexes with validation")
	c.want("1 ; 4 ; 9", "select id from t order by id")
	c.want("3", "select id from x")
	c.refuse(1, "insert into t values (9, 1)")
	c.exec("alter table t drop partition p3, p2a")
	c.want("1 ; 9", "select id from t order by id")
	c.exec("alter table t merge partitions p1, p2b into partition all_of_it")
	c.want("1 ; 9", "select id from t order by id")
	c.want("9", "select id from t where rowid = (select rowid from t where id = 9)")
	c.exec("insert into t values (10, 11)")
	c.refuse(14083, "alter table t drop partition all_of_it")
	c.exec("rollback")
	c.refuse(2149, "alter table t drop partition nothing")
	c.refuse(14074, "alter table t add partition p values less than (5)")
	c.refuse(14501, "alter table x move partition p")
	c.refuse(14511, "alter table t move")
	c.refuse(12984, "alter table t drop column k")
	c.exec("create table y (id number)")
	c.refuse(14097, "alter table t exchange partition all_of_it with table y")
	old := layoutOf(t, db, "T").SegmentIDs()
	c.exec("drop table t purge")
	for _, id := range old {
		if _, ok := db.Table(3, id); ok {
			t.Errorf("segment %d is still found", id)
		}
	}
}

func TestListAndHashPartitions(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number, r varchar2(5)) partition by list (r) (partition a values ('x', 'y'), partition n values (null), partition d values (default))")
	seg := func(name string) uint32 { return segments(t, db)[name].ObjectID }
	for value, want := range map[string]string{"'x'": "A", "'y'": "A", "null": "N", "'z'": "D"} {
		c.exec("insert into t values (1, " + value + ")")
		if got := lastChange(db).Segment; got != seg(want) {
			t.Errorf("%s is in %d, want %s", value, got, want)
		}
	}
	c.refuse(14323, "alter table t add partition e values ('e')")
	c.exec("commit")
	c.exec("alter table t drop partition d")
	c.exec("alter table t add partition e values ('e', 'f')")
	c.refuse(14312, "alter table t add partition g values ('f')")
	c.exec("drop table t purge")
	c.exec("create table t (id number, r varchar2(5)) partition by list (r) automatic (partition a values ('x'))")
	c.exec("insert into t values (1, 'new')")
	if got := partitionNames(t, db); got != "A('x') SYS_P81('new')" {
		t.Errorf("partitions %s", got)
	}
	c.exec("drop table t purge")
	c.exec("create table t (id number) partition by hash (id) partitions 4")
	for i := range 40 {
		c.exec("insert into t values (:1)", i)
	}
	used := map[uint32]bool{}
	for _, r := range db.log.records {
		if r.Op == redo.Insert && r.Table.ObjectID == layoutOf(t, db, "T").ObjectID {
			used[r.Segment] = true
		}
	}
	if len(used) != 4 {
		t.Errorf("rows are in %d partitions", len(used))
	}
	c.refuse(14013, "create table u (id number) partition by hash (id) (partition p, partition p)")
}

// Reference logminer G.2, R103: an insert makes its partition, in a transaction of Oracle's own.
func TestR103IntervalPartitions(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, k number) partition by range (k) interval (10) (partition p values less than (10))")
	c.exec("insert into t values (1, 5)")
	from := len(db.log.records)
	c.exec("insert into t values (2, 35)")
	c.exec("insert into t values (3, 31)")
	c.exec("insert into t values (4, 15)")
	var trace []string
	for _, r := range db.log.records[from:] {
		trace = append(trace, fmt.Sprintf("%d:%v", r.Op, r.Recursive))
	}
	if got := strings.Join(trace, " "); got != "6:false 5:true 7:false 1:false 1:false 6:false 5:true 7:false 1:false" {
		t.Errorf("redo %s", got)
	}
	if got := partitionNames(t, db); got != "P(10) SYS_P82(20) SYS_P81(40)" {
		t.Errorf("partitions %s", got)
	}
	c.exec("rollback") // which takes no partition back
	c.want("0", "select count(*) from t")
	if got := len(layoutOf(t, db, "T").Partitioning.Partitions); got != 3 {
		t.Errorf("%d partitions", got)
	}
	if err := db.log.SetWarts(redo.Warts{R103NoInternalDDL: true}); err != nil {
		t.Fatal(err)
	}
	from = len(db.log.records)
	c.exec("insert into t values (5, 100)")
	for _, r := range db.log.records[from:] {
		if r.Op == redo.DDL {
			t.Errorf("DDL %q", r.SQL)
		}
	}
	c.refuse(14400, "insert into t values (6, null)")
	c.exec("commit")
	c.refuse(14760, "alter table t add partition q values less than (900)")
	c.exec("create table d (at date, ts timestamp) partition by range (at) interval (numtoyminterval(1, 'MONTH')) (partition p values less than (date '2026-01-01'))")
	c.exec("insert into d (at) values (date '2026-03-15')")
	c.exec("create table e (at timestamp) partition by range (at) interval (interval '1' day) (partition p values less than (timestamp '2026-01-01 00:00:00'))")
	c.exec("insert into e values (timestamp '2026-01-03 12:00:00')")
	for name, want := range map[string]string{"D": "2026-04-01", "E": "2026-01-04"} {
		p := layoutOf(t, db, name).Partitioning.Partitions
		if len(p) != 2 || !strings.Contains(p[1].HighValue, want) {
			t.Errorf("%s: %+v", name, p)
		}
	}
	c.refuse(14752, "create table f (k number) partition by range (k) interval (interval '1' day) (partition p values less than (1))")
	c.refuse(14761, "create table f (k number) partition by range (k) interval (1) (partition p values less than (maxvalue))")
}
