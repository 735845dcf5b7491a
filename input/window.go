package input

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// errGenerationClosed is what Add returns once a nack or a stop has ended the generation.
var errGenerationClosed = errors.New("the generation of acknowledgements is closed")

// window turns acknowledgements, which come in any order, late, twice or never, into the newest position up to which all
// batches are acknowledged (R65). Batches of one generation are numbered; the first nack closes the generation, and what
// comes back for it later changes nothing.
type window struct {
	limit int
	now   func() time.Time

	mu         sync.Mutex
	generation uint64
	// shared is the generation as outputs see it.
	shared *change.Generation
	closed bool
	// first is the number of ring[0]; entries below it are acknowledged.
	first    uint64
	entries  []entry
	messages int
	room     chan struct{} // closed and replaced when messages shrinks
	failure  error
	failed   chan struct{} // closed at the first nack of the generation
	safe     *position.Position
	// held is since when unacknowledged messages hold the position, over all generations; zero when none do.
	held  time.Time
	moved chan struct{} // one slot: the safe position is newer
}

// entry is a batch that was handed out.
type entry struct {
	position *position.Position
	messages int
	acked    bool
}

// ticket names a batch when its acknowledgement comes.
type ticket struct {
	generation, number uint64
	shared             *change.Generation
}

// newWindow makes a window that holds at most limit unacknowledged messages; safe is the position to begin with, if any.
func newWindow(limit int, now func() time.Time) *window {
	return &window{
		limit: limit, now: now, closed: true,
		room: make(chan struct{}), failed: make(chan struct{}), moved: make(chan struct{}, 1),
	}
}

// Begin starts a generation from a position; it forgets the batches of the one before.
func (w *window) Begin(from *position.Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.generation++
	if w.shared != nil {
		w.shared.End()
	}
	w.shared = new(change.Generation)
	w.closed, w.failure = false, nil
	w.first, w.entries, w.messages = 0, nil, 0
	w.failed = make(chan struct{})
	w.wake()
	w.safe = from
}

// Add registers a batch before it is handed out and waits until it fits. A batch without messages counts as acknowledged, so
// that its position moves as soon as everything before it is.
func (w *window) Add(ctx context.Context, messages int, p *position.Position) (ticket, error) {
	w.mu.Lock()
	generation := w.generation
	w.mu.Unlock()
	for {
		w.mu.Lock()
		if w.closed || w.generation != generation {
			w.mu.Unlock()
			return ticket{}, errGenerationClosed
		}
		if w.messages == 0 || w.messages+messages <= w.limit {
			t := ticket{generation: w.generation, number: w.first + uint64(len(w.entries)), shared: w.shared}
			w.entries = append(w.entries, entry{position: p, messages: messages, acked: messages == 0})
			if w.held.IsZero() {
				w.held = w.now()
			}
			w.messages += messages
			if messages == 0 {
				w.shared.Acknowledge(t.number)
				w.advance()
			}
			w.mu.Unlock()
			return t, nil
		}
		room, failed := w.room, w.failed
		w.mu.Unlock()
		select {
		case <-room:
		case <-failed:
		case <-ctx.Done():
			return ticket{}, ctx.Err()
		}
	}
}

// Resolve takes the acknowledgement of a batch, or with an error its nack.
func (w *window) Resolve(t ticket, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || t.generation != w.generation || t.number < w.first {
		return
	}
	if err != nil {
		w.shared.Refuse()
		w.close(err)
		return
	}
	w.entries[t.number-w.first].acked = true
	w.shared.Acknowledge(t.number)
	w.advance()
}

// advance moves the safe position over the acknowledged prefix.
func (w *window) advance() {
	n := 0
	for n < len(w.entries) && w.entries[n].acked {
		w.safe = w.entries[n].position
		w.messages -= w.entries[n].messages
		n++
	}
	if n == 0 {
		return
	}
	clear(w.entries[:n])
	w.entries = w.entries[n:]
	w.first += uint64(n)
	w.held = time.Time{}
	if len(w.entries) > 0 {
		w.held = w.now()
	}
	w.wake()
	select {
	case w.moved <- struct{}{}:
	default:
	}
}

func (w *window) wake() {
	close(w.room)
	w.room = make(chan struct{})
}

// Close ends the generation without a nack.
func (w *window) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.close(errGenerationClosed)
	}
}

func (w *window) close(err error) {
	w.closed, w.failure = true, err
	w.shared.End()
	close(w.failed)
}

// Failed returns a channel that is closed when the generation is, and the first nack then.
func (w *window) Failed() (<-chan struct{}, func() error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed, func() error {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.failure
	}
}

// Drained waits until everything that was handed out is acknowledged.
func (w *window) Drained(ctx context.Context) error {
	for {
		w.mu.Lock()
		room, failed, left, closed := w.room, w.failed, len(w.entries), w.closed
		w.mu.Unlock()
		switch {
		case closed:
			return errGenerationClosed
		case left == 0:
			return nil
		}
		select {
		case <-room:
		case <-failed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Safe returns the newest position up to which everything is acknowledged, nil before the first one.
func (w *window) Safe() *position.Position {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.safe
}

// Stored tells of a position that was stored before any batch was handed out.
func (w *window) Stored(p *position.Position) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.entries) == 0 && (w.safe == nil || w.safe.Sequence < p.Sequence) {
		w.safe = p
	}
}

// Moved signals that Safe may have changed since it was last read.
func (w *window) Moved() <-chan struct{} { return w.moved }

// Unacknowledged counts the messages that are out, and says since when they hold the position.
func (w *window) Unacknowledged() (messages int, since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.messages, w.held
}
