package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// record is the row of a cursor FOR loop.
type record struct {
	columns []wire.Column
	values  []datum.Datum
}

// flow says how a block goes on behind a statement.
type flow uint8

const (
	onward     flow = iota
	exitLoop        // EXIT
	nextRound       // CONTINUE
	leaveBlock      // RETURN
)

// runBlock runs a block, perhaps inside another, with its handlers.
func (b *blockRun) runBlock(block *sql.Block) (flow, error) {
	outer := b.x.variables
	defer func() { b.x.variables = outer }()
	if err := b.declare(block.Declare, true); err != nil {
		return onward, err // an exception of a declaration is the enclosing block's
	}
	how, err := b.steps(block.Body)
	if err == nil {
		return how, nil
	}
	handler, ok := b.handler(block.Handlers, err)
	if !ok {
		return onward, err
	}
	before := b.handled
	b.handled = err
	defer func() { b.handled = before }()
	return b.steps(handler.Body)
}

func (b *blockRun) steps(list []sql.Step) (flow, error) {
	for _, step := range list {
		if err := b.x.ctx.Err(); err != nil {
			return onward, err
		}
		b.line = strings.Count(b.x.text[:min(step.Pos, len(b.x.text))], "\n") + 1
		how, err := b.step(step.Do)
		if err != nil || how != onward {
			return how, err
		}
	}
	return onward, nil
}

func (b *blockRun) step(stmt sql.Statement) (flow, error) {
	switch stmt := stmt.(type) {
	case *sql.Block:
		return b.runBlock(stmt)
	case *sql.If:
		return b.branch(stmt)
	case *sql.Loop:
		return b.loop(stmt)
	case *sql.For:
		if stmt.Query != nil {
			return b.eachRow(stmt)
		}
		return b.eachNumber(stmt)
	case *sql.Leave:
		return b.leave(stmt)
	case *sql.Raise:
		return onward, b.raise(stmt)
	}
	return onward, b.run(stmt)
}

// holds evaluates a condition of the block; unknown does not hold.
func (b *blockRun) holds(e sql.Expr) (bool, error) {
	b.note(e)
	b.x.refresh()
	t, err := b.compiler().condition(e)
	if err != nil {
		return false, err
	}
	v, err := t(&frame{x: b.x})
	return v == isTrue, proceduralError(err)
}

func (b *blockRun) branch(stmt *sql.If) (flow, error) {
	for _, br := range stmt.Branches {
		if ok, err := b.holds(br.Cond); err != nil {
			return onward, err
		} else if ok {
			return b.steps(br.Body)
		}
	}
	return b.steps(stmt.Else)
}

// round runs the body of a loop once and says whether the loop goes on.
func (b *blockRun) round(body []sql.Step) (more bool, how flow, err error) {
	if err := b.x.ctx.Err(); err != nil {
		return false, onward, err
	}
	how, err = b.steps(body)
	switch {
	case err != nil || how == exitLoop:
		return false, onward, err
	case how == leaveBlock:
		return false, leaveBlock, nil
	}
	return true, onward, nil
}

func (b *blockRun) loop(stmt *sql.Loop) (flow, error) {
	for {
		if stmt.While != nil {
			if ok, err := b.holds(stmt.While); err != nil || !ok {
				return onward, err
			}
		}
		if more, how, err := b.round(stmt.Body); err != nil || !more {
			return how, err
		}
	}
}

func (b *blockRun) leave(stmt *sql.Leave) (flow, error) {
	if stmt.When != nil {
		if ok, err := b.holds(stmt.When); err != nil || !ok {
			return onward, err
		}
	}
	switch stmt.Kind {
	case "EXIT":
		return exitLoop, nil
	case "CONTINUE":
		return nextRound, nil
	}
	return leaveBlock, nil
}

func (b *blockRun) eachNumber(stmt *sql.For) (flow, error) {
	var bounds [2]int
	for i, e := range [...]sql.Expr{stmt.Low, stmt.High} {
		b.note(e)
		n, err := b.compiler().expr(e)
		if err != nil {
			return onward, err
		}
		d, err := b.eval(b.compiler().toNumber(n))
		if err != nil {
			return onward, err
		}
		if d.IsNull() {
			return onward, wire.Errorf(6502, "PL/SQL: numeric or value error")
		}
		bounds[i] = small(datum.Datum{Kind: datum.Number, Number: scalar.RoundTo(d.Number, 0)})
	}
	at, step := bounds[0], 1
	if stmt.Reverse {
		at, step = bounds[1], -1
	}
	defer b.shadow(stmt.Var.Name)()
	for ; at >= bounds[0] && at <= bounds[1]; at += step {
		b.x.variables[stmt.Var.Name] = &variable{typ: numberType, value: scalar.Int(int64(at)), constant: true}
		if more, how, err := b.round(stmt.Body); err != nil || !more {
			return how, err
		}
	}
	return onward, nil
}

