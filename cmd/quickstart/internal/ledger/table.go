package ledger

// Kind says how a column's values are written as canonical text.
type Kind int

// Kinds of columns.
const (
	// Integer is NUMBER(p) below 19 digits: plain digits.
	Integer Kind = iota
	// Decimal is NUMBER(p,s): plain decimal without trailing zeros.
	Decimal
	// Variable is NUMBER without precision: as Decimal.
	Variable
	// Text is a character type, as it is; CHAR with its padding.
	Text
	// Date is DATE: 2006-01-02 15:04:05.
	Date
	// Timestamp is TIMESTAMP(6): 2006-01-02 15:04:05.000000.
	Timestamp
	// Raw is RAW: upper-case hexadecimal.
	Raw
)

// Column is one column of a table.
type Column struct {
	Name  string
	Kind  Kind
	Scale int
	Key   bool
}

// Table is one table that the workload changes.
type Table struct {
	Owner, Name string
	Columns     []Column
}

// Index returns the place of a column, -1 if the table has none of that name.
func (t *Table) Index(column string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == column {
			return i
		}
	}
	return -1
}

// Key returns the key part of a row.
func (t *Table) Key(row Row) Row {
	var key Row
	for i := range t.Columns {
		if t.Columns[i].Key {
			key = append(key, row[i])
		}
	}
	return key
}

// KeyColumns returns the columns of the key in order.
func (t *Table) KeyColumns() []Column {
	var columns []Column
	for _, c := range t.Columns {
		if c.Key {
			columns = append(columns, c)
		}
	}
	return columns
}
