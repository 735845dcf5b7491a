package engine

import (
	"context"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// intake is what the miner hands over, as the emitter takes it: groups wait here while an item waits for a batch, since mining has to go
// on until F has passed the batch's SCN (R78).
type intake struct {
	groups <-chan *group
	queue  []*group
	// closed: the miner has ended.
	closed bool
	// frontier is F as of the last group that was taken: everything that committed up to it is in a group that was taken.
	frontier position.SCN
}

func (i *intake) took(g *group, ok bool) {
	if !ok {
		i.closed, i.groups = true, nil
		return
	}
	i.queue = append(i.queue, g)
	i.frontier = max(i.frontier, g.frontier)
}

// more reports whether another group waits.
func (i *intake) more() bool { return len(i.queue) > 0 || len(i.groups) > 0 }

// lowest finds the group that begins with the lowest item of those that wait; nil without any.
func (i *intake) lowest() (g *group) {
	for _, waiting := range i.queue {
		// Its items are in the order of their keys.
		if len(waiting.items) > 0 && (g == nil || waiting.items[0].Key.Compare(g.items[0].Key) < 0) {
			g = waiting
		}
	}
	return g
}

// next waits for the next group. Batches of snapshots go out meanwhile.
func (e *emitter) next(ctx context.Context) (*group, error) {
	for {
		if len(e.intake.queue) > 0 {
			g := e.intake.queue[0]
			e.intake.queue = e.intake.queue[1:]
			return g, nil
		}
		if err := e.batches(ctx); err != nil {
			return nil, err
		}
		if e.complete() {
			return nil, e.leaveOff(ctx)
		}
		if e.intake.closed {
			return nil, nil
		}
		if err := e.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// wait returns when a group came or the gate may decide otherwise.
func (e *emitter) wait(ctx context.Context) error {
	select {
	case g, ok := <-e.intake.groups:
		e.intake.took(g, ok)
	case <-e.order.changed:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// batches lets out what the gate has while no item waits.
func (e *emitter) batches(ctx context.Context) error {
	for _, r := range e.order.refusals() {
		if err := e.leave(r.table, r.fault.Error()); err != nil {
			return err
		}
	}
	for {
		step, b, _ := e.order.next(e.intake.frontier, 0, false, nil)
		if step != snapshot.EmitBatch {
			break
		}
		if err := e.readBatch(ctx, b); err != nil {
			return err
		}
	}
	if e.batch == nil {
		return nil
	}
	e.mark()
	return e.flush(ctx)
}

// pass returns when an item may go out: behind every batch AS OF an SCN at or below its commit (R76). Meanwhile mining goes on, and what
// reaches the redo late goes before the batch that it lies below.
func (e *emitter) pass(ctx context.Context, item *transaction.Committed) error {
	var blocked time.Time
	for {
		passed, late := e.order.pass(item.Key.SCN, func() []schema.Table { return touched(item) })
		if passed {
			e.again(late)
			return nil
		}
		if blocked.IsZero() {
			blocked = e.config.Now()
		}
		if moved, err := e.ahead(ctx); moved || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		// What is rendered is not held up with it.
		if e.batch != nil {
			e.mark()
			if err := e.flush(ctx); err != nil {
				return err
			}
		}
		if err := e.hold(ctx, blocked); err != nil {
			return err
		}
	}
}

// ahead lets out what goes before an item that waits, and reports whether there was something.
func (e *emitter) ahead(ctx context.Context) (moved bool, err error) {
	g := e.intake.lowest()
	var lowest position.SCN
	if g != nil {
		lowest = g.items[0].Key.SCN
	}
	step, b, late := e.order.next(e.intake.frontier, lowest, g != nil, func() []schema.Table { return touched(g.items[0]) })
	switch step {
	case snapshot.EmitBatch:
		return true, e.readBatch(ctx, b)
	case snapshot.EmitItem:
		e.again(late)
		return true, e.jump(ctx, g)
	default:
		return false, nil
	}
}

// hold waits while an item waits for a batch, no longer than the configuration allows and the memory lasts; then the batch is given up
// (R78).
func (e *emitter) hold(ctx context.Context, since time.Time) error {
	left := e.config.Snapshot.MaxHold - e.config.Now().Sub(since)
	if left <= 0 {
		e.config.Log.Warn("Changes waited too long for rows that are read; what is read is given up and read again", "max_hold", e.config.Snapshot.MaxHold.String())
		e.order.abandon()
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case g, ok := <-e.intake.groups:
		e.intake.took(g, ok)
	case <-e.order.changed:
	case <-e.pressed:
		if e.starved() {
			e.config.Log.Warn("Changes that wait for rows fill transactions.memory; what is read is given up and read again. A snapshot gets on where the memory holds what commits in a few seconds: raise it if this goes on")
			e.order.abandon()
		}
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// jump emits the first item of a group that waits. It reached the redo after the step that covered its SCN, and lies below a batch: behind it, it
// would put older rows over newer ones. Its group's turn comes later: until then the position names it, once all of it is out, so that a restart
// in between does not deliver it again.
func (e *emitter) jump(ctx context.Context, g *group) error {
	item := g.items[0]
	g.items, g.after = g.items[1:], nil
	if err := e.fault(item); err != nil {
		return err
	}
	e.still = true
	e.left += item.Len()
	alone := &group{items: []*transaction.Committed{item}, boundary: g.boundary}
	err := e.item(ctx, alone, 0, heldBy(alone.items, e.running.Resume))
	if e.still = false; err != nil {
		return err
	}
	item.Release()
	e.released()
	return nil
}

// touched lists the tables of an item.
func touched(item *transaction.Committed) []schema.Table {
	var out []schema.Table
	var last *schema.Version
	for c := range item.Changes() {
		if c.Version == last {
			continue
		}
		if last = c.Version; !slices.Contains(out, last.Table) {
			out = append(out, last.Table)
		}
	}
	return out
}
