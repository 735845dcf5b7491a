package engine

import (
	"context"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R87: tables that change between the two readings are read again, and what was read with them does not count.
func TestR87TablesThatChangeDuringAFirstStartAreReadAgain(t *testing.T) {
	s := newScene(t)
	reads := 0
	s.db.descriptor = func() []*schema.Version {
		if reads++; reads == 1 {
			return []*schema.Version{s.a}
		}
		return []*schema.Version{s.a, s.b}
	}
	var saved []*position.Position
	s.config.Save = func(_ context.Context, p *position.Position) error {
		saved = append(saved, p)
		return nil
	}
	s.db.tick = func() { s.db.now += 10 }
	s.play(nil)
	if s.err != nil || reads != 3 || len(saved) != 1 || saved[0].FirstStart.Q < 1030 {
		t.Fatalf("%v; %d readings, saved %+v: want the first start to begin again behind the change", s.err, reads, saved)
	}
	if saved[0].Settings != s.digestOf(s.a, s.b) {
		t.Fatal("the position is that of the first reading")
	}
}

func (s *scene) digestOf(versions ...*schema.Version) string {
	t := newTables(0)
	for _, v := range versions {
		t.add(v, false)
	}
	return t.digest()
}

// R117: with local undo an XID is unique only inside its container.
func TestR117EndOfAnotherContainersTransactionEndsNothing(t *testing.T) {
	s := newScene(t)
	elsewhere := rollback(xid(1), 1003)
	elsewhere.Container = pdb + 1
	partial := elsewhere
	partial.XID.Sequence = position.PartialSequence
	s.step(insert(s.a, xid(1), 1002, 1, "a"), elsewhere, partial)
	s.step(commit(xid(1), 1010))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a")
}

func TestErrorsThatAreFinalAreThoseThatNothingCuresOrThatWereTriedEnough(t *testing.T) {
	s := newScene(t)
	s.config.Retry.MaxSteps = 1
	s.db.failure = stop.New(stop.StepFailed, "", "always")
	s.db.fail = func(int) int { return 0 }
	s.play(s.beginning())
	for name, c := range map[string]struct {
		err   error
		final bool
	}{
		"step that failed too often": {s.err, true},
		"database not available":     {stop.New(stop.Unavailable, "", "down"), false},
		"privilege":                  {stop.New(stop.Privilege, "", "missing"), true},
		"no typed error":             {context.Canceled, false},
	} {
		if _, final := Final(c.err); final != c.final {
			t.Errorf("%s: %v is final: %v, want %v", name, c.err, final, c.final)
		}
	}
}

func TestVersionThatDiffersFromTheStoredOneIsRefused(t *testing.T) {
	a := table("A", 101)
	a.Columns = a.Columns[:1]
	s := newScene(t)
	s.config.Versions = storedVersions(t, a.Seal())
	s.play(s.beginning())
	if !stop.Is(s.err, stop.SchemaDiffers) {
		t.Fatalf("%v, want CDC-6003", s.err)
	}
}

func TestStoredVersionsKeepTheirNumberAndAreNotAnnouncedAgain(t *testing.T) {
	a := table("A", 101)
	a.Number, a.ValidFrom = 4, 77
	s := newScene(t)
	s.config.Versions = storedVersions(t, a)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true}, nil }
	s.step(insert(s.a, xid(1), 1002, 1, "a"), commit(xid(1), 1003))
	s.play(s.beginning())
	var announced []string
	for _, b := range s.batches {
		for _, ev := range b.Events {
			switch {
			case ev.Transaction != nil && (ev.Version.Number != 4 || !ev.Version.Stored):
				t.Errorf("a row of version %d, stored %t; want 4, stored", ev.Version.Number, ev.Version.Stored)
			case ev.Transaction == nil && ev.Version != nil:
				if ev.Version.Stored {
					t.Errorf("%s is announced as stored", ev.Version.Table)
				}
				announced = append(announced, ev.Version.Table.Name)
			}
		}
	}
	if len(announced) != 1 || announced[0] != "B" {
		t.Fatalf("announced %v, want the table that is not stored", announced)
	}
}

// storedVersions is a schema topic with a version.
func storedVersions(t *testing.T, v *schema.Version) func(context.Context, func(string) (int, bool)) (*registry.Registry, error) {
	t.Helper()
	stored := registry.New("shop")
	v.Number = max(v.Number, 1)
	if _, err := stored.Add(v); err != nil {
		t.Fatal(err)
	}
	return func(context.Context, func(string) (int, bool)) (*registry.Registry, error) { return stored, nil }
}
