package positionstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// ErrPassing marks an error of a store's medium that may pass, although its code is one of those that end capture: the caller tries
// again for as long as it has patience.
var ErrPassing = errors.New("it may pass")

// Caches is how a cache resource is reached; *service.Resources is the one of the product.
type Caches interface {
	HasCache(name string) bool
	AccessCache(ctx context.Context, name string, fn func(c service.Cache)) error
}

// CacheConfig says where positions lie.
type CacheConfig struct {
	Caches Caches
	// Label is checkpoint_cache, Key the item that holds the position.
	Label, Key string
	// Forgotten is told when an item that was stored is gone: the cache expires or evicts it, or somebody removed it.
	Forgotten func()
}

// CacheStore keeps the position as one item of a cache resource.
//
// A cache has no compare-and-set: two live instances may write between each other's look and write. That costs duplicates, and the
// one that finds the other's run stops at its next Save.
type CacheStore struct {
	config CacheConfig
	object string
	seq    sequence
	// kept: the cache was seen to hold what it was given.
	kept bool
}

var _ Store = (*CacheStore)(nil)

// OpenCache makes a store of a cache resource, which must be there.
func OpenCache(c CacheConfig) (*CacheStore, error) {
	s := &CacheStore{config: c, object: "cache resource " + c.Label + ", key " + c.Key}
	if !c.Caches.HasCache(c.Label) {
		return nil, stop.New(stop.Configuration, "cache resource "+c.Label, "checkpoint_cache names a cache resource that is not there").
			Doing("add it under cache_resources with this label, or correct checkpoint_cache")
	}
	return s, nil
}

// Load reads the item.
func (s *CacheStore) Load(ctx context.Context) (*position.Position, error) {
	data, found, err := s.get(ctx)
	if err != nil || !found {
		return nil, err
	}
	p, err := decode(data, s.object)
	if err != nil {
		return nil, err
	}
	s.seq.loaded, s.kept = stamp{p.Run, p.Sequence}, true
	return p, nil
}

// Save replaces the item. A position older than one already saved is left alone.
func (s *CacheStore) Save(ctx context.Context, p *position.Position) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := s.seq.encode(p, s.object)
	if data == nil {
		return err
	}
	current, found, err := s.get(ctx)
	if err != nil {
		return err
	}
	if found {
		if err := s.seq.foreign(peek(current), p.Run, s.object); err != nil {
			return err
		}
	} else if s.kept {
		s.config.Forgotten()
	}
	s.seq.handed(p)
	if err := s.put(ctx, p.Run, data, found); err != nil {
		return err
	}
	if s.kept {
		return nil
	}
	return s.readBack(ctx, p)
}

// put stores the item. Where none was found, an instance that stored one since then is seen: most caches refuse to add it.
func (s *CacheStore) put(ctx context.Context, run string, data []byte, found bool) error {
	if found {
		return s.set(ctx, data)
	}
	var added error
	err := s.access(ctx, func(ctx context.Context, c service.Cache) error {
		// Without a time to live of its own: what an item lives by default is the cache's to say.
		added = c.Add(ctx, s.config.Key, data, nil)
		if errors.Is(added, service.ErrKeyAlreadyExists) {
			return nil
		}
		return added
	})
	if err != nil || added == nil {
		return err
	}
	current, found, err := s.get(ctx)
	if err != nil {
		return err
	}
	if found {
		if err := s.seq.foreign(peek(current), run, s.object); err != nil {
			return err
		}
	}
	return s.set(ctx, data)
}

// readBack refuses a cache that keeps nothing, before anything relies on it.
func (s *CacheStore) readBack(ctx context.Context, p *position.Position) error {
	current, found, err := s.get(ctx)
	if err != nil {
		return err
	}
	if !found {
		return stop.New(stop.Configuration, s.object, "the cache does not keep what is stored in it").
			Doing("use a cache that keeps items without a time limit and over a restart, or position.file")
	}
	if err := s.seq.foreign(peek(current), p.Run, s.object); err != nil {
		return err
	}
	s.kept = true
	return nil
}

func (s *CacheStore) get(ctx context.Context) (data []byte, found bool, err error) {
	err = s.access(ctx, func(ctx context.Context, c service.Cache) (err error) {
		data, err = c.Get(ctx, s.config.Key)
		found = err == nil
		if errors.Is(err, service.ErrKeyNotFound) {
			return nil
		}
		return err
	})
	return data, found, err
}

func (s *CacheStore) set(ctx context.Context, data []byte) error {
	return s.access(ctx, func(ctx context.Context, c service.Cache) error { return c.Set(ctx, s.config.Key, data, nil) })
}

// callTimeout bounds a call on the cache.
const callTimeout = 30 * time.Second

// access makes one call on the resource, which the runtime builds at its first use: a broken configuration shows here.
func (s *CacheStore) access(ctx context.Context, call func(context.Context, service.Cache) error) error {
	bounded, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var called error
	err := s.config.Caches.AccessCache(bounded, s.config.Label, func(c service.Cache) { called = call(bounded, c) })
	if err == nil {
		err = called
	}
	if err == nil || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", stop.Wrap(stop.Configuration, err, s.object, "the cache of the position cannot be used").
		Doing("see to the cache and its configuration, then restart"), ErrPassing)
}

// Close has nothing to do: the runtime owns the resource.
func (s *CacheStore) Close() error { return nil }
