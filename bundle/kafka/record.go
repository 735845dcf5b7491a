package kafka

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// renderer makes Kafka records from messages.
type renderer struct {
	config *config
	// single is told of topics that must have one partition.
	single *ordered
}

// records makes the records of a batch in its order.
func (r *renderer) records(batch service.MessageBatch) ([]*kgo.Record, bool, error) {
	messages, err := match(batch)
	if err != nil {
		return nil, true, err
	}
	out, events := make([]*kgo.Record, len(batch)), false
	backing := make([]kgo.Record, len(batch))
	headers := headerBuffer{messages: len(batch)}
	for i := range messages {
		out[i] = &backing[i]
		if ev := messages[i].event; ev != nil {
			events = true
			err = r.event(out[i], batch, i, &messages[i], &headers)
		} else {
			err = r.plain(out[i], batch, i, messages[i].content)
		}
		if err != nil {
			return nil, events, err
		}
	}
	return out, events, nil
}

// refused gives the error with which one of our components refused a message of the batch. Without strict error handling the
// runtime passes such messages on: rows whose table version is not stored (R75).
func refused(batch service.MessageBatch) error {
	for _, msg := range batch {
		if err := msg.GetError(); err != nil && change.From(msg.Context()) != nil {
			if _, ok := stop.As(err); ok {
				return err
			}
		}
	}
	return nil
}

// event fills the record of a message of oracle_cdc.
func (r *renderer) event(rec *kgo.Record, batch service.MessageBatch, i int, c *carried, headers *headerBuffer) error {
	ev := c.event
	rec.Topic, rec.Key, rec.Value = ev.Topic, ev.Key, c.content
	switch {
	case ev.Null():
		rec.Value = nil
	case rec.Value == nil:
		rec.Value = []byte{}
	}
	if r.config.headers && ev.Headers != nil {
		rec.Headers = headers.append(ev)
	}
	if err := r.fields(rec, batch, i); err != nil {
		return stop.Wrap(stop.Refused, err, rec.Topic, "the record of an event cannot be made").
			Doing("correct the interpolation, so that it fits tombstones and heartbeats too")
	}
	if ev.Kind == change.SchemaChange {
		r.single.add(rec.Topic)
	}
	return nil
}

// plain fills the record of any other message. One that oracle_cdc marked as a tombstone before it lost its event is one still.
func (r *renderer) plain(rec *kgo.Record, batch service.MessageBatch, i int, content []byte) error {
	rec.Value = content
	if rec.Value == nil {
		rec.Value = []byte{}
	}
	if mark, ok := batch[i].MetaGet("tombstone"); ok && mark == "true" && len(content) == 0 {
		rec.Value = nil
	}
	return r.fields(rec, batch, i)
}

// fields applies what the configuration says on top of the event.
func (r *renderer) fields(rec *kgo.Record, batch service.MessageBatch, i int) error {
	if f := r.config.topic; f != nil {
		topic, err := batch.TryInterpolatedString(i, f)
		if err != nil {
			return fmt.Errorf("%s: %w", kfFieldTopic, err)
		}
		rec.Topic = topic
	}
	if rec.Topic == "" {
		return fmt.Errorf("%s must be set for messages that carry no event", kfFieldTopic)
	}
	if f := r.config.key; f != nil {
		key, err := batch.TryInterpolatedBytes(i, f)
		if err != nil {
			return fmt.Errorf("%s: %w", kfFieldKey, err)
		}
		rec.Key = key
	}
	if f := r.config.partition; f != nil {
		n, err := number(batch, i, f, kfFieldPartition, 32)
		if err != nil {
			return err
		}
		rec.Partition = int32(n) //nolint:gosec // sized by number
	}
	if f := r.config.timestamp; f != nil {
		n, err := number(batch, i, f, kfFieldTimestamp, 64)
		if err != nil {
			return err
		}
		rec.Timestamp = time.UnixMilli(n)
	}
	if r.config.metadata.IsEmpty() {
		return nil
	}
	return r.config.metadata.Walk(batch[i], func(key, value string) error {
		rec.Headers = append(rec.Headers, kgo.RecordHeader{Key: key, Value: []byte(value)})
		return nil
	})
}

func number(batch service.MessageBatch, i int, f *service.InterpolatedString, name string, bits int) (int64, error) {
	text, err := batch.TryInterpolatedString(i, f)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	n, err := strconv.ParseInt(text, 10, bits)
	if err != nil {
		// The text may be a row value: it stays out of the error.
		return 0, fmt.Errorf("%s does not give a whole number of %d bits", name, bits)
	}
	return n, nil
}

// headerBuffer holds the headers of one batch: their values share memory that is used until the batch is written.
type headerBuffer struct {
	// messages is how many share the memory; the first one tells how much that is.
	messages int
	values   []byte
	headers  []change.Header
	out      []kgo.RecordHeader
}

func (b *headerBuffer) append(ev *change.Event) []kgo.RecordHeader {
	b.headers, b.values = ev.Headers(b.headers[:0], b.values, ev)
	if cap(b.out) == 0 && len(b.headers) > 0 {
		const growth = 8 // numbers of later events may be longer
		b.out = make([]kgo.RecordHeader, 0, b.messages*len(b.headers))
		b.values = slices.Grow(b.values, (b.messages-1)*(len(b.values)+growth))
	}
	from := len(b.out)
	for _, h := range b.headers {
		b.out = append(b.out, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	return b.out[from:len(b.out):len(b.out)]
}
