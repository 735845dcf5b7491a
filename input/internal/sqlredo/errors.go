package sqlredo

import "strconv"

// Error says where a text leaves the grammar and how. It never holds any of the text, which may be a row's values.
type Error struct {
	// Offset counts bytes from the beginning of the text.
	Offset int
	Reason string
}

// Error gives the reason and the offset.
func (e *Error) Error() string { return "SQL_REDO: " + e.Reason + " at byte " + strconv.Itoa(e.Offset) }

// Reasons of an Error.
const (
	badKeyword   = "not an insert, update or delete statement"
	badTable     = "no quoted owner and table name"
	badName      = "no quoted column name"
	badList      = "column list is damaged"
	badValues    = "no VALUES list"
	badCount     = "number of values differs from number of columns"
	badSet       = "no SET list"
	badEqual     = "no value is assigned or compared"
	badAlias     = "alias differs from the table's"
	badRowID     = "ROWID is not compared with one quoted text"
	badEnd       = "text goes on behind the statement; a quote inside a value may not be doubled"
	badValue     = "value of an unknown form"
	badNumber    = "unquoted number is damaged"
	badFunction  = "unknown function"
	badArguments = "arguments of a function are damaged; a quote inside may not be doubled"
	badQuote     = "text ends inside a quoted value"
	badPiece     = "concatenation of something that is no function call with one argument"
	noStatement  = "the row holds no statement"
)
