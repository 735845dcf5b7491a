package engine

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Execute runs a statement.
func (s *session) Execute(ctx context.Context, stmt wire.Statement) (wire.Result, error) {
	s.show(func(i *SessionInfo) { i.Active = true })
	defer s.show(func(i *SessionInfo) { i.Active = false })
	result, err := s.execute(ctx, stmt)
	if err == nil && stmt.AutoCommit && !stmt.DescribeOnly {
		err = s.Commit(ctx)
	}
	return result, clientError(err)
}

func (s *session) execute(ctx context.Context, stmt wire.Statement) (wire.Result, error) {
	p, err := s.engine.cache.parse(stmt.SQL)
	if err != nil {
		return wire.Result{}, err
	}
	if block, ok := p.Statement.(*sql.Block); ok {
		if stmt.DescribeOnly {
			return wire.Result{}, nil
		}
		defer s.engine.statements.begin(s, p.Text).end()
		return s.runBlock(ctx, p, block, stmt)
	}
	x, rows, err := s.prepare(ctx, p, stmt)
	if err != nil {
		return wire.Result{}, err
	}
	if stmt.DescribeOnly {
		return s.describe(x, p)
	}
	x.noted = s.engine.statements.begin(s, p.Text)
	if q, ok := p.Statement.(*sql.Query); ok {
		return s.runQuery(x, q)
	}
	defer x.noted.end()
	return s.runRows(x, p, rows)
}

// prepare makes the execution of a statement and its rows of binds.
func (s *session) prepare(ctx context.Context, p *sql.Parsed, stmt wire.Statement) (*execution, [][]datum.Datum, error) {
	rows := make([][]datum.Datum, 0, max(1, len(stmt.Binds)))
	for _, given := range stmt.Binds {
		row, err := arrange(p.Binds, given)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		row, err := arrange(p.Binds, nil)
		if err != nil && !stmt.DescribeOnly {
			return nil, nil, err
		}
		if err != nil {
			row = make([]datum.Datum, len(p.Binds))
		}
		rows = append(rows, row)
	}
	x := s.newExecution(ctx)
	x.array = len(rows) > 1
	x.binds = rows[0]
	x.types = bindTypes(p.Binds, stmt.BindTypes, rows)
	return x, rows, nil
}

func (s *session) newExecution(ctx context.Context) *execution {
	return &execution{ctx: ctx, session: s, rights: &s.rights, settings: s.nls.at(s.now()), view: s.snapshot()}
}

// arrange puts given values at the placeholders: one for each, or one for each name.
func arrange(names []string, given []datum.Datum) ([]datum.Datum, error) {
	row := make([]datum.Datum, len(names))
	switch len(given) {
	case len(names):
		copy(row, given)
	default:
		unique := uniqueNames(names)
		if len(given) != len(unique) {
			return nil, wire.Errorf(1008, "not all variables bound")
		}
		for i, name := range names {
			row[i] = given[slices.Index(unique, name)]
		}
	}
	for i := range row {
		row[i] = normalized(row[i])
	}
	return row, nil
}

func uniqueNames(names []string) []string {
	var unique []string
	for _, n := range names {
		if !slices.Contains(unique, n) {
			unique = append(unique, n)
		}
	}
	return unique
}

// normalized gives a bind the form that the engine's own values have: empty text is NULL, equal numbers look equal.
func normalized(d datum.Datum) datum.Datum {
	switch d.Kind {
	case datum.Text:
		return scalar.Text(d.Text)
	case datum.Raw:
		if len(d.Raw) == 0 {
			return datum.Datum{}
		}
	case datum.Number:
		if d.Number.Exponent == 0 {
			return d
		}
		n := d.Number
		d.Number = scalar.Clone(n)
		scalar.Normalize(d.Number)
	}
	return d
}

// bindTypes takes the declared types where they fit the values.
func bindTypes(names []string, declared []datum.Type, rows [][]datum.Datum) []datum.Type {
	types := make([]datum.Type, len(names))
	unique := uniqueNames(names)
	for i, name := range names {
		switch len(declared) {
		case len(names):
			types[i] = declared[i]
		case len(unique):
			types[i] = declared[slices.Index(unique, name)]
		}
		for _, row := range rows {
			if d := row[i]; !d.IsNull() {
				if types[i].Code == 0 || scalar.Kind(types[i]) != d.Kind {
					types[i] = typeOfValue(d)
				}
				if isText(types[i]) {
					types[i].Size = max(types[i].Size, len(d.Text))
				}
			}
		}
		if isText(types[i]) {
			types[i].Size = max(types[i].Size, 1)
		}
	}
	return types
}

func (s *session) describe(x *execution, p *sql.Parsed) (wire.Result, error) {
	q, ok := p.Statement.(*sql.Query)
	if !ok {
		return wire.Result{}, nil
	}
	x.top = q.Select
	compiled, err := compileQuery(x, nil, nil, q)
	if err != nil {
		return wire.Result{}, err
	}
	return wire.Result{Columns: compiled.columns}, nil
}

func (s *session) runQuery(x *execution, q *sql.Query) (wire.Result, error) {
	x.top = q.Select
	compiled, err := compileQuery(x, nil, nil, q)
	if err != nil {
		x.noted.end()
		return wire.Result{}, err
	}
	rows, err := compiled.open(nil)
	if err != nil {
		x.noted.end()
		return wire.Result{}, err
	}
	return wire.Result{Columns: compiled.columns, Rows: &resultRows{x: x, rows: rows}}, nil
}

