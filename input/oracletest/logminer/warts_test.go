package logminer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

func (s *scene) warts(w redo.Warts) {
	s.t.Helper()
	s.must(s.stream.SetWarts(w))
}

func (s *scene) want(want []string, columns ...string) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.mine(capture, columns...)); diff != "" {
		s.t.Error(diff)
	}
}

// Reference logminer O, scene 3: full rollback with a partial XID and without an address.
func TestSceneThreeRollbackWithPartialXIDAndZeroAddress(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R117PartialXID: true, R13ZeroAddressRollback: true}})
	table, xid := tableT(), redo.XID{USN: 5, Slot: 0, Sqn: 615}
	s.dict.put(table)
	first, undo := change(table, xid, redo.Insert, rowA, nil, []any{1, "one"}), change(table, xid, redo.Delete, rowA, []any{1, "one"}, nil)
	first.Shared, undo.Undo = true, true
	s.append(marker(xid, redo.Start), first, undo, marker(xid, redo.Rollback))
	s.want([]string{
		"6|0|5|0|615|0500000067020000| 0x000001.00000002.0010 |1|2|16|set transaction read write",
		`1|0|5|0|615|0500000067020000| 0x000001.00000002.0010 |1|2|16|insert into "APP"."T"("ID","NAME") values ('1','one')`,
		`2|1|5|0|4294967295|05000000FFFFFFFF| 0x000001.00000002.0104 |1|2|260|delete from "APP"."T" where ROWID = 'AAASNJAAMAAAACHAAA'`,
		"36|0|5|0|4294967295|05000000FFFFFFFF| 0x000000.00000000.0000 |0|0|0|rollback",
	}, "OPERATION_CODE", "ROLLBACK", "XIDUSN", "XIDSLT", "XIDSQN", "XID", "RS_ID", "RBASQN", "RBABLK", "RBABYTE", "SQL_REDO")
}

// Reference logminer O, scene 4: rows that the first range should have had come with the second, with their old SCNs.
func TestSceneFourLateStrand(t *testing.T) {
	s := newScene(t, redo.Config{FirstSCN: 1499, Warts: redo.Warts{K2PrivateStrand: 1 << 20}})
	table, xid := tableT(), redo.XID{USN: 7, Slot: 3, Sqn: 91}
	s.dict.put(table)
	first := change(table, xid, redo.Insert, rowA, nil, []any{1, "late"})
	first.Shared = true
	s.append(marker(xid, redo.Start), first)
	other := change(table, xid614, redo.Insert, rowB, nil, []any{2, "other"})
	s.append(other, marker(xid614, redo.Commit))
	columns := []string{"SCN", "OPERATION", "XIDSQN"}
	if diff := cmp.Diff([]string{"1501|INSERT|614", "1502|COMMIT|614"}, s.mine(capture, columns...)); diff != "" {
		t.Error("first range: ", diff)
	}
	for s.stream.CurrentSCN() < 2399 {
		s.stream.NextSCN()
	}
	commit := marker(xid, redo.Commit)
	s.append(commit)
	s.want([]string{"1501|INSERT|614", "1502|COMMIT|614", "1500|START|91", "1500|INSERT|91", "2400|COMMIT|91"}, columns...)
	if !slices.IsSorted([]string{other.RBA.String(), first.RBA.String(), commit.RBA.String()}) {
		t.Errorf("addresses %s %s %s", other.RBA, first.RBA, commit.RBA)
	}
}

// Correctness K1: both orders of delivery of one log write.
func TestK1DisplacedRecordsInBothOrders(t *testing.T) {
	scns := func(order bool) (got []string, sorted bool) {
		s := newScene(t, redo.Config{Warts: redo.Warts{K1Displaced: 3, K1SCNOrder: order}})
		table := tableT()
		s.dict.put(table)
		for i := range uint32(12) {
			s.append(change(table, redo.XID{USN: 1, Sqn: i % 4}, redo.Insert, rowA, nil, []any{int(i), "n"}))
		}
		s.append(marker(redo.XID{USN: 1, Sqn: 1}, redo.Commit))
		got = s.mine(capture, "SCN", "RS_ID")
		return got, slices.IsSorted(got)
	}
	inOrder, sorted := scns(true)
	if !sorted {
		t.Errorf("SCN order: %q", inOrder)
	}
	byAddress, sorted := scns(false)
	if sorted || len(byAddress) != 13 {
		t.Errorf("address order: %q", byAddress)
	}
	slices.Sort(byAddress)
	if diff := cmp.Diff(inOrder, byAddress); diff != "" {
		t.Error("other rows: ", diff)
	}
}

