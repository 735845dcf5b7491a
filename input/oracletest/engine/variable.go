package engine

import (
	"errors"
	"maps"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// variable is a variable of a PL/SQL block.
type variable struct {
	typ               datum.Type
	value             datum.Datum
	constant, notNull bool
	// exception says that it is one, and code what PRAGMA EXCEPTION_INIT gave it.
	exception bool
	code      int
}

// declare makes the variables of a block, in their order: an initial value may read those before it. When the block is only checked,
// none gets a value.
func (b *blockRun) declare(list []sql.Variable, run bool) error {
	outer := b.x.variables
	b.x.variables = maps.Clone(outer)
	if b.x.variables == nil {
		b.x.variables = make(map[string]*variable, len(list))
	}
	for i := range list {
		def := &list[i]
		if slices.ContainsFunc(list[:i], func(v sql.Variable) bool { return v.Name == def.Name }) {
			return b.x.compilation(def.Pos, "PLS-00371", "at most one declaration for '"+def.Name+"' is permitted")
		}
		if err := b.declareOne(def, run); err != nil {
			return err
		}
	}
	return nil
}

func (b *blockRun) declareOne(def *sql.Variable, run bool) error {
	v := &variable{typ: def.Type, notNull: def.NotNull, exception: def.Exception, code: def.Code}
	if def.Like != "" {
		var err error
		if v.typ, err = b.columnType(def); err != nil {
			return err
		}
	}
	switch v.typ.Code {
	case datum.TypeLong, datum.TypeLongRaw, datum.TypeRowID:
		return wire.Errorf(3001, "unimplemented feature: PL/SQL variable of type %s", storedTypeName(v.typ))
	}
	if def.Init == nil {
		if def.NotNull || def.Constant {
			return b.x.compilation(def.Pos, "PLS-00218", "a variable declared NOT NULL must have an initialization assignment")
		}
		b.x.variables[def.Name] = v
		return nil
	}
	b.note(def.Init)
	n, err := b.compiler().expr(def.Init)
	if err != nil {
		return err
	}
	b.x.variables[def.Name] = v
	if run {
		d, err := b.eval(n)
		if err != nil {
			return err
		}
		if err := v.set(b.x, def.Name, d, n.typ); err != nil {
			return err
		}
	}
	v.constant = def.Constant
	return nil
}

// compilation is a fault that PL/SQL finds before it runs a block.
func (x *execution) compilation(pos int, code, text string) error {
	return wire.Errorf(6550, "%s:\n%s: %s", sql.Place(x.text, pos), code, text)
}

func (x *execution) undeclared(pos int, name string) error {
	return x.compilation(pos, "PLS-00201", "identifier '"+name+"' must be declared")
}

// columnType is table.column%TYPE.
func (b *blockRun) columnType(def *sql.Variable) (datum.Type, error) {
	_, layout, err := b.s.baseTable(def.Table, toRead)
	var ora *wire.OraError
	if errors.As(err, &ora) && ora.Code == 942 {
		return datum.Type{}, b.x.undeclared(def.Pos, def.Table.Name+"."+def.Like)
	}
	if err != nil {
		return datum.Type{}, err
	}
	i := columnIndex(layout, def.Like)
	if i < 0 {
		return datum.Type{}, b.x.compilation(def.Pos, "PLS-00302", "component '"+def.Like+"' must be declared")
	}
	return layout.Columns[i].Type, nil
}

func (b *blockRun) assignVariable(target sql.Expr, d datum.Datum, t datum.Type) error {
	name, ok := target.(*sql.Name)
	if !ok {
		return b.x.compilation(target.Pos(), "PLS-00363", "expression cannot be used as an assignment target")
	}
	v, ok := b.x.variables[name.Column]
	switch {
	case !ok || v.exception:
		return b.x.compilation(name.Pos(), "PLS-00201", "identifier '"+name.Column+"' must be declared")
	case v.constant:
		return b.x.compilation(name.Pos(), "PLS-00363", "expression '"+name.Column+"' cannot be used as an assignment target")
	}
	return v.set(b.x, name.Column, d, t)
}

// set converts a value to the variable's type; what does not fit is a value error, as PL/SQL says it.
func (v *variable) set(x *execution, name string, d datum.Datum, from datum.Type) error {
	value, err := x.settings.Fit(d, from, &scalar.Target{Column: name, Type: v.typ})
	var ora *wire.OraError
	if errors.As(err, &ora) {
		if reason := valueError(ora.Code); reason != "" {
			return wire.Errorf(6502, "PL/SQL: numeric or value error%s", reason)
		}
	}
	if err != nil {
		return err
	}
	if value.IsNull() && v.notNull {
		return wire.Errorf(6502, "PL/SQL: numeric or value error")
	}
	v.value = value
	return nil
}

func valueError(code int) string {
	switch code {
	case 12899:
		return ": character string buffer too small"
	case 1438:
		return ": number precision too large"
	case 1722:
		return ": character to number conversion error"
	}
	return ""
}

// openCursor opens a query for a bind: the client fetches from it. It shows what there is now, whatever the block does then.
func (b *blockRun) openCursor(stmt *sql.OpenCursor) error {
	b.readAll()
	own := *b.x
	own.binds, own.types = slices.Clone(b.x.binds), slices.Clone(b.x.types)
	result, err := b.s.runQuery(&own, stmt.Query)
	if err != nil {
		return err
	}
	name := stmt.Target.Name
	if before := b.cursors[name]; before != nil {
		_ = before.Rows.Close()
	}
	b.cursors[name], b.written[name] = &result, true
	delete(b.read, name)
	return nil
}

func (b *blockRun) closeCursors() {
	for _, c := range b.cursors {
		_ = c.Rows.Close()
	}
}
