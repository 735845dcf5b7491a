package store

import (
	"errors"
	"slices"
	"time"

	"github.com/tidwall/btree"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Table is a heap with its unique indexes. Its fields are guarded by the store's lock.
type Table struct {
	space  *space
	layout *catalog.Table
	// changed is the commit of the last DDL that queries of the past cannot look behind: one of columns, constraints, places or partitions
	// (reference logminer J); changedAt is its time.
	changed   redo.SCN
	changedAt time.Time
	dropped   bool
	// altering says that a DDL has its row in the redo and not yet its COMMIT.
	altering bool
	rows     btree.Map[uint64, *Row]
	indexes  []*index
	// heaps are the segments by their object ids; that of a table without partitions is 0.
	heaps      map[uint32]*heap
	heapNumber uint64
}

func newTable(sp *space, layout *catalog.Table) *Table {
	t := &Table{space: sp, layout: layout}
	t.reset()
	return t
}

func (t *Table) change(scn redo.SCN) { t.changed, t.changedAt = scn, t.layout.LastDDL }

// reset empties the table.
func (t *Table) reset() {
	used := make(map[uint32]bool)
	for object, h := range t.heaps {
		used[object] = h.used
	}
	t.rows, t.heaps, t.heapNumber = btree.Map[uint64, *Row]{}, make(map[uint32]*heap), 0
	if p := t.layout.Partitioning; p != nil {
		for i := range p.Partitions {
			t.addHeap(p.Partitions[i].ObjectID, p.Partitions[i].DataObjectID)
		}
	} else {
		t.addHeap(0, t.layout.DataObjectID)
	}
	for object, h := range t.heaps {
		h.used = used[object] // TRUNCATE keeps the first extent
	}
	t.buildIndexes()
}

// buildIndexes makes the indexes of the layout from the committed rows.
func (t *Table) buildIndexes() {
	t.indexes = nil
	for _, k := range t.layout.Keys() {
		t.indexes = append(t.indexes, &index{name: k.Name, columns: k.Columns})
	}
	t.rows.Scan(func(_ uint64, r *Row) bool {
		for v := r.head; v != nil; v = v.prev {
			for _, x := range t.indexes {
				x.add(v.row(), r)
			}
		}
		return true
	})
}

// check reports why a statement compiled against a layout cannot read or change the table.
func (t *Table) check(layout *catalog.Table) error {
	switch {
	case t.dropped, t.layout.DataObjectID != layout.DataObjectID:
		return errNoObject()
	case t.layout.Version != layout.Version:
		return changedError{errDefinitionChanged()}
	}
	return nil
}

// changedError says that a statement was compiled for a layout that its table no longer has.
type changedError struct{ *wire.OraError }

func (e changedError) Unwrap() error { return e.OraError }

// DefinitionChanged reports that a statement was compiled for a layout that its table no longer has.
func DefinitionChanged(err error) bool {
	var changed changedError
	return errors.As(err, &changed)
}

func errNoObject() error { return wire.Errorf(8103, "object no longer exists") }

func errDefinitionChanged() *wire.OraError {
	return wire.Errorf(1466, "unable to read data - table definition has changed")
}

// Layout is the table's present layout.
func (s *Store) layoutOf(t *Table) *catalog.Table {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return t.layout
}

// Layout returns the present layout of a table.
func (t *Table) Layout(s *Store) *catalog.Table { return s.layoutOf(t) }

func (s *Store) readable(t *Table, layout *catalog.Table, view *View) error {
	if err := t.check(layout); err != nil {
		return err
	}
	if view.flashback && (view.SCN < t.changed || s.precedes(view.SCN, t.changedAt)) {
		return errDefinitionChanged()
	}
	if view.SCN < s.history.horizon {
		return errTooOld()
	}
	return nil
}

// Index finds the unique index over exactly these columns; the result is its number, or -1.
func (t *Table) Index(layout *catalog.Table, has func(column int) bool) int {
	return slices.IndexFunc(layout.Keys(), func(c catalog.Constraint) bool {
		return !slices.ContainsFunc(c.Columns, func(i int) bool { return !has(i) })
	})
}

// Lookup finds the row with the key columns of values through index n.
func (s *Store) Lookup(t *Table, layout *catalog.Table, view View, n int, values []datum.Datum) (row Found, ok bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.readable(t, layout, &view); err != nil {
		return Found{}, false, err
	}
	if n >= len(t.indexes) {
		return Found{}, false, errDefinitionChanged()
	}
	x := t.indexes[n]
	key, indexed := x.key(values)
	if !indexed {
		return Found{}, false, nil
	}
	r, v := x.find(key, &view)
	if r == nil {
		return Found{}, false, nil
	}
	return found(r, v), true, nil
}

// ByRowID finds a row by its number in the table.
func (s *Store) ByRowID(t *Table, layout *catalog.Table, view View, text string) (row Found, ok bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.readable(t, layout, &view); err != nil {
		return Found{}, false, err
	}
	r, v := t.byRowID(text, &view)
	if r == nil {
		return Found{}, false, nil
	}
	return found(r, v), true, nil
}
