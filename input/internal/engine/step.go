package engine

import (
	"context"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// step mines one step, and again with a larger captured set while its DDL makes that grow (R102), and hands over its items. A step
// whose rows exceed the budget, as those of one large log can, is mined again with a lower bound: R3 is exact at any SCN (R12).
func (m *miner) step(ctx context.Context, groups chan<- *group) error {
	m.heard()
	reading, err := m.db.reading(ctx)
	if err != nil {
		return err
	}
	if fault := m.stopsAtLoad(); fault != nil {
		return m.endWith(ctx, groups, fault)
	}
	reading = m.beforeLoads(reading)
	for _, v := range m.history.uncertain {
		v.CertainFrom, v.PendingFrom = uint64(reading), v.ValidFrom
		m.pend(v)
	}
	m.history.uncertain = nil
	safeEnd, began, pending := reading, m.config.Now(), m.ddl
	bounded := began // not before the bound was read
	var by answer
	for {
		m.buffer.Begin(m.boundary)
		m.excluded.begin(m.boundary)
		m.entrants.begin()
		m.applier.begin()
		m.older.begin(pending)
		m.stepOps, m.stepReads = nil, nil
		staged := staging{before: m.buffer.OpenBytes(), budget: m.config.Memory}
		found, err := m.read(ctx, &by, reading, &staged)
		if lower, ok := staged.lower(m.boundary.SCN, reading); ok && stop.Is(err, stop.BufferFull) {
			m.buffer.Discard()
			m.config.Log.Debug("A step exceeds transactions.memory and is mined in parts", "bound", reading.String(), "lower", lower.String())
			reading = lower
			continue
		}
		if m.unanswered(&by, err) {
			continue
		}
		if err != nil {
			return err
		}
		again, err := m.judge(ctx, found.after.SCN, !found.behind)
		if fault := unnameable(err); fault != nil {
			if !m.ask(&by, found, fault) {
				lower, ok := m.below(found.after.SCN)
				if !ok {
					return by.explained(fault)
				}
				m.buffer.Discard()
				by, reading = answer{}, lower
				continue
			}
			reading = found.after.SCN
			continue
		}
		if err != nil {
			return err
		}
		if again > 0 {
			m.buffer.Discard()
			if by.second {
				m.learn()
			} else {
				m.older.unsee()
			}
			reading, bounded = m.beforeLoads(again), m.config.Now()
			continue
		}
		if m.applier.tooLate != nil {
			return m.applier.tooLate
		}
		if m.older.overtaken(m.undecided) {
			m.buffer.Discard()
			pending, reading = m.undecided, found.after.SCN
			continue
		}
		settled, err := m.await(ctx)
		if err != nil {
			return err
		}
		if settled {
			m.buffer.Discard()
			reading = found.after.SCN
			continue
		}
		if by.second {
			if err := m.answered(&by, found); err != nil {
				return err
			}
			return m.keep(ctx, found, safeEnd, began, bounded, groups)
		}
		unmoved, err := m.unmoved(ctx)
		if err != nil {
			return err
		}
		if !unmoved {
			m.buffer.Discard()
			reading = found.after.SCN
			continue
		}
		if m.ask(&by, found, nil) {
			reading = found.after.SCN
			continue
		}
		return m.keep(ctx, found, safeEnd, began, bounded, groups)
	}
}

// rows applies a batch of the running step.
func (m *miner) rows(ctx context.Context, rows []logminer.Row, s *staging) error {
	for i := range rows {
		if err := m.applier.apply(&rows[i]); err != nil {
			return err
		}
		s.saw(rows[i].SCN, m.buffer.Staged())
	}
	return m.fit(ctx)
}

// staging watches how a step fills the budget, to find a bound that leaves half of it.
type staging struct {
	// before is what open transactions took before the step.
	before, budget int64
	// highest is the greatest SCN so far, half that when the step had taken half of what the budget left it.
	highest, half position.SCN
}

func (s *staging) saw(scn position.SCN, staged int64) {
	s.highest = max(s.highest, scn)
	if s.half == 0 && staged >= (s.budget-s.before)/2 {
		s.half = s.highest
	}
}

// lower gives the bound for another try. There is none when the step cannot be made smaller, or when what was open before it
// takes most of the budget: smaller steps would only put the stop off.
func (s *staging) lower(from, bound position.SCN) (position.SCN, bool) {
	return s.half, s.half > from && s.half < bound && s.before < s.budget/4*3
}

// keep makes a verified step permanent and hands over its items.
func (m *miner) keep(ctx context.Context, found mined, safeEnd position.SCN, began, bounded time.Time, groups chan<- *group) error {
	m.define()
	m.uncertain()
	m.unsaid()
	m.stay()
	items := m.buffer.Keep()
	late := m.lateCommits(items)
	m.db.kept(m.boundary, found)
	m.ddl, m.history.looks, m.history.renames, m.history.children = m.undecided, 0, 0, m.history.read
	m.first.verified()
	m.discarded.verified()
	barredRows, barred := m.excluded.verified()
	m.excluded.came(items)
	for _, ev := range m.stepOps {
		m.ops = append(m.ops, ev.said(m.config.Log))
	}
	m.reads = append(m.reads, m.stepReads...)
	m.boundary, m.lowest, m.safeEnd = found.after, found.floor, max(safeEnd, found.after.SCN)
	told := m.tellLoads()
	info := StepInfo{
		Bound: found.after.SCN, Rows: found.rows, Used: m.applier.used, Undone: m.applier.undone, RolledBack: m.applier.rollbacks,
		Committed: len(items), LateCommits: late, LateRows: m.applier.late, Open: m.buffer.Open(), BufferBytes: m.buffer.Used(),
		Logs: found.logs, LagMillis: -1, SafeEnd: safeEnd, Replayed: found.build != "",
		Excluded: barred, ExcludedRows: barredRows, Loads: told,
	}
	numbered, first := m.older.verified()
	info.Numbered = numbered
	for _, v := range first {
		m.config.Log.Info("Rows from before a DDL are decoded by the numbers of their columns", "table", v.Table.String(), "version", v.Number)
	}
	now := m.config.Now()
	if oldest := m.buffer.OldestMillis(); oldest > 0 {
		info.OldestOpenMillis = max(0, now.UnixMilli()-oldest)
	}
	info.Duration = now.Sub(began)
	if n := len(items); n > 0 && items[n-1].Millis > 0 {
		info.LagMillis = max(0, now.UnixMilli()-items[n-1].Millis)
	}
	if len(items) == 0 && !found.behind {
		info.LagMillis = 0 // nothing is waiting
	}
	m.pace.after(m.config, m.applier.used, found.behind, m.order.busy())
	m.config.Observe.Step(info)
	floor, holder, held := m.floor()
	m.holding.look(m.config, floor, holder, held, m.boundary, now)
	m.frontier.verified(began, bounded, safeEnd, found.after.SCN)
	m.reached()
	m.forget(now)
	if err := m.overdue(); err != nil {
		return err
	}
	m.roster.show(m.tables, m.facts.PDBs, m.order.oldest(m.frontier.scn))
	m.order.reached(m.frontier.at)
	m.entrants.verified(m.frontier.scn)
	return m.emit(ctx, groups, items, m.frontier.scn)
}
