package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// ddl runs a DDL. It commits the session's open transaction first (reference logminer F.1), and whatever it does is its own.
func (s *session) ddl(x *execution, text string, stmt sql.Statement) error {
	ctx := x.ctx
	if err := s.Commit(ctx); err != nil {
		return err
	}
	by := store.Issuer{Container: s.container, Origin: s.origin(), SQL: text}
	switch stmt := stmt.(type) {
	case *sql.CreateTable:
		return s.createTable(x, by, stmt)
	case *sql.DropTable:
		return s.dropTable(ctx, by, stmt)
	case *sql.Truncate:
		t, _, err := s.baseTable(stmt.Table, toDrop)
		if err != nil {
			return err
		}
		return s.engine.store.Truncate(ctx, by, t)
	case *sql.AlterTable:
		return s.alterTable(x, by, stmt)
	case *sql.CreateIndex:
		return s.createIndex(ctx, by, stmt)
	case *sql.Comment:
		t, _, err := s.baseTable(stmt.Table, toComment)
		if err != nil {
			return err
		}
		return s.engine.store.Note(ctx, by, t)
	case *sql.AlterDatabase:
		return s.alterDatabase(ctx, by, stmt)
	case *sql.AlterSystem:
		if err := s.need("ALTER SYSTEM"); err != nil {
			return err
		}
		return s.engine.redo.SwitchLogfile(ctx)
	}
	return s.account(ctx, by, stmt)
}

func (s *session) dropTable(ctx context.Context, by store.Issuer, stmt *sql.DropTable) error {
	t, layout, err := s.baseTable(stmt.Table, toDrop)
	if err != nil {
		return err
	}
	if err := s.engine.store.DropTable(ctx, by, t, stmt.Purge); err != nil {
		return err
	}
	s.engine.users.rename(s.container, layout.Owner, layout.Name, "")
	return nil
}

func (s *session) alterDatabase(ctx context.Context, by store.Issuer, stmt *sql.AlterDatabase) error {
	if err := s.need("ALTER DATABASE"); err != nil {
		return err
	}
	l := stmt.Logging
	return s.engine.store.SetLogging(ctx, by, func(now *store.Logging) {
		on := !l.Drop
		if !l.All && !l.Primary && !l.Unique && !l.ForeignKeys {
			now.Minimal = on
		}
		for _, kind := range []struct {
			named bool
			flag  *bool
		}{{l.All, &now.All}, {l.Primary, &now.PrimaryKey}, {l.Unique, &now.UniqueIndex}, {l.ForeignKeys, &now.ForeignKey}} {
			if kind.named {
				*kind.flag = on
			}
		}
	})
}

func (s *session) createTable(x *execution, by store.Issuer, stmt *sql.CreateTable) error {
	owner := stmt.Table.Owner
	if owner == "" {
		owner = s.schema
	}
	if _, ok := s.engine.users.find(s.container, owner); !ok {
		return at(stmt.Table.Pos, wire.Errorf(1918, "user '%s' does not exist", owner))
	}
	if err := s.needIn(owner, "CREATE TABLE", "CREATE ANY TABLE"); err != nil {
		return err
	}
	layout := catalog.Table{Owner: owner, Name: stmt.Table.Name}
	constraints := slices.Clone(stmt.Constraints)
	for _, def := range stmt.Columns {
		col, err := s.column(x, &def, owner, stmt.Table.Name)
		if err != nil {
			return err
		}
		if columnIndex(&layout, col.Name) >= 0 {
			return at(def.Pos, wire.Errorf(957, "duplicate column name"))
		}
		col.SegmentID = len(layout.Columns) + 1
		layout.Columns = append(layout.Columns, col)
		constraints = append(constraints, def.Constraints...)
	}
	for i := range constraints {
		if err := s.addConstraint(&layout, &constraints[i]); err != nil {
			return err
		}
	}
	return s.engine.store.CreateTable(x.ctx, by, layout)
}

