package store

import (
	"context"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Tx is a transaction: it exists from its first lock or change. One goroutine at a time uses it.
type Tx struct {
	store  *Store
	space  *space
	xid    redo.XID
	origin redo.Origin

	// The fields below are guarded by the store's lock.
	sequence  uint32 // of the newest change
	changes   []change
	locks     []*Row
	pending   []*redo.Record // of one operation, written before the lock is given away
	started   bool           // START is in the redo
	startSCN  redo.SCN
	startTime time.Time
	commit    redo.SCN
	// loading: what is changed leaves no redo.
	loading bool
	ended   bool
	done    chan struct{}
	waiting *Tx
}

// change is what a rollback must undo.
type change struct {
	op    redo.Op
	table *Table
	row   *Row
	set   []bool // of an update
	added uint64 // indexes that the change added its key to, by bit
	// unlogged: neither it nor its undo is in the redo.
	unlogged bool
}

// Mark is a point that a transaction can return to.
type Mark struct{ changes, locks int }

// Begin starts a transaction.
func (s *Store) Begin(container int, origin redo.Origin) *Tx {
	s.mu.Lock()
	defer s.mu.Unlock()
	sp := s.spaces[container]
	tx := &Tx{store: s, space: sp, origin: origin, done: make(chan struct{}), xid: sp.undo.take(), startTime: s.now()}
	sp.active[tx] = struct{}{}
	return tx
}

func (tx *Tx) active() bool { return !tx.ended }

// XID is the transaction's id.
func (tx *Tx) XID() redo.XID { return tx.xid }

// Mark returns the present point.
func (tx *Tx) Mark() Mark {
	tx.store.mu.RLock()
	defer tx.store.mu.RUnlock()
	return Mark{changes: len(tx.changes), locks: len(tx.locks)}
}

// Info describes an open transaction.
type Info struct {
	Container int
	XID       redo.XID
	StartSCN  redo.SCN
	StartTime time.Time
	Origin    redo.Origin
}

// Transactions lists the open transactions that have changed something.
func (s *Store) Transactions() []Info {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []Info
	for _, sp := range s.spaces {
		for tx := range sp.active {
			if tx.started {
				list = append(list, Info{Container: sp.container, XID: tx.xid, StartSCN: tx.startSCN, StartTime: tx.startTime, Origin: tx.origin})
			}
		}
	}
	return list
}

// record queues the redo record of a change; START comes with the first.
func (tx *Tx) record(r *redo.Record) {
	r.XID, r.Container, r.Origin = tx.xid, tx.space.container, tx.origin
	r.Unlogged = tx.store.logging == (Logging{}) // any level implies the minimal one
	if !tx.started {
		tx.started = true
		tx.pending = append(tx.pending, &redo.Record{XID: tx.xid, Container: r.Container, Origin: tx.origin, Op: redo.Start})
		r.Shared = !tx.loading // START and first change share their redo record (reference logminer O, scene 1)
	}
	if !tx.loading {
		tx.pending = append(tx.pending, r)
	}
}

// flush writes what is queued. It must come before the store's lock is given away. A cancelled caller does not stop it: a
// change that is in the table must be in the redo.
func (tx *Tx) flush(ctx context.Context) error {
	if len(tx.pending) == 0 {
		return nil
	}
	recs := tx.pending
	tx.pending = nil
	if err := tx.store.log.Append(context.WithoutCancel(ctx), recs...); err != nil {
		return err
	}
	if tx.startSCN == 0 {
		tx.startSCN = recs[0].SCN
	}
	return nil
}

// wait gives the lock away until other has ended. A circle of waiting transactions is ORA-00060.
func (s *Store) wait(ctx context.Context, tx, other *Tx) error {
	for w := other; w != nil; w = w.waiting {
		if w == tx {
			return wire.Errorf(60, "deadlock detected while waiting for resource")
		}
	}
	tx.waiting = other
	s.mu.Unlock()
	var err error
	select {
	case <-other.done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.mu.Lock()
	tx.waiting = nil
	return err
}

// Lock takes the lock of a row, waiting for whoever holds it, and returns the row as it is now; ok is false when it is
// deleted. The caller compares with what its view showed. With noWait a held row is ORA-00054.
func (tx *Tx) Lock(ctx context.Context, r *Row, noWait bool) (now Found, ok bool, err error) {
	s := tx.store
	s.mu.Lock()
	defer s.mu.Unlock()
	for r.holder != tx {
		if r.holder == nil || !r.holder.active() {
			r.holder = tx
			tx.locks = append(tx.locks, r)
			break
		}
		if noWait {
			return Found{}, false, errBusy()
		}
		if err := s.wait(ctx, tx, r.holder); err != nil {
			return Found{}, false, err
		}
	}
	if r.head == nil || r.head.gone() {
		return Found{}, false, nil
	}
	return found(r, r.head), true, nil
}

// Same reports whether two readings of a row show the same version.
func (f Found) Same(g Found) bool {
	return f.Row == g.Row && f.of == g.of
}

// Insert adds rows. It stops at the first that violates a unique key, with that row undone (its INSERT and the undo of it are in
// the redo, reference logminer O scene 2), and returns the rows that are in. Rows of one call that lie in one block
// share their redo record, as an array insert does.
func (tx *Tx) Insert(ctx context.Context, t *Table, layout *catalog.Table, rows [][]datum.Datum) (inserted []*Row, err error) {
	s := tx.store
	s.mu.Lock()
	defer s.mu.Unlock()
	inserted = make([]*Row, 0, len(rows))
	for _, values := range rows {
		if err := t.check(layout); err != nil {
			return inserted, err
		}
		mark := Mark{changes: len(tx.changes), locks: len(tx.locks)}
		h, err := tx.heapFor(ctx, t, values)
		if err != nil {
			return inserted, firstError(tx.flush(ctx), err)
		}
		r := tx.insertRow(t, h, values)
		if err := tx.unique(ctx, t, r); err != nil {
			return inserted, tx.giveUp(mark, err)
		}
		inserted = append(inserted, r)
	}
	return inserted, tx.flush(ctx)
}

// giveUp undoes to a mark after err; the undo must not fail with the context that may have caused err.
func (tx *Tx) giveUp(mark Mark, err error) error {
	if undoErr := tx.undoTo(mark); undoErr != nil {
		return undoErr
	}
	return err
}

func (tx *Tx) insertRow(t *Table, h *heap, values []datum.Datum) *Row {
	return tx.insertAt(t, h, h.slot(), values)
}

// insertAt inserts a row at a place, where one may have been: who looks at the past sees that one.
func (tx *Tx) insertAt(t *Table, h *heap, id uint64, values []datum.Datum) *Row {
	r, ok := t.rows.Get(id)
	if !ok {
		r = &Row{id: id, heap: h}
	}
	r.holder = tx
	tx.locks = append(tx.locks, r)
	tx.push(t, r, change{op: redo.Insert}, values)
	t.rows.Set(r.id, r)
	if lobs := lobColumns(t.layout); lobs != nil {
		tx.insertLOBs(t, r, values, lobs)
		return r
	}
	rec := t.at(&redo.Record{Op: redo.Insert, After: values, AfterSet: allColumns(values)}, r)
	if n := len(tx.changes); n > 1 && len(tx.pending) > 0 {
		before := &tx.changes[n-2]
		rec.Shared = before.op == redo.Insert && before.table == t && before.row.id>>16 == r.id>>16
	}
	tx.record(rec)
	return r
}

func allColumns(values []datum.Datum) []bool {
	set := make([]bool, len(values))
	for i := range set {
		set[i] = true
	}
	return set
}

// push puts a new version on a row, into the indexes and on the undo stack.
func (tx *Tx) push(t *Table, r *Row, c change, values []datum.Datum) {
	tx.sequence++
	r.head = &version{tx: tx, sequence: tx.sequence, cells: values, prev: r.head}
	c.table, c.row, c.unlogged = t, r, tx.loading
	for i, x := range t.indexes {
		if x.add(values, r) {
			c.added |= 1 << i
		}
	}
	tx.changes = append(tx.changes, c)
}

// unique checks the keys of a changed row against all others, waiting for those in change.
func (tx *Tx) unique(ctx context.Context, t *Table, r *Row) error {
	for _, x := range t.indexes {
		for {
			duplicate, wait := x.conflict(r, tx)
			if duplicate {
				return wire.Errorf(1, "unique constraint (%s.%s) violated", t.layout.Owner, x.name)
			}
			if wait == nil {
				break
			}
			if err := tx.flush(ctx); err != nil {
				return err
			}
			if err := tx.store.wait(ctx, tx, wait); err != nil {
				return err
			}
		}
	}
	return nil
}

// Update changes a row that tx has locked. set are the columns of the SET clause. Unique keys are checked by CheckUnique at the end
// of the statement. A row whose partition changes is deleted and inserted; the row that is there then is returned.
func (tx *Tx) Update(ctx context.Context, t *Table, layout *catalog.Table, r *Row, values []datum.Datum, set []bool) (*Row, error) {
	s := tx.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := t.check(layout); err != nil {
		return nil, err
	}
	h, err := tx.heapFor(ctx, t, values)
	switch {
	case err != nil:
		return nil, firstError(tx.flush(ctx), err)
	case h == r.heap:
		tx.updateRow(t, r, values, set)
	case !t.layout.RowMovement:
		return nil, wire.Errorf(14402, "updating partition key column would cause a partition change")
	default:
		tx.deleteRow(t, r)
		r = tx.insertRow(t, h, values)
	}
	return r, tx.flush(ctx)
}

func (tx *Tx) updateRow(t *Table, r *Row, values []datum.Datum, set []bool) {
	s := tx.store
	before, absent := r.head.row(), r.head.absent
	stored := r.head.stored()
	tx.push(t, r, change{op: redo.Update, set: set}, values)
	r.head.absent = without(absent, set)
	logged := s.loggedColumns(t.layout, set, before, values)
	lobs := lobColumns(t.layout)
	plain := without(set, lobs)
	if lobs == nil || anySet(plain) {
		tx.record(t.at(&redo.Record{
			Op: redo.Update, Before: onlySet(stored, logged), BeforeSet: logged, After: onlySet(values, plain), AfterSet: plain,
		}, r))
	}
	if lobs != nil && anySet(both(set, lobs)) {
		// A plain column and a LOB give two rows, the second with the new plain value (reference logminer E.2).
		tx.updateLOBs(t, r, values, both(set, lobs), logged)
	}
}

// Delete removes a row that tx has locked.
func (tx *Tx) Delete(ctx context.Context, t *Table, layout *catalog.Table, r *Row) error {
	s := tx.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := t.check(layout); err != nil {
		return err
	}
	tx.deleteRow(t, r)
	return tx.flush(ctx)
}

func (tx *Tx) deleteRow(t *Table, r *Row) {
	before := r.head.stored()
	tx.push(t, r, change{op: redo.Delete}, nil)
	rec := t.at(&redo.Record{Op: redo.Delete, Before: before, BeforeSet: allColumns(before)}, r)
	if lobs := lobColumns(t.layout); lobs != nil { // they are in no WHERE (reference logminer D.3)
		rec.BeforeSet = without(rec.BeforeSet, lobs)
		rec.Before = onlySet(before, rec.BeforeSet)
	}
	tx.record(rec)
}

// CheckUnique checks the keys of updated rows.
func (tx *Tx) CheckUnique(ctx context.Context, t *Table, rows []*Row) error {
	tx.store.mu.Lock()
	defer tx.store.mu.Unlock()
	for _, r := range rows {
		if err := tx.unique(ctx, t, r); err != nil {
			return err
		}
	}
	return nil
}

// Waiting counts the transactions that wait for another.
func (s *Store) Waiting() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for _, sp := range s.spaces {
		for tx := range sp.active {
			if tx.waiting != nil {
				n++
			}
		}
	}
	return n
}
