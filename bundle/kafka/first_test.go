package kafka

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// A client that does not know a topic yet puts records into its partitions while it sends them: the first ones alone, and refused,
// must not let the ones behind them pass.
func TestFirstRecordsOfATopicAreNotOvertaken(t *testing.T) {
	for n := range 40 {
		c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.DefaultNumPartitions(1))
		if err != nil {
			t.Fatal(err)
		}
		o := probe(t, topicstore.Connection{kgo.SeedBrokers(c.ListenAddrs()...), kgo.RetryBackoffFn(func(int) time.Duration { return time.Millisecond })}, 1<<20)
		c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.UnknownServerError, Count: 1})
		const records = 400
		if err := deliver(t.Context(), o, numbered(0, records)); err != nil {
			t.Fatal(err)
		}
		for _, complaint := range inOrder(readAll(t, c), records) {
			t.Errorf("client %d: %s", n, complaint)
		}
		c.Close()
	}
}