// resultRows hands rows to the wire.
type resultRows struct {
	x    *execution
	rows rowSource
}

func (r *resultRows) Next(ctx context.Context, dst []datum.Datum) (bool, error) {
	r.x.ctx = ctx
	ok, err := r.rows.next(dst)
	switch {
	case r.x.noted == nil:
	case ok:
		r.x.noted.rows.Add(1)
	default:
		r.x.noted.end()
	}
	return ok, clientError(err)
}

func (r *resultRows) Close() error {
	r.x.noted.end()
	return clientError(r.rows.close())
}

// runRows runs DML once for every row of binds. A failure undoes its own row only: those before it stay, as in an array execution.
func (s *session) runRows(x *execution, p *sql.Parsed, rows [][]datum.Datum) (wire.Result, error) {
	run := func() (wire.Result, error) { return wire.Result{}, s.other(x, p.Text, p.Statement) }
	switch stmt := p.Statement.(type) {
	case *sql.Insert:
		run = func() (wire.Result, error) { return s.insert(x, stmt, rows) }
	case *sql.Update:
		run = func() (wire.Result, error) {
			return s.each(x, rows, func() (int64, error) { return s.update(x, stmt) })
		}
	case *sql.Delete:
		run = func() (wire.Result, error) {
			return s.each(x, rows, func() (int64, error) { return s.remove(x, stmt) })
		}
	default:
		return run()
	}
	for {
		result, err := run()
		if result.RowsAffected > 0 || !store.DefinitionChanged(err) || x.ctx.Err() != nil || s.readOnly != nil {
			return result, err
		}
		x.refresh() // a DDL came in between that does not wait: the statement is compiled again
	}
}

func (s *session) each(x *execution, rows [][]datum.Datum, once func() (int64, error)) (wire.Result, error) {
	var result wire.Result
	x.array = false // every row of binds is compiled on its own
	for i, row := range rows {
		x.binds = row
		if i > 0 {
			x.refresh()
		}
		x.returned = nil
		n, err := once()
		if err != nil {
			return result, err
		}
		result.RowsAffected += n
		result.Counts = append(result.Counts, n)
		if x.returns {
			result.Returned = append(result.Returned, x.returned)
		}
	}
	return result, nil
}

// other runs what neither yields rows nor changes any.
func (s *session) other(x *execution, text string, stmt sql.Statement) error {
	switch stmt := stmt.(type) {
	case *sql.Commit:
		return s.Commit(x.ctx)
	case *sql.Rollback:
		return s.rollback(x.ctx, stmt)
	case *sql.Savepoint:
		s.setSavepoint(stmt.Name)
		return nil
	case *sql.SetTransaction:
		return s.setTransaction(stmt)
	case *sql.AlterSession:
		return s.alterSession(x.ctx, stmt)
	case *sql.NullStatement:
		return nil
	}
	return s.ddl(x, text, stmt)
}

func (s *session) setTransaction(stmt *sql.SetTransaction) error {
	if s.tx != nil || s.readOnly != nil || s.transactionName != "" {
		return wire.Errorf(1453, "SET TRANSACTION must be first statement of transaction")
	}
	s.transactionName = stmt.Name
	if stmt.ReadOnly {
		view := s.snapshot()
		s.readOnly = &view
	}
	return nil
}

// snapshot is what a statement sees: everything committed by now and the session's own work, or what a read-only
// transaction saw at its beginning.
func (s *session) snapshot() store.View {
	if s.readOnly != nil {
		return *s.readOnly
	}
	return s.engine.store.Snapshot(s.tx)
}

// writable refuses changes in a read-only transaction, and in a container that is not open for them.
func (s *session) writable() error {
	if err := s.changeable(); err != nil {
		return err
	}
	if s.readOnly != nil {
		return wire.Errorf(1456, "may not perform insert, delete, update operation inside a READ ONLY transaction")
	}
	return nil
}

// writableTable refuses changes of a table that is READ ONLY, too.
func (s *session) writableTable(t *catalog.Table) error {
	if err := s.writable(); err != nil {
		return err
	}
	if t.ReadOnly {
		return wire.Errorf(12081, "update operation not allowed on table %q.%q", t.Owner, t.Name)
	}
	return nil
}

func (s *session) setSavepoint(name string) {
	s.savepoints = slices.DeleteFunc(s.savepoints, func(p savepoint) bool { return p.name == name })
	_, mark := s.mark()
	s.savepoints = append(s.savepoints, savepoint{name: name, mark: mark})
}

func (s *session) rollback(ctx context.Context, stmt *sql.Rollback) error {
	if stmt.Savepoint == "" {
		return s.Rollback(ctx)
	}
	i := slices.IndexFunc(s.savepoints, func(p savepoint) bool { return p.name == stmt.Savepoint })
	if i < 0 {
		return wire.Errorf(1086, "savepoint '%s' never established in this session or is invalid", stmt.Savepoint)
	}
	s.savepoints = s.savepoints[:i+1]
	if s.tx == nil {
		return nil
	}
	return s.tx.RollbackTo(s.savepoints[i].mark)
}
