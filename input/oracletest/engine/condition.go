package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// condition compiles what is true, false or unknown.
func (c *compiler) condition(e sql.Expr) (test, error) {
	switch e := e.(type) {
	case *sql.Name:
		if t, ok := c.blockCondition(e); ok {
			return t, nil
		}
	case *sql.Logic:
		return c.logic(e)
	case *sql.Not:
		inner, err := c.condition(e.X)
		if err != nil {
			return nil, err
		}
		return func(f *frame) (truth, error) {
			t, err := inner(f)
			return t.not(), err
		}, nil
	case *sql.Compare:
		if e.Quantifier != "" {
			return c.quantified(e)
		}
		if l, ok := e.L.(*sql.Row); ok {
			return c.compareRows(e, l)
		}
		return c.compareExprs(e.Op, e.L, e.R, e.Pos())
	case *sql.IsNull:
		return c.isNull(e)
	case *sql.Between:
		return c.between(e)
	case *sql.Like:
		return c.like(e)
	case *sql.In:
		return c.in(e)
	case *sql.Exists:
		return c.exists(e)
	}
	return nil, at(e.Pos(), wire.Errorf(920, "invalid relational operator"))
}

func (c *compiler) logic(e *sql.Logic) (test, error) {
	l, err := c.condition(e.L)
	if err != nil {
		return nil, err
	}
	r, err := c.condition(e.R)
	if err != nil {
		return nil, err
	}
	// decided is the side that decides alone.
	decided := truthOf(!e.And)
	return func(f *frame) (truth, error) {
		a, err := l(f)
		if err != nil || a == decided {
			return a, err
		}
		b, err := r(f)
		if err != nil || b == decided {
			return b, err
		}
		if a == isUnknown || b == isUnknown {
			return isUnknown, nil
		}
		return decided.not(), nil
	}, nil
}

func (c *compiler) isNull(e *sql.IsNull) (test, error) {
	n, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	want := !e.Not
	if i := n.column; i >= 0 {
		return func(f *frame) (truth, error) { return truthOf((f.row[i].Kind == datum.Null) == want), nil }, nil
	}
	return func(f *frame) (truth, error) {
		d, err := n.eval(f)
		return truthOf(d.IsNull() == want), err
	}, nil
}

func (c *compiler) between(e *sql.Between) (test, error) {
	low, err := c.compareExprs(">=", e.X, e.Low, e.Pos())
	if err != nil {
		return nil, err
	}
	high, err := c.compareExprs("<=", e.X, e.High, e.Pos())
	if err != nil {
		return nil, err
	}
	return func(f *frame) (truth, error) {
		a, err := low(f)
		if err != nil {
			return isUnknown, err
		}
		b, err := high(f)
		if err != nil {
			return isUnknown, err
		}
		t := isTrue
		switch {
		case a == isFalse || b == isFalse:
			t = isFalse
		case a == isUnknown || b == isUnknown:
			t = isUnknown
		}
		if e.Not {
			t = t.not()
		}
		return t, nil
	}, nil
}

func (c *compiler) compareExprs(op string, l, r sql.Expr, pos int) (test, error) {
	if row, ok := r.(*sql.Row); ok && len(row.Items) == 1 {
		r = row.Items[0]
	}
	ln, err := c.expr(l)
	if err != nil {
		return nil, err
	}
	rn, err := c.expr(r)
	if err != nil {
		return nil, err
	}
	t, err := c.compare(op, ln, rn)
	return t, at(pos, err)
}

// compare compares two expressions of any types that Oracle compares.
func (c *compiler) compare(op string, l, r *node) (test, error) {
	l, r, padded, err := c.comparable(l, r)
	if err != nil {
		return nil, err
	}
	accept := acceptance(op)
	order := scalar.Compare
	if padded {
		order = func(a, b *datum.Datum) int { return scalar.ComparePadded(a.Text, b.Text) }
	}
	if i := l.column; i >= 0 && r.constant {
		return compareColumn(i, r.value, accept, order), nil
	}
	return func(f *frame) (truth, error) {
		a, err := l.eval(f)
		if err != nil {
			return isUnknown, err
		}
		b, err := r.eval(f)
		if err != nil || a.Kind == datum.Null || b.Kind == datum.Null {
			return isUnknown, err
		}
		return truthOf(accept[order(&a, &b)+1]), nil
	}, nil
}

// compareColumn is the fast path: a column against a constant, without copying a value.
func compareColumn(i int, value datum.Datum, accept [3]bool, order func(a, b *datum.Datum) int) test {
	if value.IsNull() {
		return func(*frame) (truth, error) { return isUnknown, nil }
	}
	return func(f *frame) (truth, error) {
		d := &f.row[i]
		if d.Kind == datum.Null {
			return isUnknown, nil
		}
		return truthOf(accept[order(d, &value)+1]), nil
	}
}

// acceptance says for less, equal and greater whether op holds.
func acceptance(op string) [3]bool {
	switch op {
	case "=":
		return [3]bool{false, true, false}
	case "<>":
		return [3]bool{true, false, true}
	case "<":
		return [3]bool{true, false, false}
	case "<=":
		return [3]bool{true, true, false}
	case ">":
		return [3]bool{false, false, true}
	}
	return [3]bool{false, true, true}
}

