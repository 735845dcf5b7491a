package ddl

import "strings"

// Class says what a statement did to a table as its consumers see it.
type Class string

// The classes. AddColumn to RenameColumn change columns, ChangeKey to SupplementalLog what is said of them, CreateTable to RenameTable
// which tables there are, Truncate to MoveTable where rows lie. Ignore changes nothing that consumers see, though a statement of it may
// have effects. Unknown is what the package does not understand.
const (
	AddColumn            Class = "add_column"
	DropColumn           Class = "drop_column"
	SetUnused            Class = "set_unused"
	ModifyColumn         Class = "modify_column"
	RenameColumn         Class = "rename_column"
	AddVirtualColumn     Class = "add_virtual_column"
	ChangeKey            Class = "change_key"
	Constraint           Class = "constraint"
	SupplementalLog      Class = "supplemental_log"
	CreateTable          Class = "create_table"
	CreateTableAsSelect  Class = "create_table_as_select"
	CreateTemporaryTable Class = "create_temporary_table"
	DropTable            Class = "drop_table"
	UndropTable          Class = "undrop_table"
	RenameTable          Class = "rename_table"
	Truncate             Class = "truncate"
	TruncatePartition    Class = "truncate_partition"
	Partition            Class = "partition"
	MoveTable            Class = "move_table"
	Ignore               Class = "ignore"
	Unknown              Class = "unknown"
)

// Effects is a set of things that may be others behind a statement. The dictionary says whether they are.
type Effects uint16

// The effects.
const (
	// Layout: stored columns, their numbers, types, nullability or defaults (R43, R111).
	Layout Effects = 1 << iota
	// Key: the primary key or the unique index that serves as one.
	Key
	// Logging: supplemental logging (R108).
	Logging
	// Tables: which tables there are, or what they are called (R101, R102).
	Tables
	// Segments: object ids of the table's segments, or whether it makes its partitions itself (R102, R103).
	Segments
	// RowIDs: rows have other ROWIDs.
	RowIDs
	// Rowless: rows came or went without row events (R129).
	Rowless
	// Rewritten: rows came and went with row events of their own, as FLASHBACK TABLE writes them (R133).
	Rewritten
	// Filled: a table begins with rows, which the redo may not have (R107).
	Filled
	// Unfinished: columns go in pieces, and the table is between two layouts until the last one (R111).
	Unfinished
)

// Name is the name of a table, an index or another object, as the dictionary has it.
type Name struct{ Owner, Name string }

// IsZero reports that there is no name.
func (n Name) IsZero() bool { return n == Name{} }

// String gives OWNER.NAME.
func (n Name) String() string {
	if n.Owner == "" {
		return n.Name
	}
	return n.Owner + "." + n.Name
}

// Action says what became of a column.
type Action uint8

// Actions on columns.
const (
	Added Action = iota
	Dropped
	Unused
	Modified
	Renamed
)

// Column is a column that a statement names. New is its name behind a rename.
type Column struct {
	Name, New string
	Action    Action
	// Virtual: it has an expression and is not stored.
	Virtual bool
}

// Log is a clause about supplemental logging.
type Log struct {
	Dropped bool
	// Group is the name of a log group with Columns of its own; without one, What has the kinds of columns that are logged, such as ALL
	// or PRIMARY KEY, and nothing for the minimal level of a database.
	Group   string
	What    []string
	Columns []string
	Always  bool
}

// Statement is what a text says.
type Statement struct {
	Class   Class
	Effects Effects
	// Verb has the first words, such as ALTER TABLE; it is empty where there are none.
	Verb string
	// Table is the table that the statement is about, zero where it is about something else. New is what the table is called from then
	// on, Also names further ones: the partner of an exchange, the rest of a list.
	Table, New Name
	Also       []Name
	// Index is the index of index DDL, of which Table is known only from CREATE INDEX. Unique says so there.
	Index  Name
	Unique bool
	// Recycled is the name of a dropped table in the recycle bin.
	Recycled string
	// Columns are those that the statement names, in order.
	Columns []Column
	// PrimaryKey has the columns of the primary key from then on, none if there is none, where KeyKnown says that the text tells.
	PrimaryKey []string
	KeyKnown   bool
	// Partitions are those that a statement about partitions names.
	Partitioned bool
	Partitions  []string
	// Made are those of them that the statement made.
	Made []string
	// Cascades: a TRUNCATE or an exchange that does the same to the tables with foreign keys to the statement's, which it does not name.
	Cascades bool
	Logs     []Log
}

// Has reports whether the statement may have one of the effects.
func (s *Statement) Has(e Effects) bool { return s.Effects&e != 0 }

// Names lists the tables that the statement is about, under their old names and their new ones.
func (s *Statement) Names() []Name {
	var out []Name
	for _, n := range append([]Name{s.Table, s.New}, s.Also...) {
		if !n.IsZero() {
			out = append(out, n)
		}
	}
	return out
}

// Creates reports a statement that makes a table, if only as part of something else.
func (s *Statement) Creates() bool { return s.Has(Tables) && strings.HasPrefix(s.Verb, "CREATE") }

// Keeps reports a statement behind which the rows from before it still have the layout and the names they had: it makes something new,
// or changes no column, name or segment. It errs towards no.
func (s *Statement) Keeps() bool {
	if s.Class == Unknown {
		return false
	}
	return s.Creates() || !s.Has(Layout|Tables|Segments|RowIDs|Rowless|Rewritten|Filled|Unfinished)
}
