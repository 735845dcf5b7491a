package engine

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// ordering is the gate between the items of the stream and the batches of snapshots. Its lock is the emitter's: an item counts as emitted,
// and a batch takes its SCN, under it (R77). It is held for no longer than a decision takes, so that nobody waits for the output in it.
type ordering struct {
	now func() time.Time

	mu   sync.Mutex
	gate *snapshot.Gate
	// begun are the batches that have not gone out, by what is known of their SCN; 0: nothing yet.
	begun map[snapshot.Ticket]position.SCN
	// delivered are those that have all their rows.
	delivered map[snapshot.Ticket]*snapshot.Batch
	// released is the highest SCN of a batch that went out: an item below it may be late.
	released position.SCN
	// current is when F was read from the database; zero while capture is behind, so that its time is not known.
	current time.Time

	// refused are tables whose request the database does not take.
	refused []refusal

	// state is what is read, and how far that came; nil where nothing ever was.
	state atomic.Pointer[position.Snapshot]
	// used is the memory of rows that were read and are not out; nil before anything is.
	used atomic.Pointer[func() int64]
	// asked counts what was asked of snapshots and is not in state yet.
	asked atomic.Int64
	// changed has a slot: the gate may decide otherwise than before.
	changed chan struct{}
}

// newOrdering makes one behind which everything that committed up to floor was emitted, or never will be.
func newOrdering(now func() time.Time, floor position.SCN) *ordering {
	return &ordering{
		now: now, gate: snapshot.NewGate(floor), begun: map[snapshot.Ticket]position.SCN{}, delivered: map[snapshot.Ticket]*snapshot.Batch{},
		changed: make(chan struct{}, 1),
	}
}

func (o *ordering) wake() {
	select {
	case o.changed <- struct{}{}:
	default:
	}
}

// busy reports whether tables are read.
func (o *ordering) busy() bool {
	s := o.state.Load()
	return s != nil && s.Status == position.SnapshotRunning
}

// memory is that of rows that were read and are not out.
func (o *ordering) memory() int64 {
	if used := o.used.Load(); used != nil {
		return (*used)()
	}
	return 0
}

// reached tells from when F is; the zero time, that nobody knows.
func (o *ordering) reached(read time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.current = read
}

// Lag implements snapshot.Ordering (R79).
func (o *ordering) Lag() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.current.IsZero() {
		return math.MaxInt64
	}
	return o.now().Sub(o.current)
}

// Close implements snapshot.Ordering.
func (o *ordering) Close() (snapshot.Ticket, position.SCN) {
	o.mu.Lock()
	defer o.mu.Unlock()
	t, emitted := o.gate.Close()
	o.begun[t] = 0
	return t, emitted
}

// Set implements snapshot.Ordering.
func (o *ordering) Set(t snapshot.Ticket, scn position.SCN) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.wake()
	set := o.gate.Set(t, scn)
	if set {
		o.begun[t] = scn
	}
	return set
}

// GiveUp implements snapshot.Ordering.
func (o *ordering) GiveUp(t snapshot.Ticket) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.wake()
	delete(o.begun, t)
	return o.gate.GiveUp(t)
}

// Deliver implements snapshot.Ordering.
func (o *ordering) Deliver(b *snapshot.Batch) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.wake()
	if !o.gate.Filled(b.Ticket) {
		return false
	}
	o.delivered[b.Ticket] = b
	return true
}

// pass lets an item out unless it has to wait for a batch. tables is asked for only where the item is below a batch that went out: what
// it put older rows over is returned (R83).
func (o *ordering) pass(scn position.SCN, tables func() []schema.Table) (passed bool, late []snapshot.Late) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.gate.Blocks(scn) {
		return false, nil
	}
	return true, o.out(scn, tables)
}

// out notes that an item goes out. It is called under the lock.
func (o *ordering) out(scn position.SCN, tables func() []schema.Table) []snapshot.Late {
	var of []schema.Table
	if scn < o.released {
		of = tables()
	}
	return o.gate.Emitted(scn, of)
}

// next decides what goes out while the next item has to wait (R76): a batch, an item that reached the redo late, or nothing. lowest is the
// item with the lowest commit SCN among those that wait behind; frontier is F as of everything that is known.
func (o *ordering) next(frontier, lowest position.SCN, known bool, tables func() []schema.Table) (snapshot.Step, *snapshot.Batch, []snapshot.Late) {
	o.mu.Lock()
	defer o.mu.Unlock()
	step, ticket := o.gate.Next(frontier, lowest, known)
	switch step {
	case snapshot.EmitBatch:
		b := o.delivered[ticket]
		delete(o.delivered, ticket)
		return step, b, nil
	case snapshot.EmitItem:
		return step, nil, o.out(lowest, tables)
	default:
		return step, nil, nil
	}
}

// gone notes that a batch went out.
func (o *ordering) gone(b *snapshot.Batch) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.released = max(o.released, b.SCN)
	delete(o.begun, b.Ticket)
	o.gate.Released(b.Ticket, b.Chunks())
}

// drop ends a batch that was taken to go out and does not.
func (o *ordering) drop(b *snapshot.Batch) {
	o.GiveUp(b.Ticket)
	b.Discard()
}

// abandon opens the gate for what waits behind its first batch. One that was read is read again; of one that is being read the reader
// hears when it delivers it. It reports whether there was one.
func (o *ordering) abandon() bool {
	o.mu.Lock()
	first, any := snapshot.Ticket(0), false
	for t, scn := range o.begun {
		if !any || scn < o.begun[first] {
			first, any = t, true
		}
	}
	b := o.delivered[first]
	delete(o.delivered, first)
	delete(o.begun, first)
	if any {
		o.gate.GiveUp(first)
	}
	o.mu.Unlock()
	if b != nil {
		b.GiveUp()
	}
	return any
}

// oldest gives an SCN below which no batch is AS OF that is not out: the frontier, since an SCN that is read from now on lies above it, or
// what is held. It is 0 while a batch takes its SCN.
func (o *ordering) oldest(frontier position.SCN) position.SCN {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, scn := range o.begun {
		frontier = min(frontier, scn)
	}
	return frontier
}

// close releases what is left when capture ends.
func (o *ordering) close() {
	for left := true; left; {
		left = o.abandon()
	}
}

// forget drops what is remembered of a table.
func (o *ordering) forget(t schema.Table) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gate.Forget(t)
}

// refusal is a table that was asked for with a condition or a query that the database does not take.
type refusal struct {
	table schema.Table
	fault error
}

// refuse notes a table that is not read any more; the emitter says so.
func (o *ordering) refuse(t schema.Table, fault error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.refused = append(o.refused, refusal{t, fault})
	o.wake()
}

// refusals takes what was noted.
func (o *ordering) refusals() []refusal {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := o.refused
	o.refused = nil
	return out
}
