package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// snapshotCommand is what somebody asks of snapshots. It goes to the emitter with the next group, so that the position has what became of
// it with what it says of the group: nothing that was asked for is lost at a kill, and nothing is done twice.
type snapshotCommand struct {
	kind snapshotOrder
	// id names the snapshot that is asked for: one of that name that is running or waits is not begun again.
	id     string
	tables []askedTable
}

// snapshotOrder says what is asked for.
type snapshotOrder uint8

// What may be asked for.
const (
	// readTables reads tables, once what is read now is done.
	readTables snapshotOrder = iota
	// stopReading takes tables out of what is read and of what waits; without any, everything.
	stopReading
	pauseReading
	resumeReading
)

// askedTable is a table that is asked for.
type askedTable struct {
	table schema.Table
	// condition is SQL that rows must meet besides what the configuration says, override a whole query in the table's place.
	condition, override string
	// byRowID: it is cut by ROWID, whatever its key.
	byRowID bool
}

// asked has a command go with the next group.
func (m *miner) asked(c snapshotCommand) {
	m.commands = append(m.commands, c)
	m.order.asked.Add(1)
}

// snapshotState is what is read as of the last group that was emitted; nil where nothing ever was. It is not changed.
func (m *miner) snapshotState() *position.Snapshot { return m.order.state.Load() }

// commanded does what a group's commands ask for.
func (e *emitter) commanded(commands []snapshotCommand) error {
	for i := range commands {
		c := &commands[i]
		var err error
		switch c.kind {
		case readTables:
			err = e.commandRead(c)
		case stopReading:
			err = e.commandStop(c)
		case pauseReading, resumeReading:
			e.commandPause(c.kind == pauseReading)
		}
		if err != nil {
			return err
		}
		e.order.asked.Add(-1) // the state says so now
	}
	return nil
}

func (e *emitter) commandRead(c *snapshotCommand) error {
	s := &position.Snapshot{ID: c.id, Run: e.config.Run, Kind: readIncremental, Status: position.SnapshotWaiting}
	names := make([]schema.Table, 0, len(c.tables))
	for _, t := range c.tables {
		if _, there := e.snapshots.roster.now(t.table); there && !slices.Contains(names, t.table) {
			names = append(names, t.table)
		}
	}
	for _, name := range e.config.Snapshot.ordered(names) {
		t := c.tables[slices.IndexFunc(c.tables, func(t askedTable) bool { return t.table == name })]
		listed := position.SnapshotTable{Table: name.String(), Condition: t.condition, Override: t.override}
		if t.byRowID {
			listed.By = string(snapshot.ByRowID)
		}
		s.Tables = append(s.Tables, listed)
	}
	if len(s.Tables) == 0 {
		return nil
	}
	now := e.running.Snapshot
	if now != nil && (now.ID == s.ID || slices.ContainsFunc(now.Queued, func(q position.Snapshot) bool { return q.ID == s.ID })) {
		return nil // it comes again after a restart
	}
	if !active(now) {
		s.Status, s.Whole = position.SnapshotRunning, e.config.Snapshot.whole(now)
		e.progressed(s)
		return e.resume()
	}
	next := *now
	next.Queued = append(slices.Clone(now.Queued), *s)
	e.progressed(&next)
	return nil
}

func (e *emitter) commandStop(c *snapshotCommand) error {
	now := e.running.Snapshot
	if !active(now) {
		return nil
	}
	stops := func(t position.SnapshotTable) bool {
		return len(c.tables) == 0 || slices.ContainsFunc(c.tables, func(a askedTable) bool { return a.table.String() == t.Table })
	}
	next := *now
	next.Queued = nil
	for _, q := range now.Queued {
		q.Tables = slices.DeleteFunc(slices.Clone(q.Tables), stops)
		if len(q.Tables) > 0 {
			next.Queued = append(next.Queued, q)
		}
	}
	named := e.snapshots.named()
	next.Tables = slices.DeleteFunc(slices.Clone(now.Tables), func(t position.SnapshotTable) bool {
		of, ok := named[t.Table]
		if !stops(t) {
			return false
		}
		if ok {
			e.snapshots.queue.Remove(of)
			delete(e.snapshots.readings, of)
			e.order.forget(of)
		}
		return true
	})
	e.progressed(&next)
	if len(next.Tables) > 0 {
		return nil
	}
	return e.ended(position.SnapshotAborted, snapshotAbortedEvent)
}

func (e *emitter) commandPause(pause bool) {
	now := e.running.Snapshot
	if !active(now) {
		return
	}
	next := *now
	if next.Status = position.SnapshotRunning; pause {
		next.Status = position.SnapshotPaused
		e.snapshots.queue.Pause()
	} else {
		e.snapshots.queue.Resume()
	}
	e.progressed(&next)
}

// active reports a snapshot of which something is left.
func active(s *position.Snapshot) bool {
	return s != nil && (s.Status == position.SnapshotRunning || s.Status == position.SnapshotPaused)
}
