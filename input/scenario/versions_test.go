package scenario_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// versionsOf gives the versions that the schema topic has of a table, none without a record.
func (s *scenario) versionsOf(b *broker, name string) []int {
	s.t.Helper()
	key := fmt.Sprintf(`{"server":"shop","pdb":%q,"owner":%q,"table":%q}`, s.db.PDB(), s.db.Owner(), s.db.Table(name))
	var of struct{ Versions []struct{ Version int } }
	for _, r := range b.topic("shop.cdc.schema") {
		if string(r.Key) != key {
			continue
		}
		of.Versions = nil
		if r.Value == nil {
			continue
		}
		if err := json.Unmarshal(r.Value, &of); err != nil {
			s.t.Fatal(err)
		}
	}
	var out []int
	for _, v := range of.Versions {
		out = append(out, v.Version)
	}
	return out
}

// keeps waits until the schema topic has certain versions of a table.
func (p *pipeline) keeps(b *broker, name string, want ...int) {
	p.s.t.Helper()
	p.until(fmt.Sprintf("versions of %s are not %v", name, want), func() bool { return slices.Equal(p.s.versionsOf(b, name), want) })
}

// R75, R100: a version goes when the stored position is past the rows of it, and not before; so does the record of a table that was
// dropped. What was open, or not acknowledged, finds its version behind a restart.
func TestR100SchemaTopicKeepsWhatARestartCanNeed(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	s.table("u", "id NUMBER(9) PRIMARY KEY")
	p := s.startKafka(b, nil)
	s.commit("INSERT INTO $t VALUES (1, 1)")
	p.settleKafka(b)
	open := s.connect(app).begin()
	open.exec("INSERT INTO $u VALUES (1)")
	p.settleKafka(b)
	s.commit("INSERT INTO $t VALUES (2, 2)")
	s.exec("ALTER TABLE $t ADD (note VARCHAR2(10))")
	s.commit("INSERT INTO $t VALUES (3, 3, 'n')")
	p.settleKafka(b)
	s.switchLog()
	p.settleKafka(b)
	p.keeps(b, "t", 1, 2)
	p.stopHard()
	s.commit("INSERT INTO $t VALUES (4, 4, 'n')")
	p = s.launchKafka(b, nil, "kafka_franz: {}")
	p.settleKafka(b)
	p.keeps(b, "t", 1, 2)
	open.commit()
	p.settleKafka(b)
	p.keeps(b, "t", 2)
	s.exec("DROP TABLE $t PURGE")
	p.settleKafka(b)
	s.switchLog()
	p.settleKafka(b)
	p.keeps(b, "t")
	p.stop()
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p = s.launchKafka(b, nil, "kafka_franz: {}")
	s.commit("INSERT INTO $t VALUES (5)")
	p.settleKafka(b)
	p.keeps(b, "t", 3) // the numbers of the one that is gone are not used again: its rows may still be about
	seen := map[string]bool{}
	for _, r := range b.topic("shop." + s.full("t")) {
		seen[string(r.Key)] = true
	}
	if len(seen) != 5 {
		t.Errorf("keys %v, want five", seen)
	}
}
