package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// blockRun is one run of a PL/SQL block.
type blockRun struct {
	s       *session
	x       *execution
	names   []string // of the binds, by occurrence
	written map[string]bool
	read    map[string]bool
	cursors map[string]*wire.Result // opened, by bind

	line    int    // of the statement in hand, or of the one that failed
	count   *int64 // SQL%ROWCOUNT, nil before any SQL
	handled error  // what the handler in hand handles
	fatal   error  // a fault that Oracle would have found before it ran the block: no handler sees it
}

// runBlock runs a block; a failure undoes all that it did since the last commit inside it.
func (s *session) runBlock(ctx context.Context, p *sql.Parsed, block *sql.Block, stmt wire.Statement) (wire.Result, error) {
	if len(stmt.Binds) > 1 {
		return wire.Result{}, wire.Errorf(3001, "unimplemented feature: array execution of a PL/SQL block")
	}
	x, _, err := s.prepare(ctx, p, stmt)
	if err != nil {
		return wire.Result{}, err
	}
	x.block, x.text = true, p.Text
	b := &blockRun{s: s, x: x, names: p.Binds, written: make(map[string]bool), read: make(map[string]bool), cursors: make(map[string]*wire.Result)}
	if err := b.check(block); err != nil {
		return wire.Result{}, err
	}
	tx, mark := s.mark()
	if _, err := b.runBlock(block); err != nil {
		b.closeCursors()
		if undoErr := s.rollbackTo(tx, mark); undoErr != nil {
			return wire.Result{}, undoErr
		}
		return wire.Result{}, b.stacked(err)
	}
	return wire.Result{Out: b.out(stmt)}, nil
}

// stacked adds the line of the block to an error, as PL/SQL does; only compilation errors come without.
func (b *blockRun) stacked(err error) error {
	var e *wire.OraError
	if !errors.As(clientError(err), &e) || e.Code == 6550 || e.Code == 1013 {
		return err
	}
	out := *e
	if errors.As(err, new(*userException)) {
		out = *wire.Errorf(6510, "PL/SQL: unhandled user-defined exception")
	}
	out.Message += fmt.Sprintf("\nORA-06512: at line %d", b.line)
	return &out
}

// run runs one statement of SQL or a call.
func (b *blockRun) run(stmt sql.Statement) error {
	b.x.refresh()
	b.x.returned, b.x.returns = nil, false
	switch stmt := stmt.(type) {
	case *sql.ProcedureCall:
		return b.call(stmt)
	case *sql.Assign:
		b.note(stmt.X)
		c := b.compiler()
		c.sequences = &sequenceUses{}
		n, err := c.expr(stmt.X)
		if err != nil {
			return err
		}
		d, err := b.eval(n)
		if err != nil {
			return err
		}
		return b.assign(stmt.Target, d, n.typ)
	case *sql.OpenCursor:
		return b.openCursor(stmt)
	case *sql.ExecuteImmediate:
		return b.immediate(stmt)
	case *sql.Query:
		return b.selectInto(stmt)
	case *sql.Insert:
		b.readAll()
		r, err := b.s.insert(b.x, stmt, [][]datum.Datum{b.x.binds})
		return b.changed(r.RowsAffected, stmt.Into, err)
	case *sql.Update:
		b.readAll()
		n, err := b.s.update(b.x, stmt)
		return b.changed(n, stmt.Into, err)
	case *sql.Delete:
		b.readAll()
		n, err := b.s.remove(b.x, stmt)
		return b.changed(n, stmt.Into, err)
	}
	return b.s.other(b.x, "", stmt)
}

// changed ends a DML statement: SQL%ROWCOUNT and the targets of RETURNING.
func (b *blockRun) changed(n int64, into []sql.Expr, err error) error {
	if err != nil {
		return err
	}
	b.count = &n
	return b.returned(into)
}

func (b *blockRun) compiler() *compiler { return &compiler{x: b.x, scope: &scope{}, procedural: b} }

// eval computes an expression of the block itself, in which a text that is no number is a value error.
func (b *blockRun) eval(n *node) (datum.Datum, error) {
	d, err := n.eval(&frame{x: b.x})
	return d, proceduralError(err)
}

// note marks the binds of an expression as read.
func (b *blockRun) note(e sql.Expr) {
	sql.Any(e, func(e sql.Expr) bool {
		if bind, ok := e.(*sql.Bind); ok {
			b.read[bind.Name] = true
		}
		return false
	})
}

// readAll marks every bind that nothing wrote yet as read: DML may read any.
func (b *blockRun) readAll() {
	for _, name := range b.names {
		if !b.written[name] {
			b.read[name] = true
		}
	}
}

