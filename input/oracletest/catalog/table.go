package catalog

import (
	"cmp"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Container ids. A PDB has an id above PDBSeed.
const (
	Root    = 1
	PDBSeed = 2
)

// Container is the root or a PDB.
type Container struct {
	ID       int
	Name     string // CDB$ROOT, FREEPDB1
	DBID     uint32
	GUID     [16]byte
	OpenMode string // READ WRITE, MOUNTED
}

// Table is one layout of a table. It is immutable: a DDL makes a new one with a higher Version.
type Table struct {
	Container    int
	Owner, Name  string
	ObjectID     uint32 // OBJECT_ID, DATA_OBJ# of heap tables
	DataObjectID uint32 // DATA_OBJECT_ID, changes on TRUNCATE
	Version      uint32 // DATA_OBJV#, raised by structural DDL
	Columns      []Column
	// Constraints and indexes name columns by their index in Columns. Unique are unique constraints and unique indexes.
	PrimaryKey  *Constraint
	Unique      []Constraint
	ForeignKeys []ForeignKey
	Checks      []Check
	Indexes     []Index // that are not unique
	LogGroups   LogGroups
	UserGroups  []UserGroup
	Created     time.Time
	LastDDL     time.Time
	// Dropped marks a table in the recycle bin: Name is its BIN$ name, Original the one it had, and it can only be found by its ids.
	Dropped  bool
	Original string
	DropSCN  uint64
	// ReadOnly is ALTER TABLE READ ONLY, RowMovement ENABLE ROW MOVEMENT.
	ReadOnly, RowMovement bool
	// Tablespace is empty for USERS. NoLogging: direct-path loads leave no redo of the rows, unless the database forces it.
	Tablespace string
	NoLogging  bool
	// IndexOrganized tables (IOT) keep their rows in the index of the primary key: they have logical ROWIDs and no extents of their own.
	IndexOrganized bool
	// Statistics are nil until they are gathered.
	Statistics *Statistics
	// Partitioning is nil of a table with one segment.
	Partitioning *Partitioning
}

// Keys lists the keys that are enforced, the primary key first.
func (t *Table) Keys() []Constraint {
	keys := make([]Constraint, 0, len(t.Unique)+1)
	if t.PrimaryKey != nil && !t.PrimaryKey.Disabled {
		keys = append(keys, *t.PrimaryKey)
	}
	for _, u := range t.Unique {
		if !u.Disabled {
			keys = append(keys, u)
		}
	}
	return keys
}

// Key finds an enforced key by its name.
func (t *Table) Key(name string) (Constraint, bool) {
	for _, k := range t.Keys() {
		if k.Name == name {
			return k, true
		}
	}
	return Constraint{}, false
}

// Constraint is a primary or unique key, or part of another constraint.
type Constraint struct {
	Name    string
	Columns []int
	// Generated says that the name is, Disabled that nothing is enforced.
	Generated, Disabled bool
	// IndexOnly marks a unique index that no constraint stands behind.
	IndexOnly bool
}

// ForeignKey references a key of a table of the same container.
type ForeignKey struct {
	Constraint
	Parent uint32 // object id
	Key    string // name of the parent's constraint
	// OnDelete is CASCADE, SET NULL or empty.
	OnDelete string
}

// Check is a CHECK constraint; Columns are those that its condition reads.
type Check struct {
	Constraint
	Text string
}

// Index is an index that is not unique.
type Index struct {
	Owner, Name string
	Columns     []int
}

// LogGroups says which supplemental log groups a table has.
type LogGroups struct{ All, PrimaryKey, UniqueIndex, ForeignKey bool }

// UserGroup is a supplemental log group with a name.
type UserGroup struct {
	Name    string
	Columns []int
	NoLog   []bool // by Columns
	Always  bool   // else the columns are logged when one of them changes
}

// Column is a column of a table.
type Column struct {
	Name     string
	Type     datum.Type
	Nullable bool
	// NotNull says that the column itself is declared NOT NULL; else it may only be so by the primary key, and with it.
	NotNull bool
	// Default is the default expression's text, empty without one.
	Default string
	// SegmentID is the position among stored columns, from 1; 0 of a virtual column (R42).
	SegmentID int
	// Virtual is the expression of a virtual column, empty of a stored one.
	Virtual string
	// Invisible columns were declared so; Unused ones are left by SET UNUSED under a generated name; Guard is the SYS_NC…$ column that
	// says which rows are younger than a nullable column with a default (R43).
	Invisible, Unused, Guard bool
	// GuardBit is the bit of this column in the guard column, from 1; 0 of a column without.
	GuardBit int
	// Shown orders the visible columns before their place does: a column that became visible again is the last (R43).
	Shown int
}

// Hidden says that SELECT * and the like leave the column out (HIDDEN_COLUMN).
func (c *Column) Hidden() bool { return c.Invisible || c.System() }

// System says that no statement can name the column.
func (c *Column) System() bool { return c.Unused || c.Guard }

// Visible lists the columns that are not hidden in the order of COLUMN_ID.
func (t *Table) Visible() []int {
	list := make([]int, 0, len(t.Columns))
	for i := range t.Columns {
		if !t.Columns[i].Hidden() {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(t.Columns[a].Shown, t.Columns[b].Shown) })
	return list
}

// Number gives the stored columns their segment numbers.
func (t *Table) Number() {
	n := 0
	for i := range t.Columns {
		t.Columns[i].SegmentID = 0
		if t.Columns[i].Virtual == "" {
			n++
			t.Columns[i].SegmentID = n
		}
	}
}
