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

	// mu guards what Connect and Close change.
	mu     sync.Mutex
	run    *run
	writer *writerHandle

	// stopped is the typed stop after which the database is not touched again.
	stopped atomic.Pointer[stop.Error]
}

// run is one generation: an engine and what it hands over.
type run struct {
	cancel  context.CancelFunc
	batches chan *change.Batch
	ended   chan struct{}
	err     error // valid once ended is closed
}

// stopRetry is how long the runtime waits before it asks a stopped input again.
const stopRetry = time.Hour

func newReader(c *config, res *service.Resources) *reader {
	return &reader{
		config: c, log: res.Logger(),
		meet:     rendezvous.Of(res).Offer(res.Label(), c.shared()),
		window:   newWindow(c.checkpointLimit, time.Now),
		messages: newMessages(c.metadata),
		metrics:  newMetrics(res.Metrics()),
	}
}

// Connect ends the generation before, if there is one, and starts the next from the newest position that the output
// acknowledged. It returns once the database was found fit for capture.
func (r *reader) Connect(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.stopped.Load(); err != nil {
		return service.NewErrBackOff(err, stopRetry)
	}
	r.endRun()
	if err := r.meet.Stream().Stopped(); err != nil {
		// Processor or output stopped the stream: the database is left alone as after a stop of the input's own.
		return service.NewErrBackOff(err, stopRetry)
	}
	from, err := r.from(ctx)
	if err != nil {
		return r.connectFailed(err)
	}
	r.window.Begin(from)
	ready := make(chan struct{})
	n := r.start(from, ready)
	r.run = n
	select {
	case <-ready:
		return nil
	case <-n.ended:
		return r.connectFailed(n.err)
	case <-ctx.Done():
		r.endRun()
		return ctx.Err()
	}
}

// from is where the next generation begins: what is acknowledged in memory, else what is stored.
func (r *reader) from(ctx context.Context) (*position.Position, error) {
	if r.writer == nil {
		store, err := r.config.openStore(ctx)
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
	n := &run{cancel: cancel, batches: make(chan *change.Batch), ended: make(chan struct{})}
	c := r.config.engine
	c.Log, c.Observe = newLog(r.log), r.metrics
	c.Save = r.save
	c.Peers = r.peers
	var once sync.Once
	c.Ready = func() { once.Do(func() { close(ready) }) }
	go func() {
		defer close(n.ended)
		n.err = engine.Run(ctx, &c, from, n.batches)
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
		Heartbeats:   r.config.heartbeats == "always" || r.config.heartbeats == "auto" && p.Output,
	}, nil
}

// connectFailed turns an error into what the runtime does with it: a typed stop is for good.
func (r *reader) connectFailed(err error) error {
	if typed, ok := stop.As(err); ok && !retried(typed.Code) {
		r.stop(typed)
		return service.NewErrBackOff(typed, stopRetry)
	}
	return err
}

// stop records a typed stop. With on_stop exit the host ends the process; else the input stays not ready.
func (r *reader) stop(err *stop.Error) {
	if !r.stopped.CompareAndSwap(nil, err) {
		return
	}
	r.log.Error(err.Error())
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
		select {
		case b := <-n.batches:
			msgs, ack, err := r.take(ctx, b)
			if err != nil || len(msgs) > 0 {
				return msgs, ack, err
			}
		case <-failed:
			return nil, nil, fmt.Errorf("%w: reading again from the last acknowledged position: %w", service.ErrNotConnected, cause())
		case <-n.ended:
			return nil, nil, r.runEnded(n.err)
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// take registers a batch in the window, which waits for room, and makes its messages. A batch without messages only moves
// the position.
func (r *reader) take(ctx context.Context, b *change.Batch) (service.MessageBatch, service.AckFunc, error) {
	t, err := r.window.Add(ctx, len(b.Events), b.Position)
	if errors.Is(err, errGenerationClosed) {
		return nil, nil, fmt.Errorf("%w: %w", service.ErrNotConnected, err)
	}
	if err != nil {
		return nil, nil, err
	}
	r.metrics.unacknowledged(r.window)
	if len(b.Events) == 0 {
		return nil, nil, nil
	}
	return r.messages.batch(b), func(_ context.Context, err error) error {
		r.window.Resolve(t, err)
		r.metrics.unacknowledged(r.window)
		return nil
	}, nil
}

func (r *reader) runEnded(err error) error {
	if typed, ok := stop.As(err); ok && !retried(typed.Code) {
		r.stop(typed)
	}
	return errors.Join(service.ErrNotConnected, err)
}

// endRun ends the running generation and waits for it. What it handed over and the output still acknowledges changes nothing.
func (r *reader) endRun() {
	if r.run == nil {
		return
	}
	r.run.cancel()
	<-r.run.ended
	r.run = nil
	r.window.Close()
}

// Close ends capture, stores what is acknowledged by then and leaves the stream.
func (r *reader) Close(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endRun()
	r.meet.Withdraw()
	if r.writer == nil {
		return nil
	}
	w := r.writer
	r.writer = nil
	return w.close()
}
