package kafka

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// removed does what the runtime does when a batch processor removes messages: the rest keeps its content and metadata, and
// gets the contexts of the first messages.
func removed(batch service.MessageBatch, keep func(i int) bool) (out service.MessageBatch, kept []int) {
	for i, msg := range batch {
		if keep(i) {
			out = append(out, msg.WithContext(batch[len(out)].Context()))
			kept = append(kept, i)
		}
	}
	return out, kept
}

func TestMessagesFindTheirEventsWhateverWasRemoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []change.Event
		for n := range rapid.IntRange(1, 12).Draw(t, "events") {
			ev := row(fmt.Sprint(rapid.IntRange(0, 2).Draw(t, "key")), n)
			if rapid.Bool().Draw(t, "is tombstone") {
				ev = tombstone(fmt.Sprint(n), n)
			}
			events = append(events, ev)
		}
		keep := rapid.SliceOfN(rapid.Bool(), len(events), len(events)).Draw(t, "keep")
		batch, kept := removed(messages(events...), func(i int) bool { return keep[i] })
		other, otherKept := removed(messages(events...), func(i int) bool { return !keep[i] })
		plain := service.NewMessage([]byte("plain"))
		got, err := match(slices.Concat(batch, service.MessageBatch{plain}, other))
		if err != nil {
			t.Fatal(err)
		}
		if got[len(batch)].event != nil {
			t.Fatal("plain message got an event")
		}
		got = slices.Delete(got, len(batch), len(batch)+1)
		for i, at := range slices.Concat(kept, otherKept) {
			if got[i].event.Index != events[at].Index || string(got[i].event.Key) != string(events[at].Key) {
				t.Fatalf("message %d has event %d, want %d", i, got[i].event.Index, at)
			}
		}
	})
}

func TestChangedMessagesOfAWholeBatchKeepTheirEvents(t *testing.T) {
	batch := messages(row("a", 0), row("a", 1), tombstone("a", 2))
	for _, m := range batch {
		m.SetBytes([]byte("changed"))
		m.MetaDelete("kafka_key")
		m.MetaSetMut("kafka_topic", "elsewhere")
	}
	got, err := match(batch)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i].event.Index != i {
			t.Fatalf("message %d has event %d", i, got[i].event.Index)
		}
	}
}

func TestChangedMessagesOfAReducedBatchAreToldByMetadata(t *testing.T) {
	reduced := func(choose ...string) service.MessageBatch {
		all := messages(row("a", 0), row("a", 1), row("b", 2), row("b", 3))
		for i, m := range all {
			m.SetBytes([]byte("changed"))
			for _, key := range []string{"kafka_topic", "kafka_key"} {
				if !slices.Contains(choose, key) {
					m.MetaDelete(key)
				}
			}
			if slices.Contains(choose, "event_index") {
				m.MetaSetMut("event_index", int64(i))
			}
		}
		out, _ := removed(all, func(i int) bool { return i != 0 })
		return out
	}
	got, err := match(reduced("kafka_topic", "kafka_key", "event_index"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i].event.Index != i+1 {
			t.Errorf("message %d has event %d", i, got[i].event.Index)
		}
	}
	for _, choose := range [][]string{nil, {"kafka_topic", "kafka_key"}} {
		if _, err := match(reduced(choose...)); !stop.Is(err, stop.Configuration) {
			t.Errorf("metadata %v: %v, want CDC-5003 since key a has two changes", choose, err)
		}
	}
}

func TestMessagesMadeFromOthersAreRefused(t *testing.T) {
	one := messages(row("a", 0))
	copied := service.NewMessageWithContext(one[0].Context(), []byte("made up"))
	if _, err := match(service.MessageBatch{one[0], copied}); !stop.Is(err, stop.Configuration) {
		t.Fatalf("got %v, want CDC-5003", err)
	}
	ev := row("a", 0)
	unknown := service.NewMessageWithContext(change.With(context.Background(), &ev), []byte("changed"))
	if _, err := match(service.MessageBatch{unknown}); !stop.Is(err, stop.Configuration) {
		t.Fatalf("got %v, want CDC-5003", err)
	}
}

// The same through the runtime itself: it would write every row behind a removed one with the key of another.
func TestFilterInAPipelineKeepsKeysWithTheirRows(t *testing.T) {
	_, conn := broker(t)
	var events []change.Event
	for n := range 50 {
		events = append(events, row(strconv.Itoa(n), n))
	}
	in := &feed{batches: []service.MessageBatch{messages(events...)}, acked: make(chan error, 1)}
	run(t, in, conn, `
pipeline: {threads: 1, processors: [{mapping: 'root = if content().string().re_match(":[0-9]*[37]$") { deleted() }'}]}
output: {kafka_franz: {}}
`)
	if err := <-in.acked; err != nil {
		t.Fatal(err)
	}
	got := flat(read(t, conn, "shop.T"))
	if len(got) != 40 {
		t.Errorf("%d records, want 40", len(got))
	}
	for _, r := range got {
		if want := string(r.Key) + ":" + headers(r)["cdc.event_index"]; string(r.Value) != want {
			t.Errorf("value %s has key and index of %s", r.Value, want)
		}
	}
}

// feed is an input that hands out batches and reports their acknowledgements.
type feed struct {
	batches []service.MessageBatch
	acked   chan error
	// gate, if set, lets one batch through for each value.
	gate chan struct{}
	// built sees the resources of the stream, if set.
	built func(*service.Resources)
}

func (f *feed) Connect(context.Context) error { return nil }

func (f *feed) ReadBatch(ctx context.Context) (service.MessageBatch, service.AckFunc, error) {
	if len(f.batches) == 0 {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	}
	if f.gate != nil {
		select {
		case <-f.gate:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
	next := f.batches[0]
	f.batches = f.batches[1:]
	return next, func(_ context.Context, err error) error { f.acked <- err; return nil }, nil
}

func (f *feed) Close(context.Context) error { return nil }

// run starts a stream and ends it with the test.
func run(t *testing.T, in *feed, conn topicstore.Connection, yaml string) {
	t.Helper()
	env := service.NewEnvironment()
	err := env.RegisterBatchInput("feed", service.NewConfigSpec(), func(_ *service.ParsedConfig, res *service.Resources) (service.BatchInput, error) {
		rendezvous.Of(res).Offer(res.Label(), rendezvous.Settings{Prefix: "shop", Kafka: conn})
		if in.built != nil {
			in.built(res)
		}
		return in, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b := env.NewStreamBuilder()
	if err := b.SetYAML("input: {feed: {}}\nerror_handling: {strict: true}\nlogger: {level: 'OFF'}\n" + yaml); err != nil {
		t.Fatal(err)
	}
	stream, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- stream.Run(context.Background()) }()
	t.Cleanup(func() {
		if err := stream.StopWithin(10 * time.Second); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
