package engine

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func table(t *testing.T, db *database) *client {
	c := db.app(t)
	c.exec("create table t (id number primary key, name varchar2(20), n number)")
	c.exec("alter table t add supplemental log data (all) columns")
	return c
}

func (db *database) wantTrace(t *testing.T, from int, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, db.trace(from)); diff != "" {
		t.Errorf("redo (-want +got):\n%s", diff)
	}
}

// Reference logminer O, scene 2 and F.2: undo rows newest first, inverse operations, no marker for a savepoint.
func TestSavepointAndFailedStatementAreInTheRedoAsScene2ShowsThem(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	from := len(db.log.records)
	c.exec("insert into t (id, name) values (1, 'one')")
	c.exec("savepoint s")
	c.exec("insert into t (id, name) values (2, 'two')")
	c.exec("update t set name = 'x' where id = 1")
	c.exec("delete from t where id = 2")
	c.exec("rollback to savepoint s")
	c.exec("insert into t (id, name) values (3, 'three')")
	c.refuse(1, "insert into t (id, name) values (1, 'dup')")
	c.exec("commit")
	c.want("1|one ; 3|three", "select id, name from t")
	db.wantTrace(t, from,
		"START",
		"+INSERT T HAAA after(ID=1,NAME=one,N=NULL)",
		"INSERT T HAAB after(ID=2,NAME=two,N=NULL)",
		"UPDATE T HAAA before(ID=1,NAME=one,N=NULL) after(NAME=x)",
		"DELETE T HAAB before(ID=2,NAME=two,N=NULL)",
		"INSERT(undo) T HAAB after(ID=2,NAME=two,N=NULL)",
		"UPDATE(undo) T HAAA after(NAME=one)",
		"DELETE(undo) T HAAB",
		"INSERT T HAAB after(ID=3,NAME=three,N=NULL)", // the slot of the undone insert again (F.2)
		"INSERT T HAAC after(ID=1,NAME=dup,N=NULL)",
		"DELETE(undo) T HAAC",
		"COMMIT",
	)
}

func TestFullRollbackEndsInItsMarker(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	from := len(db.log.records)
	c.exec("insert into t (id) values (1)")
	c.exec("rollback")
	db.wantTrace(t, from, "START", "+INSERT T HAAA after(ID=1,NAME=NULL,N=NULL)", "DELETE(undo) T HAAA", "ROLLBACK")
	c.want("", "select * from t")
}

func TestEndsOfEmptyTransactionsWriteNothing(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	c.exec("insert into t (id) values (1)")
	c.exec("commit")
	from := len(db.log.records)
	c.exec("commit")
	c.exec("rollback")
	c.exec("update t set n = 1 where id = 9")
	c.exec("select * from t for update")
	c.exec("commit")
	db.wantTrace(t, from)
}

// A statement that fails at its third row has all its rows in the redo, and undone.
func TestStatementAtomicity(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	c.exec("create table s (id number, name varchar2(20))")
	for _, id := range []int{1, 2, 1, 3} {
		c.exec("insert into s (id) values (:1)", id)
	}
	c.exec("commit")
	from := len(db.log.records)
	c.refuse(1, "insert into t (id, name) select id, name from s")
	db.wantTrace(t, from,
		"START", "+INSERT T HAAA after(ID=1,NAME=NULL,N=NULL)", "+INSERT T HAAB after(ID=2,NAME=NULL,N=NULL)", "+INSERT T HAAC after(ID=1,NAME=NULL,N=NULL)",
		"DELETE(undo) T HAAC", "DELETE(undo) T HAAB", "DELETE(undo) T HAAA")
	c.exec("commit")
	c.want("0", "select count(*) from t")
	c.exec("insert into t (id, n) select rownum, rownum from s")
	c.refuse(1476, "update t set n = 1 / (n - 3)")
	c.want("1|1 ; 2|2 ; 3|3 ; 4|4", "select id, n from t")
	c.exec("update t set id = id + 1")
	c.want("2 ; 3 ; 4 ; 5", "select id from t")
	c.refuse(1, "update t set id = 2 where id in (3, 4)")
	c.want("2 ; 3 ; 4 ; 5", "select id from t order by id")
}