func TestR29MarkersOfEmptyTransactionsHaveThreadZero(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R29ThreadZeroEmpty: true}})
	sceneOne(s)
	got := s.mine(capture, "OPERATION", "THREAD#", "XIDUSN")
	if diff := cmp.Diff([]string{"COMMIT|1|5", "COMMIT|0|32767"}, got[4:]); diff != "" {
		t.Error(diff)
	}
}

func TestR13StartWithAllZeroXID(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R13ZeroXIDStart: true}})
	sceneOne(s)
	got := s.mine(capture, "OPERATION", "XID", "USERNAME")
	if diff := cmp.Diff([]string{"START|0000000000000000|APP", "START|0500000066020000|APP"}, got[:2]); diff != "" {
		t.Error(diff)
	}
}

func TestR5RowsOfOneAddressWithSeveralSCNs(t *testing.T) {
	s := newScene(t, redo.Config{FirstSCN: 100, Warts: redo.Warts{R5SplitSCN: true}})
	sceneOne(s)
	got := s.mine(capture, "SCN", "RS_ID", "SSN")
	if diff := cmp.Diff([]string{"101| 0x000001.00000002.0010 |0", "102| 0x000001.00000002.0010 |0"}, got[:2]); diff != "" {
		t.Error(diff)
	}
}

// Correctness K5 and R53: without the START nothing is known of the session.
func TestR53TransactionWithoutStart(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R53NoStart: true}})
	sceneOne(s)
	got := s.mine(capture, "OPERATION", "USERNAME", "START_SCN")
	if diff := cmp.Diff([]string{"INSERT|UNKNOWN|-", "UPDATE|UNKNOWN|-", "DELETE|UNKNOWN|-", "COMMIT|UNKNOWN|0"}, got); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer C and D.2.
func TestR22UnsupportedRows(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R22Unsupported: "APP.T"}})
	table := tableT()
	s.dict.put(table)
	undo := change(table, xid614, redo.Delete, rowA, []any{1, "one"}, nil)
	undo.Undo = true
	s.append(change(table, xid614, redo.Insert, rowA, nil, []any{1, "one"}), undo)
	s.want([]string{
		"UNSUPPORTED|255|0|2|APP|T|AAASNJAAMAAAACHAAA|Unsupported|-|-", "UNSUPPORTED|255|1|2|APP|T|AAASNJAAMAAAACHAAA|Unsupported|-|-",
	}, "OPERATION", "OPERATION_CODE", "ROLLBACK", "STATUS", "SEG_OWNER", "TABLE_NAME", "ROW_ID", "SQL_REDO", "SQL_UNDO", "INFO")
}

// Reference logminer M: identifiers of more than 30 bytes are not supported; the DDL shows.
func TestLongIdentifiersAreUnsupported(t *testing.T) {
	for name, alter := range map[string]func(*catalog.Table){
		"table":  func(t *catalog.Table) { t.Name = strings.Repeat("T", 31) },
		"column": func(t *catalog.Table) { t.Columns[1].Name = strings.Repeat("C", 31) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, redo.Config{})
			table := tableT()
			alter(table)
			s.dict.put(table)
			ddl := change(table, redo.XID{USN: 6}, redo.DDL, "", nil, nil)
			ddl.SQL = "create table x"
			s.append(ddl, change(table, xid614, redo.Insert, rowA, nil, []any{1, "one"}))
			s.want([]string{"DDL|0|create table x", "UNSUPPORTED|2|Unsupported"}, "OPERATION", "STATUS", "SQL_REDO")
		})
	}
	s := newScene(t, redo.Config{})
	table := tableT()
	table.Name = strings.Repeat("T", 30)
	s.dict.put(table)
	s.append(change(table, xid614, redo.Insert, rowA, nil, []any{1, "one"}))
	s.want([]string{"INSERT"}, "OPERATION")
}

