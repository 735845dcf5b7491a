package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func errNameUsed() error { return wire.Errorf(955, "name is already used by an existing object") }

func foreignLast(def *sql.ConstraintDef) int {
	if def.Kind == sql.ForeignKey {
		return 1
	}
	return 0
}

// parent finds the table that a foreign key references; self is the table that is being made, nil for one that exists. It must not
// be called while the store plans a change. Other constraints have none.
func (s *session) parent(def *sql.ConstraintDef, self *catalog.Table) (*catalog.Table, error) {
	if def.Kind != sql.ForeignKey {
		return nil, nil
	}
	if o := def.Parent; self != nil && o.Name == self.Name && (o.Owner == self.Owner || o.Owner == "" && s.schema == self.Owner) {
		return self, nil
	}
	_, layout, err := s.baseTable(def.Parent, toReference)
	return layout, err
}

// addConstraint puts a constraint into a layout; the columns of a primary key become NOT NULL.
func (s *session) addConstraint(x *execution, layout *catalog.Table, def *sql.ConstraintDef, parent *catalog.Table) error {
	c := catalog.Constraint{Name: def.Name, Generated: def.Name == "", Disabled: def.Disabled}
	if c.Generated {
		c.Name = s.engine.constraintName()
	} else if constraintNames(layout)[c.Name] {
		return at(def.Pos, wire.Errorf(2264, "name already used by an existing constraint"))
	}
	if def.Kind == sql.Check {
		return s.addCheck(x, layout, def, c)
	}
	for _, name := range def.Columns {
		i := columnIndex(layout, name)
		if i < 0 {
			return at(def.Pos, wire.Errorf(904, "%s: invalid identifier", quote(name)))
		}
		if isLOB(layout.Columns[i].Type) && def.Kind != sql.ForeignKey {
			return at(def.Pos, wire.Errorf(2329, "column of datatype LOB cannot be unique or a primary key"))
		}
		if slices.Contains(c.Columns, i) {
			return at(def.Pos, wire.Errorf(957, "duplicate column name"))
		}
		c.Columns = append(c.Columns, i)
	}
	if def.Kind == sql.ForeignKey {
		return at(def.Pos, addForeignKey(layout, def, c, parent))
	}
	return at(def.Pos, addKey(layout, c, def.Kind == sql.PrimaryKey))
}

// constraintNames are the names of a table's constraints.
func constraintNames(layout *catalog.Table) map[string]bool {
	names := make(map[string]bool)
	if layout.PrimaryKey != nil {
		names[layout.PrimaryKey.Name] = true
	}
	for _, u := range layout.Unique {
		names[u.Name] = true
	}
	for _, f := range layout.ForeignKeys {
		names[f.Name] = true
	}
	for _, c := range layout.Checks {
		names[c.Name] = true
	}
	return names
}

func addKey(layout *catalog.Table, c catalog.Constraint, primary bool) error {
	if layout.PrimaryKey != nil && (primary || slices.Equal(layout.PrimaryKey.Columns, c.Columns)) {
		return keyConflict(primary)
	}
	for _, u := range layout.Unique {
		if slices.Equal(u.Columns, c.Columns) {
			return keyConflict(false)
		}
	}
	if !primary {
		layout.Unique = append(slices.Clip(layout.Unique), c)
		return nil
	}
	layout.PrimaryKey = &c
	settleNullability(layout)
	return nil
}

// settleNullability lets a column be NULL that neither its declaration nor an enabled primary key keeps from it.
func settleNullability(layout *catalog.Table) {
	layout.Columns = slices.Clone(layout.Columns)
	for i := range layout.Columns {
		col := &layout.Columns[i]
		col.Nullable = !col.NotNull && !inPrimaryKey(layout, i)
	}
}

func inPrimaryKey(layout *catalog.Table, column int) bool {
	pk := layout.PrimaryKey
	return pk != nil && !pk.Disabled && slices.Contains(pk.Columns, column)
}

func keyConflict(primary bool) error {
	if primary {
		return wire.Errorf(2260, "table can have only one primary key")
	}
	return wire.Errorf(2261, "such unique or primary key already exists in the table")
}

func addForeignKey(layout *catalog.Table, def *sql.ConstraintDef, c catalog.Constraint, parent *catalog.Table) error {
	key, err := referencedKey(parent, def.ParentColumns)
	if err != nil {
		return err
	}
	if len(key.Columns) != len(c.Columns) {
		return wire.Errorf(2256, "number of referencing columns must match referenced columns")
	}
	for i, at := range key.Columns {
		own, theirs := layout.Columns[c.Columns[i]].Type, parent.Columns[at].Type
		if own.Code != theirs.Code || own.National != theirs.National || own.Code == datum.TypeChar && own.Size != theirs.Size {
			return wire.Errorf(2267, "column type incompatible with referenced column type")
		}
	}
	layout.ForeignKeys = append(slices.Clip(layout.ForeignKeys), catalog.ForeignKey{
		Constraint: c, Parent: parent.ObjectID, Key: key.Name, OnDelete: def.OnDelete,
	})
	return nil
}

