package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// group is what the miner hands to the emitter after verified steps: the items that committed in them, in order of their
// keys, and the boundary that is done once all of them are acknowledged.
type group struct {
	versions []*schema.Version
	items    []*transaction.Committed
	boundary position.Boundary
	// lowest: no row outside region(boundary) lies below it; 0: not known.
	lowest position.SCN
	// floor is what transactions that were open after the step hold, at most boundary.
	floor position.Boundary
	// after continues the first item behind an event that is acknowledged already (R51, R67); nil: from its first event.
	after *acknowledged
	// firstStart is what positions keep of a first start once the group is done.
	firstStart *position.FirstStart
	// given are transactions that were given up since the group before, discarded what positions say of such once the group is done;
	// signals is what they say of signals from its beginning on.
	given, discarded []position.Transaction
	signals          *position.Signals
	// barring are excluded transactions that began since the group before, barred those that have not ended once the group is done.
	barring, barred []excludedEntry
	// unseen are the partitions that nobody saw, as of the end of the group.
	unseen []position.Partition
	// joined is what positions say of tables that joined, as of the end of the group.
	joined map[string]position.SCN
	// loads: those without redo up to this SCN are told of from its beginning on.
	loads position.SCN
	// stop ends capture here; such a group has nothing else.
	stop *stop.Error
	// tables are the captured ones as of the end of the group, where positions name them; nil: as they were.
	tables []position.Table
	// ops are events about the connector itself.
	ops []opsEvent
	// reads are tables that are to be read from here on.
	reads []wantedTable
	// commands are what is asked of snapshots from here on.
	commands []snapshotCommand
	// receipts are for those who wait until the position has what the group asks for.
	receipts []*receipt
	// settings is the digest of what the items' events are counted by (R67).
	settings string
	// frontier is an SCN up to which everything that committed is in this group or an earlier one (F).
	frontier position.SCN
}

// acknowledged names the last event of an item that the output acknowledged before a restart.
type acknowledged struct {
	event position.RBA
	index int
}

// emitter renders groups into batches. It owns the running position.
type emitter struct {
	config  *Config
	peers   Peers
	records *Records
	out     chan<- *change.Batch
	intake  intake
	// order and snapshots say what is read by query, and where it goes.
	order     *ordering
	snapshots *snapshots
	// lookup reads rows that the redo does not have whole.
	lookup reselector
	bar    bar
	// pressed is told when mining cannot go on for want of memory; starved says whether that is so still.
	pressed <-chan struct{}
	starved func() bool
	// still: the position does not move with what is emitted.
	still bool
	// versions is what the schema topic has.
	versions *registry.Registry
	// kept says which of them rows may still need.
	kept retention
	// released is told of every item that gave its memory back.
	released func()
	// running is the position after everything rendered so far.
	running place
	// handed is the position of the last batch that was handed over.
	handed place
	beat   time.Time

	batch *change.Batch
	// stamp is the position after the first stamped events of the open batch; those behind them wait for the next one.
	stamp   place
	stamped int
	buffer  []byte
	bytes   int
	began   time.Time
	// clock is the time as last read, for what says when a record was made.
	clock time.Time
	slab  []change.Transaction
	// left is how many events the group still has at least, average the bytes of one.
	left, average int
}

// place is a position whose group lies in it, so that it moves with every event without an allocation.
type place struct {
	position.Position
	group   position.Group
	inGroup bool
	// barred are the excluded transactions that have not ended inside done, whether the position names them or not.
	barred []excludedEntry
}

// placeOf gives the place of a position that capture begins with.
func (m *miner) placeOf(p *position.Position) place {
	out := place{Position: *p, barred: entriesOf(m.excluded.all)}
	if p.Group != nil {
		out.group, out.inGroup = *p.Group, true
	}
	return out
}

