package engine

import (
	"cmp"
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
	switch stmt.(type) {
	case *sql.AlterDatabase, *sql.AlterSystem:
	default:
		if err := s.changeable(); err != nil {
			return err
		}
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
	case *sql.RenameTable:
		t, layout, err := s.baseTable(stmt.From, toAlter)
		if err != nil || layout.Owner != s.who {
			return wire.Errorf(4043, "object %s does not exist", stmt.From.Name)
		}
		return s.renameTable(ctx, by, t, stmt.To)
	case *sql.Recycled:
		return s.recycled(ctx, by, stmt)
	case *sql.CreateIndex:
		return s.createIndex(ctx, by, stmt)
	case *sql.DropIndex:
		return s.dropIndex(ctx, by, stmt)
	case *sql.Sequence, *sql.DropSequence, *sql.CreateView, *sql.DropView:
		return s.objectDDL(x, by, stmt)
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
		if stmt.Checkpoint {
			return nil // there are no data files to write
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
	if err := s.engine.store.DropTable(ctx, by, t, stmt.Purge, stmt.Cascade); err != nil {
		return err
	}
	s.engine.users.rename(s.container, layout.Owner, layout.Name, "")
	return nil
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
	if s.engine.objects.taken(s.container, owner, stmt.Table.Name) {
		return errNameUsed()
	}
	if stmt.As != nil {
		return s.createAsSelect(x, by, owner, stmt)
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
		layout.Columns = append(layout.Columns, col)
		constraints = append(constraints, def.Constraints...)
	}
	for i := range layout.Columns {
		if err := s.virtualType(x, &layout, i); err != nil {
			return at(stmt.Columns[i].Pos, err)
		}
	}
	if len(layout.Visible()) == 0 {
		return wire.Errorf(54039, "table must have at least one column that is not invisible")
	}
	layout.Number()
	layout.RowMovement, layout.IndexOrganized = stmt.RowMovement, stmt.IndexOrganized
	layout.NoLogging, layout.Tablespace = stmt.NoLogging, stmt.Tablespace
	if layout.IndexOrganized && stmt.Partitioning != nil {
		return wire.Errorf(3001, "unimplemented feature: index-organized tables with partitions")
	}
	if stmt.Partitioning != nil {
		var err error
		if layout.Partitioning, err = s.partitioning(x, &layout, stmt.Partitioning); err != nil {
			return err
		}
	}
	// Keys come first: a foreign key may reference the table's own.
	slices.SortStableFunc(constraints, func(a, b sql.ConstraintDef) int { return cmp.Compare(foreignLast(&a), foreignLast(&b)) })
	for i := range constraints {
		if err := s.freeConstraint(owner, &constraints[i]); err != nil {
			return err
		}
		parent, err := s.parent(&constraints[i], &layout)
		if err != nil {
			return err
		}
		if err := s.addConstraint(x, &layout, &constraints[i], parent); err != nil {
			return err
		}
	}
	if layout.IndexOrganized && (layout.PrimaryKey == nil || layout.PrimaryKey.Disabled) {
		return wire.Errorf(25175, "no PRIMARY KEY constraint found")
	}
	return s.engine.store.CreateTable(x.ctx, by, layout, nil, true)
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
	col := catalog.Column{
		Name: def.Name, Type: t, Nullable: !def.NotNull, NotNull: def.NotNull, Default: def.DefaultText,
		Virtual: def.VirtualText, Invisible: def.Visibility == "INVISIBLE",
	}
	if def.Default != nil {
		if err := s.checkDefault(x, def, scalar.Target{Owner: owner, Table: table, Column: col.Name, Type: t}); err != nil {
			return col, err
		}
	}
	return col, nil
}

// virtualType checks the expression of a virtual column, which gives it its type if it has none.
func (s *session) virtualType(x *execution, layout *catalog.Table, i int) error {
	col := &layout.Columns[i]
	if col.Virtual == "" {
		return nil
	}
	n, src, err := compileVirtual(x, layout, col.Virtual)
	if err != nil {
		return err
	}
	for at, used := range src.used {
		if used && layout.Columns[at].Virtual != "" {
			return wire.Errorf(54012, "virtual column is referenced in a column expression")
		}
	}
	if col.Type.Code == 0 {
		if col.Type = n.typ; n.typ.Code == 0 {
			return wire.Errorf(54016, "Invalid column expression was specified")
		}
	}
	if isLOB(col.Type) {
		return wire.Errorf(3001, "unimplemented feature: virtual column of a LOB type")
	}
	return nil
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
	c := &compiler{x: x, scope: &scope{}, sequences: &sequenceUses{}}
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

// constraintName makes a system name.
func (e *Engine) constraintName() string {
	return fmt.Sprintf("SYS_C%08d", 8300+e.constraints.Add(1))
}
