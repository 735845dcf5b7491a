package scenario_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyCommittedTransactionsArrive(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	x := s.begin()
	x.exec("INSERT INTO $t VALUES (1)")
	x.exec("UPDATE $t SET id = 2")
	x.rollback()
	s.commit("INSERT INTO $t VALUES (3)")
	same(t, p.settle(), `{"ID":3} c {"ID":3}`)
}

func TestR112RollbackToSavepointTakesBackWhatIsBehindIt(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	s.exec("INSERT INTO $t VALUES (1, 'old')")
	p := s.start(nil)
	s.commit(
		"INSERT INTO $t VALUES (10, 'a')",
		"SAVEPOINT one",
		"INSERT INTO $t VALUES (11, 'b')", "UPDATE $t SET name = 'c' WHERE id = 10", "DELETE FROM $t WHERE id = 1",
		"ROLLBACK TO SAVEPOINT one",
		"INSERT INTO $t VALUES (11, 'again')",
		"SAVEPOINT two",
		"UPDATE $t SET id = 12 WHERE id = 11", "UPDATE $t SET name = 'x' WHERE id = 12", "UPDATE $t SET name = 'y' WHERE id = 12",
		"ROLLBACK TO SAVEPOINT two",
		"UPDATE $t SET name = 'new' WHERE id = 1",
	)
	got := p.settle()
	same(t, got,
		`{"ID":10} c {"ID":10,"NAME":"a"}`,
		`{"ID":11} c {"ID":11,"NAME":"again"}`,
		`{"ID":1} u {"ID":1,"NAME":"old"} -> {"ID":1,"NAME":"new"}`,
	)
	for i, m := range got {
		if m.event.Index != i || m.event.Transaction.Count != 3 {
			t.Errorf("event %d of %d, want %d of 3: undone changes count nowhere", m.event.Index, m.event.Transaction.Count, i)
		}
	}
}

func TestFailedStatementsLeaveNothing(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(5) NOT NULL")
	s.exec("INSERT INTO $t VALUES (1, 'one')")
	p := s.start(nil)
	x := s.begin()
	x.exec("INSERT INTO $t VALUES (2, 'two')")
	x.fail("INSERT INTO $t VALUES (1, 'dup')")
	x.fail("INSERT INTO $t SELECT id + 10, name FROM $t UNION ALL SELECT 1, 'dup' FROM dual")
	x.fail("UPDATE $t SET id = 1")
	x.fail("UPDATE $t SET name = CASE id WHEN 1 THEN 'uno' END")
	x.fail("INSERT INTO $t VALUES (3, 'too long')")
	x.exec("UPDATE $t SET name = 'due' WHERE id = 2")
	x.commit()
	same(t, p.settle(),
		`{"ID":2} c {"ID":2,"NAME":"two"}`,
		`{"ID":2} u {"ID":2,"NAME":"two"} -> {"ID":2,"NAME":"due"}`,
	)
}

func TestTransactionWithNothingLeftIsNotDelivered(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	s.commit("SAVEPOINT a", "INSERT INTO $t VALUES (1)", "DELETE FROM $t", "ROLLBACK TO a")
	same(t, p.settle())
}

