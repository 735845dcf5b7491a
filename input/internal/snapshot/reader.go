package snapshot

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// Config is what a reader needs. It is complete: there are no defaults.
type Config struct {
	// Oracle reaches the database; its FetchRows is snapshot.fetch_rows.
	Oracle   oracle.Config
	Database oracle.Database
	// Threads is how many connections read, Tables how many tables are read at once.
	Threads, Tables int
	// MaxPending bounds chunks that were read and not released, by the rows that they turned out to have; MaxBytes the memory of all rows that were read and not released.
	MaxPending int
	MaxBytes   int64
	// LeastRows is the size below which a chunk is not halved any more: 1,000, or chunk_rows where that is smaller.
	LeastRows int
	// MaxHold is how long a batch may be read while items wait for it (R78), MaxLag the lag at which none begins (R79).
	MaxHold, MaxLag time.Duration
	// Retries is how often a chunk may fail at one size.
	Retries int
	// RetryWait and RetryMaxWait are the waits between two attempts to connect, RetryTime how long it is tried.
	RetryWait, RetryMaxWait, RetryTime time.Duration
	// Settle is the wait before a new SCN when a table was changed by DDL: 3 s (R81).
	Settle time.Duration

	Versions Versions
	// Held reports tables that are not to be read yet, since transactions are open that the stream does not have whole.
	Held     func(t schema.Table) bool
	Ordering Ordering
	Queue    *Queue

	// Waiting is told why no batch begins, and with the empty text when one does.
	Waiting func(why string)
	// Refused is told of a table whose request the database does not take; it is read no further.
	Refused func(t schema.Table, fault error)
	// GaveUp is told of every chunk that was given up, and why; it is read again, or the reader stops.
	GaveUp func(c Chunk, why string)

	Log *slog.Logger
	Now func() time.Time
}

// Reader reads the tables of a queue in batches. It owns the goroutines of its connections while Run runs.
type Reader struct {
	config *Config
	pool   *pool
	faults faults
	// used is the memory of rows that were read and not released, pending the shares of their chunks.
	used    atomic.Int64
	pending atomic.Int64
	// waiting are rows that were read and are not out, pace how quickly they were read and went out so far.
	waiting atomic.Int64
	pace    pace
	// perRow is the memory of a row of a table, as last seen.
	perRow map[schema.Table]int64
	// alone: the next batch has one chunk, since the last one was too much for the memory.
	alone bool
	said  reason
	// since is when what was read began to keep more from being read.
	since time.Time
}

// NewReader makes a reader; nothing happens before Run.
func NewReader(c *Config) *Reader {
	return &Reader{config: c, pool: newPool(c), faults: faults{config: c}, perRow: map[schema.Table]int64{}}
}

// Used is the memory of rows that were read and not released.
func (r *Reader) Used() int64 { return r.used.Load() }

// Run reads until ctx ends or a fault stands, which is a *stop.Error then. Its connections are closed when it returns; batches that were
// handed over stay good.
func (r *Reader) Run(ctx context.Context) (err error) {
	defer func() {
		if closed := r.pool.close(); err == nil {
			err = closed
		}
	}()
	for {
		wait, err := r.next(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if wait, err = r.faults.next(err); err != nil {
				return err
			}
			r.pool.dropAll()
			wait, err = r.firmly(ctx, wait, nil)
			if err != nil {
				return ctx.Err()
			}
		}
		if wait != 0 {
			if err := r.config.Queue.wait(ctx, wait); err != nil {
				return err
			}
		}
	}
}

// Waits of the reader. Whoever changes something wakes the queue; the longer ones are for what nobody tells.
const (
	idle     = time.Hour
	lookLag  = time.Second
	lookRoom = time.Second
	// longRoom is how long what was read may keep more from being read before that is told.
	longRoom = 5 * time.Second
)

// next reads one batch. A wait other than 0 says that there is nothing to do now; the error is one of the connection, or typed.
func (r *Reader) next(ctx context.Context) (time.Duration, error) {
	tasks, held := r.config.Queue.first(max(1, r.config.Tables), r.config.Held)
	switch {
	case len(tasks) == 0 && held:
		r.say(joined, "transactions are open that began before tables joined include, and may have written to those")
		return lookRoom, nil
	case len(tasks) == 0:
		return idle, nil
	}
	lag := r.config.Ordering.Lag()
	if lag >= r.config.MaxLag {
		r.say(tooFar, behind(lag))
		return lookLag, nil
	}
	room := r.config.MaxPending - int(r.pending.Load()+wholeShare-1)/wholeShare
	chunk := tasks[0].Progress.rows
	piece := pieceOf(chunk, r.config.LeastRows)
	if room <= 0 || r.used.Load() > 0 && r.used.Load() >= r.config.MaxBytes/2 || r.pace.full(r.waiting.Load(), r.config.Threads, piece, lag) {
		r.noRoom()
		return lookRoom, nil
	}
	r.since = time.Time{}
	tables, err := r.look(ctx, tasks)
	if err != nil {
		return 0, err
	}
	if len(tables) == 0 {
		return r.config.Settle, nil
	}
	if r.alone {
		room = 1
	}
	connections, rows := r.pace.size(max(1, r.config.Threads), piece, chunk)
	parts, err := r.take(ctx, tables, min(room, connections), rows)
	var one *failure
	if errors.As(err, &one) && ctx.Err() == nil {
		return r.failed(ctx, one)
	}
	if err != nil {
		return 0, err
	}
	if len(parts) == 0 {
		return lookRoom, nil
	}
	r.say(nothing, "")
	return r.read(ctx, parts)
}

