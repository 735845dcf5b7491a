package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Kinds of snapshots besides the modes that begin one.
const (
	// readNewTables: tables that appeared and may hold rows. readBulkDDL: tables that a DDL changed without row events (R129).
	readNewTables = "new_tables"
	readBulkDDL   = "bulk_ddl"
	// readIncremental: what was asked for.
	readIncremental = "incremental"
)

// snapshots is what is read by query, and how far that came. It belongs to the emitter: what it says travels in positions like the events
// (R86). The queue alone is shared with the reader.
type snapshots struct {
	config *Config
	roster *roster
	queue  *snapshot.Queue
	// readings are the tables that were begun in this run, those that are done too: a late commit may begin them again (R83).
	readings map[schema.Table]*reading
	// begun is closed when there is something to read for the first time.
	begun   chan struct{}
	started bool
	// marked names the snapshot whose last record is out, marked as such; tried are the tables that were looked at for one to be marked.
	marked string
	tried  map[schema.Table]bool
}

// reading is a table that is read.
type reading struct {
	task  *snapshot.Task
	table schema.Table
	// rows were emitted in this run, since it was begun.
	rows  int64
	since time.Time
	// snapshot names the one that it belongs to.
	snapshot string
	// told is when its progress was told of last.
	told time.Time
}

func newSnapshots(c *Config, of *roster) *snapshots {
	return &snapshots{
		config: c, roster: of, queue: snapshot.NewQueue(), readings: map[schema.Table]*reading{},
		begun: make(chan struct{}), tried: map[schema.Table]bool{},
	}
}

// newSnapshot gives a snapshot of tables of which nothing is read yet, in the order of the configuration.
func newSnapshot(c *Config, kind string, tables []schema.Table) *position.Snapshot {
	s := &position.Snapshot{ID: rand.Text(), Run: c.Run, Kind: kind, Status: position.SnapshotRunning}
	for _, t := range c.Snapshot.ordered(tables) {
		s.Tables = append(s.Tables, position.SnapshotTable{Table: t.String()})
	}
	if len(s.Tables) == 0 {
		s.Status = position.SnapshotCompleted
	}
	return s
}

// ordered sorts tables by the patterns that go first, then by name.
func (c *SnapshotConfig) ordered(tables []schema.Table) []schema.Table {
	place := func(t schema.Table) int {
		for i, p := range c.Order {
			if p.Match(t) {
				return i
			}
		}
		return len(c.Order)
	}
	out := slices.Clone(tables)
	slices.SortFunc(out, func(a, b schema.Table) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.String(), b.String()))
	})
	return out
}

// progressed makes what is read, and how far it came, part of the position.
func (e *emitter) progressed(s *position.Snapshot) {
	e.running.Snapshot = s
	e.order.state.Store(s)
}

// named gives the captured tables by their names in positions.
func (s *snapshots) named() map[string]schema.Table {
	names := s.roster.names()
	out := make(map[string]schema.Table, len(names))
	for _, t := range names {
		out[t.String()] = t
	}
	return out
}

// resume goes on with what the position says is still to be read. Tables that are captured no more leave it.
func (e *emitter) resume() error {
	now := e.running.Snapshot
	if !active(now) {
		return nil
	}
	s := e.snapshots
	left := *now
	left.Tables = nil
	named := s.named()
	for _, t := range now.Tables {
		of, begun := named[t.Table]
		if begun {
			var err error
			if begun, err = e.read(of, t); err != nil {
				return err
			}
		}
		if !begun {
			e.config.Log.Warn("A table of the snapshot is captured no more", "table", t.Table)
			continue
		}
		left.Tables = append(left.Tables, t)
	}
	e.progressed(&left)
	if left.Status == position.SnapshotPaused {
		s.queue.Pause()
	}
	e.note(slog.LevelInfo, "A snapshot begins or goes on", snapshotStartedEvent, detail{"snapshot", left.ID}, detail{"kind", left.Kind},
		detail{"tables", strconv.Itoa(len(left.Tables))}, detail{"rows", strconv.FormatUint(left.Rows, 10)})
	return e.finish()
}

