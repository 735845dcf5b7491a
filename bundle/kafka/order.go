package kafka

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// order holds per input what was written last. A batch from before it was overtaken on its way, by several pipeline threads as
// streams mode has them by default: what was written is not in commit order (P3). Capture then stops, and after a restart both
// come again in order, since neither moved the position.
type order map[string]place

// place is how far the batches of an input are written.
type place struct {
	// number is that of the first event of the batch written last.
	number uint64
	// next is the ordinal in the generation of the batch written last, or the one behind it once all its messages are written.
	generation *change.Generation
	next       uint64
	messages   int
}

// check refuses messages of a batch that was overtaken. The same batch may come again.
func (o order) check(batch service.MessageBatch) error {
	seen := map[string]uint64{}
	for _, msg := range batch {
		b := captured(msg)
		if b == nil {
			continue
		}
		number := b.Events[0].Number
		if last := max(o[b.Source].number, seen[b.Source]); number < last {
			return stop.New(stop.Configuration, "kafka_franz", "changes arrive out of order: the batch of event %d behind that of event %d", number, last).
				Doing("set pipeline.threads to 1, and keep what reorders or retries messages (several threads, buffers, retry outputs) out of the stream")
		}
		seen[b.Source] = number
	}
	return nil
}

// gap is a batch of which this output has not seen all that lie before it, from an ordinal on.
type gap struct {
	*change.Batch
	from uint64
}

// gaps are those of a batch to write, which may be joined of several of the input.
func (o order) gaps(batch service.MessageBatch) (behind []gap) {
	var last *change.Batch
	for _, msg := range batch {
		b := captured(msg)
		if b == nil || b.Generation == nil || b == last {
			continue
		}
		p := o[b.Source]
		from := uint64(0)
		if last != nil && last.Generation == b.Generation {
			from = last.Ordinal + 1 // what it is joined with is not waited for
		}
		if known := p.generation == b.Generation && b.Ordinal <= p.next; b.Ordinal > from && !known {
			behind = append(behind, gap{b, from})
		}
		last = b
	}
	return behind
}

// written takes the messages of a batch that is written.
func (o order) written(batch service.MessageBatch) {
	for _, msg := range batch {
		b := captured(msg)
		if b == nil {
			continue
		}
		p := o[b.Source]
		p.number = b.Events[0].Number
		if p.generation != b.Generation || p.next != b.Ordinal {
			p.generation, p.next, p.messages = b.Generation, b.Ordinal, 0
		}
		if p.messages++; p.messages == len(b.Events) {
			p.next, p.messages = b.Ordinal+1, 0
		}
		o[b.Source] = p
	}
}

// predecessorTimeout bounds the wait for what becomes of the batches before one.
const predecessorTimeout = 5 * time.Second

// settled waits until it is known that what lies before a batch was not refused: a processor may have failed on it, and the batch
// can be here before the input has that answer; the same batch comes again behind it then. What goes elsewhere, as to another
// output that is slow, is not waited for without an end: order between two places is not kept by anybody.
func settled(ctx context.Context, b gap) error {
	bounded, cancel := context.WithTimeout(ctx, predecessorTimeout)
	defer cancel()
	acknowledged, err := b.Generation.Await(bounded, b.from, b.Ordinal)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && !acknowledged:
		return errRefusedBefore
	default:
		return nil
	}
}

// errRefusedBefore is the nack of a batch behind one that was refused, as by a processor that failed: the input reads both again, and
// written now it would stand before the other (P3).
var errRefusedBefore = errors.New("a batch before this one was refused; both are read again")

func behindRefused(batch service.MessageBatch) bool {
	return slices.ContainsFunc(batch, func(msg *service.Message) bool {
		b := change.BatchFrom(msg.Context())
		return b != nil && b.Generation.Refused()
	})
}

// captured is the batch of an input that a message comes from, nil when it comes from none.
func captured(msg *service.Message) *change.Batch {
	b := change.BatchFrom(msg.Context())
	if b == nil || len(b.Events) == 0 || b.Events[0].Number == 0 {
		return nil
	}
	return b
}
