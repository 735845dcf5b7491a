package snapshot

import (
	"context"
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// pool holds the reader's sessions. Each is used by one goroutine at a time, by its number.
type pool struct {
	config   *Config
	sessions []*pooled
}

type pooled struct {
	session *oracle.Session
	// inside is the container that the session is in.
	inside string
}

func newPool(c *Config) *pool { return &pool{config: c, sessions: make([]*pooled, max(1, c.Threads))} }

// get gives the session of a number, inside a container. One that is not usable any more is replaced.
func (p *pool) get(ctx context.Context, n int, c oracle.Container) (*oracle.Session, error) {
	have := p.sessions[n]
	if have != nil && !have.session.Usable() {
		p.drop(n)
		have = nil
	}
	if have == nil {
		session, err := oracle.Connect(ctx, p.config.Oracle, oracle.Snapshot)
		if err != nil {
			return nil, err
		}
		have = &pooled{session: session}
		p.sessions[n] = have
	}
	if have.inside != c.Name {
		if err := oracle.Enter(ctx, have.session, p.config.Database, c); err != nil {
			p.drop(n)
			return nil, err
		}
		have.inside = c.Name
	}
	return have.session, nil
}

// drop closes a session; what a broken one answers to that says nothing new.
func (p *pool) drop(n int) {
	if have := p.sessions[n]; have != nil {
		p.sessions[n] = nil
		_ = have.session.Close()
	}
}

// dropAll closes what a lost connection may have taken along.
func (p *pool) dropAll() {
	for n := range p.sessions {
		p.drop(n)
	}
}

// close closes all sessions.
func (p *pool) close() error {
	var errs []error
	for n, have := range p.sessions {
		if have == nil {
			continue
		}
		p.sessions[n] = nil
		usable := have.session.Usable()
		if err := have.session.Close(); usable {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
