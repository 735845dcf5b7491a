package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// sortKey is one member of ORDER BY: an item of the select list by number, or an expression of its own.
type sortKey struct {
	item       int // -1 for an expression
	x          *node
	desc       bool
	nullsFirst bool
}

func (c *compiler) orderKeys(b *block, items []sql.Item, columns []wire.Column, orderBy []sql.Order) error {
	for _, o := range orderBy {
		k := sortKey{item: -1, desc: o.Desc, nullsFirst: o.NullsFirst}
		var err error
		if k.item, err = orderItem(items, columns, o.X); err != nil {
			return err
		}
		if k.item < 0 {
			k.item = aliased(items, columns, o.X)
		}
		if k.item < 0 {
			if k.x, err = c.expr(o.X); err != nil {
				return err
			}
			if k.item = b.itemOf(k.x); k.item < 0 && b.distinct {
				return at(o.X.Pos(), wire.Errorf(1791, "not a SELECTed expression"))
			}
		}
		if t := columnType(k, columns); isLOB(t) {
			return at(o.X.Pos(), unsortable(t))
		}
		b.order = append(b.order, k)
	}
	return nil
}

func columnType(k sortKey, columns []wire.Column) datum.Type {
	if k.item >= 0 {
		return columns[k.item].Type
	}
	return k.x.typ
}

// orderItem finds the item that an ORDER BY member means by its position, its alias, or by being written alike; -1 for none.
func orderItem(items []sql.Item, columns []wire.Column, e sql.Expr) (int, error) {
	if lit, ok := e.(*sql.Literal); ok && lit.Kind == sql.NumberLiteral {
		n, err := scalar.ParseNumber(lit.Text, '.')
		if err != nil {
			return 0, err
		}
		pos, ok := smallNumber(&datum.Datum{Kind: datum.Number, Number: n})
		if !ok || pos < 1 || pos > uint64(len(columns)) {
			return 0, at(e.Pos(), wire.Errorf(1785, "ORDER BY item must be the number of a SELECT-list expression"))
		}
		return int(pos) - 1, nil
	}
	if slices.ContainsFunc(items, func(it sql.Item) bool { return it.Star != nil }) {
		return -1, nil
	}
	if name, ok := e.(*sql.Name); ok && name.Table == "" {
		for i, it := range items {
			if it.Alias == name.Column {
				return i, nil
			}
		}
	}
	fingerprint := sql.Fingerprint(e)
	for i, it := range items {
		if sql.Fingerprint(it.X) == fingerprint {
			return i, nil
		}
	}
	return -1, nil
}

// itemOf finds the item that is the same column, perhaps from a star.
func (b *block) itemOf(n *node) int {
	if n.column < 0 {
		return -1
	}
	return slices.IndexFunc(b.items, func(item *node) bool { return item.column == n.column })
}

// aliased finds the column behind a star that an ORDER BY member means by its alias; -1 for none.
func aliased(items []sql.Item, columns []wire.Column, e sql.Expr) int {
	name, ok := e.(*sql.Name)
	if !ok || name.Table != "" {
		return -1
	}
	// Counted from the end, as only the first item that is no star has a place that is known from the front.
	for back := 1; back <= len(items) && items[len(items)-back].Star == nil; back++ {
		if items[len(items)-back].Alias == name.Column {
			return len(columns) - back
		}
	}
	return -1
}

// sortedRow is a row with the keys that are not among its items.
type sortedRow struct {
	row  []datum.Datum
	keys []datum.Datum
}

func (b *block) sorted(r *blockRows) (rowSource, error) {
	var rows []sortedRow
	seen := make(map[string]struct{})
	for {
		ok, err := r.step()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		s := sortedRow{row: make([]datum.Datum, len(b.items)), keys: make([]datum.Datum, len(b.order))}
		if err := r.project(s.row); err != nil {
			return nil, err
		}
		if b.distinct {
			key := string(rowKeyOf(nil, s.row))
			if _, dup := seen[key]; dup {
				continue
			}
			seen[key] = struct{}{}
		}
		for i, k := range b.order {
			if k.item >= 0 {
				s.keys[i] = s.row[k.item]
			} else if s.keys[i], err = k.x.eval(r.f); err != nil {
				return nil, err
			}
		}
		rows = append(rows, s)
	}
	if err := r.close(); err != nil {
		return nil, err
	}
	sortRows(rows, b.order)
	return listOf(rows, b.order), nil
}

func listOf(rows []sortedRow, order []sortKey) *listRows {
	list := &listRows{rows: make([][]datum.Datum, len(rows)), keys: make([][]datum.Datum, len(rows)), order: order}
	for i := range rows {
		list.rows[i], list.keys[i] = rows[i].row, rows[i].keys
	}
	return list
}

func sortRows(rows []sortedRow, order []sortKey) {
	slices.SortStableFunc(rows, func(a, b sortedRow) int { return compareKeys(order, a.keys, b.keys) })
}

func compareKeys(order []sortKey, a, b []datum.Datum) int {
	for i, k := range order {
		if c := k.compare(&a[i], &b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func (k *sortKey) compare(a, b *datum.Datum) int {
	switch an, bn := a.IsNull(), b.IsNull(); {
	case an && bn:
		return 0
	case an != bn:
		if an == k.nullsFirst {
			return -1
		}
		return 1
	}
	c := scalar.Compare(a, b)
	if k.desc {
		return -c
	}
	return c
}
