package snapshot

import (
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Ordering is the gate as the reader sees it. The engine implements it over a Gate, each method under the emitter's lock; none blocks.
type Ordering interface {
	// Lag is now minus the time of F. No batch begins while it is snapshot.max_lag or more (R79).
	Lag() time.Duration
	// Close, Set and GiveUp are those of the Gate. Whoever waits for the gate to open is woken by Set, GiveUp and Deliver.
	Close() (Ticket, position.SCN)
	Set(t Ticket, scn position.SCN) bool
	GiveUp(t Ticket) bool
	// Deliver hands over a batch with all its rows. False: the gate does not know its ticket, and the reader keeps the batch.
	Deliver(b *Batch) bool
}

// Versions gives the version of a table that capture has now; false: the table is not captured any more.
type Versions func(t schema.Table) (*schema.Version, bool)
