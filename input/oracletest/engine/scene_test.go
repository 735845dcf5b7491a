package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Reference logminer O, scene 1: insert, update, delete, commit.
func TestOneTransactionIsInTheRedoAsScene1ShowsIt(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, name varchar2(20))")
	c.exec("alter table t add supplemental log data (all) columns")
	from := len(db.log.records)
	c.exec("insert into t (id, name) values (:1, :2)", 1, "one")
	c.exec("update t set name = 'uno' where id = 1")
	c.want("1|uno", "select * from t")
	c.exec("delete from t where id = 1")
	c.exec("commit")
	want := []string{
		"START",
		"+INSERT T HAAA after(ID=1,NAME=one)",
		"UPDATE T HAAA before(ID=1,NAME=one) after(NAME=uno)",
		"DELETE T HAAA before(ID=1,NAME=uno)",
		"COMMIT",
	}
	if diff := cmp.Diff(want, db.trace(from)); diff != "" {
		t.Errorf("redo (-want +got):\n%s", diff)
	}
	if got := db.log.records[from+1].RowID; got != "AAASNJAAMAAAACHAAA" {
		t.Errorf("ROWID = %s", got)
	}
}
