package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// told lists the tables of bulk-ddl events, in order.
func (s *scene) told() (told []string) {
	for _, b := range s.batches {
		for i := range b.Events {
			if _, rest, ok := strings.Cut(string(b.Events[i].Value), `"type":"bulk-ddl"`); ok {
				_, rest, _ = strings.Cut(rest, `"table":"`)
				table, _, _ := strings.Cut(rest, `"`)
				told = append(told, table)
			}
		}
	}
	return told
}

// R129: TRUNCATE … CASCADE empties tables that it does not name, through keys of tables between them too, whether its own table is
// captured or not.
func TestR129CascadeIsToldOfForEveryTable(t *testing.T) {
	of := func(name string) schema.Table { return schema.Table{PDB: "PDB1", Owner: "APP", Name: name} }
	keys := map[schema.Table][]schema.Table{of("FOREIGN"): {of("A")}, of("A"): {of("MIDDLE"), of("A")}, of("MIDDLE"): {of("B")}}
	for name, tt := range map[string]struct {
		on, text string
		want     []string
		records  []string
	}{
		"parent captured":     {"A", "truncate table A cascade", []string{"PDB1.APP.A", "PDB1.APP.B"}, []string{"2.1.7#0 t A/ >", "2.1.7#1 t B/ >"}},
		"parent not captured": {"FOREIGN", "truncate table FOREIGN drop storage cascade", []string{"PDB1.APP.A", "PDB1.APP.B"}, []string{"2.1.7#0 t A/ >", "2.1.7#1 t B/ >"}},
		"of the last one":     {"B", "truncate table B cascade", []string{"PDB1.APP.B"}, []string{"2.1.7#0 t B/ >"}},
		"without the word":    {"A", "truncate table A", []string{"PDB1.APP.A"}, []string{"2.1.7#0 t A/ >"}},
		"partition":           {"A", "alter table A truncate partition p cascade", []string{"PDB1.APP.A", "PDB1.APP.B"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, stops := range []bool{false, true} {
				s := newScene(t)
				s.config.StopAtBulkDDL, s.config.Truncates = stops, true
				s.db.children = func() map[schema.Table][]schema.Table { return keys }
				s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
				on := map[string]*schema.Version{"A": s.a, "B": s.b, "FOREIGN": table("FOREIGN", 900)}[tt.on]
				s.step(ddl(on, xid(2), 1010, tt.text), commit(xid(2), 1012), insert(s.b, xid(3), 1013, 2, "behind"), commit(xid(3), 1014))
				s.play(s.beginning())
				if stops {
					if told := s.told(); !stop.Is(s.err, stop.DDL) || told != nil || len(s.events()) > 0 {
						t.Errorf("%v, told of %q, %q, want CDC-6002", s.err, told, s.events())
					}
					continue
				}
				if told := s.told(); !slices.Equal(told, tt.want) {
					t.Errorf("%v, told of %q, want %q", s.err, told, tt.want)
				}
				s.want(append(tt.records, "3.1.7#0 c B/2 >behind")...)
			}
		})
	}
}

// Which tables a CASCADE emptied is not guessed from keys that came or went meanwhile.
func TestR129CascadeOverKeysThatChangedStops(t *testing.T) {
	s := newScene(t)
	keys := map[schema.Table][]schema.Table{s.a.Table: {s.b.Table}}
	s.db.children = func() map[schema.Table][]schema.Table {
		if s.db.now < 1012 {
			return keys
		}
		return nil
	}
	s.step(
		insert(s.b, xid(1), 1001, 1, "before"), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, "truncate table A cascade"), commit(xid(2), 1012),
		insert(s.b, xid(3), 1013, 2, "behind"), commit(xid(3), 1014),
	)
	s.play(s.beginning())
	s.wantEvents("1.1.7#0 c B/1 >before")
	if !stop.Is(s.err, stop.DDL) || !strings.Contains(s.err.Error(), "foreign keys") {
		t.Fatalf("%v, want CDC-6002 that speaks of foreign keys", s.err)
	}
}

// R118, R129: with ROWIDs for keys, a DDL that gives rows other ones leaves consumers with rows under keys that no change has any more.
func TestR129OtherROWIDsAreToldOfWhereTheyAreKeys(t *testing.T) {
	for _, text := range []string{
		"alter table B move online", "alter table B split partition p at (5) into (partition q, partition r)", "alter table B shrink space",
		"alter table B merge partitions p, q into partition r", "alter table B coalesce partition",
	} {
		for _, tt := range []struct {
			by    KeyMissing
			key   schema.KeyOrigin
			stops bool
			want  []string
		}{
			{KeyByRowID, schema.KeyNone, false, []string{"PDB1.APP.B"}},
			{KeyByRowID, schema.KeyNone, true, nil},
			{KeyByRowID, schema.KeyPrimary, true, nil},
			{CaptureKeyless, schema.KeyNone, true, nil},
		} {
			s := newScene(t)
			s.b.Key.Origin = tt.key
			if tt.key == schema.KeyNone {
				s.b.Key.Columns = nil
			}
			s.config.KeyMissing, s.config.StopAtBulkDDL = tt.by, tt.stops
			s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
			s.step(ddl(s.b, xid(2), 1010, text), commit(xid(2), 1012), insert(s.b, xid(3), 1013, 2, "behind"), commit(xid(3), 1014))
			s.play(s.beginning())
			rowIDs := tt.by == KeyByRowID && tt.key == schema.KeyNone
			if stopped := stop.Is(s.err, stop.DDL) && len(s.events()) == 0; stopped != (rowIDs && tt.stops) || !stopped && s.err != nil {
				t.Errorf("%s, %+v: %v", text, tt, s.err)
			}
			if told := s.told(); !slices.Equal(told, tt.want) {
				t.Errorf("%s, %+v: told of %q", text, tt, told)
			}
		}
	}
}

// A table that is gone again before anybody came to read it is in no snapshot: nobody would ever be done with it.
func TestTableThatIsGoneAgainIsNotAwaited(t *testing.T) {
	c := testConfig(t)
	e := &emitter{config: c, order: newOrdering(c.Now, 0), snapshots: newSnapshots(c, newRoster())}
	a, gone := schema.Table{PDB: "PDB1", Owner: "APP", Name: "A"}, schema.Table{PDB: "PDB1", Owner: "APP", Name: "B"}
	e.running.Snapshot = &position.Snapshot{ID: "s", Status: position.SnapshotRunning, Tables: []position.SnapshotTable{{Table: a.String()}}}
	if err := e.wanted(readNewTables, []schema.Table{gone}); err != nil {
		t.Fatal(err)
	}
	if got := e.running.Snapshot.Tables; len(got) != 1 || got[0].Table != a.String() {
		t.Errorf("to be read: %+v", got)
	}
}
