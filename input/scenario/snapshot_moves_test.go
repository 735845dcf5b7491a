package scenario_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// merging is a consumer of a table with partial images: a column that is null in a record keeps its value. No row of the table has a NULL.
type merging struct {
	s     *scenario
	table string
	// rows has what it knows by key; held are those of which it had a whole record once.
	rows map[int]map[string]any
	held map[int]bool
	// readTo is the highest key that it had by query.
	readTo int
	checks int
}

// take merges one record.
func (c *merging) take(m *message) {
	if m.tombstone() {
		return
	}
	var key struct{ ID int }
	if err := json.Unmarshal(m.event.Key, &key); err != nil {
		c.s.t.Fatal(err)
	}
	r := m.record()
	if r.Op == "d" {
		delete(c.rows, key.ID)
		delete(c.held, key.ID)
		return
	}
	var after map[string]any
	if err := json.Unmarshal(r.After, &after); err != nil {
		c.s.t.Fatal(err)
	}
	if c.rows[key.ID] == nil {
		c.rows[key.ID] = map[string]any{}
	}
	for name, v := range after {
		if v != nil {
			c.rows[key.ID][name] = v
		}
	}
	switch r.Op {
	case "r":
		c.readTo = max(c.readTo, key.ID)
		c.held[key.ID] = true
	case "c":
		c.held[key.ID] = true
	}
}

// check compares what it holds with the database as of an SCN: every row that it had whole, and every one up to the key that it had by query.
func (c *merging) check(scn uint64, all bool) {
	c.s.t.Helper()
	c.checks++
	want := map[int]string{}
	for _, row := range c.s.rows("SELECT id, v, name FROM $" + c.table + " AS OF SCN " + strconv.FormatUint(scn, 10)) {
		id, err := strconv.Atoi(row[0])
		if err != nil {
			c.s.t.Fatal(err)
		}
		want[id] = fmt.Sprintf("%s %s", row[1], row[2])
		if (all || id <= c.readTo) && !c.held[id] {
			c.s.t.Fatalf("SCN %d: row %d is not there", scn, id)
		}
	}
	for id := range c.held {
		if got := fmt.Sprintf("%v %v", c.rows[id]["V"], c.rows[id]["NAME"]); got != want[id] {
			c.s.t.Fatalf("SCN %d: row %d is %q, in the database %q", scn, id, got, want[id])
		}
	}
}

// partialTable makes a table with 3000 rows, every tenth key, of which the redo has the key and what changes only.
func (s *scenario) partialTable() {
	s.exec("CREATE TABLE $t (" + rowColumns + ")")
	s.exec("ALTER TABLE $t ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY) COLUMNS")
	s.tables = append(s.tables, "t")
	s.exec("BEGIN FOR i IN 0..2999 LOOP INSERT INTO $t VALUES (i * 10, MOD(i, 97), 'row ' || i); END LOOP; COMMIT; END;")
}

// R84: rows that get another key while their table is read, with partial images: who merges what comes holds the table at every moment, behind
// each transaction what the database had at its commit.
func TestR84RowsThatMoveOverTheFrontierAreWhole(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.partialTable()
	log := s.server.LogStatements()
	p := s.betweenChunks(fields{"supplemental_logging": "key"},
		"UPDATE $t SET id = 5001 WHERE id = 25000",
		"BEGIN UPDATE $t SET v = 7 WHERE id = 25010; UPDATE $t SET id = 5002 WHERE id = 25010; UPDATE $t SET name = 'behind' WHERE id = 5002; COMMIT; END;",
		"UPDATE $t SET id = 25001 WHERE id = 5010",
		"UPDATE $t SET id = 40000, name = 'above all' WHERE id = 25020",
		"UPDATE $t SET id = 5003 WHERE id = 5020",
		"UPDATE $t SET v = 8 WHERE id = 5001",
		"UPDATE $t SET id = 5004 WHERE id = 25030",
		"DELETE FROM $t WHERE id = 5004",
		"UPDATE $t SET id = id + 3 WHERE id BETWEEN 26000 AND 26990",
		"UPDATE $t SET id = id - 19999 WHERE id BETWEEN 27000 AND 27990",
		"UPDATE $t SET v = 9 WHERE id = 25001",
	)
	p.snapshotted()
	got := p.settle()
	log.Stop()
	c := &merging{s: s, table: "t", rows: map[int]map[string]any{}, held: map[int]bool{}}
	var last *change.Transaction
	for i := range got {
		ev := got[i].event
		if ev.Version == nil || ev.Version.Table.Name != s.db.Table("t") {
			continue
		}
		if last != nil && ev.Transaction != last {
			c.check(uint64(last.Key.SCN), false)
		}
		last = ev.Transaction
		c.take(&got[i])
	}
	c.check(s.scn(), true)
	if c.checks < 10 {
		t.Errorf("only %d moments were compared", c.checks)
	}
	asked := 0
	for _, st := range log.Statements() {
		if strings.Contains(st.SQL, "CHARTOROWID") {
			asked++
		}
	}
	if asked == 0 || asked > 20 {
		t.Errorf("rows were asked for %d times", asked)
	}
	if strings.Contains(p.log.text(), "row-incomplete") {
		t.Error("a row is said to be incomplete")
	}
}

// R84: a row whose past is gone comes with what the redo has, named in the header, and an event tells of it; capture goes on.
func TestR84RowThatCannotBeReadAgainIsToldOf(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.partialTable()
	h := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "CHARTOROWID", Err: ora(1555, "snapshot too old: rollback segment number 5 with name \"_SYSSMU5_1\" too small")})
	p := s.betweenChunks(fields{"supplemental_logging": "key"}, "UPDATE $t SET id = 5001, v = 3 WHERE id = 25000")
	p.snapshotted()
	got := p.settle()
	if h.Hits() != 1 {
		t.Errorf("the row was asked for %d times", h.Hits())
	}
	var create *message
	for i := range got {
		if got[i].event.Op == change.Create && string(got[i].event.Key) == `{"ID":5001}` {
			create = &got[i]
		}
	}
	if create == nil || string(create.record().After) != `{"ID":5001,"V":3,"NAME":"__cdc_unavailable_value"}` {
		t.Fatalf("%+v", create)
	}
	if text := p.log.text(); !strings.Contains(text, "row-incomplete") || !strings.Contains(text, "ORA-01555") {
		t.Errorf("nothing tells of it: %s", text)
	}
}
