package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// errExhausted marks an error whose retries have run out.
var errExhausted = errors.New("it was tried again until the retries ran out")

// Final reports whether an error of Run is for good, and how it stops capture: a fault that no retry cures, or one whose retries
// inside have run out. Any other typed error may pass when Run is called again.
func Final(err error) (*stop.Error, bool) {
	typed, ok := stop.As(err)
	if !ok {
		return nil, false
	}
	entry, known := stop.Lookup(typed.Code)
	return typed, !known || !entry.Retried || errors.Is(err, errExhausted)
}

// faults counts failures in a row and says what to do about the next: mine again, connect again, or stop.
type faults struct {
	config *Config
	// steps counts failed steps in a row, same those that failed in the way of the last one.
	steps, same int
	last        failure
	// since is when the database became unreachable.
	since time.Time
	wait  time.Duration
}

// failure is the way in which a step failed, wherever it did.
type failure struct {
	code stop.Code
	what string
}

// reset forgets the failures before a success.
func (f *faults) reset() { f.steps, f.same, f.since, f.wait = 0, 0, time.Time{}, 0 }

// next classifies a failure. The error it returns is typed and ends capture.
func (f *faults) next(err error) (reconnect bool, wait time.Duration, stopped error) {
	class, typed := oracle.Classify(err)
	switch class {
	case oracle.ReMine, oracle.SnapshotRetry:
		f.steps++
		f.same++
		if this := (failure{typed.Code, typed.What}); this != f.last {
			f.last, f.same = this, 1
		}
		if f.steps > f.config.Retry.MaxSteps || f.same > f.limit(err) {
			return false, 0, exhausted(typed)
		}
		f.config.Log.Warn("A mining step failed and is mined again", "failures", f.steps, "cause", err.Error())
		return false, f.grow(), nil
	case oracle.Reconnect:
		now := f.config.Now()
		if f.since.IsZero() {
			f.since = now
		}
		if now.Sub(f.since) > f.config.Retry.MaxTime {
			return false, 0, exhausted(typed)
		}
		f.config.Log.Warn("The database is not available, connecting again", "cause", err.Error())
		return true, f.grow(), nil
	case oracle.Ignore:
		return false, 0, nil
	default:
		return false, 0, typed
	}
}

func exhausted(typed *stop.Error) error { return fmt.Errorf("%w: %w", typed, errExhausted) }

// limit is how often a step may fail in this way in a row (R10).
func (f *faults) limit(err error) int {
	if n := oracle.Retries(err); n > 0 {
		return min(n, f.config.Retry.MaxSteps)
	}
	return f.config.Retry.MaxSteps
}

func (f *faults) grow() time.Duration {
	f.wait = min(max(2*f.wait, f.config.Retry.InitialInterval), f.config.Retry.MaxInterval)
	return f.wait
}
