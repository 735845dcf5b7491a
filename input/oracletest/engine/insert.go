package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// insertion is a compiled INSERT: where the values of the statement go, and what stands in the other columns.
type insertion struct {
	x       *execution
	table   *store.Table
	layout  *catalog.Table
	targets []scalar.Target
	columns []int   // of the table, for each value
	values  []*node // nil for INSERT ... SELECT
	missing map[int]*node
	back    *returning
	checks  []rowCheck
	derived *derived
	foreign bool // there are foreign keys to check
	uses    *sequenceUses
	// unlogged: its rows leave no redo.
	unlogged bool
}

func (s *session) insert(x *execution, stmt *sql.Insert, binds [][]datum.Datum) (wire.Result, error) {
	in, err := s.compileInsert(x, stmt)
	if err != nil {
		return wire.Result{}, err
	}
	if stmt.Query != nil {
		return s.each(x, binds, func() (int64, error) { return in.fromQuery(stmt.Query) })
	}
	return in.fromValues(binds)
}

func (s *session) compileInsert(x *execution, stmt *sql.Insert) (*insertion, error) {
	table, layout, err := s.baseTable(stmt.Table, toInsert)
	if err == nil {
		err = s.writableTable(layout)
	}
	if err != nil {
		return nil, err
	}
	in := &insertion{
		x: x, table: table, layout: layout, targets: columnTargets(layout), missing: make(map[int]*node), uses: &sequenceUses{},
		unlogged: stmt.Append && stmt.Query != nil && layout.NoLogging && !s.engine.ForceLogging(),
		foreign:  slices.ContainsFunc(layout.ForeignKeys, func(f catalog.ForeignKey) bool { return !f.Disabled }),
	}
	if in.checks, err = x.checks(layout, nil); err != nil {
		return nil, err
	}
	if in.derived, err = x.derived(layout); err != nil {
		return nil, err
	}
	if in.columns, err = insertColumns(layout, stmt.Columns); err != nil {
		return nil, err
	}
	c := &compiler{x: x, scope: &scope{}, sequences: in.uses}
	named := make([]bool, len(layout.Columns))
	for _, i := range in.columns {
		named[i] = true
	}
	for i, col := range layout.Columns {
		if !named[i] && col.Default != "" {
			if in.missing[i], err = c.defaultOf(&col); err != nil {
				return nil, err
			}
		}
	}
	if stmt.Query != nil {
		return in, nil
	}
	if len(stmt.Values) != len(in.columns) {
		return nil, valueCount(len(stmt.Values), len(in.columns))
	}
	if in.back, err = in.returning(&stmt.Returning); err != nil {
		return nil, err
	}
	in.values = make([]*node, len(stmt.Values))
	for i, e := range stmt.Values {
		if in.values[i], err = c.value(e, &layout.Columns[in.columns[i]]); err != nil {
			return nil, err
		}
	}
	return in, nil
}

func (in *insertion) returning(clause *sql.Returning) (*returning, error) {
	src := &source{owner: in.layout.Owner, name: in.layout.Name, table: in.table, layout: in.layout, columns: tableColumns(in.layout)}
	c := &compiler{x: in.x, scope: &scope{}}
	c.scope.add(src)
	return c.returning(clause, src)
}

func valueCount(values, columns int) error {
	if values > columns {
		return wire.Errorf(913, "too many values")
	}
	return wire.Errorf(947, "not enough values")
}

func columnTargets(layout *catalog.Table) []scalar.Target {
	targets := make([]scalar.Target, len(layout.Columns))
	for i, col := range layout.Columns {
		targets[i] = scalar.Target{Owner: layout.Owner, Table: layout.Name, Column: col.Name, Type: col.Type}
	}
	return targets
}

func insertColumns(layout *catalog.Table, named []sql.ColumnName) ([]int, error) {
	var columns []int
	if named == nil {
		columns = layout.Visible()
		for _, i := range columns {
			if layout.Columns[i].Virtual != "" {
				return nil, errVirtualInsert()
			}
		}
		return columns, nil
	}
	seen := make(map[int]bool)
	for _, n := range named {
		i := columnIndex(layout, n.Name)
		if i < 0 {
			return nil, at(n.Pos, wire.Errorf(904, "%s: invalid identifier", quote(n.Name)))
		}
		if seen[i] {
			return nil, at(n.Pos, wire.Errorf(957, "duplicate column name"))
		}
		if layout.Columns[i].Virtual != "" {
			return nil, at(n.Pos, errVirtualInsert())
		}
		seen[i] = true
		columns = append(columns, i)
	}
	return columns, nil
}

func errVirtualInsert() *wire.OraError {
	return wire.Errorf(54013, "INSERT operation disallowed on virtual columns")
}

// columnIndex finds a column that statements can name.
func columnIndex(layout *catalog.Table, name string) int {
	for i := range layout.Columns {
		if layout.Columns[i].Name == name && !layout.Columns[i].System() {
			return i
		}
	}
	return -1
}

// value compiles what a column is set to; the keyword DEFAULT is the column's default.
func (c *compiler) value(e sql.Expr, col *catalog.Column) (*node, error) {
	if _, ok := e.(*sql.Default); ok {
		return c.defaultOf(col)
	}
	return c.expr(e)
}

// defaultOf compiles a column's default, NULL without one.
func (c *compiler) defaultOf(col *catalog.Column) (*node, error) {
	if col.Default == "" {
		return constantNode(datum.Datum{}, datum.Type{}), nil
	}
	p, err := sql.ParseExpression(col.Default)
	if err != nil {
		return nil, err
	}
	return c.expr(p)
}

