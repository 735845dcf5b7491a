package store

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
)

// batch is how many rows a cursor reads under one lock.
const batch = 128

// KeyRange are encoded keys (scalar.AppendKey of one column after the other): those from Low on, below High. A nil High is no bound.
type KeyRange struct{ Low, High []byte }

// Empty reports whether no key can be in the range.
func (r KeyRange) Empty() bool { return r.High != nil && string(r.Low) >= string(r.High) }

// Cursor reads a table row by row: by its places, or through an index.
type Cursor struct {
	store  *Store
	table  *Table
	layout *catalog.Table
	view   View
	path   path
	done   bool
	rows   []Found
	at     int
}

// path is the order in which a cursor comes to rows. read appends the next ones to list, as many as batch, and reports whether there may be
// more. It runs under the lock of the store.
type path interface {
	read(t *Table, view *View, list []Found) (more []Found, done bool, err error)
}

// Place limits a scan of places to ROWIDs, and to a partition.
type Place struct {
	// Rows are encoded ROWIDs.
	Rows KeyRange
	// Partition is the object id of one; 0 is all of them.
	Partition uint32
}

// Scan reads the rows of a table that a view sees, in the order of their places.
func (s *Store) Scan(t *Table, layout *catalog.Table, view View, in Place) *Cursor {
	return &Cursor{store: s, table: t, layout: layout, view: view, path: &heapPath{in: in}}
}

// Range reads the rows that a view sees with keys in a range of index n, in the order of the keys or against it.
func (s *Store) Range(t *Table, layout *catalog.Table, view View, n int, keys KeyRange, backward bool) *Cursor {
	return &Cursor{store: s, table: t, layout: layout, view: view, path: &indexPath{index: n, keys: keys, backward: backward}, done: keys.Empty()}
}

// Next returns the next row; ok is false behind the last.
func (c *Cursor) Next() (row Found, ok bool, err error) {
	for c.at >= len(c.rows) {
		if c.done {
			return Found{}, false, nil
		}
		if err := c.fill(); err != nil {
			return Found{}, false, err
		}
	}
	c.at++
	return c.rows[c.at-1], true, nil
}

func (c *Cursor) fill() error {
	s := c.store
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.readable(c.table, c.layout, &c.view); err != nil {
		return err
	}
	if c.rows == nil {
		c.rows = make([]Found, 0, min(batch, c.table.rows.Len()))
	}
	c.at = 0
	var err error
	c.rows, c.done, err = c.path.read(c.table, &c.view, c.rows[:0])
	return err
}

// heapPath goes through the places of a table.
type heapPath struct {
	in    Place
	began bool
	spans []placeSpan
}

// placeSpan are ids of rows: from one on, below another one. data is the segment they were in when the reading began.
type placeSpan struct {
	heap     *heap
	data     uint32
	from, to uint64
}

func (p *heapPath) read(t *Table, view *View, list []Found) (more []Found, done bool, err error) {
	if !p.began {
		p.spans, p.began = t.spans(&p.in), true
	}
	for len(p.spans) > 0 {
		span := &p.spans[0]
		if t.heaps[span.heap.object] != span.heap || span.heap.data.Load() != span.data {
			return list, true, errNoObject()
		}
		full := false
		t.rows.Ascend(span.from, func(id uint64, r *Row) bool {
			if id >= span.to {
				return false
			}
			if v := view.visible(r); v != nil && !v.gone() {
				if len(list) == batch {
					span.from, full = id, true
					return false
				}
				list = append(list, found(r, v))
			}
			return true
		})
		if full {
			return list, false, nil
		}
		p.spans = p.spans[1:]
	}
	return list, true, nil
}

// spans are the places that a scan reads, in the order of the segments.
func (t *Table) spans(in *Place) []placeSpan {
	var list []placeSpan
	for _, h := range t.heaps {
		if in.Partition != 0 && h.object != in.Partition {
			continue
		}
		list = h.within(list, in.Rows)
	}
	slices.SortFunc(list, func(a, b placeSpan) int { return cmp.Compare(a.from, b.from) })
	return list
}

// indexPath goes through the keys of an index.
type indexPath struct {
	index    int
	keys     KeyRange
	backward bool
	// last is the key that was read last, once one was.
	last  string
	began bool
}

func (p *indexPath) read(t *Table, view *View, list []Found) (more []Found, done bool, err error) {
	if p.index >= len(t.indexes) {
		return list, true, errDefinitionChanged()
	}
	x := t.indexes[p.index]
	done = true
	low, high := string(p.keys.Low), string(p.keys.High)
	visit := func(key string, _ *entry) bool {
		switch {
		case p.began && key == p.last:
			return true
		case p.backward && key < low, !p.backward && p.keys.High != nil && key >= high:
			return false
		case p.backward && p.keys.High != nil && key >= high:
			return true
		}
		if len(list) == batch {
			done = false
			return false
		}
		p.last, p.began = key, true
		if r, v := x.find(key, view); r != nil {
			list = append(list, found(r, v))
		}
		return true
	}
	switch {
	case !p.backward && p.began:
		x.keys.Ascend(p.last, visit)
	case !p.backward:
		x.keys.Ascend(low, visit)
	case p.began:
		x.keys.Descend(p.last, visit)
	case p.keys.High != nil:
		x.keys.Descend(high, visit)
	default:
		x.keys.Reverse(visit)
	}
	return list, done, nil
}
