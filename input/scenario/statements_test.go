package scenario_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// R111: a DDL of 9,000 bytes comes in three pieces, and what it does may stand in the last one: a table that is created so is captured
// from its first row, one that is created with rows so is read, and a layout that begins so is followed.
func TestR111DDLInSeveralPiecesIsReadWhole(t *testing.T) {
	s := begin(t, misleads(redo.Warts{R107NoRows: true}))
	s.logAll()
	s.table("t", rowColumns)
	s.fill("t", 0, 20)
	p := s.start(initially(fields{
		"include": s.include("t", "made", "copy", fenceTable), "emit.schema_changes": true,
		"key.columns": map[string]any{s.db.Owner() + "." + s.db.Table("copy"): []string{"ID"}},
	}))
	p.snapshotted()
	remark := " /* " + strings.Repeat("ü; ' (", 1300) + " */ "
	texts := []string{
		"CREATE TABLE $made (id NUMBER(9) PRIMARY KEY," + remark + "note VARCHAR2(10))", "ALTER TABLE $t" + remark + "ADD (extra NUMBER(3))",
		"CREATE TABLE $copy" + remark + "AS SELECT id, v, name FROM $t",
	}
	s.exec(texts[0])
	s.commit("INSERT INTO $made VALUES (1, 'first')")
	s.exec(texts[1])
	s.commit("INSERT INTO $t VALUES (100, 1, 'x', 5)")
	s.exec(texts[2])
	p.until("the copy is not read", func() bool { return p.reads("copy") >= 21 })
	p.snapshotted()
	got := p.settle()
	s.sameRows(got, "copy")
	var told []string
	for i := range got {
		if got[i].event.Kind == change.SchemaChange {
			var c schemaChange
			if err := json.Unmarshal(got[i].value, &c); err != nil {
				t.Fatal(err)
			}
			told = append(told, c.DDL)
		}
	}
	for _, text := range texts {
		if !slices.Contains(told, s.text(text)) {
			t.Errorf("%.40s is not told of whole among %d", text, len(told))
		}
	}
	for _, want := range []string{`{"ID":1} c {"ID":1,"NOTE":"first"}`, `{"ID":100} c {"ID":100,"V":1,"NAME":"x","EXTRA":5}`} {
		if !slices.Contains(lines(got), want) {
			t.Errorf("%s is missing", want)
		}
	}
}
