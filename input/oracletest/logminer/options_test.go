package logminer

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Reference logminer A.2 and D.1: what each option does to the text of one transaction.
func TestOptionsShapeStatements(t *testing.T) {
	const insert, update = `insert into "APP"."T"("ID","NAME") values ('1','one')`, `update "APP"."T" set "NAME" = 'uno' where "ID" = '1' and "NAME" = 'one'`
	const remove, row = `delete from "APP"."T" where "ID" = '1' and "NAME" = 'uno'`, ` and ROWID = 'AAASNJAAMAAAACHAAA'`
	for name, c := range map[string]struct {
		options int
		want    []string
	}{
		"none":             {0, []string{insert + ";", update + row + ";", remove + row + ";"}},
		"NO_SQL_DELIMITER": {noSQLDelimiter, []string{insert, update + row, remove + row}},
		"NO_ROWID_IN_STMT": {noRowIDInStmt, []string{insert + ";", update + ";", remove + ";"}},
		"PRINT_PRETTY_SQL": {printPrettySQL | noRowIDInStmt, []string{
			"insert into \"APP\".\"T\"\n  values\n    \"ID\" = '1',\n    \"NAME\" = 'one';",
			"update \"APP\".\"T\"\n  set\n    \"NAME\" = 'uno'\n  where\n    \"ID\" = '1' and\n    \"NAME\" = 'one';",
			"delete from \"APP\".\"T\"\n  where\n    \"ID\" = '1' and\n    \"NAME\" = 'uno';",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, redo.Config{})
			sceneOne(s)
			got := s.mine(dictFromOnlineCatalog|c.options, "SQL_REDO")
			end := ";"
			if c.options&noSQLDelimiter != 0 {
				end = ""
			}
			want := append(append([]string{"set transaction read write" + end}, c.want...), "commit"+end)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPrettyInsertNamesNullsAndLooksTheSameInUndo(t *testing.T) {
	s := newScene(t, redo.Config{})
	table := tableT()
	s.dict.put(table)
	s.append(change(table, xid614, redo.Insert, rowA, nil, []any{1, nil}), change(table, xid614, redo.Delete, rowA, []any{1, nil}, nil))
	const insert = "insert into \"APP\".\"T\"\n  values\n    \"ID\" = '1',\n    \"NAME\" IS NULL"
	const remove = "delete from \"APP\".\"T\"\n  where\n    \"ID\" = '1' and\n    \"NAME\" IS NULL"
	got := s.mine(capture|printPrettySQL, "SQL_REDO", "SQL_UNDO")
	if diff := cmp.Diff([]string{insert + "|" + remove, remove + "|" + insert}, got); diff != "" {
		t.Error(diff)
	}
}

// STRING_LITERALS_IN_STMT: the settings of the session shape no literal.
func TestFixedLiterals(t *testing.T) {
	table := &catalog.Table{Container: 3, Owner: "APP", Name: "L", ObjectID: 7, Columns: []catalog.Column{
		{Name: "N", Type: datum.Type{Code: datum.TypeNumber}, SegmentID: 1},
		{Name: "D", Type: datum.Type{Code: datum.TypeDate}, SegmentID: 2},
		{Name: "T", Type: datum.Type{Code: datum.TypeTimestamp, Size: 6}, SegmentID: 3},
	}}
	at := datum.Datum{Kind: datum.Time, Time: clock(2026, 2, 28, 13, 45, 59, 0)}
	record := &redo.Record{
		Container: 3, XID: xid614, Op: redo.Insert, Table: table, RowID: rowA,
		After: []datum.Datum{decimal(t, "1.5"), at, at}, AfterSet: []bool{true, true, true},
	}
	for name, c := range map[string]struct {
		option int
		want   string
	}{
		"by the session": {0, `('1,5',TO_DATE('28-FEB-26', 'DD-MON-RR'),TO_TIMESTAMP('28-FEB-26 01.45.59,000000 PM'))`},
		"fixed": {stringLiteralsInStmt, `('1.5',TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS'),` +
			`TO_TIMESTAMP('2026-02-28 13:45:59.000000000'))`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, redo.Config{})
			s.dict.put(table)
			s.caller.nls = map[string]string{"NLS_NUMERIC_CHARACTERS": ",."}
			s.append(record.Clone())
			got := s.mine(capture|c.option, "SQL_REDO")
			if diff := cmp.Diff([]string{`insert into "APP"."L"("N","D","T") values ` + c.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Reference logminer A.2, B.2, C, K: corruption fails the fetch, also outside the range; SKIP_CORRUPTION makes a row of it.
func TestCorruptBlocks(t *testing.T) {
	begin := func(t *testing.T, order bool) (*scene, redo.SCN) {
		s := newScene(t, redo.Config{Warts: redo.Warts{K1SCNOrder: order}})
		table := tableT()
		s.dict.put(table)
		s.append(marker(xid614, redo.Start))
		s.must(s.stream.SetWarts(redo.Warts{R22CorruptChanges: 12, K1SCNOrder: order}))
		for i := range 13 {
			s.append(change(table, xid614, redo.Insert, rowA, nil, []any{i, "some text"}))
		}
		last := s.stream.CurrentSCN()
		s.append(marker(xid614, redo.Commit))
		return s, last
	}
	for name, order := range map[string]bool{"by address": false, "by SCN": true} {
		t.Run(name, func(t *testing.T) {
			s, last := begin(t, order)
			for what, from := range map[string]redo.SCN{"in the range": 0, "before the range": last} {
				s.addAll()
				s.must(s.call("START_LOGMNR", "StartScn", from, "Options", capture))
				if _, err := s.read("SCN"); code(err) != 1343 {
					t.Errorf("%s: %v", what, err)
				}
			}
			columns := []string{"RBABLK", "OPERATION", "STATUS", "INFO"}
			got := s.mine(capture|skipCorruption, columns...)
			want := []string{"2|START|0|-", "0|CORRUPTED_BLOCKS|1343|corrupt blocks 2 to 6 skipped", "6|INSERT|0|-", "6|COMMIT|0|-"}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			got = s.mine(capture|skipCorruption|committedDataOnly, columns...)
			want = []string{want[1], want[0], want[2], want[3]}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("committed: %s", diff)
			}
		})
	}
}

// Reference logminer A.3: a range of times is one of whole seconds on the clock of the server's operating system; an SCN goes before it.
func TestTimesOfARange(t *testing.T) {
	zone := time.FixedZone("", 2*60*60)
	now := time.Date(2026, 2, 28, 13, 45, 0, 0, time.UTC)
	build := func(t *testing.T) *scene {
		now = time.Date(2026, 2, 28, 13, 45, 0, 0, time.UTC)
		s := newSceneAt(t, redo.Config{}, func() time.Time { return now })
		s.miner.config.Zone = zone
		table := tableT()
		s.dict.put(table)
		for i := range 6 { // 15:45:00 to 15:45:10 of the server, in two logs
			s.append(change(table, xid614, redo.Insert, rowA, nil, []any{i, "n"}))
			now = now.Add(2*time.Second + 300*time.Millisecond)
			if i == 2 {
				s.switchLog()
			}
		}
		return s
	}
	text := func(second string) string { return "2026-02-28 15:45:" + second }
	for name, c := range map[string]struct {
		args []any
		want []string
	}{
		"from":                    {[]any{"StartTime", text("02")}, []string{"'1'", "'2'", "'3'", "'4'", "'5'"}},
		"to":                      {[]any{"EndTime", text("04")}, []string{"'0'", "'1'", "'2'"}},
		"both":                    {[]any{"StartTime", text("03"), "EndTime", text("09")}, []string{"'2'", "'3'", "'4'"}},
		"the default times":       {[]any{"StartTime", "1988-01-01 00:00:00", "EndTime", "2110-12-31 00:00:00"}, []string{"'0'", "'1'", "'2'", "'3'", "'4'", "'5'"}},
		"EndTime in the future":   {[]any{"StartTime", text("09"), "EndTime", "2027-01-01 00:00:00"}, []string{"'4'", "'5'"}},
		"StartScn goes before":    {[]any{"StartScn", redo.SCN(1), "StartTime", text("09")}, nil},
		"a part of the text only": {[]any{"StartTime", "2026-02-28"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, container := range []int{catalog.Root, 3} {
				s := build(t)
				if c.args[0] == "StartScn" {
					c.args[1] = s.stream.Archived()[0].FirstChange
					c.want = []string{"'0'", "'1'", "'2'", "'3'", "'4'", "'5'"}
				}
				if container == catalog.Root {
					s.addAll()
				} else {
					s.caller = newCaller(container)
				}
				err := s.call("START_LOGMNR", append([]any{"Options", capture}, c.args...)...)
				if c.want == nil {
					if code(err) != 1291 {
						t.Errorf("midnight is before all logs: %v", err)
					}
					continue
				}
				s.must(err)
				got, err := s.read("SQL_REDO")
				s.must(err)
				var want []string
				for _, id := range c.want {
					want = append(want, `insert into "APP"."T"("ID","NAME") values (`+id+`,'n')`)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("container %d: %s", container, diff)
				}
			}
		})
	}
	s := build(t)
	s.addAll()
	s.must(s.call("START_LOGMNR", "StartTime", text("08"), "EndTime", text("09"), "Options", capture))
	got, err := s.readView("V$LOGMNR_LOGS", "THREAD_SQN", "LOW_TIME", "HIGH_TIME", "STATUS")
	s.must(err)
	if diff := cmp.Diff([]string{"1|2026-02-28 15:45:00.0|2026-02-28 15:45:06.0|2", "2|2026-02-28 15:45:06.0|-|1"}, got); diff != "" {
		t.Error(diff)
	}
	got, err = s.readView("V$LOGMNR_PARAMETERS", "START_DATE", "END_DATE", "START_SCN", "END_SCN")
	s.must(err)
	if diff := cmp.Diff([]string{"2026-02-28 15:45:08.0|2026-02-28 15:45:09.0|0|0"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestDatesAreReadInTheFormatOfTheSession(t *testing.T) {
	for _, c := range []struct {
		format, text string
		want         datum.DateTime
		code         int
	}{
		{"DD-MON-RR", "28-feb-26", clock(2026, 2, 28, 0, 0, 0, 0), 0},
		{"DD-MON-RR", "28-FEB-88", clock(1988, 2, 28, 0, 0, 0, 0), 0},
		{"DD-MONTH-YYYY", "1-September-2026", clock(2026, 9, 1, 0, 0, 0, 0), 0},
		{"YYYY-MM-DD HH.MI.SS AM", "2026-02-28 12.00.01 am", clock(2026, 2, 28, 0, 0, 1, 0), 0},
		{"YYYY-MM-DD HH.MI.SS AM", "2026-02-28 01.00.01 p.m.", clock(2026, 2, 28, 13, 0, 1, 0), 0},
		{"DD-MON-RR", "28-fob-26", datum.DateTime{}, 1843},
		{"YYYY-MM-DD", "2026-13-01", datum.DateTime{}, 1843},
		{"YYYY-MM-DD", "2026-02-30", datum.DateTime{}, 1847},
		{"YYYY-MM-DD HH24:MI:SS", "2026-02-28 24:00:00", datum.DateTime{}, 1850},
		{"YYYY-MM-DD HH24:MI:SS", "2026-02-28 23:60:00", datum.DateTime{}, 1851},
		{"YYYY-MM-DD HH24:MI:SS", "2026-02-28 23:00:60", datum.DateTime{}, 1852},
		{"YYYY-MM-DD", "2026-02-28 23", datum.DateTime{}, 1830},
		{"YYYY-MM-DD", "2026/02", datum.DateTime{}, 1861},
		{"YYYY-MM-DD AM", "2026-02-28 xx", datum.DateTime{}, 1855},
	} {
		f, err := parseDateFormat(c.format)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.read(c.text)
		if code(err) != c.code || err == nil && got != c.want {
			t.Errorf("%s by %s: %+v, %v", c.text, c.format, got, err)
		}
	}
}
