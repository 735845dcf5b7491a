package engine

import (
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// SnapshotMode says when rows that are there already are read.
type SnapshotMode string

// Modes of snapshots.
const (
	// SnapshotInitial reads the captured tables at the first start.
	SnapshotInitial SnapshotMode = "initial"
	// SnapshotNone reads none.
	SnapshotNone SnapshotMode = "none"
	// SnapshotOnly is SnapshotInitial, and capture ends with it.
	SnapshotOnly SnapshotMode = "snapshot_only"
	// SnapshotOnSignal reads what is asked for.
	SnapshotOnSignal SnapshotMode = "on_signal"
	// SnapshotAlways reads the captured tables at every start of the process.
	SnapshotAlways SnapshotMode = "always"
	// SnapshotWhenNeeded is SnapshotInitial, and reads the captured tables again where the redo from the position on is gone.
	SnapshotWhenNeeded SnapshotMode = "when_needed"
)

// SnapshotConfig is what snapshots need.
type SnapshotConfig struct {
	Mode SnapshotMode
	// ChunkRows is how many rows a chunk is to have. Threads sessions read chunks of Tables tables at the same time.
	ChunkRows, Threads, Tables int
	// MaxPending bounds the chunks that are read and wait for capture to reach their SCN.
	MaxPending int
	// MaxHold bounds how long capture waits for a chunk (R78), MaxLag how far it may be behind when one is begun (R79).
	MaxHold, MaxLag time.Duration
	// Retries bounds the failures of a chunk that reading it again may cure.
	Retries int
	// FetchRows is the number of rows per round trip.
	FetchRows int
	// Order lists what goes first.
	Order []naming.Pattern
	// Conditions and Overrides are SQL conditions and whole queries by table.
	Conditions, Overrides *naming.Texts
	// NewTables: tables that appear later and may hold rows are read.
	NewTables bool
}

// maxLag is how far capture may be behind when rows are read: more than F is behind anyway, or nothing would ever be read. F is of a step
// before the last one that is old enough.
func (c *Config) maxLag() time.Duration {
	return max(c.Snapshot.MaxLag, frontierAge+c.HoldBack+3*c.PollInterval)
}

// leastChunk is the size below which a chunk is not halved.
const leastChunk = 1000

// settle is how long a table that a DDL changed is left alone before it is read again (R81).
const settle = 3 * time.Second
