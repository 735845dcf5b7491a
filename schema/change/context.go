package change

import "context"

type contextKey struct{}

// With returns a context that carries the event; a message keeps it through processors (reference benthos 7).
func With(ctx context.Context, ev *Event) context.Context {
	return context.WithValue(ctx, contextKey{}, ev)
}

// From returns the event that travels with a message, nil when there is none.
func From(ctx context.Context) *Event {
	ev, _ := ctx.Value(contextKey{}).(*Event)
	return ev
}
