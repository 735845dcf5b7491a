package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// A snapshot is needed where nothing can be mined behind a position: at what holds it, or behind what is done. Everything else is mined, or
// is a fault of its own.
func TestSnapshotIsNeededWhereNothingCanBeMinedBehindThePosition(t *testing.T) {
	resume, done := position.Boundary{SCN: 1000}, position.Boundary{SCN: 2000}
	for name, tt := range map[string]struct {
		mode   SnapshotMode
		gapAt  position.SCN
		fault  *stop.Error
		needed bool
		fails  bool
	}{
		"nothing is missing":          {mode: SnapshotWhenNeeded},
		"gone behind what holds it":   {SnapshotWhenNeeded, 1000, stop.New(stop.RedoPurged, "", ""), true, false},
		"a gap behind what is done":   {SnapshotWhenNeeded, 2000, stop.New(stop.RedoGap, "", ""), true, false},
		"another mode":                {SnapshotInitial, 2000, stop.New(stop.RedoGap, "", ""), false, false},
		"a fault that is none of it":  {SnapshotWhenNeeded, 2000, stop.New(stop.Identity, "", ""), false, true},
		"a fault in front of the gap": {SnapshotWhenNeeded, 1000, stop.New(stop.Unavailable, "", ""), false, true},
	} {
		s := newScene(t)
		s.config.Snapshot.Mode = tt.mode
		s.db.gap = func(from position.Boundary) error {
			if tt.fault != nil && from.SCN == tt.gapAt {
				return tt.fault
			}
			return nil
		}
		m := newMiner(s.config, s.db)
		needed, err := m.needed(t.Context(), &position.Position{Resume: resume, Done: done})
		if needed != tt.needed || (err != nil) != tt.fails {
			t.Errorf("%s: needed %t, %v", name, needed, err)
		}
	}
	s := newScene(t)
	s.config.Snapshot.Mode = SnapshotWhenNeeded
	if needed, err := newMiner(s.config, s.db).needed(t.Context(), nil); needed || err != nil {
		t.Errorf("without a position: %t, %v", needed, err)
	}
}
