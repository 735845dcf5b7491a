package transaction

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// End is a COMMIT or ROLLBACK row.
type End struct {
	Commit bool
	// Key is the place of the row; its address is zero where the row has none (R13).
	Key position.Key
	// Millis is the commit time in milliseconds since the epoch.
	Millis int64
}

// Buffer holds the open transactions.
type Buffer struct {
	budget int64
	used   atomic.Int64
	open   map[ID]*open
	// slots holds the youngest open transaction of each undo segment and slot.
	slots  map[slot]*open
	before position.Boundary
	// staged is the memory that the running step took.
	staged int64
	// touched lists the transactions that the running step changed, ends those whose end it delivered.
	touched, ends []*open
	// outOfOrder counts undo rows that were not matched on top of the stack, in verified steps.
	outOfOrder, pendingOutOfOrder int64
}

// slot is where a partial XID looks for its transaction.
type slot struct {
	container int
	usn, slot uint16
}

func slotOf(id ID) slot { return slot{id.Container, id.XID.USN, id.XID.Slot} }

// New makes an empty buffer with a budget in bytes.
func New(budget int64) *Buffer {
	return &Buffer{budget: budget, open: map[ID]*open{}, slots: map[slot]*open{}}
}

// Begin starts a step that mines what lies outside region(before).
func (b *Buffer) Begin(before position.Boundary) {
	b.before, b.staged = before, 0
}

// Append adds a forward change to its transaction.
func (b *Buffer) Append(id ID, user string, c Change) {
	o := b.touch(id, c.SCN)
	if user != "" {
		o.state.user = user
	}
	b.took(o.push(c))
}

// Replace puts another reading of a change in the place of the one that lies at the same place of the redo (R8). It reports
// whether the transaction is open and has it.
func (b *Buffer) Replace(id ID, c Change) bool {
	o, ok := b.open[id]
	if !ok {
		return false
	}
	b.save(o)
	grown, ok := o.replace(c)
	b.took(grown)
	return ok
}

// Forget drops an open transaction between two steps, and says how many changes it had.
func (b *Buffer) Forget(id ID) (changes int, ok bool) {
	o, ok := b.open[id]
	if !ok {
		return 0, false
	}
	b.used.Add(-o.state.bytes)
	b.drop(o)
	return len(o.entries), true
}

// Has reports whether a transaction is open.
func (b *Buffer) Has(id ID) bool {
	_, ok := b.open[id]
	return ok
}

// Undo applies an undo row. A transaction that has no captured row yet is marked: its change was never seen.
func (b *Buffer) Undo(id ID, u Undo) {
	grown, onTop := b.touch(id, u.SCN).undo(u)
	b.took(grown)
	if !onTop {
		b.pendingOutOfOrder++
	}
}

// Hold opens a transaction that has a row of interest at an SCN, though no change of a captured row.
func (b *Buffer) Hold(id ID, scn position.SCN) { b.touch(id, scn) }

// Fault marks an open transaction as a whole; the first mark stands.
func (b *Buffer) Fault(id ID, fault *stop.Error) {
	o, ok := b.open[id]
	if !ok {
		return
	}
	b.save(o)
	if o.state.fault == nil {
		o.state.fault = fault
	}
}

func (b *Buffer) took(n int64) {
	b.used.Add(n)
	b.staged += n
}

// Staged returns the memory that the running step took so far.
func (b *Buffer) Staged() int64 { return b.staged }

// OpenBytes returns the memory of the open transactions.
func (b *Buffer) OpenBytes() int64 {
	n := int64(0)
	for _, o := range b.open {
		n += o.state.bytes
	}
	return n
}

// End records the COMMIT or ROLLBACK row of a transaction; it takes effect in Keep. Transactions without captured rows
// have no effect.
func (b *Buffer) End(id ID, end End) {
	o, ok := b.open[id]
	if !ok || o.ended {
		return
	}
	o.end, o.ended = end, true
	b.save(o)
	b.ends = append(b.ends, o)
}

// Ending returns the end of an open transaction that the running step delivered.
func (b *Buffer) Ending(id ID) (End, bool) {
	if o, ok := b.open[id]; ok && o.ended {
		return o.end, true
	}
	return End{}, false
}

// Resolve finds the transaction that the partial XID of a row at an SCN stands for: the one open at this point on the same
// container, undo segment and slot (R117). One that began after the row is not meant: a ROLLBACK without an address may come
// again with every step (R13), when the slot is another transaction's.
func (b *Buffer) Resolve(id ID, scn position.SCN) (ID, bool) {
	for o := b.slots[slotOf(id)]; o != nil; o = o.older {
		if !o.ended && o.begin <= scn {
			return o.id, true
		}
	}
	return ID{}, false
}

// touch finds or opens a transaction and saves its state before the first change of the step.
func (b *Buffer) touch(id ID, scn position.SCN) *open {
	o, ok := b.open[id]
	if !ok {
		o = &open{id: id, first: b.before, begin: scn, fresh: true, state: state{top: none}, older: b.slots[slotOf(id)]}
		b.open[id] = o
		b.slots[slotOf(id)] = o
	}
	b.save(o)
	return o
}

