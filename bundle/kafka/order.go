package kafka

import (
	"errors"
	"slices"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// order holds per input the number of the batch that was written last. A batch from before it was overtaken on its way, by
// several pipeline threads as streams mode has them by default: what was written is not in commit order (P3). Capture then stops,
// and after a restart both come again in order, since neither moved the position.
type order map[string]uint64

// check refuses messages of a batch that was overtaken. The same batch may come again.
func (o order) check(batch service.MessageBatch) error {
	seen := order{}
	for _, msg := range batch {
		source, number, ok := origin(msg)
		if !ok {
			continue
		}
		if last := max(o[source], seen[source]); number < last {
			return stop.New(stop.Configuration, "kafka_franz", "changes arrive out of order: the batch of event %d behind that of event %d", number, last).
				Doing("set pipeline.threads to 1, and keep what reorders or retries messages (several threads, buffers, retry outputs) out of the stream")
		}
		seen[source] = number
	}
	return nil
}

// written takes the messages of a batch that is acknowledged.
func (o order) written(batch service.MessageBatch) {
	for _, msg := range batch {
		if source, number, ok := origin(msg); ok {
			o[source] = number
		}
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

// origin names the input and the batch, by the number of its first event, that a message comes from.
func origin(msg *service.Message) (source string, number uint64, ok bool) {
	b := change.BatchFrom(msg.Context())
	if b == nil || len(b.Events) == 0 || b.Events[0].Number == 0 {
		return "", 0, false
	}
	return b.Source, b.Events[0].Number, true
}
