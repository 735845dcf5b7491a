package engine

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// createAsSelect makes a table with the rows of a query. They go in with the DDL, in its transaction; without logging they are in no
// redo, unless the database forces it (reference logminer F.6).
func (s *session) createAsSelect(x *execution, by store.Issuer, owner string, stmt *sql.CreateTable) error {
	x.top = stmt.As.Select
	q, err := compileQuery(x, nil, nil, stmt.As)
	if err != nil {
		return err
	}
	if stmt.Names != nil && len(stmt.Names) != len(q.columns) {
		return wire.Errorf(1730, "invalid number of column names specified")
	}
	layout := catalog.Table{Owner: owner, Name: stmt.Table.Name, NoLogging: stmt.NoLogging, Tablespace: stmt.Tablespace}
	for i, from := range q.columns {
		col := catalog.Column{Name: from.Name, Type: from.Type, Nullable: true}
		if stmt.Names != nil {
			col.Name = stmt.Names[i].Name
		} else if !named(stmt.As, i) {
			return wire.Errorf(998, "must name this expression with a column alias")
		}
		switch {
		case q.isUntyped(i):
			return wire.Errorf(1723, "zero-length columns are not allowed")
		case isLOB(col.Type):
			return wire.Errorf(3001, "unimplemented feature: CREATE TABLE AS SELECT of a LOB")
		case columnIndex(&layout, col.Name) >= 0:
			return wire.Errorf(957, "duplicate column name")
		}
		if col.NotNull = s.declaredNotNull(stmt.As, from.Name); col.NotNull {
			col.Nullable = false
		}
		layout.Columns = append(layout.Columns, col)
	}
	layout.Number()
	source, err := q.open(nil)
	if err != nil {
		return err
	}
	rows, err := readAll(source, len(q.columns))
	if err != nil {
		return err
	}
	return s.engine.store.CreateTable(x.ctx, by, layout, rows, !stmt.NoLogging || s.engine.ForceLogging())
}

// declaredNotNull reports whether a column of a query over one table is one that the table declares NOT NULL: such a constraint goes
// along, that of a primary key does not.
func (s *session) declaredNotNull(q *sql.Query, name string) bool {
	if q.Select == nil || len(q.Sets) > 0 || len(q.Select.From) != 1 || q.Select.GroupBy != nil {
		return false
	}
	table, ok := q.Select.From[0].(*sql.Table)
	if !ok {
		return false
	}
	_, layout, ok := s.findTable(table.Object)
	if !ok || layout == nil {
		return false
	}
	i := columnIndex(layout, name)
	plain := func(it sql.Item) bool {
		n, column := it.X.(*sql.Name)
		return it.Star != nil || column && n.Column == name && (it.Alias == "" || it.Alias == name)
	}
	return i >= 0 && layout.Columns[i].NotNull && slices.ContainsFunc(q.Select.Items, plain)
}

// recycled is what can be done to tables in the recycle bin.
func (s *session) recycled(ctx context.Context, by store.Issuer, stmt *sql.Recycled) error {
	owner := stmt.Table.Owner
	if owner == "" {
		owner = s.schema
	}
	if owner != s.who && !s.has("DROP ANY TABLE") {
		return insufficient()
	}
	switch {
	case stmt.All:
		return s.engine.store.PurgeAll(ctx, by, s.who)
	case !stmt.Back:
		return at(stmt.Table.Pos, s.engine.store.Purge(ctx, by, owner, stmt.Table.Name))
	}
	if name := stmt.RenameTo; name != "" && s.engine.objects.taken(s.container, owner, name) {
		return wire.Errorf(38312, "original name is used by an existing object")
	}
	return at(stmt.Table.Pos, s.engine.store.BeforeDrop(ctx, by, owner, stmt.Table.Name, stmt.RenameTo))
}
