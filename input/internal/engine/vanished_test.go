package engine

import (
	"cmp"
	"fmt"
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
		"in the step":                {{scn: 100, text: "alter table b add partition p values (1)", there: "Q", foreign: 101, table: "OBJ# 77", stops: true}},
		"without any name":           {{scn: 100, text: "alter table b add partition p values (1)", foreign: 101, stops: true}},
		"in a later step":            {{scn: 100, text: "alter table b split partition q at (1) into (partition p, partition r)", there: "R"}, {foreign: 120, table: "BIN$x", stops: true}},
		"before the DDL":             {{scn: 100, text: "alter table b add partition p values (1)", there: "Q", foreign: 99, table: "OBJ# 77"}},
		"the partition is there":     {{scn: 100, text: "alter table b add partition p values (1)", there: "Q P", foreign: 101, table: "OBJ# 77"}, {foreign: 120, table: "OBJ# 77"}},
		"behind its end":             {{scn: 100, text: "alter table b add partition p values (1)"}, {scn: 110, text: "alter table b drop partition p"}, {foreign: 120, table: "OBJ# 77"}},
		"behind its end in its step": {{scn: 100, text: "alter table b add partition p values (1)"}, {scn: 110, text: "alter table b drop partition p", foreign: 112, table: "OBJ# 77"}},
		"up to its end":              {{scn: 100, text: "alter table b add partition p values (1)"}, {scn: 110, text: "alter table b drop partition p", foreign: 109, table: "OBJ# 77", stops: true}},
		"of another table":           {{scn: 100, text: "alter table foreign add partition p values (1)", foreign: 101, table: "OBJ# 77"}},
		"a table with a name":        {{scn: 100, text: "alter table b add partition p values (1)", foreign: 101, table: "FOREIGN"}},
		"made with the table":        {{scn: 100, text: "create table b (a number) partition by list (a) (partition p values (1))", foreign: 101, table: "OBJ# 77"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := &miner{history: newHistory(), tables: newTables(0), applier: &applier{first: &ledger{}, entrants: &entrants{}, discarded: &discarded{}}}
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

// R104: a partitioned table went before anybody read the ids of the partitions that inserts had made. A row in a segment that nobody can
// name may be its, from the last segment that is known on and up to the DDL that took it away, in this step or ahead.
func TestR104RowsOfATableThatMadePartitionsAndWentBeforeAnybodySawThem(t *testing.T) {
	for name, tt := range map[string]struct {
		id    uint64
		scn   position.SCN
		heap  bool
		stops bool
	}{
		"before it went":     {id: 501, scn: 1010, stops: true},
		"behind it":          {id: 501, scn: 1030},
		"of an older table":  {id: 77, scn: 1010},
		"no partitioned one": {id: 501, scn: 1010, heap: true},
	} {
		for when, bounds := range map[string][]position.SCN{"in the step": {1050}, "ahead": {1015, 1050}} {
			for _, restart := range []bool{false, true} {
				t.Run(name+", "+when, func(t *testing.T) {
					s := following(t)
					if !tt.heap {
						s.a = segments(s.a, 101, 301)
					}
					s.db.partition[s.a.Table] = !tt.heap
					s.db.described = []*schema.Version{s.a, s.b}
					s.play(s.beginning())
					s.behind(bounds,
						insert(s.b, xid(6), 1001, 1, "b"), commit(xid(6), 1002), ddl(s.b, xid(7), 1003, "comment on table B is 'x'"), commit(xid(7), 1004),
						unnamed(insert(segments(s.a, tt.id), xid(1), tt.scn, 1, "lost")), commit(xid(1), tt.scn+1),
						ddl(s.a, xid(2), 1020, "drop table A purge"), commit(xid(2), 1021),
					)
					slices.SortStableFunc(s.db.file, func(a, b logminer.Row) int { return cmp.Compare(a.SCN, b.SCN) })
					if restart {
						s.db.described = []*schema.Version{s.b}
					} else {
						readings := 0
						s.db.descriptor = func() []*schema.Version {
							if readings++; readings == 1 {
								return []*schema.Version{s.a, s.b}
							}
							return []*schema.Version{s.b}
						}
					}
					s.play(s.beginning())
					if stop.Is(s.err, stop.NoDictionary) != tt.stops {
						t.Errorf("capture ended with %v, delivered %q", s.err, s.rows())
					}
				})
			}
		}
	}
}

// unnamed is a row as LogMiner shows it of a segment that the dictionary does not have.
func unnamed(r logminer.Row) logminer.Row {
	r.Owner, r.Table = "UNKNOWN", fmt.Sprintf("OBJ# %d", r.ObjectID)
	return r
}

// R104: what committed before the rows that nobody can name is delivered, in the step that has them too.
func TestR104WhatCommittedBeforeRowsThatNobodyCanNameIsDelivered(t *testing.T) {
	s := newScene(t)
	s.db.partition[s.b.Table] = true
	nobody := insert(table("OBJ# 777", 777), xid(4), 1015, 9, "x")
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002), ddl(s.b, xid(2), 1010, "alter table B add partition p values (1)"), commit(xid(2), 1012),
		insert(s.a, xid(3), 1013, 2, "a"), commit(xid(3), 1014), nobody, commit(xid(4), 1016), insert(s.a, xid(5), 1017, 3, "a"), commit(xid(5), 1018),
	)
	s.play(s.beginning())
	s.wantEvents("1.1.7#0 c A/1 >a", "3.1.7#0 c A/2 >a")
	if !stop.Is(s.err, stop.NoDictionary) || !strings.Contains(s.err.Error(), "partition P") {
		t.Fatalf("%v, want CDC-6001", s.err)
	}
}