// position makes the place a position of its own.
func (p *place) position() *position.Position {
	out := p.Position
	out.Group, out.Excluded = nil, ledgerOf(p.barred, p.Resume)
	if p.inGroup {
		g := p.group
		out.Group = &g
	}
	return &out
}

// run emits groups until the channel is closed or something fails. A heartbeat is due when no batch carried a position for
// the interval.
func (e *emitter) run(ctx context.Context, groups <-chan *group) error {
	e.intake.groups = groups
	e.order.state.Store(e.running.Snapshot)
	if err := e.resume(); err != nil {
		return err
	}
	for {
		g, err := e.next(ctx)
		if g == nil || err != nil {
			return err
		}
		if err := e.emit(ctx, g); err != nil {
			return err
		}
		if e.complete() {
			return e.leaveOff(ctx)
		}
	}
}

// emit hands over one group. A batch stays open while another group waits.
func (e *emitter) emit(ctx context.Context, g *group) error {
	if g.stop != nil {
		if err := e.flush(ctx); err != nil {
			return err
		}
		return g.stop
	}
	if err := e.readings(g); err != nil {
		return err
	}
	// What is not delivered yet may be from before a table of the group was another one.
	e.running.Tables = position.Joint(e.running.Tables, g.tables)
	if e.peers.SchemaEvents {
		if err := e.prune(ctx); err != nil {
			return err
		}
		for _, v := range g.versions {
			if err := e.schema(ctx, v); err != nil {
				return err
			}
		}
	}
	e.running.Settings, e.running.Signals, e.running.NoLogging = g.settings, g.signals, g.loads
	e.running.Released = slices.Concat(e.running.Released, g.given)
	e.running.barred = slices.Concat(e.running.barred, g.barring)
	for _, ev := range g.ops {
		e.tell(ev)
	}
	if len(g.ops) > 0 && e.batch != nil {
		e.mark() // a fault of the group does not hold them back
	}
	e.receive(g.receipts)
	if err := e.items(ctx, g); err != nil {
		return errors.Join(err, e.salvage(ctx))
	}
	e.kept.note(g.boundary.SCN, g.lowest)
	e.running.Done, e.running.inGroup = g.boundary, false
	e.running.Resume = position.Min(g.boundary, g.floor)
	e.running.FirstStart, e.running.Released = g.firstStart, g.discarded
	e.running.Unseen, e.running.barred, e.running.Joined = g.unseen, g.barred, g.joined
	e.running.Ahead = g.boundary.Outside(e.running.Ahead)
	if g.tables != nil {
		e.running.Tables = g.tables
	}
	// A commit below s that reaches the redo late must not come out after a restart either, hence the frontier.
	if first := g.firstStart; first != nil && len(first.Open) == 0 && g.frontier >= first.S {
		e.running.FirstStart = nil
	}
	if e.batch != nil {
		e.mark()
		if e.intake.more() && !e.full() {
			return nil
		}
		return e.flush(ctx)
	}
	if len(g.receipts) > 0 {
		return e.bare(ctx, g.frontier) // somebody waits for it
	}
	return e.advance(ctx, g)
}

func (e *emitter) items(ctx context.Context, g *group) error {
	held := heldBy(g.items, position.Min(g.floor, g.boundary))
	e.left = 0
	for _, item := range g.items {
		e.left += item.Len()
	}
	for i, item := range g.items {
		if err := e.pass(ctx, item); err != nil {
			return err
		}
		if err := e.fault(item); err != nil {
			return err
		}
		if err := e.item(ctx, g, i, held); err != nil {
			return err
		}
		item.Release()
		e.released()
	}
	return nil
}

// salvage hands over what was rendered before a fault, up to the last position: it still reaches the output (R22).
func (e *emitter) salvage(ctx context.Context) error {
	if e.batch == nil || e.stamped == 0 {
		return nil
	}
	e.batch.Events = e.batch.Events[:e.stamped]
	return e.flush(ctx)
}

