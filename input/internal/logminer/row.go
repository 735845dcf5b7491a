package logminer

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Row is a row of V$LOGMNR_CONTENTS, its chunks joined. Strings are not changed after it is handed over.
type Row struct {
	SCN position.SCN
	// Thread and Address are where the change lies in the redo. The address is zero on markers that have none (R13).
	Thread  int
	Address position.RBA
	// SSN numbers rows inside one address. It pairs nothing with anything (reference logminer B.2).
	SSN       int64
	Operation Operation
	// Undo marks a row made by a rollback: of the transaction, to a savepoint, or of a failed statement.
	Undo bool
	// Status is 0 for valid SQL, 2 for SQL that is not valid by itself, 3 where supplemental logging is missing.
	Status int
	Info   string
	XID    position.XID
	// Container and ObjectID identify the segment (SRC_CON_ID, DATA_OBJ#).
	Container     int
	ObjectID      uint64
	ObjectVersion int64
	// Owner and Table are names by today's dictionary.
	Owner, Table string
	// RowID is empty where the row has none or the placeholder.
	RowID string
	// User is empty where the transaction's START was not read (K5).
	User string
	// UnixSeconds is TIMESTAMP, the server's wall clock taken as if it were UTC (R136); 0 without one.
	UnixSeconds     int64
	Session, Serial int
	Redo            string
	// Late marks a row of the re-read net that the step before did not deliver, Replaced one that it delivered with another
	// text (R8); Renumbered, that one of the two texts has numbers in the place of the names of columns.
	Late, Replaced, Renumbered bool
}

// Operation is OPERATION_CODE (reference logminer C).
type Operation int

// Operations.
const (
	Internal          Operation = 0
	Insert            Operation = 1
	Delete            Operation = 2
	Update            Operation = 3
	DDL               Operation = 5
	Start             Operation = 6
	Commit            Operation = 7
	SelectLOBLocator  Operation = 9
	LOBWrite          Operation = 10
	LOBTrim           Operation = 11
	SelectForUpdate   Operation = 25
	ReplicationMarker Operation = 27
	LOBEraseInManuals Operation = 28
	LOBErase          Operation = 29
	MissingSCN        Operation = 34
	Rollback          Operation = 36
	XMLDocBegin       Operation = 68
	XMLDocWrite       Operation = 70
	XMLDocEnd         Operation = 71
	Begin32K          Operation = 91
	Write32K          Operation = 92
	End32K            Operation = 93
	Unsupported       Operation = 255
)

// known reports the codes that the reference lists.
func (o Operation) known() bool {
	switch o {
	case Internal, Insert, Delete, Update, DDL, Start, Commit, SelectLOBLocator, LOBWrite, LOBTrim, SelectForUpdate, ReplicationMarker,
		LOBEraseInManuals, LOBErase, MissingSCN, Rollback, XMLDocBegin, XMLDocWrite, XMLDocEnd, Begin32K, Write32K, End32K, Unsupported:
		return true
	}
	return false
}

// ignorable rows change nothing that is captured.
func (o Operation) ignorable() bool { return o == Internal || o == SelectForUpdate }

// marker rows end or begin transactions and name no object.
func (o Operation) marker() bool {
	return o == Start || o == Commit || o == Rollback || o == ReplicationMarker
}

// String gives the name that messages use.
func (o Operation) String() string {
	switch o {
	case Insert:
		return "INSERT"
	case Delete:
		return "DELETE"
	case Update:
		return "UPDATE"
	case DDL:
		return "DDL"
	case Start:
		return "START"
	case Commit:
		return "COMMIT"
	case Rollback:
		return "ROLLBACK"
	case MissingSCN:
		return "MISSING_SCN"
	case Unsupported:
		return "UNSUPPORTED"
	default:
		return "operation code " + strconv.Itoa(int(o))
	}
}

// placeholderRowID is ROW_ID of rows without a row (reference logminer B.2).
const placeholderRowID = "AAAAAAAAAAAAAAAAAA"

// at names the place of a row in messages.
func (r *Row) at() string {
	return "SCN " + r.SCN.String() + ", thread " + strconv.Itoa(r.Thread) + ", address " + r.Address.String()
}
