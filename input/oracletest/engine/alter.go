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
	if stmt.Partition != nil {
		return s.alterPartitions(x, by, t, stmt.Partition)
	}
	parents, err := s.parents(stmt)
	if err != nil {
		return err
	}
	if err := s.freeGroup(t.Layout(s.engine.store).Owner, stmt.Logging); err != nil {
		return err
	}
	if stmt.Physical == "SHRINK SPACE" && t.Layout(s.engine.store).RowMovement {
		if err := s.engine.store.Shrink(x.ctx, by, t); err != nil {
			return err
		}
	}
	return s.engine.store.Alter(x.ctx, by, t, func(now catalog.Table) (store.Alteration, error) {
		a, err := s.alteration(x, now, stmt, parents)
		for _, more := range stmt.More {
			if err != nil {
				break
			}
			var next store.Alteration
			if next, err = s.alteration(x, a.Layout, more, parents); err == nil {
				a = a.Then(next)
			}
		}
		return a, err
	})
}

// alteration plans one clause of ALTER TABLE.
func (s *session) alteration(x *execution, now catalog.Table, stmt *sql.AlterTable, parents map[*sql.ConstraintDef]*catalog.Table) (store.Alteration, error) {
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
		return dropColumns(x, now, stmt.DropColumns, stmt.Cascade)
	case stmt.DropUnused:
		return dropColumns(x, now, nil, false)
	case stmt.SetUnused != nil:
		return s.setUnused(x, now, stmt.SetUnused, stmt.Cascade)
	case stmt.RenameColumn != nil:
		return renameColumn(x, now, stmt.RenameColumn)
	case stmt.RenameConstraint != nil:
		return renameConstraint(now, stmt.RenameConstraint)
	case stmt.Physical != "":
		return alterPhysical(now, stmt.Physical)
	case stmt.Change != nil:
		return changeConstraint(x, now, stmt.Change)
	}
	return dropConstraint(now, stmt)
}

// alterPhysical is what changes no column: where the rows lie, or what may be done to them.
func alterPhysical(now catalog.Table, what string) (store.Alteration, error) {
	a := store.Alteration{}
	switch what {
	case "MOVE":
		a.Move = true
	case "SHRINK SPACE":
		if !now.RowMovement {
			return a, wire.Errorf(10636, "ROW MOVEMENT is not enabled")
		}
	case "ENABLE ROW MOVEMENT", "DISABLE ROW MOVEMENT":
		now.RowMovement = what[0] == 'E'
	case "READ ONLY", "READ WRITE":
		readOnly := what == "READ ONLY"
		if now.ReadOnly == readOnly {
			return a, wire.Errorf(14139, "table is already in %s mode", what)
		}
		now.ReadOnly = readOnly
	}
	a.Layout = now
	return a, nil
}

// parents finds the tables that new foreign keys reference, and checks the names of new constraints, which are those of a schema. The
// store must not be asked while it plans the change.
func (s *session) parents(stmt *sql.AlterTable) (map[*sql.ConstraintDef]*catalog.Table, error) {
	var defs []*sql.ConstraintDef
	for _, clause := range append([]*sql.AlterTable{stmt}, stmt.More...) {
		if clause.AddConstraint != nil {
			defs = append(defs, clause.AddConstraint)
		}
		for i := range clause.AddColumns {
			for j := range clause.AddColumns[i].Constraints {
				defs = append(defs, &clause.AddColumns[i].Constraints[j])
			}
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
			if values[i].IsNull() && !layout.Columns[i].Nullable && layout.Columns[i].Virtual == "" {
				return refusal
			}
		}
		return nil
	}
}

