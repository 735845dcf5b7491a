package kafka

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// counted is a batch of an input whose events are numbered from first on.
func counted(source string, first uint64, events ...change.Event) service.MessageBatch {
	b := &change.Batch{Source: source, Events: events}
	out := make(service.MessageBatch, len(events))
	for i := range events {
		events[i].Number = first + uint64(i)
		out[i] = service.NewMessageWithContext(change.WithBatch(context.Background(), b, i), events[i].Value)
	}
	return out
}

// P3: several pipeline threads let batches overtake one another.
func TestBatchThatWasOvertakenStopsTheOutput(t *testing.T) {
	_, conn := broker(t)
	o, _ := behind(t, conn, `{}`)
	connected(t, o)
	first, second := counted("shop", 1, row("a", 1), row("a", 2)), counted("shop", 3, row("a", 3))
	for _, batch := range []service.MessageBatch{
		first, first, // a batch whose acknowledgement was lost comes again
		counted("crm", 1, row("c", 1)),          // another input of the stream counts by itself
		counted("shop", 5, row("a", 5))[:1], {}, // numbers in between were filtered away
		counted("shop", 6, row("a", 6), row("a", 7))[1:],
	} {
		if err := o.WriteBatch(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.WriteBatch(t.Context(), second); !stop.Is(err, stop.Configuration) {
		t.Fatalf("overtaken: %v, want CDC-5003", err)
	}
	if got := flat(read(t, conn, "shop.T")); len(got) != 7 {
		t.Errorf("%d records, want 7: nothing of the batch that was overtaken", len(got))
	}
}

// P3: a batch that was refused on its way, as by a processor, comes again; what is on its way behind it comes again too.
func TestBatchBehindARefusedOneIsNotWritten(t *testing.T) {
	_, conn := broker(t)
	o, _ := behind(t, conn, `{}`)
	connected(t, o)
	generation := new(change.Generation)
	first, second := counted("shop", 1, row("a", 1)), counted("shop", 2, row("a", 2))
	for _, batch := range []service.MessageBatch{first, second} {
		change.BatchFrom(batch[0].Context()).Generation = generation
	}
	generation.Refuse()
	if err := o.WriteBatch(t.Context(), second); err == nil {
		t.Fatal("the batch behind the refused one is written")
	}
	for _, again := range []service.MessageBatch{counted("shop", 3, row("a", 1)), counted("shop", 4, row("a", 2))} {
		if err := o.WriteBatch(t.Context(), again); err != nil {
			t.Fatal(err)
		}
	}
	if got := flat(read(t, conn, "shop.T")); len(got) != 2 {
		t.Errorf("%d records, want 2", len(got))
	}
}

// P3: the runtime hands the next batch over before the input knows that a processor failed on the one before. What is not known
// yet is waited for; what this output has written itself is known.
func TestBatchBehindAGapWaitsForWhatBecameOfIt(t *testing.T) {
	in := func(g *change.Generation, ordinal uint64, batch service.MessageBatch) service.MessageBatch {
		b := change.BatchFrom(batch[0].Context())
		b.Generation, b.Ordinal = g, ordinal
		return batch
	}
	for _, tt := range []struct {
		name string
		// before is handed over first, tell says what becomes of the rest of it.
		before func(g *change.Generation) service.MessageBatch
		tell   func(g *change.Generation)
		want   error
	}{
		{"refused", nil, (*change.Generation).Refuse, errRefusedBefore},
		{"capture begins again", nil, (*change.Generation).End, errRefusedBefore},
		{"filtered away", nil, func(g *change.Generation) { g.Acknowledge(0) }, nil},
		{"written", func(g *change.Generation) service.MessageBatch {
			return in(g, 0, counted("shop", 1, row("a", 1), row("a", 2)))
		}, nil, nil},
		{"written in part and refused", func(g *change.Generation) service.MessageBatch {
			return in(g, 0, counted("shop", 1, row("a", 1), row("a", 2)))[:1]
		}, (*change.Generation).Refuse, errRefusedBefore},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, conn := broker(t)
			o, _ := behind(t, conn, `{}`)
			connected(t, o)
			g, wrote := new(change.Generation), 0
			if tt.before != nil {
				first := tt.before(g)
				if err := o.WriteBatch(t.Context(), first); err != nil {
					t.Fatal(err)
				}
				wrote = len(first)
			}
			told := make(chan struct{})
			go func() {
				defer close(told)
				if tt.tell != nil {
					<-time.After(50 * time.Millisecond)
					tt.tell(g)
				}
			}()
			// What is known needs no wait.
			ctx, cancel := context.WithTimeout(t.Context(), predecessorTimeout/2)
			defer cancel()
			err := o.WriteBatch(ctx, in(g, 1, counted("shop", 3, row("a", 3))))
			<-told
			if !errors.Is(err, tt.want) {
				t.Fatalf("%v, want %v", err, tt.want)
			}
			if err == nil {
				wrote++
			}
			if got := flat(read(t, conn, "shop.T")); len(got) != wrote {
				t.Errorf("%d records, want %d", len(got), wrote)
			}
		})
	}
}

func TestMessagesJoinedOutOfOrderAreRefused(t *testing.T) {
	_, conn := broker(t)
	o, _ := behind(t, conn, `{}`)
	connected(t, o)
	joined := append(counted("shop", 3, row("a", 3)), counted("shop", 1, row("a", 1))...)
	if err := o.WriteBatch(t.Context(), joined); !stop.Is(err, stop.Configuration) {
		t.Fatalf("%v, want CDC-5003", err)
	}
}

// P3: batches that batching of the output joined, with batches between them that were filtered away, wait for none of their own.
func TestJoinedBatchesDoNotWaitForThemselves(t *testing.T) {
	_, conn := broker(t)
	o, _ := behind(t, conn, `{}`)
	connected(t, o)
	g := new(change.Generation)
	joined := counted("shop", 1, row("a", 1))
	change.BatchFrom(joined[0].Context()).Generation = g
	for ordinal := uint64(2); ordinal < 6; ordinal += 2 {
		next := counted("shop", 1+ordinal, row("a", int(ordinal)))
		b := change.BatchFrom(next[0].Context())
		b.Generation, b.Ordinal = g, ordinal
		joined = append(joined, next...)
		g.Acknowledge(ordinal - 1) // filtered away
	}
	ctx, cancel := context.WithTimeout(t.Context(), predecessorTimeout/2)
	defer cancel()
	if err := o.WriteBatch(ctx, joined); err != nil {
		t.Fatal(err)
	}
}
