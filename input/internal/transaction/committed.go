package transaction

import (
	"iter"
	"sync/atomic"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Committed is a committed transaction with captured rows. It belongs to whoever received it from Keep, until Release.
type Committed struct {
	ID     ID
	Key    position.Key
	Millis int64
	User   string
	// First is the boundary that the transaction holds back until it is acknowledged (R52).
	First position.Boundary

	startSCN    position.SCN
	startMillis int64

	entries []entry
	fault   *stop.Error
	bytes   int64
	used    *atomic.Int64
}

// Fault returns the mark that still stands: that of the transaction, or of the first surviving change that has one (R22).
func (c *Committed) Fault() *stop.Error {
	if c.fault != nil {
		return c.fault
	}
	for ch := range c.Changes() {
		if ch.Fault != nil {
			return ch.Fault
		}
	}
	return nil
}

// Marked returns the mark of the transaction as a whole, which no change of it explains.
func (c *Committed) Marked() *stop.Error { return c.fault }

// Changes yields the changes that no rollback took back, in the order they were made.
func (c *Committed) Changes() iter.Seq[*Change] {
	return func(yield func(*Change) bool) {
		for i := range c.entries {
			e := &c.entries[i]
			if e.undoes == none && !e.undone && !yield(&e.change) {
				return
			}
		}
	}
}

// Drop takes away the surviving changes that are not to be published; one with a fault stays. It is called after the commit, when no
// undo row can look for them any more (R114).
func (c *Committed) Drop(unwanted func(*Change) bool) {
	for i := range c.entries {
		e := &c.entries[i]
		if e.undoes == none && !e.undone && e.change.Fault == nil && unwanted(&e.change) {
			e.undone = true
		}
	}
}

// Withhold takes away the surviving changes of a transaction that is not to be published, whatever is wrong with them.
func (c *Committed) Withhold(unwanted func(*Change) bool) {
	for i := range c.entries {
		if e := &c.entries[i]; e.undoes == none && unwanted(&e.change) {
			e.undone = true
		}
	}
}

// Start gives SCN and time of the first row of the transaction here, whether a rollback took it back or not.
func (c *Committed) Start() (position.SCN, int64) { return c.startSCN, c.startMillis }

// Definitions counts the surviving changes that tell of DDL; they come first.
func (c *Committed) Definitions() int {
	n := 0
	for ch := range c.Changes() {
		if ch.Op != Define {
			break
		}
		n++
	}
	return n
}

// Len counts the surviving changes.
func (c *Committed) Len() int {
	n := 0
	for range c.Changes() {
		n++
	}
	return n
}

// Release gives the memory back to the budget; the transaction is not used afterwards. It may be called from any goroutine,
// once.
func (c *Committed) Release() {
	c.used.Add(-c.bytes)
	c.entries, c.bytes = nil, 0
}
