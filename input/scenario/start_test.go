package scenario_test

import (
	"strings"
	"testing"
)

// R87: what was open before the start is not delivered; what commits after it is delivered whole, with its rows from before.
func TestR87FirstStartWaitsForOpenTransactionsAndDeliversLaterOnesWhole(t *testing.T) {
	sideBySide(t)
	for _, end := range []string{"committed", "rolled back"} {
		t.Run(end, func(t *testing.T) {
			s := begin(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
			old, later := s.connect(app).begin(), s.connect(app).begin()
			old.exec("INSERT INTO $t VALUES (1, 'old')")
			p := s.launch(nil)
			p.until("the start does not wait", func() bool { return strings.Contains(p.log.text(), "First start waits") })
			if s.stored() != nil {
				t.Fatal("a position is stored although a transaction from before is open")
			}
			old.exec("UPDATE $t SET name = 'still old' WHERE id = 1")
			later.exec("INSERT INTO $t VALUES (2, 'later')")
			s.exec("INSERT INTO $t VALUES (3, 'while it waits')")
			if end == "committed" {
				old.commit()
			} else {
				old.rollback()
			}
			p.awaitCapture()
			later.exec("UPDATE $t SET name = 'whole' WHERE id = 2")
			later.commit()
			same(t, p.settle(), `{"ID":2} c {"ID":2,"NAME":"later"}`, `{"ID":2} u {"ID":2,"NAME":"later"} -> {"ID":2,"NAME":"whole"}`)
		})
	}
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
