package scenario_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// reads counts the rows of a table that a pipeline delivered by reading them.
func (p *pipeline) reads(table string) int {
	got, _ := p.delivered()
	_, n := consumed(got, p.s.db.Table(table))
	return n
}

// Modes that read what is there at the first start do so once, whatever name they are known by; the others do not.
func TestSnapshotModes(t *testing.T) {
	for mode, c := range map[string]struct{ first, second int }{
		"initial": {50, 0}, "snapshot_and_stream": {50, 0}, "when_needed": {50, 0}, "always": {50, 51},
		"none": {}, "schema_only": {}, "no_data": {}, "on_signal": {},
	} {
		t.Run(mode, func(t *testing.T) {
			s := begin(t)
			s.table("t", rowColumns)
			s.fill("t", 0, 50)
			change := initially(fields{"snapshot.mode": mode})
			p := s.start(change)
			if c.first > 0 {
				p.snapshotted()
			}
			s.exec("INSERT INTO $t VALUES (100, 1, 'new')")
			got := p.settle()
			if _, n := consumed(got, s.db.Table("t")); n != c.first {
				t.Errorf("%d rows were read, want %d", n, c.first)
			}
			if c.first > 0 {
				s.sameRows(got, "t")
			}
			last := got[len(got)-1].event.Position.Sequence
			p.until("the position does not follow", func() bool { return s.stored().Sequence >= last })
			p.kill()
			p = s.start(change)
			if c.second > 0 {
				p.until("nothing is read again", func() bool { return p.reads("t") == c.second })
			}
			s.exec("INSERT INTO $t VALUES (101, 1, 'newer')")
			if _, n := consumed(p.settle(), s.db.Table("t")); n != c.second {
				t.Errorf("%d rows were read after the restart, want %d", n, c.second)
			}
		})
	}
}

// Mode snapshot_only ends the stream once all of it is acknowledged, with what committed meanwhile; started again it has nothing to do.
func TestSnapshotOnlyEndsTheStream(t *testing.T) {
	for _, mode := range []string{"snapshot_only", "initial_only"} {
		t.Run(mode, func(t *testing.T) {
			s := begin(t)
			s.table("t", rowColumns)
			s.fill("t", 0, 2500)
			p := s.start(initially(fields{"snapshot.mode": mode}))
			s.exec("UPDATE $t SET name = 'meanwhile' WHERE id = 2499")
			select {
			case <-p.ended:
			case err := <-p.typed:
				t.Fatalf("it stopped: %v", err)
			case <-time.After(patience):
				t.Fatal("the stream does not end")
			}
			got, _ := p.delivered()
			if reads := s.sameRows(got, "t"); reads != 2500 {
				t.Errorf("%d rows were read", reads)
			}
			if now := s.stored(); now.Snapshot == nil || now.Snapshot.Status != position.SnapshotCompleted {
				t.Errorf("the position says %+v", now.Snapshot)
			}
			p.stop()
			p = s.launch(initially(fields{"snapshot.mode": mode}))
			select {
			case <-p.ended:
			case <-time.After(patience):
				t.Fatal("the stream does not end at once")
			}
			if n := p.reads("t"); n > 0 {
				t.Errorf("%d rows were read again", n)
			}
		})
	}
}

// A mode that only reads tables reads all of them behind a request for one of them, once: a restart has nothing left to read.
func TestSnapshotOnlyBehindARequest(t *testing.T) {
	s := begin(t)
	for _, name := range []string{"t", "u"} {
		s.table(name, rowColumns)
		s.fill(name, 0, 20)
	}
	address := freeAddress(t)
	signals := map[string]any{"enabled": true, "address": address}
	p := s.start(initially(fields{"snapshot.mode": "on_signal", "signals.http": signals}))
	if code, body := s.post(address, `{"id":"1","type":"execute-snapshot","data":{"data-collections":["`+strings.ReplaceAll(s.full("t"), ".", `\\.`)+`"]}}`); code != http.StatusOK {
		t.Fatalf("%d %s", code, body)
	}
	p.snapshotted()
	if t1, u := p.reads("t"), p.reads("u"); t1 != 20 || u != 0 {
		t.Errorf("%d and %d rows were read", t1, u)
	}
	p.stop()
	for _, want := range []int{20, 0} {
		p = s.launch(initially(fields{"snapshot.mode": "snapshot_only"}))
		select {
		case <-p.ended:
		case err := <-p.typed:
			t.Fatalf("it stopped: %v", err)
		case <-time.After(patience):
			t.Fatal("the stream does not end")
		}
		if t1, u := p.reads("t"), p.reads("u"); t1 != want || u != want {
			t.Errorf("%d and %d rows were read, want %d of each", t1, u, want)
		}
		p.stop()
	}
}

