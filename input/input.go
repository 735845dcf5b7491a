package input

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/positionstore"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// reader is the input: the runtime connects it, reads batches and acknowledges them.
type reader struct {
	config *config
	log    *service.Logger
	meet   *rendezvous.Input

	window   *window
	messages *messages
	metrics  *metrics

	// capture is engine.Run and open the configured store; tests put others in their place.
	capture func(ctx context.Context, c *engine.Config, from *position.Position, out chan<- *change.Batch) error
	open    func(context.Context) (positionstore.Store, error)

	// mu guards what Connect and Close change.
	mu       sync.Mutex
	run      *run
	writer   *writerHandle
	patience patience
	// refusals space generations that end in a nack without any progress; refusedAt is where the last one ended.
	refusals  patience
	refusedAt uint64

	// stopped is the typed stop after which the database is not touched again.
	stopped atomic.Pointer[stop.Error]
}

// run is one generation: an engine and what it hands over.
type run struct {
	cancel  context.CancelFunc
	batches chan *change.Batch
	ended   chan struct{}
	err     error // valid once ended is closed
	// database is what the engine says of it while the run goes on; away: the runtime was told that it cannot be reached.
	database *availability
	away     bool
	// judged: what err means was decided.
	judged bool
}

// stopRetry is how long the runtime waits before it asks a stopped input again.
const stopRetry = time.Hour

func newReader(c *config, res *service.Resources) *reader {
	w := newWindow(c.checkpointLimit, time.Now)
	return &reader{
		config: c, log: res.Logger(),
		meet:     rendezvous.Of(res).Offer(res.Label(), c.shared()),
		window:   w,
		messages: newMessages(c.metadata),
		metrics:  newMetrics(res.Metrics(), w),
		capture:  engine.Run, open: c.openStore,
		patience: patience{retry: c.engine.Retry, now: c.engine.Now},
		refusals: patience{retry: c.engine.Retry, now: c.engine.Now},
	}
}

// Connect goes on with the generation whose database was away for a while. Else it ends the one before and starts the next from
// the newest position that the output acknowledged. It returns once everything that commits from then on will be delivered: a first start is durable by then.
func (r *reader) Connect(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped.Load() == nil && r.meet.Stream().Stopped() == nil {
		if kept, err := r.goesOn(ctx); kept {
			return err
		}
	}
	r.halt()
	if err := r.stopped.Load(); err != nil {
		// What is out may still be acknowledged: the generation stays open.
		return service.NewErrBackOff(err, stopRetry)
	}
	if err := r.meet.Stream().Stopped(); err != nil {
		// Processor or output stopped the stream: the database is left alone as after a stop of the input's own.
		return service.NewErrBackOff(err, stopRetry)
	}
	r.window.Close()
	for _, p := range []*patience{&r.patience, &r.refusals} {
		if err := p.rest(ctx); err != nil {
			return err
		}
	}
	from, err := r.from(ctx)
	if err != nil {
		return r.connectFailed(ctx, err)
	}
	r.window.Begin(from)
	ready := make(chan struct{})
	n := r.start(from, ready)
	r.run = n
	select {
	case <-ready:
		return nil
	case <-n.ended:
		n.judged = true
		return r.connectFailed(ctx, n.err)
	case <-ctx.Done():
		r.halt()
		return ctx.Err()
	}
}

// from is where the next generation begins: what is acknowledged in memory, else what is stored.
func (r *reader) from(ctx context.Context) (*position.Position, error) {
	if r.writer == nil {
		store, err := r.open(ctx)
		if err != nil {
			return nil, err
		}
		stored, err := store.Load(ctx)
		if err != nil {
			return nil, errors.Join(err, store.Close())
		}
		r.writer = startWriter(store, r.config, r.window, r.log, r.writerFailed)
		return stored, nil
	}
	return r.window.Safe(), nil
}

func (r *reader) start(from *position.Position, ready chan struct{}) *run {
	ctx, cancel := context.WithCancel(context.Background())
	n := &run{cancel: cancel, batches: make(chan *change.Batch), ended: make(chan struct{}), database: newAvailability()}
	c := r.config.engine
	c.Log, c.Observe = newLog(r.log), r.metrics
	c.Save, c.Stored = r.save, r.writer.stored.Load
	c.Peers = r.peers
	c.Available = n.database.set
	var once sync.Once
	c.Ready = func() { once.Do(func() { close(ready) }) }
	go func() {
		defer close(n.ended)
		n.err = r.capture(ctx, &c, from, n.batches)
	}()
	return n
}

// save makes the position of a first start durable; a generation that follows begins there too (R88).
func (r *reader) save(ctx context.Context, p *position.Position) error {
	if err := r.writer.Save(ctx, p); err != nil {
		return err
	}
	r.window.Stored(p)
	return nil
}

// peers asks who shares the stream and decides what the engine emits for them.
func (r *reader) peers(ctx context.Context) (engine.Peers, error) {
	p, err := r.meet.Peers(ctx)
	if err != nil {
		return engine.Peers{}, err
	}
	r.messages.markTombstones = !p.Output
	return engine.Peers{
		SchemaEvents: p.Processor,
		Heartbeats:   asMessages(r.config.heartbeats, p.Output),
		Ops:          asMessages(r.config.ops, p.Output),
	}, nil
}

