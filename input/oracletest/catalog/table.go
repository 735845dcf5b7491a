package catalog

import (
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

// Column is a stored column.
type Column struct {
	Name     string
	Type     datum.Type
	Nullable bool
	// NotNull says that the column itself is declared NOT NULL; else it may only be so by the primary key, and with it.
	NotNull bool
	// Default is the default expression's text, empty without one.
	Default string
	// SegmentID is the position among stored columns, from 1.
	SegmentID int
}
