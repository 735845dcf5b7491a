package engine

import (
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// check compiles all of a block before anything of it runs, as PL/SQL does: a fault in a branch that is never taken, or behind a handler,
// is the block's. What EXECUTE IMMEDIATE runs is compiled when it runs.
func (b *blockRun) check(block *sql.Block) error {
	read := b.read
	b.read = make(map[string]bool) // what is only checked reads nothing
	defer func() { b.read = read }()
	return b.checkBlock(block, false, false)
}

func (b *blockRun) checkBlock(block *sql.Block, inLoop, inHandler bool) error {
	outer := b.x.variables
	defer func() { b.x.variables = outer }()
	if err := b.declare(block.Declare, false); err != nil {
		return b.compileError(0, "", err)
	}
	if err := b.checkSteps(block.Body, inLoop, inHandler); err != nil {
		return err
	}
	for _, h := range block.Handlers {
		for _, n := range h.Names {
			v, declared := b.x.variables[n.Name]
			if code, _ := namedException(n.Name); !(declared && v.exception) && code == 0 {
				return b.unknownException(n)
			}
		}
		if err := b.checkSteps(h.Body, inLoop, true); err != nil {
			return err
		}
	}
	return nil
}

// unknownException tells what Oracle predefines and the stand-in never raises from what nobody declares.
func (b *blockRun) unknownException(n sql.ColumnName) error {
	switch n.Name {
	case "ACCESS_INTO_NULL", "CASE_NOT_FOUND", "COLLECTION_IS_NULL", "CURSOR_ALREADY_OPEN", "LOGIN_DENIED", "NO_DATA_NEEDED", "NOT_LOGGED_ON", "PROGRAM_ERROR",
		"ROWTYPE_MISMATCH", "SELF_IS_NULL", "STORAGE_ERROR", "SUBSCRIPT_BEYOND_COUNT", "SUBSCRIPT_OUTSIDE_LIMIT", "SYS_INVALID_ROWID":
		return at(n.Pos, wire.Errorf(3001, "unimplemented feature: PL/SQL exception %s", n.Name))
	}
	return b.x.undeclared(n.Pos, n.Name)
}

func (b *blockRun) checkSteps(list []sql.Step, inLoop, inHandler bool) error {
	for _, step := range list {
		if err := b.checkStep(step, inLoop, inHandler); err != nil {
			return err
		}
	}
	return nil
}

func (b *blockRun) checkStep(step sql.Step, inLoop, inHandler bool) error {
	switch stmt := step.Do.(type) {
	case *sql.Block:
		return b.checkBlock(stmt, inLoop, inHandler)
	case *sql.If:
		for _, br := range stmt.Branches {
			if err := b.checkCondition(step.Pos, br.Cond); err != nil {
				return err
			}
			if err := b.checkSteps(br.Body, inLoop, inHandler); err != nil {
				return err
			}
		}
		return b.checkSteps(stmt.Else, inLoop, inHandler)
	case *sql.Loop:
		if stmt.While != nil {
			if err := b.checkCondition(step.Pos, stmt.While); err != nil {
				return err
			}
		}
		return b.checkSteps(stmt.Body, true, inHandler)
	case *sql.For:
		return b.checkFor(step.Pos, stmt, inHandler)
	case *sql.Leave:
		switch {
		case !inLoop && stmt.Kind == "EXIT":
			return b.x.compilation(step.Pos, "PLS-00376", "illegal EXIT/CONTINUE statement; it must appear inside a loop")
		case !inLoop && stmt.Kind == "CONTINUE":
			return b.x.compilation(step.Pos, "PLS-00376", "illegal EXIT/CONTINUE statement; it must appear inside a loop")
		case stmt.When != nil:
			return b.checkCondition(step.Pos, stmt.When)
		}
		return nil
	case *sql.Raise:
		return b.checkRaise(step.Pos, stmt, inHandler)
	}
	return b.compileError(step.Pos, sqlIgnored(step.Do), b.compileStatement(step.Do))
}

func (b *blockRun) checkRaise(pos int, stmt *sql.Raise, inHandler bool) error {
	if stmt.Name.Name == "" {
		if !inHandler {
			return b.x.compilation(pos, "PLS-00367", "a RAISE statement with no exception name must be inside an exception handler")
		}
		return nil
	}
	v, declared := b.x.variables[stmt.Name.Name]
	if code, _ := namedException(stmt.Name.Name); !(declared && v.exception) && code == 0 {
		return b.unknownException(stmt.Name)
	}
	return nil
}

func (b *blockRun) checkFor(pos int, stmt *sql.For, inHandler bool) error {
	if stmt.Query == nil {
		for _, e := range [...]sql.Expr{stmt.Low, stmt.High} {
			if _, err := b.compiler().expr(e); err != nil {
				return b.compileError(pos, "", err)
			}
		}
		defer b.shadow(stmt.Var.Name)()
		b.x.variables[stmt.Var.Name] = &variable{typ: numberType, constant: true}
		return b.checkSteps(stmt.Body, true, inHandler)
	}
	b.x.top = stmt.Query.Select
	compiled, err := compileQuery(b.x, nil, nil, stmt.Query)
	if err != nil {
		return b.compileError(pos, sqlStatement, err)
	}
	defer b.shadow(stmt.Var.Name)()
	b.x.records[stmt.Var.Name] = &record{columns: compiled.columns, values: make([]datum.Datum, len(compiled.columns))}
	return b.checkSteps(stmt.Body, true, inHandler)
}

func (b *blockRun) checkCondition(pos int, e sql.Expr) error {
	_, err := b.compiler().condition(e)
	return b.compileError(pos, "", err)
}

// sqlStatement is what Oracle calls a statement of SQL in a block.
const sqlStatement = "SQL Statement"

func sqlIgnored(stmt sql.Statement) string {
	switch stmt.(type) {
	case *sql.Query, *sql.Insert, *sql.Update, *sql.Delete, *sql.OpenCursor:
		return sqlStatement
	}
	return ""
}

// compileStatement compiles one statement without running it.
func (b *blockRun) compileStatement(stmt sql.Statement) error {
	b.x.returned, b.x.returns = nil, false
	switch stmt := stmt.(type) {
	case *sql.Query:
		return b.compileSelect(stmt)
	case *sql.OpenCursor:
		b.x.top = stmt.Query.Select
		_, err := compileQuery(b.x, nil, nil, stmt.Query)
		return err
	case *sql.Insert:
		in, err := b.s.compileInsert(b.x, stmt)
		if err != nil || stmt.Query == nil {
			return err
		}
		b.x.top = stmt.Query.Select
		compiled, err := compileQuery(b.x, nil, nil, stmt.Query)
		if err == nil && len(compiled.columns) != len(in.columns) {
			err = valueCount(len(compiled.columns), len(in.columns))
		}
		return firstOf(err, b.checkTargets(stmt.Into))
	case *sql.Update:
		_, err := b.s.compileUpdate(b.x, stmt)
		return firstOf(err, b.checkTargets(stmt.Into))
	case *sql.Delete:
		t, err := b.s.target(b.x, stmt.Table, stmt.Alias, stmt.Where, toDelete)
		if err == nil {
			_, err = t.c.returning(&stmt.Returning, t.src)
		}
		return firstOf(err, b.checkTargets(stmt.Into))
	case *sql.Assign:
		c := b.compiler()
		c.sequences = &sequenceUses{}
		_, err := c.expr(stmt.X)
		return firstOf(err, b.checkTargets([]sql.Expr{stmt.Target}))
	case *sql.ExecuteImmediate:
		_, err := b.compiler().exprs(append([]sql.Expr{stmt.X}, stmt.Using...))
		return firstOf(err, b.checkTargets(stmt.Into))
	case *sql.ProcedureCall:
		return b.compileCall(stmt)
	}
	return nil
}

func (b *blockRun) compileSelect(q *sql.Query) error {
	if q.Select == nil || len(q.Select.Into) == 0 {
		return b.x.compilation(selectPos(q), "PLS-00428", "an INTO clause is expected in this SELECT statement")
	}
	b.x.top = q.Select
	compiled, err := compileQuery(b.x, nil, nil, q)
	if err == nil && len(compiled.columns) != len(q.Select.Into) {
		err = valueCount(len(compiled.columns), len(q.Select.Into))
	}
	return firstOf(err, b.checkTargets(q.Select.Into))
}

func selectPos(q *sql.Query) int {
	if q.Select == nil {
		return 0
	}
	return q.Select.Pos
}

func (b *blockRun) compileCall(stmt *sql.ProcedureCall) error {
	if stmt.Name == raiseApplicationError {
		if len(stmt.Args) < 2 || len(stmt.Args) > 3 || stmt.Args[0].Name != "" || stmt.Args[1].Name != "" {
			return b.x.compilation(stmt.Pos, "PLS-00306", "wrong number or types of arguments in call to '"+stmt.Name+"'")
		}
		if len(stmt.Args) == 3 {
			if keep, ok := stmt.Args[2].X.(*sql.Name); !ok || keep.Column != "FALSE" {
				return at(stmt.Pos, wire.Errorf(3001, "unimplemented feature: RAISE_APPLICATION_ERROR that keeps the stack"))
			}
		}
		for _, a := range stmt.Args[:2] {
			if _, err := b.compiler().expr(a.X); err != nil {
				return err
			}
		}
		return nil
	}
	if err := b.callable(stmt); err != nil {
		return err
	}
	for _, a := range stmt.Args {
		if _, err := b.compiler().expr(a.X); err != nil {
			return err
		}
	}
	return nil
}

// checkTargets demands that what gets a value can.
func (b *blockRun) checkTargets(into []sql.Expr) error {
	for _, target := range into {
		name, ok := target.(*sql.Name)
		if !ok {
			continue
		}
		v, ok := b.x.variables[name.Column]
		switch {
		case !ok || v.exception:
			return b.x.undeclared(name.Pos(), name.Column)
		case v.constant:
			return b.x.compilation(name.Pos(), "PLS-00363", "expression '"+name.Column+"' cannot be used as an assignment target")
		}
	}
	return nil
}

// compileError is how PL/SQL tells a fault that it finds while it compiles: of its SQL with the code of SQL inside. What the stand-in
// lacks, and what only the state of the transaction refuses, stays what it is.
func (b *blockRun) compileError(pos int, statement string, err error) error {
	var ora *wire.OraError
	if err == nil || !errors.As(clientError(err), &ora) {
		return err
	}
	switch ora.Code {
	case 6550, 3001, 1013, 603:
		return err
	case 1456, 1008: // the transaction is read only; binds are missing
		return err
	}
	at := pos
	if ora.Position > 0 {
		at = ora.Position
	}
	if statement == "" {
		statement = "Statement"
	}
	out := wire.Errorf(6550, "%s:\nPL/SQL: %s\nORA-06550: %s:\nPL/SQL: %s ignored", sql.Place(b.x.text, at), ora.Error(), sql.Place(b.x.text, pos), statement)
	out.Position = at
	return out
}
