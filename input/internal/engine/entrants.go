package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// entrants are tables that joined a capture that ran without them. What a transaction wrote to one before the SCN from which its redo is mined is
// in no redo that is read, and comes with its rows alone, if those are read behind the commit: the stream has the rest of the transaction at most.
// So they are not read while a transaction from before is open. That says nothing of which tables it wrote to; most are over at once.
type entrants struct {
	// since is that SCN by table.
	since  map[schema.Table]position.SCN
	looked time.Time
	// over are those that are read, until all is mined that those transactions did: what they take back of a table may have been done before.
	over map[schema.Table]passed
	// begun are transactions whose START was delivered since: of those everything is in the stream. ended are those that the running step ends.
	begun map[transaction.ID]struct{}
	ended []transaction.ID
}

// passed is an entrant whose transactions from before are over.
type passed struct {
	since position.SCN
	// behind was read after the look that found none of them.
	behind position.SCN
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
	if len(e.since)+len(e.over) == 0 {
		return nil
	}
	out := make(map[string]position.SCN, len(e.since)+len(e.over))
	for t, scn := range e.since {
		out[t.String()] = scn
	}
	for t, p := range e.over {
		out[t.String()] = p.since
	}
	return out
}

// begin forgets what a step that failed had ended.
func (e *entrants) begin() { e.ended = e.ended[:0] }

// start takes the START of a transaction.
func (e *entrants) start(id transaction.ID) {
	if len(e.since)+len(e.over) == 0 {
		return
	}
	if e.begun == nil {
		e.begun = map[transaction.ID]struct{}{}
	}
	e.begun[id] = struct{}{}
}

// end takes the end of one in the running step.
func (e *entrants) end(id transaction.ID) {
	if len(e.begun) > 0 {
		e.ended = append(e.ended, id)
	}
}

// verified makes the ends of the running step permanent, and drops tables of which everything is mined that was done before their last look.
func (e *entrants) verified(frontier position.SCN) {
	for _, id := range e.ended {
		delete(e.begun, id)
	}
	e.ended = e.ended[:0]
	maps.DeleteFunc(e.over, func(_ schema.Table, p passed) bool { return frontier >= p.behind })
	if len(e.since)+len(e.over) == 0 {
		e.begun = nil
	}
}

// misses reports that changes of a transaction to a table may be in no step: an undo row without its change says nothing of it then (R113).
func (e *entrants) misses(id transaction.ID, t schema.Table) bool {
	_, waits := e.since[t]
	_, over := e.over[t]
	_, whole := e.begun[id]
	return (waits || over) && !whole
}

// born takes a DDL that gave a table its name: what transactions wrote before was no row of it, since that waits for them.
func (m *miner) born(t schema.Table, commit position.SCN) {
	if since, joined := m.entrants.since[t]; joined && commit > since {
		delete(m.entrants.since, t)
		m.roster.hold(m.entrants.since)
	}
	if p, passed := m.entrants.over[t]; passed && commit > p.since {
		delete(m.entrants.over, t)
	}
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
		if began[i], err = m.db.began(ctx, open[i]); stop.Is(err, stop.RedoPurged) {
			began[i] = 0 // nobody knows when: before, for all that is known
		} else if err != nil {
			return err
		}
	}
	behind, err := m.db.scn(ctx)
	if err != nil {
		return err
	}
	maps.DeleteFunc(m.entrants.since, func(t schema.Table, since position.SCN) bool {
		v, captured := m.tables.byName[t]
		for i := range open {
			// Under shared undo a transaction may show the root (R117).
			if captured && began[i] <= since && slices.Contains([]int{v.Container, rootContainer, 0}, open[i].Container) {
				return false
			}
		}
		if m.entrants.over == nil {
			m.entrants.over = map[schema.Table]passed{}
		}
		m.entrants.over[t] = passed{since, behind}
		return true
	})
	m.roster.hold(m.entrants.since)
	return nil
}
