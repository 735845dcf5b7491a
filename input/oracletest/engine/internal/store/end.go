package store

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Commit ends the transaction. Without a change in the redo it writes nothing.
func (tx *Tx) Commit(ctx context.Context) error {
	s := tx.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if tx.ended {
		return nil
	}
	if tx.started {
		rec := &redo.Record{XID: tx.xid, Container: tx.space.container, Origin: tx.origin, Op: redo.Commit}
		if err := s.log.Append(context.WithoutCancel(ctx), rec); err != nil {
			return err
		}
		tx.commit = rec.SCN
		s.lastCommit = rec.SCN
		s.moments.note(s.now(), rec.SCN)
		tx.retireKeys()
		tx.pack()
		s.remember(tx)
	}
	tx.end()
	return nil
}

// retireKeys notes in the indexes which keys the transaction took from rows.
func (tx *Tx) retireKeys() {
	for i := range tx.changes {
		c := &tx.changes[i]
		if c.op == redo.Insert {
			continue
		}
		for v := c.row.head; v != nil; v = v.prev {
			for _, x := range c.table.indexes {
				x.retire(v.row(), c.row, tx.commit)
			}
			if v.tx != tx {
				break
			}
		}
	}
}

// pack makes small what the transaction wrote into large tables.
func (tx *Tx) pack() {
	for i := range tx.changes {
		c := &tx.changes[i]
		if c.table.rows.Len() <= packAbove {
			continue
		}
		for v := c.row.head; v != nil && v.tx == tx; v = v.prev {
			v.pack()
		}
	}
}

// Rollback undoes everything and ends the transaction.
func (tx *Tx) Rollback() error {
	s := tx.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if tx.ended {
		return nil
	}
	err := tx.undoTo(Mark{})
	if err == nil && tx.started {
		err = s.log.Append(context.Background(), &redo.Record{XID: tx.xid, Container: tx.space.container, Origin: tx.origin, Op: redo.Rollback})
	}
	tx.end()
	return err
}

// RollbackTo undoes what came after a mark and gives its locks back; whoever waits goes on waiting for the end, as in Oracle.
func (tx *Tx) RollbackTo(m Mark) error {
	tx.store.mu.Lock()
	defer tx.store.mu.Unlock()
	return tx.undoTo(m)
}

// undoTo undoes newest first, with one undo record for every change (reference logminer F.1).
func (tx *Tx) undoTo(m Mark) error {
	ctx := context.Background()
	err := tx.flush(ctx)
	for len(tx.changes) > m.changes {
		c := &tx.changes[len(tx.changes)-1]
		if rec := c.undo(); !c.unlogged {
			tx.record(rec)
		}
		tx.changes = tx.changes[:len(tx.changes)-1]
		if len(tx.pending) >= batch {
			err = firstError(err, tx.flush(ctx))
		}
	}
	for _, r := range tx.locks[m.locks:] {
		if r.holder == tx {
			r.holder = nil
		}
	}
	clear(tx.locks[m.locks:])
	tx.locks = tx.locks[:m.locks]
	return firstError(err, tx.flush(ctx))
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// undo takes the change back and returns its undo record: the inverse operation, an update with the old values of its SET
// columns and no before image.
func (c *change) undo() *redo.Record {
	t, r := c.table, c.row
	now := r.head
	for i, x := range t.indexes {
		if c.added&(1<<i) != 0 {
			x.remove(now.row(), r)
		}
	}
	r.head = now.prev
	rec := t.at(&redo.Record{Undo: true}, r)
	switch c.op {
	case redo.Insert:
		rec.Op = redo.Delete
		if r.head == nil {
			t.rows.Delete(r.id)
		}
		r.heap.free.Insert(r.id)
	case redo.Delete:
		rec.Op = redo.Insert
		rec.AfterSet = allColumns(r.head.row())
		rec.After = emptied(t.layout, r.head.stored(), rec.AfterSet, true)
	default:
		rec.Op = redo.Update
		// EMPTY_CLOB() there does not mean that the LOB became empty (reference logminer E.3).
		set := append(slices.Clip(c.set), make([]bool, len(t.layout.Columns)-len(c.set))...) // columns may have come since (K7)
		rec.After, rec.AfterSet = emptied(t.layout, onlySet(r.head.stored(), set), set, false), set
	}
	return rec
}

// onlySet leaves NULL in the columns that the redo does not hold, so that nobody reads there by mistake.
func onlySet(values []datum.Datum, set []bool) []datum.Datum {
	out := make([]datum.Datum, len(values))
	for i := range set {
		if set[i] {
			out[i] = values[i]
		}
	}
	return out
}

// end releases everything the transaction holds. Rows keep pointing to it as holder, which holds nothing from now on.
func (tx *Tx) end() {
	tx.ended = true
	tx.changes, tx.locks, tx.pending = nil, nil, nil
	tx.space.undo.release(tx.xid)
	delete(tx.space.active, tx)
	close(tx.done)
}
