package engine

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// ofDatabase is a DDL of the whole database, which names no table.
func ofDatabase(x position.XID, scn position.SCN, text string) logminer.Row {
	r := row(x, scn, logminer.DDL)
	r.Container, r.Redo = 1, text
	return r
}

// R108: supplemental logging that goes while capture runs stops it behind everything that committed before, of the table and of the
// whole database, also where it is back by the time capture gets there. A transaction that is open across it is not delivered in part.
func TestR108LoggingThatGoesUnderLoadStopsAtItsPlace(t *testing.T) {
	none := func(v *schema.Version) *schema.Version { return unlogged(v, schema.LoggingMinimal) }
	for name, tt := range map[string]struct {
		ddl   logminer.Row
		later func(v *schema.Version) *schema.Version
		words string
	}{
		"table":                       {ddl(table("A", 101), xid(2), 1010, "alter table A drop supplemental log data (all) columns"), none, "PDB1.APP.A at SCN 1010"},
		"database, all columns":       {ofDatabase(xid(2), 1010, "ALTER DATABASE DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS"), none, "at SCN 1010"},
		"pluggable database":          {ddl(&schema.Version{Container: pdb, ObjectIDs: []uint64{0}}, xid(2), 1010, "alter pluggable database drop supplemental log data (all) columns"), none, "at SCN 1010"},
		"database, minimal":           {ofDatabase(xid(2), 1010, "alter database drop supplemental log data"), nil, "minimal supplemental logging"},
		"database, minimal, and back": {ofDatabase(xid(2), 1010, "alter database drop supplemental log data"), nil, "SCN 1010"},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			// Its commit is that of a transaction in the root, which captured rows have none of.
			end := commit(xid(2), 1012)
			end.Container = tt.ddl.Container
			open := insert(s.a, xid(4), 1003, 7, "open")
			s.step(
				insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002), open, tt.ddl, end,
				update(s.a, xid(4), 1013, image{7, "open"}, image{7, "x"}), commit(xid(4), 1014),
				insert(s.b, xid(5), 1015, 3, "b"), commit(xid(5), 1016),
			)
			if tt.later != nil {
				s.dictionary(1012, tt.later(s.a), tt.later(s.b))
			}
			for range 2 {
				s.play(s.beginning())
				s.wantEvents("1.1.7#0 c A/1 >a")
				if !stop.Is(s.err, stop.Configuration) || !strings.Contains(s.err.Error(), tt.words) {
					t.Fatalf("%v, want CDC-5003 with %q", s.err, tt.words)
				}
			}
		})
	}
}

// R108: what ALTER DATABASE adds or takes away of the logging of keys and columns begins versions, where less is enough.
func TestR108LoggingOfTheDatabaseIsPartOfTheVersion(t *testing.T) {
	s := following(t)
	s.config.Logging = schema.LoggingKey
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002), ofDatabase(xid(2), 1010, "alter database drop supplemental log data (all) columns"),
		func() logminer.Row { r := commit(xid(2), 1012); r.Container = 1; return r }(),
		insert(s.a, xid(3), 1013, 2, "a"), commit(xid(3), 1014),
	)
	s.dictionary(1012, unlogged(s.a, schema.LoggingKey), s.b)
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1012", "shop.PDB1.APP.A/1 c ID=1 V=a", "shop.PDB1.APP.A/2 c ID=2 V=a")
}
