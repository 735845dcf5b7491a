package scenario_test

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
)

// partitions of topics that are made on demand: keys are spread, so that order within a key is something to keep.
const partitions = 3

// broker is a Kafka broker. With a folder it keeps its topics over a restart.
type broker struct {
	t       *testing.T
	dir     string
	port    int
	cluster *kfake.Cluster
}

func newBroker(t *testing.T) *broker {
	t.Helper()
	return startBroker(t, t.TempDir())
}

// newMemoryBroker is a broker for scenarios that do not restart it.
func newMemoryBroker(t *testing.T) *broker {
	t.Helper()
	return startBroker(t, "")
}

func startBroker(t *testing.T, dir string) *broker {
	t.Helper()
	b := &broker{t: t, dir: dir}
	b.up()
	t.Cleanup(b.down)
	return b
}

func (b *broker) up() {
	b.t.Helper()
	options := []kfake.Opt{kfake.NumBrokers(1), kfake.DefaultNumPartitions(partitions)}
	if b.dir != "" {
		options = append(options, kfake.DataDir(b.dir), kfake.SyncWrites())
	}
	if b.port != 0 {
		options = append(options, kfake.Ports(b.port))
	}
	var err error
	if b.cluster, err = kfake.NewCluster(options...); err != nil {
		b.t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(b.address())
	if err != nil {
		b.t.Fatal(err)
	}
	if b.port, err = strconv.Atoi(port); err != nil {
		b.t.Fatal(err)
	}
}

func (b *broker) down() {
	if b.cluster != nil {
		b.cluster.Close()
		b.cluster = nil
	}
}

func (b *broker) address() string { return b.cluster.ListenAddrs()[0] }

func (b *broker) client(options ...kgo.Opt) *kgo.Client {
	b.t.Helper()
	client, err := kgo.NewClient(append(options, kgo.SeedBrokers(b.address()))...)
	if err != nil {
		b.t.Fatal(err)
	}
	return client
}

// topic reads a topic as it is now, partition by partition; nil when there is no such topic.
func (b *broker) topic(name string) []*kgo.Record {
	b.t.Helper()
	client := b.client(kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{}))
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	offsets, err := kadm.NewClient(client).ListEndOffsets(ctx, name)
	if err != nil {
		b.t.Fatal(err)
	}
	begin, missing := map[int32]kgo.Offset{}, int64(0)
	offsets.Each(func(o kadm.ListedOffset) {
		if o.Err == nil {
			begin[o.Partition] = kgo.NewOffset().AtStart()
			missing += o.Offset
		}
	})
	client.AddConsumePartitions(map[string]map[int32]kgo.Offset{name: begin})
	var all []*kgo.Record
	for int64(len(all)) < missing {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			b.t.Fatal(err)
		}
		all = append(all, fetches.Records()...)
	}
	slices.SortFunc(all, func(a, b *kgo.Record) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Offset, b.Offset))
	})
	return all
}

// settings gives the settings of a topic by name, with the number of its partitions.
func (b *broker) settings(name string) (config map[string]string, partitions int) {
	b.t.Helper()
	client := b.client()
	defer client.Close()
	admin := kadm.NewClient(client)
	configs, err := admin.DescribeTopicConfigs(context.Background(), name)
	if err != nil {
		b.t.Fatal(err)
	}
	config = map[string]string{}
	for _, c := range configs[0].Configs {
		config[c.Key] = c.MaybeValue()
	}
	topics, err := admin.ListTopics(context.Background(), name)
	if err != nil {
		b.t.Fatal(err)
	}
	return config, len(topics[name].Partitions)
}

// produce writes a record as somebody else does.
func (b *broker) produce(r *kgo.Record) {
	b.t.Helper()
	client := b.client()
	defer client.Close()
	if err := client.ProduceSync(context.Background(), r).FirstErr(); err != nil {
		b.t.Fatal(err)
	}
}

// startKafka starts the smallest pipeline of the distribution and waits until it captures.
func (s *scenario) startKafka(b *broker, change fields) *pipeline {
	s.t.Helper()
	p := s.launchKafka(b, change, "kafka_franz: {}")
	p.until("no position is stored", func() bool { return len(b.topic("shop.cdc.position")) > 0 })
	return p
}

func (s *scenario) launchKafka(b *broker, change fields, output string) *pipeline {
	s.t.Helper()
	return s.launchKafkaBehind(b, change, "oracle_schema: {}", output)
}

func (s *scenario) launchKafkaBehind(b *broker, change fields, processor, output string) *pipeline {
	s.t.Helper()
	all := fields{
		"kafka.seed_brokers": []string{b.address()}, "position.file": nil, "emit.heartbeat_interval": "50ms",
	}
	for path, value := range change {
		all[path] = value
	}
	p := s.newPipeline()
	p.host = nil
	builder := service.NewStreamBuilder()
	s.configure(builder, map[string]any{"oracle_cdc": s.configuration(all)}, processor, output)
	p.run(builder)
	go p.watch()
	return p
}

// watch reports the recorded stop of a pipeline that has no host. It ends with the pipeline.
func (p *pipeline) watch() {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := rendezvous.Of(p.stream.Resources()).Stopped(); err != nil {
			p.typed <- err
			return
		}
		select {
		case <-tick.C:
		case <-p.ended:
			return
		}
	}
}

// settleKafka waits until everything committed by now is in its topic.
func (p *pipeline) settleKafka(b *broker) {
	p.s.t.Helper()
	p.s.fences++
	p.s.exec("INSERT INTO $"+fenceTable+" VALUES (:1)", p.s.fences)
	key := fmt.Sprintf(`{"ID":%d}`, p.s.fences)
	p.until("the fence does not arrive", func() bool {
		return slices.ContainsFunc(b.topic("shop."+p.s.full(fenceTable)), func(r *kgo.Record) bool { return string(r.Key) == key })
	})
}

// headers gives a record's headers as text, in order.
func headers(r *kgo.Record) string {
	var all []string
	for _, h := range r.Headers {
		all = append(all, h.Key+"="+string(h.Value))
	}
	return strings.Join(all, " ")
}

func header(r *kgo.Record, key string) string {
	for _, h := range r.Headers {
		if h.Key == key {
			return string(h.Value)
		}
	}
	return ""
}