// Transactions that ran side by side come whole, in the order of their commits; a transaction that was open all the time comes
// when it commits.
func TestInterleavedSessionsArriveInCommitOrder(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	p := s.start(nil)
	long, other := s.connect(app).begin(), s.connect(app).begin()
	long.exec("INSERT INTO $t VALUES (1, 'long')")
	other.exec("INSERT INTO $t VALUES (2, 'other')")
	s.commit("INSERT INTO $t VALUES (3, 'short')", "UPDATE $t SET name = 'done' WHERE id = 3")
	long.exec("UPDATE $t SET name = 'still open' WHERE id = 1")
	other.exec("UPDATE $t SET name = 'other still' WHERE id = 2")
	got := p.settle()
	want := []string{`{"ID":3} c {"ID":3,"NAME":"short"}`, `{"ID":3} u {"ID":3,"NAME":"short"} -> {"ID":3,"NAME":"done"}`}
	same(t, got, want...)
	other.commit()
	s.commit("INSERT INTO $t VALUES (4, 'after')")
	long.exec("INSERT INTO $t VALUES (5, 'last')")
	long.commit()
	want = append(want,
		`{"ID":2} c {"ID":2,"NAME":"other"}`, `{"ID":2} u {"ID":2,"NAME":"other"} -> {"ID":2,"NAME":"other still"}`,
		`{"ID":4} c {"ID":4,"NAME":"after"}`,
		`{"ID":1} c {"ID":1,"NAME":"long"}`, `{"ID":1} u {"ID":1,"NAME":"long"} -> {"ID":1,"NAME":"still open"}`, `{"ID":5} c {"ID":5,"NAME":"last"}`,
	)
	got = p.settle()
	same(t, got, want...)
	if ids := transactions(got); len(ids) != 4 {
		t.Errorf("transactions %q, want 4 whole ones", ids)
	}
	if scns := commits(got); !slices.IsSorted(scns) {
		t.Errorf("commit SCNs go back: %d", scns)
	}
}

func commits(messages []message) []uint64 {
	scns := make([]uint64, len(messages))
	for i := range messages {
		scns[i] = uint64(messages[i].event.Transaction.Key.SCN)
	}
	return scns
}

func TestBigTransactionArrivesWholeAndInOrder(t *testing.T) {
	const rows, perStatement = 10_000, 500
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	p := s.start(fields{"batching.count": 777})
	x := s.begin()
	for from := 0; from < rows; from += perStatement {
		ids := make([]int, perStatement)
		for i := range ids {
			ids[i] = rows - from - i // no order of keys helps
		}
		x.exec("INSERT INTO $t VALUES (:1, :2)", ids, ids)
	}
	x.commit()
	got := p.settle()
	if len(got) != rows {
		t.Fatalf("%d messages, want %d", len(got), rows)
	}
	for i := range got {
		ev := got[i].event
		want := fmt.Sprintf(`{"ID":%d} c {"ID":%d,"V":%d}`, rows-i, rows-i, rows-i)
		if got[i].line() != want || ev.Index != i || ev.TableOrder != i+1 || ev.Transaction.Count != rows {
			t.Fatalf("message %d: %s with event index %d of %d", i, got[i].line(), ev.Index, ev.Transaction.Count)
		}
	}
	if ids := transactions(got); len(ids) != 1 {
		t.Errorf("%d transactions", len(ids))
	}
}

// Random sessions with savepoints, failures, rollbacks and key changes: after each transaction of the stream its rows are those
// of the database AS OF the commit SCN.
func TestStreamAgreesWithTheDatabaseAtEveryCommit(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)")
	p := s.start(fields{"batching.count": 7})
	work(s, 1, 600)
	replica := map[string]string{}
	checked := 0
	got := p.settle()
	for i := range got {
		m := &got[i]
		m.applyTo(replica)
		if i == len(got)-1 || got[i+1].event.Transaction.ID != m.event.Transaction.ID {
			scn := m.event.Transaction.Key.SCN
			if diff := cmp.Diff(s.rowsAt("t", uint64(scn)), replica); diff != "" {
				t.Fatalf("after transaction %s, AS OF SCN %d (-database +stream):\n%s", m.event.Transaction.ID, scn, diff)
			}
			checked++
		}
	}
	if checked < 50 {
		t.Errorf("only %d transactions were compared", checked)
	}
}

// rowsAt reads a table (id, v, name) as records show it, by key.
func (s *scenario) rowsAt(table string, scn uint64) map[string]string {
	s.t.Helper()
	all := map[string]string{}
	for _, row := range s.rows("SELECT id, v, name FROM $" + table + " AS OF SCN " + strconv.FormatUint(scn, 10)) {
		v, name := row[1], strconv.Quote(row[2])
		if v == "-" {
			v = "null"
		}
		if row[2] == "-" {
			name = "null"
		}
		all[`{"ID":`+row[0]+`}`] = fmt.Sprintf(`{"ID":%s,"V":%s,"NAME":%s}`, row[0], v, name)
	}
	return all
}