// referencedKey finds the key of a parent over columns, its primary key without them. Their order is that of the reference.
func referencedKey(parent *catalog.Table, columns []string) (catalog.Constraint, error) {
	if columns == nil {
		if parent.PrimaryKey == nil || parent.PrimaryKey.Disabled {
			return catalog.Constraint{}, wire.Errorf(2268, "referenced table does not have a primary key")
		}
		return *parent.PrimaryKey, nil
	}
	var list []int
	for _, name := range columns {
		i := columnIndex(parent, name)
		if i < 0 {
			return catalog.Constraint{}, wire.Errorf(904, "%s: invalid identifier", quote(name))
		}
		list = append(list, i)
	}
	for _, k := range parent.Keys() {
		if slices.Equal(k.Columns, list) && !k.IndexOnly {
			return k, nil
		}
	}
	return catalog.Constraint{}, wire.Errorf(2270, "no matching unique or primary key for this column-list")
}

// addCheck puts a CHECK constraint into a layout after trying to compile it.
func (s *session) addCheck(x *execution, layout *catalog.Table, def *sql.ConstraintDef, c catalog.Constraint) error {
	if err := checkable(def.Check); err != nil {
		return err
	}
	_, src, err := compileCheck(x, layout, def.Check)
	if err != nil {
		return err
	}
	for i, used := range src.used {
		if !used {
			continue
		}
		if def.Inline && layout.Columns[i].Name != def.Columns[0] {
			return at(def.Pos, wire.Errorf(2438, "Column check constraint cannot reference other columns"))
		}
		c.Columns = append(c.Columns, i)
	}
	layout.Checks = append(slices.Clip(layout.Checks), catalog.Check{Constraint: c, Text: def.CheckText})
	return nil
}

// checkable refuses what depends on more than the row.
func checkable(e sql.Expr) error {
	var err error
	sql.Any(e, func(e sql.Expr) bool {
		switch e := e.(type) {
		case *sql.Subquery, *sql.Exists:
			err = at(e.Pos(), wire.Errorf(2251, "subquery not allowed here"))
		case *sql.In:
			if e.Query != nil {
				err = at(e.Pos(), wire.Errorf(2251, "subquery not allowed here"))
			}
		case *sql.Name:
			switch e.Column {
			case "SYSDATE", "SYSTIMESTAMP", "CURRENT_DATE", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "USER", "UID", "ROWNUM", "SESSIONTIMEZONE",
				"NEXTVAL", "CURRVAL":
				err = at(e.Pos(), wire.Errorf(2436, "date or system variable wrongly specified in CHECK constraint"))
			}
		case *sql.Call:
			switch e.Name {
			case "SYS_CONTEXT", "USERENV", "SYS_GUID", "TIMESTAMP_TO_SCN", "SCN_TO_TIMESTAMP":
				err = at(e.Pos(), wire.Errorf(2436, "date or system variable wrongly specified in CHECK constraint"))
			}
		}
		return err != nil
	})
	return err
}

// compileCheck compiles a condition over the columns of a table; src.used says which of them it reads.
func compileCheck(x *execution, layout *catalog.Table, condition sql.Expr) (test, *source, error) {
	c := &compiler{x: x, scope: &scope{}}
	src := &source{owner: layout.Owner, name: layout.Name, columns: tableColumns(layout)}
	c.scope.add(src)
	t, err := c.condition(condition)
	return t, src, err
}

// rowCheck is a compiled CHECK constraint.
type rowCheck struct {
	name    string
	columns []int
	holds   test
}

// checks compiles the CHECK constraints that a statement must heed: those that read one of the columns, or all.
func (x *execution) checks(layout *catalog.Table, set []bool) ([]rowCheck, error) {
	var list []rowCheck
	for i := range layout.Checks {
		c := &layout.Checks[i]
		if c.Disabled || set != nil && !slices.ContainsFunc(c.Columns, func(i int) bool { return set[i] }) {
			continue
		}
		condition, err := sql.ParseCondition(c.Text)
		if err != nil {
			return nil, err
		}
		t, _, err := compileCheck(x, layout, condition)
		if err != nil {
			return nil, err
		}
		list = append(list, rowCheck{c.Name, c.Columns, t})
	}
	return list, nil
}

// heed tests a row: only what is false violates a constraint.
func heed(x *execution, owner string, list []rowCheck, values []datum.Datum) error {
	for i := range list {
		t, err := list[i].holds(&frame{x: x, row: values})
		if err != nil {
			return err
		}
		if t == isFalse {
			return wire.Errorf(2290, "check constraint (%s.%s) violated", owner, list[i].name)
		}
	}
	return nil
}