// reason is why no batch begins.
type reason uint8

const (
	nothing reason = iota
	tooFar
	noRoom
	otherLayout
	joined
)

// say tells of a wait once, however it goes on.
func (r *Reader) say(kind reason, why string) {
	if r.said != kind {
		r.said = kind
		r.config.Waiting(why)
	}
}

// noRoom tells of rows that were read and keep more from being read, once that is more than the ordinary turn of reading and going out.
func (r *Reader) noRoom() {
	now := r.config.Now()
	if r.since.IsZero() {
		r.since = now
	}
	if now.Sub(r.since) >= longRoom {
		r.say(noRoom, "what was read waits for the stream to come to its SCN, or to go out")
	}
}

// unknownLag stands for everything that is no lag of a stream that anybody waits for.
const unknownLag = 10 * 365 * 24 * time.Hour

func behind(lag time.Duration) string {
	by := "by a time that is not known yet"
	if lag < unknownLag {
		by = "by " + lag.Round(time.Second).String()
	}
	return "the stream is behind " + by + ", and rows read now would only wait (snapshot.max_lag)"
}

// looked is a table as it was before the SCN of a batch was read.
type looked struct {
	task    *Task
	version *schema.Version
	shape   oracle.Shape
	parts   []*Part
}

// look reads the shapes of tables. One whose layout is not the one that capture knows is left for later: its DDL is still to be mined.
func (r *Reader) look(ctx context.Context, tasks []*Task) ([]*looked, error) {
	var out []*looked
	for _, task := range tasks {
		version, ok := r.config.Versions(task.Table)
		if !ok {
			r.config.Queue.Remove(task.Table)
			continue
		}
		session, err := r.pool.get(ctx, 0, task.Container)
		if err != nil {
			return nil, err
		}
		shape, err := oracle.ReadShape(ctx, session, task.Container, task.Table)
		if err != nil {
			return nil, err
		}
		if Layout(shape.Version) != Layout(version) {
			r.say(otherLayout, "table "+task.Table.String()+" looks other than the stream has come to: its DDL is still to be mined")
			continue
		}
		if !task.Progress.fits(version) || task.Progress.moved(shape.Segments) {
			r.config.Log.Info("The snapshot of a table begins anew: its key or its rows' places are others", "table", task.Table.String())
			task.Progress.Restart(version)
		}
		out = append(out, &looked{task: task, version: version, shape: shape})
	}
	return out, nil
}

// Layout is the digest that tells layouts apart for snapshots: defaults of columns say nothing of the rows that there are.
func Layout(v *schema.Version) string {
	plain := &schema.Version{Table: v.Table, Columns: make([]schema.Column, len(v.Columns))}
	copy(plain.Columns, v.Columns)
	for i := range plain.Columns {
		plain.Columns[i].Default = nil
	}
	return registry.LayoutDigest(plain)
}

// take takes up to n chunks of so many rows, of the tables in turn, and cuts what is not cut.
func (r *Reader) take(ctx context.Context, tables []*looked, n, rows int) ([]*looked, error) {
	var expected int64
	taken := 0
	for more := true; more && taken < n; {
		more = false
		for _, t := range tables {
			if taken == n {
				break
			}
			c, ok, err := r.chunk(ctx, t, rows)
			if err != nil {
				r.giveBack(tables)
				return nil, err
			}
			if !ok {
				continue
			}
			expected += int64(c.Rows) * r.perRow[t.task.Table]
			if used := r.used.Load(); (taken > 0 || used > 0) && used+expected > r.config.MaxBytes {
				t.task.Progress.giveBack(c, false)
				n = taken
				break
			}
			t.parts = append(t.parts, &Part{Chunk: c, Version: t.version, Layout: Layout(t.version), progress: t.task.Progress})
			taken++
			more = true
		}
	}
	var out []*looked
	for _, t := range tables {
		if len(t.parts) > 0 {
			out = append(out, t)
		}
	}
	return out, nil
}

// chunk takes one chunk of a table.
func (r *Reader) chunk(ctx context.Context, t *looked, rows int) (Chunk, bool, error) {
	for {
		c, uncut, ok := t.task.Progress.take(rows)
		if ok || uncut == nil {
			return c, ok, nil
		}
		session, err := r.pool.get(ctx, 0, t.task.Container)
		if err != nil {
			return c, false, err
		}
		p := plan{session: session, container: t.task.Container, version: t.version, condition: t.task.Condition, segments: t.shape.Segments, least: r.config.LeastRows}
		if err := p.cut(ctx, t.task.Progress, *uncut); err != nil {
			return c, false, &failure{chunk: *uncut, task: t.task, planning: true, err: err}
		}
	}
}

// giveBack gives chunks back that were not read.
func (r *Reader) giveBack(tables []*looked) {
	for _, t := range tables {
		for _, p := range t.parts {
			t.task.Progress.giveBack(p.Chunk, false)
		}
	}
}
