package verify_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestTopicsAreReadWithTheirLives writes a synthetic run through a broker, with a death in the middle, and judges what comes
// back.
func TestTopicsAreReadWithTheirLives(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.DefaultNumPartitions(3), kfake.AllowAutoTopicCreation())
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	h := newHistory(4, 30)
	end := len(h.stream)
	written := h.topics([2]int{end / 2, end/2 - 10})
	topics, err := verify.OpenTopics("shop", cluster.ListenAddrs()...)
	if err != nil {
		t.Fatal(err)
	}
	defer topics.Close()
	var deaths []verify.Ends
	produce(ctx, t, cluster, kgo.Record{Topic: "shop.cdc.heartbeat", Value: []byte("{}")})
	for life := range 2 {
		for _, r := range written {
			if r.Life == life {
				produce(ctx, t, cluster, toKafka(r))
			}
		}
		if life == 0 {
			ends, err := topics.Ends(ctx)
			if err != nil {
				t.Fatal(err)
			}
			deaths = append(deaths, ends)
		}
	}
	if err := verify.Await(ctx, "shop", "t014", cluster.ListenAddrs()...); err != nil {
		t.Fatalf("the last transaction was not seen: %v", err)
	}
	records, err := topics.Records(ctx, deaths)
	if err != nil {
		t.Fatal(err)
	}
	report := h.judge(t, records)
	if !report.Verified() || report.Duplicates != len(written)-end || len(records) != len(written) {
		t.Errorf("%d records of %d: %+v", len(records), len(written), report)
	}
	if !slices.ContainsFunc(records, func(r verify.Record) bool { return r.Value == nil }) {
		t.Error("no tombstone came back as one")
	}
}

func toKafka(r verify.Record) kgo.Record {
	record := kgo.Record{Topic: r.Topic, Partition: r.Partition, Key: r.Key, Value: r.Value, Timestamp: time.UnixMilli(r.Time)}
	for _, h := range r.Headers {
		record.Headers = append(record.Headers, kgo.RecordHeader{Key: h.Key, Value: []byte(h.Value)})
	}
	return record
}

func produce(ctx context.Context, t *testing.T, cluster *kfake.Cluster, record kgo.Record) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.AllowAutoTopicCreation())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.ProduceSync(ctx, &record).FirstErr(); err != nil {
		t.Fatal(err)
	}
}
