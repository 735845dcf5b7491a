package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// findTable resolves a table name: in the given schema, or the current one.
func (r *rights) findTable(o sql.Object) (*store.Table, *catalog.Table, bool) {
	owner := o.Owner
	if owner == "" {
		owner = r.schema
	}
	t, ok := r.engine.store.Table(r.container, owner, o.Name)
	if !ok {
		return nil, nil, false
	}
	layout := t.Layout(r.engine.store)
	return t, layout, true
}

// baseTable resolves the table of a DML or DDL.
func (r *rights) baseTable(o sql.Object, a access) (*store.Table, *catalog.Table, error) {
	t, layout, ok := r.findTable(o)
	if ok {
		return t, layout, r.permit(a, o, layout.Owner, layout.Name)
	}
	if views := r.engine.views(); views != nil {
		if v, ok := views.View(o.Owner, o.Name); ok && r.permitView(v, o) == nil {
			return nil, nil, at(o.Pos, wire.Errorf(2030, "can only select from fixed tables/views"))
		}
	}
	if view, ok := r.findView(o); ok && slices.Contains([]string{"INSERT", "UPDATE", "DELETE"}, a.name()) && r.permit(toRead, o, view.Owner, view.Name) == nil {
		return nil, nil, at(o.Pos, wire.Errorf(3001, "unimplemented feature: change of the view %s", o.Name))
	}
	return nil, nil, at(o.Pos, tableMissing(o))
}

// findView resolves the name of a stored view.
func (r *rights) findView(o sql.Object) (*catalog.View, bool) {
	owner := o.Owner
	if owner == "" {
		owner = r.schema
	}
	found, ok := r.engine.objects.find(r.container, owner, o.Name)
	if !ok || found.view == nil {
		return nil, false
	}
	return found.view, true
}
