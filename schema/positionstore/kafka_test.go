package positionstore

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

const topic = "shop.cdc.position"

func cluster(t *testing.T) *kfake.Cluster {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func broker(t *testing.T) topicstore.Connection {
	t.Helper()
	return topicstore.Connection{kgo.SeedBrokers(cluster(t).ListenAddrs()...)}
}

func openKafka(t *testing.T, conn topicstore.Connection) *KafkaStore {
	t.Helper()
	s, err := OpenKafka(t.Context(), KafkaConfig{Connection: conn, Topic: topic, Prefix: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// produce writes past the store, as a foreign instance or a fault would.
func produce(t *testing.T, conn topicstore.Connection, key, value string) {
	t.Helper()
	s, err := topicstore.Open(t.Context(), topicstore.Config{Connection: conn, Topic: topic, Partitions: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	record := &topicstore.Record{Key: []byte(key), Value: []byte(value)}
	if value == "tombstone" {
		record.Value = nil
	}
	if err := s.Append(t.Context(), record); err != nil {
		t.Fatal(err)
	}
}

func TestOtherKeysAndTombstonesAreToldApart(t *testing.T) {
	conn := broker(t)
	s := openKafka(t, conn)
	save(t, s, at("a", 1))
	produce(t, conn, "other", encode(t, at("x", 9)))
	save(t, s, at("a", 2))
	if diff := cmp.Diff(at("a", 2), load(t, openKafka(t, conn))); diff != "" {
		t.Fatal(diff)
	}
	produce(t, conn, "shop", "tombstone")
	if p := load(t, openKafka(t, conn)); p != nil {
		t.Fatalf("after a tombstone: %+v, want none", p)
	}
	produce(t, conn, "shop", "damaged")
	produce(t, conn, "shop", encode(t, at("b", 1)))
	if p := load(t, openKafka(t, conn)); p == nil || p.Run != "b" {
		t.Fatalf("damaged record below a good one: %+v", p)
	}
}

func TestR66LateRecordOfOneRunChangesNothing(t *testing.T) {
	conn := broker(t)
	for _, seq := range []uint64{1, 3, 2} {
		produce(t, conn, "shop", encode(t, at("a", seq)))
	}
	if p := load(t, openKafka(t, conn)); p.Sequence != 3 {
		t.Fatalf("loaded %d, want 3", p.Sequence)
	}
	produce(t, conn, "shop", encode(t, at("b", 1)))
	if p := load(t, openKafka(t, conn)); p.Run != "b" {
		t.Fatalf("loaded run %s, want the later run b", p.Run)
	}
}

// R66's scenario: a write of generation 1 is slow and ends after generation 2's.
func TestR66SlowWriteNeverEndsOnTopOfANewerOne(t *testing.T) {
	c := cluster(t)
	conn := topicstore.Connection{kgo.SeedBrokers(c.ListenAddrs()...)}
	s := openKafka(t, conn)
	fault := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	ctx, cancel := context.WithCancel(t.Context())
	slow := make(chan error, 1)
	go func() { slow <- s.Save(ctx, at("a", 1)) }()
	if err := fault.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-slow; err == nil {
		t.Fatal("slow write succeeded")
	}
	fault.Remove()
	save(t, s, at("a", 2))
	save(t, s, at("a", 3))
	var stored []string
	err := s.topic.Read(t.Context(), func(r topicstore.Record) error {
		stored = append(stored, fmt.Sprint(peek(r.Value).Sequence))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1", "2", "3"}, stored); diff != "" {
		t.Fatal(diff)
	}
}

// beforeWrite runs something after the store has looked for others and before its record goes out.
type beforeWrite struct{ do func() }

func (b *beforeWrite) OnProduceRecordBuffered(*kgo.Record) {
	if b.do != nil {
		b.do()
	}
}

func TestForeignRunBetweenLookAndWriteIsSeen(t *testing.T) {
	conn := broker(t)
	var between beforeWrite
	s := openKafka(t, append(conn[:len(conn):len(conn)], kgo.WithHooks(&between)))
	save(t, s, at("a", 1))
	other := openKafka(t, conn)
	load(t, other)
	between.do = func() { save(t, other, at("b", 1)) }
	if err := s.Save(t.Context(), at("a", 2)); !stop.Is(err, stop.Fenced) {
		t.Fatalf("got %v, want CDC-9002", err)
	}
	// The old instance's write came last; the young one goes on and writes over it.
	save(t, other, at("b", 2))
	if p := load(t, openKafka(t, conn)); p.Run != "b" || p.Sequence != 2 {
		t.Fatalf("stored %s %d", p.Run, p.Sequence)
	}
}

func TestPositionTopicMustBeCompactedAndSingle(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, topic))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	conn := topicstore.Connection{kgo.SeedBrokers(c.ListenAddrs()...)}
	if _, err := OpenKafka(t.Context(), KafkaConfig{Connection: conn, Topic: topic, Prefix: "shop"}); !stop.Is(err, stop.Topic) {
		t.Fatalf("got %v, want CDC-9004", err)
	}
}
