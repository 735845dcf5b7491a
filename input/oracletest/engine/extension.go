package engine

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// View is a read-only relation that is computed when a query opens it.
type View interface {
	Columns() []wire.Column
	// Open starts reading on behalf of a session. Rows are what wire.Rows says; the engine filters, joins and orders them.
	Open(ctx context.Context, caller Caller) (wire.Rows, error)
}

// Views finds views by name; owner is empty for an unqualified name (public synonym).
type Views interface {
	View(owner, name string) (View, bool)
}

// Argument is one argument of a procedure call: positional when Name is empty.
type Argument struct {
	Name  string
	Value datum.Datum
}

// Procedures runs packaged procedures such as DBMS_LOGMNR.ADD_LOGFILE; known is false for an unknown name, and
// the engine then answers PLS-00201 as ORA-06550.
type Procedures interface {
	Call(ctx context.Context, caller Caller, name string, args []Argument) (known bool, err error)
}

// Caller is the session on whose behalf a view or a procedure runs.
type Caller interface {
	// SessionID and Serial are SID and SERIAL#.
	SessionID() int
	Serial() int
	User() string
	Container() int
	// NLS returns a session parameter such as NLS_DATE_FORMAT.
	NLS(parameter string) string
	// Attach keeps state of an extension with the session (LogMiner's); the value is dropped when the session ends, after its
	// Close, if it has one.
	Attach(key string, state any)
	Attached(key string) (state any, ok bool)
	Authority
}

// Authority is what a session may do and see.
type Authority interface {
	// Sees reports whether views of the whole database show the rows of a container (CONTAINER_DATA).
	Sees(container int) bool
	// Accessible reports whether the session has any right to a table: ALL_ views list no others.
	Accessible(owner, name string) bool
	// SystemPrivileges and Roles are what SESSION_PRIVS and SESSION_ROLES show.
	SystemPrivileges() []string
	Roles() []string
}

// Privileged is implemented by a view that asks for a system privilege besides the right to read it.
type Privileged interface {
	Privilege() string
}

// Projector is implemented by a view whose columns differ much in cost (V$LOGMNR_CONTENTS renders SQL text). Before Open
// the engine calls Project with the indexes of the columns that the query reads; Rows of the view returned still have
// all columns, the others NULL.
type Projector interface {
	Project(columns []int) View
}

// Constants is implemented by Procedures that know packaged constants such as DBMS_LOGMNR.ADDFILE.
type Constants interface {
	Constant(name string) (value datum.Datum, known bool)
}
