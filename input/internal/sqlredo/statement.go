package sqlredo

// Kind is what a statement does.
type Kind uint8

// The kinds of statement.
const (
	Insert Kind = iota + 1
	Update
	Delete
)

// Statement is one parsed statement. It may be used again for the next text; its slices are then overwritten. All strings
// are substrings of the text.
type Statement struct {
	Kind Kind
	// Owner and Table are as in the text, case and all, without the quotes.
	Owner, Table string
	// Columns holds the columns of an INSERT with their values, or the SET list of an UPDATE, in the order of the text.
	Columns []Assignment
	// Where holds the compared columns of an UPDATE or DELETE; `= NULL` and `IS NULL` both are a Null literal.
	Where []Assignment
	// RowID is the ROWID the WHERE clause compares with, empty without one. It is no column.
	RowID string

	calls []Call
}

// Assignment is a column and its value.
type Assignment struct {
	Name  string
	Value Literal
}

// Form is the form of a literal.
type Form uint8

// The forms of literal.
const (
	// Null is NULL.
	Null Form = iota + 1
	// Text is a quoted string, in Literal.Text.
	Text
	// Number is an unquoted number, in Literal.Text.
	Number
	// Function is a function call, or a concatenation of them: Literal.Call and then Literal.More.
	Function
	// UnsupportedType is the bare text that LogMiner writes for a value it cannot show.
	UnsupportedType
)

// Literal is a value as the text writes it.
type Literal struct {
	Form Form
	// JSON: the comment that marks the value of a JSON column stood before it.
	JSON bool
	// Offset is where the literal begins in the text.
	Offset int
	Call
	// More are the further calls of a concatenation.
	More []Call
}

// Call is one function call; a literal of form Text or Number uses its Text alone.
type Call struct {
	Name FunctionName
	// Text is the first argument, Format the second, each zero where the call has none.
	Text, Format Quoted
}

// Quoted is what stands between two quotes.
type Quoted struct {
	// Raw is the text with its quotes still doubled.
	Raw string
	// Doubled: Raw holds doubled quotes.
	Doubled bool
}

// FunctionName is a function that LogMiner uses in literals (reference logminer D.2).
type FunctionName uint8

// The functions.
const (
	ToDate FunctionName = iota + 1
	ToTimestamp
	ToTimestampTZ
	ToYMInterval
	ToDSInterval
	HexToRaw
	Unistr
	EmptyCLOB
	EmptyBLOB
)

// functionName knows a function by its text, and how many arguments it may have.
func functionName(name string) (f FunctionName, least, most int) {
	switch name {
	case "TO_DATE":
		return ToDate, 1, 2
	case "TO_TIMESTAMP":
		return ToTimestamp, 1, 2
	case "TO_TIMESTAMP_TZ":
		return ToTimestampTZ, 1, 2
	case "TO_YMINTERVAL":
		return ToYMInterval, 1, 1
	case "TO_DSINTERVAL":
		return ToDSInterval, 1, 1
	case "HEXTORAW":
		return HexToRaw, 1, 1
	case "UNISTR":
		return Unistr, 1, 1
	case "EMPTY_CLOB":
		return EmptyCLOB, 0, 0
	case "EMPTY_BLOB":
		return EmptyBLOB, 0, 0
	}
	return 0, 0, 0
}

// String gives the function as SQL writes it.
func (f FunctionName) String() string {
	switch f {
	case ToDate:
		return "TO_DATE"
	case ToTimestamp:
		return "TO_TIMESTAMP"
	case ToTimestampTZ:
		return "TO_TIMESTAMP_TZ"
	case ToYMInterval:
		return "TO_YMINTERVAL"
	case ToDSInterval:
		return "TO_DSINTERVAL"
	case HexToRaw:
		return "HEXTORAW"
	case Unistr:
		return "UNISTR"
	case EmptyCLOB:
		return "EMPTY_CLOB"
	case EmptyBLOB:
		return "EMPTY_BLOB"
	}
	return ""
}