// read begins to read a table, or goes on where the position left it; false: it is captured no more, and nobody would ever be done with it.
func (e *emitter) read(t schema.Table, at position.SnapshotTable) (begun bool, err error) {
	s := e.snapshots
	v, ok := s.roster.now(t)
	if !ok {
		return false, nil
	}
	var from *snapshot.Frontier
	if at.Frontier != nil {
		from = new(snapshot.Frontier)
		if err := json.Unmarshal(at.Frontier, from); err != nil {
			return false, stop.Wrap(stop.Corrupt, err, t.String(), "the position does not say how far the snapshot of the table came")
		}
	}
	override, mode := cmp.Or(at.Override, s.config.Snapshot.Overrides.Of(t)), snapshot.Mode(at.By)
	if override != "" {
		mode = snapshot.Whole
	}
	progress, resumed := snapshot.NewProgress(v, mode, from, s.config.Snapshot.ChunkRows)
	if from != nil && !resumed {
		e.config.Log.Warn("The snapshot of a table begins anew: its key is another one", "table", t.String())
	}
	task := &snapshot.Task{
		Table: t, Container: s.roster.container(v), Progress: progress, Override: override,
		Condition: both(s.config.Snapshot.Conditions.Of(t), at.Condition), Asked: at.Condition != "" || at.Override != "",
	}
	s.readings[t] = &reading{task: task, table: t, since: e.config.Now(), told: e.config.Now(), snapshot: e.running.Snapshot.ID}
	s.queue.Add(task)
	if !s.started {
		s.started = true
		close(s.begun)
	}
	return true, nil
}

// both joins two conditions.
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return "(" + a + ") AND (" + b + ")"
}

// wanted takes tables that are to be read from now on, for a reason. They join the snapshot that is running.
func (e *emitter) wanted(kind string, tables []schema.Table) error {
	tables = slices.DeleteFunc(slices.Clone(tables), func(t schema.Table) bool { return !e.config.Selection.Included(t) })
	if len(tables) == 0 {
		return nil
	}
	now := e.running.Snapshot
	if !active(now) {
		fresh := newSnapshot(e.config, kind, tables)
		fresh.Whole = e.config.Snapshot.whole(now)
		e.progressed(fresh)
		return e.resume()
	}
	clear(e.snapshots.tried)
	next := *now
	next.Tables = slices.Clone(now.Tables)
	for _, t := range e.config.Snapshot.ordered(tables) {
		fresh := position.SnapshotTable{Table: t.String()}
		switch begun, err := e.read(t, fresh); {
		case err != nil:
			return err
		case !begun:
			continue
		}
		at := slices.IndexFunc(next.Tables, func(x position.SnapshotTable) bool { return x.Table == fresh.Table })
		if at < 0 {
			next.Tables = append(next.Tables, fresh)
			continue
		}
		next.Tables[at] = fresh // it begins anew
	}
	e.progressed(&next)
	return nil
}

// changed takes versions of tables that begin or end: one whose key is another one begins anew, one that is gone is left (R81).
func (e *emitter) changed(versions []*schema.Version) error {
	// Of a table that has another name now, the rows that were not read are read under that. It may be the name of one that has another
	// name now, too: tables swap their names.
	var renamed []schema.Table
	for _, v := range versions {
		if _, listed := e.running.Snapshot.Table(v.Table.String()); v.GoneFrom == 0 || !listed || e.snapshots.readings[v.Table] == nil {
			continue
		}
		if to := successor(v, versions); to != nil && !slices.Contains(renamed, to.Table) {
			renamed = append(renamed, to.Table)
		}
	}
	if err := e.wanted(readNewTables, renamed); err != nil {
		return err
	}
	for _, v := range versions {
		r := e.snapshots.readings[v.Table]
		if r == nil {
			continue
		}
		if slices.Contains(renamed, v.Table) { // it begins anew already
			e.order.forget(v.Table)
			continue
		}
		at, listed := e.running.Snapshot.Table(v.Table.String())
		switch {
		case v.GoneFrom > 0:
			if err := e.leave(v.Table, "the table is gone"); err != nil {
				return err
			}
		case listed && !r.task.Progress.Frontier().Fits(v):
			e.config.Log.Warn("The snapshot of a table begins anew: a DDL gave it another key", "table", v.Table.String())
			at.Frontier, at.Rows = nil, 0
			e.put(at)
			r.task.Progress.Restart(v)
			e.order.forget(v.Table)
		}
	}
	return nil
}

// successor finds the version that has the segments of one that ends.
func successor(of *schema.Version, among []*schema.Version) *schema.Version {
	for _, v := range among {
		if v.GoneFrom == 0 && v.Table != of.Table && shares(of, v) {
			return v
		}
	}
	return nil
}

// leave takes a table out of the snapshot.
func (e *emitter) leave(t schema.Table, why string) error {
	s := e.snapshots
	s.queue.Remove(t)
	delete(s.readings, t)
	e.order.forget(t)
	if _, listed := e.running.Snapshot.Table(t.String()); !listed {
		return nil
	}
	e.note(slog.LevelWarn, "The snapshot of a table ends before its time", snapshotAbortedEvent,
		detail{"snapshot", e.running.Snapshot.ID}, detail{"table", t.String()}, detail{"why", why})
	e.without(t)
	if s := e.running.Snapshot; active(s) && len(s.Tables) == 0 && s.Rows == 0 {
		return e.ended(position.SnapshotAborted, snapshotAbortedEvent)
	}
	return e.finish()
}

