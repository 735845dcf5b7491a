package engine

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// What a start makes of the snapshot of the position: no mode loses what was asked for, or takes it for a snapshot of its own.
func TestWhatAStartMakesOfTheStoredSnapshot(t *testing.T) {
	asked := func(id string, status position.SnapshotStatus) position.Snapshot {
		return position.Snapshot{ID: id, Run: "before", Kind: readIncremental, Status: status, Tables: []position.SnapshotTable{{Table: "PDB1.APP.A"}}}
	}
	stored := func(kind string, status position.SnapshotStatus, queued ...position.Snapshot) *position.Snapshot {
		s := &position.Snapshot{ID: "stored", Run: "before", Kind: kind, Status: status, Queued: queued}
		if active(s) {
			s.Tables = []position.SnapshotTable{{Table: "PDB1.APP.B"}}
		}
		return s
	}
	whole := func(s *position.Snapshot, by SnapshotMode) *position.Snapshot {
		s.Whole = string(by)
		return s
	}
	const said, silent = true, false
	for name, c := range map[string]struct {
		mode   SnapshotMode
		stored *position.Snapshot
		want   string
		log    bool
	}{
		"always, behind one that was asked for and is complete": {SnapshotAlways, stored(readIncremental, position.SnapshotCompleted), "always running", silent},
		"always, while one that was asked for runs": {
			SnapshotAlways, stored(readIncremental, position.SnapshotRunning, asked("q", position.SnapshotWaiting)), "always running, stored waiting, q waiting", silent,
		},
		"always, while its own is paused": {
			SnapshotAlways, stored(string(SnapshotAlways), position.SnapshotPaused, asked("q", position.SnapshotWaiting)), "always paused, q waiting", silent,
		},
		"always, without any before":            {SnapshotAlways, nil, "always running", silent},
		"always, behind the initial one":        {SnapshotAlways, stored(string(SnapshotInitial), position.SnapshotCompleted), "always running", silent},
		"always, while the initial one runs":    {SnapshotAlways, stored(string(SnapshotInitial), position.SnapshotRunning), "always running", silent},
		"always, in the run that it began in":   {SnapshotAlways, &position.Snapshot{ID: "stored", Run: "now", Kind: string(SnapshotAlways), Status: position.SnapshotCompleted}, "always completed", silent},
		"initial, behind a first start without": {SnapshotInitial, nil, "", said},
		"initial, behind its own":               {SnapshotInitial, stored(string(SnapshotInitial), position.SnapshotCompleted), "initial completed", silent},
		"initial, while its own runs":           {SnapshotInitial, stored(string(SnapshotInitial), position.SnapshotRunning), "initial running", silent},
		"initial, while its own is paused":      {SnapshotInitial, stored(string(SnapshotInitial), position.SnapshotPaused), "initial paused", silent},
		"initial, behind its own that was given up": {
			SnapshotInitial, stored(string(SnapshotInitial), position.SnapshotAborted), "initial aborted", said,
		},
		"initial, behind one that was asked for":     {SnapshotInitial, stored(readIncremental, position.SnapshotCompleted), "incremental completed", said},
		"initial, behind one asked for and given up": {SnapshotInitial, stored(readIncremental, position.SnapshotAborted), "incremental aborted", said},
		"initial, behind one that was asked for after its own": {
			SnapshotInitial, whole(stored(readIncremental, position.SnapshotAborted), SnapshotInitial), "incremental aborted", silent,
		},
		"snapshot_only, behind one that was asked for after the initial one": {
			SnapshotOnly, whole(stored(readIncremental, position.SnapshotCompleted), SnapshotInitial), "incremental completed", said,
		},
		"snapshot_only, while one that was asked for after the initial one runs": {
			SnapshotOnly, whole(stored(readIncremental, position.SnapshotRunning), SnapshotInitial), "incremental running", silent,
		},
		"initial, while snapshot_only runs":         {SnapshotInitial, stored(string(SnapshotOnly), position.SnapshotRunning), "snapshot_only running", silent},
		"initial, behind snapshot_only":             {SnapshotInitial, stored(string(SnapshotOnly), position.SnapshotCompleted), "snapshot_only completed", silent},
		"when_needed, behind a first start without": {SnapshotWhenNeeded, nil, "", said},
		"when_needed, while the initial one runs":   {SnapshotWhenNeeded, stored(string(SnapshotInitial), position.SnapshotRunning), "initial running", silent},
		"none, without any before":                  {SnapshotNone, nil, "", silent},
		"none, while one waits behind the initial one": {
			SnapshotNone, stored(string(SnapshotInitial), position.SnapshotRunning, asked("q", position.SnapshotWaiting)), "incremental running", said,
		},
		"none, while an initial one runs":         {SnapshotNone, stored(string(SnapshotInitial), position.SnapshotRunning), "initial aborted", said},
		"none, while one that was asked for runs": {SnapshotNone, stored(readIncremental, position.SnapshotRunning), "incremental running", silent},
		"none, while a new table is read":         {SnapshotNone, stored(readNewTables, position.SnapshotRunning), "new_tables running", silent},
		"on_signal, without any before":           {SnapshotOnSignal, nil, "", silent},
		"on_signal, while an initial one runs":    {SnapshotOnSignal, stored(string(SnapshotInitial), position.SnapshotRunning), "initial aborted", said},
		"on_signal, while always is paused": {
			SnapshotOnSignal, stored(string(SnapshotAlways), position.SnapshotPaused, asked("q", position.SnapshotWaiting)), "incremental paused", said,
		},
		"on_signal, while one that was asked for runs": {SnapshotOnSignal, stored(readIncremental, position.SnapshotRunning), "incremental running", silent},
		"snapshot_only, behind one that was given up": {
			SnapshotOnly, stored(string(SnapshotInitial), position.SnapshotAborted), "snapshot_only running", silent,
		},
		"snapshot_only, complete":                      {SnapshotOnly, stored(string(SnapshotOnly), position.SnapshotCompleted), "snapshot_only completed", said},
		"snapshot_only, behind the initial one":        {SnapshotOnly, stored(string(SnapshotInitial), position.SnapshotCompleted), "initial completed", said},
		"snapshot_only, while the initial one runs":    {SnapshotOnly, stored(string(SnapshotInitial), position.SnapshotRunning), "initial running", silent},
		"snapshot_only, while its own is paused":       {SnapshotOnly, stored(string(SnapshotOnly), position.SnapshotPaused), "snapshot_only paused", silent},
		"snapshot_only, behind a first start without":  {SnapshotOnly, nil, "snapshot_only running", silent},
		"snapshot_only, behind one that was asked for": {SnapshotOnly, stored(readIncremental, position.SnapshotCompleted), "snapshot_only running", silent},
		"snapshot_only, behind a new table":            {SnapshotOnly, stored(readNewTables, position.SnapshotCompleted), "snapshot_only running", silent},
		"snapshot_only, while a new table is read":     {SnapshotOnly, stored(readNewTables, position.SnapshotRunning), "snapshot_only running", silent},
		"snapshot_only, while one that was asked for runs": {
			SnapshotOnly, stored(readIncremental, position.SnapshotRunning, asked("q", position.SnapshotWaiting)), "snapshot_only running, stored waiting, q waiting", silent,
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig(t)
			config.Snapshot.Mode, config.Run = c.mode, "now"
			var log bytes.Buffer
			config.Log = slog.New(slog.NewTextHandler(&log, nil))
			m := &miner{config: config}
			tables := []*schema.Version{{Table: schema.Table{PDB: "PDB1", Owner: "APP", Name: "A"}}}
			s := m.begins(&position.Position{Snapshot: c.stored}, tables)
			var got []string
			if s != nil {
				got = append(got, s.Kind+" "+string(s.Status))
				for _, q := range s.Queued {
					got = append(got, q.ID+" "+string(q.Status))
				}
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("it makes %q, want %q", strings.Join(got, ", "), c.want)
			}
			if active(s) && len(s.Tables) == 0 {
				t.Error("it has no table")
			}
			if said := log.Len() > 0; said != c.log {
				t.Errorf("the log says %q", log.String())
			}
		})
	}
}

