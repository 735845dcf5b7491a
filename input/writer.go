package input

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/positionstore"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// writer is the one that writes the position store (R66): the newest safe position, at most once an interval, and at once when
// asked to.
type writer struct {
	store    positionstore.Store
	interval time.Duration
	safe     func() *position.Position
	moved    <-chan struct{}
	log      *service.Logger
	// fatal takes a typed stop that a retry cannot cure.
	fatal func(*stop.Error)
	// patience spaces and bounds attempts that fail.
	patience patience

	requests chan saveRequest
	done     chan struct{}
	written  uint64
	// stored is the newest position that was written.
	stored atomic.Pointer[position.Position]
	// stopped is the typed stop after which the store is left alone.
	stopped *stop.Error
}

type saveRequest struct {
	ctx      context.Context
	position *position.Position
	answer   chan error
}

const saveTimeout = 30 * time.Second

// run writes until ctx ends, and then once more what is safe by then.
func (w *writer) run(ctx context.Context) {
	defer close(w.done)
	timer := time.NewTimer(time.Hour)
	timer.Stop() // armed when the position moves
	defer timer.Stop()
	armed := false
	for {
		select {
		case <-ctx.Done():
			w.last()
			return
		case r := <-w.requests:
			r.answer <- w.save(r.ctx, r.position)
		case <-w.moved:
			if !armed {
				armed = true
				timer.Reset(w.interval)
			}
		case <-timer.C:
			err := w.saveSafe(ctx)
			if armed = err != nil; armed {
				timer.Reset(w.failed(ctx, err))
			} else {
				w.patience.worked()
			}
		}
	}
}

// failed says how long to wait before the position is stored again. What fails for longer than retry.max_time ends capture.
func (w *writer) failed(ctx context.Context, err error) time.Duration {
	wait, exhausted := w.patience.failed()
	if ctx.Err() != nil || w.stopped != nil {
		return wait
	}
	if typed, ok := stop.As(err); ok && exhausted {
		w.stopped = typed
		w.fatal(typed)
		return wait
	}
	w.log.Warnf("Position was not stored, trying again in %s: %s", wait, err)
	return wait
}

// last stores the newest safe position when the input closes; what it does not reach is read again after a restart.
func (w *writer) last() {
	ctx, cancel := context.WithTimeout(context.Background(), saveTimeout/6)
	defer cancel()
	if err := w.saveSafe(ctx); err != nil {
		w.log.Warnf("The last position was not stored; changes since then will be delivered again: %s", err)
	}
}

func (w *writer) saveSafe(ctx context.Context) error {
	p := w.safe()
	if p == nil || p.Sequence <= w.written || w.stopped != nil {
		return nil
	}
	return w.save(ctx, p)
}

func (w *writer) save(ctx context.Context, p *position.Position) error {
	if w.stopped != nil {
		return w.stopped
	}
	bounded, cancel := context.WithTimeout(ctx, saveTimeout)
	defer cancel()
	err := w.store.Save(bounded, p)
	if err == nil {
		w.written = max(w.written, p.Sequence)
		w.stored.Store(p)
		return nil
	}
	if typed, isFinal := final(err); isFinal {
		w.stopped = typed
		w.fatal(typed)
	}
	return err
}

// Save stores a position and waits until it is durable.
func (w *writer) Save(ctx context.Context, p *position.Position) error {
	r := saveRequest{ctx: ctx, position: p, answer: make(chan error, 1)}
	select {
	case w.requests <- r:
	case <-w.done:
		return errWriterClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-r.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

var errWriterClosed = errors.New("the position store is closed")

// writerHandle owns the writer's goroutine and its store.
type writerHandle struct {
	*writer
	cancel context.CancelFunc
}

func startWriter(store positionstore.Store, c *config, w *window, log *service.Logger, fatal func(*stop.Error)) *writerHandle {
	ctx, cancel := context.WithCancel(context.Background())
	h := &writerHandle{cancel: cancel, writer: &writer{
		store: store, interval: c.positionInterval, safe: w.Safe, moved: w.Moved(), log: log, fatal: fatal,
		patience: patience{retry: c.engine.Retry, now: c.engine.Now},
		requests: make(chan saveRequest), done: make(chan struct{}),
	}}
	go h.run(ctx)
	return h
}

func (h *writerHandle) close() error {
	h.cancel()
	<-h.done
	return h.store.Close()
}
