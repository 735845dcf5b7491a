package sql

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// Parsed is a statement with its placeholders.
type Parsed struct {
	Text      string
	Statement Statement
	// Binds are the names of the placeholders, in the order of the text.
	Binds []string
}

// Statement is one of the types below.
type Statement interface{ statement() }

// Object is a possibly qualified object name.
type Object struct {
	Pos         int
	Owner, Name string
}

// Query is SELECT with everything around its blocks.
type Query struct {
	With    []CommonTable
	Select  *Select
	Sets    []SetBranch // combined with Select from left to right
	OrderBy []Order
	Offset  Expr
	Fetch   Expr // nil without a row limit
	// Percent says that Fetch is a share of the rows, Ties that rows which tie with the last one follow it.
	Percent, Ties bool
	Lock          *Lock
}

// CommonTable is one member of WITH.
type CommonTable struct {
	Name    string
	Columns []string
	Query   *Query
}

// SetBranch is one UNION, INTERSECT or MINUS with its right side.
type SetBranch struct {
	Pos   int
	Op    string // UNION, UNION ALL, INTERSECT, MINUS
	Right *Query // a block, or a parenthesised query
}

// Lock is FOR UPDATE.
type Lock struct {
	Of                 []Expr
	NoWait, SkipLocked bool
	Wait               int // seconds; negative without WAIT
}

// Select is one query block.
type Select struct {
	Pos      int
	Distinct bool
	Items    []Item
	From     []Relation
	Where    Expr
	GroupBy  []Expr
	Having   Expr
	// Into are the targets of SELECT INTO in a block: *Bind, or the *Name of a variable.
	Into []Expr
}

// Item is a member of a select list.
type Item struct {
	X     Expr   // nil for a star
	Alias string // empty without one
	Text  string // the expression as written, which names the column without an alias
	Star  *Name  // Table (and Schema) of t.*, empty for *
}

// Order is a member of ORDER BY.
type Order struct {
	X          Expr
	Desc       bool
	NullsFirst bool
	NullsSet   bool // NULLS FIRST or NULLS LAST was written
}

// Relation is a member of FROM.
type Relation interface{ relation() }

// Table is a table or view by name.
type Table struct {
	Object
	// Partition is the name behind PARTITION, empty without the clause.
	Partition string
	Sample    *Sample
	Alias     string
	AsOf      Expr // AS OF SCN or TIMESTAMP
	// Moment says that AsOf is a TIMESTAMP.
	Moment bool
}

// Sample is SAMPLE [BLOCK] (Percent) [SEED (Seed)]; Seed is nil without.
type Sample struct {
	Block         bool
	Percent, Seed Expr
}

// Derived is a subquery in FROM.
type Derived struct {
	Query *Query
	Alias string
}

// Join combines two relations.
type Join struct {
	Pos   int
	Kind  string // INNER, LEFT, RIGHT, FULL, CROSS
	L, R  Relation
	On    Expr
	Using []string
	// Natural says that the columns of the same name are those of a USING.
	Natural bool
}

func (*Table) relation()   {}
func (*Derived) relation() {}
func (*Join) relation()    {}

// Insert is INSERT of one row of values, or of a query.
type Insert struct {
	Table   Object
	Columns []ColumnName
	Values  []Expr // Default for the keyword DEFAULT
	Query   *Query
	// Append is the hint of that name: a direct-path load.
	Append bool
	Returning
}

// Returning is the clause RETURNING Items INTO Into; the targets are *Bind or, in a block, *Name.
type Returning struct {
	Items []Expr
	Into  []Expr
}

// ColumnName is a column named in a statement.
type ColumnName struct {
	Pos  int
	Name string
}

// Default is the keyword DEFAULT in place of a value.
type Default struct{ at }

// Update is UPDATE.
type Update struct {
	Table Object
	Alias string
	Set   []Assignment
	Where Expr
	Returning
}

// Assignment sets one column from an expression, or several from a subquery.
type Assignment struct {
	Columns []ColumnName
	X       Expr
	Query   *Query
}

