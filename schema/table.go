package schema

import "strconv"

// Table identifies a captured table. PDB is empty in a non-container database.
type Table struct {
	PDB, Owner, Name string
}

// String gives PDB.OWNER.NAME, or OWNER.NAME without a PDB, as patterns see it.
func (t Table) String() string {
	if t.PDB == "" {
		return t.Owner + "." + t.Name
	}
	return t.PDB + "." + t.Owner + "." + t.Name
}

// Version is one layout of a table, valid for rows whose SCN is at or above ValidFrom until a later version begins.
type Version struct {
	Table Table
	// Container is the CON_ID of the PDB, 0 in a non-container database.
	Container int
	Number    int
	// ValidFrom is the commit SCN of the DDL that began the version, or the SCN it was first read at.
	ValidFrom uint64
	// Exact: no other layout-relevant DDL can lie between ValidFrom and the reading of the dictionary (R96).
	Exact bool
	// CertainFrom is the SCN from which the layout is certain: that of ValidFrom where the version is exact from its begin, else that behind
	// the reading of the dictionary, which cannot have shown a later layout than that one. 0: not known. Rows without names are decoded with
	// a version that is certain only (R44, R96).
	CertainFrom uint64
	// PendingFrom is the SCN from which the layout is certain once everything up to CertainFrom is mined: the commit of the last DDL that may
	// have given the table another one, and that was mined so far. 0: that is decided, and CertainFrom stands (R96).
	PendingFrom uint64
	// GoneFrom is the commit SCN of the DDL that dropped the table or took its name; 0: it is there. Its segments are none of the table's
	// from then on.
	GoneFrom uint64
	// UnseenTo: the segments had another captured name from GoneFrom on, under which nobody saw them, and lost that with the DDL that commits
	// at UnseenTo; the greatest SCN: that DDL lies ahead. 0: they are no captured table's from GoneFrom on.
	UnseenTo uint64
	// Unseen are the times before ValidFrom in which rows have a layout that nobody saw, since it was another one by the time the dictionary was
	// read (R96). In between they have the version before.
	Unseen []Span
	Key    Key
	// Logging is the supplemental logging that rows of this version were written with (R108).
	Logging Logging
	// ObjectIDs are the DATA_OBJ# values of the table's segments (R101).
	ObjectIDs []uint64
	// Object is the OBJECT_ID of the table itself, which is one of them where it has one segment. 0: not known, as of a version that was stored.
	Object uint64
	// Partitions are the names of its partitions when ObjectIDs were read.
	Partitions []string
	// Spells are the segments that were the table's for a part of the version's time only.
	Spells []Spell
	// Stored: the schema topic held the version when capture began, so that it is not announced.
	Stored bool
	// Columns holds every column of the dictionary's list in segment order, the hidden, virtual and unused ones too (R43).
	Columns []Column

	index map[string]int
}

// Ended gives the SCN from which no row needs the version any more; 0: the table is there.
func (v *Version) Ended() uint64 { return max(v.GoneFrom, v.UnseenTo) }

// Continues makes v the version that was is: its number, its begin, and what is certain of it.
func (v *Version) Continues(was *Version) {
	v.Number, v.ValidFrom, v.Unseen, v.Stored = was.Number, was.ValidFrom, was.Unseen, was.Stored
	v.Exact, v.CertainFrom, v.PendingFrom = was.Exact, was.CertainFrom, was.PendingFrom
}

// Settled is the version once everything up to CertainFrom is mined.
func (v *Version) Settled() *Version {
	out := *v
	out.CertainFrom, out.PendingFrom = v.PendingFrom, 0
	out.Exact = out.CertainFrom == v.ValidFrom
	return &out
}

// Seal prepares lookups; a Version is not modified after it.
func (v *Version) Seal() *Version {
	v.index = make(map[string]int, len(v.Columns))
	for i := range v.Columns {
		v.index[v.Columns[i].Name] = i
	}
	return v
}

// In is the version with other segments.
func (v *Version) In(objectIDs []uint64) *Version {
	out := *v
	out.ObjectIDs = objectIDs
	return &out
}

// Column returns the index of a column in Columns, by its exact dictionary name.
func (v *Version) Column(name string) (int, bool) {
	i, ok := v.index[name]
	return i, ok
}