// An array insert shares a redo record (reference logminer B.3); its failing row alone is undone.
func TestArrayInsertSharesItsRedoRecord(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	from := len(db.log.records)
	rows := append(binds(1), append(binds(2), append(binds(2), binds(3)...)...)...)
	r, err := c.s.Execute(t.Context(), wire.Statement{SQL: "insert into t (id) values (:1)", Binds: rows})
	wantCode(t, "array insert", err, 1)
	if r.RowsAffected != 2 || len(r.Counts) != 2 {
		t.Errorf("rows affected %d, counts %v, want 2", r.RowsAffected, r.Counts)
	}
	c.exec("commit")
	db.wantTrace(t, from, "START", "+INSERT T HAAA after(ID=1,NAME=NULL,N=NULL)", "+INSERT T HAAB after(ID=2,NAME=NULL,N=NULL)",
		"+INSERT T HAAC after(ID=2,NAME=NULL,N=NULL)", "DELETE(undo) T HAAC", "COMMIT")
	recs := db.log.records[from:]
	if recs[1].RBA != recs[2].RBA || recs[1].SSN == recs[2].SSN || recs[0].RBA != recs[1].RBA || recs[0].SSN != recs[1].SSN {
		t.Errorf("addresses %v/%d %v/%d %v/%d", recs[0].RBA, recs[0].SSN, recs[1].RBA, recs[1].SSN, recs[2].RBA, recs[2].SSN)
	}
	c.want("1 ; 2", "select id from t")
}

// Reference logminer D.3 and L.2: what old values an UPDATE carries.
func TestSupplementalLoggingShapesTheBeforeImage(t *testing.T) {
	for _, row := range []struct{ name, setup, update, want string }{
		{"all", "alter table t add supplemental log data (all) columns", "n = 5", "UPDATE T HAAA before(ID=1,NAME=a,N=1,U=7) after(N=5)"},
		{"key", "alter table t add supplemental log data (primary key) columns", "n = 5", "UPDATE T HAAA before(ID=1,N=1) after(N=5)"},
		{"minimal", "commit", "n = 5, name = name", "UPDATE T HAAA before(NAME=a,N=1) after(NAME=a,N=5)"},
		{"unique, not touched", "alter table t add supplemental log data (unique) columns", "n = 5", "UPDATE T HAAA before(N=1) after(N=5)"},
		{"unique, changed", "alter table t add supplemental log data (unique index) columns", "u = 8", "UPDATE T HAAA before(U=7) after(U=8)"},
		{"database, all", "alter database add supplemental log data (all) columns", "n = 5", "UPDATE T HAAA before(ID=1,NAME=a,N=1,U=7) after(N=5)"},
		{"key change", "alter table t add supplemental log data (primary key) columns", "id = 2", "UPDATE T HAAA before(ID=1) after(ID=2)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			db := openDatabase(t)
			db.connect(t, "FREEPDB1", "system").exec("grant alter database to app")
			c := db.app(t)
			c.exec("create table t (id number primary key, name varchar2(9), n number, u number unique)")
			c.exec(row.setup)
			c.exec("insert into t values (1, 'a', 1, 7)")
			from := len(db.log.records)
			c.exec("update t set " + row.update)
			db.wantTrace(t, from, row.want)
		})
	}
}

// Reference logminer F.1: a DDL commits the open transaction, then is a transaction of its own.
func TestDDLIsATransactionOfItsOwn(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	from := len(db.log.records)
	c.exec("insert into t (id) values (1)")
	c.exec("  alter table t add (more number default 5)")
	db.wantTrace(t, from, "START", "+INSERT T HAAA after(ID=1,NAME=NULL,N=NULL)", "COMMIT", "START", "+DDL T   alter table t add (more number default 5)", "COMMIT")
	recs := db.log.records[from:]
	if recs[0].XID == recs[3].XID || recs[3].XID != recs[5].XID {
		t.Errorf("XIDs %v, %v, %v", recs[0].XID, recs[3].XID, recs[5].XID)
	}
	c.want("1|NULL|NULL|5", "select * from t")
}

