package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
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
	m := newMiner(c, db)
	if c.Builds.Interval > 0 {
		m.builder = newBuilder(c, oracleWriter{c})
	}
	return m.run(ctx, from, out)
}

func newMiner(c *Config, db database) *miner {
	return &miner{
		config: c, db: db, buffer: transaction.New(c.Memory), older: newOlder(c.NumberedExcept), released: make(chan struct{}, 1),
		signals: newSignals(), excluded: newExcluded(c.ExcludeUsers),
		pressed: make(chan struct{}, 1), roster: newRoster(),
	}
}

// run captures on a database that the caller closes.
func (m *miner) run(ctx context.Context, from *position.Position, out chan<- *change.Batch) (err error) {
	if err := m.openSignals(ctx, from); err != nil {
		return err
	}
	defer m.closeSignals()
	e, err := m.prepare(ctx, from)
	if err != nil {
		return typed(ctx, err)
	}
	e.out = out
	readers := m.readers(e)
	lookup := snapshot.NewReselector(readers)
	defer func() {
		if closed := lookup.Close(); err == nil {
			err = closed
		}
	}()
	e.lookup = lookup
	groups := make(chan *group, queuedGroups)
	workers, inside := errgroup.WithContext(ctx)
	workers.Go(func() error {
		select {
		case <-e.snapshots.begun:
			return typed(inside, m.reader(readers).Run(inside))
		case <-inside.Done():
			return inside.Err()
		}
	})
	defer m.order.close()
	workers.Go(func() error { return e.run(inside, groups) })
	workers.Go(func() error {
		defer close(groups)
		return typed(inside, m.mine(inside, groups))
	})
	m.serveSignals(inside, workers)
	if m.builder != nil {
		workers.Go(func() error { return m.builder.run(inside) })
	}
	err = workers.Wait()
	if fault, final := Final(err); final {
		e.farewell(ctx, fault)
	}
	return err
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
	if needed, err := m.needed(ctx, from); err != nil {
		return nil, err
	} else if needed {
		m.before, from = from, nil
	}
	t, err := m.readTables(ctx)
	if err != nil {
		return nil, err
	}
	m.started = t.read
	if from == nil {
		// What cannot be captured or published is refused before a first start leaves a position behind. Behind a stored one, a DDL that
		// lies ahead may have made it so: remember knows.
		if err := m.checkTables(t); err != nil {
			return nil, err
		}
		if _, err := m.renderer(t); err != nil {
			return nil, err
		}
	}
	peers, err := m.config.Peers(ctx)
	if err != nil {
		return nil, err
	}
	if m.config.DeadLetters && !peers.Ops {
		return nil, stop.New(stop.Configuration, m.config.Records.Server, "on_decode_error: dlq, and the output is not kafka_franz, so that dead letters may not reach their topic").
			Doing("use the output kafka_franz, or set emit.ops: always and send messages where their metadata kafka_topic says")
	}
	m.recorded = peers.SchemaEvents && m.config.Versions != nil
	for _, p := range []*position.Position{from, m.before} {
		if p != nil {
			m.retired = p.Retired
		}
	}
	stored := registry.New(m.config.Records.Server)
	if m.config.Versions != nil {
		if stored, err = m.config.Versions(ctx, m.containerOf); err != nil {
			return nil, err
		}
	}
	m.recorded = m.recorded && !m.left(stored)
	if from == nil && len(stored.Tables()) > 0 && m.config.Snapshot.Mode != SnapshotWhenNeeded {
		// Versions are written behind a durable first position only (R88): there was one, and what committed since would be lost.
		return nil, stop.New(stop.Corrupt, m.config.Records.Server, "the stored position is gone, although versions of captured tables are stored").
			Doing("restore the position; without it, set snapshot.mode: when_needed, which reads the tables again and leaves rows in the topics that were deleted meanwhile, or %s", stop.Anew)
	}
	if from != nil {
		if err := m.sameObjects(ctx, from, stored, t); err != nil {
			return nil, err
		}
		m.entrants.recall(from, t)
		if t, m.announce, err = m.remember(ctx, t, stored, from.Resume.SCN, from.Versions, m.knownBy(from, stored, t)); err != nil {
			return nil, err
		}
		m.recallUnseen(from.Unseen, t)
	}
	running, t, err := m.begin(ctx, from, t)
	if err != nil {
		return nil, err
	}
	if m.recorded {
		running.Tables = nil
	}
	m.resumption.tables = running.Tables
	switch {
	case from == nil && len(stored.Tables()) > 0:
		m.announce = m.afresh(t, stored, running.Resume.SCN)
	case from == nil:
		if t, m.announce, err = m.remember(ctx, t, stored, running.Resume.SCN, nil, nil); err != nil {
			return nil, err
		}
	}
	// The miner tries what comes with a DDL while the emitter renders: each has a renderer of its own.
	if m.trial, err = m.renderer(t); err != nil {
		return nil, err
	}
	records, err := m.renderer(t)
	if err != nil {
		return nil, err
	}
	m.use(t)
	if err := m.lookForLoads(ctx); err != nil {
		return nil, err
	}
	m.roster.show(t, m.facts.PDBs, 0)
	m.order = newOrdering(m.config.Now, floorOf(&running))
	if from != nil {
		running.Snapshot = m.begins(from, t.versions())
		m.half(from, t, stored)
		m.roster.hold(m.entrants.since)
		running.Joined = m.entrants.texts()
	}
	m.warnUnmatched(t)
	m.warnClosed()
	m.config.Ready()
	startup := []detail{
		{"version", m.config.Records.ConnectorVersion}, {"tables", strconv.Itoa(len(t.byName))}, {"resume_scn", running.Resume.SCN.String()},
	}
	if lost := m.history.lost; len(lost) > 0 {
		startup = append(startup, detail{"versions_lost", list(lost)})
	}
	m.event(startupEvent, startup...)
	e := &emitter{
		config: m.config, peers: peers, records: records, versions: stored, released: m.release,
		running: m.placeOf(&running), handed: m.placeOf(&running),
		order: m.order, snapshots: newSnapshots(m.config, m.roster), pressed: m.pressed, starved: m.crowded, bar: bar{to: m.config.Terminal},
	}
	running.Retired = m.retired
	e.kept.begin(&running, stored)
	return e, nil
}

