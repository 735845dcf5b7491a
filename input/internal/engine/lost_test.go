package engine

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R88, P1: versions are stored behind a durable position. Where there are versions and no position it was lost, and "from now" would
// lose what committed in between without a word.
func TestR88LostPositionIsNoFirstStart(t *testing.T) {
	s := newScene(t)
	s.a.Number, s.a.ValidFrom = 1, 900
	stored := registry.New("shop")
	if _, err := stored.Add(s.a); err != nil {
		t.Fatal(err)
	}
	s.config.Versions = func(context.Context, func(string) (int, bool)) (*registry.Registry, error) { return stored, nil }
	s.config.Save = func(context.Context, *position.Position) error {
		t.Error("a new position is stored in the place of the lost one")
		return nil
	}
	if err := newMiner(s.config, s.db).run(t.Context(), nil, make(chan *change.Batch)); !stop.Is(err, stop.Corrupt) {
		t.Fatalf("%v, want CDC-3002", err)
	}
}

// eventsOf lists what is told of the connector itself, by type, with one of its details.
func (s *scene) eventsOf(kind, name string) []string {
	var out []string
	for _, b := range s.batches {
		for i := range b.Events {
			if b.Events[i].Kind != change.Ops {
				continue
			}
			var ev struct {
				Type    string
				Details map[string]string
			}
			if err := json.Unmarshal(b.Events[i].Value, &ev); err != nil {
				s.t.Fatal(err)
			}
			if ev.Type == kind && ev.Details[name] != "" {
				out = append(out, ev.Details[name])
			}
		}
	}
	return out
}

// Seed 000: a schema topic that was lost is made anew from the dictionary, under the numbers that the position knows, and that is told.
func TestSchemaTopicThatWasLostIsMadeAnewAndToldOf(t *testing.T) {
	s := newScene(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true, Ops: true}, nil }
	topic := &schemaTopic{values: map[string][]byte{}}
	s.config.Versions = topic.read
	p := s.beginning()
	p.Versions = map[string]int{"PDB1.APP.A": 3, "PDB1.APP.GONE": 2}
	s.step(insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002))
	s.play(p)
	s.wantRows("A/3 from 1000", "B/1 from 1000", "shop.PDB1.APP.A/3 c ID=1 V=a")
	if got := s.eventsOf("startup", "versions_lost"); len(got) != 1 || got[0] != "PDB1.APP.A" {
		t.Errorf("told of %q as lost, want A", got)
	}
	if got := s.eventsOf("table-added", "table"); len(got) > 0 {
		t.Errorf("%q are told of as new", got)
	}
	last := s.through(s.last())
	if diff := cmp.Diff(map[string]int{"PDB1.APP.A": 3, "PDB1.APP.B": 1}, last.Versions); diff != "" {
		t.Errorf("versions of the position (-want +got):\n%s", diff)
	}
}

// R100: versions go when a newer position is stored. A position that needs one of them is an older one.
func TestR100PositionThatNeedsADroppedVersionIsRefused(t *testing.T) {
	for needed, refused := range map[int]bool{3: true, 4: false, 5: false} {
		a := table("A", 101)
		a.Number, a.ValidFrom = 4, 77
		s := newScene(t)
		s.config.Versions = storedVersions(t, a)
		p := s.beginning()
		p.Versions = map[string]int{"PDB1.APP.A": needed}
		s.play(p)
		if stop.Is(s.err, stop.SchemaDiffers) != refused {
			t.Errorf("version %d is needed: %v", needed, s.err)
		}
	}
}