// shadow opens a scope for the variable of a loop; the result closes it.
func (b *blockRun) shadow(name string) func() {
	variables, records := b.x.variables, b.x.records
	b.x.variables = make(map[string]*variable, len(variables)+1)
	for n, v := range variables {
		if n != name {
			b.x.variables[n] = v
		}
	}
	b.x.records = make(map[string]*record, len(records)+1)
	for n, r := range records {
		if n != name {
			b.x.records[n] = r
		}
	}
	return func() { b.x.variables, b.x.records = variables, records }
}

// eachRow is a cursor FOR loop: over what the query shows when it is opened, whatever the body does then.
func (b *blockRun) eachRow(stmt *sql.For) (flow, error) {
	b.readAll()
	b.x.refresh()
	own := *b.x
	own.binds, own.types = slices.Clone(b.x.binds), slices.Clone(b.x.types)
	own.top = stmt.Query.Select
	compiled, err := compileQuery(&own, nil, nil, stmt.Query)
	if err != nil {
		return onward, err
	}
	source, err := compiled.open(nil)
	if err != nil {
		return onward, err
	}
	rows, err := readAll(source, len(compiled.columns))
	if err != nil {
		return onward, err
	}
	defer b.shadow(stmt.Var.Name)()
	for _, row := range rows {
		b.x.records[stmt.Var.Name] = &record{columns: compiled.columns, values: row}
		if more, how, err := b.round(stmt.Body); err != nil || !more {
			return how, err
		}
	}
	return onward, nil
}

// blockName resolves what a block declares: a variable, a column of a loop's row, and in its own expressions SQLCODE, SQLERRM and
// SQL%ROWCOUNT.
func (c *compiler) blockName(e *sql.Name) (*node, bool, error) {
	if e.Table != "" {
		r, ok := c.x.records[e.Table]
		if !ok || e.Schema != "" {
			return nil, false, nil
		}
		i := slices.IndexFunc(r.columns, func(col wire.Column) bool { return col.Name == e.Column })
		if i < 0 {
			return nil, false, at(e.Pos(), c.x.compilation(e.Pos(), "PLS-00302", "component '"+e.Column+"' must be declared"))
		}
		return constantNode(r.values[i], r.columns[i].Type), true, nil
	}
	if v, ok := c.x.variables[e.Column]; ok && !v.exception {
		return constantNode(v.value, v.typ), true, nil
	}
	if c.procedural == nil || e.Quoted {
		return nil, false, nil
	}
	switch e.Column {
	case "SQLCODE":
		return constantNode(scalar.Int(int64(sqlCode(c.procedural.handled))), numberType), true, nil
	case "SQLERRM":
		return constantNode(scalar.Text(sqlError(c.procedural.handled)), textType(longTextSize)), true, nil
	case "SQL%ROWCOUNT":
		d := datum.Datum{}
		if n := c.procedural.count; n != nil {
			d = scalar.Int(*n)
		}
		return constantNode(d, numberType), true, nil
	}
	return nil, false, nil
}

// blockCondition are the names that are conditions in PL/SQL.
func (c *compiler) blockCondition(e *sql.Name) (test, bool) {
	if c.procedural == nil || e.Table != "" || e.Quoted {
		return nil, false
	}
	t := isUnknown
	switch n := c.procedural.count; e.Column {
	case "TRUE", "FALSE":
		t = truthOf(e.Column == "TRUE")
	case "SQL%FOUND", "SQL%NOTFOUND":
		if n != nil {
			t = truthOf((*n > 0) == (e.Column == "SQL%FOUND"))
		}
	default:
		return nil, false
	}
	return func(*frame) (truth, error) { return t, nil }, true
}

// userException is RAISE of an exception that a block declares.
type userException struct {
	name string
	v    *variable
}

func (e *userException) Error() string { return "user-defined exception " + e.name }

func (e *userException) Unwrap() error {
	if e.v.code != 0 {
		return wire.Errorf(e.v.code, "")
	}
	return wire.Errorf(6510, "PL/SQL: unhandled user-defined exception")
}