// Delete is DELETE.
type Delete struct {
	Table Object
	Alias string
	Where Expr
	Returning
}

// Commit is COMMIT.
type Commit struct{}

// Rollback is ROLLBACK, to a savepoint if one is named.
type Rollback struct{ Savepoint string }

// Savepoint is SAVEPOINT.
type Savepoint struct{ Name string }

// SetTransaction is SET TRANSACTION.
type SetTransaction struct {
	ReadOnly bool
	Name     string
}

// AlterDatabase is ALTER [PLUGGABLE] DATABASE; one member is set.
type AlterDatabase struct {
	Logging *SupplementalLogging
	// ForceLogging is set for FORCE LOGGING and NO FORCE LOGGING.
	ForceLogging *bool
	State        *PluggableState
}

// PluggableState is OPEN, CLOSE, SAVE STATE or DISCARD STATE of pluggable databases: of those of Names, of all but those of Names, or,
// without either, of the session's.
type PluggableState struct {
	Names []string
	All   bool
	Pos   int
	// Open is the mode of an OPEN, Force one of open ones too; Close is CLOSE, with Immediate for IMMEDIATE and ABORT. None of them: the
	// state that a restart restores.
	Open      string
	Force     bool
	Close     bool
	Immediate bool
}

// CreateIndex is CREATE [UNIQUE] INDEX on plain columns.
type CreateIndex struct {
	Name    Object
	Table   Object
	Unique  bool
	Columns []ColumnName
}

// Sequence is CREATE or ALTER SEQUENCE. What is not given is empty or nil; numbers are texts.
type Sequence struct {
	Alter                      bool
	Name                       Object
	Start, Increment, Min, Max string
	NoMin, NoMax               bool
	Cycle, Order               *bool
	Cache                      *int
}

// DropSequence is DROP SEQUENCE.
type DropSequence struct{ Name Object }

// CreateView is CREATE VIEW. Text is that of Query.
type CreateView struct {
	Name              Object
	Replace, ReadOnly bool
	Columns           []string
	Query             *Query
	Text              string
}

// DropView is DROP VIEW.
type DropView struct{ Name Object }

// DropIndex is DROP INDEX.
type DropIndex struct{ Name Object }

// Comment is COMMENT ON.
type Comment struct{ Table Object }

// AlterSystem is SWITCH LOGFILE, ARCHIVE LOG CURRENT or CHECKPOINT.
type AlterSystem struct{ Checkpoint bool }

// AlterSession is ALTER SESSION SET; exactly one member group is set.
type AlterSession struct {
	Container string
	Set       []Setting
}

// Setting is name = value.
type Setting struct{ Name, Value string }

// CreateUser is CREATE USER.
type CreateUser struct {
	Name, Password  string
	Locked, Expired bool
}

// AlterUser is ALTER USER; what is not altered is empty or nil.
type AlterUser struct {
	Name, Password string
	Locked         *bool
	Expired        bool
	ContainerData  *ContainerData
}

// ContainerData is SET, ADD or REMOVE CONTAINER_DATA: which containers a common user sees from the root.
type ContainerData struct {
	Op    string // SET, ADD, REMOVE
	All   bool
	Names []string // none and not All: DEFAULT
}

// DropUser is DROP USER.
type DropUser struct {
	Name    string
	Cascade bool
}

// CreateRole is CREATE ROLE.
type CreateRole struct{ Name string }

// DropRole is DROP ROLE.
type DropRole struct{ Name string }

// Grant is GRANT or REVOKE.
type Grant struct {
	Revoke     bool
	Privileges []Privilege
	On         *Object // nil for system privileges and roles
	Grantees   []string
	// Option is WITH ADMIN OPTION or WITH GRANT OPTION.
	Option bool
	// Container is ALL or CURRENT, or empty if the clause is missing.
	Container string
}

// Privilege is a privilege or role that a GRANT names; words are separated by single blanks.
type Privilege struct {
	Pos  int
	Name string
}

