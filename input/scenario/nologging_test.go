package scenario_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// loads lists the tablespaces and tables of events nologging on a broker's topic of ops events.
func (b *broker) loads() []string {
	b.t.Helper()
	var out []string
	for _, r := range b.topic("shop.cdc.ops") {
		var ev struct {
			Type    string
			Details struct{ PDB, Tablespace, SCN, Tables string }
		}
		if err := json.Unmarshal(r.Value, &ev); err != nil {
			b.t.Fatal(err)
		}
		if d := ev.Details; ev.Type == "nologging" {
			out = append(out, strings.Join([]string{d.PDB, d.Tablespace, d.Tables}, " "))
		}
	}
	return out
}

// R128: direct-path loads without redo are told of by the tablespace and the captured tables that live there, also when they were run while
// capture was down; those elsewhere, and loads that left redo, are no event.
func TestR128LoadsWithoutRedoAreToldOf(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.exec("CREATE TABLE $loaded (id NUMBER(9) PRIMARY KEY) NOLOGGING TABLESPACE bulk")
	s.exec("ALTER TABLE $loaded ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	s.exec("CREATE TABLE $staging (id NUMBER(9)) NOLOGGING TABLESPACE stage")
	s.commit("INSERT INTO $t VALUES (1)")
	change := fields{"include": s.include("t", "loaded", fenceTable), "signals.kafka": true}
	b.create("shop.cdc.signals", 1, "delete")
	p := s.startKafka(b, change)
	s.commit("INSERT /*+ APPEND */ INTO $staging SELECT id FROM $t") // nothing captured lives there
	s.commit("INSERT INTO $loaded SELECT id + 10 FROM $t")           // redo is there
	p.settleKafka(b)
	refresh := func(id string, want ...string) {
		t.Helper()
		b.signal(`{"id":"` + id + `","type":"refresh-tables"}`)
		p.until("the signal is not answered", func() bool {
			return slices.ContainsFunc(b.answers(), func(a string) bool { return strings.HasPrefix(a, id+" ") })
		})
		p.until("loads are not told of", func() bool { return len(b.loads()) >= len(want) })
		p.settleKafka(b)
		if got := b.loads(); !slices.Equal(got, want) {
			t.Fatalf("told of %q, want %q", got, want)
		}
	}
	refresh("r1")
	s.commit("INSERT /*+ APPEND */ INTO $loaded SELECT id + 20 FROM $t")
	bulk := s.db.PDB() + " BULK " + s.full("loaded")
	refresh("r2", bulk)
	refresh("r3", bulk)
	p.kill()
	s.commit("INSERT /*+ APPEND */ INTO $loaded SELECT id + 30 FROM $t")
	s.switchLog()
	s.commit("INSERT INTO $t VALUES (2)")
	p = s.startKafka(b, change)
	refresh("r4", bulk, bulk)
	p.stop()
	p = s.startKafka(b, change)
	refresh("r5", bulk, bulk)
	if got := b.keys("shop." + s.full("loaded")); len(got) != 1 {
		t.Errorf("%d rows of the load are there", len(got))
	}
}

// R128: nologging stop ends capture behind what committed before the load; the position stays below until it is let pass.
func TestR128LoadWithoutRedoStops(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	stopping := fields{"nologging": "stop"}
	p := s.start(stopping)
	s.commit("INSERT INTO $t VALUES (1)")
	same(t, p.settle(), `{"ID":1} c {"ID":1}`)
	p.stop()
	s.commit("INSERT INTO $t VALUES (2)")
	s.exec("CREATE TABLE $copied NOLOGGING AS SELECT * FROM $t")
	s.commit("INSERT INTO $t VALUES (3)")
	var before []string
	for range 2 {
		p = s.launch(stopping)
		fault := p.stopped()
		if fault == nil || fault.Code != stop.RedoGap || !strings.Contains(fault.Error(), "tablespace USERS of "+s.db.PDB()) {
			t.Fatalf("%v, want CDC-2001", fault)
		}
		got, _ := p.delivered()
		before = append(before, lines(got)...)
		p.kill()
	}
	if !slices.Contains(before, `{"ID":2} c {"ID":2}`) || slices.Contains(before, `{"ID":3} c {"ID":3}`) {
		t.Errorf("up to the load: %q", before)
	}
	told := s.stored().NoLogging
	p = s.start(nil)
	got := lines(p.settle())
	if !slices.Contains(got, `{"ID":3} c {"ID":3}`) {
		t.Errorf("with event: %q", got)
	}
	p.until("the position does not say that it was told of", func() bool { return s.stored().NoLogging > told })
	p.stop()
	p = s.start(stopping)
	s.commit("INSERT INTO $t VALUES (4)")
	same(t, p.settle(), `{"ID":4} c {"ID":4}`)
}
