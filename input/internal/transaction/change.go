package transaction

import (
	"unsafe"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	schemachange "github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// ID identifies a transaction: with local undo the XID is unique only inside its container (R117).
type ID struct {
	Container int
	XID       position.XID
}

// Op is what a captured row did.
type Op uint8

// Operations of captured rows. Unsupported is a row whose content LogMiner cannot show; Truncate is the DDL that empties a table, and has
// no images; Define is a DDL that consumers are told of.
const (
	Insert Op = iota + 1
	Update
	Delete
	Unsupported
	Truncate
	Define
)

// reverses reports whether an undo row of operation u takes back a change of operation c.
func (u Op) reverses(c Op) bool {
	switch u {
	case Insert:
		return c == Delete
	case Delete:
		return c == Insert
	case Update:
		return c == Update
	default:
		return true // code 255 matches by table and ROWID alone (R115)
	}
}

// Change is a captured row change. Its slices and strings are owned by the buffer once appended.
type Change struct {
	Op      Op
	Version *schema.Version
	// Before and After are the images by index of Version.Columns; a change with a Fault may have none.
	Before, After []value.Value
	// RowID is empty where the row has the placeholder.
	RowID   string
	SCN     position.SCN
	Thread  int
	Address position.RBA
	SSN     int64
	// Millis is the time of the change in milliseconds since the epoch.
	Millis int64
	// TextBytes is the length of the text that the values were cut from and keep alive.
	TextBytes int
	// Redo is that text where records carry it, else empty.
	Redo string
	// Raw is the row as it came, nil unless dead letters may be written of it.
	Raw *Raw
	// Definition is what a Define tells of; whoever reads the redo completes it before the transaction is handed over.
	Definition *schemachange.Definition
	// Fault says why the change cannot be published; it is raised only if the transaction commits with the change
	// standing (R22).
	Fault *stop.Error
}

// Raw is a row as LogMiner returned it; its text may be withheld.
type Raw struct {
	Redo, Info string
	Status     int
}

// Undo is a row made by a rollback: it takes back one change of its transaction.
type Undo struct {
	Op      Op
	Table   schema.Table
	RowID   string
	SCN     position.SCN
	Thread  int
	Address position.RBA
	// Missed: its change may have been made before anybody mined the table, so that there is none.
	Missed bool
}

const (
	entrySize = int64(unsafe.Sizeof(entry{}))
	valueSize = int64(unsafe.Sizeof(value.Value{}))
)

// entry is one captured row of a transaction, forward or undo. Surviving changes form a stack by their links, so that a
// failed step is cut off by restoring the top.
type entry struct {
	change Change
	// below is the top of the stack before this entry.
	below int32
	// undoes is the entry an undo row takes back: none for a forward change, unmatched for an undo without partner.
	undoes int32
	undone bool
}

const (
	none      int32 = -1
	unmatched int32 = -2
)

func (e *entry) rank() int {
	if e.change.Op == Define {
		return 0
	}
	return 1
}

func (e *entry) size() int64 {
	return entrySize + valueSize*int64(len(e.change.Before)+len(e.change.After)) + int64(e.change.TextBytes) + rawSize(e.change.Raw)
}

func rawSize(r *Raw) int64 {
	if r == nil {
		return 0
	}
	return int64(unsafe.Sizeof(*r)) + int64(len(r.Info))
}
