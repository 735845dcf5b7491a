package engine

import (
	"context"
	"testing"

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
