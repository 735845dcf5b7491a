package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
)

// keyRange tells, when a reader is opened, in which range of keys all rows lie that meet a condition. The condition itself is still tested.
type keyRange interface {
	// within appends to prefix, which the keys have in front.
	within(f *frame, prefix []byte) (store.KeyRange, error)
}

// behind is above every byte that a key may have at its place.
const behind = 0xff

// all are the keys with a prefix.
func all(prefix []byte) store.KeyRange {
	r := store.KeyRange{Low: prefix}
	if len(prefix) > 0 {
		r.High = after(prefix)
	}
	return r
}

// after is above every key that begins with a prefix.
func after(prefix []byte) []byte { return append(slices.Clone(prefix), behind) }

// nothing is the range of a condition that is true for no row.
func nothing() store.KeyRange { return store.KeyRange{Low: []byte{behind}, High: []byte{}} }

// compared is a comparison of the first column with a value.
type compared struct {
	op    string
	value *node
}

func (k compared) within(f *frame, prefix []byte) (store.KeyRange, error) {
	d, err := k.value.eval(f)
	if err != nil {
		return store.KeyRange{}, err
	}
	if d.IsNull() {
		return nothing(), nil
	}
	r := all(prefix)
	key := scalar.AppendKey(prefix[:len(prefix):len(prefix)], &d)
	switch k.op {
	case "<":
		r.High = key
	case "<=":
		r.High = after(key)
	case ">":
		r.Low = after(key)
	case ">=":
		r.Low = key
	}
	return r, nil
}

// prefixed gives the first columns values; rest is a range of the columns behind them, nil for all.
type prefixed struct {
	values []*node
	rest   keyRange
}

func (k prefixed) within(f *frame, prefix []byte) (store.KeyRange, error) {
	prefix = prefix[:len(prefix):len(prefix)]
	for _, n := range k.values {
		d, err := n.eval(f)
		if err != nil {
			return store.KeyRange{}, err
		}
		if d.IsNull() {
			return nothing(), nil
		}
		prefix = scalar.AppendKey(prefix, &d)
	}
	if k.rest != nil {
		return k.rest.within(f, prefix)
	}
	return all(prefix), nil
}

// both are ranges of which all hold.
type both []keyRange

func (k both) within(f *frame, prefix []byte) (store.KeyRange, error) {
	r := all(prefix)
	for _, one := range k {
		x, err := one.within(f, prefix)
		if err != nil {
			return r, err
		}
		if string(x.Low) > string(r.Low) {
			r.Low = x.Low
		}
		if x.High != nil && (r.High == nil || string(x.High) < string(r.High)) {
			r.High = x.High
		}
	}
	return r, nil
}

// either are two ranges of which one holds: what reaches from the lower one to the higher one.
type either [2]keyRange

func (k either) within(f *frame, prefix []byte) (store.KeyRange, error) {
	a, err := k[0].within(f, prefix)
	if err != nil {
		return a, err
	}
	b, err := k[1].within(f, prefix)
	switch {
	case err != nil, a.Empty():
		return b, err
	case b.Empty():
		return a, nil
	}
	if string(b.Low) < string(a.Low) {
		a.Low = b.Low
	}
	if b.High == nil || a.High != nil && string(b.High) > string(a.High) {
		a.High = b.High
	}
	return a, nil
}

// keyFinder finds ranges of the keys of a source in conditions.
type keyFinder struct {
	c       *compiler
	src     *source
	columns []int // of the key, in the table; rowIDColumn for ROWID
}

// rowIDColumn stands for ROWID among the columns of a table.
const rowIDColumn = -1

// find gives the range that conditions, of which all hold, leave of the columns from one on; nil for all.
func (k *keyFinder) find(conditions []sql.Expr, from int) keyRange {
	p := prefixed{}
	used := make(map[sql.Expr]bool)
	for at := from + len(p.values); at < len(k.columns); at = from + len(p.values) {
		value := k.equal(conditions, at, used)
		if value == nil {
			break
		}
		p.values = append(p.values, value)
	}
	var rest both
	if at := from + len(p.values); at < len(k.columns) {
		for _, e := range conditions {
			if !used[e] {
				rest = append(rest, k.one(e, at)...)
			}
		}
	}
	switch {
	case len(rest) > 0:
		p.rest = rest
	case len(p.values) == 0:
		return nil
	}
	return p
}

// equal finds the value that a condition gives the key's column at a place.
func (k *keyFinder) equal(conditions []sql.Expr, at int, used map[sql.Expr]bool) *node {
	for _, e := range conditions {
		if cmp, ok := e.(*sql.Compare); ok && !used[e] && cmp.Op == "=" && cmp.Quantifier == "" {
			if _, value := k.comparison(cmp.Op, cmp.L, cmp.R, at); value != nil {
				used[e] = true
				return value
			}
		}
	}
	return nil
}

// one gives the ranges that one condition leaves of the columns from a place on.
func (k *keyFinder) one(e sql.Expr, at int) []keyRange {
	switch e := e.(type) {
	case *sql.Compare:
		if e.Quantifier != "" || e.Op == "=" || e.Op == "<>" {
			return nil
		}
		if op, value := k.comparison(e.Op, e.L, e.R, at); value != nil {
			return []keyRange{compared{op, value}}
		}
	case *sql.Between:
		if e.Not {
			return nil
		}
		var list []keyRange
		if op, value := k.comparison(">=", e.X, e.Low, at); value != nil {
			list = append(list, compared{op, value})
		}
		if op, value := k.comparison("<=", e.X, e.High, at); value != nil {
			list = append(list, compared{op, value})
		}
		return list
	case *sql.Logic:
		if e.And {
			if r := k.find(conjuncts(e), at); r != nil {
				return []keyRange{r}
			}
			return nil
		}
		l, r := k.find(conjuncts(e.L), at), k.find(conjuncts(e.R), at)
		if l != nil && r != nil {
			return []keyRange{either{l, r}}
		}
	}
	return nil
}

