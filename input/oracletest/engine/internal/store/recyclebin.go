package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// binned lists the dropped tables that a name means, its own in the bin or the one it had, oldest first.
func (sp *space) binned(owner, name string) []*Table {
	var list []*Table
	for _, t := range sp.byID {
		if t.dropped && t.layout.Owner == owner && (name == "" || t.layout.Name == name || t.layout.Original == name) {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b *Table) int { return cmp.Compare(a.layout.DropSCN, b.layout.DropSCN) })
	return list
}

// Purge removes the table that was dropped first from the recycle bin.
func (s *Store) Purge(ctx context.Context, by Issuer, owner, name string) error {
	return s.ddl(ctx, by, func(sp *space) (*definition, error) {
		list := sp.binned(owner, name)
		if len(list) == 0 {
			return nil, wire.Errorf(38307, "object not in RECYCLE BIN")
		}
		old := list[0].layout
		return &definition{table: old, gone: []uint32{old.ObjectID}, apply: func(redo.SCN) { sp.forget(old) }}, nil
	})
}

// PurgeAll removes all tables of an owner from it.
func (s *Store) PurgeAll(ctx context.Context, by Issuer, owner string) error {
	return s.ddl(ctx, by, func(sp *space) (*definition, error) {
		list := sp.binned(owner, "")
		d := &definition{apply: func(redo.SCN) {
			for _, t := range list {
				sp.forget(t.layout)
			}
		}}
		for _, t := range list {
			d.gone = append(d.gone, t.layout.ObjectID)
		}
		return d, nil
	})
}

// BeforeDrop brings the table that was dropped last back, with its ids and its rows (R133).
func (s *Store) BeforeDrop(ctx context.Context, by Issuer, owner, name, to string) error {
	return s.ddl(ctx, by, func(sp *space) (*definition, error) {
		list := sp.binned(owner, name)
		if len(list) == 0 {
			return nil, wire.Errorf(38305, "object not in RECYCLE BIN")
		}
		t := list[len(list)-1]
		layout := *t.layout
		if layout.Name = layout.Original; to != "" {
			layout.Name = to
		}
		layout.Dropped, layout.Original, layout.DropSCN, layout.LastDDL = false, "", 0, s.now()
		if _, used := sp.tables[tableKey(owner, layout.Name)]; used {
			return nil, wire.Errorf(38312, "original name is used by an existing object")
		}
		return &definition{table: t.layout, tables: []*catalog.Table{&layout}, apply: func(redo.SCN) {
			t.layout, t.dropped = &layout, false
			sp.publish(t)
		}}, nil
	})
}

// forget removes the ids of a table that is gone.
func (sp *space) forget(t *catalog.Table) {
	for _, id := range t.SegmentIDs() {
		delete(sp.segments, id)
	}
	delete(sp.byID, t.ObjectID)
}
