package engine

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// block is a compiled query block.
type block struct {
	x      *execution
	width  int
	loop   *loop
	once   []test // decide once whether there are rows at all
	last   []test // read ROWNUM
	limit  int64  // of ROWNUM, -1 without one
	items  []*node
	group  *grouping
	having test
	order  []sortKey
	// ordered says that the rows come in that order, counted that ROW_NUMBER is their count.
	ordered, counted bool

	distinct  bool
	lock      *rowLock
	sequences *sequenceUses
	windows   windowing
}

func compileSelect(x *execution, outer *scope, with map[string]*commonTable, s *sql.Select, orderBy []sql.Order, lock *sql.Lock) (*query, error) {
	c := &compiler{x: x, scope: &scope{outer: outer}, with: with}
	ties := x.ties
	tree := &joinTree{}
	for _, r := range s.From {
		if err := c.relation(tree, r); err != nil {
			return nil, err
		}
	}
	b := &block{x: x, distinct: s.Distinct, limit: -1}
	tree.conditions = append(tree.conditions, conjuncts(s.Where)...)
	if err := c.optionalTables(tree, s.From); err != nil {
		return nil, err
	}
	b.limit = c.rownumLimit(tree)
	var err error
	if b.once, b.last, err = c.place(tree); err != nil {
		return nil, err
	}
	c.rangePaths(tree)
	if err := c.groupBy(b, s, orderBy); err != nil {
		return nil, err
	}
	if s == x.top && !s.Distinct && b.group == nil && len(orderBy) == 0 {
		b.sequences = &sequenceUses{}
	}
	c.sequences, c.windows = b.sequences, &b.windows
	columns, err := c.selectList(b, s.Items)
	if err != nil {
		return nil, err
	}
	c.sequences, c.windows = nil, nil
	if s.Having != nil {
		if b.having, err = c.condition(s.Having); err != nil {
			return nil, err
		}
	}
	if err := b.sortable(columns); err != nil {
		return nil, err
	}
	c.windows = &b.windows
	if err := c.orderKeys(b, s.Items, columns, orderBy); err != nil {
		return nil, err
	}
	c.windows = nil
	if lock != nil {
		if b.lock, err = c.rowLock(b, tree, lock); err != nil {
			return nil, err
		}
	}
	if !ties {
		b.useOrder(tree)
	}
	b.width = c.scope.width
	b.loop = newLoop(tree.levels)
	out := &query{columns: columns, correlated: c.scope.reaches, open: b.open, untyped: make([]bool, len(columns))}
	for i, n := range b.items {
		out.untyped[i] = n.typ.Code == 0
	}
	return out, nil
}

// groupBy switches to grouped compilation when the block has GROUP BY or an aggregate.
func (c *compiler) groupBy(b *block, s *sql.Select, orderBy []sql.Order) error {
	grouped := len(s.GroupBy) > 0 || s.Having != nil
	for _, it := range s.Items {
		grouped = grouped || sql.Any(it.X, isAggregateCall)
	}
	for _, o := range orderBy {
		grouped = grouped || sql.Any(o.X, isAggregateCall)
	}
	if !grouped {
		return nil
	}
	rows := *c
	g, err := newGrouping(&rows, s.GroupBy)
	if err != nil {
		return err
	}
	b.group, c.group, c.scope.grouped = g, g, g
	return nil
}

func isSubquery(e sql.Expr) bool {
	_, ok := e.(*sql.Subquery)
	return ok
}

func isAggregateCall(e sql.Expr) bool {
	call, ok := e.(*sql.Call)
	return ok && call.Over == nil && isAggregate(call.Name)
}

func (c *compiler) selectList(b *block, items []sql.Item) ([]wire.Column, error) {
	var columns []wire.Column
	for _, it := range items {
		if it.Star != nil {
			stars, err := c.star(b, it.Star)
			if err != nil {
				return nil, err
			}
			columns = append(columns, stars...)
			continue
		}
		n, err := c.expr(it.X)
		if err != nil {
			return nil, err
		}
		col, err := resultColumn(it, n)
		if err != nil {
			return nil, err
		}
		b.items = append(b.items, n)
		columns = append(columns, col)
	}
	return columns, nil
}

