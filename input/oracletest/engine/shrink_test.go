package engine

import (
	"fmt"
	"testing"
)

// TestShrink covers rows that move: ROWIDs change by a delete and an insert, the table and its past stay what they are (R85).
func TestShrink(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, v varchar2(10))")
	c.fill("t", 1, 301)
	c.refuse(10636, "alter table t shrink space")
	c.exec("alter table t enable row movement")
	last := c.query("select rowid from t where id = 300")[0]
	s := db.TakeSCN()
	c.exec("delete t where id <= 100 and mod(id, 2) = 0")
	c.exec("commit")
	behind := db.TakeSCN()
	from := len(db.log.records)
	c.exec("alter table t shrink space")
	inserts, deletes := 0, 0
	for _, r := range db.log.records[from:] {
		switch opName(r) {
		case "INSERT", "+INSERT":
			inserts++
		case "DELETE", "+DELETE":
			deletes++
		}
	}
	if inserts != 50 || deletes != 50 {
		t.Errorf("%d inserts, %d deletes", inserts, deletes)
	}
	c.want("250|300|50", "select count(*), max(id), count(case when id <= 100 then 1 end) from t")
	c.want("0", "select count(*) from t where rowid = :1", last)
	c.want("50", "select count(*) from t where id > 250 and rowid < (select rowid from t where id = 199)")
	c.want("300", "select id from t where id = 300 and v = 'v300'")
	for _, where := range []string{"", " where id > 0", " where rowid > chartorowid('AAAAAAAAAAAAAAAAAA')"} {
		c.want("300|1|300|45150", "select count(*), min(id), max(id), sum(id) from t as of scn :1"+where, s)
		c.want("250", "select count(*) from t as of scn :1"+where, behind)
	}
	c.want("300", "select id from t as of scn :1 where rowid = :2", s, last)
	c.refuse(1, "insert into t values (300, 'x')")
	c.exec("insert into t values (2, 'x')")
	c.exec("rollback")
	c.want("250", "select count(*) from t")
	other := db.app(t)
	other.exec("update t set v = 'y' where id = 1")
	c.refuse(54, "alter table t shrink space")
	other.exec("commit")
	moved := c.query("select rowid from t where id = 300")[0]
	c.exec("alter table t move")
	if now := c.query("select rowid from t where id = 300")[0]; now == moved {
		t.Errorf("the ROWID stayed %s", now)
	}
	c.want("0", "select count(*) from t where rowid = :1", moved)
	c.want(fmt.Sprint(250), "select count(*) from t")
}
