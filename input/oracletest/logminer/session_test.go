package logminer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// The errors of reference logminer A and K.
func TestErrorsOfASession(t *testing.T) {
	for _, c := range []struct {
		name string
		want int
		run  func(s *scene) error
	}{
		{"ADD of a file that is not there", 1284, func(s *scene) error {
			return s.call("ADD_LOGFILE", "LogFileName", "/u01/none.log", "Options", 1)
		}},
		{"ADD of a purged copy", 1284, func(s *scene) error {
			s.switchLog()
			a := s.stream.Archived()[0]
			s.stream.Purge(a.NextChange, false)
			return s.call("ADD_LOGFILE", "LogFileName", a.Name)
		}},
		{"ADD twice", 1289, func(s *scene) error {
			s.addAll()
			return s.call("ADD_LOGFILE", "LogFileName", s.stream.Online()[0].Member)
		}},
		{"ADD of the online and the archived copy", 1289, func(s *scene) error {
			s.switchLog()
			s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Archived()[0].Name, "Options", 1))
			return s.call("ADD_LOGFILE", "LogFileName", s.stream.Online()[0].Member, "Options", 3)
		}},
		{"ADD with another option", 1283, func(s *scene) error {
			return s.call("ADD_LOGFILE", "LogFileName", s.stream.Online()[0].Member, "Options", 9)
		}},
		{"ADD in a PDB", 65040, func(s *scene) error {
			s.caller = newCaller(3)
			return s.call("ADD_LOGFILE", "LogFileName", s.stream.Online()[0].Member, "Options", 1)
		}},
		{"REMOVE of an unlisted file", 1290, func(s *scene) error {
			return s.call("REMOVE_LOGFILE", "LogFileName", s.stream.Online()[0].Member)
		}},
		{"unknown parameter", 6550, func(s *scene) error { return s.call("ADD_LOGFILE", "FileName", "x") }},
		{"no number", 6502, func(s *scene) error { return s.call("START_LOGMNR", "StartScn", "abc", "Options", capture) }},
		{"START without files", 1292, func(s *scene) error { return s.call("START_LOGMNR", "Options", capture) }},
		{"START after the last log", 1291, func(s *scene) error {
			s.switchLog()
			s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Archived()[0].Name, "Options", 1))
			return s.call("START_LOGMNR", "StartScn", s.stream.Archived()[0].NextChange, "Options", capture)
		}},
		{"START before the first log", 1291, func(s *scene) error {
			s.addAll()
			return s.call("START_LOGMNR", "StartScn", 1, "Options", capture)
		}},
		{"EndScn in no added log", 1291, func(s *scene) error {
			s.switchLog()
			a := s.stream.Archived()[0]
			s.must(s.call("ADD_LOGFILE", "LogFileName", a.Name, "Options", 1))
			return s.call("START_LOGMNR", "StartScn", a.FirstChange, "EndScn", a.NextChange, "Options", capture)
		}},
		{"gap between the logs", 1291, func(s *scene) error {
			s.switchLog()
			s.switchLog()
			s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Archived()[0].Name, "Options", 1))
			s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Online()[2].Member, "Options", 3))
			return s.call("START_LOGMNR", "StartScn", s.stream.Archived()[0].FirstChange, "Options", capture)
		}},
		{"EndScn not above StartScn", 1281, func(s *scene) error {
			s.addAll()
			first := s.stream.Online()[0].FirstChange
			return s.call("START_LOGMNR", "StartScn", first+5, "EndScn", first+5, "Options", capture)
		}},
		{"group reused before START", 1368, func(s *scene) error {
			s.addAll()
			for range 3 {
				s.switchLog()
			}
			return s.call("START_LOGMNR", "Options", capture)
		}},
		{"SELECT without START", 1306, func(s *scene) error {
			s.addAll()
			_, err := s.read("SCN")
			return err
		}},
		{"SELECT in another session", 1306, func(s *scene) error {
			s.addAll()
			s.must(s.call("START_LOGMNR", "Options", capture))
			s.caller = newCaller(1)
			_, err := s.read("SCN")
			return err
		}},
		{"SELECT after NEW", 1306, func(s *scene) error {
			s.addAll()
			s.must(s.call("START_LOGMNR", "Options", capture))
			s.addAll()
			_, err := s.read("SCN")
			return err
		}},
		{"END without a session", 1307, func(s *scene) error { return s.call("END_LOGMNR") }},
		{"END twice", 1307, func(s *scene) error {
			s.addAll()
			s.must(s.call("END_LOGMNR"))
			return s.call("END_LOGMNR")
		}},
		{"range mode before the oldest log", 1291, func(s *scene) error {
			s.caller = newCaller(3)
			return s.call("START_LOGMNR", "StartScn", 1, "Options", capture)
		}},
		{"range mode, only copy removed", 604, func(s *scene) error {
			for range 3 {
				s.switchLog()
			}
			a := s.stream.Archived()[0]
			s.stream.Purge(a.NextChange, false)
			s.caller = newCaller(3)
			return s.call("START_LOGMNR", "StartScn", a.FirstChange, "Options", capture)
		}},
		{"no such option", 1283, func(s *scene) error { return s.start(16 | 128) }},
		{"CONTINUOUS_MINE is gone", 1283, func(s *scene) error { return s.start(16 | continuousMine) }},
		{"two dictionaries", 1283, func(s *scene) error { return s.start(16 | 32) }},
		{"tracking with the online catalog", 1283, func(s *scene) error { return s.start(16 | 8) }},
		{"no dictionary", 44613, func(s *scene) error { return s.start(64) }},
		{"redo dictionary without a build", 1333, func(s *scene) error { return s.start(32) }},
		{"redo dictionary with tracking", 1333, func(s *scene) error { return s.start(32 | 8 | 2048) }},
		{"redo dictionary in a PDB", 1371, func(s *scene) error {
			s.caller = newCaller(3)
			return s.call("START_LOGMNR", "Options", 32|8)
		}},
		{"EndTime before StartTime", 1282, func(s *scene) error {
			s.addAll()
			return s.call("START_LOGMNR", "StartTime", "2026-02-28 13:45:59", "EndTime", "2026-02-28 13:45:58", "Options", capture)
		}},
		{"StartTime before the first log", 1291, func(s *scene) error {
			s.addAll()
			return s.call("START_LOGMNR", "StartTime", "2026-02-28 13:45:58", "Options", capture)
		}},
		{"EndTime in no added log", 1291, func(s *scene) error {
			s.switchLog()
			s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Archived()[0].Name, "Options", 1))
			return s.call("START_LOGMNR", "EndTime", "2026-02-28 13:46:00", "Options", capture)
		}},
		{"range mode, StartTime before the oldest log", 1291, func(s *scene) error {
			s.caller = newCaller(3)
			return s.call("START_LOGMNR", "StartTime", "2020-01-01 00:00:00", "Options", capture)
		}},
		{"StartTime in another format", 1861, func(s *scene) error { return s.call("START_LOGMNR", "StartTime", "01-jan-1988", "Options", capture) }},
		{"StartTime that is a number", 6550, func(s *scene) error { return s.call("START_LOGMNR", "StartTime", 1, "Options", capture) }},
		{"DictFileName", 44613, func(s *scene) error { return s.call("START_LOGMNR", "DictFileName", "d.ora", "Options", capture) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t, redo.Config{Groups: 3})
			err := c.run(s)
			if code(err) != c.want {
				t.Fatalf("err = %v, want ORA-%05d", err, c.want)
			}
			plsql := c.want != 1306 && c.want != 6550 && c.want != 6502 && c.want != 1861
			if strings.Contains(err.Error(), `ORA-06512: at "SYS.DBMS_LOGMNR", line `) != plsql {
				t.Errorf("stack of %v", err)
			}
		})
	}
}