func (c *compiler) star(b *block, star *sql.Name) ([]wire.Column, error) {
	var columns []wire.Column
	found := false
	add := func(src *source, i int) error {
		n, err := c.starColumn(src, i, star)
		if err != nil {
			return err
		}
		b.items = append(b.items, n)
		columns = append(columns, src.columns[i])
		return nil
	}
	if star.Table == "" {
		for _, m := range c.scope.merged {
			if err := add(m.from, m.from.find(m.name)); err != nil {
				return nil, err
			}
		}
	}
	for _, src := range c.scope.sources {
		if star.Table != "" && !src.matches(star.Schema, star.Table) {
			continue
		}
		found = true
		for _, i := range src.visible() {
			if src.using[src.columns[i].Name] {
				if star.Table == "" {
					continue
				}
				return nil, at(star.Pos(), wire.Errorf(25154, "column part of USING clause cannot have qualifier"))
			}
			if err := add(src, i); err != nil {
				return nil, err
			}
		}
	}
	if !found {
		return nil, at(star.Pos(), wire.Errorf(904, "%s: invalid identifier", quote(star.Table)))
	}
	return columns, nil
}

func (c *compiler) starColumn(src *source, i int, star *sql.Name) (*node, error) {
	if c.group != nil {
		return nil, at(star.Pos(), wire.Errorf(979, "not a GROUP BY expression"))
	}
	if src.ambiguous[src.columns[i].Name] {
		return nil, at(star.Pos(), wire.Errorf(918, "%s: column ambiguously specified", quote(src.columns[i].Name)))
	}
	src.used[i] = true
	return columnNode(reference{column: src.offset + i, source: src, typ: src.columns[i].Type, null: src.columns[i].Nullable}), nil
}

// resultColumn describes an item. Size 0 has no value on the wire (reference tns-server 6), so an untyped NULL is one character.
func resultColumn(it sql.Item, n *node) (wire.Column, error) {
	t := n.typ
	switch {
	case t.Code == 0:
		t = textType(1)
	case isText(t) && t.Size == 0:
		t.Size = 1
	}
	col := wire.Column{Name: it.Alias, Type: t, Nullable: n.nullable}
	if col.Name == "" {
		col.Name = itemName(it)
	}
	return col, nil
}

// itemName names a column after its expression: the column's own name, or the text without blanks in upper case.
func itemName(it sql.Item) string {
	if n, ok := it.X.(*sql.Name); ok {
		return n.Column
	}
	var b strings.Builder
	quoted := byte(0)
	for i := range len(it.Text) {
		ch := it.Text[i]
		switch {
		case quoted != 0:
			if ch == quoted {
				quoted = 0
			}
			b.WriteByte(ch)
		case ch == '\'' || ch == '"':
			quoted = ch
			b.WriteByte(ch)
		case ch == ' ' || ch == '\n' || ch == '\t' || ch == '\r':
		case ch >= 'a' && ch <= 'z':
			b.WriteByte(ch - 32)
		default:
			b.WriteByte(ch)
		}
	}
	name := b.String()
	if len(name) > 128 {
		name = name[:128]
	}
	return name
}

// rownumLimit takes a condition ROWNUM <= n out of the tree: the block ends there.
func (c *compiler) rownumLimit(tree *joinTree) int64 {
	for i, e := range tree.conditions {
		cmp, ok := e.(*sql.Compare)
		if !ok || cmp.Quantifier != "" || cmp.Op != "<=" && cmp.Op != "<" {
			continue
		}
		name, ok := cmp.L.(*sql.Name)
		if !ok || name.Column != "ROWNUM" || name.Table != "" || name.Quoted {
			continue
		}
		n, err := c.expr(cmp.R)
		if err != nil || !n.constant || n.value.Kind != datum.Number {
			continue
		}
		limit := int64(small(n.value))
		if whole, ok := smallNumber(&n.value); cmp.Op == "<" && ok && int64(whole) == limit {
			limit--
		}
		tree.conditions = append(tree.conditions[:i:i], tree.conditions[i+1:]...)
		return max(limit, 0)
	}
	return -1
}

// open starts reading the block for a row of the outer block.
func (b *block) open(outer *frame) (rowSource, error) {
	f := &frame{x: b.x, outer: outer, row: make([]datum.Datum, b.width)}
	r := &blockRows{block: b, f: f}
	t, err := every(f, b.once)
	if err != nil {
		return nil, err
	}
	if t != isTrue || b.limit == 0 {
		r.ended = true
	} else if err := b.start(f); err != nil {
		_ = b.loop.close()
		return nil, err
	}
	rows, err := b.finish(r)
	if err != nil {
		_ = r.close()
		return nil, err
	}
	return rows, nil
}

