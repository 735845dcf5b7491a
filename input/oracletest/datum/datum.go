package datum

import (
	"github.com/cockroachdb/apd/v3"
)

// Kind says which member of a Datum holds the value.
type Kind uint8

// The kinds of value the stand-in knows.
const (
	Null Kind = iota
	Number
	Text  // CHAR, VARCHAR2, NCHAR, NVARCHAR2, LONG: database text, always UTF-8 in here
	Time  // DATE, TIMESTAMP without zone
	Zoned // TIMESTAMP WITH [LOCAL] TIME ZONE: the wall clock at OffsetMinutes
	Raw   // RAW, LONG RAW
	Float // BINARY_FLOAT, BINARY_DOUBLE
	RowID // the 18 characters of a ROWID, in Text
	// Clob and Blob are LOB values, in Text and Raw. Unlike text and RAW they may be empty without being NULL.
	Clob // CLOB, NCLOB
	Blob
	// IntervalYM counts months, IntervalDS seconds with at most nine decimals; both are in Number.
	IntervalYM
	IntervalDS
)

// DateTime is a calendar date and time of day as Oracle stores it: no zone, year without a year 0
// (negative years are BC), nanoseconds in 0..999999999.
type DateTime struct {
	Year                             int16
	Month, Day, Hour, Minute, Second uint8
	Nano                             uint32
}

// Datum is one value. The zero Datum is NULL. Oracle has no empty string: constructors of the SQL layer
// turn it into NULL.
type Datum struct {
	Kind   Kind
	Number *apd.Decimal // never modified once it is in a Datum
	Text   string
	Raw    []byte // never modified once it is in a Datum
	Time   DateTime
	Offset int16 // minutes east of UTC, for Zoned
	Float  float64
}

// IsNull reports whether the value is NULL.
func (d Datum) IsNull() bool { return d.Kind == Null }
