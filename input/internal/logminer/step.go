package logminer

import (
	"context"
	"fmt"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Request is one step.
type Request struct {
	Plan   redolog.Step
	Filter *Filter
	// Net is optional.
	Net *Net
	// Silence fails the step when no row of any kind arrived for so long, and a tenth longer at most (R11); 0: never. Rows
	// travel in arrays of oracle.Config.FetchRows, so a row counts when its array arrives.
	Silence time.Duration
	// Replay mines with the dictionary from the redo, which must be among the logs: rows have the names of their moment (R45).
	Replay bool
	// Divisible: the step can be made smaller, which is to be tried before its silence counts as a stop's.
	Divisible bool
}

// Result is what a complete step found.
type Result struct {
	// Addresses are the greatest address per thread over all rows returned, whoever's they are (R4).
	Addresses map[int]position.RBA
	// Rows counts statements returned, Repeated those of them that were delivered before.
	Rows, Repeated int64
}

// Miner runs steps on one session.
type Miner struct{ database database }

// New makes a miner. The session is of role oracle.Mining and used for nothing else; the caller closes it, and asks
// Session.Usable after a failed step.
func New(session *oracle.Session) *Miner { return &Miner{database: pinned{session}} }

// database is what a step needs of a session.
type database interface {
	Exec(ctx context.Context, st oracle.Statement, args ...any) error
	Query(ctx context.Context, st oracle.Statement, args ...any) (rows, error)
	Check(ctx context.Context) error
}

type rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close() error
}

type pinned struct{ *oracle.Session }

func (p pinned) Query(ctx context.Context, st oracle.Statement, args ...any) (rows, error) {
	return p.Session.Query(ctx, st, args...)
}

// stallRetries: the third silent step of one log in a row ends capture with CDC-4003 (R11).
const stallRetries = 2

// Step mines one step and hands its rows to handle, in delivered order, in batches. A batch is the callee's until it
// returns and is then filled again; the strings in it may be kept. An error of handle ends the step and is returned.
func (m *Miner) Step(ctx context.Context, r Request, handle func([]Row) error) (Result, error) {
	r.Net.begin(r.Replay)
	ctx, cancel := context.WithCancelCause(ctx)
	f := newFetch(m.database, r)
	go f.run(ctx)
	err := f.consume(cancel, r, handle)
	// Whatever ended the consumer, the goroutine is waited for.
	cancel(context.Canceled)
	for range f.full {
	}
	if err == nil {
		err = f.err
	}
	if err != nil {
		return Result{}, fmt.Errorf("mine SCN %s to %s: %w", r.Plan.From.SCN, r.Plan.Bound, err)
	}
	return Result{Addresses: f.checker.addresses, Rows: f.returned.Load(), Repeated: f.checker.repeated}, nil
}

// looks is how often progress is looked at in the time that it may stand still: silence must be noticed before the connection's
// read time-out, which would hide it, is up.
const looks = 16

// consume hands batches over until the fetch closes the channel, and watches for silence.
func (f *fetch) consume(cancel context.CancelCauseFunc, r Request, handle func([]Row) error) error {
	var silent <-chan time.Time
	if r.Silence > 0 {
		ticker := time.NewTicker(max(r.Silence/looks, time.Millisecond))
		defer ticker.Stop()
		silent = ticker.C
	}
	seen, quiet := int64(-1), 0
	for {
		select {
		case batch, ok := <-f.full:
			if !ok {
				return nil
			}
			if err := handle(batch); err != nil {
				cancel(err)
				return err
			}
			f.free <- batch[:0]
			// Time spent in handle is not the database's.
			seen, quiet = -1, 0
		case <-silent:
			if now := f.progress(); now != seen {
				seen, quiet = now, 0
				continue
			}
			if quiet++; quiet < looks {
				continue
			}
			err := stalled(r)
			cancel(err)
			return err
		}
	}
}

// stalled is the failure of a step that was silent for too long. That of a step that can be made smaller is another one than that
// of the smallest, and has no limit of its own (R11).
func stalled(r Request) error {
	const do = "look for what the session of program oracle_cdc_mining waits for (V$SESSION.EVENT), or raise mining.query_timeout; then restart"
	if r.Divisible {
		return &oracle.Fault{Class: oracle.ReMine, Limit: -1, Becomes: stop.New(stop.Stalled, "LogMiner",
			"no row arrived for %s in a step of %d logs", r.Silence, len(r.Plan.Logs)).Doing(do)}
	}
	return &oracle.Fault{Class: oracle.ReMine, Limit: stallRetries, Becomes: stop.New(stop.Stalled, "LogMiner", "no row arrived for %s", r.Silence).Doing(do)}
}
