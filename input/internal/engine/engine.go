package engine

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// queuedGroups bounds the verified steps that wait for the emitter; their rows count against the memory budget all the while.
const queuedGroups = 4

// Run captures from a position, or begins a first start without one, and hands batches over until ctx ends or something
// fails. The error is a *stop.Error for what only an operator can cure.
func Run(ctx context.Context, c *Config, from *position.Position, out chan<- *change.Batch) (err error) {
	db := newOracleDatabase(c)
	defer func() {
		if closed := db.close(); err == nil {
			err = closed
		}
	}()
	return newMiner(c, db).run(ctx, from, out)
}

func newMiner(c *Config, db database) *miner {
	return &miner{config: c, db: db, buffer: transaction.New(c.Memory), released: make(chan struct{}, 1)}
}

// run captures on a database that the caller closes.
func (m *miner) run(ctx context.Context, from *position.Position, out chan<- *change.Batch) error {
	e, err := m.prepare(ctx, from)
	if err != nil {
		return typed(ctx, err)
	}
	e.out = out
	groups := make(chan *group, queuedGroups)
	workers, ctx := errgroup.WithContext(ctx)
	workers.Go(func() error { return e.run(ctx, groups) })
	workers.Go(func() error {
		defer close(groups)
		return typed(ctx, m.mine(ctx, groups))
	})
	return workers.Wait()
}

// typed gives an error of the database its code; an ended context stays what it is.
func typed(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	if _, ok := stop.As(err); ok {
		return err
	}
	_, e := oracle.Classify(err)
	return e
}

// prepare connects, judges the database, reads the captured tables, and finds where to begin.
func (m *miner) prepare(ctx context.Context, from *position.Position) (*emitter, error) {
	var identity *position.Identity
	if from != nil {
		identity = &from.Identity
	}
	if err := m.connect(ctx, identity); err != nil {
		return nil, err
	}
	t, err := m.readTables(ctx)
	if err != nil {
		return nil, err
	}
	m.started = t.read
	// What cannot be published is refused before a first start leaves a position behind.
	if _, err := m.renderer(t); err != nil {
		return nil, err
	}
	peers, err := m.config.Peers(ctx)
	if err != nil {
		return nil, err
	}
	stored := registry.New(m.config.Records.Server)
	if m.config.Versions != nil {
		if stored, err = m.config.Versions(ctx, m.containerOf); err != nil {
			return nil, err
		}
	}
	if from == nil && len(stored.Tables()) > 0 {
		// Versions are written behind a durable first position only (R88): there was one, and what committed since would be lost.
		return nil, stop.New(stop.Corrupt, m.config.Records.Server, "the stored position is gone, although versions of captured tables are stored").
			Doing("restore the position; without it, begin anew with a new topic_prefix, or remove the schema topic too, and load the tables by other means")
	}
	running, t, err := m.begin(ctx, from, t)
	if err != nil {
		return nil, err
	}
	if m.announce, err = number(t, stored, running.Done.SCN); err != nil {
		return nil, err
	}
	if m.records, err = m.renderer(t); err != nil {
		return nil, err
	}
	m.use(t)
	m.warnUnmatched(t)
	m.config.Ready()
	return &emitter{
		config: m.config, peers: peers, records: m.records, versions: stored, released: m.release, running: placeOf(&running),
	}, nil
}

