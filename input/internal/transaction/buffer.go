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
	slots  map[slot]ID
	before position.Boundary
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
	return &Buffer{budget: budget, open: map[ID]*open{}, slots: map[slot]ID{}}
}

// Begin starts a step that mines what lies outside region(before).
func (b *Buffer) Begin(before position.Boundary) {
	b.before = before
}

// Append adds a forward change to its transaction.
func (b *Buffer) Append(id ID, user string, c Change) {
	o := b.touch(id)
	if user != "" {
		o.state.user = user
	}
	b.used.Add(o.push(c))
}

// Undo applies an undo row. A transaction that has no captured row yet is marked: its change was never seen.
func (b *Buffer) Undo(id ID, u Undo) {
	grown, onTop := b.touch(id).undo(u)
	b.used.Add(grown)
	if !onTop {
		b.pendingOutOfOrder++
	}
}

// Fault marks a transaction as a whole; the first mark stands. A transaction without captured rows is opened by it.
func (b *Buffer) Fault(id ID, fault *stop.Error) {
	o := b.touch(id)
	if o.state.fault == nil {
		o.state.fault = fault
	}
}

// End records the COMMIT or ROLLBACK row of a transaction; it takes effect in Keep. Transactions without captured rows
// have no effect.
func (b *Buffer) End(id ID, end End) {
	o, ok := b.open[id]
	if !ok || o.end != nil {
		return
	}
	o.end = &end
	b.save(o)
	b.ends = append(b.ends, o)
}

// Resolve finds the transaction that a partial XID stands for: the one open at this point on the same container, undo
// segment and slot (R117).
func (b *Buffer) Resolve(id ID) (ID, bool) {
	full, ok := b.slots[slotOf(id)]
	if !ok {
		return ID{}, false
	}
	o, ok := b.open[full]
	return full, ok && o.end == nil
}

// touch finds or opens a transaction and saves its state before the first change of the step.
func (b *Buffer) touch(id ID) *open {
	o, ok := b.open[id]
	if !ok {
		o = &open{id: id, first: b.before, state: state{top: none}}
		b.open[id] = o
		b.slots[slotOf(id)] = id
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
		if len(o.entries) == 0 && o.state.fault == nil {
			b.drop(o)
		}
	}
	b.reset()
	b.pendingOutOfOrder = 0
}

// Keep makes the step permanent. It returns the committed transactions that changed captured rows, in order of their keys (R19).
func (b *Buffer) Keep() []*Committed {
	for _, o := range b.touched {
		o.touched = false
	}
	var out []*Committed
	for _, o := range b.ends {
		b.drop(o)
		if !o.end.Commit {
			b.used.Add(-o.state.bytes)
			continue
		}
		out = append(out, b.commit(o))
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
	return &Committed{
		ID: o.id, Key: key, Millis: o.end.Millis, User: o.state.user, First: o.first,
		entries: o.entries, fault: o.state.fault, bytes: o.state.bytes, used: &b.used,
	}
}

func (b *Buffer) drop(o *open) {
	delete(b.open, o.id)
	if b.slots[slotOf(o.id)] == o.id {
		delete(b.slots, slotOf(o.id))
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
