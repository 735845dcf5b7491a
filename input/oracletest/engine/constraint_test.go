package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// family makes a parent and a child table.
func family(t *testing.T, db *database, onDelete string) *client {
	t.Helper()
	c := db.app(t)
	c.exec("create table p (id number primary key, code varchar2(5) unique, v number)")
	c.exec("create table c (id number primary key, p number constraint fk references p " + onDelete + ", code varchar2(5))")
	for _, id := range []string{"1", "2", "3"} {
		c.exec("insert into p (id, code) values (" + id + ", 'k" + id + "')")
	}
	c.exec("insert into c values (10, 1, 'k1')")
	c.exec("insert into c values (11, 1, null)")
	c.exec("insert into c values (12, null, 'x')")
	c.exec("commit")
	return c
}

func TestForeignKeys(t *testing.T) {
	db := openDatabase(t)
	c := family(t, db, "")
	from := len(db.log.records)
	c.refuse(2291, "insert into c values (20, 9, null)")
	// The key is checked at the end of the statement: the row was in, and is undone.
	db.wantTrace(t, from, "START", "+INSERT C HAAD after(ID=20,P=9,CODE=NULL)", "DELETE(undo) C HAAD")
	c.refuse(2291, "update c set p = 9 where id = 10")
	c.refuse(2292, "delete p where id = 1")
	c.refuse(2292, "delete p")
	c.refuse(2292, "update p set id = 7 where id = 1")
	c.exec("update p set v = 1, id = id where id = 1")
	c.exec("update p set id = decode(id, 1, 2, 2, 1, id)") // 1 and 2 change places
	c.exec("delete p where id = 3")
	c.exec("update c set p = 2 where p = 1")
	c.exec("delete p where id = 1")
	c.refuse(2291, "insert into c select id + 100, id, null from (select 1 id from dual union all select 2 from dual)")
	c.want("3", "select count(*) from c")
	c.exec("rollback")
	r, err := c.s.Execute(t.Context(), wire.Statement{
		SQL: "insert into c (id, p) values (:1, :2)", Binds: [][]datum.Datum{{scalar.Int(30), scalar.Int(1)}, {scalar.Int(31), scalar.Int(9)}, {scalar.Int(32), scalar.Int(1)}},
	})
	wantCode(t, "array", err, 2291)
	if r.RowsAffected != 1 {
		t.Errorf("%d rows before the one that failed", r.RowsAffected)
	}
	c.exec("rollback")
	c.refuse(2449, "drop table p")
	c.refuse(2266, "truncate table p")
	c.refuse(2273, "alter table p drop primary key")
	c.refuse(12992, "alter table p drop column id")
	c.refuse(2297, "alter table p disable primary key")
	c.exec("alter table c disable constraint fk")
	c.exec("insert into c values (20, 9, null)")
	c.refuse(2298, "alter table c enable constraint fk")
	c.exec("delete c where id = 20")
	c.exec("commit")
	c.exec("alter table c enable constraint fk")
	c.refuse(2291, "insert into c values (20, 9, null)")
	c.exec("alter table c add constraint fk2 foreign key (code) references p (code) disable")
	c.refuse(2298, "alter table c enable constraint fk2")
	c.exec("alter table c drop constraint fk2")
	c.refuse(2298, "alter table c add constraint fk2 foreign key (code) references p (code)")
	c.refuse(2270, "alter table c add foreign key (p) references p (v)")
	c.refuse(2267, "alter table c add foreign key (code) references p")
	c.refuse(2256, "alter table c add foreign key (p, code) references p")
	c.exec("create table y (a number)")
	c.refuse(2268, "create table x (a number references y)")
	c.refuse(942, "create table x (a number references nothing)")
	c.refuse(2264, "alter table c add constraint fk check (id > 0)")
	c.exec("alter table p drop primary key cascade")
	c.exec("insert into c values (20, 9, null)")
	c.exec("alter table c drop column p")
}

func TestForeignKeyOfTheTableItself(t *testing.T) {
	c := openDatabase(t).app(t)
	c.exec("create table e (id number primary key, boss number, foreign key (boss) references e)")
	c.exec("insert into e values (1, 1)")
	c.exec("insert into e select 2, 3 from dual union all select 3, 2 from dual")
	c.refuse(2291, "insert into e values (4, 5)")
	c.refuse(2292, "delete e where id = 2")
	c.exec("delete e where id > 1")
	c.exec("delete e")
	c.exec("drop table e")
}

func TestOnDelete(t *testing.T) {
	db := openDatabase(t)
	c := family(t, db, "on delete cascade")
	c.exec("create table g (id number primary key, c number references c on delete set null)")
	c.exec("insert into g values (100, 10)")
	c.exec("commit")
	from := len(db.log.records)
	if n := c.exec("delete p where id = 1"); n != 1 {
		t.Errorf("%d rows deleted", n)
	}
	c.want("100|NULL", "select * from g")
	c.want("12", "select id from c")
	db.wantTrace(t, from,
		"START", "+DELETE P HAAA before(ID=1,CODE=k1,V=NULL)", "DELETE C HAAA before(ID=10,P=1,CODE=k1)", "DELETE C HAAB before(ID=11,P=1,CODE=NULL)",
		"UPDATE G HAAA before(C=10) after(C=NULL)",
	)
	c.exec("rollback")
	c.want("100|10", "select * from g")
	c.refuse(2292, "update p set id = 9 where id = 1")
	c.refuse(2449, "drop table p")
	c.exec("drop table p cascade constraints")
	c.exec("insert into c values (20, 9, null)")
}

