package ledger

// Kind says how a column's values are written as canonical text.
type Kind int

// Kinds of columns.
const (
	// Integer is NUMBER(p,s) with s at most 0 and below 19 digits: plain digits.
	Integer Kind = iota
	// Decimal is any other NUMBER(p,s): plain decimal without trailing zeros.
	Decimal
	// Variable is NUMBER without precision, and FLOAT: as Decimal.
	Variable
	// Binary32 and Binary64 are BINARY_FLOAT and BINARY_DOUBLE: the shortest digits that give the number, NaN, Infinity.
	Binary32
	Binary64
	// Text is a character type, as it is. Fixed is CHAR or NCHAR, with its padding.
	Text
	Fixed
	// Date is DATE: 2006-01-02 15:04:05.
	Date
	// Timestamp is TIMESTAMP(Scale): as Date, with Scale digits behind a point.
	Timestamp
	// Zoned is TIMESTAMP(Scale) WITH TIME ZONE: as Timestamp, with the offset behind. Local is TIMESTAMP(Scale) WITH LOCAL TIME ZONE:
	// likewise, in UTC.
	Zoned
	Local
	// Months is INTERVAL YEAR TO MONTH: months. Micros is INTERVAL DAY TO SECOND(6): microseconds.
	Months
	Micros
	// Raw is RAW: upper-case hexadecimal.
	Raw
)

// Column is one column of a table.
type Column struct {
	Name string
	Kind Kind
	// Scale is that of numbers, and the digits of a fraction of a second; Size is how many digits, characters or bytes there is
	// room for.
	Scale, Size int
	Key         bool
}

// Columns are those of a table at one time.
type Columns []Column

// Index returns the place of a column, -1 if there is none of that name.
func (c Columns) Index(column string) int {
	for i := range c {
		if c[i].Name == column {
			return i
		}
	}
	return -1
}

// Key returns the key part of a row.
func (c Columns) Key(row Row) Row {
	var key Row
	for i := range c {
		if c[i].Key {
			key = append(key, row[i])
		}
	}
	return key
}

// KeyColumns returns the columns of the key in order.
func (c Columns) KeyColumns() Columns {
	var columns Columns
	for i := range c {
		if c[i].Key {
			columns = append(columns, c[i])
		}
	}
	return columns
}

// Table is one table that the workload changes.
type Table struct {
	PDB, Owner, Name string
	// Columns are those that the table begins with, Steps what DDL made of it since. Whoever adds a step, or needs that none is added,
	// sees to that.
	Columns Columns
	Steps   []Step
}

// FullName names the table among those of all PDBs, by the name that it begins with.
func (t *Table) FullName() string { return t.PDB + "." + t.Owner + "." + t.Name }

// Key returns the key part of a row of the table as it begins.
func (t *Table) Key(row Row) Row { return t.Columns.Key(row) }
