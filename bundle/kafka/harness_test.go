package kafka

import (
	"context"
	"errors"
	"fmt"
	"testing"

	_ "github.com/redpanda-data/benthos/v4/public/components/io"
	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

func broker(t *testing.T, opts ...kfake.Opt) (*kfake.Cluster, topicstore.Connection) {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1), kfake.DefaultNumPartitions(3)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, topicstore.Connection{kgo.SeedBrokers(c.ListenAddrs()...)}
}

// behind gives an output in a stream whose input shares the connection.
func behind(t *testing.T, conn topicstore.Connection, yaml string) (*Output, *service.Resources) {
	t.Helper()
	res := service.MockResources()
	rendezvous.Of(res).Offer("oracle", rendezvous.Settings{Prefix: "shop", Kafka: conn})
	return build(t, res, yaml), res
}

func build(t *testing.T, res *service.Resources, yaml string) *Output {
	t.Helper()
	conf, err := Spec().ParseYAML(yaml, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := New(conf, res)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return o
}

func connected(t *testing.T, o *Output) *Output {
	t.Helper()
	if err := o.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return o
}

// deliver does what the runtime does with one batch in flight: it connects again and hands over the same batch until it is
// written or refused.
func deliver(ctx context.Context, o *Output, batch service.MessageBatch) error {
	for {
		err := o.WriteBatch(ctx, batch)
		if !errors.Is(err, service.ErrNotConnected) || o.stopped != nil {
			return err
		}
		for o.Connect(ctx) != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
}

// row is a change of table T; the value says which one it is, as the place in the redo does in real records.
func row(key string, n int) change.Event {
	return change.Event{
		Kind: change.Change, Op: change.Update, Topic: "shop.T", Key: []byte(key), Value: fmt.Appendf(nil, "%s:%d", key, n),
		SCN: position.SCN(n), Version: (&schema.Version{Number: 4}).Seal(), Index: n,
		Transaction: &change.Transaction{ID: position.XID{USN: 1, Slot: 2, Sequence: 3}, Key: position.Key{SCN: 900}, Count: 50},
		Headers:     debezium.Headers(debezium.Settings{Profile: debezium.CDC()}),
	}
}

func tombstone(key string, n int) change.Event {
	ev := row(key, n)
	ev.Kind, ev.Value = change.Tombstone, nil
	return ev
}

// messages makes a batch as the input does, with the metadata that is chosen by default.
func messages(events ...change.Event) service.MessageBatch {
	b := &change.Batch{Events: events}
	out := make(service.MessageBatch, len(events))
	for i := range events {
		out[i] = service.NewMessageWithContext(change.WithBatch(context.Background(), b, i), events[i].Value)
		out[i].MetaSetMut("kafka_topic", events[i].Topic)
		if events[i].Key != nil {
			out[i].MetaSetMut("kafka_key", string(events[i].Key))
		}
	}
	return out
}

// read gives all records of a topic by partition.
func read(t *testing.T, conn topicstore.Connection, topic string) map[int32][]*kgo.Record {
	t.Helper()
	cl, err := kgo.NewClient(append(conn[:len(conn):len(conn)], kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))...)
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	listed, err := kadm.NewClient(cl).ListEndOffsets(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	left := int64(0)
	listed.Each(func(o kadm.ListedOffset) {
		if o.Err == nil {
			left += o.Offset
		}
	})
	out := map[int32][]*kgo.Record{}
	for left > 0 {
		fetches := cl.PollFetches(t.Context())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			out[r.Partition] = append(out[r.Partition], r)
			left--
		})
	}
	return out
}

func flat(byPartition map[int32][]*kgo.Record) []*kgo.Record {
	var out []*kgo.Record
	for _, records := range byPartition {
		out = append(out, records...)
	}
	return out
}

func headers(r *kgo.Record) map[string]string {
	out := map[string]string{}
	for _, h := range r.Headers {
		out[h.Key] = string(h.Value)
	}
	return out
}
