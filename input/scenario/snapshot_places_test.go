package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// whileBlocksAreRead starts a snapshot of table t, and lets statements run when some of its blocks are out, and the next ones have their SCN but no
// row.
func (s *scenario) whileBlocksAreRead(f fields, statements ...string) *pipeline {
	s.t.Helper()
	first, second := make(chan struct{}), make(chan struct{})
	h := s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: first}))
	all := fields{"snapshot.threads": 1, "snapshot.max_pending_chunks": 1}
	for path, value := range f {
		all[path] = value
	}
	p := s.start(initially(all))
	if err := h.Wait(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	h = s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: second}))
	close(first)
	if err := h.Wait(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	p.until("the first blocks do not come", func() bool { return p.reads("t") > 0 })
	if n := p.reads("t"); n > 2000 {
		s.t.Fatalf("%d rows are out already", n)
	}
	for _, statement := range statements {
		s.exec(statement)
	}
	close(second)
	return p
}

// R85: rows of a table without key that get other places while its blocks are read: none is missing in the end, and what a row's records say last
// is what it is. By ROWID, every place has the row that lies there.
func TestR85RowsThatMoveWhileBlocksAreRead(t *testing.T) {
	const columns = "id NUMBER(9) NOT NULL, v NUMBER(9), name VARCHAR2(40)"
	for name, c := range map[string]struct {
		create     string
		statements []string
		// moved is how many rows move at least.
		moved int
	}{
		"SHRINK SPACE": {
			"CREATE TABLE $t (" + columns + ")",
			[]string{
				"DELETE FROM $t WHERE MOD(id, 3) > 0", "UPDATE $t SET v = 1000 WHERE id BETWEEN 1500 AND 2100", "ALTER TABLE $t SHRINK SPACE",
				"UPDATE $t SET v = 2000 WHERE id BETWEEN 1800 AND 2400",
			},
			100,
		},
		"another partition": {
			"CREATE TABLE $t (" + columns + ") PARTITION BY RANGE (v) (PARTITION p0 VALUES LESS THAN (1000), PARTITION p1 VALUES LESS THAN (5000))",
			[]string{
				"UPDATE $t SET v = v - 1000 WHERE id BETWEEN 2500 AND 2600", "UPDATE $t SET v = v + 1000 WHERE id BETWEEN 100 AND 200",
				"BEGIN UPDATE $t SET v = v - 1000 WHERE id = 2700; UPDATE $t SET name = 'behind' WHERE id = 2700; COMMIT; END;",
				"UPDATE $t SET name = 'later' WHERE id BETWEEN 2550 AND 2650",
			},
			200,
		},
	} {
		for _, missing := range []string{"none", "rowid"} {
			t.Run(name+", "+missing, func(t *testing.T) {
				s := begin(t, needing(wireFaults))
				s.exec(c.create)
				s.exec("ALTER TABLE $t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
				s.exec("ALTER TABLE $t ENABLE ROW MOVEMENT")
				s.tables = append(s.tables, "t")
				s.exec("BEGIN FOR i IN 0..2999 LOOP INSERT INTO $t VALUES (i, 1000 * FLOOR(i / 1500) + MOD(i, 97), 'row ' || i); END LOOP; COMMIT; END;")
				p := s.whileBlocksAreRead(fields{"key.missing": missing}, c.statements...)
				p.snapshotted()
				got := without(p.settle(), s.db.Table(fenceTable))
				last, count, byPlace, moved := map[string]string{}, map[string]int{}, map[string]string{}, 0
				for i := range got {
					ev := got[i].event
					if ev.Version == nil || ev.Kind == change.Tombstone {
						continue
					}
					image := ev.After
					if ev.Op == change.Delete {
						image = ev.Before
					}
					id := image[0].Text()
					text := fmt.Sprintf("%s %s %s", id, image[1].Text(), image[2].Text())
					switch ev.Op {
					case change.Delete:
						count[id] = max(0, count[id]-1) // one that was not read yet is not there
						delete(byPlace, ev.RowID)
						continue
					case change.Create:
						moved++
						count[id]++
					case change.Read:
						count[id]++
					}
					last[id], byPlace[ev.RowID] = text, text
				}
				if moved < c.moved {
					t.Errorf("only %d rows moved", moved)
				}
				rows, there := s.rows("SELECT id, v, name, ROWIDTOCHAR(ROWID) FROM $t"), map[string]bool{}
				for _, row := range rows {
					id, want := row[0], strings.Join(row[:3], " ")
					there[id] = true
					if last[id] != want || count[id] < 1 {
						t.Errorf("row %s is there %d times, its last record says %q, the database %q", id, count[id], last[id], want)
					}
					if missing == "rowid" && byPlace[row[3]] != want {
						t.Errorf("at %s the consumer has %q, the database %q", row[3], byPlace[row[3]], want)
					}
				}
				if missing == "rowid" && len(byPlace) != len(rows) {
					t.Errorf("the consumer has %d rows, the database %d", len(byPlace), len(rows))
				}
				for id, n := range count {
					if missing == "rowid" && !there[id] && n > 0 {
						t.Errorf("row %s is gone and there %d times", id, n)
					}
				}
			})
		}
	}
}

// R81: rows of a table with a key that get other places while a chunk is read: what was read of it is discarded and read again, at another SCN.
func TestR81RowsThatMoveWhileAChunkIsRead(t *testing.T) {
	for name, statements := range map[string][]string{
		"MOVE":   {"ALTER TABLE $t MOVE"},
		"SHRINK": {"DELETE FROM $t WHERE MOD(id, 3) > 0 AND id < 1000", "ALTER TABLE $t SHRINK SPACE"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(wireFaults))
			s.table("t", rowColumns)
			s.exec("ALTER TABLE $t ENABLE ROW MOVEMENT")
			s.fill("t", 0, 3000)
			p := s.betweenChunks(nil, append(statements, "UPDATE $t SET name = 'behind' WHERE id = 1500", "UPDATE $t SET id = 10001 WHERE id = 2500", "UPDATE $t SET id = 10002 WHERE id = 501")...)
			p.snapshotted()
			if reads := s.sameRows(p.settle(), "t"); reads < 2999 {
				t.Errorf("%d rows were read", reads)
			}
			if name == "MOVE" && !strings.Contains(p.log.text(), "given up and read again") {
				t.Error("the chunk was not given up")
			}
		})
	}
}
