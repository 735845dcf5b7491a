package input

import (
	"context"
	"slices"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// messages turns a batch into messages: the record's value, the event in the context for our processor and output, and the
// chosen metadata for everyone else.
type messages struct {
	metadata []metadatum
	// markTombstones sets the metadata tombstone where the output cannot see the event.
	markTombstones bool
	names          map[*schema.Version]*names
	// numbered is the number of the last event that was handed out.
	numbered uint64
}

// metadatum is a metadata key with its value; ok is false where the event has none.
type metadatum struct {
	key   string
	value func(ev *change.Event, n *names) (v any, ok bool)
}

// names are the texts that the events of one table share, as metadata takes them: without that every message would have copies
// of their headers.
type names struct {
	topic, owner, table any
	operations          map[change.Op]any
	// scn is the text of the SCN that the last event had, which the rows of a chunk and most of a statement share.
	scn  position.SCN
	text any
}

// scnText gives an SCN as metadata takes it.
func (n *names) scnText(scn position.SCN) any {
	if n.scn != scn || n.text == nil {
		n.scn, n.text = scn, scn.String()
	}
	return n.text
}

func namesOf(ev *change.Event) *names {
	n := &names{topic: ev.Topic, operations: map[change.Op]any{}}
	if ev.Version != nil {
		n.owner, n.table = ev.Version.Table.Owner, ev.Version.Table.Name
	}
	for _, op := range []change.Op{change.Create, change.Update, change.Delete, change.Read, change.Truncate} {
		n.operations[op] = op.Name()
	}
	return n
}

// maxNames bounds the versions whose names are kept.
const maxNames = 4096

// namesFor gives the names of an event's table. Events of one version share a topic, but for those about the version itself.
func (m *messages) namesFor(ev *change.Event) *names {
	n, ok := m.names[ev.Version]
	if ok && n.topic == ev.Topic {
		return n
	}
	n = namesOf(ev)
	if ev.Version != nil && !ok {
		if len(m.names) >= maxNames {
			clear(m.names)
		}
		m.names[ev.Version] = n
	}
	return n
}

func newMessages(keys []string) *messages {
	m := &messages{names: map[*schema.Version]*names{}}
	for _, known := range metadata() {
		if slices.Contains(keys, known.key) {
			m.metadata = append(m.metadata, known)
		}
	}
	return m
}

func (m *messages) batch(b *change.Batch) service.MessageBatch {
	out := make(service.MessageBatch, len(b.Events))
	contexts := change.Contexts(context.Background(), b)
	for i := range b.Events {
		out[i] = m.message(contexts[i], &b.Events[i])
	}
	return out
}

func (m *messages) message(ctx context.Context, ev *change.Event) *service.Message {
	m.numbered++
	ev.Number = m.numbered
	msg := service.NewMessageWithContext(ctx, ev.Value)
	if len(m.metadata) > 0 {
		n := m.namesFor(ev)
		for i := range m.metadata {
			if v, ok := m.metadata[i].value(ev, n); ok {
				msg.MetaSetMut(m.metadata[i].key, v)
			}
		}
	}
	if m.markTombstones && ev.Null() {
		msg.MetaSetMut("tombstone", true)
	}
	return msg
}

// metadata lists the keys of contracts 3 with their values.
func metadata() []metadatum {
	ofRow := func(value func(ev *change.Event) any) func(*change.Event, *names) (any, bool) {
		return func(ev *change.Event, _ *names) (any, bool) {
			if ev.Version == nil {
				return nil, false
			}
			return value(ev), true
		}
	}
	ofTransaction := func(value func(ev *change.Event) any) func(*change.Event, *names) (any, bool) {
		return func(ev *change.Event, _ *names) (any, bool) {
			if ev.Transaction == nil {
				return nil, false
			}
			return value(ev), true
		}
	}
	return []metadatum{
		{"kafka_topic", func(ev *change.Event, n *names) (any, bool) { return n.topic, ev.Topic != "" }},
		{"kafka_key", func(ev *change.Event, _ *names) (any, bool) { return string(ev.Key), ev.Key != nil }},
		{"message_type", func(ev *change.Event, _ *names) (any, bool) { return string(ev.Kind), true }},
		{"operation", func(ev *change.Event, n *names) (any, bool) { return n.operations[ev.Op], ev.Op != 0 }},
		{"pdb_name", func(ev *change.Event, _ *names) (any, bool) {
			if ev.Version == nil || ev.Version.Table.PDB == "" {
				return nil, false
			}
			return ev.Version.Table.PDB, true
		}},
		{"database_schema", func(ev *change.Event, n *names) (any, bool) { return n.owner, ev.Version != nil }},
		{"table_name", func(ev *change.Event, n *names) (any, bool) { return n.table, ev.Version != nil }},
		{"scn", func(ev *change.Event, n *names) (any, bool) {
			if ev.SCN == 0 {
				return nil, false
			}
			return n.scnText(ev.SCN), true
		}},
		{"commit_scn", ofTransaction(func(ev *change.Event) any { return ev.Transaction.Key.SCN.String() })},
		{"transaction_id", ofTransaction(func(ev *change.Event) any { return ev.Transaction.ID.String() })},
		{"event_index", ofTransaction(func(ev *change.Event) any { return int64(ev.Index) })},
		{"event_count", ofTransaction(func(ev *change.Event) any { return int64(ev.Transaction.Count) })},
		{"schema_version", ofRow(func(ev *change.Event) any { return int64(ev.Version.Number) })},
		{"snapshot", func(ev *change.Event, _ *names) (any, bool) { return ev.Kind == change.Snapshot, ev.Version != nil }},
		{"source_ts_ms", func(ev *change.Event, _ *names) (any, bool) { return ev.Millis, ev.Millis != 0 }},
		{"commit_ts_ms", ofTransaction(func(ev *change.Event) any { return ev.Transaction.CommitMillis })},
		{"tombstone", func(ev *change.Event, _ *names) (any, bool) { return true, ev.Null() }},
	}
}
