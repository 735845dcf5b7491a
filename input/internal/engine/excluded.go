package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// excluded are the transactions of database users that never enter (R105). Whose one is, is what its START row says, and nothing else:
// LogMiner knows the user of other rows only where it has read the START in the same query (K5), so that what they say depends on the
// step. One that is not here is delivered, whoever's it may be: its START lies before anybody asked to exclude its user.
type excluded struct {
	users map[string]bool
	// before is the boundary that the running step begins at.
	before position.Boundary
	// of has those that have not ended, slots the same by undo segment and slot.
	of    map[transaction.ID]*barred
	slots map[undoSlot][]*barred
	// touched are those whose state the running step changed.
	touched []*barred
	// all are those that were open when the last group was handed over, and those that began since, ended or not, the oldest first.
	all []*barred
	// handed is how many of all were open then.
	handed int
	// lately ended in the last step, or are given up since their slot was used again: a row of theirs may come late (R8).
	lately map[transaction.ID]bool
	// emitted are the transactions that came out of the last step.
	emitted map[transaction.ID]bool
	// limit bounds the ledger.
	limit int
}

// barred is an excluded transaction.
type barred struct {
	excludedEntry
	id transaction.ID
	// fresh ones began in the running step; lifted ones were in a position, and their START, mined again, has a user that is not excluded
	// any more. ended: the end was delivered, at end.
	fresh, lifted, ended bool
	end                  position.Key
	// gone ones ended in a verified step.
	gone bool
	// reused counts steps since the START of another transaction in the slot.
	reused int
	// touched: it is among those of the running step.
	touched bool
	// hit: a captured row of it was dropped; hits are those of the running step.
	hit  bool
	hits int64
}

// excludedEntry is what says whether positions name it. It is not changed once it is in a group.
type excludedEntry struct {
	position.Excluded
	// first is the boundary before the step that delivered its START. always: that lies inside region(first) all the same.
	first  position.Boundary
	always bool
}

// needed reports whether a restart at a boundary would not see its START again.
func (e *excludedEntry) needed(resume position.Boundary) bool {
	return e.Began <= resume.SCN && (e.always || !resume.Within(e.first))
}

// holds is the highest boundary at which a restart sees its START again.
func (e *excludedEntry) holds() position.Boundary {
	if !e.always {
		return e.first
	}
	return position.Boundary{SCN: min(e.first.SCN, e.Began-1), Marks: e.first.Marks}
}

// undoSlot is where only one transaction is open at a time.
type undoSlot struct {
	container int
	usn, slot uint16
}

func undoSlotOf(id transaction.ID) undoSlot { return undoSlot{id.Container, id.XID.USN, id.XID.Slot} }

func newExcluded(users []string) excluded {
	x := excluded{
		users: map[string]bool{}, of: map[transaction.ID]*barred{}, slots: map[undoSlot][]*barred{}, lately: map[transaction.ID]bool{},
		emitted: map[transaction.ID]bool{}, limit: position.MaxExcluded,
	}
	for _, u := range users {
		x.users[u] = true
	}
	return x
}

// recall takes the ledger of a position.
func (x *excluded) recall(ledger []position.Excluded) {
	for _, e := range ledger {
		b := &barred{excludedEntry: excludedEntry{Excluded: e, always: true}, id: transaction.ID(e.Transaction)}
		x.put(b)
		x.all = append(x.all, b)
	}
	x.handed = len(x.all)
}

func (x *excluded) put(b *barred) {
	x.of[b.id] = b
	s := undoSlotOf(b.id)
	x.slots[s] = append(x.slots[s], b)
}

func (x *excluded) take(b *barred) {
	delete(x.of, b.id)
	s := undoSlotOf(b.id)
	left := slices.DeleteFunc(x.slots[s], func(o *barred) bool { return o == b })
	if x.slots[s] = left; len(left) == 0 {
		delete(x.slots, s)
	}
}

// begin prepares for a step, and forgets what one that failed had found.
func (x *excluded) begin(before position.Boundary) {
	x.before = before
	for _, b := range x.touched {
		if b.fresh {
			x.take(b)
		}
		b.lifted, b.ended, b.touched, b.hits = false, false, false, 0
		if b.reused == 1 {
			b.reused = 0
		}
	}
	x.touched = x.touched[:0]
}

func (x *excluded) touch(b *barred) *barred {
	if !b.touched {
		b.touched = true
		x.touched = append(x.touched, b)
	}
	return b
}

// idle reports that nothing is, or will be, excluded.
func (x *excluded) idle() bool { return len(x.users) == 0 && len(x.of) == 0 && len(x.lately) == 0 }

// start takes a START row, which says whose its transaction is.
func (x *excluded) start(id transaction.ID, r *logminer.Row) error {
	switch {
	case x.idle(), id.XID.IsZero(), id.XID.IsPartial():
		return nil // of such an id no row can be told to be the transaction's (R13)
	case r.Address.IsZero() && r.SCN <= x.before.SCN:
		return nil // it comes with every step, also when the transaction has ended (R13)
	}
	for _, b := range x.slots[undoSlotOf(id)] {
		if b.id != id && b.Began < r.SCN && b.reused == 0 {
			x.touch(b).reused = 1 // it has ended, whether its end is delivered or not (R62)
		}
	}
	is, known := x.users[r.User], x.of[id]
	switch {
	case known != nil && !is:
		x.touch(known).lifted = true
	case known != nil:
		known.lifted = false
	case is && r.Late && x.emitted[id]:
		return tooLate(r, "the START of transaction "+id.XID.String()+", whose user is excluded and which came out,")
	case is:
		x.put(x.touch(&barred{
			excludedEntry: excludedEntry{Excluded: position.Excluded{Transaction: position.Transaction(id), Began: r.SCN}, first: x.before, always: r.Late},
			id:            id, fresh: true,
		}))
	}
	return nil
}