// Reference logminer B.4 and D.3.
func TestStatus3WithoutMinimalSupplementalLogging(t *testing.T) {
	s := newScene(t, redo.Config{})
	table := tableT()
	s.dict.put(table)
	r := change(table, xid614, redo.Insert, rowA, nil, []any{1, "one"})
	r.Unlogged = true
	s.append(r)
	s.want([]string{"3|no supplemental log data found"}, "STATUS", "INFO")
}

func TestR138RowOfAnotherOperationOnTheTable(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R138Operation: 77}})
	sceneOne(s)
	got := s.mine(capture, "OPERATION_CODE", "DATA_OBJ#", "SQL_REDO")
	if diff := cmp.Diff([]string{"77|74569|-"}, got[2:3]); diff != "" {
		t.Error(diff)
	}
}

// started begins a range over all logs.
func started(t *testing.T, config redo.Config) *scene {
	s := newScene(t, config)
	sceneOne(s)
	s.addAll()
	s.must(s.call("START_LOGMNR", "Options", capture))
	return s
}

func TestR8RowIsShownOneQueryLate(t *testing.T) {
	for name, c := range map[string]struct {
		warts redo.Warts
		first []string
	}{
		"change": {redo.Warts{R8LateChanges: 1}, []string{"START", "UPDATE", "DELETE", "COMMIT"}},
		"commit": {redo.Warts{R8LateCommits: 1}, []string{"START", "INSERT", "UPDATE", "DELETE"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := started(t, redo.Config{Warts: c.warts})
			got, err := s.read("OPERATION")
			s.must(err)
			if diff := cmp.Diff(c.first, got); diff != "" {
				t.Error("first query: ", diff)
			}
			for range 2 {
				got, err := s.read("OPERATION")
				s.must(err)
				if diff := cmp.Diff([]string{"START", "INSERT", "UPDATE", "DELETE", "COMMIT"}, got); diff != "" {
					t.Error("later query: ", diff)
				}
			}
		})
	}
}

// A reader reads R7's margin behind its bound: such a query is not the one that misses the row.
func TestR8MarginDoesNotCountAsSeen(t *testing.T) {
	s := started(t, redo.Config{FirstSCN: 1000, Warts: redo.Warts{R8LateCommits: 1, R8Margin: 100}})
	for _, c := range []struct{ end, rows int }{{1105, 4}, {1105, 4}, {1106, 4}, {1106, 5}} {
		s.must(s.call("START_LOGMNR", "StartScn", 1000, "EndScn", c.end, "Options", capture))
		if got, err := s.read("SCN"); err != nil || len(got) != c.rows {
			t.Errorf("to %d: %d rows, %v", c.end, len(got), err)
		}
	}
}

func TestR10ReuseAtEveryRow(t *testing.T) {
	for at := 1; at <= 5; at++ {
		for _, silent := range []bool{false, true} {
			t.Run(fmt.Sprintf("row %d silent %v", at, silent), func(t *testing.T) {
				s := started(t, redo.Config{Groups: 3, Warts: redo.Warts{R10ReuseAtRow: at, R10ReuseTimes: 1, R10ReuseSilent: silent}})
				got, err := s.read("OPERATION")
				if len(got) != at-1 {
					t.Errorf("%d rows", len(got))
				}
				if silent != (err == nil) || !silent && code(err) != 310 {
					t.Errorf("err = %v", err)
				}
				if online := s.stream.Online()[0]; online.Sequence == 1 {
					t.Error("the group was not reused")
				}
				// The archived copy has it all.
				if got := s.mine(capture, "OPERATION"); len(got) != 5 {
					t.Errorf("then %d rows", len(got))
				}
			})
		}
	}
}

func TestR10ReuseNeedsAnOnlineLog(t *testing.T) {
	s := newScene(t, redo.Config{})
	sceneOne(s)
	s.switchLog()
	s.warts(redo.Warts{R10ReuseAtRow: 2, R10ReuseTimes: 1})
	s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Archived()[0].Name, "Options", 1))
	s.must(s.call("START_LOGMNR", "Options", capture))
	if got, err := s.read("SCN"); err != nil || len(got) != 5 {
		t.Errorf("%d rows, %v", len(got), err)
	}
	if left := s.stream.Warts().R10ReuseTimes; left != 1 {
		t.Errorf("%d left", left)
	}
}

