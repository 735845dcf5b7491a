package logminer

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

const (
	batchRows = 1000
	// batches circulate: one is filled, one waits, one is handled.
	batches = 3
)

// fetch is the goroutine of one step: it runs the statements and fetches ahead of the consumer.
type fetch struct {
	database database
	request  Request
	scanner  *scanner
	joiner   joiner
	checker  *checker

	full chan []Row
	free chan []Row
	// calls and returned count progress, for the watch over silence.
	calls, returned atomic.Int64
	// err is set before full is closed.
	err error
}

func newFetch(db database, r Request) *fetch {
	f := &fetch{
		database: db, request: r, scanner: newScanner(), checker: newChecker(r),
		full: make(chan []Row, 1), free: make(chan []Row, batches),
	}
	for range batches {
		f.free <- make([]Row, 0, batchRows)
	}
	return f
}

func (f *fetch) progress() int64 { return f.calls.Load() + f.returned.Load() }

// run mines the step. It closes full as its last act.
func (f *fetch) run(ctx context.Context) {
	defer close(f.full)
	f.err = f.mine(ctx)
}

func (f *fetch) mine(ctx context.Context) error {
	text, args, err := query(f.request.Filter, f.request.Net.region(f.request.Plan.From), f.request.Plan.Bound)
	if err != nil {
		return stop.Wrap(stop.Corrupt, err, "", "the position cannot be searched for in the redo")
	}
	for i, l := range f.request.Plan.Logs {
		add := addFile
		if i == 0 {
			add = newFile
		}
		if err := f.exec(ctx, add, l.Name); err != nil {
			return err
		}
	}
	begin := start
	if f.request.Replay {
		begin = startReplay
	}
	if err := f.exec(ctx, begin, uint64(f.request.Plan.StartSCN), uint64(f.request.Plan.EndSCN)); err != nil {
		return err
	}
	if err := f.read(ctx, text, args); err != nil {
		return err
	}
	if err := f.exec(ctx, end); err != nil {
		if class, _ := oracle.Classify(err); class != oracle.Ignore {
			return err
		}
	}
	return f.database.Check(ctx)
}

func (f *fetch) exec(ctx context.Context, st oracle.Statement, args ...any) error {
	f.calls.Add(1)
	return f.database.Exec(ctx, st, args...)
}

// read reads the query to its normal end, which alone counts: there is no other sign that the range was read (R3).
func (f *fetch) read(ctx context.Context, st oracle.Statement, args []any) (err error) {
	rows, err := f.database.Query(ctx, st, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	batch := <-f.free
	var r raw
	for rows.Next() {
		if err := rows.Scan(f.scanner.dest...); err != nil {
			return err
		}
		if err := f.scanner.row(&r); err != nil {
			return stop.Wrap(stop.Corrupt, err, "V$LOGMNR_CONTENTS", "a row that cannot be read")
		}
		f.returned.Add(1)
		deliver, err := f.accept(&r)
		if err != nil {
			return err
		}
		if !deliver {
			continue
		}
		batch = append(batch, r.Row)
		if len(batch) == cap(batch) {
			if batch, err = f.hand(ctx, batch); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := f.joiner.end(); err != nil {
		return err
	}
	if len(batch) > 0 {
		_, err = f.hand(ctx, batch)
	}
	return err
}

// accept joins and judges a row.
func (f *fetch) accept(r *raw) (bool, error) {
	complete, err := f.joiner.add(r)
	if err != nil || !complete {
		return false, err
	}
	return f.checker.row(&r.Row)
}

// hand gives a batch to the consumer and takes a free one.
func (f *fetch) hand(ctx context.Context, batch []Row) ([]Row, error) {
	select {
	case f.full <- batch:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case next := <-f.free:
		return next, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
