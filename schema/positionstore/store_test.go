package positionstore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redpanda-data/benthos/v4/public/service"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func at(run string, seq uint64) *position.Position {
	return &position.Position{Run: run, Sequence: seq, Identity: position.Identity{DBID: 7}, Done: position.Boundary{SCN: position.SCN(seq)}}
}

func save(t *testing.T, s Store, p *position.Position) {
	t.Helper()
	if err := s.Save(t.Context(), p); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, s Store) *position.Position {
	t.Helper()
	p, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// each runs a test on every kind of store; reopen gives another instance on the same medium.
func each(t *testing.T, fn func(t *testing.T, reopen func() Store, damage func(string))) {
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "position.json")
		reopen := func() Store {
			s, err := OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		fn(t, reopen, func(content string) {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	})
	t.Run("cache", func(t *testing.T) {
		resources := service.MockResources(service.MockResourcesOptAddCache("kept"))
		reopen := func() Store {
			return openCache(t, CacheConfig{Caches: resources, Label: "kept", Key: "oracle_cdc.shop"})
		}
		fn(t, reopen, func(content string) {
			err := resources.AccessCache(t.Context(), "kept", func(c service.Cache) {
				if err := c.Set(t.Context(), "oracle_cdc.shop", []byte(content), nil); err != nil {
					t.Error(err)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	})
	t.Run("kafka", func(t *testing.T) {
		conn := broker(t)
		fn(t, func() Store { return openKafka(t, conn) }, func(content string) { produce(t, conn, "shop", content) })
	})
}

func TestPositionSurvivesARestart(t *testing.T) {
	each(t, func(t *testing.T, reopen func() Store, _ func(string)) {
		s := reopen()
		if p := load(t, s); p != nil {
			t.Fatalf("new store holds %+v", p)
		}
		for seq := range uint64(3) {
			save(t, s, at("a", seq))
		}
		if diff := cmp.Diff(at("a", 2), load(t, reopen())); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestR66LowerSequenceIsNeverWrittenOverAHigherOne(t *testing.T) {
	each(t, func(t *testing.T, reopen func() Store, _ func(string)) {
		s := reopen()
		save(t, s, at("a", 5))
		save(t, s, at("a", 4))
		if p := load(t, reopen()); p.Sequence != 5 {
			t.Fatalf("stored is %d, want 5", p.Sequence)
		}
		save(t, s, at("a", 6))
		if p := load(t, reopen()); p.Sequence != 6 {
			t.Fatalf("stored is %d, want 6", p.Sequence)
		}
	})
}

// A newer instance takes over from the run that it found; the older one stops at its next Save.
func TestForeignRunIsFenced(t *testing.T) {
	each(t, func(t *testing.T, reopen func() Store, _ func(string)) {
		old := reopen()
		save(t, old, at("a", 1))
		young := reopen()
		load(t, young)
		save(t, old, at("a", 2)) // the old instance still lives: no reason for the young one to stop
		save(t, young, at("b", 1))
		save(t, young, at("b", 2))
		if err := old.Save(t.Context(), at("a", 3)); !stop.Is(err, stop.Fenced) || !strings.Contains(err.Error(), "run b") {
			t.Fatalf("old instance: %v, want CDC-9002 naming run b", err)
		}
		if diff := cmp.Diff(at("b", 2), load(t, reopen())); diff != "" {
			t.Fatal(diff)
		}
		third := reopen() // did not Load: knows nobody
		if err := third.Save(t.Context(), at("c", 1)); !stop.Is(err, stop.Fenced) {
			t.Fatalf("instance that did not load: %v, want CDC-9002", err)
		}
	})
}

// Two instances that go on from one position share its run; the one that is behind stops.
func TestSecondInstanceOfOneRunIsFenced(t *testing.T) {
	each(t, func(t *testing.T, reopen func() Store, _ func(string)) {
		save(t, reopen(), at("a", 5))
		one, other := reopen(), reopen()
		load(t, one)
		load(t, other)
		save(t, one, at("a", 6))
		save(t, one, at("a", 7))
		if err := other.Save(t.Context(), at("a", 6)); !stop.Is(err, stop.Fenced) || !strings.Contains(err.Error(), "same run a") {
			t.Fatalf("got %v, want CDC-9002", err)
		}
		save(t, one, at("a", 8))
		if p := load(t, reopen()); p.Sequence != 8 {
			t.Fatalf("stored %d, want 8", p.Sequence)
		}
	})
}

func TestUnreadablePositionIsNeverTakenForNone(t *testing.T) {
	newer := `{"v":2}`
	ledger := strings.Replace(encode(t, at("a", 1)), `"v":1`, `"v":1,"journal":{"count":3}`, 1)
	for _, c := range []struct {
		name, content string
		want          stop.Code
	}{
		{"empty", "", stop.Corrupt},
		{"cut", encode(t, at("a", 1))[:40], stop.Corrupt},
		{"out of order", strings.Replace(encode(t, at("a", 1)), `"resume":{"c":"0"`, `"resume":{"c":"9"`, 1), stop.Corrupt},
		{"newer", newer, stop.PositionNewer},
		{"ledger of a later capability", ledger, stop.PositionNewer},
	} {
		each(t, func(t *testing.T, reopen func() Store, damage func(string)) {
			damage(c.content)
			if p, err := reopen().Load(t.Context()); !stop.Is(err, c.want) {
				t.Errorf("%s: %+v, %v; want CDC-%d", c.name, p, err, c.want)
			}
		})
	}
}

func encode(t *testing.T, p *position.Position) string {
	t.Helper()
	data, err := position.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestFileHoldsTheOldOrTheNewPositionAfterAPowerCut(t *testing.T) {
	const path = "dir/position.json"
	for cut := 0; ; cut++ {
		files := newCrashFiles()
		s, err := OpenFileOn(files, path)
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, at("a", 1))
		files.left = cut
		err = s.Save(t.Context(), at("a", 2))
		for _, renamesReached := range []bool{false, true} {
			again, openErr := OpenFileOn(files.afterCut(renamesReached), path)
			if openErr != nil {
				t.Fatal(openErr)
			}
			p := load(t, again)
			if p == nil || p.Sequence != 2 && (p.Sequence != 1 || err == nil) {
				t.Fatalf("cut at operation %d (Save: %v): restart finds %+v", cut, err, p)
			}
		}
		if err == nil {
			if cut < 5 {
				t.Fatalf("Save is durable after %d operations, want create, write, sync, close, rename and sync of the folder", cut)
			}
			return
		}
		if !errors.Is(err, errCrash) || !strings.Contains(err.Error(), path) {
			t.Fatalf("cut at operation %d: %v", cut, err)
		}
	}
}

func TestFolderOfTheFileMustBeThere(t *testing.T) {
	if _, err := OpenFile(filepath.Join(t.TempDir(), "missing", "position.json")); !stop.Is(err, stop.Configuration) {
		t.Fatalf("got %v, want CDC-5003", err)
	}
}
