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
	// acknowledged is how many batches from the first on are, above are those behind them.
	acknowledged   uint64
	above          map[uint64]struct{}
	refused, ended bool
	// changed is closed at the next change; nil while nobody waits for it.
	changed chan struct{}
}

// Acknowledge tells that a batch is acknowledged.
func (g *Generation) Acknowledge(ordinal uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if ordinal < g.acknowledged {
		return
	}
	if g.above == nil {
		g.above = map[uint64]struct{}{}
	}
	g.above[ordinal] = struct{}{}
	for {
		if _, ok := g.above[g.acknowledged]; !ok {
			break
		}
		delete(g.above, g.acknowledged)
		g.acknowledged++
	}
	g.wake()
}

// has reports whether the batches of a range are acknowledged.
func (g *Generation) has(from, to uint64) bool {
	for n := max(from, g.acknowledged); n < to; n++ {
		if _, ok := g.above[n]; !ok {
			return false
		}
	}
	return true
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

// Await waits until the batches from one to below another are acknowledged. It reports false when that will never be told, since the
// generation has ended.
func (g *Generation) Await(ctx context.Context, from, to uint64) (acknowledged bool, err error) {
	for {
		g.mu.Lock()
		switch {
		case g.has(from, to) && !g.refused:
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
