package scenario_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func same(t *testing.T, got []message, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, lines(got)); diff != "" {
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
