package store

import (
	"context"
)

// Shrink moves rows from the end of every segment into places in front that hold no row, as ALTER TABLE SHRINK SPACE does: each is deleted
// and inserted in one transaction, with another ROWID (reference logminer J, R85). The segment keeps its blocks.
func (s *Store) Shrink(ctx context.Context, by Issuer, t *Table) error {
	tx := s.Begin(by.Container, by.Origin)
	if err := tx.shrink(ctx, t); err != nil {
		return firstError(tx.Rollback(), err)
	}
	return tx.Commit(ctx)
}

func (tx *Tx) shrink(ctx context.Context, t *Table) error {
	s := tx.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := tx.space.changeable(t); err != nil {
		return err
	}
	for _, h := range t.heaps {
		if err := tx.shrinkHeap(ctx, t, h); err != nil {
			return err
		}
	}
	return tx.flush(ctx)
}

func (tx *Tx) shrinkHeap(ctx context.Context, t *Table, h *heap) error {
	base := h.number << numberShift
	var rows []*Row
	t.rows.Ascend(base, func(id uint64, r *Row) bool {
		if r.heap != h {
			return false
		}
		if r.head != nil && !r.head.gone() {
			rows = append(rows, r)
		}
		return true
	})
	at := uint64(firstBlock) << 16
	for len(rows) > 0 {
		last := rows[len(rows)-1]
		for ; base+at < last.id; at = following(at) {
			if r, ok := t.rows.Get(base + at); !ok || r.head == nil || r.head.gone() {
				break
			}
		}
		if base+at >= last.id {
			return nil
		}
		values := last.head.row()
		tx.deleteRow(t, last)
		tx.insertAt(t, h, base+at, values)
		h.free.Delete(base + at)
		rows = rows[:len(rows)-1]
		if len(tx.pending) >= batch {
			if err := tx.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// following is the place behind one.
func following(place uint64) uint64 {
	if place++; place&0xffff >= rowsPerBlock {
		place = (place>>16 + 1) << 16
	}
	return place
}
