package scenario_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

func same(t *testing.T, got []message, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), lines(got)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestInsertUpdateDeleteArriveAsOneRecordEachAndATombstone(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	s.exec("INSERT INTO $t VALUES (100, 'before the start')")
	p := s.start(nil)
	s.exec("INSERT INTO $t VALUES (1, 'one')")
	s.exec("UPDATE $t SET name = 'uno' WHERE id = 1")
	s.exec("DELETE FROM $t WHERE id = 1")
	same(t, p.settle(),
		`{"ID":1} c {"ID":1,"NAME":"one"}`,
		`{"ID":1} u {"ID":1,"NAME":"one"} -> {"ID":1,"NAME":"uno"}`,
		`{"ID":1} d {"ID":1,"NAME":"uno"}`,
		`{"ID":1} tombstone`,
	)
}

func TestUpdateThatSetsNothingNewIsAnUpdate(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (1, 'one')", "UPDATE $t SET name = 'one' WHERE id = 1", "UPDATE $t SET id = 1 WHERE id = 1",
		"UPDATE $t SET name = 'none' WHERE id = 2")
	same(t, p.settle(),
		`{"ID":1} c {"ID":1,"NAME":"one"}`,
		`{"ID":1} u {"ID":1,"NAME":"one"} -> {"ID":1,"NAME":"one"}`,
		`{"ID":1} u {"ID":1,"NAME":"one"} -> {"ID":1,"NAME":"one"}`,
	)
}

// Seed 001: the old key's row ends and the new key's begins; the three records are one event, in one batch (R64), whatever the
// batch limit.
func TestR64KeyChangeIsDeleteTombstoneAndCreateInOneBatch(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	p := s.launch(fields{"batching.count": 2})
	var batches []string
	p.judgeBy(func(_ context.Context, _ int, batch []message) error {
		if batch = without(batch, s.db.Table(fenceTable)); len(batch) > 0 {
			batches = append(batches, strings.Join(lines(batch), "; "))
		}
		return nil
	})
	p.awaitCapture()
	s.commit("INSERT INTO $t VALUES (1, 'one')", "UPDATE $t SET id = 2 WHERE id = 1", "UPDATE $t SET id = 3, name = 'three' WHERE id = 2")
	got := p.settle()
	want := []string{
		`{"ID":1} c {"ID":1,"NAME":"one"}`,
		`{"ID":1} d {"ID":1,"NAME":"one"}`, `{"ID":1} tombstone`, `{"ID":2} c {"ID":2,"NAME":"one"}`,
		`{"ID":2} d {"ID":2,"NAME":"one"}`, `{"ID":2} tombstone`, `{"ID":3} c {"ID":3,"NAME":"three"}`,
	}
	same(t, got, want...)
	for i, index := range []int{0, 1, 1, 1, 2, 2, 2} {
		if i < len(got) && got[i].event.Index != index {
			t.Errorf("record %d has event index %d, want %d", i, got[i].event.Index, index)
		}
	}
	wantBatches := []string{strings.Join(want[:4], "; "), strings.Join(want[4:], "; ")}
	if diff := cmp.Diff(wantBatches, batches); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
}

func TestKeyOfSeveralColumnsHasTheOrderOfTheConstraint(t *testing.T) {
	s := begin(t)
	s.table("t", "a NUMBER(4), b VARCHAR2(10), c DATE, v NUMBER(4), PRIMARY KEY (c, b)")
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (1, 'x', DATE '2026-02-28', 1)", "UPDATE $t SET b = 'y' WHERE a = 1", "DELETE FROM $t")
	same(t, p.settle(),
		`{"C":1772236800000,"B":"x"} c {"A":1,"B":"x","C":1772236800000,"V":1}`,
		`{"C":1772236800000,"B":"x"} d {"A":1,"B":"x","C":1772236800000,"V":1}`,
		`{"C":1772236800000,"B":"x"} tombstone`,
		`{"C":1772236800000,"B":"y"} c {"A":1,"B":"y","C":1772236800000,"V":1}`,
		`{"C":1772236800000,"B":"y"} d {"A":1,"B":"y","C":1772236800000,"V":1}`,
		`{"C":1772236800000,"B":"y"} tombstone`,
	)
}

func TestUniqueIndexOverNotNullColumnsIsTheKeyWithoutAPrimaryKey(t *testing.T) {
	s := begin(t)
	s.table("t", "a NUMBER(4), b NUMBER(4) NOT NULL, c NUMBER(4) NOT NULL")
	s.exec("CREATE UNIQUE INDEX $t_ab ON $t (a, b)") // a may be NULL: no key
	s.exec("CREATE UNIQUE INDEX $t_cb ON $t (c, b)")
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (NULL, 2, 3)", "UPDATE $t SET a = 1")
	same(t, p.settle(),
		`{"C":3,"B":2} c {"A":null,"B":2,"C":3}`,
		`{"C":3,"B":2} u {"A":null,"B":2,"C":3} -> {"A":1,"B":2,"C":3}`,
	)
}