func TestXIDsAreGivenOutPerContainer(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	root := db.connect(t, "FREE", "system")
	root.exec("create table r (a number)")
	root.exec("insert into r values (1)")
	c.exec("insert into t (id) values (1)")
	seen := make(map[redo.XID]bool)
	shared := false
	for _, x := range db.Transactions() {
		shared = shared || seen[x.XID]
		seen[x.XID] = true
	}
	// Three transactions in the PDB before, one in the root: make the root catch up.
	for !shared && len(db.log.records) < 100 {
		root.exec("commit")
		root.exec("insert into r values (1)")
		tx := db.Transactions()
		shared = len(tx) == 2 && tx[0].XID == tx[1].XID
	}
	if !shared {
		t.Error("two PDBs never had the same XID open, though each counts for itself")
	}
	first, second := db.log.records[0].XID, db.log.records[3].XID
	if first == second {
		t.Errorf("XID %v twice", first)
	}
}

func TestReadConsistency(t *testing.T) {
	db := openDatabase(t)
	a := table(t, db)
	b := db.app(t)
	a.exec("insert into t (id, n) values (1, 1)")
	b.want("", "select * from t")
	a.want("1", "select n from t")
	a.exec("commit")
	b.want("1", "select n from t")
	r, err := b.s.Execute(t.Context(), wire.Statement{SQL: "select n from t"})
	if err != nil {
		t.Fatal(err)
	}
	a.exec("update t set n = 2")
	a.exec("insert into t (id, n) values (2, 2)")
	a.exec("commit")
	row := binds(nil)[0]
	if ok, err := r.Rows.Next(t.Context(), row); !ok || err != nil || show(row[0]) != "1" {
		t.Errorf("an open cursor saw %v %v %s, want its snapshot: 1", ok, err, show(row[0]))
	}
	if ok, _ := r.Rows.Next(t.Context(), row); ok {
		t.Error("an open cursor saw a row inserted after it was opened")
	}
	// A statement does not see its own changes.
	a.exec("insert into t (id, n) select id + 10, n from t")
	a.want("4", "select count(*) from t")
	a.exec("update t a set n = (select max(n) + 1 from t b where b.id <> a.id) where id < 3")
	a.want("1|3 ; 2|3", "select id, n from t where id < 3")
	a.exec("update t set n = id")
	a.exec("update t a set n = (select max(n) + 1 from t b where b.id < 3 and b.id <> a.id) where id < 3")
	a.want("1|3 ; 2|2", "select id, n from t where id < 3") // not 4: row 1 counts as it was
}

func TestAsOfSCN(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	c.exec("insert into t (id, n) values (1, 1)")
	c.exec("commit")
	first := db.log.CurrentSCN()
	c.exec("update t set n = 2, id = 2")
	c.exec("commit")
	second := db.log.CurrentSCN()
	c.exec("delete from t")
	c.want("1|1", "select id, n from t as of scn :1", first)
	c.want("2|2", "select id, n from t as of scn :1 x where x.id = 2", second)
	c.want("", "select id, n from t as of scn :1 where id = 2", first)
	c.want("1", "select n from t as of scn :1 where id = 1", first)
	c.want("2|2", "select id, n from t as of scn :1", db.log.CurrentSCN()) // not the session's own open change
	c.exec("commit")
	c.want("", "select id, n from t as of scn :1", db.log.CurrentSCN())
	c.want("1|2", "select a.n, b.n from t as of scn :1 a, t as of scn :2 b", first, second)
	c.refuse(8181, "select * from t as of scn :1", db.log.CurrentSCN()+100)
	c.exec("alter table t add more number")
	c.refuse(1466, "select * from t as of scn :1", second)
}

