package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func (s *session) alterTable(x *execution, by store.Issuer, stmt *sql.AlterTable) error {
	t, _, err := s.baseTable(stmt.Table, toAlter)
	if err != nil {
		return err
	}
	if stmt.RenameTo != "" {
		return s.renameTable(x.ctx, by, t, stmt.RenameTo)
	}
	parents, err := s.parents(stmt)
	if err != nil {
		return err
	}
	if err := s.freeGroup(t.Layout(s.engine.store).Owner, stmt.Logging); err != nil {
		return err
	}
	return s.engine.store.Alter(x.ctx, by, t, func(now catalog.Table) (store.Alteration, error) {
		// The present layout is shared with readers: what changes is copied.
		now.Columns, now.Unique, now.UserGroups = slices.Clone(now.Columns), slices.Clone(now.Unique), slices.Clone(now.UserGroups)
		switch {
		case stmt.Logging != nil:
			return alterLogging(now, stmt.Logging)
		case stmt.AddConstraint != nil:
			return s.alterAddConstraint(x, now, stmt.AddConstraint, parents)
		case stmt.AddColumns != nil:
			return s.addColumns(x, now, stmt.AddColumns, parents)
		case stmt.Modify != nil:
			return s.modifyColumns(x, now, stmt.Modify)
		case stmt.DropColumns != nil:
			return dropColumns(now, stmt.DropColumns, stmt.Cascade)
		case stmt.RenameColumn != nil:
			return renameColumn(now, stmt.RenameColumn)
		case stmt.Change != nil:
			return changeConstraint(x, now, stmt.Change)
		}
		return dropConstraint(now, stmt)
	})
}

// parents finds the tables that new foreign keys reference, and checks the names of new constraints, which are those of a schema. The
// store must not be asked while it plans the change.
func (s *session) parents(stmt *sql.AlterTable) (map[*sql.ConstraintDef]*catalog.Table, error) {
	var defs []*sql.ConstraintDef
	if stmt.AddConstraint != nil {
		defs = append(defs, stmt.AddConstraint)
	}
	for i := range stmt.AddColumns {
		for j := range stmt.AddColumns[i].Constraints {
			defs = append(defs, &stmt.AddColumns[i].Constraints[j])
		}
	}
	owner := stmt.Table.Owner
	if owner == "" {
		owner = s.schema
	}
	parents := make(map[*sql.ConstraintDef]*catalog.Table)
	for _, def := range defs {
		if err := s.freeConstraint(owner, def); err != nil {
			return nil, err
		}
		var err error
		if parents[def], err = s.parent(def, nil); err != nil {
			return nil, err
		}
	}
	return parents, nil
}

func (s *session) freeConstraint(owner string, def *sql.ConstraintDef) error {
	for _, t := range s.engine.store.Layouts(s.container) {
		if t.Owner == owner && def.Name != "" && (constraintNames(t)[def.Name] || groupIndex(t, def.Name) >= 0) {
			return at(def.Pos, wire.Errorf(2264, "name already used by an existing constraint"))
		}
	}
	return nil
}

func (s *session) renameTable(ctx context.Context, by store.Issuer, t *store.Table, to string) error {
	old := t.Layout(s.engine.store)
	if s.engine.objects.taken(s.container, old.Owner, to) {
		return errNameUsed()
	}
	err := s.engine.store.Alter(ctx, by, t, func(now catalog.Table) (store.Alteration, error) {
		now.Name = to
		return store.Alteration{Layout: now}, nil
	})
	if err == nil {
		s.engine.users.rename(s.container, old.Owner, old.Name, to)
	}
	return err
}

// notNullCheck refuses rows with NULL in a column that the layout does not let be NULL.
func notNullCheck(layout *catalog.Table, refusal error) func([]datum.Datum) error {
	return func(values []datum.Datum) error {
		for i := range min(len(values), len(layout.Columns)) {
			if values[i].IsNull() && !layout.Columns[i].Nullable {
				return refusal
			}
		}
		return nil
	}
}

