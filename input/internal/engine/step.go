package engine

import (
	"context"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Fixed until the capability that makes them fields comes.
const (
	// silence fails a step in which no row of any kind arrived for so long (R11).
	silence = 10 * time.Minute
	// maxLogsPerStep bounds a step while catching up (R12).
	maxLogsPerStep = 8
)

// step mines one step, and again with a larger captured set while its DDL makes that grow (R102), and hands over its items.
func (m *miner) step(ctx context.Context, groups chan<- *group) error {
	reading, err := m.db.reading(ctx)
	if err != nil {
		return err
	}
	began := m.config.Now()
	for {
		m.buffer.Begin(m.boundary)
		m.applier.begin()
		found, err := m.db.mine(ctx, m.boundary, reading, m.tables, func(rows []logminer.Row) error { return m.rows(ctx, rows) })
		if err != nil {
			return err
		}
		grew, err := m.judge(ctx)
		if err != nil {
			return err
		}
		if grew {
			m.buffer.Discard()
			reading = found.after.SCN // the same bound
			continue
		}
		return m.keep(ctx, found, began, groups)
	}
}

// rows applies a batch of the running step.
func (m *miner) rows(ctx context.Context, rows []logminer.Row) error {
	for i := range rows {
		if err := m.applier.apply(&rows[i]); err != nil {
			return err
		}
	}
	return m.fit(ctx)
}

// keep makes a verified step permanent and hands over its items.
func (m *miner) keep(ctx context.Context, found mined, began time.Time, groups chan<- *group) error {
	items := m.buffer.Keep()
	m.db.kept(m.boundary, found)
	m.ddl = m.undecided
	m.boundary = found.after
	info := StepInfo{
		Bound: found.after.SCN, Rows: found.rows, Used: m.applier.used, Undone: m.applier.undone, RolledBack: m.applier.rollbacks,
		Committed: len(items), LateCommits: m.lateCommits(items), LateRows: m.applier.late, Open: m.buffer.Open(), BufferBytes: m.buffer.Used(),
		Logs: found.logs, LagMillis: -1,
	}
	now := m.config.Now()
	info.Duration = now.Sub(began)
	if n := len(items); n > 0 && items[n-1].Millis > 0 {
		info.LagMillis = max(0, now.UnixMilli()-items[n-1].Millis)
	}
	m.pace.after(m.config, m.applier.used, found.behind)
	m.config.Observe.Step(info)
	m.frontier.verified(began, found.after.SCN)
	return m.emit(ctx, groups, items, m.frontier.scn)
}

// frontier is F: the greatest bound of a verified step that was at least frontierAge old when the last verified step was
// started. Every commit at or below it has been delivered (correctness 0).
type frontier struct {
	scn    position.SCN
	bounds []agedBound
}

type agedBound struct {
	// read is not before the bound was read.
	read time.Time
	scn  position.SCN
}

// frontierAge is the age with one redo thread.
const frontierAge = time.Second

// verified takes the bound of a verified step that began, with a bound read just before, at a time.
func (f *frontier) verified(began time.Time, bound position.SCN) {
	n := 0
	for n < len(f.bounds) && began.Sub(f.bounds[n].read) >= frontierAge {
		f.scn = f.bounds[n].scn
		n++
	}
	f.bounds = append(slices.Delete(f.bounds, 0, n), agedBound{began, bound})
}