// A pause ends with what was paused, holds what waits behind it, and a mode that only reads tables ends with a stop.
func TestPauseAndStop(t *testing.T) {
	v := wide()
	e := newEmission(t, v).emitter
	e.config.Run, e.peers.Ops = "now", false
	e.snapshots.roster.versions[v.Table] = []*schema.Version{v}
	of := []askedTable{{table: v.Table}}
	order := func(c snapshotCommand) {
		t.Helper()
		if err := e.commanded([]snapshotCommand{c}); err != nil {
			t.Fatal(err)
		}
	}
	order(snapshotCommand{kind: readTables, id: "1", tables: of})
	order(snapshotCommand{kind: readTables, id: "2", tables: of})
	order(snapshotCommand{kind: pauseReading})
	if err := e.leave(v.Table, "a test"); err != nil {
		t.Fatal(err)
	}
	if now := e.running.Snapshot; now.ID != "2" || now.Status != position.SnapshotPaused || !e.snapshots.queue.Paused() {
		t.Fatalf("behind a paused one: %+v", now)
	}
	e.config.Snapshot.Mode = SnapshotOnly
	if e.complete() {
		t.Error("what is paused is complete")
	}
	order(snapshotCommand{kind: stopReading})
	if now := e.running.Snapshot; now.Status != position.SnapshotAborted || e.snapshots.queue.Paused() || !e.complete() {
		t.Fatalf("behind a stop: %+v", now)
	}
	order(snapshotCommand{kind: readTables, id: "3", tables: of})
	if now := e.running.Snapshot; now.ID != "3" || now.Status != position.SnapshotRunning || e.snapshots.queue.Paused() {
		t.Fatalf("what was asked for then: %+v", now)
	}
}

// That all tables were read is known behind what is asked for later, and a request does not count as that.
func TestSnapshotOfAllTablesIsRememberedBehindRequests(t *testing.T) {
	v := wide()
	e := newEmission(t, v).emitter
	e.config.Run, e.peers.Ops = "now", false
	e.snapshots.roster.versions[v.Table] = []*schema.Version{v}
	ask := func(id string) {
		t.Helper()
		if err := e.commanded([]snapshotCommand{{kind: readTables, id: id, tables: []askedTable{{table: v.Table}}}}); err != nil {
			t.Fatal(err)
		}
	}
	end := func(status position.SnapshotStatus, want string) {
		t.Helper()
		if err := e.ended(status, snapshotCompletedEvent); err != nil {
			t.Fatal(err)
		}
		if now := e.running.Snapshot; e.config.Snapshot.whole(now) != want {
			t.Fatalf("a snapshot of all tables is %q, want %q: %+v", e.config.Snapshot.whole(now), want, now)
		}
	}
	ask("1")
	end(position.SnapshotCompleted, "")
	e.progressed(newSnapshot(e.config, string(SnapshotInitial), []schema.Table{v.Table}))
	ask("2")
	end(position.SnapshotCompleted, "initial")
	ask("3")
	end(position.SnapshotCompleted, "initial")
	end(position.SnapshotAborted, "initial")
	ask("4")
	end(position.SnapshotAborted, "initial")
	e.progressed(newSnapshot(e.config, string(SnapshotAlways), []schema.Table{v.Table}))
	end(position.SnapshotAborted, "")
}