func (s *session) addColumns(x *execution, now catalog.Table, defs []sql.ColumnDef, parents map[*sql.ConstraintDef]*catalog.Table) (store.Alteration, error) {
	c := &compiler{x: x, scope: &scope{}}
	var added []datum.Datum
	var mandatory bool
	for _, def := range defs {
		col, err := s.column(x, &def, now.Owner, now.Name)
		if err != nil {
			return store.Alteration{}, err
		}
		if columnIndex(&now, col.Name) >= 0 {
			return store.Alteration{}, at(def.Pos, wire.Errorf(1430, "column being added already exists in table"))
		}
		col.SegmentID = len(now.Columns) + 1
		now.Columns = append(now.Columns, col)
		value, err := c.columnDefault(&col, now.Owner, now.Name)
		if err != nil {
			return store.Alteration{}, err
		}
		mandatory = mandatory || value.IsNull() && !col.Nullable
		added = append(added, value)
		for i := range def.Constraints {
			one := &def.Constraints[i]
			if err := s.addConstraint(x, &now, one, parents[one]); err != nil {
				return store.Alteration{}, err
			}
		}
	}
	checks, err := x.checks(&now, nil)
	if err != nil {
		return store.Alteration{}, err
	}
	a := store.Alteration{Layout: now, Structural: true}
	a.Rewrite = func(values []datum.Datum) []datum.Datum { return append(slices.Clip(values), added...) }
	a.Check = func(values []datum.Datum) error {
		if mandatory {
			return wire.Errorf(1758, "table must be empty to add mandatory (NOT NULL) column")
		}
		return validate(x, now.Owner, checks, a.Rewrite(values))
	}
	return a, nil
}

// columnDefault is the value that existing rows get in a new column.
func (c *compiler) columnDefault(col *catalog.Column, owner, table string) (datum.Datum, error) {
	n, err := c.defaultOf(col)
	if err != nil {
		return datum.Datum{}, err
	}
	d, err := n.eval(&frame{x: c.x})
	if err != nil {
		return d, err
	}
	return c.x.settings.Fit(d, n.typ, &scalar.Target{Owner: owner, Table: table, Column: col.Name, Type: col.Type})
}

// modifyColumns changes type, default and nullability. A type may grow; another change needs the column to be empty.
func (s *session) modifyColumns(x *execution, now catalog.Table, defs []sql.ColumnDef) (store.Alteration, error) {
	var checks []func([]datum.Datum) error
	for _, def := range defs {
		i := columnIndex(&now, def.Name)
		if i < 0 {
			return store.Alteration{}, at(def.Pos, wire.Errorf(904, "%s: invalid identifier", quote(def.Name)))
		}
		if len(def.Constraints) > 0 {
			return store.Alteration{}, at(def.Pos, wire.Errorf(3001, "unimplemented feature: constraint in MODIFY"))
		}
		old := now.Columns[i]
		if def.Type.Code == 0 {
			def.Type = old.Type
		}
		col, err := s.column(x, &def, now.Owner, now.Name)
		if err != nil {
			return store.Alteration{}, err
		}
		col.SegmentID = old.SegmentID
		if def.Default == nil {
			col.Default = old.Default
		}
		switch {
		case !def.NullSet:
			col.Nullable, col.NotNull = old.Nullable, old.NotNull
		case def.NotNull && !old.Nullable:
			return store.Alteration{}, at(def.Pos, wire.Errorf(1442, "column to be modified to NOT NULL is already NOT NULL"))
		case !def.NotNull && (old.Nullable || inPrimaryKey(&now, i)):
			return store.Alteration{}, at(def.Pos, wire.Errorf(1451, "column to be modified to NULL cannot be modified to NULL"))
		}
		now.Columns[i] = col
		if !grows(old.Type, col.Type) {
			checks = append(checks, emptyColumn(i, old.Type, col.Type))
		}
	}
	checks = append(checks, notNullCheck(&now, wire.Errorf(2296, "cannot enable (%s.) - null values found", now.Owner)))
	a := store.Alteration{Layout: now, Structural: true}
	a.Check = func(values []datum.Datum) error {
		for _, check := range checks {
			if err := check(values); err != nil {
				return err
			}
		}
		return nil
	}
	if slices.ContainsFunc(now.Columns, func(c catalog.Column) bool { return c.Type.Code == datum.TypeChar }) {
		a.Rewrite = func(values []datum.Datum) []datum.Datum { return padChars(&now, values) }
	}
	return a, nil
}

// grows reports whether every value of type a is one of type b.
func grows(a, b datum.Type) bool {
	if a == b {
		return true
	}
	if a.Code != b.Code || a.National != b.National || a.Float != b.Float {
		return false
	}
	switch a.Code {
	case datum.TypeVarchar, datum.TypeChar, datum.TypeRaw, datum.TypeTimestamp, datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
		return b.Size >= a.Size && (a.CharUsed == b.CharUsed || b.CharUsed)
	case datum.TypeNumber:
		if !b.HasPrecision && !b.HasScale {
			return true
		}
		return a.HasPrecision && b.HasPrecision && b.Scale >= a.Scale && b.Precision-b.Scale >= a.Precision-a.Scale
	}
	return false
}

