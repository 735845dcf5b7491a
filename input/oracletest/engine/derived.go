package engine

import (
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// derived computes the columns that no statement sets: virtual ones, and the guard column of those that were added nullable with a
// default (reference logminer I, R43).
type derived struct {
	x       *execution
	virtual []virtualColumn
	guard   int // -1 without one
	layout  *catalog.Table
}

type virtualColumn struct {
	at     int
	value  *node
	target scalar.Target
}

func (x *execution) derived(layout *catalog.Table) (*derived, error) {
	d := &derived{x: x, layout: layout, guard: slices.IndexFunc(layout.Columns, func(c catalog.Column) bool { return c.Guard })}
	for i := range layout.Columns {
		col := &layout.Columns[i]
		if col.Virtual == "" {
			continue
		}
		n, _, err := compileVirtual(x, layout, col.Virtual)
		if err != nil {
			return nil, err
		}
		d.virtual = append(d.virtual, virtualColumn{
			at: i, value: n, target: scalar.Target{Owner: layout.Owner, Table: layout.Name, Column: col.Name, Type: col.Type},
		})
	}
	return d, nil
}

// compileVirtual compiles an expression over the columns of a table; src.used says which of them it reads.
func compileVirtual(x *execution, layout *catalog.Table, text string) (*node, *source, error) {
	e, err := sql.ParseExpression(text)
	if err != nil {
		return nil, nil, err
	}
	if err := checkable(e); err != nil {
		return nil, nil, err
	}
	c := &compiler{x: x, scope: &scope{}}
	src := &source{owner: layout.Owner, name: layout.Name, columns: tableColumns(layout)}
	c.scope.add(src)
	n, err := c.expr(e)
	return n, src, err
}

// widen adds the derived columns to those that an UPDATE sets.
func (d *derived) widen(set []bool) {
	guarded := false
	for i := range set {
		guarded = guarded || set[i] && d.layout.Columns[i].GuardBit > 0
	}
	if guarded && d.guard >= 0 {
		set[d.guard] = true
	}
	for i := range d.virtual {
		set[d.virtual[i].at] = true
	}
}

// complete computes the derived columns of a row of which the columns of set were given; nil is all of them.
func (d *derived) complete(values []datum.Datum, set []bool) error {
	if d.guard >= 0 {
		values[d.guard] = d.guarded(values[d.guard], set)
	}
	for i := range d.virtual {
		v := &d.virtual[i]
		value, err := v.value.eval(&frame{x: d.x, row: values})
		if err != nil {
			return err
		}
		if values[v.at], err = d.x.settings.Fit(value, v.value.typ, &v.target); err != nil {
			return err
		}
		if values[v.at].IsNull() && !d.layout.Columns[v.at].Nullable {
			return wire.Errorf(1400, "cannot insert NULL into (\"%s\".\"%s\".\"%s\")", d.layout.Owner, d.layout.Name, v.target.Column)
		}
	}
	return nil
}

// guarded has a bit for every guarded column whose value is that of the row itself.
func (d *derived) guarded(before datum.Datum, set []bool) datum.Datum {
	bits := slices.Clone(before.Raw)
	for i := range d.layout.Columns {
		bit := d.layout.Columns[i].GuardBit - 1
		if bit < 0 || set != nil && !set[i] {
			continue
		}
		for len(bits) <= bit/8 {
			bits = append(bits, 0)
		}
		bits[bit/8] |= 1 << (bit % 8)
	}
	if len(bits) == 0 {
		return datum.Datum{}
	}
	return datum.Datum{Kind: datum.Raw, Raw: bits}
}

// guardBytes is the length of a guard column.
const guardBytes = 126

// addGuard gives the newest column a bit in the guard column, which comes with the first that needs one.
func addGuard(layout *catalog.Table) (came bool, err error) {
	bit := 0
	for i := range layout.Columns {
		bit = max(bit, layout.Columns[i].GuardBit)
	}
	if bit == 8*guardBytes {
		return false, wire.Errorf(3001, "unimplemented feature: more than %d columns added with a default", bit)
	}
	layout.Columns[len(layout.Columns)-1].GuardBit = bit + 1
	if slices.ContainsFunc(layout.Columns, func(c catalog.Column) bool { return c.Guard }) {
		return false, nil
	}
	layout.Columns = append(layout.Columns, catalog.Column{
		Name: fmt.Sprintf("SYS_NC%05d$", len(layout.Columns)+1), Type: datum.Type{Code: datum.TypeRaw, Size: guardBytes}, Nullable: true, Guard: true,
	})
	return true, nil
}

// readByVirtual reports whether a virtual column reads a column.
func readByVirtual(x *execution, layout *catalog.Table, column int) bool {
	for i := range layout.Columns {
		if layout.Columns[i].Virtual == "" || i == column {
			continue
		}
		if _, src, err := compileVirtual(x, layout, layout.Columns[i].Virtual); err != nil || src.used[column] {
			return true
		}
	}
	return false
}
