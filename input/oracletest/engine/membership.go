package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func (c *compiler) in(e *sql.In) (test, error) {
	var inner test
	var err error
	switch row, isRow := e.X.(*sql.Row); {
	case e.Query != nil:
		inner, err = c.inQuery(e)
	case isRow:
		inner, err = c.inRows(e, row)
	default:
		inner, err = c.inList(e)
	}
	if err != nil || !e.Not {
		return inner, err
	}
	return func(f *frame) (truth, error) {
		t, err := inner(f)
		return t.not(), err
	}, nil
}

func (c *compiler) inRows(e *sql.In, row *sql.Row) (test, error) {
	tests := make([]test, len(e.List))
	for i, item := range e.List {
		r, ok := item.(*sql.Row)
		if !ok || len(r.Items) != len(row.Items) {
			return nil, at(item.Pos(), wire.Errorf(920, "invalid relational operator"))
		}
		var err error
		if tests[i], err = c.allEqual(row.Items, r.Items, e.Pos()); err != nil {
			return nil, err
		}
	}
	return anyOf(tests), nil
}

func anyOf(tests []test) test {
	return func(f *frame) (truth, error) {
		result := isFalse
		for _, t := range tests {
			switch v, err := t(f); {
			case err != nil:
				return isUnknown, err
			case v == isTrue:
				return isTrue, nil
			case v == isUnknown:
				result = isUnknown
			}
		}
		return result, nil
	}
}

func (c *compiler) inList(e *sql.In) (test, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	items, err := c.exprs(e.List)
	if err != nil {
		return nil, err
	}
	if set := c.constantSet(x, items); set != nil {
		return set, nil
	}
	tests := make([]test, len(items))
	for i, item := range items {
		if tests[i], err = c.compare("=", x, item); err != nil {
			return nil, at(e.Pos(), err)
		}
	}
	return anyOf(tests), nil
}

// constantSet looks values up in a set instead of comparing with each: the id lists of a capture query are long. It is nil
// when the list does not allow it.
func (c *compiler) constantSet(x *node, items []*node) test {
	kind := scalar.Kind(x.typ)
	if len(items) < 4 || x.typ.Code == datum.TypeChar || x.typ.Code == 0 || isInterval(x.typ) || isLOB(x.typ) {
		return nil
	}
	keys := make(map[string]struct{}, len(items))
	small := make(map[uint64]struct{}, len(items))
	unknown := false
	for _, item := range items {
		if !item.constant || kind != scalar.Kind(item.typ) && item.typ.Code != 0 {
			return nil
		}
		if item.value.IsNull() {
			unknown = true
			continue
		}
		keys[string(scalar.AppendKey(nil, &item.value))] = struct{}{}
		if n, ok := smallNumber(&item.value); ok {
			small[n] = struct{}{}
		}
	}
	absent := isFalse
	if unknown {
		absent = isUnknown
	}
	return func(f *frame) (truth, error) {
		d, err := x.eval(f)
		if err != nil || d.IsNull() {
			return isUnknown, err
		}
		if n, ok := smallNumber(&d); ok && len(small) > 0 {
			if _, ok := small[n]; ok {
				return isTrue, nil
			}
			return absent, nil
		}
		var buf [64]byte
		if _, ok := keys[string(scalar.AppendKey(buf[:0], &d))]; ok {
			return isTrue, nil
		}
		return absent, nil
	}
}

// smallNumber is a NUMBER that is an unsigned integer; normalised NUMBERs have one form.
func smallNumber(d *datum.Datum) (uint64, bool) {
	if d.Kind != datum.Number || d.Number.Negative || d.Number.Exponent != 0 || !d.Number.Coeff.IsUint64() {
		return 0, false
	}
	return d.Number.Coeff.Uint64(), true
}

func (c *compiler) exists(e *sql.Exists) (test, error) {
	sub, err := c.subquery(e.Query)
	if err != nil {
		return nil, err
	}
	return func(f *frame) (truth, error) {
		found := false
		err := sub.each(f, func([]datum.Datum) (bool, error) {
			found = true
			return false, nil
		})
		return truthOf(found), err
	}, nil
}

func (c *compiler) inQuery(e *sql.In) (test, error) {
	left := []sql.Expr{e.X}
	if row, ok := e.X.(*sql.Row); ok {
		left = row.Items
	}
	return c.anyOfQuery("=", left, e.Query, e.Pos())
}

// anyOfQuery is true when op holds between left and any row of a query.
func (c *compiler) anyOfQuery(op string, left []sql.Expr, q *sql.Query, pos int) (test, error) {
	nodes, err := c.exprs(left)
	if err != nil {
		return nil, err
	}
	sub, err := c.subquery(q)
	if err != nil {
		return nil, err
	}
	if len(sub.columns) != len(nodes) {
		return nil, at(pos, valueCount(len(sub.columns), len(nodes)))
	}
	cell := make([]datum.Datum, len(nodes))
	tests := make([]test, len(nodes))
	for i, n := range nodes {
		right := computed(sub.columns[i].Type, func(*frame) (datum.Datum, error) { return cell[i], nil })
		if tests[i], err = c.compare(op, n, right); err != nil {
			return nil, at(pos, err)
		}
	}
	return func(f *frame) (truth, error) {
		result := isFalse
		err := sub.each(f, func(row []datum.Datum) (bool, error) {
			copy(cell, row)
			t, err := every(f, tests)
			if t == isTrue {
				result = isTrue
				return false, err
			}
			if t == isUnknown {
				result = isUnknown
			}
			return true, err
		})
		return result, err
	}, nil
}

func (c *compiler) quantified(e *sql.Compare) (test, error) {
	// x op ALL (...) is NOT (x inverse-op ANY (...)).
	op, negate := e.Op, e.Quantifier == "ALL"
	if negate {
		op = map[string]string{"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[op]
	}
	var inner test
	var err error
	if q, ok := e.R.(*sql.Subquery); ok {
		inner, err = c.anyOfQuery(op, []sql.Expr{e.L}, q.Query, e.Pos())
	} else if row, ok := e.R.(*sql.Row); ok {
		tests := make([]test, len(row.Items))
		for i, item := range row.Items {
			if tests[i], err = c.compareExprs(op, e.L, item, e.Pos()); err != nil {
				return nil, err
			}
		}
		inner = anyOf(tests)
	}
	if err != nil || !negate {
		return inner, err
	}
	return func(f *frame) (truth, error) {
		t, err := inner(f)
		return t.not(), err
	}, nil
}
