package schema

import "strings"

// ParseType maps the dictionary's DATA_TYPE text to a family; the one place where type names are known. owner is
// DATA_TYPE_OWNER, empty for built-in types. Unknown names give Unsupported.
func ParseType(name, owner string) TypeKind {
	if owner != "" {
		if name == "XMLTYPE" && (owner == "SYS" || owner == "PUBLIC") {
			return XMLType
		}
		return Unsupported
	}
	switch name {
	case "NUMBER":
		return Number
	case "FLOAT":
		return Float
	case "BINARY_FLOAT":
		return BinaryFloat
	case "BINARY_DOUBLE":
		return BinaryDouble
	case "VARCHAR2":
		return Varchar2
	case "NVARCHAR2":
		return NVarchar2
	case "CHAR":
		return Char
	case "NCHAR":
		return NChar
	case "LONG":
		return Long
	case "RAW":
		return Raw
	case "LONG RAW":
		return LongRaw
	case "ROWID":
		return RowID
	case "UROWID":
		return URowID
	case "DATE":
		return Date
	case "CLOB":
		return CLOB
	case "NCLOB":
		return NCLOB
	case "BLOB":
		return BLOB
	}
	switch {
	case strings.HasPrefix(name, "TIMESTAMP") && strings.HasSuffix(name, "WITH LOCAL TIME ZONE"):
		return TimestampLTZ
	case strings.HasPrefix(name, "TIMESTAMP") && strings.HasSuffix(name, "WITH TIME ZONE"):
		return TimestampTZ
	case strings.HasPrefix(name, "TIMESTAMP"):
		return Timestamp
	case strings.HasPrefix(name, "INTERVAL YEAR"):
		return IntervalYM
	case strings.HasPrefix(name, "INTERVAL DAY"):
		return IntervalDS
	}
	return Unsupported
}

// The longest values that are stored in the row; longer ones are LOBs inside (MAX_STRING_SIZE=EXTENDED) and have no before
// image (reference logminer E.5).
const (
	maxStoredText = 4000
	maxStoredRaw  = 2000
)

// Captured reports whether values of the type are captured; a table with a column of another type is refused at the start.
func (t Type) Captured() bool {
	switch t.Kind {
	case Varchar2, NVarchar2, Char, NChar:
		return t.Length <= maxStoredText
	case Raw:
		return t.Length <= maxStoredRaw
	default:
		return t.Kind.Captured()
	}
}

// Captured reports whether values of the family are decoded.
func (k TypeKind) Captured() bool {
	switch k {
	case Number, Float, BinaryFloat, BinaryDouble, Varchar2, NVarchar2, Char, NChar, Raw, RowID,
		Date, Timestamp, TimestampTZ, TimestampLTZ, IntervalYM, IntervalDS:
		return true
	case Unsupported, Long, LongRaw, URowID, CLOB, NCLOB, BLOB, XMLType:
	}
	return false
}
