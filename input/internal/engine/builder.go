package engine

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Builds says when copies of the dictionary are written into the redo, which a later replay needs (R45). They are the one thing that
// is written to the source.
type Builds struct {
	// Interval is the time between two; 0: none is written.
	Interval time.Duration
	// At is the time of day of the first, by the server's wall clock.
	At time.Duration
}

const day = 24 * time.Hour

// next gives the next due time behind a moment: the time of day, and every interval behind that until it comes again. An interval above
// a day counts from the build before; last is zero without one.
func (b Builds) next(after, last time.Time) time.Time {
	first := time.Date(after.Year(), after.Month(), after.Day(), 0, 0, 0, 0, after.Location()).Add(b.At)
	if first.After(after) {
		first = first.Add(-day)
	}
	if b.Interval > day && !last.IsZero() {
		due := last.Add(b.Interval)
		for !due.After(after) {
			due = due.Add(b.Interval)
		}
		return due
	}
	due := first.Add(after.Sub(first).Truncate(b.Interval) + b.Interval)
	if tomorrow := first.Add(day); due.After(tomorrow) {
		due = tomorrow
	}
	return due
}

// dictionaryWriter is what the builder asks of the database.
type dictionaryWriter interface {
	// look says whether copies may be written, and whether the redo has one that a replay can begin with; offset is what the server's
	// wall clock is ahead of UTC.
	look(ctx context.Context) (may, built bool, offset time.Duration, err error)
	build(ctx context.Context) error
}

// builder writes copies of the dictionary into the redo, beside the capture and on sessions of its own.
type builder struct {
	config *Config
	writer dictionaryWriter
	// events takes what is to be told, as far as it has room; what does not fit is logged all the same.
	events chan opsEvent
	// asked has a place for a wish that one is written now.
	asked chan struct{}
	// off: none are written any more.
	off atomic.Bool
}

func newBuilder(c *Config, w dictionaryWriter) *builder {
	return &builder{config: c, writer: w, events: make(chan opsEvent, 8), asked: make(chan struct{}, 1)}
}

// buildRetry is the time after a build, or a look, that failed.
const buildRetry = 15 * time.Minute

// grantBuild is what a user without the privilege is told to be given.
const grantBuild = "GRANT EXECUTE ON SYS.DBMS_LOGMNR_D TO <capture user> CONTAINER = ALL, then restart; or set dictionary.build_interval: 0s"

// run writes copies until ctx ends. Nothing that fails here stops capture: without a copy rows that need one do (CDC-6001).
func (b *builder) run(ctx context.Context) error {
	// last is the planned time before the next one, planned; due is that, or earlier where a build failed.
	var last, planned, due time.Time
	for {
		may, built, offset, err := b.writer.look(ctx)
		now := b.config.Now().UTC()
		wall := now.Add(offset)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			b.config.Log.Warn("It cannot be seen whether copies of the dictionary may be written into the redo; this is tried again", "cause", err.Error())
			if err := sleep(ctx, buildRetry); err != nil {
				return err
			}
			continue
		case !may:
			b.off.Store(true)
			b.tell(slog.LevelWarn, "No copies of the dictionary are written into the redo", detail{"result", "off"}, detail{"why", "the capture user lacks EXECUTE on SYS.DBMS_LOGMNR_D"}, detail{"do", grantBuild})
			return nil
		case due.IsZero() && built:
			planned = b.config.Builds.next(wall, last)
			due = planned
		case due.IsZero() || !due.After(wall):
			if !due.IsZero() && !planned.After(wall) {
				last = planned
			}
			planned = b.config.Builds.next(wall, last)
			due = planned
			if again := wall.Add(buildRetry); !b.make(ctx) && again.Before(due) {
				due = again
			}
		}
		if err := b.until(ctx, due.Sub(b.config.Now().UTC().Add(offset))); err != nil {
			return err
		}
	}
}

// until waits, and writes what is asked for meanwhile.
func (b *builder) until(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return nil
		case <-b.asked:
			b.make(ctx)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ask has a copy written now; false: none are written, or one is asked for already.
func (b *builder) ask() bool {
	if b.off.Load() {
		return false
	}
	select {
	case b.asked <- struct{}{}:
		return true
	default:
		return false
	}
}

// make writes one copy, and reports whether it is there.
func (b *builder) make(ctx context.Context) bool {
	began := b.config.Now()
	err := b.writer.build(ctx)
	took := b.config.Now().Sub(began).Round(time.Millisecond).String()
	switch {
	case ctx.Err() != nil:
		return false
	case err != nil:
		_, typed := oracle.Classify(err)
		b.tell(slog.LevelWarn, "A copy of the dictionary could not be written into the redo; this is tried again",
			detail{"result", "failed"}, detail{"why", typed.What}, detail{"cause", strings.Join(strings.Fields(err.Error()), " ")}, detail{"code", typed.Runbook()})
		return false
	}
	b.tell(slog.LevelInfo, "A copy of the dictionary was written into the redo", detail{"result", "done"}, detail{"took", took})
	return true
}

func (b *builder) tell(level slog.Level, words string, details ...detail) {
	select {
	case b.events <- opsEvent{dictionaryBuildEvent, details, words, level}.said(b.config.Log):
	default:
	}
}

// heard takes what the builder has to tell.
func (m *miner) heard() {
	if m.builder == nil {
		return
	}
	for {
		select {
		case ev := <-m.builder.events:
			m.ops = append(m.ops, ev)
		default:
			return
		}
	}
}

// oracleWriter opens a session for every call: they are hours apart.
type oracleWriter struct{ config *Config }

func (w oracleWriter) session(ctx context.Context, use func(*oracle.Session) error) error {
	session, err := oracle.Connect(ctx, w.config.Oracle, oracle.Building)
	if err != nil {
		return err
	}
	err = use(session)
	_ = session.Close() // what was done is done, whatever the log-off says
	return err
}

func (w oracleWriter) look(ctx context.Context) (may, built bool, offset time.Duration, err error) {
	err = w.session(ctx, func(s *oracle.Session) (err error) {
		if may, err = oracle.MayBuild(ctx, s); err != nil || !may {
			return err
		}
		if offset, err = oracle.ServerOffset(ctx, s); err != nil {
			return err
		}
		facts, err := oracle.ReadDatabase(ctx, s)
		if err != nil {
			return err
		}
		if err := facts.Check(); err != nil { // a standby, or inside a pluggable database
			return err
		}
		inventory, err := redolog.Read(ctx, s, facts.ResetlogsSCN, 0)
		built = err == nil && inventory.Built()
		return err
	})
	return may, built, offset, err
}

func (w oracleWriter) build(ctx context.Context) error {
	err := w.session(ctx, func(s *oracle.Session) error { return oracle.BuildDictionary(ctx, s) })
	if fault, ok := stop.As(err); ok && fault.Code == stop.Privilege && ctx.Err() == nil {
		return fault.Doing(grantBuild)
	}
	return err
}