func TestOldVersionsGoAfterTheUndoRetention(t *testing.T) {
	now := testTime
	db := openDatabase(t, func(c *Config) {
		c.UndoRetention = time.Minute
		c.Clock = func() time.Time { return now }
	})
	c := table(t, db)
	c.exec("insert into t (id, n) values (1, 1)")
	c.exec("commit")
	old := db.log.CurrentSCN()
	c.exec("update t set n = 2, id = 2")
	c.exec("commit")
	c.want("1", "select n from t as of scn :1 where id = 1", old)
	now = now.Add(2 * time.Minute)
	c.exec("delete from t")
	c.exec("commit")
	c.refuse(1555, "select n from t as of scn :1", old)
	c.exec("insert into t (id, n) values (2, 7)")
	c.exec("commit")
	kept := db.log.CurrentSCN()
	now = now.Add(50 * time.Second)
	c.exec("delete from t")
	c.exec("commit")
	now = now.Add(30 * time.Second) // the first delete of key 2 is too old now, the second is not
	c.exec("insert into t (id, n) values (3, 3)")
	c.exec("commit")
	c.want("7", "select n from t as of scn :1 where id = 2", kept)
	c.want("7", "select n from t as of scn :1", kept)
	now = now.Add(2 * time.Minute)
	c.exec("insert into t (id, n) values (2, 3)")
	c.exec("commit")
	c.want("3", "select n from t where id = 2")
}

// waitFor runs a statement that must wait, and returns a function that gives its outcome.
func waitFor(c *client, text string) func() error {
	done := make(chan error, 1)
	go func() {
		_, err := c.s.Execute(c.t.Context(), wire.Statement{SQL: text})
		done <- err
	}()
	for !c.db.waits() {
		runtime.Gosched()
	}
	select {
	case err := <-done:
		c.t.Errorf("%s did not wait: %v", text, err)
		done <- err
	default:
	}
	return func() error { return <-done }
}

func (db *database) waits() bool { return db.store.Waiting() > 0 }

func TestASecondWriterWaitsAndLooksAgain(t *testing.T) {
	db := openDatabase(t)
	a, b := table(t, db), db.app(t)
	a.exec("insert into t (id, n) values (1, 1)")
	a.exec("insert into t (id, n) values (2, 2)")
	a.exec("commit")
	a.exec("update t set n = 10 where id = 1")
	wait := waitFor(b, "update t set n = n + 1 where n = 1 or n = 2")
	a.exec("commit")
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	b.want("1|10 ; 2|3", "select id, n from t") // row 1 no longer fits: the statement was restarted
	b.exec("rollback")

	a.exec("update t set n = 11 where id = 1")
	wait = waitFor(b, "update t set n = n + 1 where id = 1")
	a.exec("rollback")
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	b.want("11", "select n from t where id = 1")
	wait = waitFor(a, "delete from t where id = 1")
	b.exec("commit")
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	a.exec("commit")
	b.want("2", "select id from t")
}

func TestUniqueKeysWaitForTheOtherTransaction(t *testing.T) {
	db := openDatabase(t)
	a, b := table(t, db), db.app(t)
	a.exec("insert into t (id) values (1)")
	wait := waitFor(b, "insert into t (id) values (1)")
	a.exec("commit")
	wantCode(t, "insert after commit", wait(), 1)
	b.exec("rollback")
	a.exec("delete from t")
	wait = waitFor(b, "insert into t (id) values (1)")
	a.exec("rollback")
	wantCode(t, "insert after rollback of a delete", wait(), 1)
	b.exec("rollback")
	a.exec("delete from t")
	wait = waitFor(b, "insert into t (id) values (1)")
	a.exec("commit")
	if err := wait(); err != nil {
		t.Errorf("insert after a committed delete: %v", err)
	}
	b.exec("commit")
	b.want("1", "select count(*) from t")
}

