package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
)

// returning computes what a RETURNING clause asks for of every row that a statement changes: of the new row, or of the
// deleted one.
type returning struct {
	items  []*node
	src    *source
	layout *catalog.Table
	f      *frame
}

// returning compiles the clause over a table of a scope; it is nil without one.
func (c *compiler) returning(clause *sql.Returning, src *source) (*returning, error) {
	if len(clause.Items) == 0 {
		return nil, nil
	}
	c.x.returns = true
	r := &returning{src: src, layout: src.layout}
	var err error
	if r.items, err = c.exprs(clause.Items); err != nil {
		return nil, err
	}
	c.x.returnedTypes = r.types()
	r.f = &frame{x: c.x, row: make([]datum.Datum, c.scope.width)}
	return r, nil
}

// add takes a row.
func (r *returning) add(row *store.Row, values []datum.Datum) error {
	if r == nil {
		return nil
	}
	copy(r.f.row[r.src.offset:], values)
	if r.src.wantRowID {
		r.f.row[r.src.rowID] = datum.Datum{Kind: datum.RowID, Text: store.RowID(row)}
	}
	out := make([]datum.Datum, len(r.items))
	for i, n := range r.items {
		var err error
		if out[i], err = n.eval(r.f); err != nil {
			return err
		}
	}
	r.f.x.returned = append(r.f.x.returned, out)
	return nil
}

// types are those of the values.
func (r *returning) types() []datum.Type {
	list := make([]datum.Type, len(r.items))
	for i, n := range r.items {
		list[i] = n.typ
	}
	return list
}
