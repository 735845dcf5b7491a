package kafka

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// slowPartitioning gives the sending half of the client time between the records that the other half puts into a partition.
type slowPartitioning struct{ records atomic.Int32 }

func (s *slowPartitioning) OnProduceRecordPartitioned(*kgo.Record, int32) {
	if s.records.Add(1) < 20 {
		<-time.After(2 * time.Millisecond)
	}
}

// A client that does not know a topic yet puts records into its partitions while it sends them: the first ones, when they are
// refused, must not be passed by those behind them.
func TestFirstRecordsOfATopicAreNotOvertaken(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.DefaultNumPartitions(1))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	o := probe(t, topicstore.Connection{kgo.SeedBrokers(c.ListenAddrs()...), kgo.RetryBackoffFn(func(int) time.Duration { return time.Millisecond })}, 1<<20)
	o.config.client = append(o.config.client, kgo.WithHooks(&slowPartitioning{}))
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.UnknownServerError, Count: 1})
	const records = 40
	if err := deliver(t.Context(), o, numbered(0, records)); err != nil {
		t.Fatal(err)
	}
	for _, complaint := range inOrder(readAll(t, c), records) {
		t.Error(complaint)
	}
}