// Spell is the time in which a table had a segment: from the commit of the DDL that gave it on, 0 where that was there when the version began;
// up to that of the DDL that took it away, 0 where it has it still.
type Spell struct {
	ID       uint64
	From, To uint64
}

// Span is the time from the commit of a DDL on up to that of another one.
type Span struct{ From, To uint64 }

// KeyOrigin says where the key of a version came from.
type KeyOrigin string

// Origins of a key, as the schema topic writes them (contracts 5).
const (
	KeyPrimary KeyOrigin = "primary_key"
	KeyUnique  KeyOrigin = "unique_index"
	KeyConfig  KeyOrigin = "config"
	KeyRowID   KeyOrigin = "rowid"
	KeyNone    KeyOrigin = "none"
)

// Key names the columns that identify a row, in key order, by index of Version.Columns.
type Key struct {
	Origin  KeyOrigin
	Columns []int
}

// Logging is the supplemental logging of a table.
type Logging string

// Logging levels, as the schema topic writes them (contracts 5).
const (
	LoggingAll     Logging = "all"
	LoggingKey     Logging = "key"
	LoggingMinimal Logging = "min"
)

// Column is a column of a Version.
type Column struct {
	Name string
	Type Type
	// SegmentID is the position among stored columns (SEGMENT_COLUMN_ID), 0 for a virtual column (R42).
	SegmentID int
	Nullable  bool
	// Default is the default expression's text, nil without one or where it cannot be read.
	Default *string
	// Undefaulted: the dictionary shows that the column has no default, and so was not added with one. It is no part of a
	// layout: a column gets a default without becoming another one.
	Undefaulted bool
	Hidden      bool
	Virtual     bool
	Unused      bool
	Guard       bool
	// Encrypted columns have ciphertext where others have a value (R44).
	Encrypted bool
	// Excluded: the configuration takes the column away. Its values are never read, and it has no field. It is no part of a stored
	// version: the configuration of a later start decides anew.
	Excluded bool
}

// Published reports whether the column has a field in records.
func (c *Column) Published() bool {
	return !c.Hidden && !c.Virtual && !c.Unused && !c.Guard && !c.Excluded
}

// Type is an Oracle column type.
type Type struct {
	Kind TypeKind
	// Name is the dictionary's DATA_TYPE text, such as "TIMESTAMP(6) WITH TIME ZONE".
	Name string
	// Length is DATA_LENGTH in bytes, CharLength CHAR_LENGTH in characters.
	Length, CharLength int
	// Precision and Scale are DATA_PRECISION and DATA_SCALE, NoNumber where the dictionary has NULL. For the TIMESTAMP and
	// INTERVAL types Scale counts fraction digits; for FLOAT Precision counts binary digits.
	Precision, Scale int
}

// NoNumber stands for a NULL precision or scale.
const NoNumber = -1 << 15

// TypeKind is the family of an Oracle type.
type TypeKind uint8

// Families of Oracle types. Unsupported covers everything capture does not know; such a table is refused by name.
const (
	Unsupported TypeKind = iota
	Number
	Float
	BinaryFloat
	BinaryDouble
	Varchar2
	NVarchar2
	Char
	NChar
	Long
	Raw
	LongRaw
	RowID
	URowID
	Date
	Timestamp
	TimestampTZ
	TimestampLTZ
	IntervalYM
	IntervalDS
	CLOB
	NCLOB
	BLOB
	XMLType
)

// String gives the type as DDL writes it, for messages: NUMBER(10,2), VARCHAR2(40).
func (t Type) String() string {
	switch t.Kind {
	case Number:
		switch {
		case t.Precision == NoNumber && t.Scale == NoNumber:
			return "NUMBER"
		case t.Precision == NoNumber:
			return "NUMBER(*," + strconv.Itoa(t.Scale) + ")"
		}
		return "NUMBER(" + strconv.Itoa(t.Precision) + "," + strconv.Itoa(t.Scale) + ")"
	case Varchar2, Char, Raw:
		return t.Name + "(" + strconv.Itoa(t.Length) + ")"
	case NVarchar2, NChar:
		return t.Name + "(" + strconv.Itoa(t.CharLength) + ")"
	default:
		return t.Name
	}
}
