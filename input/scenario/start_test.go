package scenario_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// R87: what is open at the start is delivered whole when it commits, with its rows from before, and nothing waits for it.
func TestR87TransactionsThatAreOpenAtTheStartAreDeliveredWhole(t *testing.T) {
	sideBySide(t)
	for _, end := range []string{"committed", "rolled back"} {
		t.Run(end, func(t *testing.T) {
			s := begin(t, logs(3, 64<<10))
			s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
			old, later := s.connect(app).begin(), s.connect(app).begin()
			old.exec("INSERT INTO $t VALUES (1, 'old')")
			s.exec("INSERT INTO $t VALUES (9, 'from before')")
			s.foreignWork() // the first rows lie some logs back
			later.exec("INSERT INTO $t VALUES (2, 'later')")
			p := s.start(nil)
			s.exec("INSERT INTO $t VALUES (3, 'new')")
			same(t, p.await(1), `{"ID":3} c {"ID":3,"NAME":"new"}`)
			old.exec("UPDATE $t SET name = 'still old' WHERE id = 1")
			later.exec("UPDATE $t SET name = 'whole' WHERE id = 2")
			want := []string{`{"ID":3} c {"ID":3,"NAME":"new"}`}
			if end == "committed" {
				old.commit()
				want = append(want, `{"ID":1} c {"ID":1,"NAME":"old"}`, `{"ID":1} u {"ID":1,"NAME":"old"} -> {"ID":1,"NAME":"still old"}`)
			} else {
				old.rollback()
			}
			later.commit()
			want = append(want, `{"ID":2} c {"ID":2,"NAME":"later"}`, `{"ID":2} u {"ID":2,"NAME":"later"} -> {"ID":2,"NAME":"whole"}`)
			same(t, p.settle(), want...)
			p.until("the position still has the list of the first start", func() bool { return s.stored().FirstStart == nil })
		})
	}
}

// R88: a transaction that was open at the first start is whole after a kill, too.
func TestR88KillWhileAListedTransactionIsOpen(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	old := s.connect(app).begin()
	old.exec("INSERT INTO $t VALUES (1)")
	s.exec("INSERT INTO $t VALUES (9)")
	p := s.start(nil)
	s.exec("INSERT INTO $t VALUES (2)")
	same(t, p.settle(), `{"ID":2} c {"ID":2}`)
	after := s.scn()
	p.until("what was acknowledged is not stored", func() bool { return uint64(s.stored().Done.SCN) > after })
	p.kill()
	old.exec("INSERT INTO $t VALUES (3)")
	p = s.start(nil)
	old.exec("INSERT INTO $t VALUES (4)")
	old.commit()
	same(t, p.settle(), `{"ID":1} c {"ID":1}`, `{"ID":3} c {"ID":3}`, `{"ID":4} c {"ID":4}`)
}

// R89: the redo of a transaction that is open is gone: a typed stop that names it, and nothing is stored.
func TestR89OpenTransactionOlderThanTheArchivedLogs(t *testing.T) {
	s := begin(t, logs(2, 64<<10), needing(purging))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	old := s.connect(app).begin()
	old.exec("INSERT INTO $t VALUES (1)")
	s.foreignWork()
	if n := s.server.PurgeArchived(s.server.CurrentSCN()); n == 0 {
		t.Fatal("nothing was purged")
	}
	p := s.launch(nil)
	refusal(t, p.stopped(), 2002, "transaction ")
	if s.stored() != nil {
		t.Fatal("a position is stored")
	}
	old.rollback()
	p = s.start(nil)
	s.exec("INSERT INTO $t VALUES (2)")
	same(t, p.settle(), `{"ID":2} c {"ID":2}`)
}

// R88: the beginning is durable before anything is delivered, so that a death at the first batch loses nothing.
func TestR88FirstPositionIsStoredBeforeTheFirstMessage(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	block := p.blockFrom(1)
	s.commit("INSERT INTO $t VALUES (1)")
	<-block
	p.kill()
	s.commit("INSERT INTO $t VALUES (2)")
	same(t, s.start(nil).settle(), `{"ID":1} c {"ID":1}`, `{"ID":2} c {"ID":2}`)
}

func TestChangesFromBeforeTheFirstStartAreNotDelivered(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	for range 5 {
		s.commit("INSERT INTO $t VALUES (1)", "UPDATE $t SET id = 2", "DELETE FROM $t")
		s.switchLog()
	}
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (3)")
	same(t, p.settle(), `{"ID":3} c {"ID":3}`)
}

func TestStartGoesOnWithoutTablesWhenTheyMayComeLater(t *testing.T) {
	s := begin(t)
	s.logAll()
	p := s.start(fields{"include": s.include("t"), "allow_no_tables": true})
	s.tableWhileCapturing("t", "id NUMBER(9) PRIMARY KEY")
	s.commit("INSERT INTO $t VALUES (1)")
	same(t, p.await(1), `{"ID":1} c {"ID":1}`)
}

// R89: a view that does not show where an open transaction begins shows when, or nothing.
func TestR89OpenTransactionWithoutStartSCN(t *testing.T) {
	for name, w := range map[string]redo.Warts{"zero": {R89StartSCNZero: true}, "null": {R89StartSCNNull: true}} {
		t.Run(name, func(t *testing.T) {
			var passed atomic.Int64 // the database has a past
			s := begin(t, misleads(w), needing(ownSettings), serving(func(c *oracletest.Config) {
				c.Now = func() time.Time { return time.Now().Add(time.Duration(passed.Load())) }
			}))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			passed.Add(int64(time.Hour))
			s.exec("INSERT INTO $t VALUES (9)")
			old := s.connect(app).begin()
			old.exec("INSERT INTO $t VALUES (1)")
			passed.Add(int64(time.Hour))
			p := s.start(nil)
			old.exec("INSERT INTO $t VALUES (2)")
			old.commit()
			same(t, p.settle(), `{"ID":1} c {"ID":1}`, `{"ID":2} c {"ID":2}`)
		})
	}
	t.Run("no time", func(t *testing.T) {
		s := begin(t, misleads(redo.Warts{R89StartSCNZero: true, R89NoStartDate: true}))
		s.table("t", "id NUMBER(9) PRIMARY KEY")
		old := s.connect(app).begin()
		old.exec("INSERT INTO $t VALUES (1)")
		p := s.launch(nil)
		refusal(t, p.stopped(), 2002, "transaction ")
		if s.stored() != nil {
			t.Fatal("a position is stored")
		}
	})
}

// R87: a branch in doubt is open, also where GV$TRANSACTION does not show it; where it begins nobody knows then.
func TestR87TransactionsInDoubt(t *testing.T) {
	for name, c := range map[string]struct {
		warts redo.Warts
		stops bool
	}{"shown by both views": {redo.Warts{R87Prepared: true}, false}, "shown as in doubt only": {redo.Warts{R87PreparedAlone: true}, true}} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, misleads(c.warts))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			old := s.connect(app).begin()
			old.exec("INSERT INTO $t VALUES (1)")
			if c.stops {
				refusal(t, s.launch(nil).stopped(), 2002, "COMMIT FORCE")
				return
			}
			p := s.start(nil)
			old.commit()
			same(t, p.settle(), `{"ID":1} c {"ID":1}`)
		})
	}
}
