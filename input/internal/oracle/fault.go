package oracle

import "github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"

// Fault is an error that redolog or logminer found itself and that retrying may cure.
type Fault struct {
	Class Class
	// Becomes is what it is when the retries have run out.
	Becomes *stop.Error
	// Limit bounds repeats in a row; -1: by time (retry.max_time).
	Limit int
}

func (f *Fault) Error() string { return f.Becomes.What + ": " + f.Becomes.Object }

// Unwrap gives the cause, not Becomes: until the retries have run out nothing has stopped.
func (f *Fault) Unwrap() error { return f.Becomes.Err }