// has reports an excluded transaction, also one whose end was delivered before this row of it.
func (x *excluded) has(id transaction.ID) bool {
	if x.idle() {
		return false
	}
	if b := x.of[id]; b != nil {
		return !b.lifted
	}
	return x.lately[id]
}

// drop counts a row of a captured table that is dropped.
func (x *excluded) drop(id transaction.ID) {
	if b := x.of[id]; b != nil {
		x.touch(b).hits++
	}
}

// resolve finds the excluded transaction that the partial XID of a row at an SCN stands for (R117).
func (x *excluded) resolve(id transaction.ID, scn position.SCN) (transaction.ID, bool) {
	var youngest *barred
	for _, b := range x.slots[undoSlotOf(id)] {
		if !b.ended && !b.lifted && b.Began <= scn && (youngest == nil || b.id.XID.Sequence > youngest.id.XID.Sequence) {
			youngest = b
		}
	}
	if youngest == nil {
		return transaction.ID{}, false
	}
	return youngest.id, true
}

// finish takes the end of a transaction in the running step.
func (x *excluded) finish(id transaction.ID, at position.Key) {
	if b := x.of[id]; b != nil && !b.ended {
		x.touch(b).ended, b.end = true, at
	}
}

// verified makes what the running step found permanent. It gives the rows of captured tables that were dropped, and the number of
// transactions that had their first one.
func (x *excluded) verified() (rows int64, transactions int) {
	clear(x.lately)
	for _, b := range x.touched {
		rows += b.hits
		if b.hits > 0 && !b.hit {
			b.hit = true
			transactions++
		}
		b.hits, b.touched = 0, false
		if b.fresh {
			b.fresh = false
			x.all = append(x.all, b)
		}
		switch {
		case b.lifted:
			x.take(b)
			b.gone = true
		case b.ended:
			x.take(b)
			b.gone = true
			x.lately[b.id] = true
		}
	}
	x.touched = x.touched[:0]
	for _, b := range x.all {
		if b.gone || b.reused == 0 {
			continue
		}
		if b.reused++; b.reused > 2 { // its end, or a row of it, may have come one step late
			x.take(b)
			b.gone, b.end = true, position.Key{SCN: position.Unlimited}
			x.lately[b.id] = true
		}
	}
	return rows, transactions
}

// came notes what came out of a step.
func (x *excluded) came(items []*transaction.Committed) {
	if len(x.users) == 0 {
		return
	}
	clear(x.emitted)
	for _, item := range items {
		x.emitted[item.ID] = true
	}
}

// spare takes the changes of excluded transactions out of what committed, but for what consumers are told of DDL, which is followed whoever
// ran it. There are such changes where LogMiner returned the START behind them.
func (x *excluded) spare(items []*transaction.Committed) []*transaction.Committed {
	if x.idle() {
		return items
	}
	out := items[:0]
	for _, item := range items {
		if x.has(item.ID) {
			item.Withhold(func(c *transaction.Change) bool { return c.Op != transaction.Define })
			if item.Len() == 0 && item.Fault() == nil {
				item.Release()
				continue
			}
		}
		out = append(out, item)
	}
	return out
}

// floor lowers a boundary to where the ledger is not longer than it may be: those beyond its bound hold the position, so that their
// START is mined again. It gives the oldest of them.
func (x *excluded) floor(b position.Boundary) (position.Boundary, *barred) {
	if len(x.all) <= x.limit {
		return b, nil
	}
	for _, held := range x.all[x.limit:] {
		b = position.Min(b, held.holds())
	}
	return b, x.all[x.limit]
}

// began gives those that began since the last group was handed over, ended or not.
func (x *excluded) began() []excludedEntry { return entriesOf(x.all[x.handed:]) }

// open gives those that have not ended inside a boundary; all of what has not ended lies outside of it.
func (x *excluded) open(inside position.Boundary) []excludedEntry {
	return entriesOf(slices.DeleteFunc(slices.Clone(x.all), func(b *barred) bool {
		return b.gone && inside.Covers(b.end.SCN, b.end.Thread, b.end.Address)
	}))
}

// unended gives those that have not ended, once a group that ends here is handed over.
func (x *excluded) unended() []excludedEntry {
	x.all = slices.DeleteFunc(x.all, func(b *barred) bool { return b.gone })
	x.handed = len(x.all)
	return entriesOf(x.all)
}

func entriesOf(all []*barred) []excludedEntry {
	if len(all) == 0 {
		return nil
	}
	out := make([]excludedEntry, len(all))
	for i, b := range all {
		out[i] = b.excludedEntry
	}
	return out
}

// ledgerOf gives what a position with this resume says of excluded transactions.
func ledgerOf(entries []excludedEntry, resume position.Boundary) []position.Excluded {
	var out []position.Excluded
	for i := range entries {
		if entries[i].needed(resume) {
			out = append(out, entries[i].Excluded)
		}
	}
	slices.SortFunc(out, func(a, b position.Excluded) int { return a.Compare(b.Transaction) })
	return slices.CompactFunc(out, func(a, b position.Excluded) bool { return a.Transaction == b.Transaction })
}
