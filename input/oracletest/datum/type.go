package datum

// TypeCode is the wire code of a column type (reference tns-server 8).
type TypeCode uint8

// Wire codes of the column types that the stand-in describes.
const (
	TypeVarchar      TypeCode = 1 // VARCHAR2, NVARCHAR2 (form 2)
	TypeNumber       TypeCode = 2
	TypeLong         TypeCode = 8
	TypeRowID        TypeCode = 11
	TypeDate         TypeCode = 12
	TypeRaw          TypeCode = 23
	TypeLongRaw      TypeCode = 24
	TypeChar         TypeCode = 96 // CHAR, NCHAR (form 2)
	TypeBinaryFloat  TypeCode = 100
	TypeBinaryDouble TypeCode = 101
	TypeCursor       TypeCode = 102
	TypeClob         TypeCode = 112
	TypeBlob         TypeCode = 113
	TypeTimestamp    TypeCode = 180
	TypeTimestampTZ  TypeCode = 181
	TypeIntervalYM   TypeCode = 182
	TypeIntervalDS   TypeCode = 183
	TypeTimestampLTZ TypeCode = 231
)

// Type describes a column: of a stored table, of a view, of a query's result, of a bind.
type Type struct {
	Code TypeCode
	// National is the charset form: NCHAR and NVARCHAR2.
	National bool
	// Size is the declared length: bytes for text in the database character set and for RAW, characters
	// when CharUsed or National, fraction digits for the TIMESTAMP types.
	Size     int
	CharUsed bool
	// Precision and Scale of a NUMBER; HasPrecision is false for NUMBER and FLOAT without one.
	Precision, Scale       int
	HasPrecision, HasScale bool
	// Float marks FLOAT: Precision counts binary digits.
	Float bool
}
