package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// compileSets compiles blocks that UNION, INTERSECT and MINUS combine from left to right.
func compileSets(x *execution, outer *scope, with map[string]*commonTable, q *sql.Query) (*query, error) {
	if q.Lock != nil {
		return nil, wire.Errorf(2014, "SELECT FOR UPDATE cannot be used here")
	}
	branches := q.Sets
	if q.Select != nil {
		branches = append([]sql.SetBranch{{Right: &sql.Query{Select: q.Select}}}, branches...)
	}
	parts := make([]*query, len(branches))
	out := &query{}
	for i, branch := range branches {
		part, err := compileQuery(x, outer, with, branch.Right)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out.columns = append(out.columns, part.columns...)
			out.untyped = slices.Clone(part.untyped)
		} else if err := mergeColumns(out, part); err != nil {
			return nil, at(branch.Pos, err)
		}
		out.correlated = out.correlated || part.correlated
		parts[i] = part
	}
	if err := sortableSets(out.columns, branches); err != nil {
		return nil, err
	}
	order, err := setOrder(out.columns, branches[0].Right, q.OrderBy)
	if err != nil {
		return nil, err
	}
	out.open = func(f *frame) (rowSource, error) {
		if len(parts) > 1 && len(order) == 0 && allUnionAll(branches) {
			return &unionRows{parts: parts, outer: f}, nil
		}
		rows, err := combine(parts, branches, f)
		if err != nil {
			return nil, err
		}
		return sortedList(rows, order), nil
	}
	return out, nil
}

// sortableSets refuses LOBs where equal rows count once.
func sortableSets(columns []wire.Column, branches []sql.SetBranch) error {
	for _, col := range columns {
		if isLOB(col.Type) && !allUnionAll(branches) {
			return unsortable(col.Type)
		}
	}
	return nil
}

func allUnionAll(branches []sql.SetBranch) bool {
	for _, b := range branches[1:] {
		if b.Op != "UNION ALL" {
			return false
		}
	}
	return true
}

// mergeColumns widens the columns of a set operation; other kinds of types are ORA-01790.
func mergeColumns(out, part *query) error {
	into, more := out.columns, part.columns
	if len(into) != len(more) {
		return wire.Errorf(1789, "query block has incorrect number of result columns")
	}
	for i := range into {
		a, b := &into[i].Type, more[i].Type
		into[i].Nullable = into[i].Nullable || more[i].Nullable
		switch {
		case part.isUntyped(i):
		case out.isUntyped(i):
			*a = b
			out.untyped[i] = false
		case isText(*a) && isText(b):
			if *a != b {
				a.Code, a.Size = datum.TypeVarchar, max(a.Size, b.Size)
			}
		case scalar.Kind(*a) != scalar.Kind(b):
			return wire.Errorf(1790, "expression must have same datatype as corresponding expression")
		case *a != b && a.Code == datum.TypeNumber:
			*a = numberType
		case a.Code != b.Code:
			*a = widerDatetime(*a, b)
		}
	}
	return nil
}

func setOrder(columns []wire.Column, first *sql.Query, orderBy []sql.Order) ([]sortKey, error) {
	var order []sortKey
	for _, o := range orderBy {
		var items []sql.Item
		if first.Select != nil {
			items = first.Select.Items
		}
		i, err := orderItem(items, columns, o.X)
		if err != nil {
			return nil, err
		}
		if name, ok := o.X.(*sql.Name); ok && i < 0 {
			for j := range columns {
				if columns[j].Name == name.Column {
					i = j
				}
			}
		}
		if i < 0 {
			return nil, at(o.X.Pos(), wire.Errorf(1785, "ORDER BY item must be the number of a SELECT-list expression"))
		}
		order = append(order, sortKey{item: i, desc: o.Desc, nullsFirst: o.NullsFirst})
	}
	return order, nil
}

func sortedList(rows [][]datum.Datum, order []sortKey) rowSource {
	if len(order) > 0 {
		sorted := make([]sortedRow, len(rows))
		for i, row := range rows {
			keys := make([]datum.Datum, len(order))
			for j, k := range order {
				keys[j] = row[k.item]
			}
			sorted[i] = sortedRow{row: row, keys: keys}
		}
		sortRows(sorted, order)
		return listOf(sorted, order)
	}
	return &listRows{rows: rows}
}

func combine(parts []*query, branches []sql.SetBranch, f *frame) ([][]datum.Datum, error) {
	var have [][]datum.Datum
	for i, part := range parts {
		rows, err := part.open(f)
		if err != nil {
			return nil, err
		}
		more, err := readAll(rows, len(part.columns))
		if err != nil {
			return nil, err
		}
		switch branches[i].Op {
		case "", "UNION ALL":
			have = append(have, more...)
		case "UNION":
			have = distinct(append(have, more...), nil, false)
		case "INTERSECT":
			have = distinct(have, keysOf(more), true)
		default:
			have = distinct(have, keysOf(more), false)
		}
	}
	return have, nil
}

func keysOf(rows [][]datum.Datum) map[string]struct{} {
	keys := make(map[string]struct{}, len(rows))
	for _, row := range rows {
		keys[string(rowKeyOf(nil, row))] = struct{}{}
	}
	return keys
}

// distinct keeps the first of equal rows whose membership in other is want; without other all count as outside.
func distinct(rows [][]datum.Datum, other map[string]struct{}, want bool) [][]datum.Datum {
	seen := make(map[string]struct{}, len(rows))
	out := rows[:0]
	for _, row := range rows {
		key := string(rowKeyOf(nil, row))
		_, dup := seen[key]
		_, in := other[key]
		if dup || in != want {
			continue
		}
		seen[key] = struct{}{}
		out = append(out, row)
	}
	return out
}

// unionRows streams the parts of a UNION ALL.
type unionRows struct {
	parts []*query
	outer *frame
	rows  rowSource
}

func (u *unionRows) next(dst []datum.Datum) (bool, error) {
	for {
		if u.rows == nil {
			if len(u.parts) == 0 {
				return false, nil
			}
			var err error
			if u.rows, err = u.parts[0].open(u.outer); err != nil {
				return false, err
			}
			u.parts = u.parts[1:]
		}
		ok, err := u.rows.next(dst)
		if err != nil || ok {
			return ok, err
		}
		if err := u.close(); err != nil {
			return false, err
		}
	}
}

func (u *unionRows) close() error {
	if u.rows == nil {
		return nil
	}
	rows := u.rows
	u.rows = nil
	return rows.close()
}