func TestDeletesHaveNoTombstoneWhenTombstonesAreOff(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(fields{"records.tombstones": false})
	s.commit("INSERT INTO $t VALUES (1)", "UPDATE $t SET id = 2", "DELETE FROM $t")
	same(t, p.settle(), `{"ID":1} c {"ID":1}`, `{"ID":1} d {"ID":1}`, `{"ID":2} c {"ID":2}`, `{"ID":2} d {"ID":2}`)
}

func TestQuotedNamesAreKept(t *testing.T) {
	s := begin(t)
	s.table("t", `id NUMBER(9) PRIMARY KEY, "lower case" NUMBER(2), "it's = NULL," NUMBER(2)`)
	p := s.start(nil)
	s.commit(`INSERT INTO $t VALUES (1, 2, 3)`, `UPDATE $t SET "lower case" = 4, "it's = NULL," = NULL`)
	same(t, p.settle(),
		`{"ID":1} c {"ID":1,"lower case":2,"it's = NULL,":3}`,
		`{"ID":1} u {"ID":1,"lower case":2,"it's = NULL,":3} -> {"ID":1,"lower case":4,"it's = NULL,":null}`,
	)
}

func TestTablesOutsideIncludeAreNotDelivered(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.table("foreign_t", "id NUMBER(9) PRIMARY KEY")
	s.table("taken_away", "id NUMBER(9) PRIMARY KEY")
	p := s.start(fields{"include": s.include("t", "taken_away", fenceTable), "exclude": s.include("taken_away")})
	s.commit("INSERT INTO $foreign_t VALUES (1)", "INSERT INTO $taken_away VALUES (1)")
	s.commit("INSERT INTO $foreign_t VALUES (2)", "INSERT INTO $t VALUES (2)", "INSERT INTO $taken_away VALUES (2)", "UPDATE $t SET id = 2")
	got := p.settle()
	same(t, got, `{"ID":2} c {"ID":2}`, `{"ID":2} u {"ID":2} -> {"ID":2}`)
	for i, m := range got {
		if tx := m.event.Transaction; tx.Count != 2 || m.event.Index != i {
			t.Errorf("event %d of %d, want %d of 2: tables that are not captured count nowhere", m.event.Index, tx.Count, i)
		}
	}
}

// One statement for many rows makes one event a row, in order (R5: array DML shares addresses).
func TestR5ArrayInsertOfManyRowsArrivesRowByRow(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	p := s.start(nil)
	ids, values := make([]int, 50), make([]int, 50)
	var want []string
	for i := range ids {
		ids[i], values[i] = i, i*i
		want = append(want, fmt.Sprintf(`{"ID":%d} c {"ID":%d,"V":%d}`, i, i, i*i))
	}
	s.exec("INSERT INTO $t VALUES (:1, :2)", ids, values)
	same(t, p.settle(), want...)
}

// A record whole, byte for byte, with what only this run can know taken from the event.
func TestRecordHasTheEnvelopeOfTheRecordFormat(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (1, 'one')", "UPDATE $t SET name = NULL")
	got := p.settle()
	if len(got) != 2 {
		t.Fatalf("%d messages", len(got))
	}
	ev := got[1].event
	ms := ev.Transaction.CommitMillis
	want := `{"before":{"ID":1,"NAME":"one"},"after":{"ID":1,"NAME":null},"source":{"version":"","connector":"oracle-cdc","name":"shop",` +
		fmt.Sprintf(`"ts_ms":%d,"snapshot":"false","db":%q,"sequence":null,"schema":%q,"table":%q,`, ev.Millis, s.db.PDB(), s.db.Owner(), s.db.Table("t")) +
		fmt.Sprintf(`"txId":%q,"scn":"%d","commit_scn":"%d","rs_id":%q,`, ev.Transaction.ID, ev.SCN, ev.Transaction.Key.SCN, ev.Address) +
		fmt.Sprintf(`"ssn":%d,"redo_thread":1,"user_name":%q,"row_id":%q,"pdb":%q,"reselect":null},`, ev.SSN, s.db.Owner(), ev.RowID, s.db.PDB()) +
		fmt.Sprintf(`"op":"u","ts_ms":%d,"ts_us":%d000,"ts_ns":%d000000,`, ms, ms, ms) +
		fmt.Sprintf(`"transaction":{"id":%q,"total_order":2,"data_collection_order":2}}`, ev.Transaction.ID)
	if diff := cmp.Diff(want, string(got[1].value)); diff != "" {
		t.Error(diff)
	}
	if ev.Kind != change.Change || ev.Topic != "shop."+s.full("t") || ev.SCN == 0 || ev.Transaction.Key.SCN <= ev.SCN || ev.RowID == "" {
		t.Errorf("event %+v", ev)
	}
}
