package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// entrants are tables that joined a capture that ran without them. What a transaction wrote to one before the SCN from which its redo is mined is
// in no redo that is read, and comes with its rows alone, if those are read behind the commit: the stream has the rest of the transaction at most.
// So they are not read while a transaction from before is open. That says nothing of which tables it wrote to; most are over at once.
type entrants struct {
	// since is that SCN by table.
	since  map[schema.Table]position.SCN
	looked time.Time
}

// entrantsInterval is how often it is looked whether those transactions are over.
const entrantsInterval = 5 * time.Second

// recall takes what a position says of them.
func (e *entrants) recall(from *position.Position, captured *tables) {
	for t := range captured.byName {
		if scn, joined := from.Joined[t.String()]; joined {
			e.enter(t, scn)
		}
	}
}

// enter takes a table that joins.
func (e *entrants) enter(t schema.Table, since position.SCN) {
	if e.since == nil {
		e.since = map[schema.Table]position.SCN{}
	}
	e.since[t] = since
}

// texts gives them as positions have them.
func (e *entrants) texts() map[string]position.SCN {
	if len(e.since) == 0 {
		return nil
	}
	out := make(map[string]position.SCN, len(e.since))
	for t, scn := range e.since {
		out[t.String()] = scn
	}
	return out
}

// outlast looks whether the transactions are over that were open when tables joined.
func (m *miner) outlast(ctx context.Context) error {
	now := m.config.Now()
	if len(m.entrants.since) == 0 || now.Sub(m.entrants.looked) < entrantsInterval {
		return nil
	}
	m.entrants.looked = now
	open, err := m.db.open(ctx)
	if errors.Is(err, oracle.ErrIncomplete) {
		return nil // the look did not happen (R32)
	}
	if err != nil {
		return err
	}
	began := make([]position.SCN, len(open))
	for i := range open {
		if began[i], err = m.db.began(ctx, open[i]); err != nil {
			return err
		}
	}
	maps.DeleteFunc(m.entrants.since, func(t schema.Table, since position.SCN) bool {
		v, captured := m.tables.byName[t]
		for i := range open {
			// Under shared undo a transaction may show the root (R117).
			if captured && began[i] <= since && slices.Contains([]int{v.Container, rootContainer, 0}, open[i].Container) {
				return false
			}
		}
		return true
	})
	m.roster.hold(m.entrants.since)
	return nil
}
