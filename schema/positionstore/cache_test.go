package positionstore

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func openCache(t *testing.T, c CacheConfig) *CacheStore {
	t.Helper()
	s, err := OpenCache(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// faulty is a cache that does as it is told; also the resource that holds it.
type faulty struct {
	items map[string]string
	// access is the resource's answer, before each call on the cache.
	access func() error
	// before runs before a call on the cache.
	before func(ctx context.Context, call string) error
	// deaf: what is stored is not kept. careless: Add stores over an item, as caches may.
	deaf, careless bool
	calls          []string
}

func (f *faulty) HasCache(name string) bool { return name == "kept" }

func (f *faulty) AccessCache(_ context.Context, _ string, fn func(service.Cache)) error {
	if f.access != nil {
		if err := f.access(); err != nil {
			return err
		}
	}
	fn(f)
	return nil
}

func (f *faulty) call(ctx context.Context, name string) error {
	f.calls = append(f.calls, name)
	if f.before != nil {
		return f.before(ctx, name)
	}
	return nil
}

func (f *faulty) Get(ctx context.Context, key string) ([]byte, error) {
	if err := f.call(ctx, "get"); err != nil {
		return nil, err
	}
	v, ok := f.items[key]
	if !ok {
		return nil, service.ErrKeyNotFound
	}
	return []byte(v), nil
}

func (f *faulty) Set(ctx context.Context, key string, value []byte, ttl *time.Duration) error {
	if err := f.call(ctx, "set"); err != nil {
		return err
	}
	return f.store(key, value, ttl)
}

func (f *faulty) Add(ctx context.Context, key string, value []byte, ttl *time.Duration) error {
	if err := f.call(ctx, "add"); err != nil {
		return err
	}
	if _, ok := f.items[key]; ok && !f.careless {
		return service.ErrKeyAlreadyExists
	}
	return f.store(key, value, ttl)
}

func (f *faulty) store(key string, value []byte, ttl *time.Duration) error {
	if ttl != nil {
		return errors.New("a position has no time to live")
	}
	if !f.deaf {
		if f.items == nil {
			f.items = map[string]string{}
		}
		f.items[key] = string(value)
	}
	return nil
}

func (f *faulty) Delete(context.Context, string) error { return errors.New("nothing is deleted") }

func (f *faulty) Close(context.Context) error { return errors.New("the runtime owns the resource") }

func (f *faulty) config() CacheConfig { return CacheConfig{Caches: f, Label: "kept", Key: "k"} }

func TestCacheResourceThatIsNotThereIsRefused(t *testing.T) {
	_, err := OpenCache(CacheConfig{Caches: service.MockResources(), Label: "nowhere", Key: "k"})
	if !stop.Is(err, stop.Configuration) || !strings.Contains(err.Error(), "nowhere") || !strings.Contains(err.Error(), "cache_resources") {
		t.Fatalf("got %v, want CDC-5003 that names the resource and where to add it", err)
	}
}

// A cache that fails is an error that may pass, and the one a position file gives when it does not.
func TestCacheThatFailsMayPassAndIsNamed(t *testing.T) {
	down := errors.New("connection refused")
	for name, break1 := range map[string]func(*faulty){
		"the resource": func(f *faulty) { f.access = func() error { return down } },
		"each call":    func(f *faulty) { f.before = func(context.Context, string) error { return down } },
	} {
		t.Run(name, func(t *testing.T) {
			f := &faulty{}
			s := openCache(t, f.config())
			save(t, s, at("a", 1))
			break1(f)
			_, loading := s.Load(t.Context())
			for what, err := range map[string]error{"load": loading, "save": s.Save(t.Context(), at("a", 2))} {
				if !stop.Is(err, stop.Configuration) || !errors.Is(err, ErrPassing) || !errors.Is(err, down) || !strings.Contains(err.Error(), "kept") {
					t.Errorf("%s: %v, want CDC-5003 that may pass", what, err)
				}
			}
			f.access, f.before = nil, nil
			save(t, s, at("a", 2))
			if p := load(t, openCache(t, f.config())); p == nil || p.Sequence != 2 {
				t.Errorf("stored %+v, want 2", p)
			}
		})
	}
}

func TestCacheCallThatHangsIsBrokenOffAndTheCallersEndIsNoFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &faulty{before: func(ctx context.Context, _ string) error {
			<-ctx.Done()
			return ctx.Err()
		}}
		s := openCache(t, f.config())
		began := time.Now()
		if _, err := s.Load(t.Context()); !errors.Is(err, ErrPassing) || time.Since(began) != callTimeout {
			t.Errorf("%v after %s, want it broken off after %s", err, time.Since(began), callTimeout)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := s.Load(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, ErrPassing) {
			t.Errorf("%v, want the caller's end", err)
		}
	})
}

