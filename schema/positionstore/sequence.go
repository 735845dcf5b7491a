package positionstore

import (
	"encoding/json"
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// stamp is what decides whether a position may replace another one.
type stamp struct {
	Run      string `json:"run"`
	Sequence uint64 `json:"seq"`
}

// sequence guards the order of positions of one store (R66).
type sequence struct {
	// loaded is the run of the position that Load found: its owner has ended, or is about to be stopped by ours.
	loaded string
	// written is the highest position that was handed to the medium, whether or not that succeeded.
	written stamp
}

// stale reports a position that is older than one already handed over.
func (s *sequence) stale(p *position.Position) bool {
	return p.Run == s.written.Run && p.Sequence < s.written.Sequence
}

func (s *sequence) handed(p *position.Position) { s.written = stamp{p.Run, p.Sequence} }

// foreign reports what another instance stored since Load, as CDC-9002. The run found by Load is no foreign one: its last
// writes may come late.
func (s *sequence) foreign(found stamp, own, object string) error {
	if found.Run == own || found.Run == s.loaded || found.Run == s.written.Run {
		return nil
	}
	return stop.New(stop.Fenced, object, "another instance stores positions here: run %s, this one is run %s", found.Run, own)
}

// decode reads a stored position and gives its errors their codes.
func decode(data []byte, object string) (*position.Position, error) {
	p, err := position.Decode(data)
	var newer position.ErrNewer
	var uncovered position.ErrUncovered
	switch {
	case err == nil:
		return p, nil
	case errors.As(err, &newer), errors.As(err, &uncovered):
		return nil, stop.Wrap(stop.PositionNewer, err, object, "the stored position was written by a newer version")
	}
	return nil, stop.Wrap(stop.Corrupt, err, object, "the stored position is damaged").
		Doing("restore it from a copy; without one, remove it and take a new snapshot")
}

// peek reads the stamp of a stored position; one that cannot be read has none.
func peek(data []byte) stamp {
	var s stamp
	if json.Unmarshal(data, &s) != nil {
		return stamp{}
	}
	return s
}