// assign gives a variable a value, or a bind at all its occurrences.
func (b *blockRun) assign(target sql.Expr, d datum.Datum, t datum.Type) error {
	if t.Code == 0 {
		t = typeOfValue(d)
	}
	bind, ok := target.(*sql.Bind)
	if !ok {
		return b.assignVariable(target, d, t)
	}
	for i, name := range b.names {
		if name == bind.Name {
			b.x.binds[i], b.x.types[i] = d, t
		}
	}
	b.written[bind.Name] = true
	return nil
}

// returned gives the targets of a RETURNING clause the values of the one row that was changed.
func (b *blockRun) returned(into []sql.Expr) error {
	switch len(b.x.returned) {
	case 0:
		return nil
	case 1:
	default:
		return wire.Errorf(1422, "exact fetch returns more than requested number of rows")
	}
	for i, target := range into {
		if err := b.assign(target, b.x.returned[0][i], b.x.returnedTypes[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *blockRun) selectInto(q *sql.Query) error {
	if q.Select == nil || len(q.Select.Into) == 0 {
		return wire.Errorf(6550, "line 1, column 7:\nPLS-00428: an INTO clause is expected in this SELECT statement") // check has said so
	}
	b.x.top = q.Select
	compiled, err := compileQuery(b.x, nil, nil, q)
	if err != nil {
		return err
	}
	if len(compiled.columns) != len(q.Select.Into) {
		return valueCount(len(compiled.columns), len(q.Select.Into))
	}
	source, err := compiled.open(nil)
	if err != nil {
		return err
	}
	rows, err := readAll(&limitedRows{rows: source, left: 2}, len(compiled.columns))
	if err == nil {
		err = b.single(len(rows))
	}
	if err != nil {
		return err
	}
	for i, target := range q.Select.Into {
		if err := b.assign(target, rows[0][i], compiled.columns[i].Type); err != nil {
			return err
		}
	}
	return nil
}

// immediate runs a text. Its faults are exceptions of the block, even those of its compilation.
func (b *blockRun) immediate(stmt *sql.ExecuteImmediate) error {
	texts := append([]sql.Expr{stmt.X}, stmt.Using...)
	values := make([]datum.Datum, len(texts))
	types := make([]datum.Type, len(texts))
	for i, e := range texts {
		b.note(e)
		n, err := b.compiler().expr(e)
		if err != nil {
			return err
		}
		if values[i], err = b.eval(n); err != nil {
			return err
		}
		types[i] = n.typ
	}
	dynamic := wire.Statement{SQL: values[0].Text}
	if len(stmt.Using) > 0 {
		dynamic.Binds, dynamic.BindTypes = [][]datum.Datum{values[1:]}, types[1:]
	}
	result, err := b.s.execute(b.x.ctx, dynamic)
	if err != nil {
		return err
	}
	if result.Rows == nil {
		if len(stmt.Into) > 0 {
			return wire.Errorf(3001, "unimplemented feature: EXECUTE IMMEDIATE INTO of what is no query")
		}
		b.count = &result.RowsAffected
		return nil
	}
	if len(stmt.Into) == 0 {
		return result.Rows.Close() // Oracle fetches nothing without INTO
	}
	return b.fetchInto(result, stmt.Into)
}

// fetchInto gives the targets the values of the only row.
func (b *blockRun) fetchInto(result wire.Result, into []sql.Expr) error {
	source, ok := result.Rows.(*resultRows)
	if !ok || len(result.Columns) != len(into) {
		_ = result.Rows.Close()
		return valueCount(len(result.Columns), len(into))
	}
	rows, err := readAll(&limitedRows{rows: source.rows, left: 2}, len(result.Columns))
	if err == nil {
		err = b.single(len(rows))
	}
	if err != nil {
		return err
	}
	for i, target := range into {
		if err := b.assign(target, rows[0][i], result.Columns[i].Type); err != nil {
			return err
		}
	}
	return nil
}

// single demands one row, and keeps SQL%ROWCOUNT.
func (b *blockRun) single(n int) error {
	count := int64(min(n, 1))
	b.count = &count
	switch n {
	case 0:
		return wire.Errorf(1403, "no data found")
	case 1:
		return nil
	}
	return wire.Errorf(1422, "exact fetch returns more than requested number of rows")
}

// out describes the binds as the client gave them: by name, or one for each occurrence.
func (b *blockRun) out(stmt wire.Statement) []wire.Out {
	if len(stmt.Binds) == 0 {
		return nil
	}
	names := uniqueNames(b.names)
	if len(stmt.Binds[0]) != len(names) {
		names = b.names
	}
	out := make([]wire.Out, len(names))
	for i, name := range names {
		o := wire.Out{Direction: wire.In}
		switch {
		case b.written[name] && b.read[name]:
			o.Direction = wire.InOut
		case b.written[name]:
			o.Direction = wire.OutTo
		}
		if o.Direction != wire.In {
			o.Value, o.Cursor = b.x.binds[slices.Index(b.names, name)], b.cursors[name]
		}
		out[i] = o
	}
	return out
}

// call runs a procedure: those of the session's own packages here, the others by the Procedures of the engine.
func (b *blockRun) call(stmt *sql.ProcedureCall) error {
	name := strings.TrimPrefix(stmt.Name, "SYS.")
	if name == raiseApplicationError {
		return b.raiseApplicationError(stmt)
	}
	if err := b.callable(stmt); err != nil {
		return err
	}
	args := make([]Argument, len(stmt.Args))
	c := b.compiler()
	for i, a := range stmt.Args {
		b.note(a.X)
		n, err := c.expr(a.X)
		if err != nil {
			return err
		}
		args[i].Name = a.Name
		if args[i].Value, err = b.eval(n); err != nil {
			return err
		}
	}
	if known, err := b.s.ownProcedure(b.x.ctx, name, args); known {
		return err
	}
	if p := b.s.engine.procedures(); p != nil {
		if known, err := p.Call(b.x.ctx, b.s, name, args); known || err != nil {
			return err
		}
	}
	b.fatal = b.x.undeclared(stmt.Pos, stmt.Name)
	return b.fatal
}

// callable refuses what the session must not execute: to it, it is not there.
func (b *blockRun) callable(stmt *sql.ProcedureCall) error {
	if b.s.mayExecute(strings.TrimPrefix(stmt.Name, "SYS.")) {
		return nil
	}
	pkg, _, _ := strings.Cut(stmt.Name, ".")
	return b.x.undeclared(stmt.Pos, pkg)
}

// ownProcedure runs the procedures that concern the session itself.
func (s *session) ownProcedure(ctx context.Context, name string, args []Argument) (known bool, err error) {
	text := func(i int, parameter string) string {
		for j, a := range args {
			if a.Name == parameter || a.Name == "" && j == i {
				return a.Value.Text
			}
		}
		return ""
	}
	switch name {
	case "DBMS_APPLICATION_INFO.SET_MODULE":
		s.show(func(i *SessionInfo) { i.Module, i.Action = text(0, "MODULE_NAME"), text(1, "ACTION_NAME") })
	case "DBMS_APPLICATION_INFO.SET_ACTION":
		s.show(func(i *SessionInfo) { i.Action = text(0, "ACTION_NAME") })
	case "DBMS_APPLICATION_INFO.SET_CLIENT_INFO":
		s.show(func(i *SessionInfo) { i.ClientInfo = text(0, "CLIENT_INFO") })
	case "DBMS_SESSION.SET_IDENTIFIER":
		s.show(func(i *SessionInfo) { i.ClientIdentifier = text(0, "CLIENT_ID") })
	case "DBMS_OUTPUT.PUT_LINE", "DBMS_OUTPUT.PUT", "DBMS_OUTPUT.NEW_LINE": // what GET_LINES would give, which does not exist here
	case "DBMS_SESSION.CLEAR_IDENTIFIER":
		s.show(func(i *SessionInfo) { i.ClientIdentifier = "" })
	case "DBMS_SESSION.RESET_PACKAGE", "DBMS_SESSION.MODIFY_PACKAGE_STATE", "DBMS_OUTPUT.ENABLE",
		"DBMS_OUTPUT.DISABLE", "DBMS_SESSION.FREE_UNUSED_USER_MEMORY":
	case "DBMS_LOCK.SLEEP", "DBMS_SESSION.SLEEP":
		return true, sleep(ctx, args)
	default:
		return s.statisticsProcedure(name, args)
	}
	return true, nil
}

func sleep(ctx context.Context, args []Argument) error {
	if len(args) != 1 || args[0].Value.Kind != datum.Number {
		return wire.Errorf(6550, "line 1, column 7:\nPLS-00306: wrong number or types of arguments in call to 'SLEEP'")
	}
	n, err := scalar.RoundTo(args[0].Value.Number, 2).Float64()
	if err != nil || n < 0 {
		return wire.Errorf(38148, "invalid time limit specified")
	}
	timer := time.NewTimer(time.Duration(n * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
