package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// joinsRows gives the rows of a table as a consumer of its topic has them, and how many records of rows that were read there are.
func (s *scenario) joinsRows(b *broker, table string) (rows map[string]string, reads int) {
	rows = map[string]string{}
	for _, r := range b.topic("shop." + s.full(table)) {
		if len(r.Value) == 0 {
			continue
		}
		var record struct {
			Op    string          `json:"op"`
			After json.RawMessage `json:"after"`
		}
		if err := json.Unmarshal(r.Value, &record); err != nil {
			s.t.Fatal(err)
		}
		switch record.Op {
		case "d":
			delete(rows, string(r.Key))
			continue
		case "r":
			reads++
		}
		rows[string(r.Key)] = string(record.After)
	}
	return rows, reads
}

// R87: a table that joins include at a restart, with transactions that are open since before: what they did to it then is in no step. Whoever reads
// what the table holds gets it all the same, whenever they end, also behind a kill; and what they take back of it stops nothing.
func TestR87TableThatJoinsWithTransactionsOpenFromBefore(t *testing.T) {
	for _, kill := range []bool{false, true} {
		t.Run(fmt.Sprint("kill ", kill), func(t *testing.T) {
			s := begin(t)
			s.table("t", rowColumns)
			s.table("other", rowColumns)
			s.fill("other", 0, 25)
			b := newBroker(t)
			p := s.startKafka(b, initially(fields{"include": s.include("t", fenceTable)}))
			p.settleKafka(b)
			old, back, gone := s.connect(app).begin(), s.connect(app).begin(), s.connect(app).begin()
			old.exec("UPDATE $other SET name = 'old' WHERE id = 3")
			old.exec("INSERT INTO $other VALUES (500, 1, 'old')")
			back.exec("UPDATE $other SET name = 'back' WHERE id = 4")
			back.exec("SAVEPOINT a")
			back.exec("UPDATE $other SET name = 'taken back' WHERE id = 5")
			gone.exec("DELETE FROM $other WHERE id = 6")
			p.settleKafka(b) // the position passes what they did
			p.settleKafka(b)
			<-time.After(1500 * time.Millisecond)
			p.stop()
			joined := initially(fields{"include": s.include("t", "other", fenceTable)})
			p = s.startKafka(b, joined)
			p.until("nothing says that it waits", func() bool { return strings.Contains(p.log.text(), "began before tables joined include") })
			p.settleKafka(b)
			old.exec("UPDATE $other SET v = 7 WHERE id = 500")
			old.commit()
			back.exec("ROLLBACK TO SAVEPOINT a")
			p.settleKafka(b)
			if kill {
				p.kill()
				p = s.startKafka(b, joined)
				p.until("nothing says that it waits", func() bool { return strings.Contains(p.log.text(), "began before tables joined include") })
			}
			if _, reads := s.joinsRows(b, "other"); reads > 0 {
				t.Errorf("%d rows were read while a transaction was open that began before the table joined", reads)
			}
			back.commit()
			gone.rollback()
			p.until("the table is not read", func() bool { _, reads := s.joinsRows(b, "other"); return reads >= 26 })
			young := s.connect(app).begin()
			young.exec("UPDATE $other SET name = 'young' WHERE id = 9")
			young.commit()
			p.settleKafka(b)
			rows, _ := s.joinsRows(b, "other")
			if diff := cmp.Diff(s.rowsAt("other", s.scn()), rows); diff != "" {
				t.Errorf("(-database +consumer)\n%s", diff)
			}
			p.until("the position still names it", func() bool {
				records := b.topic("shop.cdc.position")
				return !strings.Contains(string(records[len(records)-1].Value), `"joined"`)
			})
		})
	}
}

// A table that joins include at a restart is read, where no schema topic knows the tables: the position does. It is no stranger at the next one; with
// snapshot.mode none it is captured from there on, and the log says so.
func TestTableThatJoinsIncludeIsReadWithoutASchemaTopic(t *testing.T) {
	for _, mode := range []string{"initial", "none"} {
		t.Run(mode, func(t *testing.T) {
			s := begin(t)
			s.table("t", rowColumns)
			s.table("other", rowColumns)
			s.fill("t", 0, 20)
			s.fill("other", 0, 25)
			with := func(tables ...string) fields {
				return initially(fields{"snapshot.mode": mode, "include": s.include(append(tables, fenceTable)...)})
			}
			p := s.start(with("t"))
			if mode == "initial" {
				p.snapshotted()
			}
			p.settle()
			p.stop()
			s.exec("INSERT INTO $other VALUES (90, 1, 'between')")
			p = s.start(with("t", "other"))
			if mode == "none" {
				p.until("nothing says that it joins", func() bool { return strings.Contains(p.log.text(), "what committed before is not delivered") })
				s.exec("UPDATE $other SET v = 2 WHERE id = 90")
				if got := ofKey(p.settle(), `{"ID":90}`); len(got) != 2 || p.reads("other") > 0 { // it was inserted behind the position
					t.Errorf("%q", got)
				}
				return
			}
			p.until("it is not read", func() bool { return p.reads("other") == 26 })
			p.snapshotted()
			s.sameRows(p.settle(), "other")
			if n := p.reads("t"); n > 0 {
				t.Errorf("the other table was read again: %d rows", n)
			}
			p.stop()
			p = s.start(with("t", "other"))
			s.exec("UPDATE $other SET v = 2 WHERE id = 90")
			p.settle()
			if n := p.reads("other") + p.reads("t"); n > 0 {
				t.Errorf("%d rows were read again", n)
			}
		})
	}
}

// A table that include has again after it had not is read again: what committed meanwhile is in no record.
func TestTableThatComesBackToIncludeIsReadAgain(t *testing.T) {
	s := begin(t)
	s.table("t", rowColumns)
	s.table("other", rowColumns)
	s.fill("other", 0, 25)
	b := newBroker(t)
	both := initially(fields{"include": s.include("t", "other", fenceTable)})
	reads := func(n int) func() bool {
		return func() bool { _, reads := s.joinsRows(b, "other"); return reads >= n }
	}
	p := s.startKafka(b, both)
	p.until("it is not read", reads(25))
	p.settleKafka(b)
	p.stop()
	p = s.startKafka(b, initially(fields{"include": s.include("t", fenceTable)}))
	s.exec("UPDATE $other SET name = 'meanwhile' WHERE id = 7")
	s.exec("DELETE FROM $other WHERE id = 8")
	p.settleKafka(b)
	p.settleKafka(b)
	p.stop()
	p = s.startKafka(b, both)
	p.until("it is not read again", reads(49))
	p.settleKafka(b)
	rows, _ := s.joinsRows(b, "other")
	if got := rows[`{"ID":7}`]; !strings.Contains(got, "meanwhile") {
		t.Errorf("row 7: %s", got)
	}
	p.until("the snapshot does not end", func() bool {
		stored := b.topic("shop.cdc.position")
		return strings.Contains(string(stored[len(stored)-1].Value), `"status":"completed"`)
	})
	p.stop()
	_, before := s.joinsRows(b, "other")
	p = s.startKafka(b, both)
	p.settleKafka(b)
	if _, n := s.joinsRows(b, "other"); n != before {
		t.Errorf("%d rows were read once more", n-before)
	}
}
