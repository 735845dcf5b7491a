package main

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// What is on its way when its sender dies never arrives; positions and, after the end, everything is written at once.
func TestStallsLoseWhatIsOnItsWayAtADeath(t *testing.T) {
	kafka, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "data", "position"))
	if err != nil {
		t.Fatal(err)
	}
	defer kafka.Close()
	s := stall(kafka, 1, "position")
	asked := make(chan struct{}, 1)
	s.wait = func() time.Duration {
		select {
		case asked <- struct{}{}:
		default:
		}
		return time.Hour
	}
	client := func() *kgo.Client {
		c, err := kgo.NewClient(kgo.SeedBrokers(kafka.ListenAddrs()...), kgo.ProducerLinger(0))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	write := func(c *kgo.Client, topic string) error {
		return c.ProduceSync(bounded(t), &kgo.Record{Topic: topic, Value: []byte("x")}).FirstErr()
	}
	dying, positions := client(), client()
	defer positions.Close()
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		failed <- dying.ProduceSync(ctx, &kgo.Record{Topic: "data", Value: []byte("lost")}).FirstErr()
	}()
	<-asked
	if err := write(positions, "position"); err != nil {
		t.Fatal(err)
	}
	cancel()
	dying.Close()
	if err := <-failed; err == nil {
		t.Error("a record was acknowledged that waits for an hour")
	}
	s.died()
	s.end()
	alive := client()
	defer alive.Close()
	if err := write(alive, "data"); err != nil {
		t.Fatal(err)
	}
	if n := kafka.PartitionInfo("data", 0).HighWatermark; n != 1 {
		t.Errorf("%d records, want the one that was written after the death", n)
	}
}
