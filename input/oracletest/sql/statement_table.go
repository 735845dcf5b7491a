package sql

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// CreateTable is CREATE TABLE.
type CreateTable struct {
	Table       Object
	Columns     []ColumnDef
	Constraints []ConstraintDef
	// As is the query of AS SELECT; Names are then the columns, empty for those of the query.
	As    *Query
	Names []ColumnName
	// NoLogging is NOLOGGING; Tablespace is empty where none is named.
	NoLogging    bool
	Tablespace   string
	Partitioning *Partitioning
	RowMovement  bool
	// IndexOrganized is ORGANIZATION INDEX.
	IndexOrganized bool
}

// Partitioning is PARTITION BY.
type Partitioning struct {
	Pos          int
	Kind         string // RANGE, LIST, HASH
	Columns      []ColumnName
	Interval     Expr
	IntervalText string
	Automatic    bool
	Partitions   []PartitionDef
	Count        int // of PARTITIONS n
}

// PartitionDef defines a partition; its name may be empty.
type PartitionDef struct {
	Pos  int
	Name string
	// Values are the bounds of LESS THAN, or those of a list; nil is MAXVALUE or DEFAULT.
	Values []Expr
	Texts  []string
	Less   bool
}

// PartitionChange is what ALTER TABLE does to partitions: Op is ADD, DROP, TRUNCATE, MOVE, SPLIT, MERGE, EXCHANGE or RENAME.
type PartitionChange struct {
	Pos      int
	Op       string
	Names    []string
	Add      []PartitionDef
	At       []Expr
	AtTexts  []string
	With     Object // of EXCHANGE
	Validate bool
}

// RenameTable is RENAME of a table of one's own.
type RenameTable struct {
	From Object
	To   string
}

// Recycled is PURGE TABLE, PURGE RECYCLEBIN (All), or FLASHBACK TABLE TO BEFORE DROP (Back) with the new name, if one is given.
type Recycled struct {
	Table     Object
	All, Back bool
	RenameTo  string
}

// ColumnDef defines a column.
type ColumnDef struct {
	Pos         int
	Name        string
	Type        datum.Type
	NotNull     bool
	NullSet     bool // NULL or NOT NULL was written
	Default     Expr
	DefaultText string
	// Virtual is the expression of a virtual column, whose type may be missing (Code 0).
	Virtual     Expr
	VirtualText string
	// Visibility is VISIBLE, INVISIBLE or empty.
	Visibility  string
	Constraints []ConstraintDef
}

// ConstraintKind says what a constraint asks for.
type ConstraintKind uint8

// Kinds of constraints; NOT NULL is a property of the column.
const (
	UniqueKey ConstraintKind = iota
	PrimaryKey
	ForeignKey
	Check
)

// ConstraintDef defines a constraint.
type ConstraintDef struct {
	Pos     int
	Name    string // empty for a generated one
	Kind    ConstraintKind
	Columns []string
	// Inline says that it stands with its column, which is in Columns.
	Inline   bool
	Disabled bool
	// Parent and ParentColumns (none: its primary key) are what a foreign key references.
	Parent        Object
	ParentColumns []string
	OnDelete      string // CASCADE, SET NULL or empty
	Check         Expr
	CheckText     string
}

// ConstraintChange is ENABLE or DISABLE of a constraint, by name or by what it is.
type ConstraintChange struct {
	Pos              int
	Name             string
	Primary          bool
	Columns          []string // of a unique key
	Disable, Cascade bool
}

// DropTable is DROP TABLE.
type DropTable struct {
	Table          Object
	Cascade, Purge bool
}

// Truncate is TRUNCATE TABLE.
type Truncate struct{ Table Object }

// AlterTable is ALTER TABLE; exactly one member besides Table and More is set.
type AlterTable struct {
	Table Object
	// More are further clauses about columns and constraints, which come into effect after this one.
	More       []*AlterTable
	SetUnused  []ColumnName
	DropUnused bool
	// Physical is MOVE, SHRINK SPACE, ENABLE|DISABLE ROW MOVEMENT, READ ONLY, READ WRITE, or STORAGE for clauses that say how a table lies.
	Physical         string
	RenameConstraint *[2]ColumnName
	Partition        *PartitionChange
	AddColumns       []ColumnDef
	AddConstraint    *ConstraintDef
	Modify           []ColumnDef // Type.Code 0 where the type stays
	DropColumns      []ColumnName
	RenameColumn     *[2]ColumnName
	RenameTo         string
	DropConstraint   string
	DropPrimary      bool
	DropUnique       []string
	Cascade          bool // of a DROP
	Change           *ConstraintChange
	Logging          []SupplementalLogging
}

// SupplementalLogging is ADD or DROP of SUPPLEMENTAL LOG DATA or, with a Group, of SUPPLEMENTAL LOG GROUP.
type SupplementalLogging struct {
	Drop                              bool
	All, Primary, Unique, ForeignKeys bool // none of them: minimal
	Group                             string
	Pos                               int // of the group
	Columns                           []LoggedColumn
	Always                            bool
}

// LoggedColumn is a column of a log group.
type LoggedColumn struct {
	ColumnName
	NoLog bool
}