func (b *blockRun) raise(stmt *sql.Raise) error {
	name := stmt.Name.Name
	if name == "" {
		if b.handled == nil {
			return b.x.compilation(stmt.Name.Pos, "PLS-00367", "a RAISE statement with no exception name must be inside an exception handler")
		}
		return b.handled
	}
	if v, ok := b.x.variables[name]; ok && v.exception {
		if v.code != 0 {
			return wire.Errorf(v.code, "")
		}
		return &userException{name: name, v: v}
	}
	code, message := namedException(name)
	if code == 0 {
		return b.x.undeclared(stmt.Name.Pos, name)
	}
	return wire.Errorf(code, "%s", message)
}

// handler finds the handler of a block for an error. What the stand-in lacks and what ends the statement reach none: no handler may hide
// them.
func (b *blockRun) handler(list []sql.Handler, err error) (sql.Handler, bool) {
	if b.fatal != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return sql.Handler{}, false
	}
	ora, ok := clientError(err).(*wire.OraError) //nolint:errorlint // clientError's form
	if !ok || ora.Code == 3001 || ora.Code == 603 || ora.Code == 1013 {
		return sql.Handler{}, false
	}
	for _, h := range list {
		if h.Names == nil || slices.ContainsFunc(h.Names, func(n sql.ColumnName) bool { return b.means(n.Name, err, ora.Code) }) {
			return h, true
		}
	}
	return sql.Handler{}, false
}

// means reports whether an exception's name means an error.
func (b *blockRun) means(name string, err error, code int) bool {
	var user *userException
	raised := errors.As(err, &user)
	if v, ok := b.x.variables[name]; ok && v.exception {
		return raised && user.v == v || !raised && v.code != 0 && v.code == code
	}
	predefined, _ := namedException(name)
	return !raised && predefined != 0 && predefined == code
}

// namedException is the code and the text of an exception that PL/SQL predefines, or 0.
func namedException(name string) (int, string) {
	switch name {
	case "DUP_VAL_ON_INDEX":
		return 1, "unique constraint violated"
	case "TIMEOUT_ON_RESOURCE":
		return 51, "timeout occurred while waiting for a resource"
	case "INVALID_CURSOR":
		return 1001, "invalid cursor"
	case "NO_DATA_FOUND":
		return 1403, "no data found"
	case "TOO_MANY_ROWS":
		return 1422, "exact fetch returns more than requested number of rows"
	case "ZERO_DIVIDE":
		return 1476, "divisor is equal to zero"
	case "INVALID_NUMBER":
		return 1722, "invalid number"
	case "VALUE_ERROR":
		return 6502, "PL/SQL: numeric or value error"
	}
	return 0, ""
}

// sqlCode is SQLCODE: errors are negative, but for NO_DATA_FOUND and exceptions without a code.
func sqlCode(err error) int {
	var user *userException
	ora, _ := clientError(err).(*wire.OraError) //nolint:errorlint // clientError's form
	switch {
	case ora == nil:
		return 0
	case errors.As(err, &user):
		return 1
	case ora.Code == 1403:
		return 100
	}
	return -ora.Code
}

func sqlError(err error) string {
	var user *userException
	ora, _ := clientError(err).(*wire.OraError) //nolint:errorlint // clientError's form
	switch {
	case ora == nil:
		return "ORA-0000: normal, successful completion"
	case errors.As(err, &user):
		return "User-Defined Exception"
	}
	text, _, _ := strings.Cut(ora.Error(), "\nORA-06512: ")
	return text
}

// proceduralError is how PL/SQL's own expressions fail where those of SQL say that a text is no number.
func proceduralError(err error) error {
	var ora *wire.OraError
	if errors.As(err, &ora) && ora.Code == 1722 {
		return wire.Errorf(6502, "PL/SQL: numeric or value error%s", valueError(1722))
	}
	return err
}

const raiseApplicationError = "RAISE_APPLICATION_ERROR"

func (b *blockRun) raiseApplicationError(stmt *sql.ProcedureCall) error {
	var values [2]datum.Datum
	for i, a := range stmt.Args[:2] {
		b.note(a.X)
		c := b.compiler()
		n, err := c.expr(a.X)
		if err != nil {
			return err
		}
		if n = c.toText(n); i == 0 {
			n = c.toNumber(n)
		}
		if values[i], err = b.eval(n); err != nil {
			return err
		}
	}
	code := 0
	if !values[0].IsNull() {
		code = small(values[0])
	}
	if code > -20000 || code < -20999 {
		return wire.Errorf(21000, "error number argument to raise_application_error of %d is out of range", code)
	}
	return wire.Errorf(-code, "%s", values[1].Text)
}