// heldBy gives for every item the boundary that it and the items behind it hold back, together with what is open.
func heldBy(items []*transaction.Committed, floor position.Boundary) []position.Boundary {
	held := make([]position.Boundary, len(items)+1)
	held[len(items)] = floor
	for i := len(items) - 1; i >= 0; i-- {
		held[i] = position.Min(held[i+1], items[i].First)
	}
	return held
}

// item renders the events of one transaction. The records of one event stay in one batch (R64).
func (e *emitter) item(ctx context.Context, g *group, at int, held []position.Boundary) error {
	item := g.items[at]
	tx := e.transaction(item)
	e.records.beginTransaction()
	inside := position.Min(e.running.Done, held[at])
	index, definitions := -1, item.Definitions()
	last := definitions + tx.Count - 1
	moved := e.moves(item)
	for c := range item.Changes() {
		index++
		e.left--
		if at == 0 && g.after != nil && index <= g.after.index {
			moved.pass(c)
			if err := e.skip(c, tx, index-definitions); err != nil {
				return err
			}
			continue
		}
		whole, err := e.whole(ctx, moved, item, c)
		if err != nil {
			return err
		}
		if err := e.change(whole, tx, index-definitions); err != nil {
			return err
		}
		if e.still && index == last {
			e.running.Ahead = append(slices.Clone(e.running.Ahead), item.Key)
		}
		if !e.still {
			e.running.inGroup = true
			e.running.group = position.Group{
				Boundary: g.boundary, Key: item.Key, Event: c.Address, Index: index, Complete: index == last,
			}
			e.running.Resume = inside
			if e.running.group.Complete {
				e.running.Resume = position.Min(e.running.Done, held[at+1])
			}
		}
		if e.full() {
			e.mark()
			if err := e.flush(ctx); err != nil {
				return err
			}
		}
	}
	e.tellIncomplete(moved, tx)
	if e.batch != nil {
		e.mark()
	}
	return nil
}

// skip takes note of a change that was emitted before a restart.
func (e *emitter) skip(c *transaction.Change, tx *change.Transaction, index int) error {
	if c.Op == transaction.Define {
		return nil
	}
	if err := e.records.skip(eventOf(c, tx, index, e.records.order(c.Version)), c.Op); err != nil {
		return placed(err, c, tx)
	}
	return nil
}

// change renders a change, and what announces its transaction. The DDL that consumers are told of comes before the changes and does not
// count among them.
func (e *emitter) change(c *transaction.Change, tx *change.Transaction, index int) error {
	if c.Op == transaction.Define {
		return e.define(c, tx)
	}
	if index == 0 && e.config.Records.Transactions {
		e.begin(c, tx)
	}
	if err := e.addOrBury(c, tx, index, e.records.order(c.Version)); err != nil {
		return err
	}
	if index == tx.Count-1 && e.config.Records.Transactions {
		return e.end(tx)
	}
	return nil
}

// slabSize is the number of transactions that are allocated at once: most have few events.
const slabSize = 128

// transaction gives what the events of an item share.
func (e *emitter) transaction(item *transaction.Committed) *change.Transaction {
	if len(e.slab) == cap(e.slab) {
		e.slab = make([]change.Transaction, 0, slabSize)
	}
	e.slab = append(e.slab, transactionOf(item))
	return &e.slab[len(e.slab)-1]
}

// add renders one change into the open batch: one event, or three for a changed key.
func (e *emitter) add(c *transaction.Change, tx *change.Transaction, index, order int) error {
	if e.batch == nil {
		e.open()
	}
	from := len(e.buffer)
	base := eventOf(c, tx, index, order)
	base.Built = e.clock.UnixNano()
	var err error
	e.batch.Events, e.buffer, err = e.records.Append(e.batch.Events, e.buffer, &base, c.Op)
	e.bytes += len(e.buffer) - from
	if err != nil {
		return placed(err, c, tx)
	}
	return nil
}

