package store

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
)

// loggedColumns says which old values an UPDATE carries (reference logminer D.3): those of the SET columns always, the key or all
// columns by supplemental logging. Without a key, key logging takes a unique key of NOT NULL columns or else all columns (L.2); unique
// and foreign key logging is conditional, and so are named groups that are not ALWAYS.
//
// LOB columns are never among them (L.2).
func (s *Store) loggedColumns(t *catalog.Table, set []bool, before, after []datum.Datum) []bool {
	return without(s.loggedAll(t, set, before, after), lobColumns(t))
}

func (s *Store) loggedAll(t *catalog.Table, set []bool, before, after []datum.Datum) []bool {
	g := t.LogGroups
	if g.All || s.logging.All {
		return allColumns(before)
	}
	logged := make([]bool, len(before))
	copy(logged, set)
	if g.PrimaryKey || s.logging.PrimaryKey {
		key := rowKey(t)
		if key == nil {
			return allColumns(before)
		}
		for _, i := range key {
			logged[i] = true
		}
	}
	if g.UniqueIndex || s.logging.UniqueIndex {
		for _, u := range t.Unique {
			if changed(u.Columns, before, after) {
				for _, i := range u.Columns {
					logged[i] = true
				}
			}
		}
	}
	if g.ForeignKey || s.logging.ForeignKey {
		for _, f := range t.ForeignKeys {
			if changed(f.Columns, before, after) {
				for _, i := range f.Columns {
					logged[i] = true
				}
			}
		}
	}
	for _, u := range t.UserGroups {
		if u.Always || changed(u.Columns, before, after) {
			for n, i := range u.Columns {
				logged[i] = logged[i] || !u.NoLog[n]
			}
		}
	}
	return logged
}

func rowKey(t *catalog.Table) []int {
	if t.PrimaryKey != nil && !t.PrimaryKey.Disabled {
		return t.PrimaryKey.Columns
	}
	for _, k := range t.Keys() {
		if notNull(t, k.Columns) {
			return k.Columns
		}
	}
	return nil
}

func notNull(t *catalog.Table, columns []int) bool {
	for _, i := range columns {
		if t.Columns[i].Nullable {
			return false
		}
	}
	return true
}

func changed(columns []int, before, after []datum.Datum) bool {
	for _, i := range columns {
		if !scalar.Equal(&before[i], &after[i]) {
			return true
		}
	}
	return false
}
