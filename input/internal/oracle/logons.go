package oracle

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Logons lets the sessions of one configuration log on one after the other, whoever opens them, and remembers a log-on that was
// refused for good: another attempt could lock the account.
type Logons struct {
	turn chan struct{}
	// refused is read and written by whoever has the turn.
	refused error
}

// NewLogons is for the Config of one input.
func NewLogons() *Logons { return &Logons{turn: make(chan struct{}, 1)} }

// one makes one attempt, unless one was refused before. A nil Logons lets every attempt through.
func (l *Logons) one(ctx context.Context, attempt func() error) error {
	if l == nil {
		return attempt()
	}
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	if l.refused != nil {
		return l.refused
	}
	err := attempt()
	if typed, ok := stop.As(err); ok && logonRefused(typed.ORA) {
		l.refused = err
	}
	return err
}

// logonRefused knows the answers to a log-on that stay the same until somebody acts.
func logonRefused(ora int) bool {
	switch ora {
	case 1017, 1045, 28000, 28001:
		return true
	}
	return false
}