// placed says where in the redo a change lies that cannot be rendered (R22).
func placed(err error, c *transaction.Change, tx *change.Transaction) error {
	fault, ok := stop.As(err)
	if !ok {
		return err
	}
	with := *fault
	with.Object = fmt.Sprintf("%s, transaction %s, SCN %s, redo thread %d, address %s", fault.Object, tx.ID, c.SCN, c.Thread, c.Address)
	return &with
}

// open begins a batch with room for what the group still has: many small batches may be out, so a full one's room for each is too
// much.
func (e *emitter) open() {
	events := min(e.left+2, e.config.BatchCount+2, 4096)
	e.batch = &change.Batch{Events: make([]change.Event, 0, events)}
	room := min(events*e.average, e.config.BatchBytes)
	e.buffer, e.bytes = make([]byte, 0, room+room/8), 0
	e.stamped = 0
	e.began = e.config.Now()
	e.clock = e.began
}

func (e *emitter) full() bool {
	if e.batch == nil {
		return false
	}
	if len(e.batch.Events) >= e.config.BatchCount || e.bytes >= e.config.BatchBytes {
		return true
	}
	e.clock = e.config.Now()
	return e.clock.Sub(e.began) >= e.config.BatchPeriod
}

// mark makes the running position that of the open batch.
func (e *emitter) mark() { e.stamp, e.stamped = e.running, len(e.batch.Events) }

// flush hands the open batch over; it waits while the output is behind.
func (e *emitter) flush(ctx context.Context) error {
	if e.batch == nil {
		return nil
	}
	b := e.batch
	e.average = e.bytes/len(b.Events) + 1
	e.batch, e.buffer = nil, nil
	e.handed = e.stamp
	b.Position = e.sequenced(&e.stamp)
	for i := range b.Events {
		b.Events[i].Position = b.Position
	}
	return e.send(ctx, b)
}

// sequenced makes a position of a place, with the next number.
func (e *emitter) sequenced(at *place) *position.Position {
	e.running.Sequence++
	p := at.position()
	p.Sequence, p.Time = e.running.Sequence, e.config.Now().UTC()
	if e.peers.SchemaEvents {
		p.Versions, p.Retired = e.kept.needed(e.versions, p.Resume.SCN), e.kept.retired
	}
	return p
}

func (e *emitter) send(ctx context.Context, b *change.Batch) error {
	e.beat = e.config.Now()
	b.Source = e.config.Records.Server
	select {
	case e.out <- b:
		e.config.Observe.Emitted(len(b.Events) == 1 && b.Events[0].Kind == change.Heartbeat)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// bareInterval is how often a position moves without a message where no heartbeats are sent.
const bareInterval = time.Second

// advance hands over a position without data when one is due (R119, R122): as a heartbeat in front of our Kafka output, else bare.
func (e *emitter) advance(ctx context.Context, g *group) error {
	interval := bareInterval
	if e.peers.Heartbeats {
		interval = e.config.HeartbeatInterval
	}
	first := e.beat.IsZero()
	if !first && (interval <= 0 || e.config.Now().Sub(e.beat) < interval) {
		return nil
	}
	return e.bare(ctx, g.frontier)
}

// bare hands over the running position, as a heartbeat where those are messages.
func (e *emitter) bare(ctx context.Context, frontier position.SCN) error {
	b := e.positioned()
	if e.peers.Heartbeats {
		ev, err := e.records.heartbeat(e.config.Internal.Heartbeat, frontier, e.config.Now())
		if err != nil {
			return err
		}
		ev.Position = b.Position
		b.Events = []change.Event{ev}
	}
	return e.send(ctx, b)
}

// positioned makes a batch with the running position and no events yet.
func (e *emitter) positioned() *change.Batch {
	e.handed = e.running
	return &change.Batch{Position: e.sequenced(&e.running)}
}
