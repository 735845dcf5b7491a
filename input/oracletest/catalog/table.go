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
	// PrimaryKey and Unique name columns by their index in Columns.
	PrimaryKey *Constraint
	Unique     []Constraint
	LogGroups  LogGroups
	Created    time.Time
	LastDDL    time.Time
	// Dropped marks a table in the recycle bin: Name is its BIN$ name, and it can only be found by its ids.
	Dropped bool
}

// Constraint is a primary or unique key.
type Constraint struct {
	Name    string
	Columns []int
}

// LogGroups says which supplemental log groups a table has.
type LogGroups struct{ All, PrimaryKey, UniqueIndex, ForeignKey bool }

// Column is a stored column.
type Column struct {
	Name     string
	Type     datum.Type
	Nullable bool
	// Default is the default expression's text, empty without one.
	Default string
	// SegmentID is the position among stored columns, from 1.
	SegmentID int
}
