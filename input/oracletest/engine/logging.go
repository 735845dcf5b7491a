package engine

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// alterLogging adds or drops supplemental logging of a table (reference logminer L.2).
func alterLogging(now catalog.Table, list []sql.SupplementalLogging) (store.Alteration, error) {
	for i := range list {
		var err error
		switch l := &list[i]; {
		case l.Group == "":
			err = alterAttributes(&now.LogGroups, l)
		case l.Drop:
			err = dropLogGroup(&now, l)
		default:
			err = addLogGroup(&now, l)
		}
		if err != nil {
			return store.Alteration{}, err
		}
	}
	return store.Alteration{Layout: now}, nil
}

func alterAttributes(g *catalog.LogGroups, l *sql.SupplementalLogging) error {
	for _, kind := range []struct {
		named bool
		flag  *bool
		name  string
	}{
		{l.All, &g.All, "all column"},
		{l.Primary, &g.PrimaryKey, "primary key"},
		{l.Unique, &g.UniqueIndex, "unique key"},
		{l.ForeignKeys, &g.ForeignKey, "foreign key"},
	} {
		switch {
		case !kind.named:
		case l.Drop && !*kind.flag:
			return wire.Errorf(32587, "Cannot drop nonexistent %s supplemental logging", kind.name)
		case !l.Drop && *kind.flag:
			return wire.Errorf(32588, "supplemental logging attribute %s exists", kind.name)
		default:
			*kind.flag = !l.Drop
		}
	}
	return nil
}

// maxLogged is how many columns a log group may have (reference logminer L.2).
const maxLogged = 33

// freeGroup checks the names of new groups, which are those of a schema, together with those of constraints. The store must not be asked
// while it plans the change.
func (s *session) freeGroup(owner string, list []sql.SupplementalLogging) error {
	for _, t := range s.engine.store.Layouts(s.container) {
		for i := range list {
			l := &list[i]
			if t.Owner == owner && l.Group != "" && !l.Drop && (constraintNames(t)[l.Group] || groupIndex(t, l.Group) >= 0) {
				return at(l.Pos, errGroupUsed())
			}
		}
	}
	return nil
}

func errGroupUsed() *wire.OraError {
	return wire.Errorf(30567, "name already used by an existing log group")
}

func addLogGroup(now *catalog.Table, l *sql.SupplementalLogging) error {
	if groupIndex(now, l.Group) >= 0 { // of the same statement
		return at(l.Pos, errGroupUsed())
	}
	group, logs := catalog.UserGroup{Name: l.Group, Always: l.Always}, false
	for _, c := range l.Columns {
		i := columnIndex(now, c.Name)
		switch {
		case i < 0:
			return at(c.Pos, wire.Errorf(904, "%s: invalid identifier", quote(c.Name)))
		case slices.Contains(group.Columns, i):
			return at(c.Pos, wire.Errorf(957, "duplicate column name"))
		case isLOB(now.Columns[i].Type):
			return at(c.Pos, wire.Errorf(30569, "data type of given column is not supported in a log group"))
		case len(group.Columns) == maxLogged:
			return at(c.Pos, wire.Errorf(2257, "maximum number of columns exceeded"))
		}
		group.Columns, group.NoLog = append(group.Columns, i), append(group.NoLog, c.NoLog)
		logs = logs || !c.NoLog
	}
	if !logs {
		return at(l.Pos, wire.Errorf(32592, "all columns in log group can not be no log columns"))
	}
	now.UserGroups = append(now.UserGroups, group)
	return nil
}

func dropLogGroup(now *catalog.Table, l *sql.SupplementalLogging) error {
	i := groupIndex(now, l.Group)
	if i < 0 {
		return at(l.Pos, wire.Errorf(30568, "cannot drop log group - nonexistent log group"))
	}
	now.UserGroups = slices.Delete(now.UserGroups, i, i+1)
	return nil
}

func groupIndex(t *catalog.Table, name string) int {
	return slices.IndexFunc(t.UserGroups, func(g catalog.UserGroup) bool { return g.Name == name })
}

// alterDatabase changes what is logged of all tables, or whether PDBs are open.
func (s *session) alterDatabase(ctx context.Context, by store.Issuer, stmt *sql.AlterDatabase) error {
	if err := s.need("ALTER DATABASE"); err != nil {
		return err
	}
	switch {
	case stmt.State != nil:
		return s.alterState(ctx, stmt.State)
	case stmt.ForceLogging != nil:
		return s.forceLogging(*stmt.ForceLogging)
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

// forceLogging changes FORCE LOGGING, which is of the control file and on which nothing here depends: all redo is written anyway.
func (s *session) forceLogging(on bool) error {
	if s.container != catalog.Root {
		return wire.Errorf(65040, "operation not allowed from within a pluggable database")
	}
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	switch {
	case on && s.engine.force:
		return wire.Errorf(12920, "database is already in force logging mode")
	case !on && !s.engine.force:
		return wire.Errorf(12921, "database is not in force logging mode")
	}
	s.engine.force = on
	return nil
}