func TestR10MissingSCNRow(t *testing.T) {
	s := started(t, redo.Config{Warts: redo.Warts{R10MissingSCN: 1}})
	got, err := s.read("OPERATION", "OPERATION_CODE")
	s.must(err)
	if len(got) != 6 || got[0] != "MISSING_SCN|34" {
		t.Errorf("%q", got)
	}
	if got, err := s.read("OPERATION"); err != nil || len(got) != 5 {
		t.Errorf("second query: %q %v", got, err)
	}
}

// piecedTable has four columns, of which the first record of a change holds two.
func piecedTable(s *scene) *catalog.Table {
	table := tableT()
	table.Columns = append(table.Columns, table.Columns...)
	table.Columns[2].Name, table.Columns[3].Name = "C", "D"
	s.dict.put(table)
	return table
}

// Correctness R7: a row built from two redo records, with the bound between them and on both sides.
func TestR7RowOfTwoRedoRecords(t *testing.T) {
	const whole = `insert into "APP"."T"("ID","NAME","C","D") values ('1','n','2','m')`
	const part = `insert into "APP"."T"("ID","NAME","C","D") values ('1','n',NULL,NULL)`
	for name, w := range map[string]redo.Warts{
		"one log": {R7Pieces: 2}, "two logs": {R7Pieces: 2, R7PieceSwitch: true}, "shows last": {R7Pieces: 2, R7LastPiece: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, redo.Config{FirstSCN: 1000, Warts: w})
			table := piecedTable(s)
			first := change(table, xid614, redo.Insert, rowA, nil, []any{1, "n", 2, "m"})
			s.append(first, marker(xid614, redo.Commit))
			second := s.stream.CurrentSCN() - 1
			shown := first.SCN
			if w.R7LastPiece {
				shown = second
			}
			want := []string{fmt.Sprintf("%d|INSERT|%s", shown, whole), fmt.Sprintf("%d|COMMIT|commit", second+1)}
			s.want(want, "SCN", "OPERATION", "SQL_REDO")
			s.must(s.call("START_LOGMNR", "StartScn", 1000, "EndScn", second-1, "Options", capture))
			got, err := s.read("SQL_REDO")
			s.must(err)
			if diff := cmp.Diff([]string{part}, got); diff != "" {
				t.Error("the bound before the second record: ", diff)
			}
			s.must(s.call("START_LOGMNR", "StartScn", first.SCN+1, "Options", capture))
			if got, err := s.read("OPERATION"); err != nil || len(got) != 1 {
				t.Errorf("the start behind the first record: %q %v", got, err)
			}
		})
	}
}

func TestR9RowBetweenChunks(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R9Interleave: 1}})
	table := tableT()
	s.dict.put(table)
	s.append(change(table, xid614, redo.Insert, rowA, nil, []any{1, strings.Repeat("x", 9000)}), marker(xid614, redo.Commit))
	s.want([]string{"INSERT|1|5", "COMMIT|0|32767", "INSERT|1|5", "INSERT|0|5", "COMMIT|0|5"}, "OPERATION", "CSF", "XIDUSN")
	s.want([]string{"INSERT|1|5", "INSERT|1|5", "INSERT|0|5", "COMMIT|0|5"}, "OPERATION", "CSF", "XIDUSN")
}

// Correctness R117: with shared undo the markers may show the root.
func TestR117MarkersOfSharedUndo(t *testing.T) {
	s := newScene(t, redo.Config{})
	s.miner.config.SharedUndo = true
	sceneOne(s)
	s.want([]string{"START|1|CDB$ROOT", "INSERT|3|FREEPDB1", "UPDATE|3|FREEPDB1", "DELETE|3|FREEPDB1", "COMMIT|1|CDB$ROOT"},
		"OPERATION", "SRC_CON_ID", "SRC_CON_NAME")
}