func (b *Buffer) save(o *open) {
	if !o.touched {
		o.touched = true
		o.saved = o.state
		b.touched = append(b.touched, o)
	}
}

// Discard cuts off what the running step appended, as if it had never run (R18).
func (b *Buffer) Discard() {
	for _, o := range b.touched {
		b.used.Add(-o.cut())
		if o.fresh {
			b.drop(o)
		}
	}
	b.reset()
	b.pendingOutOfOrder = 0
}

// Keep makes the step permanent. It returns the committed transactions that changed captured rows or are marked, in order of
// their keys (R19).
func (b *Buffer) Keep() []*Committed {
	for _, o := range b.touched {
		o.touched, o.fresh, o.replaced = false, false, nil
	}
	var out []*Committed
	for _, o := range b.ends {
		b.drop(o)
		if !o.end.Commit {
			b.used.Add(-o.state.bytes)
			continue
		}
		if len(o.entries) > 0 || o.state.fault != nil {
			out = append(out, b.commit(o))
		}
	}
	slices.SortStableFunc(out, func(x, y *Committed) int { return x.Key.Compare(y.Key) })
	b.outOfOrder += b.pendingOutOfOrder
	b.pendingOutOfOrder = 0
	b.reset()
	return out
}

func (b *Buffer) commit(o *open) *Committed {
	key := o.end.Key
	if last := len(o.entries) - 1; last >= 0 {
		c := &o.entries[last].change
		if key.Thread == 0 {
			key.Thread = c.Thread // R29
		}
		if key.Address.IsZero() {
			key.Address = c.Address // R13
		}
	}
	var first Change
	if len(o.entries) > 0 {
		first = o.entries[0].change
	}
	lead(o.entries)
	return &Committed{
		ID: o.id, Key: key, Millis: o.end.Millis, User: o.state.user, First: o.first, startSCN: first.SCN, startMillis: first.Millis,
		entries: o.entries, fault: o.state.fault, bytes: o.state.bytes, used: &b.used,
	}
}

// lead puts what consumers are told of DDL in front of the rows of its own transaction, which have the layout behind it already.
func lead(entries []entry) {
	if slices.ContainsFunc(entries, func(e entry) bool { return e.change.Op == Define }) {
		slices.SortStableFunc(entries, func(x, y entry) int { return cmp.Compare(x.rank(), y.rank()) })
	}
}

func (b *Buffer) drop(o *open) {
	delete(b.open, o.id)
	s := slotOf(o.id)
	if b.slots[s] == o {
		if b.slots[s] = o.older; o.older == nil {
			delete(b.slots, s)
		}
		return
	}
	for young := b.slots[s]; young != nil; young = young.older {
		if young.older == o {
			young.older = o.older
		}
	}
}

func (b *Buffer) reset() {
	clear(b.touched)
	clear(b.ends)
	b.touched, b.ends = b.touched[:0], b.ends[:0]
}

// Floor returns the component-wise minimum of the boundaries that open transactions hold, and the transaction that holds
// the lowest SCN; ok is false when none is open.
func (b *Buffer) Floor() (floor position.Boundary, holder ID, ok bool) {
	for id, o := range b.open {
		switch {
		case !ok:
			floor, holder, ok = o.first, id, true
			continue
		case o.first.SCN < floor.SCN:
			holder = id
		}
		floor = position.Min(floor, o.first)
	}
	return floor, holder, ok
}

// OldestMillis is the time of the first captured row of the oldest open transaction in milliseconds since the epoch; 0 when there is
// none, or its redo has no time.
func (b *Buffer) OldestMillis() int64 {
	oldest := int64(0)
	for _, o := range b.open {
		if len(o.entries) == 0 {
			continue
		}
		if at := o.entries[0].change.Millis; at > 0 && (oldest == 0 || at < oldest) {
			oldest = at
		}
	}
	return oldest
}

// Open counts the open transactions with captured rows.
func (b *Buffer) Open() int { return len(b.open) }

// OutOfOrder counts undo rows that were not matched on top of the stack (R113).
func (b *Buffer) OutOfOrder() int64 { return b.outOfOrder }

// Used returns the memory that staged rows, open and unreleased committed transactions take.
func (b *Buffer) Used() int64 { return b.used.Load() }

// Over reports whether the budget is exceeded.
func (b *Buffer) Over() bool { return b.used.Load() > b.budget }

// Exhausted makes the typed stop that names the ten largest open transactions.
func (b *Buffer) Exhausted() *stop.Error {
	all := make([]*open, 0, len(b.open))
	for _, o := range b.open {
		all = append(all, o)
	}
	slices.SortFunc(all, func(x, y *open) int {
		return cmp.Or(cmp.Compare(y.state.bytes, x.state.bytes), cmp.Compare(x.id.XID.String(), y.id.XID.String()))
	})
	names := make([]string, 0, 10)
	for _, o := range all[:min(10, len(all))] {
		names = append(names, fmt.Sprintf("%s in container %d (%d rows, %d bytes)", o.id.XID, o.id.Container, len(o.entries), o.state.bytes))
	}
	return stop.New(stop.BufferFull, "largest transactions: "+strings.Join(names, ", "),
		"staged rows take %d bytes, the budget is %d", b.used.Load(), b.budget)
}
