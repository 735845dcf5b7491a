package redo

import (
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// SCN is a system change number.
type SCN uint64

// Op is the operation code of V$LOGMNR_CONTENTS (reference logminer C).
type Op uint8

// Operation codes that the stand-in writes.
const (
	Insert   Op = 1
	Delete   Op = 2
	Update   Op = 3
	DDL      Op = 5
	Start    Op = 6
	Commit   Op = 7
	Rollback Op = 36

	// Codes that only warts bring.
	Internal        Op = 0
	SelectForUpdate Op = 25
	ReplicationMark Op = 27
	MissingSCN      Op = 34
	Unsupported     Op = 255
)

// XID identifies a transaction inside its container (local undo).
type XID struct {
	USN, Slot uint16
	Sqn       uint32
}

// RBA is a redo byte address inside a thread.
type RBA struct {
	Sequence, Block uint32
	Byte            uint16
}

// String gives the form of RS_ID without its surrounding blanks.
func (r RBA) String() string { return string(r.Append(nil)) }

// Append appends the form of RS_ID without its surrounding blanks.
func (r RBA) Append(dst []byte) []byte {
	dst = append(dst, '0', 'x')
	dst = appendHex(dst, r.Sequence, 6)
	dst = append(dst, '.')
	dst = appendHex(dst, r.Block, 8)
	dst = append(dst, '.')
	return appendHex(dst, uint32(r.Byte), 4)
}

func appendHex(dst []byte, n uint32, digits int) []byte {
	for shift := 28; shift >= 0; shift -= 4 {
		if shift < 4*digits || n>>shift != 0 {
			dst = append(dst, "0123456789abcdef"[n>>shift&15])
		}
	}
	return dst
}

// Origin says who made a change.
type Origin struct {
	User              string
	SessionID, Serial int
	Machine, Program  string
	OSUser, Process   string
	Client            string // CLIENT_IDENTIFIER
	// Transaction is the NAME of SET TRANSACTION.
	Transaction string
	// Instance is where the session is, and the redo thread that its records go to; 0 is 1.
	Instance int
}

// AuditID is AUDSID of the session, which SYS_CONTEXT calls SESSIONID.
func (o Origin) AuditID() int { return AuditID(o.SessionID) }

// AuditID is AUDSID of a session.
func AuditID(sessionID int) int { return 100_000 + sessionID }

// Record is one change. The stream sets Thread, RBA, SSN and, where it is zero, SCN and Time; the writer the rest.
// Records are immutable once appended.
type Record struct {
	Thread int
	RBA    RBA
	SSN    int64
	SCN    SCN
	Time   time.Time

	XID       XID
	Container int
	Op        Op
	// Undo marks a change made by a rollback (ROLLBACK = 1): Op is then the inverse operation.
	Undo   bool
	Origin Origin

	// Table is the layout the change was written with; nil for markers.
	Table *catalog.Table
	RowID string
	// Before holds the logged old values, After the new ones, both by index of Table.Columns; BeforeSet and AfterSet
	// say which columns the redo holds (supplemental logging shapes BeforeSet). An UPDATE's AfterSet are the columns
	// of its SET clause.
	Before, After       []datum.Datum
	BeforeSet, AfterSet []bool

	// Segment is the object id of the partition that holds the row; 0 is the table itself.
	Segment uint32

	// SQL is the text of a DDL: the user's, or one that Oracle runs for itself (Recursive).
	SQL       string
	Recursive bool
	// Effect is what the record changes in a dictionary, nil if nothing.
	Effect *Effect
	// Shared makes the record share the redo record (RS_ID) of the one appended before it: START with the first
	// change, rows of an array insert.
	Shared bool
	// Unlogged says that minimal supplemental logging was off (STATUS 3, reference logminer B.4).
	Unlogged bool

	quirks quirks
}