// comparison finds the value that the key's column at a place is compared with, as the column stores it, and the operator with the column
// on its left; nil if it is no such comparison or the value is not the same for all rows.
func (k *keyFinder) comparison(op string, l, r sql.Expr, at int) (string, *node) {
	for _, sides := range [...][2]sql.Expr{{l, r}, {r, l}} {
		name, ok := sides[0].(*sql.Name)
		if !ok {
			op = mirrored(op)
			continue
		}
		ref, ok, err := k.c.scope.local(name)
		if !ok || err != nil || ref.source != k.src || !k.is(ref, k.columns[at]) {
			op = mirrored(op)
			continue
		}
		before := k.c.scope.touched
		k.c.scope.touched = 0
		value, err := k.c.expr(sides[1])
		free := k.c.scope.touched == 0
		k.c.scope.touched = before
		if err != nil || !free || k.c.rownum {
			return "", nil
		}
		if value, ok := k.c.keyValue(value, ref.typ); ok {
			return op, value
		}
		return "", nil
	}
	return "", nil
}

func (k *keyFinder) is(ref reference, column int) bool {
	if column == rowIDColumn {
		return ref.column == k.src.rowID
	}
	return ref.column == k.src.offset+column
}

// mirrored is an operator with its sides exchanged.
func mirrored(op string) string {
	switch op {
	case "<":
		return ">"
	case "<=":
		return ">="
	case ">":
		return "<"
	case ">=":
		return "<="
	}
	return op
}

// rangePaths lets the tables of a query be read by ranges of ROWIDs, or of the keys of an index.
func (c *compiler) rangePaths(tree *joinTree) {
	rownum := c.rownum
	defer func() { c.rownum = rownum }()
	for _, l := range tree.levels {
		r, ok := l.reader.(*tableReader)
		if !ok || r.keys != nil || r.rowID != nil {
			continue
		}
		c.rownum = false
		k := &keyFinder{c: c, src: r.src, columns: []int{rowIDColumn}}
		if !r.src.layout.IndexOrganized {
			if r.keysIn = k.find(tree.conditions, 0); r.keysIn != nil {
				r.path = byRowIDRange
				continue
			}
		}
		for n, key := range r.indexes() {
			c.rownum = false
			k.columns = key.Columns
			if r.keysIn = k.find(tree.conditions, 0); r.keysIn != nil {
				r.path, r.index = byIndexRange, n
				break
			}
		}
		if r.path == byScan && r.src.layout.IndexOrganized && r.src.sample == nil {
			r.path = byIndexRange // its rows are in the index of the primary key, which is the first one
		}
	}
}

// useOrder reads the only table of a block through an index in whose order ORDER BY, or else its analytic functions, want the rows: then
// they need not be sorted, and ROW_NUMBER only counts.
func (b *block) useOrder(tree *joinTree) {
	if len(tree.levels) != 1 || b.group != nil || b.distinct || b.lock != nil {
		return
	}
	r, ok := tree.levels[0].reader.(*tableReader)
	if !ok || r.keys != nil || r.rowID != nil || r.path == byRowIDRange {
		return
	}
	want := b.order
	if len(want) == 0 && len(b.windows.calls) > 0 && len(b.windows.calls[0].partition) == 0 {
		want = b.windows.calls[0].order
	}
	if len(want) == 0 {
		return
	}
	for n, key := range r.indexes() {
		if r.path == byIndexRange && r.keysIn != nil && n != r.index || !b.follows(r, key.Columns, want, want[0].desc) || r.keysIn == nil && !r.indexed(key.Columns) {
			continue
		}
		r.path, r.index, r.backward = byIndexRange, n, want[0].desc
		b.ordered = len(b.order) > 0
		b.counted = len(b.windows.calls) > 0
		for _, w := range b.windows.calls {
			b.counted = b.counted && w.name == "ROW_NUMBER" && len(w.partition) == 0 && b.follows(r, key.Columns, w.order, r.backward)
		}
		return
	}
}

// follows reports whether an order is that of a key, or with desc the reverse.
func (b *block) follows(r *tableReader, key []int, order []sortKey, desc bool) bool {
	if len(order) > len(key) {
		return false
	}
	for i := range order {
		k := &order[i]
		n := k.x
		if k.item >= 0 {
			n = b.items[k.item]
		}
		// NULLs are behind the values, in an index and without NULLS FIRST.
		if n.column < 0 || n.column-r.src.offset != key[i] || k.desc != desc || n.nullable && k.nullsFirst != desc {
			return false
		}
	}
	return true
}

// indexes are those that the table may be read through; one partition is read by its places, and so is a sample.
func (r *tableReader) indexes() []catalog.Constraint {
	if r.src.partition != 0 || r.src.sample != nil {
		return nil
	}
	return r.src.layout.Keys()
}

// indexed reports whether every row is in an index: rows with nothing but NULL in its columns are not.
func (r *tableReader) indexed(key []int) bool {
	for _, i := range key {
		if !r.src.columns[i].Nullable {
			return true
		}
	}
	return false
}

// keysOf tells at the opening of the reader which range it reads.
func (r *tableReader) keysOf(f *frame) (store.KeyRange, error) {
	if r.keysIn == nil {
		return store.KeyRange{}, nil
	}
	return r.keysIn.within(f, nil)
}