// Block is a PL/SQL block or CALL.
type Block struct {
	Declare  []Variable
	Body     []Step
	Handlers []Handler
}

// Step is a statement of a block with its place in the text.
type Step struct {
	Pos int
	Do  Statement
}

// Handler is WHEN ... THEN of EXCEPTION; without Names it is that of OTHERS.
type Handler struct {
	Names []ColumnName
	Body  []Step
}

// If is IF, ELSIF and ELSE.
type If struct {
	Branches []Branch
	Else     []Step
}

// Branch is a condition with what it guards.
type Branch struct {
	Cond Expr
	Body []Step
}

// Loop is LOOP, and WHILE with a condition.
type Loop struct {
	While Expr
	Body  []Step
}

// For is FOR Var IN over numbers, or over the rows of a query.
type For struct {
	Var       ColumnName
	Reverse   bool
	Low, High Expr
	Query     *Query
	Body      []Step
}

// Leave is EXIT or CONTINUE of the innermost loop, or RETURN of the outermost block.
type Leave struct {
	Kind string // EXIT, CONTINUE, RETURN
	When Expr
}

// Raise is RAISE; without a name it raises what is being handled again.
type Raise struct{ Name ColumnName }

// Variable is a declaration of a block.
type Variable struct {
	Pos  int
	Name string
	Type datum.Type
	// Like is the column of Table whose type the variable has, empty if Type is given.
	Like              string
	Table             Object
	Constant, NotNull bool
	Init              Expr
	// Exception says that it is one; Code is what PRAGMA EXCEPTION_INIT gave it, 0 for none.
	Exception bool
	Code      int
}

// NullStatement is NULL in a block.
type NullStatement struct{}

// ProcedureCall calls a packaged procedure in a block.
type ProcedureCall struct {
	Pos  int
	Name string
	Args []NamedArg
}

// NamedArg is an argument; Name is empty for a positional one.
type NamedArg struct {
	Name string
	X    Expr
}

// Assign is target := expression in a block; the target is a *Bind or a *Name.
type Assign struct {
	Target Expr
	X      Expr
}

// OpenCursor is OPEN :bind FOR query in a block.
type OpenCursor struct {
	Target *Bind
	Query  *Query
}

// ExecuteImmediate runs a text in a block.
type ExecuteImmediate struct {
	X     Expr
	Into  []Expr
	Using []Expr
}

func (*Query) statement()            {}
func (*Insert) statement()           {}
func (*Update) statement()           {}
func (*Delete) statement()           {}
func (*Commit) statement()           {}
func (*Rollback) statement()         {}
func (*Savepoint) statement()        {}
func (*SetTransaction) statement()   {}
func (*CreateTable) statement()      {}
func (*DropTable) statement()        {}
func (*Truncate) statement()         {}
func (*AlterTable) statement()       {}
func (*RenameTable) statement()      {}
func (*Recycled) statement()         {}
func (*AlterDatabase) statement()    {}
func (*CreateIndex) statement()      {}
func (*DropIndex) statement()        {}
func (*Sequence) statement()         {}
func (*DropSequence) statement()     {}
func (*CreateView) statement()       {}
func (*DropView) statement()         {}
func (*Comment) statement()          {}
func (*AlterSystem) statement()      {}
func (*AlterSession) statement()     {}
func (*CreateUser) statement()       {}
func (*AlterUser) statement()        {}
func (*DropUser) statement()         {}
func (*CreateRole) statement()       {}
func (*DropRole) statement()         {}
func (*Grant) statement()            {}
func (*Block) statement()            {}
func (*NullStatement) statement()    {}
func (*If) statement()               {}
func (*Loop) statement()             {}
func (*For) statement()              {}
func (*Leave) statement()            {}
func (*Raise) statement()            {}
func (*ProcedureCall) statement()    {}
func (*Assign) statement()           {}
func (*OpenCursor) statement()       {}
func (*ExecuteImmediate) statement() {}
