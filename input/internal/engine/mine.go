package engine

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// miner runs steps and hands the items of verified ones to the emitter. All of it belongs to one goroutine but released and
// queued.
type miner struct {
	config *Config
	db     database
	// facts is what the database said of itself when it was connected.
	facts oracle.Database
	// offset is what the server's wall clock is ahead of UTC (R136).
	offset time.Duration
	tables *tables
	// started is the SCN at which the dictionary was read first: a DDL below it was run while nobody captured.
	started position.SCN
	history history
	// retired is the highest number that a version of a table had of which nothing is stored any more.
	retired int
	// recorded: the schema topic knows the captured tables, and no others. Else positions name them: list, those of listed.
	recorded bool
	list     []position.Table
	listed   *tables
	// trial refuses a version that cannot be published before its first row is handed over.
	trial   *Records
	applier *applier
	// older is the applier's; it outlasts changes of the captured set.
	older  *older
	buffer *transaction.Buffer

	boundary position.Boundary
	// lowest: no row outside region(boundary) lies below it.
	lowest position.SCN
	// safeEnd is the SCN up to which the redo could be mined when the last step was planned.
	safeEnd    position.SCN
	resumption resumption
	// first is what a first start still has to remember.
	first ledger
	// entrants are tables that joined, as long as transactions from before are open.
	entrants entrants
	// compared is when the dictionary was read last.
	compared time.Time
	// discarded are transactions that an operator gave up.
	discarded discarded
	// loads are changes that left no redo.
	loads loads
	// excluded are those of users that are not captured.
	excluded excluded
	signals  signals
	// held are items that wait until the group in progress before a restart is covered again (R51).
	held     []*transaction.Committed
	frontier frontier
	// ddl are DDL rows of verified steps whose transactions have not ended; undecided are those and the running step's.
	ddl, undecided []ddlRow
	// ops are events that are still to be emitted, stepOps those of the running step.
	ops, stepOps []opsEvent
	// committed is the DDL whose transactions commit in the running step.
	committed []committedDDL
	// reads are tables that are to be read, stepReads those of the running step.
	reads, stepReads []wantedTable
	// before is a position that capture could not go on from.
	before *position.Position
	// commands are what is asked of snapshots, receipts for those who wait until the position has what they asked for.
	commands []snapshotCommand
	receipts []*receipt
	// order and roster are shared with those who read tables.
	order  *ordering
	roster *roster
	// announce are versions whose schema event is still to be emitted.
	announce []*schema.Version

	// builder writes copies of the dictionary beside the miner; nil: none are written.
	builder *builder
	// forgetting bounds what is known of layouts and segments.
	forgetting forgetting

	// holding is what was said of a transaction that holds the position.
	holding holding

	released chan struct{}
	// pressed has a slot: mining waits for memory.
	pressed chan struct{}
	// queued counts items that the emitter has not released yet.
	queued atomic.Int64
	pace   pace
}

