package store

import (
	"context"
	"maps"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Reference is a foreign key of a table that references another one.
type Reference struct {
	Child  *Table
	Layout *catalog.Table
	catalog.ForeignKey
}

// References lists the enabled foreign keys that reference a table.
func (s *Store) References(t *Table) []Reference {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var list []Reference
	for _, child := range t.space.children(t) {
		for _, f := range child.layout.ForeignKeys {
			if f.Parent == t.layout.ObjectID && !f.Disabled {
				list = append(list, Reference{child, child.layout, f})
			}
		}
	}
	return list
}

// children lists the tables with foreign keys that reference a table, by name.
func (sp *space) children(t *Table) []*Table {
	var list []*Table
	for _, key := range slices.Sorted(maps.Keys(sp.tables)) {
		child := sp.tables[key]
		if slices.ContainsFunc(child.layout.ForeignKeys, func(f catalog.ForeignKey) bool { return f.Parent == t.layout.ObjectID }) {
			list = append(list, child)
		}
	}
	return list
}

// referenced reports whether another table has a foreign key of a kind that references t.
func (sp *space) referenced(t *Table, kind func(*catalog.ForeignKey) bool) bool {
	for _, child := range sp.children(t) {
		for i := range child.layout.ForeignKeys {
			f := &child.layout.ForeignKeys[i]
			if child != t && f.Parent == t.layout.ObjectID && kind(f) {
				return true
			}
		}
	}
	return false
}

// detach removes such foreign keys from the other tables.
func (sp *space) detach(t *Table, kind func(*catalog.ForeignKey) bool) {
	for _, child := range sp.children(t) {
		if child == t {
			continue
		}
		layout := *child.layout
		layout.ForeignKeys = slices.DeleteFunc(slices.Clone(layout.ForeignKeys), func(f catalog.ForeignKey) bool {
			return f.Parent == t.layout.ObjectID && kind(&f)
		})
		child.layout = &layout
	}
}

// foreignKey encodes the columns as an index of the parent does; indexed is false if one of them is NULL, which references nothing.
func foreignKey(columns []int, values []datum.Datum) (key string, indexed bool) {
	var buf [64]byte
	b := buf[:0]
	for _, i := range columns {
		if values[i].Kind == datum.Null {
			return "", false
		}
		b = scalar.AppendKey(b, &values[i])
	}
	return string(b), true
}

// indexOf finds the index of an enforced key.
func (t *Table) indexOf(name string) *index {
	for _, x := range t.indexes {
		if x.name == name {
			return x
		}
	}
	return nil
}

// present reports whether a row has a key for certain, or on whose end it depends.
func (x *index) present(key string, tx *Tx) (found bool, wait *Tx) {
	e, ok := x.keys.Get(key)
	if !ok {
		return false, nil
	}
	for _, r := range e.live {
		all, some := r.holds(tx, func(values []datum.Datum) bool {
			has, indexed := x.key(values)
			return indexed && has == key
		})
		if all {
			return true, nil
		}
		if some {
			wait = r.head.tx
		}
	}
	return false, wait
}

// holds reports whether a condition is true of a row whatever other transactions do (all), or may become so (some).
func (r *Row) holds(tx *Tx, condition func(values []datum.Datum) bool) (all, some bool) {
	if r.head == nil {
		return false, false
	}
	certain := r.head.tx == tx || !r.head.tx.active()
	all = true
	for v := r.head; v != nil; v = v.prev {
		if !v.gone() && condition(v.row()) {
			some = true
		} else {
			all = false
		}
		if certain || v.tx != r.head.tx {
			return all && some, some
		}
	}
	// An insert that is not committed has no version before it.
	return false, some
}

// CheckParents waits until it is certain that every foreign key of the rows has its parent.
func (tx *Tx) CheckParents(ctx context.Context, t *Table, rows []*Row) error {
	tx.store.mu.Lock()
	defer tx.store.mu.Unlock()
	for _, f := range t.layout.ForeignKeys {
		if f.Disabled {
			continue
		}
		for _, r := range rows {
			if err := tx.checkParent(ctx, t, &f, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (tx *Tx) checkParent(ctx context.Context, t *Table, f *catalog.ForeignKey, r *Row) error {
	for {
		if r.head == nil || r.head.gone() {
			return nil
		}
		key, indexed := foreignKey(f.Columns, r.head.row())
		if !indexed {
			return nil
		}
		found, wait := false, (*Tx)(nil)
		if parent := t.space.byID[f.Parent]; parent != nil {
			if x := parent.indexOf(f.Key); x != nil {
				found, wait = x.present(key, tx)
			}
		}
		switch {
		case found:
			return nil
		case wait == nil:
			return wire.Errorf(2291, "integrity constraint (%s.%s) violated - parent key not found", t.layout.Owner, f.Name)
		}
		if err := tx.await(ctx, wait); err != nil {
			return err
		}
	}
}

// await gives the lock away until another transaction ends.
func (tx *Tx) await(ctx context.Context, other *Tx) error {
	if err := tx.flush(ctx); err != nil {
		return err
	}
	return tx.store.wait(ctx, tx, other)
}

// Orphans lists the rows that reference one of the keys that rows of t had, unless another row of t has it now. It waits for
// transactions on whose end that depends.
func (tx *Tx) Orphans(ctx context.Context, t *Table, ref *Reference, old [][]datum.Datum) ([]Found, error) {
	tx.store.mu.Lock()
	defer tx.store.mu.Unlock()
	x := t.indexOf(ref.Key)
	if x == nil {
		return nil, nil
	}
	for {
		gone := make(map[string]bool)
		for _, values := range old {
			key, indexed := foreignKey(x.columns, values)
			if !indexed {
				continue
			}
			if found, _ := x.present(key, tx); !found {
				gone[key] = true
			}
		}
		if len(gone) == 0 {
			return nil, nil
		}
		list, wait := ref.Child.referencing(tx, ref.Columns, gone)
		if wait == nil {
			return list, nil
		}
		if err := tx.await(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// referencing finds the rows with one of the keys, or a transaction that may give or take one.
func (t *Table) referencing(tx *Tx, columns []int, keys map[string]bool) (list []Found, wait *Tx) {
	t.rows.Scan(func(_ uint64, r *Row) bool {
		all, some := r.holds(tx, func(values []datum.Datum) bool {
			key, indexed := foreignKey(columns, values)
			return indexed && keys[key]
		})
		switch {
		case all:
			list = append(list, found(r, r.head))
		case some:
			wait = r.head.tx
		}
		return wait == nil
	})
	return list, wait
}

// admitsForeign checks that the committed rows have parents for the foreign keys that a new layout enforces and the present one does not.
func (t *Table) admitsForeign(next *catalog.Table) error {
	for _, f := range next.ForeignKeys {
		enforced := slices.ContainsFunc(t.layout.ForeignKeys, func(old catalog.ForeignKey) bool { return old.Name == f.Name && !old.Disabled })
		if f.Disabled || enforced {
			continue
		}
		parent := t.space.byID[f.Parent]
		if parent == nil {
			continue
		}
		if t.space.user(parent) != nil {
			return errBusy()
		}
		x := parent.indexOf(f.Key)
		var err error
		t.rows.Scan(func(_ uint64, r *Row) bool {
			if r.head.gone() {
				return true
			}
			key, indexed := foreignKey(f.Columns, r.head.row())
			if !indexed {
				return true
			}
			if x != nil {
				if found, _ := x.present(key, nil); found {
					return true
				}
			}
			err = wire.Errorf(2298, "cannot validate (%s.%s) - parent keys not found", next.Owner, f.Name)
			return false
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// TakeObjectID gives out an object id for something else than a table.
func (s *Store) TakeObjectID(container int) uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spaces[container].takeObject()
}
