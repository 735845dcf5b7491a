package kafka

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// carried is a message on its way out: its content and the event that travels with it, nil for a plain one.
type carried struct {
	msg     *service.Message
	content []byte
	event   *change.Event
}

// match finds the event of each message. The context of a message is trusted only where nothing was removed from its batch:
// the runtime hands contexts on by index when a batch processor removes messages, so that a message would be written with the
// topic, key and headers of another one. Then the content decides, and for changed content the metadata.
func match(batch service.MessageBatch) ([]carried, error) {
	out := make([]carried, len(batch))
	for i, msg := range batch {
		content, err := msg.AsBytes()
		if err != nil {
			return nil, err
		}
		out[i] = carried{msg: msg, content: content, event: change.From(msg.Context())}
	}
	for from := 0; from < len(out); {
		to := from + 1
		origin := change.BatchFrom(batch[from].Context())
		for to < len(out) && change.BatchFrom(batch[to].Context()) == origin {
			to++
		}
		if err := matchGroup(out[from:to], origin); err != nil {
			return nil, err
		}
		from = to
	}
	return out, nil
}

// matchGroup settles neighbouring messages of one batch of the input.
func matchGroup(group []carried, origin *change.Batch) error {
	if !slices.ContainsFunc(group, func(c carried) bool { return c.event != nil && !c.unchanged(c.event) }) {
		return nil
	}
	if origin == nil {
		return ambiguous()
	}
	if len(group) == len(origin.Events) {
		return nil
	}
	next := 0
	for i := range group {
		at := group[i].find(origin.Events[next:])
		if at < 0 {
			return ambiguous()
		}
		group[i].event = &origin.Events[next+at]
		next += at + 1
	}
	return nil
}

func ambiguous() error {
	return stop.New(stop.Configuration, "kafka_franz", "a processor removed messages of a batch, or failed on them, and changed others, so that their events cannot be told apart").
		Doing("look for a mapping that fails on a tombstone, which is an empty message; else add kafka_topic, kafka_key, transaction_id and event_index to the input's metadata, or do not change messages in a pipeline that removes some")
}

// unchanged reports whether the message is as the input made it from the event. Content tells events apart, since it holds
// their place in the redo; tombstones have none.
func (c *carried) unchanged(ev *change.Event) bool {
	return bytes.Equal(c.content, ev.Value) && (len(c.content) > 0 || c.agrees(ev))
}

// find gives the index of the message's event among those that are left, -1 when it cannot be told.
func (c *carried) find(events []change.Event) int {
	if at := slices.IndexFunc(events, func(ev change.Event) bool { return c.unchanged(&ev) }); at >= 0 {
		return at
	}
	if _, ok := c.msg.MetaGet(metaKey); !ok {
		return -1
	}
	found := -1
	for i := range events {
		if !c.agrees(&events[i]) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// Metadata of contracts 3 that tells events apart.
const (
	metaTopic       = "kafka_topic"
	metaKey         = "kafka_key"
	metaType        = "message_type"
	metaTransaction = "transaction_id"
	metaIndex       = "event_index"
)

// agrees reports whether the metadata that the message has is that of the event.
func (c *carried) agrees(ev *change.Event) bool {
	same := func(key, want string) bool {
		have, ok := c.msg.MetaGet(key)
		return !ok || have == want
	}
	if !same(metaKey, string(ev.Key)) || !same(metaTopic, ev.Topic) || !same(metaType, string(ev.Kind)) {
		return false
	}
	return ev.Transaction == nil || same(metaTransaction, ev.Transaction.ID.String()) && same(metaIndex, strconv.Itoa(ev.Index))
}
