package engine

import (
	"log/slog"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// wantedTable is a table that is to be read, and why.
type wantedTable struct {
	table schema.Table
	why   string
}

// readings takes what a group says of tables that are read: versions that begin or end, and tables to be read from here on. The position
// has them before it has anything of the group.
func (e *emitter) readings(g *group) error {
	if err := e.changed(g.versions); err != nil {
		return err
	}
	if len(g.versions) > 0 {
		e.snapshots.queue.Wake()
	}
	for _, why := range [...]string{readNewTables, readBulkDDL} {
		var tables []schema.Table
		for _, w := range g.reads {
			if _, there := e.snapshots.roster.now(w.table); there && w.why == why && !slices.Contains(tables, w.table) {
				tables = append(tables, w.table)
			}
		}
		if err := e.wanted(why, tables); err != nil {
			return err
		}
	}
	return e.commanded(g.commands)
}

// begins gives the snapshot that a start from a position, or a first start without one, begins or goes on with.
func (m *miner) begins(from *position.Position, tables []*schema.Version) *position.Snapshot {
	mode := m.config.Snapshot.Mode
	var stored *position.Snapshot
	if from != nil {
		stored = from.Snapshot
	}
	fresh := false
	switch mode {
	case SnapshotInitial, SnapshotWhenNeeded:
		fresh = from == nil
	case SnapshotOnly:
		// What was asked for, or came with a DDL, is not all that the mode promises to read.
		fresh = stored == nil || m.config.Snapshot.whole(stored) == "" && !(active(stored) && m.config.Snapshot.begunBy(stored.Kind))
	case SnapshotAlways:
		fresh = stored == nil || stored.Run != m.config.Run
	case SnapshotOnSignal, SnapshotNone:
	}
	if fresh {
		var names []schema.Table
		for _, v := range tables {
			if m.config.Selection.Included(v.Table) { // the signal table has no records
				names = append(names, v.Table)
			}
		}
		s := newSnapshot(m.config, string(mode), names)
		if stored != nil {
			s.Queued, s.Whole = stored.Queued, m.config.Snapshot.whole(stored)
		}
		if active(stored) && stored.Kind == readIncremental { // somebody asked for it: it goes on behind
			left := *stored
			left.Status, left.Queued = position.SnapshotWaiting, nil
			s.Queued = slices.Concat([]position.Snapshot{left}, stored.Queued)
		}
		if active(stored) && active(s) {
			s.Status = stored.Status // a pause is one behind a restart, too
		}
		return s
	}
	m.unread(from, stored)
	if (mode == SnapshotNone || mode == SnapshotOnSignal) && active(stored) && m.config.Snapshot.begunBy(stored.Kind) {
		m.config.Log.Warn("The snapshot that was running is given up, since snapshot.mode is another one now", "snapshot.mode", string(mode), "rows", stored.Rows, "tables_left", len(stored.Tables))
		if len(stored.Queued) > 0 { // what was asked for is no matter of the mode
			next := stored.Queued[0]
			next.Run, next.Status, next.Queued, next.Whole = m.config.Run, stored.Status, stored.Queued[1:], stored.Whole
			return &next
		}
		given := *stored
		given.Status, given.Tables = position.SnapshotAborted, nil
		return &given
	}
	return stored
}

// unread says of a start from a position that the mode reads nothing of what is there already, where somebody may expect that it does.
func (m *miner) unread(from *position.Position, stored *position.Snapshot) {
	mode := m.config.Snapshot.Mode
	switch {
	case from == nil:
	case mode == SnapshotOnly && !active(stored):
		m.config.Log.Info("The snapshot was complete before this start: nothing is left to read, and capture ends. snapshot.mode: always reads at every start",
			"kind", m.config.Snapshot.whole(stored))
	case mode != SnapshotInitial && mode != SnapshotWhenNeeded:
	case stored == nil:
		m.config.Log.Warn("Rows from before the first start of capture are not read: it began without a snapshot, and snapshot.mode reads at the first start only. "+
			"A signal execute-snapshot reads them, or snapshot.mode: always", "snapshot.mode", string(mode))
	case !active(stored) && m.config.Snapshot.whole(stored) == "":
		m.config.Log.Warn("Rows from before the first start of capture may be missing: no snapshot of all tables was complete, and snapshot.mode reads at the first start only. "+
			"A signal execute-snapshot reads them, or snapshot.mode: always", "snapshot.mode", string(mode), "last", stored.Kind)
	}
}

// whole is the kind of the last snapshot that read all captured tables to its end, as of a snapshot; empty: none did.
func (c *SnapshotConfig) whole(as *position.Snapshot) string {
	switch {
	case as == nil:
		return ""
	case as.Status == position.SnapshotCompleted && c.begunBy(as.Kind):
		return as.Kind
	}
	return as.Whole
}

// begunBy reports whether a mode of the configuration begins snapshots of a kind.
func (c *SnapshotConfig) begunBy(kind string) bool {
	switch SnapshotMode(kind) {
	case SnapshotInitial, SnapshotOnly, SnapshotAlways, SnapshotWhenNeeded:
		return true
	default:
		return false
	}
}

// appeared notes a table that was captured for the first time, where its DDL may have given it rows that the redo does not have: rows of
// its own SELECT, or of the table that it was under another name.
func (m *miner) appeared(v *schema.Version, shaping []committedDDL) {
	if !m.config.Snapshot.NewTables || !slices.ContainsFunc(shaping, func(d committedDDL) bool {
		switch d.what.Class {
		case definition.RenameTable, definition.UndropTable:
			return true
		default:
			return d.what.Has(definition.Filled) || d.exchanges()
		}
	}) {
		return
	}
	m.reads = append(m.reads, wantedTable{v.Table, readNewTables})
}

// joined takes a table into a capture that ran without it: what committed before is read, unless nothing is to be.
func (m *miner) joined(t schema.Table, from position.SCN) {
	told := []detail{{"table", t.String()}, {"from_scn", from.String()}}
	if m.config.Snapshot.joining() {
		m.reads = append(m.reads, wantedTable{t, readNewTables})
		m.note(slog.LevelInfo, "A table joins a capture that ran without it, and is read", tableAddedEvent, told...)
		return
	}
	m.note(slog.LevelWarn, "A table joins a capture that ran without it: what committed before is not delivered", tableAddedEvent, told...)
}

// joining reports whether tables that join a capture that ran without them are read.
func (c *SnapshotConfig) joining() bool { return c.NewTables && c.Mode != SnapshotNone && c.Mode != "" }

// half reads tables whose first version was stored and whose group was not acknowledged: how they came is not told again, and they may
// have had rows. Those that joined at a start began where the position was: it knows no version of them.
func (m *miner) half(from *position.Position, t *tables, stored *registry.Registry) {
	for _, v := range t.versions() {
		record, ok := stored.Record(v.Table)
		if !ok {
			continue
		}
		began := position.SCN(record.Versions()[0].ValidFrom)
		_, known := from.Versions[v.Table.String()]
		joined := len(from.Versions) > 0 && !known && (from.FirstStart == nil || began > from.FirstStart.Q)
		if joined {
			m.entrants.enter(v.Table, from.Resume.SCN)
		}
		if !m.config.Snapshot.NewTables || began <= from.Done.SCN && !(joined && m.config.Snapshot.joining()) {
			continue
		}
		if _, listed := from.Snapshot.Table(v.Table.String()); !listed {
			m.reads = append(m.reads, wantedTable{v.Table, readNewTables})
		}
	}
}

// readers is what those who read tables need.
func (m *miner) readers(e *emitter) *snapshot.Config {
	c := m.config
	database := c.Oracle
	database.FetchRows = c.Snapshot.FetchRows
	return &snapshot.Config{
		Oracle: database, Database: m.facts,
		Threads: c.Snapshot.Threads, Tables: c.Snapshot.Tables, LeastRows: min(leastChunk, c.Snapshot.ChunkRows),
		MaxPending: c.Snapshot.MaxPending, MaxBytes: c.Memory / 2,
		MaxHold: c.Snapshot.MaxHold, MaxLag: c.maxLag(), Retries: c.Snapshot.Retries,
		RetryWait: c.Retry.InitialInterval, RetryMaxWait: c.Retry.MaxInterval, RetryTime: c.Retry.MaxTime, Settle: settle,
		Versions: m.roster.now, Held: m.roster.holds, Ordering: m.order, Queue: e.snapshots.queue,
		Waiting: func(why string) {
			if why != "" {
				c.Log.Info("The snapshot waits", "why", why)
			}
		},
		Refused: m.order.refuse,
		GaveUp: func(chunk snapshot.Chunk, why string) {
			c.Log.Warn("Rows that were read are given up and read again", "table", chunk.Table.String(), "why", why)
		},
		Log: c.Log, Now: c.Now,
	}
}

// reader makes what reads tables, beside mining and emission. Its rows count against the memory of transactions while items wait (fit). Where
// none do, mining does not wait for them: a batch goes out only when mining gets on.
func (m *miner) reader(c *snapshot.Config) *snapshot.Reader {
	r := snapshot.NewReader(c)
	used := r.Used
	m.order.used.Store(&used)
	return r
}
