package input

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// writing runs a writer in a bubble with an interval of a second.
type writing struct {
	*writerHandle
	safe  atomic.Pointer[position.Position]
	moves chan struct{}
	fatal atomic.Pointer[stop.Error]
}

func newWriting(store *memoryStore) *writing {
	w := &writing{moves: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	w.writerHandle = &writerHandle{cancel: cancel, writer: &writer{
		store: store, interval: time.Second, safe: w.safe.Load, moved: w.moves, log: service.MockResources().Logger(),
		fatal:    func(e *stop.Error) { w.fatal.Store(e) },
		patience: patience{retry: engine.Retry{MaxTime: time.Hour, InitialInterval: 500 * time.Millisecond, MaxInterval: 30 * time.Second}, now: time.Now},
		requests: make(chan saveRequest), done: make(chan struct{}),
	}}
	go w.run(ctx)
	return w
}

func (w *writing) move(n uint64) {
	w.safe.Store(at(n))
	select {
	case w.moves <- struct{}{}:
	default:
	}
}

func TestR66WriterWritesTheNewestPositionOncePerInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &memoryStore{}
		w := newWriting(store)
		for n := uint64(1); n <= 30; n++ {
			w.move(n)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(5 * time.Second)
		if err := w.close(); err != nil {
			t.Error(err)
		}
		if len(store.saves) > 4 || !slices.IsSorted(store.saves) || store.saves[len(store.saves)-1] != 30 {
			t.Errorf("saved %v in three seconds of moves: want one a second, in order, the newest last", store.saves)
		}
	})
}

func TestR66FailedWriteIsTriedAgainWithTheNewestPosition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failures := 3
		store := &memoryStore{fail: func(*position.Position) error {
			if failures > 0 {
				failures--
				return errors.New("down")
			}
			return nil
		}}
		w := newWriting(store)
		w.move(1)
		time.Sleep(1500 * time.Millisecond)
		if p := w.stored.Load(); p != nil {
			t.Errorf("position %d counts as stored", p.Sequence)
		}
		w.move(2)
		time.Sleep(time.Minute)
		if p := w.stored.Load(); p == nil || p.Sequence != 2 {
			t.Errorf("%v counts as stored, want position 2", p)
		}
		if err := w.close(); err != nil {
			t.Error(err)
		}
		if !slices.Equal(store.saves, []uint64{2}) || w.fatal.Load() != nil {
			t.Errorf("saved %v, fatal %v: want the newest, once", store.saves, w.fatal.Load())
		}
	})
}

func TestWriterStoresWhatIsSafeWhenItCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &memoryStore{}
		w := newWriting(store)
		w.move(7)
		if err := w.close(); err != nil || !slices.Equal(store.saves, []uint64{7}) || !store.closed {
			t.Errorf("%v, saved %v, closed %v", err, store.saves, store.closed)
		}
		if err := w.Save(t.Context(), at(8)); !errors.Is(err, errWriterClosed) {
			t.Errorf("Save behind Close: %v", err)
		}
	})
}

func TestOlderPositionIsNotWrittenOverANewerOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &memoryStore{}
		w := newWriting(store)
		if err := w.Save(t.Context(), at(5)); err != nil {
			t.Error(err)
		}
		w.move(4)
		time.Sleep(time.Minute)
		if err := w.close(); err != nil || !slices.Equal(store.saves, []uint64{5}) {
			t.Errorf("%v, saved %v", err, store.saves)
		}
	})
}

// CDC-9002: another instance has the position; nothing more is written, and capture stops.
func TestForeignRunStopsCaptureAndLeavesTheStoreAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fenced := stop.New(stop.Fenced, "position", "a foreign run")
		attempts := 0
		store := &memoryStore{fail: func(*position.Position) error { attempts++; return fenced }}
		r, res := testReader(t, "", emitting(1, 1), store)
		connect(t, r)
		_ = read(t, r, 1)(t.Context(), nil)
		time.Sleep(time.Minute)
		wantNotConnected(t, r)
		wantBackOff(t, r.Connect(t.Context()))
		if r.run != nil {
			t.Error("the engine still runs behind the stop")
		}
		time.Sleep(time.Minute)
		closeInput(t, r)
		if attempts != 1 || rendezvous.Of(res).Stopped() != fenced {
			t.Errorf("%d attempts to write, recorded %v", attempts, rendezvous.Of(res).Stopped())
		}
	})
}