func (s *scene) start(options int) error {
	s.addAll()
	return s.call("START_LOGMNR", "Options", options)
}

// Reference logminer A.2 and D.4: release 19 mines without a dictionary, and nothing has a name.
func TestReleaseNineteenMinesWithoutADictionary(t *testing.T) {
	s := newScene(t, redo.Config{})
	s.miner.config.Release = 19
	sceneOne(s)
	s.append(&redo.Record{Op: redo.DDL, Container: 3, Table: tableT(), SQL: "TRUNCATE TABLE t"})
	got := s.mine(skipCorruption|noSQLDelimiter|noRowIDInStmt, "SEG_OWNER", "TABLE_NAME", "STATUS", "DATA_OBJ#", "SQL_REDO")
	want := []string{
		"-|-|0|0|set transaction read write",
		`UNKNOWN|OBJ# 74569|2|74569|insert into "UNKNOWN"."OBJ# 74569"("COL 1","COL 2") values (HEXTORAW('c102'),HEXTORAW('6f6e65'))`,
		`UNKNOWN|OBJ# 74569|2|74569|update "UNKNOWN"."OBJ# 74569" set "COL 2" = HEXTORAW('756e6f') where "COL 1" = HEXTORAW('c102') and "COL 2" = HEXTORAW('6f6e65')`,
		`UNKNOWN|OBJ# 74569|2|74569|delete from "UNKNOWN"."OBJ# 74569" where "COL 1" = HEXTORAW('c102') and "COL 2" = HEXTORAW('756e6f')`,
		"-|-|0|0|commit",
		"UNKNOWN|OBJ# 74569|0|74569|TRUNCATE TABLE t",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPositionalArgumentsTextNumbersAndConstants(t *testing.T) {
	s := newScene(t, redo.Config{})
	sceneOne(s)
	added, known := s.miner.Constant("sys.dbms_logmnr.new")
	if !known {
		t.Fatal("DBMS_LOGMNR.NEW is not known")
	}
	call := func(procedure string, values ...datum.Datum) {
		t.Helper()
		var args []engine.Argument
		for _, v := range values {
			args = append(args, engine.Argument{Value: v})
		}
		if known, err := s.miner.Call(t.Context(), s.caller, procedure, args); !known || err != nil {
			t.Fatal(procedure, known, err)
		}
	}
	call("SYS.DBMS_LOGMNR.ADD_LOGFILE", relation.Text(s.stream.Online()[0].Member), added)
	call("DBMS_LOGMNR.START_LOGMNR", relation.Text("2500001"), relation.Text("2500003"), datum.Datum{}, datum.Datum{}, datum.Datum{},
		relation.Text("2128"))
	got, err := s.read("OPERATION")
	s.must(err)
	if diff := cmp.Diff([]string{"START", "INSERT", "UPDATE"}, got); diff != "" {
		t.Error(diff)
	}
	if _, known := s.miner.Constant("DBMS_LOGMNR.NONE"); known {
		t.Error("DBMS_LOGMNR.NONE is known")
	}
	if _, known := s.miner.Constant("DBMS_LOB.CALL"); known {
		t.Error("DBMS_LOB.CALL is known")
	}
	if known, _ := s.miner.Call(t.Context(), s.caller, "DBMS_LOB.WRITE", nil); known {
		t.Error("DBMS_LOB.WRITE is known")
	}
}

func TestRemovedFileIsNotMined(t *testing.T) {
	s := newScene(t, redo.Config{})
	sceneOne(s)
	s.switchLog()
	s.addAll()
	s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Archived()[0].Name, "Options", optionRemoveFile))
	s.must(s.call("START_LOGMNR", "Options", capture))
	if got, err := s.read("SCN"); err != nil || len(got) != 0 {
		t.Errorf("%d rows, %v", len(got), err)
	}
}