// renderer makes the captured tables ready for rendering.
func (m *miner) renderer(t *tables) (*Records, error) {
	settings := m.config.Records
	settings.Database = m.facts.Name
	records := NewRecords(settings, naming.NewTopics(m.config.Template, settings.Server, m.facts.Name, m.config.Internal.Topics()...))
	for _, v := range t.versions() {
		if err := records.Prepare(v); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// containerOf gives the number of a PDB, 0 for the empty name of a non-container database.
func (m *miner) containerOf(pdb string) (int, bool) {
	if pdb == "" {
		return 0, !m.facts.CDB
	}
	for _, c := range m.facts.PDBs {
		if c.Name == pdb {
			return c.ID, true
		}
	}
	return 0, false
}

// begin gives the position that capture begins with: the stored one, or that of a first start, which is durable when begin
// returns.
func (m *miner) begin(ctx context.Context, from *position.Position, t *tables) (position.Position, *tables, error) {
	if from != nil {
		running := *from
		running.Run = m.config.Run
		m.resumption = resumption{done: from.Done, group: from.Group, recounted: from.Settings != t.digest()}
		if from.Group != nil && !from.Group.Complete && m.resumption.recounted {
			m.config.Log.Warn("The captured tables changed: a transaction that was delivered in part is delivered again from its first event")
		}
		m.boundary = from.Resume
		m.frontier.scn = from.Resume.SCN
		if from.FirstStart != nil {
			m.resumption.start, m.since = from.FirstStart.S, from.FirstStart.Q
		}
		return running, t, nil
	}
	first, t, err := m.firstStart(ctx, t)
	if err != nil {
		return position.Position{}, nil, err
	}
	return *first, t, nil
}

// firstStart waits until the transactions that are open now have ended, so that everything that commits after the start is
// delivered whole (R87 with an empty list), and makes the beginning durable before anything is emitted (R88).
func (m *miner) firstStart(ctx context.Context, t *tables) (*position.Position, *tables, error) {
	for {
		q, err := m.db.scn(ctx)
		if err != nil {
			return nil, nil, err
		}
		if err := m.awaitOpen(ctx, t.container); err != nil {
			return nil, nil, err
		}
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
		if added, differ := t.changed(again); len(added) > 0 || len(differ) > 0 {
			t = again
			continue
		}
		boundary, err := m.db.start(ctx, q)
		if err != nil {
			return nil, nil, err
		}
		p := &position.Position{
			Run: m.config.Run, Sequence: 1, Identity: m.identity(again),
			Resume: boundary, Done: boundary, Settings: again.digest(), FirstStart: &position.FirstStart{Q: q, S: s}, Time: m.config.Now().UTC(),
		}
		if err := m.config.Save(ctx, p); err != nil {
			return nil, nil, err
		}
		m.config.Log.Info("First start: capture begins with what commits after this SCN", "scn", s.String())
		m.boundary, m.frontier.scn = boundary, boundary.SCN
		m.resumption = resumption{done: boundary, start: s}
		m.since = q
		return p, again, nil
	}
}

// openCheckInterval is how often a first start looks whether the transactions that were open have ended, openWarnInterval how
// often it says so.
const (
	openCheckInterval = time.Second
	openWarnInterval  = time.Minute
)

// awaitOpen waits until every transaction of the captured container that is open at the first look has ended. With local undo, a
// transaction never spans two containers (reference logminer A.7).
func (m *miner) awaitOpen(ctx context.Context, container int) error {
	waiting, err := m.db.open(ctx)
	if err != nil {
		return err
	}
	waiting = slices.DeleteFunc(waiting, func(o oracle.OpenTransaction) bool { return o.Container != container })
	warn := m.config.Now()
	for len(waiting) > 0 {
		if now := m.config.Now(); !now.Before(warn) {
			warn = now.Add(openWarnInterval)
			m.config.Log.Warn("First start waits until transactions that are open now have ended",
				"open", len(waiting), "oldest", waiting[0].XID.String())
		}
		if err := sleep(ctx, openCheckInterval); err != nil {
			return err
		}
		open, err := m.db.open(ctx)
		if err != nil {
			return err
		}
		waiting = stillOpen(waiting, open)
	}
	return nil
}

func stillOpen(waiting, open []oracle.OpenTransaction) []oracle.OpenTransaction {
	now := make(map[transaction.ID]bool, len(open))
	for _, o := range open {
		now[transaction.ID{Container: o.Container, XID: o.XID}] = true
	}
	out := waiting[:0]
	for _, w := range waiting {
		if now[transaction.ID{Container: w.Container, XID: w.XID}] {
			out = append(out, w)
		}
	}
	return out
}

func (m *miner) identity(t *tables) position.Identity {
	for _, c := range m.facts.PDBs {
		if c.ID == t.container {
			return m.facts.Identity(c)
		}
	}
	return m.facts.Identity()
}

// use takes a captured set.
func (m *miner) use(t *tables) {
	m.tables = t
	m.applier = &applier{
		buffer: m.buffer, tables: t, logging: m.config.Logging, offset: m.offset, since: m.since, values: m.config.LogRowValues,
		concerns: m.concerns,
	}
}

// sleep waits for a time or the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
