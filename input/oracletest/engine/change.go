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

// target is the table of an UPDATE or DELETE with the rows that its WHERE finds.
type target struct {
	x      *execution
	c      *compiler
	table  *store.Table
	layout *catalog.Table
	src    *source
	reader *tableReader
	loop   *loop
	once   []test
	last   []test
	f      *frame
	checks []rowCheck
	// derived and set are of an UPDATE.
	derived *derived
	set     []bool
	uses    *sequenceUses // of SET
}

func (s *session) target(x *execution, name sql.Object, alias string, where sql.Expr, to access) (*target, error) {
	table, layout, err := s.baseTable(name, to)
	if err == nil {
		err = s.writableTable(layout)
	}
	if err != nil {
		return nil, err
	}
	if where != nil {
		// Who may not read must not find out by conditions (SQL92_SECURITY, on since 12.2).
		if err := s.permit(toRead, name, layout.Owner, layout.Name); err != nil {
			return nil, err
		}
	}
	src := &source{owner: layout.Owner, name: layout.Name, alias: alias, table: table, layout: layout, columns: tableColumns(layout)}
	t := &target{x: x, table: table, layout: layout, src: src, reader: &tableReader{src: src}}
	t.c = &compiler{x: x, scope: &scope{}}
	tree := &joinTree{conditions: conjuncts(where)}
	if err := t.c.addSource(tree, src, t.reader); err != nil {
		return nil, err
	}
	if t.once, t.last, err = t.c.place(tree); err != nil {
		return nil, err
	}
	t.loop = newLoop(tree.levels)
	return t, nil
}

// tableColumns describes a table as a relation.
func tableColumns(layout *catalog.Table) []wire.Column {
	columns := make([]wire.Column, len(layout.Columns))
	for i, col := range layout.Columns {
		columns[i] = wire.Column{Name: col.Name, Type: col.Type, Nullable: col.Nullable}
		if col.System() {
			columns[i].Name = "" // which no text can name
		}
	}
	return columns
}

// lockRows finds the rows of the statement and locks them. If one of them was changed since the statement's snapshot, as after waiting for
// another transaction, the search starts again on a new snapshot, as Oracle restarts the statement; the locks stay.
func (t *target) lockRows() ([]store.Found, error) {
	t.f = &frame{x: t.x, row: make([]datum.Datum, t.c.scope.width)}
	for {
		rows, err := t.find()
		if err != nil {
			return nil, err
		}
		stable := true
		for _, found := range rows {
			same, err := t.x.session.lock(t.x.ctx, found, false)
			if err != nil {
				return nil, err
			}
			stable = stable && same
		}
		if stable {
			return rows, nil
		}
		t.x.refresh()
	}
}

func (t *target) find() ([]store.Found, error) {
	if ok, err := every(t.f, t.once); err != nil || ok != isTrue {
		return nil, err
	}
	if err := t.loop.open(t.f); err != nil {
		return nil, err
	}
	rows := &blockRows{block: &block{loop: t.loop, last: t.last, limit: -1}, f: t.f}
	var list []store.Found
	for {
		ok, err := rows.advance(t.f)
		if err != nil || !ok {
			return list, err
		}
		list = append(list, t.reader.current)
	}
}

// present puts a row that was found into the frame again.
func (t *target) present(found store.Found) {
	copy(t.f.row[t.src.offset:], found.Values)
	if t.src.wantRowID {
		t.f.row[t.src.rowID] = datum.Datum{Kind: datum.RowID, Text: store.RowID(found.Row)}
	}
}

// statement runs the changes of a statement; a failure undoes them and gives back the statement's locks.
func (s *session) statement(run func() (int64, error)) (int64, error) {
	tx, mark := s.mark()
	n, err := run()
	if err == nil {
		return n, nil
	}
	if undoErr := s.rollbackTo(tx, mark); undoErr != nil {
		return 0, undoErr
	}
	return 0, err
}

func (s *session) remove(x *execution, stmt *sql.Delete) (int64, error) {
	t, err := s.target(x, stmt.Table, stmt.Alias, stmt.Where, toDelete)
	if err != nil {
		return 0, err
	}
	back, err := t.c.returning(&stmt.Returning, t.src)
	if err != nil {
		return 0, err
	}
	return s.statement(func() (int64, error) {
		rows, err := t.lockRows()
		if err != nil {
			return 0, err
		}
		for _, found := range rows {
			if err := s.tx.Delete(x.ctx, t.table, t.layout, found.Row); err != nil {
				return 0, err
			}
			if err := back.add(found.Row, found.Values); err != nil {
				return 0, err
			}
		}
		return int64(len(rows)), s.orphaned(x.ctx, t.table, valuesOf(rows), true)
	})
}

// assignment is one member of SET, compiled.
type assignment struct {
	columns []int
	value   *node  // of a single column
	query   *query // of several, or NULLs if it has no row
}

// updating is a compiled UPDATE.
type updating struct {
	*target
	assignments []assignment
	back        *returning
}