func TestRowsOfSeveralLogsComeInRedoOrder(t *testing.T) {
	s := newScene(t, redo.Config{})
	table := tableT()
	s.dict.put(table)
	var want []string
	for i := range 1200 {
		s.append(change(table, xid614, redo.Insert, rowA, nil, []any{i, "n"}))
		if i%500 == 499 {
			s.switchLog()
		}
		want = append(want, `insert into "APP"."T"("ID","NAME") values ('`+relation.Int(int64(i)).Number.String()+`','n')`)
	}
	if diff := cmp.Diff(want, s.mine(capture, "SQL_REDO")); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer A.3: START refuses a gap, and V$LOGMNR_LOGS names it.
func TestMissingLogsAreNamed(t *testing.T) {
	s := newScene(t, redo.Config{FirstSequence: 99, Groups: 5})
	for range 4 {
		s.switchLog()
	}
	s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Online()[4].Member, "Options", optionNew))
	s.must(s.call("ADD_LOGFILE", "LogFileName", s.stream.Archived()[0].Name))
	if err := s.call("START_LOGMNR", "Options", capture); code(err) != 1291 {
		t.Errorf("err = %v", err)
	}
	got, err := s.readView("V$LOGMNR_LOGS", "LOG_ID", "FILENAME", "THREAD_SQN", "INFO", "STATUS")
	s.must(err)
	want := []string{
		"1|" + s.stream.Archived()[0].Name + "|99|-|0", "2|Missing log file(s) for thread number 1, sequence number(s) 100 to 102|-|MISSING_LOGFILE|4",
		"3|" + s.stream.Online()[4].Member + "|103|-|0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSessionViews(t *testing.T) {
	s := newScene(t, redo.Config{FirstSCN: 100})
	s.switchLog()
	s.switchLog()
	if got, err := s.readView("V$LOGMNR_PARAMETERS", "START_SCN"); err != nil || len(got) != 0 {
		t.Errorf("before START: %v %v", got, err)
	}
	s.addAll()
	logs := []string{"THREAD_SQN", "TYPE", "LOW_SCN", "NEXT_SCN", "STATUS"}
	s.must(s.call("START_LOGMNR", "StartScn", s.stream.Archived()[1].FirstChange, "EndScn", 200, "Options", capture))
	got, err := s.readView("V$LOGMNR_LOGS", logs...)
	s.must(err)
	want := []string{"1|ARCHIVE|100|101|2", "2|ARCHIVE|101|102|1", "3|ONLINE|102|18446744073709551615|0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got, err = s.readView("V$LOGMNR_PARAMETERS", "START_SCN", "END_SCN", "OPTIONS")
	s.must(err)
	if diff := cmp.Diff([]string{"101|200|2128"}, got); diff != "" {
		t.Error(diff)
	}
}
