package snapshot

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Task is a table to be read.
type Task struct {
	Table     schema.Table
	Container oracle.Container
	Progress  *Progress
	// Condition is SQL that rows must meet, Override a whole query in the table's place; its text has :scn where the SCN belongs, and its
	// columns have the table's names, those of the key among them. Empty: none.
	Condition, Override string
	// Asked: one of them came with a request. What the database does not take of it ends the request, not capture.
	Asked bool
}

// Queue holds what is to be read, in order. It is safe for the engine, which adds and removes, and the reader, which takes.
type Queue struct {
	mu     sync.Mutex
	tasks  []*Task
	paused bool
	wake   chan struct{}
}

// NewQueue makes an empty queue.
func NewQueue() *Queue { return &Queue{wake: make(chan struct{}, 1)} }

// Add queues a table behind the others; one that is there already is replaced.
func (q *Queue) Add(t *Task) {
	q.mu.Lock()
	q.tasks = append(slices.DeleteFunc(q.tasks, func(x *Task) bool { return x.Table == t.Table }), t)
	q.mu.Unlock()
	q.Wake()
}

// Remove takes a table out: what is being read of it is finished and discarded by whoever gets it.
func (q *Queue) Remove(t schema.Table) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := len(q.tasks)
	q.tasks = slices.DeleteFunc(q.tasks, func(x *Task) bool { return x.Table == t })
	return len(q.tasks) < before
}

// Pause lets no further batch begin, Resume does again.
func (q *Queue) Pause() { q.set(true) }

// Resume ends a Pause.
func (q *Queue) Resume() { q.set(false) }

// Paused reports that no batch may begin.
func (q *Queue) Paused() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.paused
}

func (q *Queue) set(paused bool) {
	q.mu.Lock()
	q.paused = paused
	q.mu.Unlock()
	q.Wake()
}

// Wake tells the reader to look again: parts were queued again, memory was released, streaming caught up.
func (q *Queue) Wake() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// first gives the first tables that have something to be read, but for those that are held; some reports that there are such.
func (q *Queue) first(n int, held func(schema.Table) bool) (out []*Task, some bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.paused {
		return nil, false
	}
	for _, t := range q.tasks {
		switch {
		case len(out) == n:
			return out, some
		case !t.Progress.waiting():
		case held(t.Table):
			some = true
		default:
			out = append(out, t)
		}
	}
	return out, some
}

// wait returns when something may have changed, or after a time.
func (q *Queue) wait(ctx context.Context, atMost time.Duration) error {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	select {
	case <-q.wake:
		return nil
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