// column makes a stored column of its definition; types that no table stores yet are refused by name.
func (s *session) column(x *execution, def *sql.ColumnDef, owner, table string) (catalog.Column, error) {
	t := def.Type
	switch t.Code {
	case datum.TypeLong, datum.TypeLongRaw, datum.TypeRowID:
		return catalog.Column{}, at(def.Pos, wire.Errorf(3001, "unimplemented feature: column of type %s", storedTypeName(t)))
	case datum.TypeVarchar, datum.TypeChar:
		if !t.National && s.NLS("NLS_LENGTH_SEMANTICS") == "CHAR" {
			t.CharUsed = true
		}
	}
	col := catalog.Column{Name: def.Name, Type: t, Nullable: !def.NotNull, Default: def.DefaultText}
	if def.Default != nil {
		if err := s.checkDefault(x, def, scalar.Target{Owner: owner, Table: table, Column: col.Name, Type: t}); err != nil {
			return col, err
		}
	}
	return col, nil
}

func storedTypeName(t datum.Type) string {
	switch t.Code {
	case datum.TypeLong:
		return "LONG"
	case datum.TypeLongRaw:
		return "LONG RAW"
	}
	return typeName(t)
}

// checkDefault compiles a default where no column is in scope, and tries it.
func (s *session) checkDefault(x *execution, def *sql.ColumnDef, to scalar.Target) error {
	c := &compiler{x: x, scope: &scope{}}
	n, err := c.expr(def.Default)
	if err != nil {
		return err
	}
	if !n.constant {
		return nil
	}
	_, err = x.settings.Fit(n.value, n.typ, &to)
	return err
}

// addConstraint puts a key into a layout; the columns of a primary key become NOT NULL.
func (s *session) addConstraint(layout *catalog.Table, def *sql.ConstraintDef) error {
	c := catalog.Constraint{Name: def.Name}
	for _, name := range def.Columns {
		i := columnIndex(layout, name)
		if i < 0 {
			return at(def.Pos, wire.Errorf(904, "%s: invalid identifier", quote(name)))
		}
		if t := layout.Columns[i].Type; isLOB(t) {
			return at(def.Pos, wire.Errorf(2329, "column of datatype LOB cannot be unique or a primary key"))
		}
		if slices.Contains(c.Columns, i) {
			return at(def.Pos, wire.Errorf(957, "duplicate column name"))
		}
		c.Columns = append(c.Columns, i)
	}
	if c.Name == "" {
		c.Name = s.engine.constraintName()
	}
	if layout.PrimaryKey != nil && (def.Primary || slices.Equal(layout.PrimaryKey.Columns, c.Columns)) {
		return at(def.Pos, keyConflict(def.Primary))
	}
	for _, u := range layout.Unique {
		if slices.Equal(u.Columns, c.Columns) {
			return at(def.Pos, keyConflict(false))
		}
	}
	if !def.Primary {
		layout.Unique = append(slices.Clip(layout.Unique), c)
		return nil
	}
	layout.PrimaryKey = &c
	layout.Columns = slices.Clone(layout.Columns)
	for _, i := range c.Columns {
		layout.Columns[i].Nullable = false
	}
	return nil
}

func keyConflict(primary bool) error {
	if primary {
		return wire.Errorf(2260, "table can have only one primary key")
	}
	return wire.Errorf(2261, "such unique or primary key already exists in the table")
}

// constraintName makes a system name.
func (e *Engine) constraintName() string {
	return fmt.Sprintf("SYS_C%08d", 8300+e.constraints.Add(1))
}

// createIndex makes a unique index a unique key; another index changes no answer and only leaves its DDL in the redo.
func (s *session) createIndex(ctx context.Context, by store.Issuer, stmt *sql.CreateIndex) error {
	t, layout, err := s.baseTable(stmt.Table, toIndex)
	if err != nil {
		return err
	}
	def := sql.ConstraintDef{Pos: stmt.Name.Pos, Name: stmt.Name.Name}
	for _, col := range stmt.Columns {
		if columnIndex(layout, col.Name) < 0 {
			return at(col.Pos, wire.Errorf(904, "%s: invalid identifier", quote(col.Name)))
		}
		def.Columns = append(def.Columns, col.Name)
	}
	if !stmt.Unique {
		return s.engine.store.Note(ctx, by, t)
	}
	return s.engine.store.Alter(ctx, by, t, func(now catalog.Table) (store.Alteration, error) {
		err := s.addConstraint(&now, &def)
		return store.Alteration{Layout: now, Keys: true}, err
	})
}
