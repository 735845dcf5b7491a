package scenario_test

import (
	"context"
	"sync"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// sink is the consuming end of a pipeline. What it returns nil for is acknowledged.
type sink struct {
	mu      sync.Mutex
	got     []message
	changed chan struct{}
	batches int
	judge   judgement
	frozen  bool
}

// judgement decides about a batch before it counts as delivered: it may wait, and its error is the nack. Batches count from 1.
type judgement func(ctx context.Context, number int, batch []message) error

var _ service.BatchOutput = (*sink)(nil)

func newSink() *sink { return &sink{changed: make(chan struct{})} }

// judgeBy sets the judgement.
func (s *sink) judgeBy(j judgement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.judge = j
}

// freeze lets nothing pass any more.
func (s *sink) freeze() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen = true
}

// delivered gives what was acknowledged so far, and a channel that is closed when there is more.
func (s *sink) delivered() ([]message, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got[:len(s.got):len(s.got)], s.changed
}

// taken counts the batches that came, delivered or not.
func (s *sink) taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.batches
}

// Connect has nothing to do.
func (s *sink) Connect(context.Context) error { return nil }

// WriteBatch takes a batch.
func (s *sink) WriteBatch(ctx context.Context, batch service.MessageBatch) error {
	messages := make([]message, len(batch))
	for i, m := range batch {
		var err error
		if messages[i], err = read(m); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.batches++
	number, judge, frozen := s.batches, s.judge, s.frozen
	s.mu.Unlock()
	if judge != nil && !frozen {
		if err := judge(ctx, number, messages); err != nil {
			return err
		}
	}
	s.mu.Lock()
	if s.frozen {
		s.mu.Unlock()
		<-ctx.Done()
		return ctx.Err()
	}
	defer s.mu.Unlock()
	s.got = append(s.got, messages...)
	close(s.changed)
	s.changed = make(chan struct{})
	return nil
}

// Close has nothing to do.
func (s *sink) Close(context.Context) error { return nil }

// blockFrom lets batches before a number pass and holds all others until the pipeline ends. The channel is closed when the first
// one waits.
func (s *sink) blockFrom(number int) <-chan struct{} {
	waits := make(chan struct{})
	var once sync.Once
	s.judgeBy(func(ctx context.Context, n int, _ []message) error {
		if n < number {
			return nil
		}
		once.Do(func() { close(waits) })
		<-ctx.Done()
		return ctx.Err()
	})
	return waits
}