// addColumns adds columns at the end. A default that is no NULL is not written to the rows that there are (R109); so that a row says
// whether its NULL is one, a column that may be NULL gets a bit in the guard column.
func (s *session) addColumns(x *execution, now catalog.Table, defs []sql.ColumnDef, parents map[*sql.ConstraintDef]*catalog.Table) (store.Alteration, error) {
	c := &compiler{x: x, scope: &scope{}}
	var added []datum.Datum
	var absent []bool
	var mandatory bool
	first := len(now.Columns)
	for _, def := range defs {
		col, err := s.column(x, &def, now.Owner, now.Name)
		if err != nil {
			return store.Alteration{}, err
		}
		if columnIndex(&now, col.Name) >= 0 {
			return store.Alteration{}, at(def.Pos, wire.Errorf(1430, "column being added already exists in table"))
		}
		for i := range now.Columns {
			col.Shown = max(col.Shown, now.Columns[i].Shown)
		}
		now.Columns = append(now.Columns, col)
		if err := s.virtualType(x, &now, len(now.Columns)-1); err != nil {
			return store.Alteration{}, at(def.Pos, err)
		}
		value, err := c.columnDefault(&col, now.Owner, now.Name)
		if err != nil {
			return store.Alteration{}, err
		}
		mandatory = mandatory || value.IsNull() && !col.Nullable && col.Virtual == ""
		added, absent = append(added, value), append(absent, !value.IsNull())
		if !value.IsNull() && col.Nullable {
			came, err := addGuard(&now)
			if err != nil {
				return store.Alteration{}, err
			}
			if came {
				added, absent = append(added, datum.Datum{}), append(absent, false)
			}
		}
		for i := range def.Constraints {
			one := &def.Constraints[i]
			if err := s.addConstraint(x, &now, one, parents[one]); err != nil {
				return store.Alteration{}, err
			}
		}
	}
	now.Number()
	checks, err := x.checks(&now, nil)
	if err != nil {
		return store.Alteration{}, err
	}
	d, err := x.derived(&now)
	if err != nil {
		return store.Alteration{}, err
	}
	a := store.Alteration{Layout: now, Structural: true, Online: onlyAdds(defs)}
	nothing := make([]bool, len(now.Columns))
	a.Rewrite = func(values []datum.Datum) []datum.Datum {
		out := append(slices.Clip(values), added...)
		_ = d.complete(out, nothing) // Check has tried it
		return out
	}
	a.Absent = func(before []bool) []bool {
		if !slices.Contains(absent, true) && before == nil {
			return nil
		}
		out := make([]bool, first, len(now.Columns))
		copy(out, before)
		return append(out, absent...)
	}
	a.Check = func(values []datum.Datum) error {
		if mandatory {
			return wire.Errorf(1758, "table must be empty to add mandatory (NOT NULL) column")
		}
		out := append(slices.Clip(values), added...)
		if err := d.complete(out, nothing); err != nil {
			return err
		}
		return validate(x, now.Owner, checks, out)
	}
	return a, nil
}

// onlyAdds reports whether columns come without constraints that rows could violate.
func onlyAdds(defs []sql.ColumnDef) bool {
	return !slices.ContainsFunc(defs, func(d sql.ColumnDef) bool { return len(d.Constraints) > 0 })
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
		if def.Virtual != nil || old.Virtual != "" && (def.Type.Code != 0 || def.Default != nil) {
			return store.Alteration{}, at(def.Pos, wire.Errorf(3001, "unimplemented feature: MODIFY of a virtual column"))
		}
		if def.Type.Code == 0 {
			def.Type = old.Type
		}
		col, err := s.column(x, &def, now.Owner, now.Name)
		if err != nil {
			return store.Alteration{}, err
		}
		col.SegmentID, col.Virtual, col.GuardBit, col.Shown = old.SegmentID, old.Virtual, old.GuardBit, old.Shown
		if def.Visibility == "" {
			col.Invisible = old.Invisible
		}
		if old.Invisible && !col.Invisible { // it becomes the last one
			for _, other := range now.Columns {
				col.Shown = max(col.Shown, other.Shown+1)
			}
		}
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
	if len(now.Visible()) == 0 {
		return store.Alteration{}, wire.Errorf(54039, "table must have at least one column that is not invisible")
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
