package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func (s *session) alterAddConstraint(x *execution, now catalog.Table, def *sql.ConstraintDef, parents map[*sql.ConstraintDef]*catalog.Table) (store.Alteration, error) {
	if err := s.addConstraint(x, &now, def, parents[def]); err != nil {
		return store.Alteration{}, err
	}
	a := store.Alteration{Layout: now, Keys: true, Check: notNullCheck(&now, wire.Errorf(1449, "column contains NULL values; cannot alter to NOT NULL"))}
	if def.Kind != sql.Check {
		return a, nil
	}
	return validated(x, a, now.Checks[len(now.Checks)-1].Name)
}

// validated lets an alteration check the rows against one CHECK constraint.
func validated(x *execution, a store.Alteration, name string) (store.Alteration, error) {
	checks, err := x.checks(&a.Layout, nil)
	if err != nil {
		return a, err
	}
	checks = slices.DeleteFunc(checks, func(c rowCheck) bool { return c.name != name })
	a.Check = func(values []datum.Datum) error { return validate(x, a.Layout.Owner, checks, values) }
	return a, nil
}

// validate is heed for rows that are there already.
func validate(x *execution, owner string, checks []rowCheck, values []datum.Datum) error {
	for i := range checks {
		err := heed(x, owner, checks[i:i+1], values)
		var ora *wire.OraError
		if errors.As(err, &ora) && ora.Code == 2290 {
			return wire.Errorf(2293, "cannot validate (%s.%s) - check constraint violated", owner, checks[i].name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// changeConstraint is ENABLE and DISABLE.
func changeConstraint(x *execution, now catalog.Table, c *sql.ConstraintChange) (store.Alteration, error) {
	a := store.Alteration{}
	if key := changedKey(&now, c); key != nil {
		key.Disabled = c.Disable
		settleNullability(&now)
		a.Layout, a.Keys = now, true
		if !c.Disable {
			a.Check = notNullCheck(&now, wire.Errorf(2437, "cannot validate (%s.%s) - primary key violated", now.Owner, key.Name))
		}
		if c.Disable {
			a.Lost, a.OnlyEnabled = []string{key.Name}, true
			a.Keep = wire.Errorf(2297, "cannot disable constraint (%s.%s) - dependencies exist", now.Owner, key.Name)
			if c.Cascade {
				a.Keep = wire.Errorf(3001, "unimplemented feature: DISABLE CASCADE of a key with foreign keys")
			}
		}
		return a, nil
	}
	now.ForeignKeys, now.Checks = slices.Clone(now.ForeignKeys), slices.Clone(now.Checks)
	for i := range now.ForeignKeys {
		if c.Name != "" && now.ForeignKeys[i].Name == c.Name {
			now.ForeignKeys[i].Disabled = c.Disable
			return store.Alteration{Layout: now}, nil
		}
	}
	for i := range now.Checks {
		if c.Name != "" && now.Checks[i].Name == c.Name {
			now.Checks[i].Disabled = c.Disable
			return validated(x, store.Alteration{Layout: now}, c.Name)
		}
	}
	if c.Disable {
		return a, at(c.Pos, wire.Errorf(2431, "cannot disable constraint (%s) - no such constraint", c.Name))
	}
	return a, at(c.Pos, wire.Errorf(2430, "cannot enable constraint (%s) - no such constraint", c.Name))
}

// changedKey finds a key in a layout whose lists are its own, and makes the primary key its own too.
func changedKey(now *catalog.Table, c *sql.ConstraintChange) *catalog.Constraint {
	if pk := now.PrimaryKey; pk != nil && (c.Primary || c.Name != "" && pk.Name == c.Name) {
		own := *pk
		now.PrimaryKey = &own
		return &own
	}
	if i := slices.IndexFunc(now.Unique, func(k catalog.Constraint) bool { return uniqueIs(now, &k, c.Name, c.Columns) }); i >= 0 && !c.Primary {
		return &now.Unique[i]
	}
	return nil
}

// uniqueIs reports whether a unique constraint has a name, or these columns.
func uniqueIs(t *catalog.Table, k *catalog.Constraint, name string, columns []string) bool {
	if k.IndexOnly {
		return false
	}
	if name != "" {
		return k.Name == name
	}
	return len(columns) == len(k.Columns) && !slices.ContainsFunc(k.Columns, func(i int) bool { return !slices.Contains(columns, t.Columns[i].Name) })
}

// dropConstraint drops one by its name or by what it is.
func dropConstraint(now catalog.Table, stmt *sql.AlterTable) (store.Alteration, error) {
	name := stmt.DropConstraint
	a := store.Alteration{Keys: true, Cascade: stmt.Cascade, Keep: wire.Errorf(2273, "this unique/primary key is referenced by some foreign keys")}
	if now.PrimaryKey != nil && (stmt.DropPrimary || name != "" && now.PrimaryKey.Name == name) {
		a.Lost = []string{now.PrimaryKey.Name}
		now.PrimaryKey = nil
		settleNullability(&now)
		a.Layout = now
		return a, nil
	}
	if stmt.DropPrimary {
		return a, wire.Errorf(2441, "Cannot drop nonexistent primary key")
	}
	if i := slices.IndexFunc(now.Unique, func(k catalog.Constraint) bool { return uniqueIs(&now, &k, name, stmt.DropUnique) }); i >= 0 {
		a.Lost = []string{now.Unique[i].Name}
		now.Unique = slices.Delete(now.Unique, i, i+1)
		a.Layout = now
		return a, nil
	}
	foreign, checks := len(now.ForeignKeys), len(now.Checks)
	now.ForeignKeys = slices.DeleteFunc(slices.Clone(now.ForeignKeys), func(f catalog.ForeignKey) bool { return name != "" && f.Name == name })
	now.Checks = slices.DeleteFunc(slices.Clone(now.Checks), func(c catalog.Check) bool { return name != "" && c.Name == name })
	if len(now.ForeignKeys) < foreign || len(now.Checks) < checks {
		return store.Alteration{Layout: now, Online: true}, nil
	}
	return a, wire.Errorf(2443, "Cannot drop constraint  - nonexistent constraint")
}

// leaving finds the columns of DROP or SET UNUSED. They must leave a visible one, and nothing that reads them.
func leaving(x *execution, now *catalog.Table, names []sql.ColumnName) ([]bool, error) {
	gone := make([]bool, len(now.Columns))
	for _, name := range names {
		i := columnIndex(now, name.Name)
		if i < 0 {
			return nil, at(name.Pos, wire.Errorf(904, "%s: invalid identifier", quote(name.Name)))
		}
		gone[i] = true
		for _, g := range now.UserGroups {
			if slices.Contains(g.Columns, i) {
				return nil, at(name.Pos, wire.Errorf(3001, "unimplemented feature: DROP COLUMN of a supplemental log group"))
			}
		}
		if now.Partitioning != nil && slices.Contains(now.Partitioning.Columns, i) {
			return nil, at(name.Pos, wire.Errorf(12984, "cannot drop partitioning column"))
		}
		if readByVirtual(x, now, i) {
			return nil, at(name.Pos, wire.Errorf(54031, "column to be dropped is used in a virtual column expression"))
		}
	}
	if !slices.ContainsFunc(now.Visible(), func(i int) bool { return !gone[i] }) {
		return nil, wire.Errorf(12983, "cannot drop all columns in a table")
	}
	return gone, nil
}

// setUnused takes columns away from statements; they stay where they are in the rows, under generated names (reference logminer I).
func (s *session) setUnused(x *execution, now catalog.Table, names []sql.ColumnName, cascade bool) (store.Alteration, error) {
	gone, err := leaving(x, &now, names)
	if err != nil {
		return store.Alteration{}, err
	}
	moved := make([]int, len(gone))
	for i := range gone {
		if moved[i] = i; !gone[i] {
			continue
		}
		moved[i] = -1
		col := &now.Columns[i]
		if col.Virtual != "" {
			return store.Alteration{}, wire.Errorf(3001, "unimplemented feature: SET UNUSED of a virtual column")
		}
		*col = catalog.Column{
			Name: fmt.Sprintf("SYS_C%05d_%s$", i+1, s.now().Format("06010215:04:05")), Type: col.Type, SegmentID: col.SegmentID, Unused: true, Nullable: true,
		}
	}
	lost, err := moveConstraints(&now, moved, cascade)
	if err != nil {
		return store.Alteration{}, err
	}
	settleNullability(&now)
	return store.Alteration{Layout: now, Structural: true, Online: true, Lost: lost, Cascade: cascade, Keep: wire.Errorf(12992, "cannot drop parent key column")}, nil
}

// renameConstraint gives a constraint another name.
func renameConstraint(now catalog.Table, names *[2]sql.ColumnName) (store.Alteration, error) {
	if constraintNames(&now)[names[1].Name] {
		return store.Alteration{}, at(names[1].Pos, wire.Errorf(2264, "name already used by an existing constraint"))
	}
	a := store.Alteration{Keys: true}
	from, to := names[0].Name, names[1].Name
	if pk := now.PrimaryKey; pk != nil && pk.Name == from {
		own := *pk
		own.Name, own.Generated = to, false
		now.PrimaryKey, a.Layout = &own, now
		return a, nil
	}
	now.ForeignKeys, now.Checks = slices.Clone(now.ForeignKeys), slices.Clone(now.Checks)
	var found *catalog.Constraint
	for i := range now.Unique {
		if now.Unique[i].Name == from && !now.Unique[i].IndexOnly {
			found = &now.Unique[i]
		}
	}
	for i := range now.ForeignKeys {
		if now.ForeignKeys[i].Name == from {
			found = &now.ForeignKeys[i].Constraint
		}
	}
	for i := range now.Checks {
		if now.Checks[i].Name == from {
			found = &now.Checks[i].Constraint
		}
	}
	if found == nil {
		return a, at(names[0].Pos, wire.Errorf(23292, "The constraint does not exist"))
	}
	found.Name, found.Generated = to, false
	a.Layout = now
	return a, nil
}

// dropColumns drops columns, and with them the unused ones.
func dropColumns(x *execution, now catalog.Table, names []sql.ColumnName, cascade bool) (store.Alteration, error) {
	gone, err := leaving(x, &now, names)
	if err != nil {
		return store.Alteration{}, err
	}
	for i := range gone {
		gone[i] = gone[i] || now.Columns[i].Unused
	}
	if !slices.Contains(gone, true) { // DROP UNUSED COLUMNS without one
		return store.Alteration{Layout: now}, nil
	}
	moved := make([]int, len(gone))
	var columns []catalog.Column
	for i, col := range now.Columns {
		moved[i] = -1
		if !gone[i] {
			moved[i] = len(columns)
			columns = append(columns, col)
		}
	}
	lost, err := moveConstraints(&now, moved, cascade)
	if err != nil {
		return store.Alteration{}, err
	}
	for i := range now.UserGroups {
		g := &now.UserGroups[i]
		g.Columns = slices.Clone(g.Columns)
		for n := range g.Columns {
			g.Columns[n] = moved[g.Columns[n]]
		}
	}
	now.Columns = columns
	if now.Partitioning != nil {
		now.Partitioning = now.Partitioning.Clone()
		now.Partitioning.Columns = slices.Clone(now.Partitioning.Columns)
		for i, column := range now.Partitioning.Columns {
			now.Partitioning.Columns[i] = moved[column]
		}
	}
	now.Number()
	settleNullability(&now)
	return store.Alteration{
		Layout: now, Structural: true, Lost: lost, Cascade: cascade, Keep: wire.Errorf(12992, "cannot drop parent key column"),
		Rewrite: func(values []datum.Datum) []datum.Datum {
			out := make([]datum.Datum, len(columns))
			for i, to := range moved {
				if to >= 0 {
					out[to] = values[i]
				}
			}
			return out
		},
		Absent: func(absent []bool) []bool {
			if absent == nil {
				return nil
			}
			out := make([]bool, len(columns))
			for i, to := range moved {
				if to >= 0 && i < len(absent) {
					out[to] = absent[i]
				}
			}
			return out
		},
	}, nil
}

// mover renumbers the columns of constraints after a DROP of columns.
type mover struct {
	moved   []int // new index by old one, -1 for a dropped column
	cascade bool
}

// move renumbers a constraint. It goes with all of its columns; one that loses some of them stops the statement, unless CASCADE
// CONSTRAINTS takes it too.
func (m mover) move(c *catalog.Constraint) (stays bool, err error) {
	columns := make([]int, 0, len(c.Columns))
	for _, i := range c.Columns {
		if m.moved[i] >= 0 {
			columns = append(columns, m.moved[i])
		}
	}
	switch {
	case len(columns) == len(c.Columns):
		c.Columns = columns
		return true, nil
	case len(columns) == 0 || m.cascade || c.IndexOnly:
		return false, nil
	}
	return false, wire.Errorf(12991, "column is referenced in a multi-column constraint")
}

// moveConstraints renumbers everything that names columns, and returns the names of the keys that go.
func moveConstraints(now *catalog.Table, moved []int, cascade bool) (lost []string, err error) {
	m := mover{moved, cascade}
	if now.PrimaryKey != nil {
		c := *now.PrimaryKey
		stays, err := m.move(&c)
		if err != nil {
			return nil, err
		}
		if now.PrimaryKey = &c; !stays {
			now.PrimaryKey, lost = nil, append(lost, c.Name)
		}
	}
	var unique []catalog.Constraint
	for _, c := range now.Unique {
		stays, err := m.move(&c)
		if err != nil {
			return nil, err
		}
		if stays {
			unique = append(unique, c)
		} else {
			lost = append(lost, c.Name)
		}
	}
	now.Unique = unique
	var foreign []catalog.ForeignKey
	for _, f := range now.ForeignKeys {
		stays, err := m.move(&f.Constraint)
		if err != nil {
			return nil, err
		}
		if stays {
			foreign = append(foreign, f)
		}
	}
	now.ForeignKeys = foreign
	var checks []catalog.Check
	for _, c := range now.Checks {
		stays, err := m.move(&c.Constraint)
		if err != nil {
			return nil, err
		}
		if stays {
			checks = append(checks, c)
		}
	}
	now.Checks = checks
	var indexes []catalog.Index
	for _, x := range now.Indexes {
		c := catalog.Constraint{Columns: x.Columns, IndexOnly: true}
		if stays, _ := m.move(&c); stays { // an index goes without a word
			x.Columns = c.Columns
			indexes = append(indexes, x)
		}
	}
	now.Indexes = indexes
	return lost, nil
}

func renameColumn(x *execution, now catalog.Table, names *[2]sql.ColumnName) (store.Alteration, error) {
	i := columnIndex(&now, names[0].Name)
	if i < 0 {
		return store.Alteration{}, at(names[0].Pos, wire.Errorf(904, "%s: invalid identifier", quote(names[0].Name)))
	}
	if columnIndex(&now, names[1].Name) >= 0 {
		return store.Alteration{}, at(names[1].Pos, wire.Errorf(957, "duplicate column name"))
	}
	if slices.ContainsFunc(now.Checks, func(c catalog.Check) bool { return slices.Contains(c.Columns, i) }) {
		return store.Alteration{}, at(names[0].Pos, wire.Errorf(3001, "unimplemented feature: RENAME of a column in a CHECK constraint"))
	}
	if readByVirtual(x, &now, i) {
		return store.Alteration{}, at(names[0].Pos, wire.Errorf(54032, "column to be renamed is used in a virtual column expression"))
	}
	now.Columns[i].Name = names[1].Name
	return store.Alteration{Layout: now, Structural: true}, nil
}
