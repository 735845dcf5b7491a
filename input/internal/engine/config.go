package engine

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// Config is what a run of the engine needs. It is complete: the engine has no defaults of its own.
type Config struct {
	// Run identifies the process in positions: a position that another run stores after this one began fences it (R70).
	Run    string
	Oracle oracle.Config
	// PDBs are those to capture; empty: every open one with a captured table.
	PDBs          []string
	Selection     *naming.Selection
	AllowNoTables bool
	// Columns says which columns are never read, Keys which columns are a table's key whatever the dictionary says. Nil: none.
	Columns *naming.Columns
	Keys    *naming.Keys
	// NumberedExcept are tables whose rows from before a DDL are never decoded by the numbers of their columns; nil: none (R45).
	NumberedExcept *naming.Selection
	// Builds says when copies of the dictionary are written into the redo.
	Builds Builds
	// ExcludeUsers are the database users, as the dictionary has their names, whose transactions never enter.
	ExcludeUsers []string
	// Logging is the least supplemental logging that a captured table must have.
	Logging schema.Logging
	// KeyMissing is what becomes of tables without a key.
	KeyMissing KeyMissing

	// PollInterval and IdleInterval are the time between two steps when caught up, under load and on a quiet database.
	PollInterval, IdleInterval time.Duration
	// HoldBack is the age that a bound must have when START is called (R1).
	HoldBack time.Duration
	// QueryTimeout fails a step in which no row of any kind arrived for so long (R11).
	QueryTimeout time.Duration
	// MaxLogsPerStep bounds a step while catching up (R12).
	MaxLogsPerStep int
	// Memory is the budget for staged rows in bytes.
	Memory int64

	// Snapshot says which rows are read by query.
	Snapshot SnapshotConfig

	// Signals says where operators' wishes come from.
	Signals SignalConfig

	// Defaults: the defaults of columns are read.
	Defaults bool
	// SkipUnchanged drops updates that change no published column.
	SkipUnchanged bool
	// StopAtBulkDDL ends capture at a DDL that changes rows without row events; else it is an event (R129).
	StopAtBulkDDL bool
	// StopAtNoLogging ends capture at a change of a captured table's tablespace that left no redo; else it is an event (R128).
	StopAtNoLogging bool
	// ReadAtBulkDDL: such a table is read anew.
	ReadAtBulkDDL bool
	// Truncates makes a record of TRUNCATE TABLE.
	Truncates bool
	// SchemaChanges tells consumers of DDL on captured tables.
	SchemaChanges bool

	// Records has everything but Database, which the engine learns when it connects.
	Records  debezium.Settings
	Template naming.Template
	// Internal names the topics of heartbeats and schema versions; no table may get one of its topics.
	Internal naming.Internal

	BatchCount, BatchBytes int
	BatchPeriod            time.Duration

	// HeartbeatInterval is the time after which a heartbeat message carries the position; zero: only the one at start.
	HeartbeatInterval time.Duration

	// DeadLetters: a change that cannot be decoded or published becomes a dead letter in its place, instead of a stop.
	DeadLetters bool
	// LogRowValues allows SQL text in errors.
	LogRowValues bool

	// Retry bounds the retries of faults that pass.
	Retry Retry

	// Versions reads the versions that the schema topic has; container gives the number of a PDB. Nil without a schema topic.
	Versions func(ctx context.Context, container func(pdb string) (int, bool)) (*registry.Registry, error)
	// Stored gives the newest position that this process has made durable, nil before the first one. Nil: it is not known.
	Stored func() *position.Position
	// Peers says which components share the stream; it is asked once, after the engine has connected.
	Peers func(ctx context.Context) (Peers, error)
	// Save makes a position durable before anything is emitted (R88).
	Save func(ctx context.Context, p *position.Position) error
	// Ready is called once everything that commits from now on will be delivered.
	Ready func()

	// Available is told when the database cannot be reached any more, and with nil when it can again.
	Available func(err error)

	// Terminal shows how far snapshots are, where the log goes to one; else nil.
	Terminal io.Writer

	Log     *slog.Logger
	Observe Observer
	Now     func() time.Time
}

// KeyMissing is what becomes of a table without a key.
type KeyMissing string

// Answers to a missing key.
const (
	// RefuseKeyless refuses the table.
	RefuseKeyless KeyMissing = "fail"
	// CaptureKeyless captures it; its events have no key.
	CaptureKeyless KeyMissing = "none"
	// KeyByRowID makes the ROWID its key.
	KeyByRowID KeyMissing = "rowid"
)

// Peers says which components share the stream.
type Peers struct {
	// SchemaEvents: an oracle_schema processor is there. Heartbeats: positions travel as heartbeat messages. Ops: ops events are
	// messages, and dead letters reach their topic; else ops events are logged.
	SchemaEvents, Heartbeats, Ops bool
}

// Retry bounds the retries of faults that pass.
type Retry struct {
	// MaxTime bounds the retries of an unreachable database, InitialInterval and MaxInterval the waits between them.
	MaxTime, InitialInterval, MaxInterval time.Duration
	// MaxSteps bounds failures of one step in a row.
	MaxSteps int
}

// Observer is told what happens, for metrics. Its methods are called from the engine's goroutines.
type Observer interface {
	// Step reports a verified step.
	Step(s StepInfo)
	// Failed reports a step that will be mined again, or a database that is connected again.
	Failed(f Failure)
	// Emitted reports a batch that was handed over.
	Emitted(heartbeat bool)
	// Buried reports a dead letter.
	Buried()
	// Read reports rows of a table that a snapshot delivered, Remaining how long the rest may take by what is known, below 0 where
	// nobody knows.
	Read(table string, rows int64)
	Remaining(table string, d time.Duration)
}

// Failure is what is tried again.
type Failure int

// Failures that are tried again.
const (
	StepFailed Failure = iota
	// StepTimedOut: no row arrived for so long that the step was given up.
	StepTimedOut
	ConnectionLost
)

// StepInfo says what a verified step did.
type StepInfo struct {
	Duration time.Duration
	Bound    position.SCN
	// SafeEnd is the SCN up to which the redo could be mined when the step was planned.
	SafeEnd position.SCN
	// Rows were fetched, Used of them belong to captured tables, Undone of those are undo rows.
	Rows, Used, Undone int64
	// Committed transactions had captured rows; RolledBack counts all.
	Committed, RolledBack int
	// LateCommits reached the redo after the step that covered their SCN (R20).
	LateCommits int
	// Numbered rows were older than a DDL on their table and decoded without their names (R48).
	Numbered int64
	// Excluded transactions, of excluded users, had their first captured row in the step, and ExcludedRows were dropped in it.
	Excluded     int
	ExcludedRows int64
	// Loads without redo were passed in the step, in tablespaces of captured tables.
	Loads int
	// Replayed: the step was mined with the dictionary of its time (R45).
	Replayed bool
	// LateRows were returned one step late and still found their transaction open (R8).
	LateRows int64
	// Open transactions with captured rows, and the memory of all staged rows.
	Open        int
	BufferBytes int64
	// OldestOpenMillis is the age of the oldest of them, 0 when there is none.
	OldestOpenMillis int64
	Logs             int
	// LagMillis is the age of the newest commit of the step when it was verified, 0 when nothing is waiting, -1 when that is not known.
	LagMillis int64
}
