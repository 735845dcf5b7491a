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
	// loaded is the position that Load found: its owner has ended, or is about to be stopped by ours.
	loaded stamp
	// written is the highest position that was handed to the medium, whether or not that succeeded.
	written stamp
}

// stale reports a position that is older than one already handed over.
func (s *sequence) stale(p *position.Position) bool {
	return p.Run == s.written.Run && p.Sequence < s.written.Sequence
}

func (s *sequence) handed(p *position.Position) { s.written = stamp{p.Run, p.Sequence} }

// foreign reports what another instance stored since Load, as CDC-9002: a run that is neither ours nor the one that was
// loaded, whose last writes may come late; or our own run further on than we are, as an instance writes it that continued
// from the same position.
func (s *sequence) foreign(found stamp, own, object string) error {
	switch {
	case found.Run != own && (found.Run == s.loaded.Run || found.Run == s.written.Run):
		return nil
	case found.Run != own:
		return stop.New(stop.Fenced, object, "another instance stores positions here: run %s, this one is run %s", found.Run, own)
	case s.ahead(found, s.loaded) && s.ahead(found, s.written):
		return stop.New(stop.Fenced, object, "another instance continues the same run %s here", own)
	}
	return nil
}

// ahead reports a position beyond a known one of its run, or a run of which none is known.
func (s *sequence) ahead(found, known stamp) bool {
	return found.Run != known.Run || found.Sequence > known.Sequence
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
		Doing("restore it from a copy; without one, begin anew with a new topic_prefix")
}

// encode gives what is to be stored; nothing for a position older than one already saved, which is left alone.
func (s *sequence) encode(p *position.Position, object string) ([]byte, error) {
	if s.stale(p) {
		return nil, nil
	}
	data, err := position.Encode(p)
	if err != nil {
		return nil, stop.Wrap(stop.Corrupt, err, object, "the position to store is in an impossible order")
	}
	return data, nil
}

// peek reads the stamp of a stored position; one that cannot be read has none.
func peek(data []byte) stamp {
	var s stamp
	if json.Unmarshal(data, &s) != nil {
		return stamp{}
	}
	return s
}
