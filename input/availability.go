package input

import (
	"context"
	"sync"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// availability says whether the database of a running generation can be reached. While it cannot, the runtime is told that the
// input is not connected, so that /ready says so; the engine keeps its open transactions and goes on trying by itself.
type availability struct {
	mu      sync.Mutex
	err     error
	changed chan struct{}
}

func newAvailability() *availability { return &availability{changed: make(chan struct{})} }

// set takes what the engine found: an error, or nil when the database is there again.
func (a *availability) set(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = err
	close(a.changed)
	a.changed = make(chan struct{})
}

// now gives a channel that is closed when the state changes, and what is wrong now.
func (a *availability) now() (changed <-chan struct{}, down error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.changed, a.err
}

// reportEvery is how often the runtime hears again why the database cannot be reached.
const reportEvery = 5 * time.Second

// goesOn reports whether the running generation is still good, so that it need not end: it has not ended, and nothing was
// refused. It waits for the database, and says at times what it waits for.
func (r *reader) goesOn(ctx context.Context) (kept bool, err error) {
	n := r.run
	if n == nil || !n.away {
		return false, nil
	}
	failed, _ := r.window.Failed()
	report := time.NewTimer(reportEvery)
	defer report.Stop()
	for {
		changed, down := n.database.now()
		select {
		case <-failed:
			return false, nil
		case <-n.ended:
			return false, nil
		default:
		}
		if down == nil {
			n.away = false
			return true, nil
		}
		select {
		case <-changed:
		case <-failed:
		case <-n.ended:
		case <-report.C:
			return true, service.NewErrBackOff(down, time.Millisecond)
		case <-ctx.Done():
			return true, ctx.Err()
		}
	}
}

// leave tells the next Connect that the runtime knows of a database that is away.
func (r *reader) leave(n *run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n.away = true
}
