package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// optionalReader is a table that conditions with (+) make optional: where no row of it meets them, one of NULLs stands for it.
type optionalReader struct {
	rows  *kept
	src   *source
	on    []test
	met   bool // a row met the conditions
	ended bool
}

func (r *optionalReader) open(f *frame) error {
	r.met, r.ended = false, false
	return r.rows.open(f)
}

func (r *optionalReader) next(f *frame) (bool, error) {
	for !r.ended {
		ok, err := r.rows.next(f)
		if err != nil {
			return false, err
		}
		if !ok {
			break
		}
		t, err := every(f, r.on)
		if err != nil {
			return false, err
		}
		if t == isTrue {
			r.met = true
			return true, nil
		}
	}
	if r.met || r.ended {
		return false, nil
	}
	r.ended = true
	clear(f.row[r.src.offset : r.src.offset+r.src.width()])
	return true, nil
}

func (r *optionalReader) close() error { return r.rows.close() }

// optional is a table with its conditions that have (+).
type optional struct {
	level *level
	on    []test
	needs uint64 // other tables that the conditions read
}

// optionalTables takes the conditions with (+) out of a tree and puts the tables that they make optional behind those they depend on.
func (c *compiler) optionalTables(tree *joinTree, from []sql.Relation) error {
	var rest []sql.Expr
	found := make(map[*source]*optional)
	for _, e := range tree.conditions {
		if !sql.Any(e, isOptional) {
			rest = append(rest, e)
			continue
		}
		for _, r := range from {
			if _, ok := r.(*sql.Join); ok {
				return at(e.Pos(), errOldStyle())
			}
		}
		if err := c.optionalCondition(tree, found, e); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		return nil
	}
	tree.conditions = rest
	return arrangeOptional(tree, found)
}

func errOldStyle() error {
	return wire.Errorf(25156, "old style outer join (+) cannot be used with ANSI joins")
}

func isOptional(e sql.Expr) bool {
	n, ok := e.(*sql.Name)
	return ok && n.Optional
}

// optionalCondition compiles one condition with (+).
func (c *compiler) optionalCondition(tree *joinTree, found map[*source]*optional, e sql.Expr) error {
	if err := optionalForm(e); err != nil {
		return err
	}
	src, err := c.optionalSource(e)
	if err != nil {
		return err
	}
	c.scope.touched, c.rownum, c.optional = 0, false, true
	t, err := c.condition(e)
	c.optional = false
	if err != nil {
		return err
	}
	if c.rownum {
		return at(e.Pos(), wire.Errorf(3001, "unimplemented feature: ROWNUM in a condition with (+)"))
	}
	o := found[src]
	if o == nil {
		o = &optional{level: tree.levels[src.number]}
		found[src] = o
	}
	o.on = append(o.on, t)
	o.needs |= c.scope.touched &^ (1 << src.number)
	return nil
}

// optionalForm refuses conditions in which Oracle allows no (+).
func optionalForm(e sql.Expr) error {
	inside := func(e sql.Expr) bool {
		switch e := e.(type) {
		case *sql.Logic, *sql.Not, *sql.In:
			return sql.Any(e, isOptional)
		}
		return false
	}
	if sql.Any(e, inside) {
		return at(e.Pos(), wire.Errorf(1719, "outer join operator (+) not allowed in operand of OR or IN"))
	}
	subquery := func(e sql.Expr) bool {
		switch e := e.(type) {
		case *sql.Subquery, *sql.Exists:
			return true
		case *sql.In:
			return e.Query != nil
		}
		return false
	}
	if sql.Any(e, subquery) {
		return at(e.Pos(), wire.Errorf(1799, "a column may not be outer-joined to a subquery"))
	}
	return nil
}

// optionalSource is the table whose columns have (+) in a condition, all of them.
func (c *compiler) optionalSource(e sql.Expr) (*source, error) {
	var marked *source
	var failed error
	bare := make(map[*source]bool)
	sql.Any(e, func(part sql.Expr) bool {
		n, ok := part.(*sql.Name)
		if !ok {
			return false
		}
		ref, ok, err := c.scope.local(n)
		switch {
		case err != nil:
			failed = err
		case !ok && n.Optional:
			failed = at(n.Pos(), wire.Errorf(1705, "an outer join cannot be specified on a correlation column"))
			if _, known, err := c.scope.resolve(n); err == nil && !known {
				failed = at(n.Pos(), wire.Errorf(904, "%s: invalid identifier", nameText(n)))
			}
		case !ok:
		case !n.Optional:
			bare[ref.source] = true
		case marked != nil && marked != ref.source:
			failed = at(n.Pos(), wire.Errorf(1468, "a predicate may reference only one outer-joined table"))
		default:
			marked = ref.source
		}
		return failed != nil
	})
	if failed == nil && bare[marked] {
		failed = at(e.Pos(), wire.Errorf(3001, "unimplemented feature: a condition on columns of one table with and without (+)"))
	}
	return marked, failed
}

// arrangeOptional orders the levels of a tree: first the tables that are not optional, then every optional one behind those it needs.
func arrangeOptional(tree *joinTree, found map[*source]*optional) error {
	bySource := make(map[*level]*source, len(found))
	for src, o := range found {
		if o.needs == 0 {
			return wire.Errorf(3001, "unimplemented feature: a table with (+) that is joined to no other")
		}
		bySource[o.level] = src
	}
	var levels, waiting []*level
	have := uint64(0)
	for _, l := range tree.levels {
		if bySource[l] != nil {
			waiting = append(waiting, l)
			continue
		}
		levels = append(levels, l)
		have |= l.sources
	}
	for len(waiting) > 0 {
		var later []*level
		for _, l := range waiting {
			src := bySource[l]
			o := found[src]
			if o.needs&^have != 0 {
				later = append(later, l)
				continue
			}
			l.reader = &optionalReader{rows: &kept{reader: l.reader}, src: src, on: o.on}
			(&side{sources: []*source{src}}).makeNullable()
			levels = append(levels, l)
			have |= l.sources
		}
		if len(later) == len(waiting) {
			return wire.Errorf(1416, "two tables cannot be outer-joined to each other")
		}
		waiting = later
	}
	tree.levels = levels
	return nil
}