func TestForeignKeysWaitForOtherTransactions(t *testing.T) {
	db := openDatabase(t)
	a, b := family(t, db, ""), db.app(t)
	a.exec("insert into p (id) values (5)")
	wait := waitFor(b, "insert into c values (50, 5, null)")
	a.exec("commit")
	if err := wait(); err != nil {
		t.Errorf("child of a parent that was committed: %v", err)
	}
	wait = waitFor(a, "delete p where id = 5")
	b.exec("commit")
	wantCode(t, "parent of a child that was committed", wait(), 2292)
	a.exec("rollback")
	a.exec("delete p where id = 2")
	wait = waitFor(b, "insert into c values (51, 2, null)")
	a.exec("commit")
	wantCode(t, "child of a parent that was deleted", wait(), 2291)
	b.exec("rollback")
	b.exec("insert into c values (52, 3, null)")
	wait = waitFor(a, "delete p where id = 3")
	b.exec("rollback")
	if err := wait(); err != nil {
		t.Errorf("parent of a child that was rolled back: %v", err)
	}
	a.exec("rollback")
	a.exec("update p set v = 5 where id = 1") // no key: nobody waits
	b.exec("insert into c values (53, 1, null)")
}

func TestCheckConstraints(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, a number check (a > 0), b number, constraint ab check (b > a or b = 7), s varchar2(5) check (s in ('x', 'y')))")
	c.exec("insert into t values (1, 1, 2, 'x')")
	c.exec("insert into t values (2, null, null, null)") // unknown is not false
	from := len(db.log.records)
	c.refuse(2290, "insert into t (id, a) values (3, 0)")
	c.refuse(2290, "insert into t (id, a, b) values (3, 5, 4)")
	c.refuse(2290, "update t set b = 0 where id = 1")
	c.refuse(2290, "update t set s = 'z'")
	if n := len(db.log.records); n != from {
		t.Errorf("refused rows wrote %d records", n-from)
	}
	c.exec("update t set b = 7, a = 100 where id = 1")
	c.exec("commit")
	c.refuse(2293, "alter table t add constraint small check (a < 50)")
	c.exec("alter table t add constraint small check (a < 50) disable")
	c.refuse(2293, "alter table t enable constraint small")
	c.exec("update t set a = 5")
	c.exec("commit")
	c.exec("alter table t enable constraint small")
	c.refuse(2290, "update t set a = 60")
	c.exec("alter table t disable constraint small")
	c.exec("update t set a = 60")
	c.refuse(12991, "alter table t drop column b")
	c.exec("alter table t drop column s")
	c.refuse(3001, "alter table t rename column a to c")
	c.exec("alter table t drop column b cascade constraints")
	c.exec("alter table t add (d number default 1 check (d < 5))")
	c.refuse(2290, "update t set d = 5")
	c.refuse(2293, "alter table t add (e number default 9 check (e < 5))")
	c.refuse(2438, "alter table t add (e number check (d < 5))")
	c.refuse(2436, "alter table t add check (a < sysdate - date '2026-01-01')")
	c.refuse(2251, "alter table t add check (a in (select 1 from dual))")
	c.refuse(904, "alter table t add check (nothing > 1)")
	c.refuse(2443, "alter table t drop constraint nothing")
	c.refuse(2430, "alter table t enable constraint nothing")
	c.refuse(2431, "alter table t disable constraint nothing")
}

func TestKeysAreSwitchedOffAndOn(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, u number constraint uk unique)")
	c.exec("insert into t values (1, 1)")
	c.exec("alter table t disable primary key")
	c.exec("insert into t values (1, 2)")
	c.exec("commit")
	c.refuse(1, "insert into t values (2, 2)")
	c.refuse(2299, "alter table t enable primary key")
	c.exec("alter table t disable constraint uk")
	c.exec("update t set id = u")
	c.exec("alter table t enable primary key")
	c.refuse(1, "insert into t values (2, 1)")
	c.exec("alter table t enable unique (u)")
	c.refuse(1, "insert into t values (3, 1)")
	c.exec("alter table t drop unique (u)")
	c.exec("insert into t values (3, 1)")
	c.want("3", "select count(*) from t where id > 0")
}

func TestIndexes(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number constraint pk primary key, a number, b clob)")
	c.exec("create index i on t (a)")
	c.exec("create unique index ui on t (a, id)")
	c.refuse(955, "create index i on t (id, a)")
	c.refuse(1408, "create index j on t (a)")
	c.refuse(1408, "create index j on t (id)")
	c.refuse(2327, "create index j on t (b)")
	c.refuse(904, "create index j on t (c)")
	l := layoutOf(t, db, "T")
	if len(l.Indexes) != 1 || l.Indexes[0].Name != "I" || len(l.Unique) != 1 || !l.Unique[0].IndexOnly {
		t.Errorf("layout %+v", l)
	}
	c.refuse(2429, "drop index pk")
	c.exec("drop index ui")
	c.exec("drop index i")
	c.refuse(1418, "drop index i")
	if l := layoutOf(t, db, "T"); len(l.Indexes)+len(l.Unique) != 0 {
		t.Errorf("layout %+v", l)
	}
}

// Reference logminer L.2: foreign key logging is conditional.
func TestForeignKeyLogging(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table p (a number, b number, primary key (a, b))")
	c.exec("create table t (id number, a number, b number, v number, foreign key (a, b) references p)")
	c.exec("alter table t add supplemental log data (foreign key) columns")
	c.exec("insert into p values (1, 1)")
	c.exec("insert into p values (1, 2)")
	c.exec("insert into t values (1, 1, 1, 1)")
	from := len(db.log.records)
	c.exec("update t set b = 2")
	c.exec("update t set v = 2")
	db.wantTrace(t, from, "UPDATE T HAAA before(A=1,B=1) after(B=2)", "UPDATE T HAAA before(V=1) after(V=2)")
}