// Tables are read in the order of the configuration, and rows that a condition leaves out are not; their changes come all the same.
func TestSnapshotOrderConditionsAndOverrides(t *testing.T) {
	s := begin(t)
	for _, name := range []string{"a", "b", "c"} {
		s.table(name, rowColumns)
		s.fill(name, 0, 20)
	}
	full := func(name string) string { return s.db.Owner() + "." + s.db.Table(name) }
	p := s.start(initially(fields{
		"snapshot.order": []string{`.*\.` + s.db.Table(fenceTable), `.*\.` + s.db.Table("c")}, "snapshot.conditions": map[string]any{full("a"): "id < 5"},
		"snapshot.overrides": map[string]any{full("b"): "SELECT * FROM " + full("b") + " AS OF SCN :scn WHERE id >= 15"},
	}))
	p.snapshotted()
	s.exec("UPDATE $a SET v = 0 WHERE id = 19")
	var order []string
	counts := map[string]int{}
	for _, m := range p.settle() {
		if m.event.Kind == change.Snapshot {
			name := m.event.Version.Table.Name
			counts[name]++
			if !slices.Contains(order, name) {
				order = append(order, name)
			}
		}
	}
	if want := []string{s.db.Table("c"), s.db.Table("a"), s.db.Table("b")}; !slices.Equal(order, want) {
		t.Errorf("read in the order %q, want %q", order, want)
	}
	if counts[s.db.Table("a")] != 5 || counts[s.db.Table("b")] != 5 || counts[s.db.Table("c")] != 20 {
		t.Errorf("read %v", counts)
	}
}

// Mode when_needed reads the tables again where the redo from the position on is gone; initial stops there. A table that changed meanwhile
// has its next version, and one that is gone is no more.
func TestSnapshotIsReadAgainWhenTheRedoIsGone(t *testing.T) {
	s := begin(t, logs(2, 64<<10), needing(purging))
	s.logAll()
	s.table("t", rowColumns)
	s.table("gone", rowColumns)
	s.fill("t", 0, 30)
	b := newBroker(t)
	change := initially(fields{"snapshot.mode": "when_needed"})
	p := s.startKafka(b, change)
	p.settleKafka(b)
	p.stop()
	s.exec("INSERT INTO $t VALUES (100, 1, 'lost as a change')")
	s.exec("ALTER TABLE $t ADD (extra NUMBER(5))")
	s.exec("DROP TABLE $gone")
	s.foreignWork()
	if n := s.server.PurgeArchived(s.server.CurrentSCN()); n == 0 {
		t.Fatal("nothing was purged")
	}
	p = s.launchKafka(b, initially(nil), "kafka_franz: {}")
	refusal(t, p.stopped(), 2002, "")
	p.stop()
	p = s.startKafka(b, change)
	rows := func() map[string]string {
		replica := map[string]string{}
		for _, r := range b.topic("shop." + s.full("t")) {
			if r.Value != nil {
				replica[string(r.Key)] = string(r.Value)
			}
		}
		return replica
	}
	p.until("the table is not read again", func() bool { return strings.Contains(rows()[`{"ID":100}`], `"op":"r"`) })
	s.exec("UPDATE $t SET extra = 7 WHERE id = 3")
	p.settleKafka(b)
	if got := rows(); len(got) != 31 || !strings.Contains(got[`{"ID":3}`], `"EXTRA":7`) {
		t.Errorf("%d rows, %s", len(got), got[`{"ID":3}`])
	}
}
