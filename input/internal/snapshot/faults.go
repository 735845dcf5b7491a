package snapshot

import (
	"errors"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// faults says what follows a failure that is none of a chunk: connecting again, or the end.
type faults struct {
	config *Config
	// since is when the database became unreachable.
	since time.Time
	wait  time.Duration
	fails int
}

// reset forgets the failures before a success.
func (f *faults) reset() { f.since, f.wait, f.fails = time.Time{}, 0, 0 }

// next gives the wait before the next attempt. The error is typed and ends the reader.
func (f *faults) next(err error) (time.Duration, error) {
	class, typed := oracle.Classify(err)
	if errors.Is(err, errHeld) {
		// The database did not answer in time, outside of reading rows.
		class = oracle.Reconnect
	}
	now := f.config.Now()
	switch class {
	case oracle.Reconnect:
		if f.since.IsZero() {
			f.since = now
		}
		if now.Sub(f.since) > f.config.RetryTime {
			return 0, typed
		}
	case oracle.Stop:
		return 0, typed
	default:
		if f.fails++; f.fails > f.config.Retries {
			return 0, typed
		}
	}
	f.config.Log.Warn("The snapshot lost its connections and connects again", "cause", err.Error())
	f.wait = min(max(2*f.wait, f.config.RetryWait), f.config.RetryMaxWait)
	return f.wait, nil
}
