package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R101, contracts 5: an index of another schema can be the key of a table, and the text of its DROP names that table no more than one of its own
// schema does. Live and behind a restart it changes the key with its commit; where it leaves none, capture stops there.
func TestIndexOfAnotherSchemaThatGoesChangesTheKey(t *testing.T) {
	index := table("I", 950)
	index.Table.Owner = "OTHER"
	for name, text := range map[string]string{"dropped": "drop index other.i", "unusable": "alter index other.i unusable", "its owner's own": "drop index i"} {
		for _, behind := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s := following(t)
				s.b = keyed(s.b, schema.KeyUnique, 1)
				s.db.described = []*schema.Version{s.a, s.b}
				s.step(insert(s.b, xid(1), 1001, 1, "before"), commit(xid(1), 1002))
				from := s.beginning()
				if behind {
					s.play(from)
					from = s.after("1.1.7#0 c B/1 >before")
					s.db.now = 1030 // the dictionary is that of behind it from the start
				}
				s.step(
					insert(s.b, xid(6), 1021, 3, "before"), commit(xid(6), 1022), ddl(index, xid(2), 1023, text), commit(xid(2), 1025),
					insert(s.b, xid(3), 1026, 2, "behind"), commit(xid(3), 1027),
				)
				s.dictionary(1025, s.a, keyed(s.b, schema.KeyUnique, 0))
				s.play(from)
				got := s.rows()
				for _, want := range []string{"B/2 from 1025", "shop.PDB1.APP.B/1 c ID=3 V=before", "shop.PDB1.APP.B/2 c ID=2 V=behind"} {
					if s.err != nil || !slices.Contains(got, want) {
						t.Fatalf("behind %t: %v: %q, want %s", behind, s.err, got, want)
					}
				}
			})
			t.Run(name+", and no key is left", func(t *testing.T) {
				s := following(t)
				s.b = keyed(s.b, schema.KeyUnique, 1)
				s.db.described = []*schema.Version{s.a, s.b}
				s.step(
					insert(s.b, xid(1), 1001, 1, "before"), commit(xid(1), 1002), ddl(index, xid(2), 1023, text), commit(xid(2), 1025),
					insert(s.b, xid(3), 1026, 2, "behind"), commit(xid(3), 1027),
				)
				s.dictionary(1025, s.a, keyed(s.b, schema.KeyNone))
				s.play(s.beginning())
				s.wantEvents("1.1.7#0 c B/1 >before")
				if !stop.Is(s.err, stop.Configuration) || !strings.Contains(s.err.Error(), "PDB1.APP.B at SCN 1023") {
					t.Errorf("%v, want CDC-5003 at the DDL", s.err)
				}
			})
		}
	}
}

// What another schema does with its indexes explains no other columns, and nothing of a table whose key is a primary one or is configured: the
// DDL that does lies ahead, and the rows up to it are as before.
func TestIndexOfAnotherSchemaExplainsNothingElse(t *testing.T) {
	index := table("I", 950)
	index.Table.Owner = "OTHER"
	v := table("B", 102)
	drop := func(v *schema.Version) ddlRow {
		m := newMiner(testConfig(t), newSynthetic(1))
		m.tables = newTables(0)
		m.tables.add(v, false)
		m.facts.PDBs = m.db.(*synthetic).pdbs
		r := ddl(index, xid(2), 1010, "drop index other.i")
		d := ddlRow{table: index.Table, object: object{pdb, 950}, text: r.Redo, what: definition.Classify(r.Redo, "OTHER"), scn: 1010}
		if got, want := m.concerns(&d), v.Key.Origin != schema.KeyPrimary && v.Key.Origin != schema.KeyConfig; got != want {
			t.Errorf("key of origin %s: it concerns capture: %t, want %t", v.Key.Origin, got, want)
		}
		return d
	}
	for _, origin := range []schema.KeyOrigin{schema.KeyPrimary, schema.KeyConfig, schema.KeyUnique, schema.KeyRowID, schema.KeyNone} {
		was := keyed(v, origin, 0)
		by := []committedDDL{{ddlRow: drop(was), commit: 1012}}
		for name, tt := range map[string]struct {
			now  *schema.Version
			want bool
		}{
			"the key":             {keyed(v, schema.KeyUnique, 1), origin != schema.KeyPrimary && origin != schema.KeyConfig},
			"a primary key":       {keyed(v, schema.KeyPrimary, 1), false},
			"columns and the key": {keyed(with(v, "V", "W"), schema.KeyUnique, 1), false},
			"logging and the key": {keyed(unlogged(v, schema.LoggingKey), schema.KeyUnique, 1), false},
		} {
			if got := len(newTables(0).explaining(by, was, tt.now)) > 0; got != tt.want {
				t.Errorf("from a key of origin %s: it explains %s: %t, want %t", origin, name, got, tt.want)
			}
		}
	}
}
