package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// loading is a scene whose table A lives in tablespace BULK, with ops events as messages.
func loading(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
	s.db.residents = map[string][]schema.Table{"BULK": {s.a.Table}}
	return s
}

func withoutRedo(tablespace string, scn position.SCN) oracle.Unrecoverable {
	return oracle.Unrecoverable{Container: pdb, Tablespace: tablespace, SCN: scn, Time: "2026-02-03 04:05:06"}
}

// watch plays a scene until the dictionary was compared a few times.
func (s *scene) watch(from *position.Position) {
	s.t.Helper()
	synctest.Test(s.t, func(*testing.T) { s.runFor(from, 6*compareInterval) })
}

// loaded lists what is told of loads, and how many events lie before each.
func (s *scene) loaded() (told []string) {
	s.t.Helper()
	for _, b := range s.batches {
		for i := range b.Events {
			var ev struct {
				Type    string
				Details struct{ PDB, Tablespace, SCN, Time, Tables string }
			}
			if json.Unmarshal(b.Events[i].Value, &ev) == nil && ev.Type == "nologging" {
				d := ev.Details
				told = append(told, strings.Join([]string{d.PDB, d.Tablespace, d.SCN, d.Time, d.Tables}, " "))
			}
		}
	}
	return told
}

func isNoLogging(ev change.Event) bool {
	return strings.Contains(string(ev.Value), `"type":"nologging"`)
}

func (s *scene) wantLoads(want ...string) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.loaded()); diff != "" {
		s.t.Errorf("told (-want +got):\n%s", diff)
	}
}

// at makes loads known at the time of the next step.
func (s *scene) at(loads ...oracle.Unrecoverable) {
	s.steps = append(s.steps, func() { s.db.loads = loads })
}

// R128: a rise is told of once, with what lives in the tablespace; the same value, and that of tablespaces without captured tables, never.
func TestR128RiseIsToldOfOnce(t *testing.T) {
	s := loading(t)
	s.db.loads = []oracle.Unrecoverable{withoutRedo("BULK", 900), withoutRedo("OTHER", 950)}
	s.step(insert(s.a, xid(1), 1001, 1, "x"), commit(xid(1), 1002))
	s.at(withoutRedo("BULK", 1001), withoutRedo("OTHER", 1003))
	s.watch(s.beginning())
	s.want("1.1.7#0 c A/1 >x")
	s.wantLoads("PDB1 BULK 1001 2026-02-03 04:05:06 PDB1.APP.A")
	p := s.through(s.last())
	if p.NoLogging != 1003 || s.seen.loads != 1 {
		t.Errorf("the position says %s, %d were counted", p.NoLogging, s.seen.loads)
	}
	s.watch(p)
	s.wantLoads()
	s.at(withoutRedo("BULK", 1004), withoutRedo("OTHER", 1005))
	s.watch(p)
	s.wantLoads("PDB1 BULK 1004 2026-02-03 04:05:06 PDB1.APP.A")
}

// R128: what was loaded while nobody captured, and what was passed just before a kill, is told of behind the restart.
func TestR128RiseSurvivesARestart(t *testing.T) {
	s := loading(t)
	s.step(insert(s.a, xid(1), 1001, 1, "x"), commit(xid(1), 1010))
	s.play(s.beginning())
	passed := s.through(s.last())
	if passed.Done.SCN < 1010 || passed.NoLogging != 1000 {
		t.Fatalf("%+v", passed)
	}
	for name, c := range map[string]struct {
		from *position.Position
		scn  position.SCN
		told bool
	}{
		"passed before the kill, and not looked at": {passed, 1005, true},
		"while it was down":                         {passed, passed.Done.SCN + 1, true},
		"before capture began":                      {passed, 1000, false},
		"behind a position that tells of none":      {s.beginning(), 1004, true},
		"before such a position":                    {s.beginning(), 1000, false},
	} {
		s.db.loads = []oracle.Unrecoverable{withoutRedo("BULK", c.scn)}
		s.play(c.from)
		if got := len(s.loaded()) == 1; got != c.told || s.err != nil {
			t.Errorf("%s: told is %v, want %v (%v)", name, got, c.told, s.err)
		}
	}
}

// R128: containers that are not captured have tablespaces and tables of the same names; those of the root are nobody's.
func TestR128ContainersThatAreNotCapturedAreNotBlamed(t *testing.T) {
	s := loading(t)
	s.config.PDBs = []string{"pdb1"}
	s.db.pdbs = append(s.db.pdbs, oracle.Container{ID: pdb + 1, Name: "PDB2", OpenMode: "READ WRITE"})
	s.db.loads = []oracle.Unrecoverable{{Container: 1, Tablespace: "BULK", SCN: 1003}, {Container: pdb + 1, Tablespace: "BULK", SCN: 1004}, withoutRedo("BULK", 1005)}
	s.step(commit(xid(1), 1010))
	s.play(s.beginning())
	s.want()
	s.wantLoads("PDB1 BULK 1005 2026-02-03 04:05:06 PDB1.APP.A")
}