func TestDeadlockIsFound(t *testing.T) {
	db := openDatabase(t)
	a, b := table(t, db), db.app(t)
	a.exec("insert into t (id, n) values (1, 1)")
	a.exec("insert into t (id, n) values (2, 2)")
	a.exec("commit")
	a.exec("update t set n = 5 where id = 1")
	b.exec("update t set n = 6 where id = 2")
	wait := waitFor(a, "update t set n = 5 where id = 2")
	b.refuse(60, "update t set n = 6 where id = 1")
	b.want("6", "select n from t where id = 2") // the statement failed, not the transaction
	b.exec("commit")
	if err := wait(); err != nil {
		t.Fatal(err)
	}
	a.exec("commit")
	a.want("5 ; 5", "select n from t")
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	db := openDatabase(t)
	a, b := table(t, db), db.app(t)
	a.exec("insert into t (id, n) values (1, 1)")
	a.exec("commit")
	a.exec("update t set n = 5")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := b.s.Execute(ctx, wire.Statement{SQL: "delete from t"})
		done <- err
	}()
	for !db.waits() {
		runtime.Gosched()
	}
	cancel()
	wantCode(t, "cancelled wait", <-done, 1013)
	b.refuse(54, "select * from t for update nowait")
	b.refuse(30006, "select * from t for update wait 1")
	a.exec("commit")
	b.want("5", "select n from t for update nowait")
}

// A lost connection rolls back, a log-off commits.
func TestTheEndOfASession(t *testing.T) {
	db := openDatabase(t)
	a := table(t, db)
	lost, clean := db.app(t), db.app(t)
	lost.exec("insert into t (id) values (1)")
	clean.exec("insert into t (id) values (2)")
	if !lost.s.InTransaction() || a.s.InTransaction() {
		t.Error("InTransaction is wrong")
	}
	lost.s.Close(false)
	clean.s.Close(true)
	a.want("2", "select id from t")
	if got := db.trace(len(db.log.records) - 2); !strings.HasPrefix(got[0], "ROLLBACK") || got[1] != "COMMIT" {
		t.Errorf("redo ends in %v", got)
	}
	if n := len(db.Transactions()); n != 0 {
		t.Errorf("%d transactions are open", n)
	}
}

func TestSavepointsAreReplacedAndForgotten(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	c.exec("savepoint before")
	c.exec("insert into t (id) values (1)")
	c.exec("savepoint a")
	c.exec("insert into t (id) values (2)")
	c.exec("savepoint b")
	c.exec("savepoint a")
	c.exec("insert into t (id) values (3)")
	c.exec("rollback to a")
	c.want("1 ; 2", "select id from t")
	c.exec("rollback to b")
	c.refuse(1086, "rollback to a")
	c.exec("rollback to before")
	c.want("", "select id from t")
	c.exec("commit")
	c.refuse(1086, "rollback to before")
}

func TestARollbackToASavepointGivesItsLocksBack(t *testing.T) {
	db := openDatabase(t)
	a, b := table(t, db), db.app(t)
	a.exec("insert into t (id, n) values (1, 1)")
	a.exec("insert into t (id, n) values (2, 2)")
	a.exec("commit")
	a.exec("update t set n = 5 where id = 1")
	a.exec("savepoint s")
	a.exec("update t set n = 5")
	a.exec("rollback to s")
	b.want("2", "select n from t where id = 2 for update nowait")
	b.refuse(54, "select n from t where id = 1 for update nowait")
}

func TestAutoCommit(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	if _, err := c.s.Execute(t.Context(), wire.Statement{SQL: "insert into t (id) values (1)", AutoCommit: true}); err != nil {
		t.Fatal(err)
	}
	if c.s.InTransaction() {
		t.Error("still in a transaction")
	}
	var ora *wire.OraError
	_, err := c.s.Execute(t.Context(), wire.Statement{SQL: "insert into t (id) values (1)", AutoCommit: true})
	if !errors.As(err, &ora) {
		t.Errorf("duplicate: %v", err)
	}
}
