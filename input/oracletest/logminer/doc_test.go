package logminer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/internal/doctable"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Every view that doc.go lists is there with its columns, and can be read in a session that mines.
func TestDocumentedViews(t *testing.T) {
	rows, err := doctable.Read("doc.go", "Views")
	if err != nil {
		t.Fatal(err)
	}
	s := newScene(t, redo.Config{})
	s.addAll()
	s.must(s.call("START_LOGMNR", "Options", capture))
	got := map[string][]string{}
	for _, name := range []string{"V$LOGMNR_CONTENTS", "V$LOGMNR_LOGS", "V$LOGMNR_PARAMETERS"} {
		view, ok := s.miner.View("", name)
		if !ok {
			t.Fatalf("no view %s", name)
		}
		for _, c := range view.Columns() {
			got[name] = append(got[name], c.Name)
		}
		if _, err := s.readView(name, got[name]...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	want := map[string][]string{}
	for _, row := range rows {
		want[row.Name] = row.Words()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what doc.go says (-) and what there is (+):\n%s", diff)
	}
}

// Every procedure that doc.go lists takes the parameters that it names.
func TestDocumentedProcedures(t *testing.T) {
	rows, err := doctable.Read("doc.go", "Procedures of DBMS_LOGMNR")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{"LogFileName": "", "Options": capture, "StartScn": 0, "EndScn": 0, "StartTime": "1988-01-01 00:00:00", "EndTime": "2110-12-31 00:00:00"}
	for _, row := range rows {
		s := newScene(t, redo.Config{})
		file := s.stream.Online()[0].Member
		s.must(s.call("ADD_LOGFILE", "LogFileName", file, "Options", optionNew))
		var args []any
		for _, parameter := range row.Words() {
			value, ok := values[parameter]
			if !ok {
				t.Fatalf("%s: %s has no test", row.Name, parameter)
			}
			if parameter == "LogFileName" {
				value = file
			}
			args = append(args, parameter, value)
		}
		if row.Name == "ADD_LOGFILE" {
			args = []any{"LogFileName", file, "Options", optionNew}
		}
		if row.Name == "REMOVE_LOGFILE" {
			args = []any{"LogFileName", file}
		}
		if err := s.call(row.Name, args...); err != nil {
			t.Errorf("%s: %s: %v", row.Name, strings.Join(row.Words(), ", "), err)
		}
	}
	if len(rows) != 4 {
		t.Errorf("%d procedures", len(rows))
	}
}

// Every option that doc.go lists is a constant of the package and the other way round; what is taken is taken by START.
func TestDocumentedOptions(t *testing.T) {
	rows, err := doctable.Read("doc.go", "Options of START_LOGMNR")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{"NEW": true, "REMOVEFILE": true, "ADDFILE": true}
	for _, row := range rows {
		documented[row.Name] = true
		bit, known := constants[row.Name]
		if !known {
			t.Errorf("no constant %s", row.Name)
			continue
		}
		want := map[int64]int{dictFromRedoLogs: 1333, continuousMine: 1283, ddlDictTracking: 1283}[bit]
		options := bit | dictFromOnlineCatalog
		if bit == dictFromRedoLogs {
			options = bit
		}
		s := newScene(t, redo.Config{})
		s.addAll()
		if err := s.call("START_LOGMNR", "Options", int(options)); code(err) != want {
			t.Errorf("%s: %v, want ORA-%05d", row.Name, err, want)
		}
	}
	for name := range constants {
		if !documented[name] {
			t.Errorf("constant %s is not in doc.go", name)
		}
	}
}

// Every procedure of the package that doc.go lists is known, and the option that it names is taken.
func TestDocumentedBuild(t *testing.T) {
	rows, err := doctable.Read("doc.go", "Procedures of DBMS_LOGMNR_D")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1 || rows[0].Name != "BUILD" || !strings.Contains(rows[0].Text, "STORE_IN_REDO_LOGS") {
		t.Fatalf("rows %v", rows)
	}
	s := newScene(t, redo.Config{})
	option, ok := s.miner.Constant("DBMS_LOGMNR_D.STORE_IN_REDO_LOGS")
	if !ok {
		t.Fatal("no constant STORE_IN_REDO_LOGS")
	}
	for _, c := range []struct {
		value datum.Datum
		want  int
	}{{option, 0}, {relation.Int(storeInFlatFile), 44613}, {datum.Datum{}, 44613}, {relation.Int(7), 1283}} {
		value, want := c.value, c.want
		known, err := s.miner.Call(t.Context(), s.caller, "SYS.DBMS_LOGMNR_D.BUILD", []engine.Argument{{Name: "OPTIONS", Value: value}})
		if !known || code(err) != want {
			t.Errorf("option %v: %v, %v, want ORA-%05d", value, known, err, want)
		}
	}
	if logs := s.stream.Archived(); len(logs) != 1 || !logs[0].BuildBegin || !logs[0].BuildEnd {
		t.Errorf("archived logs %+v", logs)
	}
}
