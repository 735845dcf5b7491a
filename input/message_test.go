package input

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

func update() change.Event {
	return change.Event{
		Kind: change.Change, Op: change.Update, Topic: "shop.APP.ORDERS", Key: []byte(`{"ID":1}`), Value: []byte(`{"op":"u"}`),
		Version: &schema.Version{Table: schema.Table{PDB: "PDB1", Owner: "APP", Name: "ORDERS"}, Number: 4},
		SCN:     1<<63 + 1, Millis: 1_700_000_000_000, Index: 2,
		Transaction: &change.Transaction{
			ID: position.XID{USN: 5, Slot: 6, Sequence: 7}, Key: position.Key{SCN: 1<<63 + 9}, CommitMillis: 1_700_000_001_000, Count: 3,
		},
	}
}

// one makes the message of an event.
func one(m *messages, ev *change.Event) *service.Message {
	return m.batch(&change.Batch{Events: []change.Event{*ev}})[0]
}

func metadataOf(t *testing.T, m *service.Message) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := m.MetaWalkMut(func(key string, value any) error { out[key] = value; return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// contracts 3.
func TestEveryMetadataKeyHasItsValueAndType(t *testing.T) {
	all := newMessages(metadataKeys)
	if len(all.metadata) != len(metadataKeys) {
		t.Fatalf("%d keys have a value, the field knows %d", len(all.metadata), len(metadataKeys))
	}
	ofChange := map[string]any{
		"kafka_topic": "shop.APP.ORDERS", "kafka_key": `{"ID":1}`, "message_type": "change", "operation": "update", "pdb_name": "PDB1",
		"database_schema": "APP", "table_name": "ORDERS", "scn": "9223372036854775809", "commit_scn": "9223372036854775817",
		"transaction_id": "5.6.7", "event_index": int64(2), "event_count": int64(3), "schema_version": int64(4), "snapshot": false,
		"source_ts_ms": int64(1_700_000_000_000), "commit_ts_ms": int64(1_700_000_001_000),
	}
	ev := update()
	grave := update()
	grave.Kind, grave.Op, grave.Value = change.Tombstone, change.Delete, nil
	ofGrave := maps.Clone(ofChange)
	ofGrave["message_type"], ofGrave["operation"], ofGrave["tombstone"] = "tombstone", "delete", true
	beat := change.Event{Kind: change.Heartbeat, Topic: "shop.cdc.heartbeat", Key: []byte("k"), Value: []byte("v"), SCN: 77, Millis: 5}
	for name, c := range map[string]struct {
		event *change.Event
		want  map[string]any
	}{
		"change":    {&ev, ofChange},
		"tombstone": {&grave, ofGrave},
		"heartbeat": {&beat, map[string]any{
			"kafka_topic": "shop.cdc.heartbeat", "kafka_key": "k", "message_type": "heartbeat", "scn": "77", "source_ts_ms": int64(5),
		}},
	} {
		if diff := cmp.Diff(c.want, metadataOf(t, one(all, c.event))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestMessageCarriesItsRecordAndItsEvent(t *testing.T) {
	b := &change.Batch{Events: []change.Event{update(), update()}}
	b.Events[1].Kind, b.Events[1].Value = change.Tombstone, nil
	for i, m := range newMessages(nil).batch(b) {
		value, err := m.AsBytes()
		if err != nil || string(value) != string(b.Events[i].Value) {
			t.Errorf("message %d: %q, %v", i, value, err)
		}
		if change.From(m.Context()) != &b.Events[i] {
			t.Errorf("message %d does not carry its event", i)
		}
		if got := metadataOf(t, m); len(got) > 0 {
			t.Errorf("message %d has metadata that was not chosen: %v", i, got)
		}
	}
}

// contracts 2, 3: a tombstone is marked where the output cannot see the event, chosen or not.
func TestTombstoneIsMarkedForForeignOutputs(t *testing.T) {
	grave := update()
	grave.Kind, grave.Value = change.Tombstone, nil
	m := newMessages([]string{"operation"})
	if got := metadataOf(t, one(m, &grave)); got["tombstone"] != nil {
		t.Errorf("marked in front of our output: %v", got)
	}
	m.markTombstones = true
	if got := metadataOf(t, one(m, &grave)); got["tombstone"] != true {
		t.Errorf("not marked: %v", got)
	}
	ev := update()
	if got := metadataOf(t, one(m, &ev)); got["tombstone"] != nil {
		t.Errorf("a change is marked: %v", got)
	}
}

// Reference benthos 7: a message with a context value costs four allocations, the metadata map one and each value that is no
// constant one. The slice of a batch is one for all.
func TestMessagesKeepTheirBudgetOfAllocations(t *testing.T) {
	b := &change.Batch{}
	for range 100 {
		b.Events = append(b.Events, update())
	}
	for _, c := range []struct {
		keys []string
		most float64
	}{
		{nil, 4.1},
		{[]string{"kafka_topic", "kafka_key", "operation", "database_schema", "table_name"}, 8.1},
		// One text for the rows of a chunk, which have one SCN.
		{[]string{"kafka_topic", "kafka_key", "operation", "database_schema", "table_name", "scn"}, 8.1},
	} {
		m := newMessages(c.keys)
		got := testing.AllocsPerRun(10, func() { m.batch(b) }) / float64(len(b.Events))
		t.Logf("%d keys: %.2f allocations per message", len(c.keys), got)
		if got > c.most {
			t.Errorf("%d keys: %.2f allocations per message, the budget is %g", len(c.keys), got, c.most)
		}
	}
}

func TestMessagesOfOneTableHaveTheirOwnSCN(t *testing.T) {
	b := &change.Batch{}
	want := []string{"5", "5", "7", "5", "", "5"}
	version := update().Version
	for _, scn := range []position.SCN{5, 5, 7, 5, 0, 5} {
		ev := update()
		ev.Version, ev.SCN = version, scn
		b.Events = append(b.Events, ev)
	}
	for i, m := range newMessages([]string{"scn"}).batch(b) {
		if got, _ := m.MetaGet("scn"); got != want[i] {
			t.Errorf("message %d has the SCN %q, want %q", i, got, want[i])
		}
	}
}

func BenchmarkMessages(bench *testing.B) {
	b := &change.Batch{}
	for range 1000 {
		b.Events = append(b.Events, update())
	}
	m := newMessages([]string{"kafka_topic", "kafka_key", "operation", "database_schema", "table_name"})
	bench.ReportAllocs()
	for bench.Loop() {
		m.batch(b)
	}
	bench.ReportMetric(float64(bench.Elapsed().Nanoseconds())/float64(bench.N)/1000, "ns/message")
}
