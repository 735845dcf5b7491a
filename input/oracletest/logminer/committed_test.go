package logminer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Reference logminer A.2, B.2, B.4 and F.6: COMMITTED_DATA_ONLY shows committed transactions, each as a whole, in the order of
// their COMMITs, without what was rolled back.
func TestCommittedDataOnly(t *testing.T) {
	s := newScene(t, redo.Config{FirstSCN: 100})
	table := tableT()
	s.dict.put(table)
	a, b, c := redo.XID{USN: 1, Sqn: 1}, redo.XID{USN: 2, Sqn: 2}, redo.XID{USN: 3, Sqn: 3}
	put := func(xid redo.XID, op redo.Op, rowID string, undo bool) {
		t.Helper()
		r := marker(xid, op)
		switch op {
		case redo.Insert:
			r = change(table, xid, op, rowID, nil, []any{1, "n"})
		case redo.Delete:
			r = change(table, xid, op, rowID, []any{1, "n"}, nil)
		case redo.DDL:
			r.Table, r.SQL = table, "ALTER TABLE t"
		}
		r.Undo = undo
		s.append(r)
	}
	put(a, redo.Start, "", false)    // 101
	put(b, redo.Start, "", false)    // 102
	put(a, redo.Insert, rowA, false) // 103
	put(b, redo.Insert, rowB, false) // 104
	put(a, redo.Insert, rowB, false) // 105, rolled back to a savepoint
	put(a, redo.Delete, rowB, true)  // 106
	put(c, redo.Start, "", false)    // 107
	put(c, redo.Insert, rowA, false) // 108
	put(c, redo.Delete, rowA, true)  // 109
	put(c, redo.Rollback, "", false) // 110
	put(b, redo.Commit, "", false)   // 111
	put(a, redo.Commit, "", false)   // 112
	put(c, redo.Start, "", false)    // 113
	put(c, redo.DDL, "", false)      // 114
	put(c, redo.Commit, "", false)   // 115
	put(b, redo.Insert, rowA, false) // 116, without an end
	columns := []string{"SCN", "OPERATION", "XIDUSN", "START_SCN", "COMMIT_SCN", "CSCN", "COMMIT_TIMESTAMP", "INFO", "USERNAME"}
	const at = "2026-02-28 13:45:59.0"
	want := []string{
		"102|START|2|102|111|111|" + at + "|-|APP", "104|INSERT|2|102|111|111|" + at + "|-|APP", "111|COMMIT|2|102|111|111|" + at + "|-|APP",
		"101|START|1|101|112|112|" + at + "|-|APP", "103|INSERT|1|101|112|112|" + at + "|-|APP", "112|COMMIT|1|101|112|112|" + at + "|-|APP",
		"113|START|3|113|-|-|" + at + "|-|APP", "114|DDL|3|113|-|-|" + at + "| DDL|APP", "115|COMMIT|3|113|115|115|" + at + "|-|APP",
	}
	if diff := cmp.Diff(want, s.mine(capture|committedDataOnly, columns...)); diff != "" {
		t.Error(diff)
	}
	s.must(s.call("START_LOGMNR", "StartScn", 103, "EndScn", 112, "Options", capture|committedDataOnly))
	got, err := s.read("SCN", "START_SCN", "START_TIMESTAMP")
	s.must(err)
	if diff := cmp.Diff([]string{"104|0|-", "111|0|-", "103|0|-", "112|0|-"}, got); diff != "" {
		t.Error("STARTs before the range: ", diff)
	}
	s.must(s.call("START_LOGMNR", "EndScn", 110, "Options", capture|committedDataOnly))
	if got, err := s.read("SCN"); err != nil || len(got) != 0 {
		t.Errorf("a range without a COMMIT: %q %v", got, err)
	}
}

// Reference logminer A.5: the transactions that wait for their end are in memory, which a large one exhausts.
func TestCommittedDataOnlyExhaustsItsMemory(t *testing.T) {
	s := newScene(t, redo.Config{LogSize: 256 << 20})
	table := tableT()
	s.dict.put(table)
	text := strings.Repeat("x", 4000)
	for range stageBytes/4000 + 1 {
		s.append(change(table, xid614, redo.Insert, rowA, nil, []any{1, text}))
	}
	s.append(marker(xid614, redo.Commit))
	s.addAll()
	s.must(s.call("START_LOGMNR", "Options", capture|committedDataOnly))
	if _, err := s.read("SCN"); code(err) != 4036 {
		t.Errorf("err = %v", err)
	}
}