func (s *session) compileUpdate(x *execution, stmt *sql.Update) (*updating, error) {
	t, err := s.target(x, stmt.Table, stmt.Alias, stmt.Where, toUpdate)
	if err != nil {
		return nil, err
	}
	u := &updating{target: t}
	u.set = make([]bool, len(t.layout.Columns))
	if t.derived, err = x.derived(t.layout); err != nil {
		return nil, err
	}
	t.c.sequences = &sequenceUses{}
	for _, a := range stmt.Set {
		compiled, err := t.assignment(a, u.set)
		if err != nil {
			return nil, err
		}
		u.assignments = append(u.assignments, compiled)
	}
	t.uses, t.c.sequences = t.c.sequences, nil
	t.derived.widen(u.set)
	if t.checks, err = x.checks(t.layout, u.set); err != nil {
		return nil, err
	}
	u.back, err = t.c.returning(&stmt.Returning, t.src)
	return u, err
}

func (s *session) update(x *execution, stmt *sql.Update) (int64, error) {
	u, err := s.compileUpdate(x, stmt)
	if err != nil {
		return 0, err
	}
	return s.statement(func() (int64, error) {
		rows, err := u.lockRows()
		if err != nil {
			return 0, err
		}
		return int64(len(rows)), u.apply(rows, u.assignments, u.set, u.back)
	})
}

func (t *target) assignment(a sql.Assignment, set []bool) (assignment, error) {
	var out assignment
	for _, name := range a.Columns {
		i := columnIndex(t.layout, name.Name)
		if i < 0 {
			return out, at(name.Pos, wire.Errorf(904, "%s: invalid identifier", quote(name.Name)))
		}
		if set[i] {
			return out, at(name.Pos, wire.Errorf(957, "duplicate column name"))
		}
		if t.layout.Columns[i].Virtual != "" {
			return out, at(name.Pos, wire.Errorf(54017, "UPDATE operation disallowed on virtual columns"))
		}
		set[i] = true
		out.columns = append(out.columns, i)
	}
	var err error
	if a.Query == nil {
		out.value, err = t.c.value(a.X, &t.layout.Columns[out.columns[0]])
		return out, err
	}
	if out.query, err = t.c.subquery(a.Query); err != nil {
		return out, err
	}
	if len(out.query.columns) != len(out.columns) {
		return out, valueCount(len(out.query.columns), len(out.columns))
	}
	return out, nil
}

// apply changes the locked rows and checks the unique keys when all are changed, as a statement that shifts keys needs.
func (t *target) apply(rows []store.Found, assignments []assignment, set []bool, back *returning) error {
	targets := columnTargets(t.layout)
	tx := t.x.session.tx
	changed := make([]*store.Row, 0, len(rows))
	for _, found := range rows {
		t.present(found)
		t.uses.newRow()
		values, err := t.newValues(found.Values, assignments, targets)
		if err != nil {
			return err
		}
		row, err := tx.Update(t.x.ctx, t.table, t.layout, found.Row, values, set)
		if err != nil {
			return err
		}
		if err := back.add(row, values); err != nil {
			return err
		}
		changed = append(changed, row)
	}
	if len(changed) == 0 {
		return nil
	}
	if touchesKey(t.layout.Keys(), set) {
		if err := tx.CheckUnique(t.x.ctx, t.table, changed); err != nil {
			return err
		}
		if err := t.x.session.orphaned(t.x.ctx, t.table, valuesOf(rows), false); err != nil {
			return err
		}
	}
	if touchesForeign(t.layout, set) {
		return tx.CheckParents(t.x.ctx, t.table, changed)
	}
	return nil
}

func touchesForeign(layout *catalog.Table, set []bool) bool {
	return slices.ContainsFunc(layout.ForeignKeys, func(f catalog.ForeignKey) bool { return touchesKey([]catalog.Constraint{f.Constraint}, set) })
}

func touchesKey(keys []catalog.Constraint, set []bool) bool {
	for _, k := range keys {
		for _, i := range k.Columns {
			if set[i] {
				return true
			}
		}
	}
	return false
}

func (t *target) newValues(old []datum.Datum, assignments []assignment, targets []scalar.Target) ([]datum.Datum, error) {
	values := append([]datum.Datum(nil), old...)
	put := func(i int, d datum.Datum, from datum.Type) error {
		var err error
		if values[i], err = t.x.settings.Fit(d, from, &targets[i]); err != nil {
			return err
		}
		if err := t.x.session.checkLOBs(t.layout, values[i:i+1]); err != nil {
			return err
		}
		if values[i].IsNull() && !t.layout.Columns[i].Nullable {
			return wire.Errorf(1407, "cannot update (\"%s\".\"%s\".\"%s\") to NULL", t.layout.Owner, t.layout.Name, t.layout.Columns[i].Name)
		}
		return nil
	}
	for _, a := range assignments {
		if a.value != nil {
			d, err := a.value.eval(t.f)
			if err != nil {
				return nil, err
			}
			if err := put(a.columns[0], d, a.value.typ); err != nil {
				return nil, err
			}
			continue
		}
		row, err := a.query.single(t.f)
		if err != nil {
			return nil, err
		}
		for j, i := range a.columns {
			if err := put(i, row[j], a.query.columns[j].Type); err != nil {
				return nil, err
			}
		}
	}
	if err := t.derived.complete(values, t.set); err != nil {
		return nil, err
	}
	return values, heed(t.x, t.layout.Owner, t.checks, values)
}

// single is the one row of a subquery, NULLs if it has none.
func (q *query) single(f *frame) ([]datum.Datum, error) {
	row := make([]datum.Datum, len(q.columns))
	count := 0
	err := q.each(f, func(r []datum.Datum) (bool, error) {
		if count++; count > 1 {
			return false, wire.Errorf(1427, "single-row subquery returns more than one row")
		}
		copy(row, r)
		return true, nil
	})
	return row, err
}
