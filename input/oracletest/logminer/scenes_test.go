package logminer

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

const (
	capture = dictFromOnlineCatalog | noRowIDInStmt | noSQLDelimiter // 2128
	rowA    = "AAASNJAAMAAAACHAAA"
	rowB    = "AAASNJAAMAAAACHAAB"
)

var xid614 = redo.XID{USN: 5, Slot: 0, Sqn: 614}

func sceneOne(s *scene) {
	t := tableT()
	s.dict.put(t)
	first := change(t, xid614, redo.Insert, rowA, nil, []any{1, "one"})
	first.Shared = true
	s.append(marker(xid614, redo.Start), first)
	s.stream.NextSCN()
	s.append(change(t, xid614, redo.Update, rowA, []any{1, "one"}, []any{notSet, "uno"}))
	s.append(change(t, xid614, redo.Delete, rowA, []any{1, "uno"}, nil))
	s.stream.NextSCN()
	s.append(marker(xid614, redo.Commit))
}

// Reference logminer O, scene 1; addresses and SCNs are the stream's.
func TestSceneOneInsertUpdateDeleteCommit(t *testing.T) {
	s := newScene(t, redo.Config{FirstSCN: 2543099, FirstSequence: 0x12})
	sceneOne(s)
	got := s.mine(capture, "SCN", "RS_ID", "SSN", "OPERATION_CODE", "ROLLBACK", "XIDUSN", "XIDSLT", "XIDSQN", "ROW_ID", "DATA_OBJ#",
		"STATUS", "SQL_REDO")
	want := []string{
		"2543100| 0x000012.00000002.0010 |0|6|0|5|0|614|AAAAAAAAAAAAAAAAAA|0|0|set transaction read write",
		"2543100| 0x000012.00000002.0010 |0|1|0|5|0|614|AAASNJAAMAAAACHAAA|74569|0|" +
			`insert into "APP"."T"("ID","NAME") values ('1','one')`,
		"2543102| 0x000012.00000002.0104 |0|3|0|5|0|614|AAASNJAAMAAAACHAAA|74569|0|" +
			`update "APP"."T" set "NAME" = 'uno' where "ID" = '1' and "NAME" = 'one'`,
		"2543103| 0x000012.00000002.01bc |0|2|0|5|0|614|AAASNJAAMAAAACHAAA|74569|0|" +
			`delete from "APP"."T" where "ID" = '1' and "NAME" = 'uno'`,
		"2543105| 0x000012.00000003.007c |0|7|0|5|0|614|AAAAAAAAAAAAAAAAAA|0|0|commit",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer F.2 and O, scene 2: undo rows, newest first.
func TestSceneTwoSavepointAndFailedInsert(t *testing.T) {
	s := newScene(t, redo.Config{})
	table := tableT()
	s.dict.put(table)
	undo := func(r *redo.Record) *redo.Record {
		r.Undo = true
		return r
	}
	s.append(
		marker(xid614, redo.Start),
		change(table, xid614, redo.Insert, rowA, nil, []any{1, "one"}),
		change(table, xid614, redo.Insert, rowB, nil, []any{2, "b"}),
		change(table, xid614, redo.Update, rowA, []any{1, "one"}, []any{notSet, "uno"}),
		undo(change(table, xid614, redo.Update, rowA, []any{1, "uno"}, []any{notSet, "one"})),
		undo(change(table, xid614, redo.Delete, rowB, []any{2, "b"}, nil)),
		change(table, xid614, redo.Insert, rowB, nil, []any{3, "c"}),
		change(table, xid614, redo.Insert, "AAASNJAAMAAAACHAAC", nil, []any{3, "dup"}),
		undo(change(table, xid614, redo.Delete, "AAASNJAAMAAAACHAAC", []any{3, "dup"}, nil)),
		undo(change(table, xid614, redo.Insert, rowA, nil, []any{9, "back"})),
		marker(xid614, redo.Commit),
	)
	want := []string{
		"START|0|set transaction read write|-",
		`INSERT|0|insert into "APP"."T"("ID","NAME") values ('1','one')|delete from "APP"."T" where "ID" = '1' and "NAME" = 'one'`,
		`INSERT|0|insert into "APP"."T"("ID","NAME") values ('2','b')|delete from "APP"."T" where "ID" = '2' and "NAME" = 'b'`,
		`UPDATE|0|update "APP"."T" set "NAME" = 'uno' where "ID" = '1' and "NAME" = 'one'|` +
			`update "APP"."T" set "NAME" = 'one' where "ID" = '1' and "NAME" = 'uno'`,
		`UPDATE|1|update "APP"."T" set "NAME" = 'one'|-`,
		`DELETE|1|delete from "APP"."T" where ROWID = 'AAASNJAAMAAAACHAAB'|-`,
		`INSERT|0|insert into "APP"."T"("ID","NAME") values ('3','c')|delete from "APP"."T" where "ID" = '3' and "NAME" = 'c'`,
		`INSERT|0|insert into "APP"."T"("ID","NAME") values ('3','dup')|delete from "APP"."T" where "ID" = '3' and "NAME" = 'dup'`,
		`DELETE|1|delete from "APP"."T" where ROWID = 'AAASNJAAMAAAACHAAC'|-`,
		`INSERT|1|insert into "APP"."T"("ID","NAME") values ('9','back')|-`,
		"COMMIT|0|commit|-",
	}
	if diff := cmp.Diff(want, s.mine(capture, "OPERATION", "ROLLBACK", "SQL_REDO", "SQL_UNDO")); diff != "" {
		t.Error(diff)
	}
}

func TestUpdateWithoutLoggedColumnsHasNoWhere(t *testing.T) {
	s := newScene(t, redo.Config{})
	table := tableT()
	s.dict.put(table)
	s.append(
		change(table, xid614, redo.Update, rowA, nil, []any{notSet, ""}),
		change(table, xid614, redo.Update, rowA, []any{1, ""}, []any{notSet, "x"}),
	)
	want := []string{
		`update "APP"."T" set "NAME" = NULL`,
		`update "APP"."T" set "NAME" = 'x' where "ID" = '1' and "NAME" IS NULL`,
	}
	if diff := cmp.Diff(want, s.mine(capture, "SQL_REDO")); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer A.7: container columns, and local undo lets two containers use one XID.
func TestContainersOfRows(t *testing.T) {
	s := newScene(t, redo.Config{})
	one, two := tableT(), tableT()
	two.Container = 4
	s.dict.put(one)
	s.dict.put(two)
	s.append(change(one, xid614, redo.Insert, rowA, nil, []any{1, "one"}), change(two, xid614, redo.Insert, rowA, nil, []any{2, "two"}))
	columns := []string{"SRC_CON_ID", "SRC_CON_NAME", "SRC_CON_DBID", "CON_ID", "SQL_REDO"}
	want := []string{
		`3|FREEPDB1|13|1|insert into "APP"."T"("ID","NAME") values ('1','one')`,
		`4|FREEPDB2|14|1|insert into "APP"."T"("ID","NAME") values ('2','two')`,
	}
	if diff := cmp.Diff(want, s.mine(capture, columns...)); diff != "" {
		t.Error(diff)
	}
	s.caller = newCaller(4)
	s.must(s.call("START_LOGMNR", "StartScn", s.stream.Online()[0].FirstChange, "Options", capture))
	got, err := s.read(columns...)
	s.must(err)
	if diff := cmp.Diff([]string{`4|FREEPDB2|14|4|insert into "APP"."T"("ID","NAME") values ('2','two')`}, got); diff != "" {
		t.Error("range mode: ", diff)
	}
}

func TestClosedContainerStopsTheFetch(t *testing.T) {
	s := newScene(t, redo.Config{})
	sceneOne(s)
	s.dict.containers[1].OpenMode = "MOUNTED"
	s.addAll()
	s.must(s.call("START_LOGMNR", "Options", capture))
	if _, err := s.read("SCN"); code(err) != 16331 || !strings.Contains(err.Error(), `"FREEPDB1" is not open`) {
		t.Errorf("err = %v", err)
	}
}

// Correctness K5: session facts show only when the START was read by the same query.
func TestK5SessionFactsNeedTheStart(t *testing.T) {
	s := newScene(t, redo.Config{})
	sceneOne(s)
	columns := []string{"OPERATION", "USERNAME", "SESSION#", "SERIAL#", "MACHINE_NAME", "START_SCN"}
	first := s.stream.Online()[0].FirstChange
	got := s.mine(capture, columns...)
	if got[1] != "INSERT|APP|100|5|host|-" || got[4] != "COMMIT|APP|100|5|host|2500001" {
		t.Errorf("whole range: %q", got)
	}
	s.must(s.call("START_LOGMNR", "StartScn", first+2, "Options", capture))
	got, err := s.read(columns...)
	s.must(err)
	if diff := cmp.Diff([]string{"UPDATE|UNKNOWN|-|-|UNKNOWN|-", "DELETE|UNKNOWN|-|-|UNKNOWN|-", "COMMIT|UNKNOWN|-|-|UNKNOWN|0"}, got); diff != "" {
		t.Error(diff)
	}
}

// TX_NAME, CLIENT_ID and AUDIT_SESSIONID are facts of the session like USERNAME (reference logminer B.2).
func TestK5NamesNeedTheStart(t *testing.T) {
	s := newScene(t, redo.Config{})
	table := tableT()
	s.dict.put(table)
	begin, first, end := marker(xid614, redo.Start), change(table, xid614, redo.Insert, rowA, nil, []any{1, "n"}), marker(xid614, redo.Commit)
	for _, r := range []*redo.Record{begin, first, end} {
		r.Origin.Transaction, r.Origin.Client, r.Origin.OSUser, r.Origin.Process = "night", "till 7", "scott", "4711"
	}
	s.append(begin, first, end)
	columns := []string{"OPERATION", "TX_NAME", "CLIENT_ID", "AUDIT_SESSIONID", "OS_USERNAME", "SESSION_INFO"}
	const session = "login_username=APP client_info= OS_username=scott Machine_name=host OS_terminal= OS_process_id=4711 OS_program_name=test"
	s.want([]string{
		"START|night|till 7|100100|scott|" + session, "INSERT|night|till 7|100100|scott|" + session, "COMMIT|night|till 7|100100|scott|" + session,
	}, columns...)
	s.must(s.call("START_LOGMNR", "StartScn", first.SCN, "Options", capture))
	got, err := s.read(columns...)
	s.must(err)
	if diff := cmp.Diff([]string{"INSERT|-|-|-|UNKNOWN|UNKNOWN", "COMMIT|-|-|-|UNKNOWN|UNKNOWN"}, got); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer B.5: a statement in chunks has CSF 1 on all rows but the last, whichever of the two statements is the longer.
func TestCSFCountsSQLUndoToo(t *testing.T) {
	s := newScene(t, redo.Config{})
	table := tableT()
	table.Columns[0] = catalog.Column{Name: "A", Type: datum.Type{Code: datum.TypeVarchar, Size: 4000}, SegmentID: 1}
	s.dict.put(table)
	// The INSERT is below the limit and its inverse, which names the columns one by one, above it.
	s.append(change(table, xid614, redo.Insert, rowA, nil, []any{strings.Repeat("x", 3949), "n"}), marker(xid614, redo.Commit))
	s.want([]string{"INSERT|0", "COMMIT|0"}, "OPERATION", "CSF")
	got := s.mine(capture, "OPERATION", "CSF", "SQL_REDO", "SQL_UNDO")
	if len(got) != 3 || !strings.HasPrefix(got[0], "INSERT|1|insert into") || !strings.HasPrefix(got[1], "INSERT|0|-|") {
		t.Errorf("%d rows: %.60q", len(got), got)
	}
}

// Reference logminer A.3: both ends are inclusive.
func TestRangeIsInclusive(t *testing.T) {
	s := newScene(t, redo.Config{FirstSCN: 999})
	sceneOne(s)
	s.addAll()
	s.must(s.call("START_LOGMNR", "StartScn", 1000, "EndScn", 1003, "Options", capture))
	got, err := s.read("SCN", "OPERATION")
	s.must(err)
	if diff := cmp.Diff([]string{"1000|START", "1000|INSERT", "1002|UPDATE", "1003|DELETE"}, got); diff != "" {
		t.Error(diff)
	}
	s.must(s.call("START_LOGMNR", "StartScn", 1003, "EndScn", 1005, "Options", capture))
	got, err = s.read("SCN", "OPERATION")
	s.must(err)
	if diff := cmp.Diff([]string{"1003|DELETE", "1005|COMMIT"}, got); diff != "" {
		t.Error("second START: ", diff)
	}
}

// Reference logminer B.5 and O, scene 8: chunks of 4000 bytes, no character is split, all other columns repeat.
func TestR9LongStatementComesInChunks(t *testing.T) {
	s := newScene(t, redo.Config{})
	table := tableT()
	s.dict.put(table)
	long := strings.Repeat("x", 3950) + strings.Repeat("\u2603'", 1500)
	s.append(change(table, xid614, redo.Insert, rowA, nil, []any{1, long}), marker(xid614, redo.Commit))
	got := s.mine(capture, "RS_ID", "SSN", "ROW_ID", "CSF", "SQL_REDO")
	statement := ""
	for i, line := range got[:len(got)-1] {
		f := strings.SplitN(line, "|", 5)
		if f[0] != " 0x000001.00000002.0010 " || f[1] != "0" || f[2] != rowA {
			t.Errorf("chunk %d: %v", i, f[:4])
		}
		if last := i == len(got)-2; (f[3] == "0") != last {
			t.Errorf("chunk %d: CSF = %s", i, f[3])
		}
		if len(f[4]) > 4000 || !utf8.ValidString(f[4]) {
			t.Errorf("chunk %d: %d bytes, valid UTF-8 %v", i, len(f[4]), utf8.ValidString(f[4]))
		}
		statement += f[4]
	}
	if want := `insert into "APP"."T"("ID","NAME") values ('1','` + strings.ReplaceAll(long, "'", "''") + `')`; statement != want {
		t.Error("the chunks do not make the statement")
	}
	if other := s.mine(capture, "SCN"); len(other) != len(got) {
		t.Errorf("%d rows without SQL_REDO, %d with", len(other), len(got))
	}
}

// Reference logminer G.3 and O, scene 6, and D.4.
func TestRowsOfAnotherLayoutAreGeneric(t *testing.T) {
	s := newScene(t, redo.Config{})
	old := tableT()
	wide := tableT()
	wide.Version, wide.Columns = 2, append(wide.Columns, catalog.Column{Name: "C", Type: datum.Type{Code: datum.TypeDate}, SegmentID: 3})
	gone := tableT()
	gone.ObjectID = 74858
	s.dict.put(wide)
	ddl := change(wide, redo.XID{USN: 6}, redo.DDL, "", nil, nil)
	ddl.SQL = "alter table t\n  add (c date)"
	s.append(change(old, xid614, redo.Insert, rowA, nil, []any{8, "test5"}))
	s.append(change(old, xid614, redo.Update, rowA, []any{8, ""}, []any{notSet, "x"}), ddl,
		change(wide, xid614, redo.Insert, rowA, nil, []any{1, "one", ""}), change(gone, xid614, redo.Insert, rowA, nil, []any{1, ""}))
	want := []string{
		`2|APP|T|1|74569|-|insert into "APP"."T"("COL 1","COL 2") values (HEXTORAW('c109'),HEXTORAW('7465737435'))`,
		`2|APP|T|1|74569|-|update "APP"."T" set "COL 2" = HEXTORAW('78') where "COL 1" = HEXTORAW('c109') and "COL 2" IS NULL`,
		"0|APP|T|2|0|USER DDL (PlSql=0 RecDep=0)|alter table t\n  add (c date)",
		`0|APP|T|2|74569|-|insert into "APP"."T"("ID","NAME","C") values ('1','one',NULL)`,
		`2|UNKNOWN|OBJ# 74858|1|74569|-|insert into "UNKNOWN"."OBJ# 74858"("COL 1","COL 2") values (HEXTORAW('c102'),NULL)`,
	}
	got := s.mine(capture, "STATUS", "SEG_OWNER", "TABLE_NAME", "DATA_OBJV#", "DATA_OBJD#", "INFO", "SQL_REDO")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestIdentifiersAndTimes(t *testing.T) {
	s := newScene(t, redo.Config{})
	xid := redo.XID{USN: 49, Slot: 17, Sqn: 2105240}
	table := tableT()
	s.dict.put(table)
	s.append(change(table, xid, redo.Insert, "AAAqvfABcAAEXtqAAN", nil, []any{1, "one"}))
	got := s.mine(capture, "XID", "TIMESTAMP", "REL_FILE#", "DATA_BLK#", "RBASQN", "RBABLK", "RBABYTE", "SEG_NAME", "SEG_TYPE_NAME", "THREAD#")
	// The sample of reference logminer B.3; TIMESTAMP has whole seconds.
	want := []string{"31001100981F2000|2026-02-28 13:45:59.0|92|1145706|1|2|16|T|TABLE|1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestColumnsAreThoseOfACaptureUser(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range fields {
		seen[f.column.Name] = true
	}
	if len(fields) != 67 || len(seen) != 67 {
		t.Errorf("%d columns, %d names, want 67 (reference logminer B.1)", len(fields), len(seen))
	}
}

func TestUnprojectedColumnsAreNull(t *testing.T) {
	s := newScene(t, redo.Config{})
	sceneOne(s)
	s.addAll()
	s.must(s.call("START_LOGMNR", "Options", capture))
	view := newContents(s.miner).Project([]int{0})
	rows, err := view.Open(t.Context(), s.caller)
	s.must(err)
	dst := make([]datum.Datum, len(fields))
	for i := range dst {
		dst[i] = cell("stale")
	}
	if ok, err := rows.Next(t.Context(), dst); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for i := range dst {
		if dst[i].IsNull() != (i != 0) {
			t.Errorf("column %s = %v", fields[i].column.Name, dst[i])
		}
	}
	s.must(rows.Close())
	if ok, err := rows.Next(t.Context(), dst); ok || err != nil {
		t.Error("a row after Close", err)
	}
}

func TestFetchOfReusedLogFails(t *testing.T) {
	s := newScene(t, redo.Config{Groups: 2})
	sceneOne(s)
	s.addAll()
	s.must(s.call("START_LOGMNR", "Options", capture))
	view, _ := s.miner.View("SYS", "V_$LOGMNR_CONTENTS")
	rows, err := view.Open(t.Context(), s.caller)
	s.must(err)
	s.switchLog()
	s.switchLog()
	_, err = rows.Next(t.Context(), make([]datum.Datum, len(fields)))
	if code(err) != 310 || !strings.Contains(err.Error(), "\nORA-00334: archived log: '") {
		t.Errorf("err = %v", err)
	}
}
