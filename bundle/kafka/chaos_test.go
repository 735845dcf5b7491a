package kafka

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// inOrder checks what at-least-once in strict order means for each partition: every record is there; the first time it is
// seen everything before it was seen; the last time of a record lies before the last time of all that follow it.
func inOrder(byPartition map[int32][]*kgo.Record, total int) (complaints []string) {
	seen := map[int]bool{}
	for p, records := range byPartition {
		var first []int
		last := map[int]int{}
		for at, r := range records {
			n := numberOf(r)
			if _, again := last[n]; !again {
				first = append(first, n)
			}
			last[n] = at
			seen[n] = true
		}
		for i := 1; i < len(first); i++ {
			if first[i] < first[i-1] {
				complaints = append(complaints, fmt.Sprintf("partition %d: record %d was first seen after %d", p, first[i], first[i-1]))
			}
			if last[first[i]] < last[first[i-1]] {
				complaints = append(complaints, fmt.Sprintf("partition %d: record %d lies last behind %d", p, first[i-1], first[i]))
			}
		}
	}
	if len(seen) != total {
		complaints = append(complaints, fmt.Sprintf("%d records are there, want %d", len(seen), total))
	}
	return complaints
}

func numberOf(r *kgo.Record) int {
	n, _ := strconv.Atoi(string(r.Value[len(r.Key)+1:]))
	return n
}

func numbered(from, to int) service.MessageBatch {
	var events []change.Event
	for n := from; n < to; n++ {
		events = append(events, row(fmt.Sprint(n%7), n))
	}
	return messages(events...)
}

func TestFaultsOfTheBrokerCostNeitherRecordsNorOrder(t *testing.T) {
	for seed := range uint64(25) {
		random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a sequence of faults that can be repeated
		c, err := kfake.NewCluster(kfake.NumBrokers(2), kfake.DefaultNumPartitions(3))
		if err != nil {
			t.Fatal(err)
		}
		conn := topicstore.Connection{kgo.SeedBrokers(c.ListenAddrs()...), kgo.RetryBackoffFn(func(int) time.Duration { return time.Millisecond })}
		o := probe(t, conn, []int{200, 1 << 20}[random.IntN(2)])
		total := 0
		for range 2 + random.IntN(5) {
			for range random.IntN(4) {
				c.Fault(anyFault(random))
			}
			size := 1 + random.IntN(60)
			if err := deliver(t.Context(), o, numbered(total, total+size)); err != nil {
				t.Fatal(err)
			}
			total += size
		}
		for _, complaint := range inOrder(readAll(t, c), total) {
			t.Errorf("seed %d: %s", seed, complaint)
		}
		c.Close()
	}
}

func anyFault(random *rand.Rand) kfake.Fault {
	requests := []kmsg.Key{kmsg.Produce, kmsg.Produce, kmsg.Metadata, kmsg.InitProducerID, kmsg.CreateTopics}
	faults := []*kerr.Error{
		kerr.UnknownServerError, kerr.NotLeaderForPartition, kerr.RequestTimedOut, kerr.NotEnoughReplicasAfterAppend,
		kerr.UnknownTopicOrPartition, kerr.CoordinatorNotAvailable, kerr.KafkaStorageError, kerr.OutOfOrderSequenceNumber,
	}
	return kfake.Fault{
		Keys: []kmsg.Key{requests[random.IntN(len(requests))]}, Err: faults[random.IntN(len(faults))], Count: 1 + random.IntN(3),
	}
}

