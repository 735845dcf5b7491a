package wire

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Backend is the database behind the wire.
type Backend interface {
	// Service reports whether the listener knows a service name; an unknown one is refused with ORA-12514.
	Service(name string) bool
	// Password returns the password of a user in a service, to verify a log-on with; known is false for an
	// unknown user (the wire then runs the same exchange and answers ORA-01017).
	Password(service, user string) (password string, known bool)
	// Open begins a session after the password was verified.
	Open(ctx context.Context, logon Logon) (Session, error)
}

// Logon says who connected and how.
type Logon struct {
	Service, User string
	SessionID     int // SID
	Serial        int // SERIAL#
	Program       string
	// Alter is the ALTER SESSION text the client sends with the log-on; empty if none.
	Alter string
	// Machine, OSUser, Process and Driver are what the client says of itself; any may be empty.
	Machine, OSUser, Process, Driver string
}

// Identity says where a session is. The client learns it at log-on.
type Identity struct {
	Database, UniqueName, Domain, Instance, Service string
	UserID                                          int
}

// Identified is what a Session may also be. Without it the service names everything.
type Identified interface {
	Identity() Identity
}

// Labels are what a client says of its work. A field is nil if it did not change.
type Labels struct {
	ClientIdentifier, Module, Action, ClientInfo, Operation *string
}

// Labelled is what a Session may also be: it shows what its client says of its work, as V$SESSION does.
type Labelled interface {
	Label(Labels)
}

// Session is one session of the database. The wire calls it from one goroutine; ctx ends when the client
// sends a break or the connection dies, and the session then answers ORA-01013 from whatever it was doing.
// A ctx also ends when its call is answered: the rows of a query live longer and get their own with each
// Next.
type Session interface {
	// Execute runs a statement. Array DML that fails answers with the Counts of the executions in front of
	// the one that failed, which stand.
	Execute(ctx context.Context, stmt Statement) (Result, error)
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
	// InTransaction reports whether there is uncommitted work (call status bit 0x02).
	InTransaction() bool
	// Close ends the session; open work is rolled back, as for a lost connection, unless clean, when it is
	// committed as a log-off does.
	Close(clean bool)
}

// Statement is one execution of a statement text.
type Statement struct {
	SQL string
	// Binds holds one row of values per execution: one for a scalar execution, n for array DML, none
	// without binds. Positions follow the order of the placeholders in the text; a name that occurs twice
	// has two positions in a query or DML, one in a PL/SQL block.
	Binds [][]datum.Datum
	// BindTypes describes the binds as the client declared them.
	BindTypes []datum.Type
	// DescribeOnly asks for the columns without executing.
	DescribeOnly bool
	// AutoCommit commits when the statement succeeds.
	AutoCommit bool
	// Arrays holds the elements of PL/SQL array binds by position; their datum in Binds is NULL. An array
	// that only goes out is there too, without elements.
	Arrays map[int][]datum.Datum
}

// Result is what a statement answers. Exactly one of Rows and the rest is meaningful.
type Result struct {
	Columns []Column // of a query
	Rows    Rows     // of a query; closed by the wire
	// RowsAffected counts the rows of a DML statement.
	RowsAffected int64
	// Out describes the binds of a PL/SQL block: directions and the values that go back.
	Out []Out
	// Returned is what a RETURNING clause gave back: for each execution, for each of its rows, the values of
	// the binds behind INTO. Those binds are the last ones of the statement and NULL in Binds.
	Returned [][][]datum.Datum
	// Counts are the rows of each execution of array DML, for clients that ask; nil if they are not known.
	Counts []int64
}

// Column is a column of a result.
type Column struct {
	Name     string
	Type     datum.Type
	Nullable bool
}

// Rows iterates over the rows of a query.
type Rows interface {
	// Next fills dst, which has one element per column, and reports whether there was a row. What dst then
	// holds stays valid until the next call.
	Next(ctx context.Context, dst []datum.Datum) (bool, error)
	Close() error
}

// Direction of a bind of a PL/SQL block, as the wire writes it.
type Direction uint8

// Directions of a bind.
const (
	In    Direction = 32
	OutTo Direction = 16
	InOut Direction = 48
)

// Out is one bind of a PL/SQL block.
type Out struct {
	Direction Direction
	Value     datum.Datum
	// Cursor is set for a ref cursor that is open: its columns and rows. The wire closes the rows, at the
	// latest with the session.
	Cursor *Result
	// Elements are the values of an array bind.
	Elements []datum.Datum
}

// OraError is an error that reaches the client as ORA-nnnnn.
type OraError struct {
	Code     int
	Message  string // without the ORA-nnnnn prefix; may hold further lines of the stack
	Position int    // offset in the statement, for parse errors
}

func (e *OraError) Error() string { return fmt.Sprintf("ORA-%05d: %s", e.Code, e.Message) }

// Errorf makes an OraError.
func Errorf(code int, format string, args ...any) *OraError {
	return &OraError{Code: code, Message: fmt.Sprintf(format, args...)}
}
