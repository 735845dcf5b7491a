package engine

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

func TestDDLWaitsForNobody(t *testing.T) {
	db := openDatabase(t)
	a, b := table(t, db), db.app(t)
	a.exec("insert into t (id) values (1)")
	for _, ddl := range []string{"truncate table t", "drop table t", "alter table t add x number unique", "alter table t move", "alter table t add supplemental log data (unique) columns"} {
		b.refuse(54, ddl)
	}
	a.exec("commit")
	r, err := a.s.Execute(t.Context(), stmt("select * from t"))
	if err != nil {
		t.Fatal(err)
	}
	b.exec("alter table t add x number")
	if _, err := r.Rows.Next(t.Context(), make([]datum.Datum, 3)); err == nil {
		t.Error("an open cursor read on over a change of its table")
	} else {
		wantCode(t, "cursor over DDL", err, 1466)
	}
}

// K7: what open transactions do to ADD COLUMN and the like: 23 goes on, 19 waits; the transactions go on in the new layout.
func TestK7OnlineDDL(t *testing.T) {
	for release, waits := range map[int]bool{19: true, 23: false} {
		db := openDatabase(t, func(c *Config) { c.Release = release })
		a, b := table(t, db), db.app(t)
		a.exec("insert into t (id, name) values (1, 'kept')")
		a.exec("insert into t (id, name) values (2, 'undone')")
		a.exec("commit")
		a.exec("update t set name = 'mine' where id = 1")
		a.exec("insert into t (id, name) values (3, 'mine')")
		a.exec("savepoint s")
		a.exec("update t set name = 'twice' where id = 1")
		a.exec("delete from t where id = 2")
		done := make(chan error, 1)
		go func() {
			_, err := b.try("alter table t add (extra number default 7, e2 number)")
			done <- err
		}()
		if waits {
			select {
			case err := <-done:
				t.Fatalf("release %d did not wait: %v", release, err)
			case <-time.After(50 * time.Millisecond):
			}
			a.exec("rollback to s")
			a.exec("commit")
		}
		if err := <-done; err != nil {
			t.Fatalf("release %d: %v", release, err)
		}
		if !waits {
			a.want("1|twice|7|NULL ; 3|mine|7|NULL", "select id, name, extra, e2 from t order by id")
			a.exec("update t set e2 = 5 where id = 3")
			b.want("1|kept|7 ; 2|undone|7", "select id, name, extra from t order by id")
			a.exec("rollback to s")
			a.want("1|mine|7|NULL ; 2|undone|7|NULL ; 3|mine|7|NULL", "select id, name, extra, e2 from t order by id")
			a.exec("commit")
		}
		b.want("1|mine|7|NULL ; 2|undone|7|NULL ; 3|mine|7|NULL", "select id, name, extra, e2 from t order by id")
	}
}

// R94: between its row and its COMMIT the table is as before.
func TestR94PausedDDL(t *testing.T) {
	db := openDatabase(t)
	a, b := table(t, db), db.app(t)
	a.exec("insert into t (id) values (1)")
	resume := db.PauseDDL()
	done := make(chan error, 1)
	before := db.log.CurrentSCN()
	go func() {
		_, err := b.try("alter table t add extra number")
		done <- err
	}()
	for db.log.CurrentSCN() == before {
		runtime.Gosched()
	}
	a.exec("insert into t (id) values (2)")
	a.refuse(904, "select extra from t")
	a.refuse(54, "comment on table t is 'x'")
	a.exec("commit")
	resume()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	a.want("1|NULL ; 2|NULL", "select id, extra from t order by id")
	var order []string
	db.log.mu.Lock()
	for _, r := range db.log.records {
		if r.SCN > before {
			order = append(order, fmt.Sprintf("%d:%d", r.Op, len(layoutColumns(r.Table))))
		}
	}
	db.log.mu.Unlock()
	if got := strings.Join(order, " "); got != "6:0 5:4 1:3 7:0 7:0" {
		t.Errorf("redo: %s", got)
	}
}

func layoutColumns(t *catalog.Table) []catalog.Column {
	if t == nil {
		return nil
	}
	return t.Columns
}
