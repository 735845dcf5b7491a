package store

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
)

// Segments grow by extents of 64 KB, 1 MB, 8 MB and then 64 MB, in turn from the first file on; in the first extent some blocks hold the
// map of the segment.
const (
	firstExtentBlock = 128
)

// extentSizes are the sizes in blocks of so many extents each.
var extentSizes = [...]struct{ blocks, count uint32 }{{8, 16}, {128, 63}, {1024, 120}, {8192, 1 << 16}}

// extentOf finds the extent of a block: its number, first block and size. Blocks in front of the first extent are taken for part of it.
func extentOf(block uint32) (number, first, blocks uint32) {
	first = firstExtentBlock
	for _, size := range extentSizes {
		if n := (max(block, first) - first) / size.blocks; n < size.count {
			return number + n, first + n*size.blocks, size.blocks
		}
		number += size.count
		first += size.count * size.blocks
	}
	return number, first, 1
}

// fileOf is the file that a block of any segment lies in.
func (sp *space) fileOf(block uint32) uint32 {
	n, _, _ := extentOf(block)
	return dataFile + n%sp.files
}

// extents are those of a heap up to the block that it fills; none before the first row.
func (h *heap) extents() []catalog.Extent {
	if !h.used {
		return nil
	}
	var list []catalog.Extent
	last := uint32(h.next >> 16)
	if h.next&0xffff == 0 && last > firstBlock {
		last--
	}
	for block := uint32(firstExtentBlock); block <= last; {
		n, first, blocks := extentOf(block)
		list = append(list, catalog.Extent{File: dataFile + n%h.space.files, Block: first, Blocks: blocks})
		block = first + blocks
	}
	return list
}

// Segments lists the segments of a container, those of tables in the recycle bin too.
func (s *Store) Segments(container int) []catalog.Segment {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sp := s.spaces[container]
	if sp == nil {
		return nil
	}
	var list []catalog.Segment
	for _, t := range sp.byID {
		for object, h := range t.heaps {
			if !h.used || t.layout.IndexOrganized {
				continue
			}
			one := catalog.Segment{Owner: t.layout.Owner, Table: t.layout.Name, DataObjectID: h.data.Load(), Extents: h.extents(), Tablespace: t.layout.Tablespace}
			if p, ok := t.layout.Partition(object); ok {
				one.Partition = p.Name
			}
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b catalog.Segment) int {
		return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Partition, b.Partition))
	})
	return list
}

// GatherStatistics lets the optimizer know how many rows and blocks the table and its partitions have now. It writes no redo of the table.
func (s *Store) GatherStatistics(t *Table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows := make(map[uint32]int64)
	total := int64(0)
	t.rows.Scan(func(_ uint64, r *Row) bool {
		for v := r.head; v != nil; v = v.prev {
			if v.tx.commit != 0 {
				if !v.gone() {
					rows[r.heap.object]++
					total++
				}
				break
			}
		}
		return true
	})
	statistics := func(rows int64, blocks int64) *catalog.Statistics {
		return &catalog.Statistics{Rows: rows, Blocks: blocks, RowLength: rowLength, Sample: rows, At: s.now()}
	}
	layout := *t.layout
	blocks := int64(0)
	if layout.Partitioning != nil {
		layout.Partitioning = layout.Partitioning.Clone()
	}
	for object, h := range t.heaps {
		mine := h.filled()
		blocks += mine
		if p, ok := layout.Partition(object); ok {
			p.Statistics = statistics(rows[object], mine)
		}
	}
	layout.Statistics = statistics(total, blocks)
	t.layout = &layout
}

// SetStatistics lets the optimizer believe what it is told.
func (s *Store) SetStatistics(t *Table, rows, blocks int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	layout := *t.layout
	layout.Statistics = &catalog.Statistics{Rows: rows, Blocks: blocks, RowLength: rowLength, Sample: rows, At: s.now()}
	t.layout = &layout
}

// rowLength is what AVG_ROW_LEN shows: rows are stored as rowsPerBlock of them fill a block.
const rowLength = 88

// filled counts the blocks below the high-water mark.
func (h *heap) filled() int64 {
	n := int64(h.next>>16) - firstBlock
	if h.next&0xffff != 0 {
		n++
	}
	return n
}