func (b *block) start(f *frame) error {
	if b.lock != nil {
		if err := b.lock.acquire(b, f); err != nil {
			return err
		}
	}
	return b.loop.open(f)
}

// finish puts grouping, DISTINCT and order on the rows; a block without them streams.
func (b *block) finish(r *blockRows) (rowSource, error) {
	if b.group != nil {
		var err error
		if r.groups, err = b.group.collect(r.f, r.advance); err != nil {
			return nil, err
		}
		r.grouped = true
	}
	switch {
	case b.counted:
		r.f.windows = make([]datum.Datum, len(b.windows.calls))
	case len(b.windows.calls) > 0:
		if err := r.runWindows(); err != nil {
			return nil, err
		}
	}
	if len(b.order) == 0 || b.ordered {
		if b.distinct {
			return &distinctRows{rows: r, seen: make(map[string]struct{})}, nil
		}
		return r, nil
	}
	return b.sorted(r)
}

// blockRows are the rows of a block before DISTINCT and order.
type blockRows struct {
	block   *block
	f       *frame
	count   int64 // rows that passed, for ROWNUM
	ended   bool
	grouped bool
	groups  []*group
	// saved are the rows with what the analytic functions say of them; replay says that they are yielded now.
	saved  []savedRow
	replay bool
}

// advance moves the frame to the next row that passes WHERE.
func (r *blockRows) advance(f *frame) (bool, error) {
	b := r.block
	for !r.ended {
		if b.limit >= 0 && r.count >= b.limit {
			r.ended = true
			break
		}
		ok, err := b.loop.next(f)
		if err != nil {
			return false, err
		}
		if !ok {
			r.ended = true
			break
		}
		f.rownum = r.count + 1
		if len(b.last) > 0 {
			t, err := every(f, b.last)
			if err != nil {
				return false, err
			}
			if t != isTrue {
				continue
			}
		}
		r.count++
		return true, nil
	}
	return false, nil
}

// step moves to the next row or group that the block yields.
func (r *blockRows) step() (bool, error) {
	if r.replay {
		return r.restore(), nil
	}
	if !r.grouped {
		ok, err := r.advance(r.f)
		if ok && r.block.counted {
			for i := range r.f.windows {
				r.f.windows[i] = scalar.Int(r.count)
			}
		}
		return ok, err
	}
	for len(r.groups) > 0 {
		g := r.groups[0]
		r.groups = r.groups[1:]
		r.f.keys = g.keys
		for i, k := range r.block.group.keys {
			if k.column >= 0 {
				r.f.row[k.column] = g.keys[i] // for subqueries
			}
		}
		r.f.aggregates = make([]datum.Datum, len(g.states))
		for i, a := range r.block.group.aggregates {
			var err error
			if r.f.aggregates[i], err = a.result(&g.states[i]); err != nil {
				return false, err
			}
		}
		if r.block.having == nil {
			return true, nil
		}
		t, err := r.block.having(r.f)
		if err != nil || t == isTrue {
			return t == isTrue, err
		}
	}
	return false, nil
}

func (r *blockRows) next(dst []datum.Datum) (bool, error) {
	ok, err := r.step()
	if err != nil || !ok {
		return false, err
	}
	return true, r.project(dst)
}

func (r *blockRows) project(dst []datum.Datum) error {
	r.block.sequences.newRow()
	for i, n := range r.block.items {
		if n.column >= 0 {
			dst[i] = r.f.row[n.column]
			continue
		}
		var err error
		if dst[i], err = n.eval(r.f); err != nil {
			return err
		}
	}
	return nil
}

func (r *blockRows) close() error { return r.block.loop.close() }

type distinctRows struct {
	rows rowSource
	seen map[string]struct{}
	buf  []byte
}

func (r *distinctRows) next(dst []datum.Datum) (bool, error) {
	for {
		ok, err := r.rows.next(dst)
		if err != nil || !ok {
			return false, err
		}
		r.buf = rowKeyOf(r.buf[:0], dst)
		if _, dup := r.seen[string(r.buf)]; !dup {
			r.seen[string(r.buf)] = struct{}{}
			return true, nil
		}
	}
}

func (r *distinctRows) close() error { return r.rows.close() }
