package sql

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// Expr is an expression or a condition. Which of the two a place takes is checked by the engine.
type Expr interface {
	// Pos is the byte offset of the expression in the statement.
	Pos() int
}

type at int

func (p at) Pos() int { return int(p) }

// Name is a possibly qualified column or pseudo column, or a function without parentheses.
type Name struct {
	at
	Schema, Table, Column string
	Quoted                bool // Column was written in quotes
	// Optional is the mark (+) of an outer join.
	Optional bool
}

// LiteralKind says how the Text of a Literal reads.
type LiteralKind uint8

// Kinds of literals.
const (
	NullLiteral LiteralKind = iota
	NumberLiteral
	TextLiteral
	NationalLiteral
	FloatLiteral     // 1.5f, 1.5d
	DateLiteral      // DATE '2026-01-31'
	TimestampLiteral // TIMESTAMP '2026-01-31 10:00:00.5 +01:00'
)

// Literal is a constant in the text.
type Literal struct {
	at
	Kind LiteralKind
	Text string
}

// Interval is INTERVAL 'text' From [TO To].
type Interval struct {
	at
	Text     string
	From, To string // YEAR, MONTH, DAY, HOUR, MINUTE, SECOND; To is empty for a single field
	// Precision is the number of digits of the leading field, Fraction that of the seconds.
	Precision, Fraction int
}

// Bind is a placeholder; Index is its position among the placeholders of the statement.
type Bind struct {
	at
	Name  string
	Index int
}

// Unary is -X, +X or PRIOR-less sign.
type Unary struct {
	at
	Op string // "-", "+"
	X  Expr
}

// Binary is arithmetic or concatenation.
type Binary struct {
	at
	Op   string // + - * / ||
	L, R Expr
}

// Compare is a comparison; with Quantifier, R is a *Row or a *Subquery.
type Compare struct {
	at
	Op         string // = <> < <= > >=
	L, R       Expr
	Quantifier string // "", ANY, ALL
}

// Logic is AND or OR.
type Logic struct {
	at
	And  bool
	L, R Expr
}

// Not negates a condition.
type Not struct {
	at
	X Expr
}

// IsNull is X IS [NOT] NULL.
type IsNull struct {
	at
	X   Expr
	Not bool
}

// Between is X [NOT] BETWEEN Low AND High.
type Between struct {
	at
	X, Low, High Expr
	Not          bool
}

// Like is X [NOT] LIKE Pattern [ESCAPE Escape].
type Like struct {
	at
	X, Pattern, Escape Expr
	Not                bool
}

// In is X [NOT] IN (List) or X [NOT] IN (Query).
type In struct {
	at
	X     Expr
	List  []Expr
	Query *Query
	Not   bool
}

// Exists is EXISTS (Query).
type Exists struct {
	at
	Query *Query
}

// Row is (a, b, ...).
type Row struct {
	at
	Items []Expr
	// Enclosed says that the row stands in parentheses of its own, as the right side of a comparison must.
	Enclosed bool
}

// Subquery is a scalar subquery.
type Subquery struct {
	at
	Query *Query
}

// Case is CASE; without Operand its Whens are conditions.
type Case struct {
	at
	Operand Expr
	Whens   []When
	Else    Expr
}

// When is one branch of a Case.
type When struct{ Cond, Then Expr }

// Call is a function call; Name is upper case and may have a package in front.
type Call struct {
	at
	Name     string
	Args     []Expr
	Distinct bool
	Star     bool // COUNT(*)
	// Within is the order of WITHIN GROUP, Over the window of an analytic function; nil without the clause.
	Within []Order
	Over   *Window
}

// Window is what stands in the parentheses behind OVER.
type Window struct {
	Partition []Expr
	OrderBy   []Order
}

// Trim is TRIM([LEADING|TRAILING|BOTH] [chars FROM] x).
type Trim struct {
	at
	Side  string // LEADING, TRAILING, BOTH
	Chars Expr
	X     Expr
}

// Extract is EXTRACT(Field FROM X).
type Extract struct {
	at
	Field string
	X     Expr
}

// Cast is CAST(X AS Type).
type Cast struct {
	at
	X    Expr
	Type datum.Type
}

// AtTimeZone is X AT TIME ZONE Zone.
type AtTimeZone struct {
	at
	X, Zone Expr
}

// Equal makes the condition left.column = right.column, which is what USING means.
func Equal(left, right, column string, pos int) Expr {
	return &Compare{at: at(pos), Op: "=", L: ColumnOf(left, column, pos), R: ColumnOf(right, column, pos)}
}

// ColumnOf makes the expression table.column.
func ColumnOf(table, column string, pos int) Expr {
	return &Name{at: at(pos), Table: table, Column: column}
}
