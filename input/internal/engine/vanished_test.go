package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R104: rows that nobody can name count where a partition that DDL made was never seen, from that DDL to the next one that names it.
func TestR104RowsThatNobodyCanNameBehindAPartitionThatNobodySaw(t *testing.T) {
	b := table("B", 102)
	type step struct {
		scn     position.SCN
		text    string
		there   string // partitions that the dictionary has
		foreign position.SCN
		table   string
		stops   bool
	}
	for name, steps := range map[string][]step{
		"in the step":            {{scn: 100, text: "alter table b add partition p values (1)", there: "Q", foreign: 101, table: "OBJ# 77", stops: true}},
		"without any name":       {{scn: 100, text: "alter table b add partition p values (1)", foreign: 101, stops: true}},
		"in a later step":        {{scn: 100, text: "alter table b split partition q at (1) into (partition p, partition r)", there: "R"}, {foreign: 120, table: "BIN$x", stops: true}},
		"before the DDL":         {{scn: 100, text: "alter table b add partition p values (1)", there: "Q", foreign: 99, table: "OBJ# 77"}},
		"the partition is there": {{scn: 100, text: "alter table b add partition p values (1)", there: "Q P", foreign: 101, table: "OBJ# 77"}, {foreign: 120, table: "OBJ# 77"}},
		"behind its end":         {{scn: 100, text: "alter table b add partition p values (1)"}, {scn: 110, text: "alter table b drop partition p"}, {foreign: 120, table: "OBJ# 77"}},
		"up to its end":          {{scn: 100, text: "alter table b add partition p values (1)"}, {scn: 110, text: "alter table b drop partition p", foreign: 109, table: "OBJ# 77", stops: true}},
		"of another table":       {{scn: 100, text: "alter table foreign add partition p values (1)", foreign: 101, table: "OBJ# 77"}},
		"a table with a name":    {{scn: 100, text: "alter table b add partition p values (1)", foreign: 101, table: "FOREIGN"}},
		"made with the table":    {{scn: 100, text: "create table b (a number) partition by list (a) (partition p values (1))", foreign: 101, table: "OBJ# 77"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &miner{history: newHistory(), tables: newTables(0), applier: &applier{first: &ledger{}, discarded: &discarded{}}}
			m.tables.add(b, true)
			for i, s := range steps {
				m.applier.begin()
				if s.foreign > 0 {
					m.applier.stranger(&logminer.Row{Container: pdb, SCN: s.foreign, ObjectID: 77, Owner: "APP", Table: s.table})
				}
				now := newTables(0)
				now.partitions[b.Table] = strings.Fields(s.there)
				var committed []committedDDL
				if s.text != "" {
					d := ddlRow{table: b.Table, object: object{pdb, 102}, scn: s.scn, what: definition.Classify(s.text, "APP")}
					if d.what.Table.Name != "B" {
						d.table, d.object = schema.Table{PDB: "PDB1", Owner: "APP", Name: "FOREIGN"}, object{pdb, 900}
					}
					committed = append(committed, committedDDL{ddlRow: d, commit: s.scn + 1})
				}
				for range 2 { // a step may be mined again
					err := m.vanish(slices.Clone(committed), now)
					if stop.Is(err, stop.NoDictionary) != s.stops || s.stops && !strings.Contains(err.Error(), "partition P") {
						t.Fatalf("step %d: %v", i+1, err)
					}
				}
			}
		})
	}
}

// R104: what nobody saw is remembered over a restart, until the DDL that names it next.
func TestR104PartitionThatNobodySawIsRememberedOverARestart(t *testing.T) {
	for name, dropped := range map[string]bool{"still open": false, "ended": true} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.db.partition[s.b.Table] = true
			s.step(ddl(s.b, xid(2), 1010, "alter table B add partition p values (1)"), commit(xid(2), 1011))
			if dropped {
				s.step(ddl(s.b, xid(3), 1015, "alter table B drop partition p"), commit(xid(3), 1016))
			}
			s.step(insert(s.a, xid(4), 1020, 1, "a"), commit(xid(4), 1021))
			s.play(s.beginning())
			p := s.through(s.last())
			if s.err != nil || p.Resume.SCN < 1021 || len(p.Unseen) > 0 == dropped {
				t.Fatalf("%v; resume %s, unseen %v", s.err, p.Resume.SCN, p.Unseen)
			}
			s.db.foreign = true
			s.step(insert(table("OBJ# 777", 777), xid(5), 1030, 1, "lost"), commit(xid(5), 1031))
			s.play(p)
			if stop.Is(s.err, stop.NoDictionary) == dropped {
				t.Errorf("%v; want CDC-6001: %t", s.err, !dropped)
			}
		})
	}
}