// A check that cannot fail proves nothing.
func TestOrderCheckSeesWhatItIsFor(t *testing.T) {
	log := func(numbers ...int) map[int32][]*kgo.Record {
		var out []*kgo.Record
		for _, n := range numbers {
			out = append(out, &kgo.Record{Key: []byte("k"), Value: fmt.Appendf(nil, "k:%d", n)})
		}
		return map[int32][]*kgo.Record{0: out}
	}
	for name, c := range map[string]struct {
		log  map[int32][]*kgo.Record
		good bool
	}{
		"in order": {log(0, 1, 2), true}, "batch twice": {log(0, 1, 0, 1, 2), true}, "missing": {log(0, 2), false},
		"overtaken": {log(0, 2, 1), false}, "overtaken and repeated": {log(2, 0, 1, 2), false}, "stale at the end": {log(0, 1, 2, 1), false},
	} {
		if got := inOrder(c.log, 3); (len(got) == 0) != c.good {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// probe is an output with a small patience and rounds of a given size.
func probe(t *testing.T, conn topicstore.Connection, roundBytes int) *Output {
	t.Helper()
	o, _ := behind(t, conn, "create_topics: {partitions: 3}")
	o.config.roundBytes = roundBytes
	o.config.client = append(o.config.client, kgo.MetadataMinAge(10*time.Millisecond))
	return o
}

// readAll reads shop.T without faults in the way.
func readAll(t *testing.T, c *kfake.Cluster) map[int32][]*kgo.Record {
	t.Helper()
	out := map[int32][]*kgo.Record{}
	left := int64(0)
	for p := range int32(3) {
		if info := c.PartitionInfo("shop.T", p); info != nil {
			left += info.HighWatermark
		}
	}
	cl, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...), kgo.ConsumeTopics("shop.T"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	for left > 0 {
		fetches := cl.PollFetches(context.Background())
		fetches.EachRecord(func(r *kgo.Record) {
			out[r.Partition] = append(out[r.Partition], r)
			left--
		})
	}
	return out
}

// flaky stands between client and broker and cuts connections.
type flaky struct {
	net.Listener
	target string
	wait   sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
	down  bool
}

func newFlaky(t *testing.T, target string) *flaky {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &flaky{Listener: l, target: target, conns: map[net.Conn]bool{}}
	f.wait.Go(f.serve)
	t.Cleanup(func() {
		_ = l.Close()
		f.cut(true)
		f.wait.Wait()
	})
	return f
}

func (f *flaky) serve() {
	for {
		in, err := f.Accept()
		if err != nil {
			return
		}
		out, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", f.target)
		f.mu.Lock()
		if err != nil || f.down {
			f.mu.Unlock()
			_ = in.Close()
			if err == nil {
				_ = out.Close()
			}
			continue
		}
		f.conns[in], f.conns[out] = true, true
		f.mu.Unlock()
		for _, pair := range [][2]net.Conn{{in, out}, {out, in}} {
			f.wait.Go(func() {
				_, _ = io.Copy(pair[0], pair[1])
				_, _ = pair[0].Close(), pair[1].Close()
			})
		}
	}
}

// cut ends all connections; down refuses new ones too.
func (f *flaky) cut(down bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = down
	for c := range f.conns {
		_ = c.Close()
	}
	clear(f.conns)
}

// TestConnectionsAndBrokersThatGoAway cuts connections and restarts the broker on its data while a stream writes.
func TestConnectionsAndBrokersThatGoAway(t *testing.T) {
	dir, port := t.TempDir(), freePort(t)
	start := func() *kfake.Cluster {
		c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.Ports(port), kfake.DataDir(dir), kfake.SyncWrites(), kfake.DefaultNumPartitions(3))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := start()
	proxy := newFlaky(t, c.ListenAddrs()[0])
	// Every broker address leads through the proxy.
	conn := topicstore.Connection{kgo.SeedBrokers(proxy.Addr().String()), kgo.Dialer(func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, proxy.Addr().String())
	})}
	const batches, size = 60, 25
	in := &feed{acked: make(chan error, batches)}
	for i := range batches {
		in.batches = append(in.batches, numbered(i*size, (i+1)*size))
	}
	run(t, in, conn, "pipeline: {threads: 1, processors: []}\noutput: {kafka_franz: {}}\n")
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a fixed sequence of faults
	for i := range batches {
		if err := <-in.acked; err != nil {
			t.Fatalf("batch was refused: %v", err)
		}
		switch i % 20 {
		case 3, 8, 13:
			time.AfterFunc(time.Duration(random.IntN(3000))*time.Microsecond, func() { proxy.cut(false) })
		case 17:
			proxy.cut(true)
			c.Close()
			c = start()
			proxy.cut(false)
		}
	}
	for _, complaint := range inOrder(readAll(t, c), batches*size) {
		t.Error(complaint)
	}
	c.Close()
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	addr, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatal(errors.New("not a TCP address"))
	}
	return addr.Port
}
