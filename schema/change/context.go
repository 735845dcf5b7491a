package change

import "context"

type contextKey struct{}

// carrier is a context with one event of a batch.
type carrier struct {
	context.Context
	batch *Batch
	event *Event
}

func (c *carrier) Value(key any) any {
	if key == (contextKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// With returns a context that carries the event; a message keeps it through processors (reference benthos 7).
func With(ctx context.Context, ev *Event) context.Context {
	return &carrier{Context: ctx, event: ev}
}

// WithBatch is With for event i of a batch. The batch lets an output find the right event after a processor has removed
// messages: batch processors of the runtime then hand contexts on by index, to the wrong messages (benthos v4.76.0,
// internal/component/processor/auto_observed.go).
func WithBatch(ctx context.Context, b *Batch, i int) context.Context {
	return &carrier{Context: ctx, batch: b, event: &b.Events[i]}
}

// Contexts is WithBatch for every event of a batch, in the order of its events and in two allocations.
func Contexts(ctx context.Context, b *Batch) []context.Context {
	carriers, out := make([]carrier, len(b.Events)), make([]context.Context, len(b.Events))
	for i := range carriers {
		carriers[i] = carrier{Context: ctx, batch: b, event: &b.Events[i]}
		out[i] = &carriers[i]
	}
	return out
}

// From returns the event that travels with a message, nil when there is none. After a processor that removes messages from
// a batch it may be another message's event: see Match.
func From(ctx context.Context) *Event {
	c, _ := ctx.Value(contextKey{}).(*carrier)
	if c == nil {
		return nil
	}
	return c.event
}

// BatchFrom returns the batch that the event of a message was handed out in, nil when that is not known.
func BatchFrom(ctx context.Context) *Batch {
	c, _ := ctx.Value(contextKey{}).(*carrier)
	if c == nil {
		return nil
	}
	return c.batch
}
