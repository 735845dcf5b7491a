package change

import (
	"context"
	"sync"
)

// Generation is what is handed out between one beginning of capture and the next. The first refusal in it ends it: capture begins
// again behind what is acknowledged, and what else was handed out must not be written before that comes again (P3). Whoever hands
// out batches keeps it up to date; an output reads it.
type Generation struct {
	mu sync.Mutex
	// acknowledged is how many batches from the first on are.
	acknowledged   uint64
	refused, ended bool
	// changed is closed at the next change; nil while nobody waits for it.
	changed chan struct{}
}

// Acknowledge tells that the first n batches are acknowledged.
func (g *Generation) Acknowledge(n uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.acknowledged = n
	g.wake()
}

// Refuse ends the generation because of a batch that was refused.
func (g *Generation) Refuse() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refused, g.ended = true, true
	g.wake()
}

// End ends the generation for another reason: acknowledgements are no longer counted.
func (g *Generation) End() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = true
	g.wake()
}

func (g *Generation) wake() {
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}

// Refused reports whether a batch of the generation was refused.
func (g *Generation) Refused() bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refused
}

// Await waits until the first n batches are acknowledged. It reports false when that will never be told, since the generation has
// ended.
func (g *Generation) Await(ctx context.Context, n uint64) (acknowledged bool, err error) {
	for {
		g.mu.Lock()
		switch {
		case g.acknowledged >= n && !g.refused:
			g.mu.Unlock()
			return true, nil
		case g.ended:
			g.mu.Unlock()
			return false, nil
		case g.changed == nil:
			g.changed = make(chan struct{})
		}
		changed := g.changed
		g.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}
