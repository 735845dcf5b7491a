package scenario_test

import "testing"

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
