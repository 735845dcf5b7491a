package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// stored describes the columns of a layout: name, segment number, and what they are besides.
func stored(l *catalog.Table) string {
	var list []string
	for _, c := range l.Columns {
		s := fmt.Sprintf("%s:%d", c.Name, c.SegmentID)
		for _, f := range []struct {
			is   bool
			mark string
		}{{c.Invisible, "i"}, {c.Unused, "u"}, {c.Guard, "g"}, {c.Virtual != "", "v"}, {c.GuardBit > 0, fmt.Sprint("b", c.GuardBit)}} {
			if f.is {
				s += f.mark
			}
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func wantColumns(t *testing.T, db *database, want string) {
	t.Helper()
	if got := stored(layoutOf(t, db, "T")); got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
}

// R42, R43: ADD appends, DROP COLUMN and DROP UNUSED COLUMNS renumber, SET UNUSED does not.
func TestR43SegmentNumbers(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, a number, b number, c number unique)")
	c.exec("insert into t values (1, 2, 3, 4)")
	before := layoutOf(t, db, "T")
	c.exec("alter table t set unused (b)")
	unused := layoutOf(t, db, "T").Columns[2].Name
	if unused != "SYS_C00003_26032913:45:59$" {
		t.Errorf("the unused column is called %s", unused)
	}
	wantColumns(t, db, "ID:1 A:2 "+unused+":3u C:4")
	if now := layoutOf(t, db, "T"); now.Version != before.Version+1 || now.ObjectID != before.ObjectID || now.DataObjectID != before.DataObjectID {
		t.Errorf("ids of a SET UNUSED: %+v", now)
	}
	c.want("1|2|4", "select * from t")
	c.refuse(904, "select b from t")
	c.refuse(904, `select "`+unused+`" from t`)
	c.exec("insert into t values (2, 3, 5)")
	c.refuse(1, "insert into t values (3, 3, 5)")
	c.exec("alter table t add (b number, d number) modify (a default 5)")
	wantColumns(t, db, "ID:1 A:2 "+unused+":3u C:4 B:5 D:6")
	c.exec("alter table t drop unused columns")
	wantColumns(t, db, "ID:1 A:2 C:3 B:4 D:5")
	c.exec("alter table t set unused column d")
	c.exec("alter table t drop column a") // which takes the unused ones along
	wantColumns(t, db, "ID:1 C:2 B:3")
	c.want("1|4|NULL ; 2|5|NULL", "select * from t order by id")
	c.refuse(12983, "alter table t set unused (id, c, b)")
	c.refuse(904, "alter table t set unused (x)")
	c.exec("alter table t drop unused columns")
}

// lastChange is the newest record of a change.
func lastChange(db *database) *redo.Record {
	db.log.mu.Lock()
	defer db.log.mu.Unlock()
	for i := len(db.log.records) - 1; i >= 0; i-- {
		if r := db.log.records[i]; r.Op == redo.Update || r.Op == redo.Delete || r.Op == redo.Insert {
			return r
		}
	}
	return nil
}

func images(r *redo.Record) string {
	side := func(show bool, values []string) string {
		if !show {
			return "-"
		}
		return strings.Join(values, ",")
	}
	var before, after []string
	for i := range r.Before {
		before = append(before, show(r.Before[i]))
	}
	for i := range r.After {
		after = append(after, show(r.After[i]))
	}
	return side(r.Before != nil, before) + " > " + side(r.After != nil, after)
}

// R43, R109: what ADD with a default does not write into the rows that there are; a nullable column has a guard that says so.
func TestR109AddedDefaultsAreNotStored(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number)")
	c.exec("alter table t add supplemental log data (all) columns")
	c.exec("insert into t values (1)")
	c.exec("insert into t values (2)")
	c.exec("commit")
	c.exec("alter table t add (n number default 7 not null, g varchar2(5) default 'x', h number default 9, z number)")
	wantColumns(t, db, "ID:1 N:2 G:3b1 SYS_NC00004$:4g H:5b2 Z:6")
	c.want("1|7|x|9|NULL ; 2|7|x|9|NULL", "select * from t order by id")
	check := func(statement, want string) {
		t.Helper()
		c.exec(statement)
		if got := images(lastChange(db)); got != want {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
	check("insert into t (id) values (3)", "- > 3,7,x,03,9,NULL")
	check("update t set z = 1 where id = 1", "1,NULL,NULL,NULL,NULL,NULL > NULL,NULL,NULL,NULL,NULL,1")
	check("update t set g = null where id = 1", "1,NULL,NULL,NULL,NULL,1 > NULL,NULL,NULL,01,NULL,NULL")
	check("update t set h = 5 where id = 1", "1,NULL,NULL,01,NULL,1 > NULL,NULL,NULL,03,5,NULL")
	c.want("1|7|NULL|5|1", "select * from t where id = 1")
	c.exec("savepoint s")
	check("delete from t where id = 2", "2,NULL,NULL,NULL,NULL,NULL > -")
	check("rollback to s", "- > 2,NULL,NULL,NULL,NULL,NULL")
	c.exec("rollback") // the rows come back as they were stored
	c.want("1|7|x|9|NULL ; 2|7|x|9|NULL", "select * from t order by id")
	check("delete from t where id = 2", "2,NULL,NULL,NULL,NULL,NULL > -")
	c.exec("alter table t drop column g")
	wantColumns(t, db, "ID:1 N:2 SYS_NC00004$:3g H:4b2 Z:5")
	check("delete from t where id = 1", "1,NULL,NULL,NULL,NULL > -")
}

// R111, D.1: virtual columns are computed and have no segment; invisible ones are stored and left out of SELECT *.
func TestR111VirtualAndInvisibleColumns(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, d as (id * 2), i number invisible, v varchar2(9) generated always as ('<' || id || '>') virtual unique, x number)")
	wantColumns(t, db, "ID:1 D:0v I:2i V:0v X:3")
	c.refuse(54013, "insert into t values (1, 2, 3, 4)")
	c.exec("insert into t (id, x) values (1, 5)")
	c.exec("insert into t (id, i, x) values (2, 3, 6)")
	c.want("1|2|<1>|5 ; 2|4|<2>|6", "select * from t order by id")
	c.want("3", "select i from t where v = '<2>'")
	c.refuse(54013, "insert into t (id, d) values (3, 4)")
	c.refuse(54017, "update t set d = 4")
	c.exec("update t set id = 7 where id = 2")
	c.want("14|<7>", "select d, v from t where id = 7")
	c.exec("alter table t add (w as (x + nvl(i, 0)))")
	c.want("5 ; 9", "select w from t order by id")
	c.refuse(54031, "alter table t drop column x")
	c.refuse(54032, "alter table t rename column x to y")
	c.refuse(54012, "alter table t add (y as (w + 1))")
	c.refuse(904, "alter table t add (y as (nothing))")
	c.exec("alter table t modify (i visible, x invisible)")
	c.want("1|2|<1>|5|NULL ; 7|14|<7>|9|3", "select * from t order by id")
	c.exec("alter table t modify x visible")
	c.want("1|2|<1>|5|NULL|5 ; 7|14|<7>|9|3|6", "select * from t order by id")
	wantColumns(t, db, "ID:1 D:0v I:2 V:0v X:3 W:0v")
	c.exec("alter table t add last number")
	c.want("1|2|<1>|5|NULL|5|NULL", "select * from t where id = 1")
	c.refuse(54039, "create table u (a number invisible)")
	c.exec("create table u (id number, i number)")
	c.exec("insert into u values (7, 1)")
	c.exec("create table w (id number, i number invisible, k number)")
	c.exec("insert into w (id, i, k) values (7, 2, 3)")
	c.want("7|1|3", "select * from u natural join w")
}

// Reference logminer G.2: what a rebuild changes, and what it does not.
func TestAlterTableThatChangesNoColumn(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number constraint k primary key, a number constraint c check (a > 0))")
	c.exec("insert into t values (1, 2)")
	c.exec("commit")
	at := c.query("select rowid from t")[0]
	before := *layoutOf(t, db, "T")
	moved := func(statement string) bool {
		t.Helper()
		before = *layoutOf(t, db, "T")
		c.exec(statement)
		now := layoutOf(t, db, "T")
		if now.ObjectID != before.ObjectID || now.Version != before.Version {
			t.Errorf("%s: %+v", statement, now)
		}
		return now.DataObjectID != before.DataObjectID
	}
	c.refuse(10636, "alter table t shrink space")
	for statement, want := range map[string]bool{"alter table t move": true, "alter table t move tablespace users": true} {
		if moved(statement) != want {
			t.Errorf("%s: data object", statement)
		}
	}
	if now := c.query("select rowid from t")[0]; now == at {
		t.Errorf("the row is still at %s", now)
	}
	for _, statement := range []string{
		"alter table t enable row movement", "alter table t shrink space cascade", "alter table t disable row movement", "alter table t cache",
		"alter table t pctfree 20", "alter table t parallel 4", "alter table t logging", "alter table t read only", "alter table t read write",
		"alter table t modify constraint c disable", "alter table t rename constraint c to d", "alter table t rename constraint k to l",
	} {
		if moved(statement) {
			t.Errorf("%s: another data object", statement)
		}
	}
	c.exec("alter table t read only")
	c.refuse(12081, "insert into t values (2, 3)")
	c.refuse(12081, "delete from t")
	c.refuse(14139, "alter table t read only")
	c.want("1|2", "select * from t")
	c.refuse(23292, "alter table t rename constraint none to other")
	c.refuse(2264, "alter table t rename constraint d to l")
}

// LAST_DDL_TIME moves for everything that is about the table (reference logminer G.1).
func TestLastDDLTimeMoves(t *testing.T) {
	now := testTime
	db := openDatabase(t, func(c *Config) { c.Clock = func() time.Time { return now } })
	c := db.app(t)
	c.exec("create table t (id number)")
	for _, statement := range []string{
		"comment on table t is 'x'", "grant select on t to c##cdc", "create index i on t (id)", "alter table t add (b number)", "truncate table t",
		"alter table t move", "revoke select on t from c##cdc",
	} {
		now = now.Add(time.Minute)
		c.exec(statement)
		if got := layoutOf(t, db, "T").LastDDL; !got.Equal(now) {
			t.Errorf("%s: last DDL at %s, want %s", statement, got, now)
		}
	}
}
