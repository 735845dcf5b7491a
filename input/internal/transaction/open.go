package transaction

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// open is a transaction with at least one captured row whose end was not seen in a verified step.
type open struct {
	id ID
	// begin is the SCN of its first row here.
	begin position.SCN
	// fresh: the running step opened it.
	fresh bool
	// first is the boundary before the step that delivered the first captured row: what the transaction holds back (R52).
	first   position.Boundary
	entries []entry
	state   state

	// saved is the state before the running step, valid while touched.
	saved   state
	touched bool
	// replaced are changes that the running step replaced.
	replaced []replaced
	// end is the COMMIT or ROLLBACK row of the running step, if it ended.
	end   End
	ended bool
	// older is the transaction that was opened before on the same undo segment and slot, and is still open.
	older *open
}

// replaced is what a change was before.
type replaced struct {
	at  int
	was Change
}

// state is everything about a transaction that a failed step must put back.
type state struct {
	length int
	top    int32
	// highest is the greatest SCN of a forward row so far (R14).
	highest position.SCN
	bytes   int64
	// fault marks the transaction as a whole: an undo without partner, a broken order.
	fault *stop.Error
	user  string
}

// surviving returns the newest change that no undo took back, at or below an entry.
func (o *open) surviving(at int32) int32 {
	for at >= 0 && (o.entries[at].undone || o.entries[at].undoes != none) {
		at = o.entries[at].below
	}
	return at
}

func (o *open) push(c Change) int64 {
	if c.SCN < o.state.highest && o.state.fault == nil {
		o.state.fault = stop.New(stop.Corrupt, "transaction "+o.id.XID.String(),
			"a change at SCN %s arrived after one at SCN %s of the same transaction (R14)", c.SCN, o.state.highest)
	}
	o.state.highest = max(o.state.highest, c.SCN)
	o.entries = append(o.entries, entry{change: c, below: o.state.top, undoes: none})
	o.state.top = int32(len(o.entries) - 1) //nolint:gosec // 2^31 entries exceed any budget
	return o.grew()
}

// replace changes the entry at the same place of the redo, and keeps what it was for a step that fails.
func (o *open) replace(c Change) (grown int64, ok bool) {
	for at := range o.entries {
		e := &o.entries[at]
		was := &e.change
		if e.undoes != none || was.Thread != c.Thread || was.Address != c.Address || was.SSN != c.SSN || was.Op != c.Op {
			continue
		}
		grown = -e.size()
		o.replaced = append(o.replaced, replaced{at, *was})
		*was = c
		grown += e.size()
		o.state.bytes += grown
		return grown, true
	}
	return 0, false
}

func (o *open) grew() int64 {
	n := o.entries[len(o.entries)-1].size()
	o.state.bytes += n
	o.state.length = len(o.entries)
	return n
}

// undo applies an undo row: the top of the stack first (R112), else a change of the top's redo record (array DML), else the
// newest change of the same table and ROWID (R113), else the transaction is marked. It reports the memory it took and
// whether the match was on top.
func (o *open) undo(u Undo) (grown int64, onTop bool) {
	top := o.surviving(o.state.top)
	target, onTop := o.match(u, top)
	e := entry{
		change: Change{Op: u.Op, RowID: u.RowID, SCN: u.SCN, Thread: u.Thread, Address: u.Address},
		below:  o.state.top, undoes: target,
	}
	if target >= 0 {
		o.entries[target].undone = true
	} else if o.state.fault == nil && !u.Missed {
		o.state.fault = stop.New(stop.UndoUnmatched, "transaction "+o.id.XID.String()+", table "+u.Table.String(),
			"an undo row at redo address %s has no change to take back", u.Address)
	}
	o.entries = append(o.entries, e)
	o.state.top = o.surviving(top)
	return o.grew(), onTop
}

func (o *open) match(u Undo, top int32) (target int32, onTop bool) {
	if top < 0 {
		return unmatched, false
	}
	if o.fits(u, top) {
		return top, true
	}
	address, thread := o.entries[top].change.Address, o.entries[top].change.Thread
	for at := top; at >= 0; at = o.surviving(o.entries[at].below) {
		c := &o.entries[at].change
		if c.Address != address || c.Thread != thread {
			break
		}
		if u.RowID != "" && o.fits(u, at) {
			return at, true // array DML shares RS_ID: chosen by ROWID
		}
	}
	if u.RowID == "" {
		return unmatched, false
	}
	for at := top; at >= 0; at = o.surviving(o.entries[at].below) {
		if c := &o.entries[at].change; c.RowID == u.RowID && o.fits(u, at) {
			return at, false
		}
	}
	return unmatched, false
}

// fits reports whether the undo row can take back an entry: inverse operation, same table, same ROWID where both have one.
func (o *open) fits(u Undo, at int32) bool {
	c := &o.entries[at].change
	if c.Version == nil || c.Version.Table != u.Table {
		return false
	}
	if c.Op != Unsupported && !u.Op.reverses(c.Op) {
		return false
	}
	return c.RowID == "" || u.RowID == "" || c.RowID == u.RowID
}

// cut puts the state before the running step back and returns the memory that gave free.
func (o *open) cut() int64 {
	for at := len(o.entries) - 1; at >= o.saved.length; at-- {
		if target := o.entries[at].undoes; target >= 0 {
			o.entries[target].undone = false
		}
		o.entries[at] = entry{}
	}
	for i := len(o.replaced) - 1; i >= 0; i-- {
		o.entries[o.replaced[i].at].change = o.replaced[i].was
	}
	o.replaced = nil
	freed := o.state.bytes - o.saved.bytes
	o.entries = o.entries[:o.saved.length]
	o.state = o.saved
	o.ended, o.touched = false, false
	return freed
}
