package logminer

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// missRetries: the same miss may discard a step twice in a row, the third one ends capture (R10).
const missRetries = 2

// checker judges rows one by one and keeps the marks of the step.
type checker struct {
	plan   redolog.Step
	filter *Filter
	net    *Net
	// region is what the query excludes.
	region position.Boundary
	// thread is the only one of the step, 0 if there are several.
	thread    int
	addresses map[int]position.RBA
	repeated  int64
}

func newChecker(r Request) *checker {
	c := &checker{plan: r.Plan, filter: r.Filter, net: r.Net, region: r.Net.region(r.Plan.From), addresses: map[int]position.RBA{}}
	for _, l := range r.Plan.Logs {
		if c.thread != 0 && c.thread != l.Thread {
			c.thread = 0
			break
		}
		c.thread = l.Thread
	}
	return c
}

// row judges a row. It reports whether the row is delivered; an error fails the step.
func (c *checker) row(r *Row) (deliver bool, err error) {
	switch {
	case r.Operation == MissingSCN:
		return false, discarded(r, "LogMiner reports a gap in the redo stream (MISSING_SCN)")
	case r.Operation.ignorable():
		return false, nil
	case !r.Operation.known():
		if c.filter.captured(r.Container, r.ObjectID) {
			return false, stop.New(stop.Corrupt, r.at(), "%s on a captured object is not known to this version", r.Operation)
		}
		return false, nil
	case r.SCN > c.plan.Bound:
		return false, stop.New(stop.Corrupt, r.at(), "LogMiner returned a row above the bound %s of the query", c.plan.Bound)
	case r.XID.IsZero():
		// Buffered, it would open a transaction that never ends (reference logminer N 8).
		if r.Operation == Start {
			return false, nil
		}
		if !r.Operation.marker() && r.Operation != DDL {
			return false, stop.New(stop.Corrupt, r.at(), "a change row (%s) without a transaction id", r.Operation)
		}
	}
	numbered := r.Thread != 0
	if !numbered {
		if err := c.adopt(r); err != nil {
			return false, err
		}
	}
	if r.Address.IsZero() {
		return c.unaddressed(r)
	}
	if err := c.inRange(r); err != nil {
		return false, err
	}
	if numbered || !r.Operation.marker() {
		if r.Address.Compare(c.addresses[r.Thread]) > 0 {
			c.addresses[r.Thread] = r.Address
		}
		// The predicate has excluded the region already; this keeps a row single whatever the texts that it compared.
		if c.region.Covers(r.SCN, r.Thread, r.Address) {
			c.repeated++
			return false, nil
		}
	}
	return c.caught(r)
}

// adopt gives a row with THREAD# 0 a thread: with one thread it is that one, with several only a marker may have none. The
// address of a marker counts only if its log is one of the step's (R29).
func (c *checker) adopt(r *Row) error {
	if c.thread == 0 {
		if r.Operation.marker() {
			r.Address = position.RBA{}
			return nil
		}
		return stop.New(stop.Corrupt, r.at(), "a change row (%s) without a redo thread, of which there are several", r.Operation)
	}
	r.Thread = c.thread
	if _, ok := c.plan.Log(r.Thread, r.Address.Sequence); !ok && r.Operation.marker() {
		r.Address = position.RBA{}
	}
	return nil
}

// unaddressed judges a row without an address (R13): it never becomes a mark, and may come again with every step.
func (c *checker) unaddressed(r *Row) (deliver bool, err error) {
	switch r.Operation {
	case Start:
		return false, nil
	case Commit, Rollback, ReplicationMarker:
		return true, nil
	default:
		return false, stop.New(stop.Corrupt, r.at(), "a row (%s) without an address in the redo", r.Operation)
	}
}

// inRange checks that the address lies in a log of the step and the SCN in that log (R10, K3).
func (c *checker) inRange(r *Row) error {
	l, ok := c.plan.Log(r.Thread, r.Address.Sequence)
	if ok && l.Contains(r.SCN) {
		return nil
	}
	return discarded(r, "LogMiner returned a row (%s) from outside the step's logs", r.Operation)
}

// discarded is a miss of R10: mining again may cure it.
func discarded(r *Row, format string, args ...any) error {
	return &oracle.Fault{Class: oracle.ReMine, Limit: missRetries, Becomes: stop.New(stop.StepFailed, r.at(), format, args...)}
}

// caught passes rows that lie in the region already delivered through the re-read net.
func (c *checker) caught(r *Row) (deliver bool, err error) {
	if c.net == nil {
		return true, nil
	}
	if !c.plan.From.Covers(r.SCN, r.Thread, r.Address) {
		// Closed logs are final: only what the tail delivered is read again.
		if c.plan.Tail {
			c.net.remember(r)
		}
		return true, nil
	}
	deliver = c.net.judge(r)
	if !deliver {
		c.repeated++
	}
	return deliver, nil
}