func emptyColumn(i int, from, to datum.Type) func([]datum.Datum) error {
	return func(values []datum.Datum) error {
		switch {
		case values[i].IsNull():
			return nil
		case from.Code == datum.TypeNumber && to.Code == datum.TypeNumber:
			return wire.Errorf(1440, "column to be modified must be empty to decrease precision or scale")
		case from.Code == to.Code && len(values[i].Text) <= to.Size && from.Code == datum.TypeVarchar:
			return nil // what is there fits
		case from.Code == to.Code:
			return wire.Errorf(1441, "cannot decrease column length because some value is too big")
		}
		return wire.Errorf(1439, "column to be modified must be empty to change datatype")
	}
}

// padChars pads CHAR values to the length of the layout.
func padChars(layout *catalog.Table, values []datum.Datum) []datum.Datum {
	out := slices.Clone(values)
	for i, col := range layout.Columns {
		if col.Type.Code != datum.TypeChar || out[i].IsNull() {
			continue
		}
		length := len(out[i].Text)
		if col.Type.CharUsed || col.Type.National {
			length = len([]rune(out[i].Text))
		}
		if length < col.Type.Size {
			out[i].Text += strings.Repeat(" ", col.Type.Size-length)
		}
	}
	return out
}

// alterSession sets parameters, or the container.
func (s *session) alterSession(ctx context.Context, stmt *sql.AlterSession) error {
	if stmt.Container != "" {
		return s.setContainer(stmt.Container)
	}
	for _, setting := range stmt.Set {
		if err := s.setParameter(setting); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *session) setParameter(p sql.Setting) error {
	switch p.Name {
	case "CURRENT_SCHEMA":
		name := userName(p.Value)
		if _, ok := s.engine.users.find(s.container, name); !ok {
			return wire.Errorf(1435, "user does not exist")
		}
		s.schema = name
		s.show(func(i *SessionInfo) { i.CurrentSchema = name })
		return nil
	case "DDL_LOCK_TIMEOUT":
		if p.Value == "0" {
			return nil
		}
		return wire.Errorf(3001, "unimplemented feature: DDL_LOCK_TIMEOUT = %s", p.Value)
	case "ISOLATION_LEVEL", "EVENTS", "SQL_TRACE":
		return wire.Errorf(3001, "unimplemented feature: ALTER SESSION SET %s", p.Name)
	}
	return s.nls.set(p.Name, p.Value)
}

func (s *session) setContainer(name string) error {
	for _, c := range s.engine.containers {
		if c.Name != name {
			continue
		}
		if c.ID == s.container {
			return nil
		}
		switch {
		case !s.user.Common || !s.maySwitch(c.ID):
			return insufficient()
		case s.tx != nil:
			return wire.Errorf(65023, "active transaction exists in container %s", s.containerName())
		}
		return s.enterContainer(c.ID)
	}
	return wire.Errorf(65011, "Pluggable database %s does not exist.", name)
}

// enterContainer moves the session to another container that is open.
func (s *session) enterContainer(id int) error {
	e := s.engine
	e.mu.Lock()
	if e.openModes[id] == mounted || e.closing[id] {
		e.mu.Unlock()
		return wire.Errorf(1109, "database not open")
	}
	s.show(func(i *SessionInfo) { i.Container, i.CurrentSchema = id, s.user.Name })
	e.signalGone()
	e.mu.Unlock()
	s.container, s.schema = id, s.user.Name
	s.enableRoles()
	return nil
}

// maySwitch reports whether the user has SET CONTAINER in a container.
func (s *session) maySwitch(container int) bool {
	there := &rights{engine: s.engine, who: s.who, container: container}
	there.enableRoles()
	return there.has("SET CONTAINER")
}

// alterAtLogon applies the statement that a client sends with its log-on; a setting that the stand-in refuses later is left out here, as clients
// send their language and territory unasked.
func (s *session) alterAtLogon(ctx context.Context, text string) error {
	p, err := s.engine.cache.parse(strings.TrimRight(text, "\x00 ;"))
	if err != nil {
		return clientError(err)
	}
	stmt, ok := p.Statement.(*sql.AlterSession)
	if !ok {
		return wire.Errorf(900, "invalid SQL statement")
	}
	for _, setting := range stmt.Set {
		_ = s.setParameter(setting)
	}
	return ctx.Err()
}