// mine runs steps until ctx ends or a fault stands. A failed step leaves nothing: the same range is mined again (R11).
func (m *miner) mine(ctx context.Context, groups chan<- *group) error {
	faults := faults{config: m.config}
	for {
		err := m.obey(ctx)
		if err == nil {
			err = m.compareWhenDue(ctx)
		}
		if err == nil {
			err = m.outlast(ctx)
		}
		if err == nil {
			err = m.step(ctx, groups)
		}
		if err == nil {
			faults.reset()
			if err = m.rest(ctx); err == nil {
				continue
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.buffer.Discard()
		cause := err
		reconnect, wait, err := faults.next(err)
		if err != nil {
			return err
		}
		m.config.Observe.Failed(failureOf(cause, reconnect))
		if reconnect {
			m.config.Available(typed(ctx, cause))
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		if reconnect {
			if err := m.reconnect(ctx, &faults); err != nil {
				return err
			}
		}
	}
}

func failureOf(err error, reconnect bool) Failure {
	switch _, typed := oracle.Classify(err); {
	case reconnect:
		return ConnectionLost
	case typed != nil && typed.Code == stop.Stalled:
		return StepTimedOut
	}
	return StepFailed
}

// emit hands the items of a verified step over: those of the group in progress before a restart first, and nothing before
// everything that was acknowledged is mined again.
func (m *miner) emit(ctx context.Context, groups chan<- *group, items []*transaction.Committed, frontier position.SCN) error {
	items = m.excluded.spare(m.resumption.drop(items))
	// The items are in no other step: whatever a signal meets, they are handed over first.
	failed := m.signalled(ctx, items)
	m.held = append(m.held, m.config.spare(m.resumption.others(items))...)
	if m.held = m.others(m.held); m.resumption.pending(m.boundary) || m.doubtful(frontier) {
		return failed
	}
	// A narrower captured set returns fewer rows; the marks of the position stand all the same.
	m.boundary = m.boundary.Raise(m.resumption.target())
	slices.SortStableFunc(m.held, func(a, b *transaction.Committed) int { return a.Key.Compare(b.Key) })
	first, rest := m.resumption.split(m.held)
	m.held = nil
	floor, _, _ := m.floor()
	next := &group{
		versions: m.announce, items: rest, boundary: m.boundary, floor: floor, settings: m.tables.digest(), frontier: frontier,
		firstStart: m.first.kept, given: m.discarded.fresh, discarded: m.discarded.open, signals: m.signals.handled, ops: m.ops,
		lowest: m.lowest, unseen: m.unseen(nil), joined: m.entrants.texts(), tables: m.listing(m.tables), reads: m.reads, commands: m.commands,
		barring: m.excluded.began(), loads: m.loads.told, receipts: m.receipts,
	}
	m.announce, m.ops, m.reads, m.commands, m.receipts, m.discarded.fresh = nil, nil, nil, nil, nil, nil
	if first != nil {
		first.versions, next.versions = next.versions, nil
		first.ops, next.ops = next.ops, nil
		first.tables = position.Joint(m.resumption.tables, next.tables)
		first.reads, next.reads = next.reads, nil
		first.commands, next.commands = next.commands, nil
		first.receipts, next.receipts = next.receipts, nil
		first.signals, first.given, next.given = next.signals, next.given, nil
		first.discarded = slices.Concat(m.resumption.released, first.given)
		first.barring, next.barring = next.barring, nil
		first.barred = m.excluded.open(first.boundary)
		first.settings, first.frontier, first.floor, first.loads = next.settings, frontier, floor, next.loads
		for _, item := range rest {
			first.floor = position.Min(first.floor, item.First)
			first.frontier = min(first.frontier, item.Key.SCN)
		}
		// What has ended since may lie behind the first group.
		first.firstStart, first.unseen, first.joined = m.resumption.firstStart, m.unseen(m.resumption.unseen), next.joined
		if err := m.hand(ctx, groups, first); err != nil {
			return err
		}
	}
	next.barred = m.excluded.unended()
	m.signals.handled = m.signals.handled.Done(next.boundary) // later positions have it in what is done
	if err := m.hand(ctx, groups, next); err != nil {
		return err
	}
	return failed
}

// floor is how far the position may go behind the last step, and the transaction that holds it furthest back.
func (m *miner) floor() (floor position.Boundary, holder transaction.ID, held bool) {
	floor, barred := m.excluded.floor(m.boundary)
	if barred != nil {
		holder, held = barred.id, true
	}
	if open, id, ok := m.buffer.Floor(); ok {
		if !held || open.SCN <= floor.SCN {
			holder, held = id, true
		}
		floor = position.Min(floor, open)
	}
	return floor, holder, held
}

// spare drops what the configuration does not want of committed transactions, and those of which nothing is left.
func (c *Config) spare(items []*transaction.Committed) []*transaction.Committed {
	var unwanted func(*transaction.Change) bool
	switch deletes := c.dropsDeletes(); {
	case deletes && c.SkipUnchanged:
		unwanted = func(t *transaction.Change) bool { return deleted(t) || unchanged(t) || untold(t) }
	case deletes:
		unwanted = func(t *transaction.Change) bool { return deleted(t) || untold(t) }
	case c.SkipUnchanged:
		unwanted = func(t *transaction.Change) bool { return unchanged(t) || untold(t) }
	case !c.SchemaChanges:
		return items
	default:
		unwanted = untold
	}
	out := items[:0]
	for _, item := range items {
		if item.Drop(unwanted); item.Len() == 0 && item.Fault() == nil {
			item.Release()
			continue
		}
		out = append(out, item)
	}
	return out
}

// dropsDeletes: deletes have no record (records.flat.deletes drop). They are dropped before they are counted, so that no batch is
// empty and no index has a gap.
func (c *Config) dropsDeletes() bool {
	return c.Records.Flat != nil && c.Records.Flat.Deletes == debezium.DeleteDropped
}

func deleted(c *transaction.Change) bool { return c.Op == transaction.Delete }

// unchanged reports an update that certainly gave no published column another value. One that the redo does not hold may have changed;
// one that the statement does not name on either side has not.
func unchanged(c *transaction.Change) bool {
	if c.Op != transaction.Update {
		return false
	}
	for i := range c.After {
		if !c.Version.Columns[i].Published() {
			continue
		}
		if !c.Before[i].Equal(c.After[i]) || c.After[i].Kind() == value.Unavailable {
			return false
		}
	}
	return true
}

func (m *miner) hand(ctx context.Context, groups chan<- *group, g *group) error {
	m.queued.Add(int64(len(g.items)))
	select {
	case groups <- g:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release is called by the emitter for every item that it is done with.
func (m *miner) release() {
	m.queued.Add(-1)
	select {
	case m.released <- struct{}{}:
	default:
	}
}

// lateCommits counts items of the running step that reached the redo after the step that covered their SCN (R20). Commits that were
// emitted before may lie above them, but none that depends on them (K4).
func (m *miner) lateCommits(items []*transaction.Committed) int {
	n := 0
	for _, item := range items {
		if item.Key.SCN <= m.boundary.SCN && !m.resumption.acknowledged(item.Key) {
			n++
		}
	}
	return n
}

// fit waits until the staged rows are within the budget, together with rows that were read. While the emitter still has items, memory will
// be given back; if it has none, open transactions alone exceed the budget and capture stops, but not for what was read.
func (m *miner) fit(ctx context.Context) error {
	for {
		// Items are counted down after they gave their memory back, so the count is read first.
		queued := m.queued.Load()
		switch over := m.buffer.Over(); {
		case queued == 0 && over:
			return m.buffer.Exhausted()
		case queued == 0, !over && !m.crowded():
			return nil
		}
		select {
		case m.pressed <- struct{}{}:
		default:
		}
		select {
		case <-m.released:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// crowded reports whether staged rows and rows that were read exceed the budget together.
func (m *miner) crowded() bool { return m.buffer.Used()+m.order.memory() > m.config.Memory }

// connect opens the sessions and judges the database.
func (m *miner) connect(ctx context.Context, id *position.Identity) error {
	facts, offset, err := m.db.connect(ctx, id)
	if err != nil {
		return err
	}
	m.facts, m.offset = facts, offset
	return nil
}

// reconnect opens the sessions again and judges the database again; the open transactions stay.
func (m *miner) reconnect(ctx context.Context, f *faults) error {
	id := m.identity(m.tables)
	for {
		err := m.connect(ctx, &id)
		if err == nil {
			m.use(m.tables)
			m.config.Available(nil)
			m.note(slog.LevelInfo, "Connected to the database again", reconnectedEvent)
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		cause := err
		_, wait, err := f.next(err)
		if err != nil {
			return err
		}
		m.config.Observe.Failed(ConnectionLost)
		m.config.Available(typed(ctx, cause))
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// pace decides how long to wait between two steps (R21).
type pace struct {
	quiet time.Duration
	// behind: the last step did not reach the current redo, so the next one follows at once.
	behind bool
}

// after takes what the last step found. reading: rows that are read wait for capture to get on.
func (p *pace) after(c *Config, used int64, behind, reading bool) {
	p.behind = behind
	if used > 0 || behind || reading {
		p.quiet = c.PollInterval
		return
	}
	p.quiet = min(max(p.quiet+p.quiet/2, c.PollInterval), max(c.IdleInterval, c.PollInterval))
}

// wait is how long the next step is not begun.
func (p *pace) wait(c *Config) time.Duration {
	if p.behind {
		return 0
	}
	// The bound of the next step is read before its hold-back (R1), which is part of the wait.
	return max(0, p.quiet-c.HoldBack)
}