// asMessages decides whether something of the connector's own is a message: auto only in front of the Kafka output, which knows its
// topic.
func asMessages(setting string, output bool) bool {
	return setting == "always" || setting == "auto" && output
}

// connectFailed turns an error into what the runtime does with it: a typed stop is for good, anything else is tried again.
func (r *reader) connectFailed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	typed, wait := r.judge(err)
	if typed != nil {
		return service.NewErrBackOff(typed, stopRetry)
	}
	return service.NewErrBackOff(err, wait)
}

// judge stops for an error that is for good; for one that may pass it says how long to wait.
func (r *reader) judge(err error) (stopped *stop.Error, wait time.Duration) {
	typed, isFinal := final(err)
	wait, exhausted := r.patience.failed()
	if typed != nil && (isFinal || exhausted) {
		r.stop(typed)
		return typed, stopRetry
	}
	return nil, wait
}

// final reports an error that no further attempt cures, in the engine or in the position store.
func final(err error) (*stop.Error, bool) {
	typed, ok := engine.Final(err)
	return typed, ok && !errors.Is(err, positionstore.ErrPassing)
}

// stop records a typed stop. With on_stop exit the host ends the process; else the input stays not ready.
func (r *reader) stop(err *stop.Error) {
	if !r.stopped.CompareAndSwap(nil, err) {
		return
	}
	if !r.config.hold {
		r.meet.Stream().RecordStop(err)
	}
}

func (r *reader) writerFailed(err *stop.Error) {
	r.window.Close()
	r.stop(err)
}

// ReadBatch waits for the next batch of the running generation.
func (r *reader) ReadBatch(ctx context.Context) (service.MessageBatch, service.AckFunc, error) {
	r.mu.Lock()
	n := r.run
	r.mu.Unlock()
	if n == nil {
		return nil, nil, service.ErrNotConnected
	}
	failed, cause := r.window.Failed()
	for {
		changed, down := n.database.now()
		if down != nil {
			r.leave(n)
			return nil, nil, fmt.Errorf("%w: %w", service.ErrNotConnected, down)
		}
		select {
		case <-changed:
		case b := <-n.batches:
			r.worked()
			msgs, ack, err := r.take(ctx, b)
			if err != nil || len(msgs) > 0 {
				return msgs, ack, err
			}
		case <-failed:
			r.refused()
			return nil, nil, fmt.Errorf("%w: reading again from the last acknowledged position: %w", service.ErrNotConnected, cause())
		case <-n.ended:
			return nil, nil, r.runEnded(ctx, n)
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// worked forgets the failures before a batch.
func (r *reader) worked() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.patience.worked()
}

// refused makes the next generation wait when the last two ended at the same position: an output that refuses everything must not
// log on to the database in a loop.
func (r *reader) refused() {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := uint64(0)
	if p := r.window.Safe(); p != nil {
		at = p.Sequence
	}
	if at != r.refusedAt {
		r.refusedAt = at
		r.refusals.worked()
		return
	}
	r.refusals.pause, _ = r.refusals.failed()
}

// take registers a batch in the window, which waits for room, and makes its messages. A batch without messages only moves
// the position.
func (r *reader) take(ctx context.Context, b *change.Batch) (service.MessageBatch, service.AckFunc, error) {
	t, err := r.window.Add(ctx, len(b.Events), b.Position)
	if err != nil {
		// The batch is not handed out, so nothing behind it may be.
		r.window.Close()
		return nil, nil, fmt.Errorf("%w: %w", service.ErrNotConnected, err)
	}
	r.metrics.unacknowledged()
	if len(b.Events) == 0 {
		return nil, nil, nil
	}
	b.Generation, b.Ordinal = t.shared, t.number
	return r.messages.batch(b), func(_ context.Context, err error) error {
		r.window.Resolve(t, err)
		r.metrics.unacknowledged()
		return nil
	}, nil
}

// runEnded says what the end of a run means: the runtime connects again, which fails after a stop and waits after an error that
// may pass. A run that was to read tables only ends the stream once all of it is acknowledged.
func (r *reader) runEnded(ctx context.Context, n *run) error {
	if errors.Is(n.err, engine.ErrComplete) {
		switch err := r.window.Drained(ctx); {
		case err == nil:
			r.log.Info("The snapshot is complete and acknowledged: the input ends, as snapshot.mode asks for")
			return service.ErrEndOfInput
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			return fmt.Errorf("%w: %w", service.ErrNotConnected, err)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !n.judged {
		n.judged = true
		_, wait := r.judge(n.err)
		r.patience.pause = wait
	}
	return errors.Join(service.ErrNotConnected, n.err)
}

// halt ends the running engine and waits for it.
func (r *reader) halt() {
	if r.run == nil {
		return
	}
	r.run.cancel()
	<-r.run.ended
	r.run = nil
}

// Close ends capture, stores what is acknowledged by then and leaves the stream.
func (r *reader) Close(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.halt()
	r.window.Close()
	r.meet.Withdraw()
	if r.writer == nil {
		return nil
	}
	w := r.writer
	r.writer = nil
	return w.close()
}
