package snapshot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// Config is what a reader needs. It is complete: there are no defaults.
type Config struct {
	// Oracle reaches the database; its FetchRows is snapshot.fetch_rows.
	Oracle   oracle.Config
	Database oracle.Database
	// ChunkRows is how many rows a chunk is cut to hold, Threads how many connections read, Tables how many tables are read at once.
	ChunkRows, Threads, Tables int
	// MaxPending bounds chunks that were read and not released, MaxBytes their memory.
	MaxPending int
	MaxBytes   int64
	// MaxHold is how long a batch may be read while items wait for it (R78), MaxLag the lag at which none begins (R79).
	MaxHold, MaxLag time.Duration
	// Retries is how often a chunk may fail at one size.
	Retries int
	// RetryWait and RetryMaxWait are the waits between two attempts to connect, RetryTime how long it is tried.
	RetryWait, RetryMaxWait, RetryTime time.Duration
	// Settle is the wait before a new SCN when a table was changed by DDL: 3 s (R81).
	Settle time.Duration

	Versions Versions
	Ordering Ordering
	Queue    *Queue

	// Waiting is told why no batch begins, and with the empty text when one does.
	Waiting func(why string)
	// GaveUp is told of every batch that was given up, and why.
	GaveUp func(c Chunk, why string)

	Log *slog.Logger
	Now func() time.Time
}

// Reader reads the tables of a queue in batches. It owns the goroutines of its connections while Run runs.
type Reader struct {
	config *Config
}

// NewReader makes a reader; nothing happens before Run.
func NewReader(c *Config) *Reader { return &Reader{config: c} }

// Run reads until ctx ends or a fault stands, which is a *stop.Error then. All its connections are closed when it returns; batches that
// were handed over stay good.
func (r *Reader) Run(ctx context.Context) error {
	return errors.New("snapshots are not read yet")
}
