package engine

import (
	"context"
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// sessions holds the database sessions of a run, one per role, opened when first needed. It belongs to the miner's
// goroutine.
type sessions struct {
	config oracle.Config
	open   map[oracle.Role]*oracle.Session
	// slowly: the mining session fetches rows in small arrays.
	slowly bool
}

func newSessions(c oracle.Config) *sessions {
	return &sessions{config: c, open: map[oracle.Role]*oracle.Session{}}
}

// get returns the session of a role; one that is not usable any more is replaced.
func (s *sessions) get(ctx context.Context, role oracle.Role) (*oracle.Session, error) {
	if have, ok := s.open[role]; ok {
		if have.Usable() {
			return have, nil
		}
		s.drop(role)
	}
	config := s.config
	if role == oracle.Mining && s.slowly {
		config.FetchRows = oracle.SlowFetchRows
	}
	fresh, err := oracle.Connect(ctx, config, role)
	if err != nil {
		return nil, err
	}
	s.open[role] = fresh
	return fresh, nil
}

// fetchSlowly lets the mining session fetch rows in small arrays, or in those configured.
func (s *sessions) fetchSlowly(slowly bool) {
	if s.slowly != slowly {
		s.slowly = slowly
		s.drop(oracle.Mining)
	}
}

// drop closes a session; what a broken one answers to that says nothing new.
func (s *sessions) drop(role oracle.Role) {
	if have, ok := s.open[role]; ok {
		delete(s.open, role)
		_ = have.Close()
	}
}

// close closes all sessions.
func (s *sessions) close() error {
	var errs []error
	for role, have := range s.open {
		delete(s.open, role)
		if have.Usable() {
			errs = append(errs, have.Close())
			continue
		}
		_ = have.Close()
	}
	return errors.Join(errs...)
}