// comparable brings two sides to one kind: numbers win over text, dates over text, zoned over local. padded is set when
// both sides are CHAR, whose trailing blanks do not count.
func (c *compiler) comparable(l, r *node) (left, right *node, padded bool, err error) {
	lt, rt := l.typ, r.typ
	switch {
	case isLOB(lt) || isLOB(rt):
		return nil, nil, false, wire.Errorf(932, "inconsistent datatypes: expected - got %s", typeName(lobOf(l, r)))
	case lt.Code == 0 || rt.Code == 0:
		return l, r, false, nil
	case isText(lt) && isText(rt):
		return l, r, lt.Code == datum.TypeChar && rt.Code == datum.TypeChar, nil
	case isInterval(lt) || isInterval(rt):
		if lt.Code != rt.Code {
			return nil, nil, false, mismatch(lt, rt)
		}
		return l, r, false, nil
	}
	t, ok := comparisonType(lt, rt)
	if !ok {
		return nil, nil, false, mismatch(lt, rt)
	}
	return c.to(l, t), c.to(r, t), false, nil
}

func mismatch(l, r datum.Type) error {
	return wire.Errorf(932, "inconsistent datatypes: expected %s got %s", typeName(l), typeName(r))
}

func comparisonType(l, r datum.Type) (datum.Type, bool) {
	if l.Code == datum.TypeClob && isText(r) {
		return l, true // NVL; comparisons do not come here
	}
	lk, rk := scalar.Kind(l), scalar.Kind(r)
	switch {
	case lk == rk:
		return l, true
	case lk == datum.Float && (rk == datum.Number || rk == datum.Text):
		return l, true
	case rk == datum.Float && (lk == datum.Number || lk == datum.Text):
		return r, true
	case lk == datum.Number && rk == datum.Text:
		return l, true
	case rk == datum.Number && lk == datum.Text:
		return r, true
	case isDatetime(l) && isDatetime(r):
		return widerDatetime(l, r), true
	case isDatetime(l) && rk == datum.Text, lk == datum.Raw && rk == datum.Text, lk == datum.RowID && rk == datum.Text:
		return l, true
	case isDatetime(r) && lk == datum.Text, rk == datum.Raw && lk == datum.Text, rk == datum.RowID && lk == datum.Text:
		return r, true
	}
	return datum.Type{}, false
}

func (c *compiler) compareRows(e *sql.Compare, l *sql.Row) (test, error) {
	if e.Op != "=" && e.Op != "<>" {
		return nil, at(e.Pos(), wire.Errorf(1796, "this operator cannot be used with lists"))
	}
	r, ok := e.R.(*sql.Row)
	switch {
	case !ok && isSubquery(e.R):
		return c.compareRowWithQuery(e, l)
	case !ok || !r.Enclosed:
		// The list on the right stands in parentheses of its own: (a, b) = ((1, 2)).
		return nil, at(e.Pos(), wire.Errorf(920, "invalid relational operator"))
	case len(r.Items) < len(l.Items):
		return nil, at(e.Pos(), wire.Errorf(947, "not enough values"))
	case len(r.Items) > len(l.Items):
		return nil, at(e.Pos(), wire.Errorf(913, "too many values"))
	}
	all, err := c.allEqual(l.Items, r.Items, e.Pos())
	if err != nil || e.Op == "=" {
		return all, err
	}
	return func(f *frame) (truth, error) {
		t, err := all(f)
		return t.not(), err
	}, nil
}

// compareRowWithQuery is (a, b) = (SELECT ...): the query yields one row at most, and none is unknown.
func (c *compiler) compareRowWithQuery(e *sql.Compare, l *sql.Row) (test, error) {
	q := e.R.(*sql.Subquery).Query //nolint:forcetypeassert // the caller has looked
	sub, err := c.subquery(q)
	if err != nil {
		return nil, err
	}
	in, err := c.in(&sql.In{X: l, Query: q})
	if err != nil {
		return nil, at(e.Pos(), err)
	}
	return func(f *frame) (truth, error) {
		count := 0
		err := sub.each(f, func([]datum.Datum) (bool, error) {
			count++
			return count < 2, nil
		})
		switch {
		case err != nil:
			return isUnknown, err
		case count > 1:
			return isUnknown, wire.Errorf(1427, "single-row subquery returns more than one row")
		case count == 0:
			return isUnknown, nil
		}
		t, err := in(f)
		if e.Op == "<>" {
			t = t.not()
		}
		return t, err
	}, nil
}

func (c *compiler) allEqual(l, r []sql.Expr, pos int) (test, error) {
	tests := make([]test, len(l))
	for i := range l {
		var err error
		if tests[i], err = c.compareExprs("=", l[i], r[i], pos); err != nil {
			return nil, err
		}
	}
	return func(f *frame) (truth, error) { return every(f, tests) }, nil
}

// every is the conjunction of tests.
func every(f *frame, tests []test) (truth, error) {
	result := isTrue
	for _, t := range tests {
		switch v, err := t(f); {
		case err != nil:
			return isUnknown, err
		case v == isFalse:
			return isFalse, nil
		case v == isUnknown:
			result = isUnknown
		}
	}
	return result, nil
}
