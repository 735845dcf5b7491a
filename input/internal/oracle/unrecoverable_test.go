package oracle_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// R128: what left no redo is told by container and tablespace, and which tables live there.
func TestR128LoadsWithoutRedoAreToldByTablespace(t *testing.T) {
	s := standIn(t, `
ALTER SESSION SET CONTAINER = FREEPDB1;
CREATE TABLE app.orders (id NUMBER(10) PRIMARY KEY);
INSERT INTO app.orders VALUES (1);
CREATE TABLE app.left_out AS SELECT * FROM app.orders;
CREATE TABLE app.dropped AS SELECT * FROM app.orders;
DROP TABLE app.dropped;
CREATE TABLE system.own AS SELECT * FROM app.orders;
COMMIT;
CREATE TABLE app.loaded (id NUMBER(10)) NOLOGGING TABLESPACE bulk;
CREATE TABLE app.empty (id NUMBER(10)) NOLOGGING TABLESPACE bulk;
`)
	session := connect(t, captureUser(s, oracletest.Name))
	if got, err := oracle.ReadUnrecoverable(t.Context(), session); err != nil || got != nil {
		t.Fatalf("%v, %v: nothing was loaded", got, err)
	}
	load := `ALTER SESSION SET CONTAINER = FREEPDB1;
INSERT /*+ APPEND */ INTO app.loaded SELECT id FROM app.orders;
COMMIT;
`
	if err := s.RunScript(t.Context(), load); err != nil {
		t.Fatal(err)
	}
	first, err := oracle.ReadUnrecoverable(t.Context(), session)
	if err != nil || len(first) != 1 || first[0].Container != 3 || first[0].Tablespace != "BULK" || first[0].SCN == 0 || len(first[0].Time) != len("2006-01-02 15:04:05") {
		t.Fatalf("%+v, %v", first, err)
	}
	matches := func(of schema.Table) bool { return of.Name != "LEFT_OUT" }
	tables := func(container int, tablespace string) (out []string) {
		found, err := oracle.TablesIn(t.Context(), session, oracle.Container{ID: container, Name: "P"}, tablespace, matches)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range found {
			out = append(out, of.String())
		}
		return out
	}
	for tablespace, want := range map[string][]string{"BULK": {"P.APP.LOADED"}, "USERS": {"P.APP.ORDERS"}, "NONE": nil} {
		if diff := cmp.Diff(want, tables(3, tablespace)); diff != "" {
			t.Errorf("%s: %s", tablespace, diff)
		}
	}
	if got := tables(4, "BULK"); got != nil {
		t.Errorf("of the other PDB: %q", got)
	}
	if err := s.RunScript(t.Context(), load+"ALTER SESSION SET CONTAINER = FREEPDB2;\nCREATE TABLE app.copied NOLOGGING AS SELECT * FROM dual;\n"); err != nil {
		t.Fatal(err)
	}
	second, err := oracle.ReadUnrecoverable(t.Context(), session)
	if err != nil || len(second) != 2 || second[0].SCN <= first[0].SCN || second[1].Container != 4 || second[1].Tablespace != "USERS" {
		t.Fatalf("%+v, %v", second, err)
	}
	if got := tables(4, "USERS"); !slices.Equal(got, []string{"P.APP.COPIED"}) {
		t.Errorf("of the other PDB: %q", got)
	}
}

// R128: of several data files of a tablespace the last change counts, and the views of containers without one are no concern.
func TestR128LastChangeOfAllFilesOfATablespaceCounts(t *testing.T) {
	s := &script{}
	s.rows("V$DATAFILE", []string{"3", "5", "110", "2026-02-03 04:05:06"}, []string{"3", "5", "120", "2026-02-03 04:05:07"}, []string{"3", "5", "100", ""}, []string{"0", "5", "7", ""})
	s.rows("V$TABLESPACE", []string{"3", "4", "USERS"}, []string{"3", "5", "BULK"}, []string{"4", "5", "BULK"}, []string{"0", "5", "DATA"})
	got, err := oracle.ReadUnrecoverable(t.Context(), connect(t, config(server(t, s))))
	want := []oracle.Unrecoverable{{Tablespace: "DATA", SCN: 7}, {Container: 3, Tablespace: "BULK", SCN: 120, Time: "2026-02-03 04:05:07"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