// row builds the row of a table from values in the order of the statement.
func (in *insertion) row(f *frame, values []datum.Datum, types func(i int) datum.Type) ([]datum.Datum, error) {
	row := make([]datum.Datum, len(in.layout.Columns))
	for i, d := range values {
		col := in.columns[i]
		var err error
		if row[col], err = in.x.settings.Fit(d, types(i), &in.targets[col]); err != nil {
			return nil, err
		}
	}
	for col, n := range in.missing {
		d, err := n.eval(f)
		if err != nil {
			return nil, err
		}
		if row[col], err = in.x.settings.Fit(d, n.typ, &in.targets[col]); err != nil {
			return nil, err
		}
	}
	for i := range row {
		if row[i].IsNull() && !in.layout.Columns[i].Nullable && in.layout.Columns[i].Virtual == "" {
			return nil, wire.Errorf(1400, "cannot insert NULL into (\"%s\".\"%s\".\"%s\")", in.layout.Owner, in.layout.Name, in.layout.Columns[i].Name)
		}
	}
	if err := in.derived.complete(row, nil); err != nil {
		return nil, err
	}
	if err := heed(in.x, in.layout.Owner, in.checks, row); err != nil {
		return nil, err
	}
	return row, in.x.session.checkLOBs(in.layout, row)
}

// fromValues inserts a row for every row of binds. A row that cannot be built ends the statement behind those before it.
func (in *insertion) fromValues(binds [][]datum.Datum) (wire.Result, error) {
	var rows [][]datum.Datum
	var failed error
	values := make([]datum.Datum, len(in.values))
	f := &frame{x: in.x}
	for _, bind := range binds {
		in.x.binds = bind
		in.uses.newRow()
		for i, n := range in.values {
			if values[i], failed = n.eval(f); failed != nil {
				break
			}
		}
		var row []datum.Datum
		if failed == nil {
			row, failed = in.row(f, values, func(i int) datum.Type { return in.values[i].typ })
		}
		if failed != nil {
			break
		}
		rows = append(rows, row)
	}
	var result wire.Result
	if len(rows) > 0 {
		inserted, err := in.insert(rows)
		result.RowsAffected = int64(len(inserted))
		for i, row := range inserted {
			result.Counts = append(result.Counts, 1)
			in.x.returned = nil
			err = firstOf(err, in.back.add(row, rows[i]))
			if in.back != nil {
				result.Returned = append(result.Returned, in.x.returned)
			}
		}
		if err != nil {
			return result, err
		}
	}
	return result, failed
}

// insert puts rows in, and stops at the first that a key refuses. With foreign keys every row is a statement of its own, whose end is
// when they are checked.
func (in *insertion) insert(rows [][]datum.Datum) ([]*store.Row, error) {
	s := in.x.session
	if !in.foreign {
		return s.transaction().Insert(in.x.ctx, in.table, in.layout, rows)
	}
	var inserted []*store.Row
	for i := range rows {
		_, err := s.statement(func() (int64, error) {
			one, err := s.transaction().Insert(in.x.ctx, in.table, in.layout, rows[i:i+1])
			if err == nil {
				err = s.tx.CheckParents(in.x.ctx, in.table, one)
			}
			inserted = append(inserted, one...)
			return 1, err
		})
		if err != nil {
			return inserted[:i], err
		}
	}
	return inserted, nil
}

// fromQuery inserts what a query yields; a failure undoes all of it.
func (in *insertion) fromQuery(q *sql.Query) (int64, error) {
	x := in.x
	x.top = q.Select
	compiled, err := compileQuery(x, nil, nil, q)
	if err != nil {
		return 0, err
	}
	if len(compiled.columns) != len(in.columns) {
		return 0, valueCount(len(compiled.columns), len(in.columns))
	}
	source, err := compiled.open(nil)
	if err != nil {
		return 0, err
	}
	tx, mark := x.session.mark()
	n, err := in.copyRows(source, compiled.columns)
	if err != nil {
		if undoErr := x.session.rollbackTo(tx, mark); undoErr != nil {
			return 0, undoErr
		}
		return 0, err
	}
	return n, nil
}

// insertBatch is how many rows of a query go in under one redo record at most.
const insertBatch = 64

func (in *insertion) copyRows(source rowSource, columns []wire.Column) (int64, error) {
	defer func() { _ = source.close() }()
	f := &frame{x: in.x}
	types := func(i int) datum.Type { return columns[i].Type }
	values := make([]datum.Datum, len(columns))
	var rows [][]datum.Datum
	total := int64(0)
	var all []*store.Row
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		put := in.x.session.transaction().Insert
		if in.unlogged {
			put = in.x.session.transaction().Load
		}
		inserted, err := put(in.x.ctx, in.table, in.layout, rows)
		total += int64(len(inserted))
		if in.foreign {
			all = append(all, inserted...)
		}
		rows = rows[:0]
		return err
	}
	for {
		ok, err := source.next(values)
		if err != nil {
			return total, err
		}
		if !ok {
			if err := flush(); err != nil || len(all) == 0 {
				return total, err
			}
			return total, in.x.session.tx.CheckParents(in.x.ctx, in.table, all)
		}
		in.uses.newRow()
		row, err := in.row(f, values, types)
		if err != nil {
			// The rows before it were inserted when Oracle meets the bad one: they are in the redo, and undone.
			return total, firstOf(flush(), err)
		}
		if rows = append(rows, row); len(rows) == insertBatch {
			if err := flush(); err != nil {
				return total, err
			}
		}
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