// floorOf is the SCN up to which a position has everything that is ever delivered: a batch AS OF an older one would come too late (R77).
func floorOf(p *position.Position) position.SCN {
	floor := p.Done.SCN
	if p.Group != nil {
		floor = max(floor, p.Group.Boundary.SCN)
	}
	if p.FirstStart != nil {
		floor = max(floor, p.FirstStart.S)
	}
	return floor
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
		// Tables of a further container may match now; those of the position were compared.
		running.Identity = m.identity(t)
		maps.Copy(running.Identity.PDBs, from.Identity.PDBs)
		m.resumption = resumption{done: from.Done, group: from.Group, recounted: from.Settings != t.digest(), ahead: from.Ahead}
		if from.Group != nil && !from.Group.Complete && m.resumption.recounted {
			m.config.Log.Warn("The captured tables changed: a transaction that was delivered in part is delivered again from its first event")
		}
		m.boundary = from.Resume
		m.frontier.scn = from.Resume.SCN
		m.first = newLedger(from.FirstStart)
		m.resumption.start, m.resumption.firstStart = m.first.s, from.FirstStart
		m.discarded.open, m.resumption.released = from.Released, from.Released
		m.resumption.unseen = from.Unseen
		m.excluded.recall(from.Excluded)
		m.loads = newLoads(cmp.Or(from.NoLogging, from.Done.SCN)) // builds before this one told of none
		running.NoLogging = m.loads.told
		return running, t, nil
	}
	first, t, err := m.firstStart(ctx, t)
	if err != nil {
		return position.Position{}, nil, err
	}
	return *first, t, nil
}

// identity names the database and the containers that have captured tables.
func (m *miner) identity(t *tables) position.Identity {
	captured := t.containers()
	return m.facts.Identity(slices.DeleteFunc(slices.Clone(m.facts.PDBs), func(c oracle.Container) bool {
		return !slices.Contains(captured, c.ID)
	})...)
}

// use takes a captured set.
func (m *miner) use(t *tables) {
	m.tables = t
	m.applier = &applier{
		buffer: m.buffer, tables: t, logging: m.config.Logging, offset: m.offset, first: &m.first, entrants: &m.entrants, discarded: &m.discarded, excluded: &m.excluded, values: m.config.LogRowValues,
		concerns: m.concerns, columns: m.config.Columns, redo: m.config.Records.Redo, raw: m.config.DeadLetters,
		truncates: m.config.Truncates, defines: m.config.SchemaChanges, older: m.older,
		cascade: func(d *ddlRow) []schema.Table { return m.cascade(d, m.history.children) },
		matches: func(container int, owner, name string) bool {
			return m.config.Selection.Captured(schema.Table{PDB: m.pdbName(container), Owner: owner, Name: name})
		},
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
