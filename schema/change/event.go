package change

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Kind says what a message of the stream is; its text is the metadata message_type (contracts 2).
type Kind string

// Kinds of message.
const (
	Change       Kind = "change"
	Tombstone    Kind = "tombstone"
	Snapshot     Kind = "snapshot"
	Heartbeat    Kind = "heartbeat"
	Schema       Kind = "schema"
	Ops          Kind = "ops"
	DeadLetter   Kind = "dead_letter"
	Boundary     Kind = "transaction"
	SchemaChange Kind = "schema_change"
)

// Op is what happened to a row.
type Op byte

// Operations, by the letter that records carry.
const (
	Create   Op = 'c'
	Update   Op = 'u'
	Delete   Op = 'd'
	Read     Op = 'r'
	Truncate Op = 't'
)

// Name gives the operation as metadata names it (contracts 3).
func (o Op) Name() string {
	switch o {
	case Create:
		return "insert"
	case Update:
		return "update"
	case Delete:
		return "delete"
	case Read:
		return "read"
	case Truncate:
		return "truncate"
	}
	return ""
}

// Mark is the place of a record in its snapshot, by the text of source.snapshot (seed 001); empty for any other record of a
// snapshot and for streamed changes.
type Mark string

// Marks of snapshot records. A record format that lacks one writes "true" for it.
const (
	First        Mark = "first"
	FirstInTable Mark = "first_in_data_collection"
	LastInTable  Mark = "last_in_data_collection"
	Last         Mark = "last"
	Incremental  Mark = "incremental"
)

// Header is a Kafka header of a record.
type Header struct {
	Key string
	// Value is text, as Connect's simple converter writes it: decimal digits, true, JSON.
	Value []byte
}

// Headers appends the headers of an event's record to dst. Their values lie in buf, which is returned for the next record once
// this one was sent.
type Headers func(dst []Header, buf []byte, ev *Event) ([]Header, []byte)

// Aside is what few records have.
type Aside struct {
	// OtherKey is the key on the other side of a key change, as a header holds it: the new one on the delete and its tombstone, the
	// old one on the create.
	OtherKey []byte
	// Redo is the text of the change in the redo, empty unless it was asked for.
	Redo string
	// Definition is what a SchemaChange tells of.
	Definition *Definition
}

// Transaction is what the events of one transaction share.
type Transaction struct {
	ID        position.XID
	Container int
	// Key is the place of the COMMIT row: commit SCN, redo thread, address.
	Key position.Key
	// CommitMillis is the commit time in milliseconds since the epoch, 0 when the redo carries none.
	CommitMillis int64
	// User is the database user, empty when the redo does not say.
	User string
	// StartSCN and StartMillis are those of the first captured row, 0 when that is not known.
	StartSCN    position.SCN
	StartMillis int64
	// Count is the number of changes that are emitted; the records of a key change count once.
	Count int
}

// Event is one message of the stream.
type Event struct {
	// Number counts the events that the input handed to the runtime since the process began; it never goes back, whatever the
	// generation. 0: not counted.
	Number uint64
	Kind   Kind
	Op     Op
	// Version is the layout the row was decoded with; nil for messages that are not about a row.
	Version *schema.Version
	// Before and After are the images of the row by index of Version.Columns; nil where the record has none.
	Before, After []value.Value

	// SCN, Thread, Address and SSN say where the change lies in the redo, Millis when it was made (milliseconds since the
	// epoch, whole seconds).
	SCN     position.SCN
	Thread  int
	Address position.RBA
	SSN     int64
	Millis  int64
	RowID   string

	// Transaction is nil for messages outside a transaction.
	Transaction *Transaction
	// Index is the position of the change in its transaction from 0, TableOrder its position among the transaction's changes
	// to its table from 1. Delete, tombstone and create of one key change share both.
	Index      int
	TableOrder int

	// Mark is the place of a Snapshot record in its snapshot.
	Mark Mark
	// ReselectFailed: a LOB value that the redo did not carry could not be read from the table.
	ReselectFailed bool
	// Split: the Oracle transaction is delivered in several Kafka transactions.
	Split bool

	// Built is when the record was made, in nanoseconds since the epoch.
	Built int64
	// Aside is nil in most records.
	Aside *Aside
	// Headers makes the Kafka headers; nil: the record has none.
	Headers Headers

	// Topic, Key and Value are the record. A nil Key is no key; the Value of a Tombstone is nil.
	Topic      string
	Key, Value []byte

	// Position is where a restart goes on once the batch of this message and all before it are acknowledged. Every message
	// of a batch carries the batch's, so that a message filtered away takes nothing with it.
	Position *position.Position
}

// Null reports whether the value of the record is null: that of a tombstone, or of the end of a table in the schema topic.
func (ev *Event) Null() bool { return ev.Kind == Tombstone || ev.Kind == Schema && ev.Value == nil }

// Batch is what capture hands to the runtime at once.
type Batch struct {
	// Source is topic_prefix of the input, by which components tell the events of several inputs apart.
	Source   string
	Events   []Event
	Position *position.Position
	// Generation is nil where nothing is read again; Ordinal is the batch's place in it, from 0.
	Generation *Generation
	Ordinal    uint64
}
