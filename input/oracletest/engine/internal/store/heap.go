package store

import (
	"cmp"
	"sync/atomic"

	"github.com/tidwall/btree"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// heap is a segment of a table: its only one, or that of a partition. It gives its rows their places.
type heap struct {
	space  *space
	object uint32        // of the partition, 0 for the table itself
	data   atomic.Uint32 // DATA_OBJECT_ID; read without the lock for ROWIDs
	number uint64        // in the table: the highest bits of the ids of its rows
	next   uint64
	// used says that there is a segment: it comes with the first row.
	used bool
	free btree.Set[uint64]
}

// numberShift is where the number of the heap begins in the id of a row; below are block and row number.
const numberShift = 48

// addHeap makes the segment of a partition.
func (t *Table) addHeap(object, data uint32) *heap {
	h := &heap{space: t.space, object: object, number: t.heapNumber, next: firstBlock << 16}
	h.data.Store(data)
	t.heapNumber++
	t.heaps[object] = h
	return h
}

// slot gives the place of a new row: one that an undone insert gave back (reference logminer F.2), or the next.
func (h *heap) slot() uint64 {
	h.used = true
	if id, ok := h.free.PopMin(); ok {
		return id
	}
	id := h.number<<numberShift | h.next
	h.next = following(h.next)
	return id
}

func (h *heap) rowID(id uint64) string {
	id &= 1<<numberShift - 1
	return scalar.RowID(h.data.Load(), h.space.fileOf(uint32(id>>16)), uint32(id>>16), uint32(id&0xffff))
}

// within adds the places of the heap whose ROWIDs are in a range, in the order of the extents.
func (h *heap) within(list []placeSpan, rows KeyRange) []placeSpan {
	data := h.data.Load()
	base := h.number << numberShift
	for _, e := range h.extents() {
		from, to := uint64(e.Block)<<16, uint64(e.Block+e.Blocks)<<16
		span := placeSpan{heap: h, data: data, from: base + position(data, e.File, from, to, rows.Low), to: base + min(to, h.next)}
		if rows.High != nil {
			span.to = min(span.to, base+position(data, e.File, from, to, rows.High))
		}
		switch n := len(list); {
		case span.from >= span.to:
		case n > 0 && list[n-1].heap == h && list[n-1].to == span.from:
			list[n-1].to = span.to
		default:
			list = append(list, span)
		}
	}
	return list
}

// position is the first place of an extent whose encoded ROWID is not below one; to is behind the extent.
func position(data, file uint32, from, to uint64, rowID []byte) uint64 {
	object, rowFile, block, row := scalar.ReadRowIDKey(rowID)
	c := cmp.Or(cmp.Compare(data, object), cmp.Compare(file, rowFile))
	switch {
	case c > 0:
		return from
	case c < 0:
		return to
	}
	// A row number that no block has is behind all rows of the block.
	return min(max(uint64(block)<<16+uint64(min(row, 1<<16)), from), to)
}

// empty drops the rows of a heap.
func (t *Table) empty(h *heap) {
	var gone []uint64
	t.rows.Scan(func(id uint64, r *Row) bool {
		if r.heap == h {
			gone = append(gone, id)
		}
		return true
	})
	for _, id := range gone {
		t.rows.Delete(id)
	}
	h.next, h.free = firstBlock<<16, btree.Set[uint64]{}
}

// noRowID is what the redo has in the place of a ROWID for rows of index-organized tables (reference logminer B.2).
const noRowID = "AAAAAAAAAAAAAAAAAA"

// at completes the record of a change with the place of its row.
func (t *Table) at(rec *redo.Record, r *Row) *redo.Record {
	rec.Table, rec.Segment = t.layout, r.heap.object
	if t.layout.IndexOrganized {
		rec.RowID = noRowID
	}
	if rec.RowID == "" {
		rec.RowID = r.heap.rowID(r.id)
	}
	return rec
}