// K5, reference logminer B.2: "null or UNKNOWN".
func TestK5UserIsNull(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{K5UserNull: true, R53NoStart: true}})
	sceneOne(s)
	s.want([]string{"INSERT|-", "UPDATE|-", "DELETE|-", "COMMIT|-"}, "OPERATION", "USERNAME")
}

// Reference logminer C: rows of code 0 on the segments of a captured table.
func TestR138InternalRows(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R138Internal: true}})
	sceneOne(s)
	s.want([]string{
		"START|6|-", "INSERT|1|T", "INTERNAL|0|T", "UPDATE|3|T", "INTERNAL|0|T", "DELETE|2|T", "INTERNAL|0|T", "COMMIT|7|-",
	}, "OPERATION", "OPERATION_CODE", "TABLE_NAME")
}

// Correctness R117: rows of two clustered tables have one ROWID.
func TestR117TablesOfAClusterShareROWIDs(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R117ClusterRowID: true}})
	first, second := tableT(), tableT()
	second.Name, second.ObjectID = "U", 74570
	s.dict.put(first)
	s.dict.put(second)
	other := "AAASNK" + rowA[6:]
	undo := change(second, xid614, redo.Delete, other, []any{1, "n"}, nil)
	undo.Undo = true
	s.append(
		change(first, xid614, redo.Insert, rowA, nil, []any{1, "n"}), change(second, xid614, redo.Insert, other, nil, []any{1, "n"}), undo)
	const shared = "AAASAAAAMAAAACHAAA"
	s.want([]string{
		`74569|` + shared + `|insert into "APP"."T"("ID","NAME") values ('1','n')`, `74570|` + shared + `|insert into "APP"."U"("ID","NAME") values ('1','n')`,
		`74570|` + shared + `|delete from "APP"."U" where ROWID = '` + shared + `'`,
	}, "DATA_OBJ#", "ROW_ID", "SQL_REDO")
}

// Correctness R13: a DDL without an address.
func TestR13DDLWithoutAddress(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R13ZeroAddressDDL: true}})
	s.append(marker(xid614, redo.Start), &redo.Record{Op: redo.DDL, Container: 3, XID: xid614, Table: tableT(), SQL: "TRUNCATE TABLE t"}, marker(xid614, redo.Commit))
	if got := s.mine(capture, "OPERATION", "RS_ID"); len(got) != 3 || got[1] != "DDL| 0x000000.00000000.0000 " || strings.Contains(got[2], "0x000000") {
		t.Errorf("%q", got)
	}
}

// Correctness R15: Oracle picks a set without a thread, and V$LOGMNR_LOGS tells.
func TestR15RangeModeWithoutAThread(t *testing.T) {
	s := newScene(t, redo.Config{Threads: 2})
	s.caller = newCaller(3)
	for without, want := range map[int][]string{0: {"1", "2"}, 1: {"2"}, 2: {"1"}} {
		s.warts(redo.Warts{R15WithoutThread: without})
		s.must(s.call("START_LOGMNR", "Options", capture))
		got, err := s.readView("V$LOGMNR_LOGS", "THREAD_ID")
		s.must(err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("without %d: %s", without, diff)
		}
	}
}

func TestR113UndoWithoutItsChange(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R113Hidden: 1}})
	table := tableT()
	s.dict.put(table)
	undo := change(table, xid614, redo.Delete, rowA, []any{1, "one"}, nil)
	undo.Undo = true
	s.append(change(table, xid614, redo.Insert, rowA, nil, []any{1, "one"}), undo, marker(xid614, redo.Commit))
	s.want([]string{"DELETE|1", "COMMIT|0"}, "OPERATION", "ROLLBACK")
}

func TestR9QueryEndsBehindAChunk(t *testing.T) {
	s := newScene(t, redo.Config{Warts: redo.Warts{R9Cut: 1}})
	table := tableT()
	s.dict.put(table)
	s.append(change(table, xid614, redo.Insert, rowA, nil, []any{1, strings.Repeat("x", 9000)}), marker(xid614, redo.Commit))
	s.want([]string{"INSERT|1"}, "OPERATION", "CSF")
	s.want([]string{"INSERT|1", "INSERT|1", "INSERT|0", "COMMIT|0"}, "OPERATION", "CSF")
}
