package engine

import (
	"slices"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// rowSource yields rows into dst, which has a cell for every column.
type rowSource interface {
	next(dst []datum.Datum) (bool, error)
	close() error
}

// query is a compiled query. It may be opened again and again, but one opening must end before the next begins.
type query struct {
	columns    []wire.Column
	correlated bool   // it reads the row of an outer block
	untyped    []bool // columns that are nothing but NULL and have no type yet; nil for none
	open       func(outer *frame) (rowSource, error)

	// An uncorrelated subquery is run once.
	kept     bool
	keptRows [][]datum.Datum
}

func (q *query) isUntyped(i int) bool { return i < len(q.untyped) && q.untyped[i] }

// compileQuery compiles a query inside the scope of an outer block, which may be nil.
func compileQuery(x *execution, outer *scope, with map[string]*commonTable, q *sql.Query) (*query, error) {
	if len(q.With) > 0 {
		for i, def := range q.With {
			if slices.ContainsFunc(q.With[:i], func(d sql.CommonTable) bool { return d.Name == def.Name }) {
				return nil, wire.Errorf(3001, "unimplemented feature: WITH of two tables named %s", quote(def.Name))
			}
		}
		with = withTables(outer, with, q.With)
	}
	var out *query
	var err error
	if q.Select != nil && len(q.Sets) == 0 {
		x.ties = q.Ties
		out, err = compileSelect(x, outer, with, q.Select, q.OrderBy, q.Lock)
	} else {
		out, err = compileSets(x, outer, with, q)
	}
	if err != nil || q.Offset == nil && q.Fetch == nil {
		return out, err
	}
	if q.Percent && q.Offset != nil {
		return nil, wire.Errorf(3001, "unimplemented feature: OFFSET with FETCH PERCENT")
	}
	if q.Lock != nil {
		return nil, wire.Errorf(2014, "SELECT FOR UPDATE cannot be used here")
	}
	return limitRows(x, outer, with, q, out)
}

func withTables(outer *scope, before map[string]*commonTable, defs []sql.CommonTable) map[string]*commonTable {
	with := make(map[string]*commonTable, len(before)+len(defs))
	for name, t := range before {
		with[name] = t
	}
	for _, def := range defs {
		seen := make(map[string]*commonTable, len(with))
		for name, t := range with {
			seen[name] = t
		}
		with[def.Name] = &commonTable{def: def, scope: outer, with: seen}
	}
	return with
}

// limitRows is OFFSET and FETCH FIRST.
func limitRows(x *execution, outer *scope, with map[string]*commonTable, q *sql.Query, inner *query) (*query, error) {
	c := &compiler{x: x, scope: &scope{outer: outer}, with: with}
	bound := func(e sql.Expr) (*node, error) {
		if e == nil {
			return nil, nil
		}
		n, err := c.expr(e)
		if err != nil {
			return nil, err
		}
		return c.toNumber(n), nil
	}
	offset, err := bound(q.Offset)
	if err != nil {
		return nil, err
	}
	fetch, err := bound(q.Fetch)
	if err != nil {
		return nil, err
	}
	out := &query{columns: inner.columns, untyped: inner.untyped, correlated: inner.correlated || c.scope.reaches}
	out.open = func(of *frame) (rowSource, error) {
		r := &limitedRows{left: -1, ties: q.Ties}
		share := datum.Datum{}
		f := &frame{x: x, outer: of}
		if offset != nil {
			d, err := offset.eval(f)
			if err != nil {
				return nil, err
			}
			if d.IsNull() {
				return &listRows{}, nil
			}
			r.skip = max(0, small(d))
		}
		if fetch != nil {
			d, err := fetch.eval(f)
			if err != nil {
				return nil, err
			}
			r.left = 0
			if !d.IsNull() {
				r.left = max(0, small(d))
			}
			share = d
		}
		var err error
		if r.rows, err = inner.open(of); err == nil && q.Percent {
			err = r.percent(share, len(inner.columns))
		}
		return r, err
	}
	return out, nil
}

// percent reads all rows, of which the limit is a share that is rounded up.
func (r *limitedRows) percent(share datum.Datum, width int) error {
	list, ok := r.rows.(*listRows)
	if !ok {
		rows, err := readAll(r.rows, width)
		if err != nil {
			return err
		}
		list = &listRows{rows: rows}
		r.rows = list
	}
	if share.IsNull() || share.Number.Negative {
		r.left = 0
		return nil
	}
	n, err := scalar.Arithmetic('*', share.Number, apd.New(int64(len(list.rows)), 0))
	if err != nil {
		return err
	}
	if n, err = scalar.Arithmetic('/', n, apd.New(100, 0)); err != nil {
		return err
	}
	r.left = small(datum.Datum{Kind: datum.Number, Number: scalar.Ceil(n)})
	return nil
}

type limitedRows struct {
	rows rowSource
	skip int
	left int // negative: no limit
	ties bool
}

func (r *limitedRows) next(dst []datum.Datum) (bool, error) {
	for ; r.skip > 0; r.skip-- {
		if ok, err := r.rows.next(dst); err != nil || !ok {
			return false, err
		}
	}
	if r.left == 0 {
		if list, ok := r.rows.(*listRows); !r.ties || !ok || !list.tied() {
			return false, nil
		}
		return r.rows.next(dst)
	}
	r.left--
	return r.rows.next(dst)
}

func (r *limitedRows) close() error { return r.rows.close() }

// subquery compiles a query that stands in an expression.
func (c *compiler) subquery(q *sql.Query) (*query, error) {
	if c.procedural != nil {
		return nil, c.x.compilation(selectPos(q), "PLS-00405", "subquery not allowed in this context")
	}
	out, err := compileQuery(c.x, c.scope, c.with, q)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// each runs a subquery for the row in hand until fn returns false.
func (q *query) each(f *frame, fn func(row []datum.Datum) (bool, error)) error {
	if !q.correlated {
		return q.eachKept(f, fn)
	}
	rows, err := q.open(f)
	if err != nil {
		return err
	}
	row := make([]datum.Datum, len(q.columns))
	for {
		ok, err := rows.next(row)
		if err == nil && ok {
			ok, err = fn(row)
		}
		if err != nil || !ok {
			if closeErr := rows.close(); err == nil {
				err = closeErr
			}
			return err
		}
	}
}

func (q *query) eachKept(f *frame, fn func(row []datum.Datum) (bool, error)) error {
	if !q.kept {
		rows, err := q.open(f)
		if err != nil {
			return err
		}
		if q.keptRows, err = readAll(rows, len(q.columns)); err != nil {
			return err
		}
		q.kept = true
	}
	for _, row := range q.keptRows {
		if more, err := fn(row); err != nil || !more {
			return err
		}
	}
	return nil
}

// readAll reads and closes rows.
func readAll(rows rowSource, width int) ([][]datum.Datum, error) {
	var all [][]datum.Datum
	for {
		row := make([]datum.Datum, width)
		ok, err := rows.next(row)
		if err != nil || !ok {
			if closeErr := rows.close(); err == nil {
				err = closeErr
			}
			return all, err
		}
		all = append(all, row)
	}
}

func (c *compiler) scalarSubquery(q *sql.Query) (*node, error) {
	sub, err := c.subquery(q)
	if err != nil {
		return nil, err
	}
	if len(sub.columns) != 1 {
		return nil, wire.Errorf(913, "too many values")
	}
	return computed(sub.columns[0].Type, func(f *frame) (datum.Datum, error) {
		var value datum.Datum
		count := 0
		err := sub.each(f, func(row []datum.Datum) (bool, error) {
			if count++; count > 1 {
				return false, wire.Errorf(1427, "single-row subquery returns more than one row")
			}
			value = row[0]
			return true, nil
		})
		return value, err
	}), nil
}

// listRows are rows in memory.
type listRows struct {
	rows [][]datum.Datum
	at   int
	// keys are what order has sorted the rows by; both are nil for rows in no order.
	keys  [][]datum.Datum
	order []sortKey
}

// tied reports whether the row to come is equal to the one before it by the order of the rows.
func (r *listRows) tied() bool {
	if r.at == 0 || r.at >= len(r.keys) {
		return false
	}
	return compareKeys(r.order, r.keys[r.at-1], r.keys[r.at]) == 0
}

func (r *listRows) next(dst []datum.Datum) (bool, error) {
	if r.at == len(r.rows) {
		return false, nil
	}
	copy(dst, r.rows[r.at])
	r.rows[r.at] = nil
	r.at++
	return true, nil
}

func (r *listRows) close() error { return nil }

func rowKeyOf(buf []byte, row []datum.Datum) []byte {
	for i := range row {
		buf = scalar.AppendKey(buf, &row[i])
	}
	return buf
}
