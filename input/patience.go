package input

import (
	"context"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
)

// patience spaces and bounds the attempts to run after errors that may pass: a database that is down, a broker that does not
// answer. What fails inside a run is retried by the engine.
type patience struct {
	retry engine.Retry
	now   func() time.Time

	// since is when the first of a row of attempts failed.
	since time.Time
	wait  time.Duration
	// pause is what the next attempt waits first.
	pause time.Duration
}

// failed counts a failed attempt. It gives the wait before the next one, and reports that the time for attempts is over.
func (p *patience) failed() (wait time.Duration, exhausted bool) {
	now := p.now()
	if p.since.IsZero() {
		p.since = now
	}
	p.wait = min(max(2*p.wait, p.retry.InitialInterval), p.retry.MaxInterval)
	return p.wait, now.Sub(p.since) > p.retry.MaxTime
}

// worked forgets the failures.
func (p *patience) worked() { p.since, p.wait, p.pause = time.Time{}, 0, 0 }

// rest waits what the last failure asked for.
func (p *patience) rest(ctx context.Context) error {
	pause := p.pause
	p.pause = 0
	if pause <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
