package views

import (
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Database is what the views show of the engine. All methods may be called from any goroutine; what they return is not
// modified by either side.
type Database interface {
	Containers() []catalog.Container
	Users(container int) []catalog.User
	Roles(container int) []catalog.Role
	Grants(container int) []catalog.Grant
	Tables(container int) []*catalog.Table
	Recycled(container int) []*catalog.Table
	Segments(container int) []catalog.Segment
	Tablespaces(container int) []catalog.Tablespace
	StoredViews(container int) []*catalog.View
	Sequences(container int) []catalog.Sequence
	Transactions() []Transaction
	Sessions() []Session
	// Logging is what the database logs besides what recovery needs.
	Logging() Logging
	// CurrentSCN gives an SCN at or above which no commit visible now lies, and advances the clock.
	CurrentSCN() redo.SCN
}

// Transaction is an open transaction that has made a change.
type Transaction struct {
	Container         int
	XID               redo.XID
	StartSCN          redo.SCN
	StartTime         time.Time
	SessionID, Serial int
	User, Name        string
	Instance          int // 0 is 1
}

// Session is a user session.
type Session struct {
	ID, Serial                         int
	Container                          int
	User, Schema                       string
	OSUser, Process, Machine, Program  string
	Module, Action, ClientInfo, Client string // Client is CLIENT_IDENTIFIER
	LogonTime                          time.Time
	Executing                          bool
	Instance                           int // 0 is 1
}

// Logging is database-level supplemental logging, and FORCE LOGGING.
type Logging struct{ Minimal, PrimaryKey, UniqueIndex, ForeignKey, All, Force bool }