// R128: the event and what the position says of it go out together.
func TestR128ToldIsInThePositionOfItsEvent(t *testing.T) {
	s := loading(t)
	s.config.BatchCount = 1
	s.db.loads = []oracle.Unrecoverable{withoutRedo("BULK", 1005)}
	s.step(insert(s.a, xid(1), 1001, 1, "x"), commit(xid(1), 1002), insert(s.a, xid(2), 1003, 2, "y"), commit(xid(2), 1010))
	s.play(s.beginning())
	for i, b := range s.batches {
		told := false
		for _, before := range s.batches[:i+1] {
			told = told || slices.ContainsFunc(before.Events, isNoLogging)
		}
		if said := b.Position.NoLogging >= 1005; said != told {
			t.Errorf("batch %d: told is %v, and the position says %s", i, told, b.Position.NoLogging)
		}
	}
	s.wantLoads("PDB1 BULK 1005 2026-02-03 04:05:06 PDB1.APP.A")
}

// R128: with stop, capture delivers what committed below the load, and goes no further, until somebody lets it.
func TestR128StopLeavesThePositionBelowTheLoad(t *testing.T) {
	s := loading(t)
	s.config.StopAtNoLogging = true
	rows := func() {
		s.step(insert(s.a, xid(1), 1001, 1, "below"), commit(xid(1), 1004), insert(s.a, xid(2), 1005, 2, "behind"), commit(xid(2), 1006))
	}
	s.db.loads = []oracle.Unrecoverable{withoutRedo("BULK", 1005), withoutRedo("BULK2", 1004)}
	rows()
	s.play(s.beginning())
	s.wantEvents("1.1.7#0 c A/1 >below")
	wanted := func(err error) {
		t.Helper()
		if fault, ok := stop.As(err); !ok || fault.Code != stop.RedoGap || !strings.Contains(err.Error(), "tablespace BULK of PDB1, SCN 1005") ||
			!strings.Contains(err.Error(), "PDB1.APP.A") || !strings.Contains(err.Error(), "nologging: event") {
			t.Fatalf("%v, want CDC-2001", err)
		}
	}
	wanted(s.err)
	p := s.through(s.last())
	if p.Done.SCN > 1004 || p.Group != nil && p.Group.SCN > 1004 || p.NoLogging != 1000 && p.NoLogging != 1004 {
		t.Fatalf("the position is %+v", p)
	}
	s.play(p)
	s.wantEvents()
	wanted(s.err)

	s.config.StopAtNoLogging = false
	s.play(p)
	s.want("2.1.7#0 c A/2 >behind")
	s.wantLoads("PDB1 BULK 1005 2026-02-03 04:05:06 PDB1.APP.A")
	s.config.StopAtNoLogging = true
	s.step(insert(s.a, xid(3), 1020, 3, "on"), commit(xid(3), 1021))
	s.watch(s.through(s.last()))
	s.want("3.1.7#0 c A/3 >on")
}

// R128: a load that is noticed when capture has passed it stops it as well, and again behind a restart.
func TestR128StopAtALoadThatWasPassed(t *testing.T) {
	s := loading(t)
	s.config.StopAtNoLogging = true
	s.step(insert(s.a, xid(1), 1001, 1, "x"), commit(xid(1), 1010))
	s.at(withoutRedo("BULK", 1005))
	s.watch(s.beginning())
	s.wantEvents("1.1.7#0 c A/1 >x")
	for range 2 {
		if !stop.Is(s.err, stop.RedoGap) {
			t.Fatalf("%v, want CDC-2001", s.err)
		}
		s.watch(s.through(s.last()))
	}
}

// R128: a tablespace of a container that is closed is looked at once it is open; in its own time nothing is lost of others.
func TestR128ClosedContainerIsLookedAtLater(t *testing.T) {
	s := loading(t)
	s.db.pdbs = []oracle.Container{{ID: pdb, Name: "PDB1", OpenMode: "MOUNTED"}}
	s.config.AllowNoTables = true
	s.db.loads = []oracle.Unrecoverable{withoutRedo("BULK", 1005), {Container: pdb + 9, Tablespace: "BULK", SCN: 1006}}
	s.step(commit(xid(1), 1010))
	var open time.Time
	s.db.enter = func(_ context.Context, what string) error {
		s.db.mu.Lock()
		defer s.db.mu.Unlock()
		if open.IsZero() {
			open = time.Now().Add(90 * time.Second)
		}
		if what == "describe" && time.Now().After(open) {
			s.db.pdbs = []oracle.Container{{ID: pdb, Name: "PDB1", OpenMode: "READ WRITE"}}
		}
		return nil
	}
	s.watch(s.beginning())
	s.want()
	s.wantLoads("PDB1 BULK 1005 2026-02-03 04:05:06 PDB1.APP.A")
}
