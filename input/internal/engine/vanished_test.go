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
