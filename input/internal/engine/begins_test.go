package engine

import (
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
	for name, c := range map[string]struct {
		mode   SnapshotMode
		stored *position.Snapshot
		want   string
	}{
		"always, behind one that was asked for and is complete": {SnapshotAlways, stored(readIncremental, position.SnapshotCompleted), "always running"},
		"always, while one that was asked for runs": {
			SnapshotAlways, stored(readIncremental, position.SnapshotRunning, asked("q", position.SnapshotWaiting)), "always running, stored waiting, q waiting",
		},
		"always, while its own is paused": {
			SnapshotAlways, stored(string(SnapshotAlways), position.SnapshotPaused, asked("q", position.SnapshotWaiting)), "always paused, q waiting",
		},
		"none, while one waits behind the initial one": {
			SnapshotNone, stored(string(SnapshotInitial), position.SnapshotRunning, asked("q", position.SnapshotWaiting)), "incremental running",
		},
		"none, while an initial one runs":         {SnapshotNone, stored(string(SnapshotInitial), position.SnapshotRunning), "initial aborted"},
		"none, while one that was asked for runs": {SnapshotNone, stored(readIncremental, position.SnapshotRunning), "incremental running"},
		"snapshot_only, behind one that was given up": {
			SnapshotOnly, stored(string(SnapshotInitial), position.SnapshotAborted), "snapshot_only running",
		},
		"snapshot_only, complete": {SnapshotOnly, stored(string(SnapshotOnly), position.SnapshotCompleted), "snapshot_only completed"},
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig(t)
			config.Snapshot.Mode, config.Run = c.mode, "now"
			m := &miner{config: config}
			tables := []*schema.Version{{Table: schema.Table{PDB: "PDB1", Owner: "APP", Name: "A"}}}
			s := m.begins(&position.Position{Snapshot: c.stored}, tables)
			got := []string{s.Kind + " " + string(s.Status)}
			for _, q := range s.Queued {
				got = append(got, q.ID+" "+string(q.Status))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("it makes %q, want %q", strings.Join(got, ", "), c.want)
			}
			if active(s) && len(s.Tables) == 0 {
				t.Error("it has no table")
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