// Nothing may rely on a cache that keeps nothing: after a restart capture would begin with "now".
func TestCacheThatKeepsNothingIsRefusedAtTheFirstSave(t *testing.T) {
	f := &faulty{deaf: true}
	s := openCache(t, f.config())
	if p := load(t, s); p != nil {
		t.Fatalf("loaded %+v", p)
	}
	if err := s.Save(t.Context(), at("a", 1)); !stop.Is(err, stop.Configuration) || errors.Is(err, ErrPassing) {
		t.Fatalf("got %v, want CDC-5003 for good", err)
	}
}

func TestForgottenItemIsStoredAgainAndReported(t *testing.T) {
	f := &faulty{}
	c := f.config()
	forgotten := 0
	c.Forgotten = func() { forgotten++ }
	s := openCache(t, c)
	save(t, s, at("a", 1))
	save(t, s, at("a", 2))
	delete(f.items, "k")
	save(t, s, at("a", 3))
	save(t, s, at("a", 4))
	if forgotten != 1 {
		t.Errorf("reported %d times, want once", forgotten)
	}
	if p := load(t, openCache(t, c)); p == nil || p.Sequence != 4 {
		t.Errorf("stored %+v, want 4", p)
	}
}

// Two first starts at the same time: the cache that refuses to add, and the one that adds over, both show the other's run.
func TestFirstStartsAtTheSameTimeAreFenced(t *testing.T) {
	for name, careless := range map[string]bool{"an item is not added twice": false, "an item is added over": true} {
		t.Run(name, func(t *testing.T) {
			f := &faulty{careless: careless}
			one, other := openCache(t, f.config()), openCache(t, f.config())
			load(t, one)
			load(t, other)
			f.before = func(_ context.Context, call string) error {
				if call == "add" {
					f.before = nil
					save(t, other, at("b", 1))
				}
				return nil
			}
			err := one.Save(t.Context(), at("a", 1))
			if !careless && !stop.Is(err, stop.Fenced) {
				t.Fatalf("got %v, want CDC-9002", err)
			}
			if careless {
				if err := other.Save(t.Context(), at("b", 2)); !stop.Is(err, stop.Fenced) {
					t.Fatalf("got %v, want CDC-9002", err)
				}
			}
		})
	}
}

// An Add whose answer was lost has stored the item: the next attempt goes on.
func TestAddWhoseAnswerWasLostGoesOn(t *testing.T) {
	f := &faulty{}
	s := openCache(t, f.config())
	lost := errors.New("no answer")
	first := true
	f.before = func(_ context.Context, call string) error {
		if call == "add" && first {
			first = false
			f.items = map[string]string{"k": encode(t, at("a", 1))}
			return lost
		}
		return nil
	}
	if err := s.Save(t.Context(), at("a", 1)); !errors.Is(err, lost) {
		t.Fatalf("got %v", err)
	}
	save(t, s, at("a", 1))
	save(t, s, at("a", 2))
	if diff := cmp.Diff(at("a", 2), load(t, openCache(t, f.config()))); diff != "" {
		t.Error(diff)
	}
}

// R50: members that this version does not know survive in what the cache holds, as in every store.
func TestR50UnknownMembersSurviveInEveryStore(t *testing.T) {
	with := strings.Replace(encode(t, at("a", 1)), `"v":1`, `"v":1,"of_later":{"x":[1,"2"]}`, 1)
	each(t, func(t *testing.T, reopen func() Store, damage func(string)) {
		damage(with)
		s := reopen()
		p := load(t, s)
		p.Sequence++
		save(t, s, p)
		again, err := position.Encode(load(t, reopen()))
		if err != nil || !strings.Contains(string(again), `"of_later":{"x":[1,"2"]}`) {
			t.Errorf("%s, %v", again, err)
		}
	})
}
