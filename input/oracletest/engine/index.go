package engine

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// createIndex makes a unique index a unique key; another index changes no answer and is only listed.
func (s *session) createIndex(ctx context.Context, by store.Issuer, stmt *sql.CreateIndex) error {
	t, layout, err := s.baseTable(stmt.Table, toIndex)
	if err != nil {
		return err
	}
	owner := stmt.Name.Owner
	if owner == "" {
		owner = s.schema
	}
	if _, _, used := s.findIndex(owner, stmt.Name.Name); used {
		return at(stmt.Name.Pos, errNameUsed())
	}
	var columns []int
	for _, col := range stmt.Columns {
		i := columnIndex(layout, col.Name)
		switch {
		case i < 0:
			return at(col.Pos, wire.Errorf(904, "%s: invalid identifier", quote(col.Name)))
		case isLOB(layout.Columns[i].Type):
			return at(col.Pos, wire.Errorf(2327, "cannot create index on expression with datatype LOB"))
		}
		columns = append(columns, i)
	}
	return s.engine.store.Alter(ctx, by, t, func(now catalog.Table) (store.Alteration, error) {
		if hasIndex(&now, columns) {
			return store.Alteration{}, wire.Errorf(1408, "such column list already indexed")
		}
		if !stmt.Unique {
			now.Indexes = append(slices.Clip(now.Indexes), catalog.Index{Owner: owner, Name: stmt.Name.Name, Columns: columns})
			return store.Alteration{Layout: now}, nil
		}
		now.Unique = append(slices.Clip(now.Unique), catalog.Constraint{Name: stmt.Name.Name, Columns: columns, IndexOnly: true})
		return store.Alteration{Layout: now, Keys: true}, nil
	})
}

func hasIndex(layout *catalog.Table, columns []int) bool {
	for _, k := range layout.Keys() {
		if slices.Equal(k.Columns, columns) {
			return true
		}
	}
	return slices.ContainsFunc(layout.Indexes, func(x catalog.Index) bool { return slices.Equal(x.Columns, columns) })
}

// findIndex finds the table of an index. key says that it enforces a unique key; its owner is then that of the table.
func (s *session) findIndex(owner, name string) (layout *catalog.Table, key, ok bool) {
	for _, t := range s.engine.store.Layouts(s.container) {
		if _, is := t.Key(name); is && t.Owner == owner {
			return t, true, true
		}
		if slices.ContainsFunc(t.Indexes, func(x catalog.Index) bool { return x.Owner == owner && x.Name == name }) {
			return t, false, true
		}
	}
	return nil, false, false
}

func (s *session) dropIndex(ctx context.Context, by store.Issuer, stmt *sql.DropIndex) error {
	owner := stmt.Name.Owner
	if owner == "" {
		owner = s.schema
	}
	layout, key, ok := s.findIndex(owner, stmt.Name.Name)
	if !ok || owner != s.user.Name && !s.has("DROP ANY INDEX") {
		return at(stmt.Name.Pos, wire.Errorf(1418, "specified index does not exist"))
	}
	if key {
		if k, _ := layout.Key(stmt.Name.Name); !k.IndexOnly {
			return at(stmt.Name.Pos, wire.Errorf(2429, "cannot drop index used for enforcement of unique/primary key"))
		}
	}
	t, ok := s.engine.store.Table(s.container, layout.Owner, layout.Name)
	if !ok {
		return at(stmt.Name.Pos, wire.Errorf(1418, "specified index does not exist"))
	}
	return s.engine.store.Alter(ctx, by, t, func(now catalog.Table) (store.Alteration, error) {
		now.Indexes = slices.DeleteFunc(slices.Clone(now.Indexes), func(x catalog.Index) bool { return x.Owner == owner && x.Name == stmt.Name.Name })
		now.Unique = slices.DeleteFunc(slices.Clone(now.Unique), func(k catalog.Constraint) bool { return k.IndexOnly && k.Name == stmt.Name.Name })
		return store.Alteration{Layout: now, Keys: key}, nil
	})
}