// put writes what the position says of a table; one that is not there is added.
func (e *emitter) put(t position.SnapshotTable) {
	next := *e.running.Snapshot
	next.Tables = slices.Clone(next.Tables)
	at := slices.IndexFunc(next.Tables, func(x position.SnapshotTable) bool { return x.Table == t.Table })
	if at < 0 {
		next.Tables = append(next.Tables, t)
	} else {
		next.Tables[at] = t
	}
	e.progressed(&next)
}

// without takes a table out of what the position says is still to be read.
func (e *emitter) without(t schema.Table) {
	next := *e.running.Snapshot
	next.Tables = slices.DeleteFunc(slices.Clone(next.Tables), func(x position.SnapshotTable) bool { return x.Table == t.String() })
	e.progressed(&next)
}

// again queues what an item put older rows over, in front of that item's position (R83).
func (e *emitter) again(late []snapshot.Late) {
	for _, l := range late {
		r := e.snapshots.readings[l.Table]
		if r == nil {
			continue
		}
		v, ok := e.snapshots.roster.now(l.Table)
		if !ok {
			continue
		}
		if v.Key.Origin == schema.KeyNone {
			e.config.Log.Warn("A commit reached the redo after rows that are newer were read; the table has no key, so that reading them again would not help",
				"table", l.Table.String())
			continue
		}
		e.config.Log.Warn("A commit reached the redo after rows that are newer were read; they are read again", "table", l.Table.String())
		r.task.Progress.Again(l.Table, l.Range, l.Mode)
		e.reopen(r)
	}
	if len(late) > 0 {
		e.snapshots.queue.Wake()
	}
}

// reopen writes how far a table came, although it may have been done.
func (e *emitter) reopen(r *reading) {
	at, _ := e.running.Snapshot.Table(r.table.String())
	at.Table = r.table.String()
	at.Frontier = frontierOf(r.task.Progress.Frontier())
	if !active(e.running.Snapshot) {
		next := *e.running.Snapshot
		next.Status = position.SnapshotRunning
		e.progressed(&next)
	}
	e.put(at)
}

func frontierOf(f *snapshot.Frontier) json.RawMessage {
	raw, _ := json.Marshal(f) // texts and numbers always have a form
	return raw
}

// finish ends the snapshot when nothing of it is left, and begins the one that waits for it.
func (e *emitter) finish() error {
	now := e.running.Snapshot
	if !active(now) || len(now.Tables) > 0 {
		return nil
	}
	if more, err := e.closing(); more || err != nil {
		return err
	}
	return e.ended(position.SnapshotCompleted, snapshotCompletedEvent)
}

// ended ends the running snapshot in one way or the other.
func (e *emitter) ended(status position.SnapshotStatus, kind opsType) error {
	now := e.running.Snapshot
	next := *now
	next.Status, next.Tables, next.Queued = status, nil, nil
	e.note(slog.LevelInfo, "A snapshot ended", kind, detail{"snapshot", now.ID}, detail{"kind", now.Kind}, detail{"rows", strconv.FormatUint(now.Rows, 10)})
	e.lookup.Rest()
	if len(now.Queued) == 0 {
		e.progressed(&next)
		e.snapshots.queue.Resume() // what is begun from here on was never paused
		return nil
	}
	done := next
	next = now.Queued[0]
	next.Whole = e.config.Snapshot.whole(&done)
	// A pause holds what waits, too.
	next.Run, next.Status, next.Queued = e.config.Run, now.Status, slices.Clone(now.Queued[1:])
	e.progressed(&next)
	return e.resume()
}

// ErrComplete ends a run whose tables were to be read only, once everything is handed over.
var ErrComplete = errors.New("the snapshot is complete, and nothing else was asked for")

// complete reports that capture has done what it was begun for: it was to read the tables only.
func (e *emitter) complete() bool {
	return e.config.Snapshot.Mode == SnapshotOnly && e.running.Snapshot != nil && !active(e.running.Snapshot)
}

// leaveOff hands over the last position of a run that is complete.
func (e *emitter) leaveOff(ctx context.Context) error {
	if e.batch != nil {
		e.mark()
		if err := e.flush(ctx); err != nil {
			return err
		}
	}
	if err := e.bare(ctx, e.intake.frontier); err != nil {
		return err
	}
	return ErrComplete
}
