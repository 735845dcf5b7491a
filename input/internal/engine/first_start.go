package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// firstStart finds where capture begins, so that everything that commits from then on is delivered whole, also what is open now
// (R87, R89), and makes the beginning durable before anything is emitted (R88).
func (m *miner) firstStart(ctx context.Context, t *tables) (*position.Position, *tables, error) {
	m.beginSignals(ctx)
	for {
		q, err := m.db.scn(ctx)
		if err != nil {
			return nil, nil, err
		}
		open, err := m.db.open(ctx)
		if err != nil {
			return nil, nil, err
		}
		// With local undo a transaction never spans two containers (reference logminer A.7).
		captured := t.containers()
		open = slices.DeleteFunc(open, func(o oracle.OpenTransaction) bool { return !slices.Contains(captured, o.Container) })
		if err := sleep(ctx, m.config.HoldBack); err != nil {
			return nil, nil, err
		}
		s, err := m.db.scn(ctx)
		if err != nil {
			return nil, nil, err
		}
		again, err := m.readTables(ctx)
		if err != nil {
			return nil, nil, err
		}
		if err := m.checkTables(again); err != nil {
			return nil, nil, err
		}
		if !t.differs(again).none() {
			t = again
			continue
		}
		boundary, err := m.beginning(ctx, q, open)
		if err != nil {
			return nil, nil, err
		}
		first := &position.FirstStart{Q: q, S: s, Open: named(open)}
		p := &position.Position{
			Run: m.config.Run, Sequence: 1, Identity: m.identity(again),
			Resume: boundary, Done: boundary, Settings: again.digest(), Tables: again.listing(), FirstStart: first, Time: m.config.Now().UTC(),
			Snapshot: m.begins(nil, again.versions()), NoLogging: s, Signals: m.signals.handled,
		}
		if m.before != nil {
			p.Sequence = m.before.Sequence + 1 // an older number would not be stored
		}
		if err := m.config.Save(ctx, p); err != nil {
			return nil, nil, err
		}
		m.config.Log.Info("First start: capture begins with what commits after this SCN, whole",
			"scn", s.String(), "open_transactions", len(open), "redo_from", boundary.SCN.String())
		m.boundary, m.frontier.scn = boundary, boundary.SCN
		m.resumption = resumption{done: boundary, start: s}
		m.first = newLedger(first)
		m.loads = newLoads(s) // what was loaded before is there to be read
		return p, again, nil
	}
}

// named sorts what a position keeps of open transactions.
func named(open []oracle.OpenTransaction) []position.Transaction {
	var out []position.Transaction
	for _, o := range open {
		out = append(out, position.Transaction{Container: o.Container, XID: o.XID})
	}
	slices.SortFunc(out, func(a, b position.Transaction) int { return cmp.Compare(a.String(), b.String()) })
	return out
}

// beginning gives the boundary from which every row of the open transactions and of those that began at or above q is mined
// (R89).
func (m *miner) beginning(ctx context.Context, q position.SCN, open []oracle.OpenTransaction) (position.Boundary, error) {
	lowest, oldest := q, ""
	for _, o := range open {
		began, err := m.db.began(ctx, o)
		if err != nil {
			return position.Boundary{}, err
		}
		if began < lowest {
			lowest, oldest = began, o.String()
		}
	}
	boundary, err := m.db.start(ctx, lowest)
	if oldest != "" && (stop.Is(err, stop.RedoPurged) || stop.Is(err, stop.RedoGap)) {
		return boundary, stop.Wrap(stop.RedoPurged, err, fmt.Sprintf("%s, open since SCN %s", oldest, lowest),
			"the redo of a transaction that is open is gone in part").
			Doing("end that transaction, wait until it has ended, or restore the archived logs; then restart")
	}
	return boundary, err
}

// ledger knows the transactions of a first start (R90). The zero ledger is that of a start from a position that needs none.
type ledger struct {
	q, s position.SCN
	// listed are the transactions that were open, ended or not: their rows below q count.
	listed map[transaction.ID]struct{}
	// kept is what positions say of it until the next change; nil once nothing is to be kept.
	kept *position.FirstStart
	// ended are the listed transactions that the running step ends.
	ended []transaction.ID
}

func newLedger(f *position.FirstStart) ledger {
	if f == nil {
		return ledger{}
	}
	l := ledger{q: f.Q, s: f.S, kept: f, listed: make(map[transaction.ID]struct{}, len(f.Open))}
	for _, t := range f.Open {
		l.listed[transaction.ID(t)] = struct{}{}
	}
	return l
}

// counts reports whether a row of a transaction counts: one below q only if the transaction was open then. A transaction that
// began before q and is not listed ended before s, so that its rows from q on come to nothing by themselves.
func (l *ledger) counts(id transaction.ID, scn position.SCN) bool {
	if scn >= l.q {
		return true
	}
	_, ok := l.listed[id]
	return ok
}

// resolve finds the listed transaction that the partial XID of a COMMIT or ROLLBACK stands for. One below q is that of an earlier
// transaction in the slot: what is listed was open later.
func (l *ledger) resolve(id transaction.ID, scn position.SCN) (transaction.ID, bool) {
	if scn < l.q {
		return transaction.ID{}, false
	}
	for _, t := range l.open() {
		if t.Container == id.Container && t.XID.USN == id.XID.USN && t.XID.Slot == id.XID.Slot {
			return transaction.ID(t), true
		}
	}
	return transaction.ID{}, false
}

// open lists what has not ended in a verified step.
func (l *ledger) open() []position.Transaction {
	if l.kept == nil {
		return nil
	}
	return l.kept.Open
}

// begin forgets what a step that failed had ended.
func (l *ledger) begin() { l.ended = l.ended[:0] }

// end takes the end of a transaction in the running step.
func (l *ledger) end(id transaction.ID) {
	if len(l.open()) > 0 {
		l.ended = append(l.ended, id)
	}
}

// verified makes the running step's ends permanent. Positions in flight share what was kept before, so it is replaced.
func (l *ledger) verified() {
	if len(l.ended) == 0 {
		return
	}
	left := slices.DeleteFunc(slices.Clone(l.kept.Open), func(t position.Transaction) bool {
		return slices.Contains(l.ended, transaction.ID(t))
	})
	if len(left) < len(l.kept.Open) {
		l.kept = &position.FirstStart{Q: l.q, S: l.s, Open: left}
	}
}

// structural makes a fault of the redo one of its transaction where the row may come to nothing: at or below s. What commits
// above s still stops for it (R90).
func (l *ledger) structural(b *transaction.Buffer, id transaction.ID, r *logminer.Row, fault error) error {
	typed, ok := stop.As(fault)
	if !ok || r.SCN > l.s || id.XID.IsZero() {
		return fault
	}
	b.Hold(id, r.SCN)
	b.Fault(id, typed)
	return nil
}
