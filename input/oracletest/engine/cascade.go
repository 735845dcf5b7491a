package engine

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func valuesOf(rows []store.Found) [][]datum.Datum {
	list := make([][]datum.Datum, len(rows))
	for i := range rows {
		list[i] = rows[i].Values
	}
	return list
}

// orphaned does what the foreign keys that reference a table ask for after rows lost their keys: with deleted, children go or lose
// their parent if ON DELETE says so; else they forbid it.
func (s *session) orphaned(ctx context.Context, table *store.Table, old [][]datum.Datum, deleted bool) error {
	for _, ref := range s.engine.store.References(table) {
		children, err := s.tx.Orphans(ctx, table, &ref, old)
		if err != nil {
			return err
		}
		switch {
		case len(children) == 0:
		case deleted && ref.OnDelete == "CASCADE":
			err = s.deleteChildren(ctx, &ref, children)
		case deleted && ref.OnDelete == "SET NULL":
			err = s.releaseChildren(ctx, &ref, children)
		default:
			err = wire.Errorf(2292, "integrity constraint (%s.%s) violated - child record found", ref.Layout.Owner, ref.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *session) deleteChildren(ctx context.Context, ref *store.Reference, children []store.Found) error {
	for _, child := range children {
		if _, err := s.lock(ctx, child, false); err != nil {
			return err
		}
		if err := s.tx.Delete(ctx, ref.Child, ref.Layout, child.Row); err != nil {
			return err
		}
	}
	return s.orphaned(ctx, ref.Child, valuesOf(children), true)
}

func (s *session) releaseChildren(ctx context.Context, ref *store.Reference, children []store.Found) error {
	set := make([]bool, len(ref.Layout.Columns))
	for _, i := range ref.Columns {
		set[i] = true
	}
	d, err := s.newExecution(ctx).derived(ref.Layout)
	if err != nil {
		return err
	}
	d.widen(set)
	for _, child := range children {
		if _, err := s.lock(ctx, child, false); err != nil {
			return err
		}
		values := append([]datum.Datum(nil), child.Values...)
		for _, i := range ref.Columns {
			if values[i] = (datum.Datum{}); !ref.Layout.Columns[i].Nullable {
				c := ref.Layout.Columns[i].Name
				return wire.Errorf(1407, "cannot update (\"%s\".\"%s\".\"%s\") to NULL", ref.Layout.Owner, ref.Layout.Name, c)
			}
		}
		if err := d.complete(values, set); err != nil {
			return err
		}
		if _, err := s.tx.Update(ctx, ref.Child, ref.Layout, child.Row, values, set); err != nil {
			return err
		}
	}
	return nil
}
