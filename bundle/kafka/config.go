package kafka

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/config/kafka"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// config is a parsed and checked configuration.
type config struct {
	// conn is empty when the brokers of the input are taken over.
	conn   topicstore.Connection
	client []kgo.Opt

	// Interpolations are nil where nothing is set.
	topic, key, partition, timestamp *service.InterpolatedString
	metadata                         *service.MetadataFilter
	headers                          bool

	batching    service.BatchPolicy
	maxInFlight int

	// roundBytes and roundRecords bound what is written at once: see session.produce.
	roundBytes, roundRecords int

	create createTopics

	// patience is how long a write waits for acknowledgements before the output says that it is not connected.
	patience time.Duration
}

// ackPatience: a broker that restarts, or a new leader, should be there before.
const ackPatience = 30 * time.Second

// createTopics says what to do about missing topics.
type createTopics struct {
	enabled, byBroker    bool
	partitions, replicas int
}

// metadataMinAge is how often the client may look for new leaders and topics; its default of 5 s would make a new topic wait.
const metadataMinAge = 250 * time.Millisecond

func parseConfig(conf *service.ParsedConfig, res *service.Resources) (*config, error) {
	p := &parser{conf: conf}
	c := &config{
		topic: p.interpolated(kfFieldTopic), key: p.interpolated(kfFieldKey),
		partition: p.interpolated(kfFieldPartition), timestamp: p.interpolated(kfFieldTimestamp),
		metadata: value(p, conf.FieldMetadataFilter, kfFieldMetadata),
		headers:  value(p, conf.FieldBool, kfFieldHeaders),
		batching: value(p, conf.FieldBatchPolicy, kfFieldBatching), maxInFlight: value(p, conf.FieldInt, kfFieldMaxInFlight),
		roundBytes: p.bytes(kfFieldMaxMessageBytes, math.MaxInt32), roundRecords: value(p, conf.FieldInt, kfFieldMaxBufferedRecords),
		create: createTopics{
			enabled:    value(p, conf.FieldBool, kfFieldCreateTopics, kfFieldCreateEnabled),
			byBroker:   value(p, conf.FieldBool, kfFieldAutoTopicCreation),
			partitions: value(p, conf.FieldInt, kfFieldCreateTopics, kfFieldCreatePartitions),
			replicas:   value(p, conf.FieldInt, kfFieldCreateTopics, kfFieldCreateReplication),
		},
	}
	if most := p.bytes(kfFieldMaxBufferedBytes, math.MaxInt); most > 0 {
		// A round that the client does not take at once would be written again and again.
		c.roundBytes = min(c.roundBytes, most)
	}
	c.client, c.patience = p.clientOptions(), ackPatience
	if p.err != nil {
		return nil, p.err
	}
	var err error
	if c.conn, err = kafka.Connection(conf, res.Logger()); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := kgo.ValidateOpts(c.client...); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *config) check() error {
	switch policy := c.batching; {
	case (policy.Count > 0 || policy.ByteSize > 0) && policy.Period == "":
		return errors.New("batching.period must be set with count or byte_size, else the last batch never leaves")
	case c.maxInFlight < 1:
		return errors.New("max_in_flight must be at least 1")
	case c.create.replicas < -1 || c.create.replicas > math.MaxInt16 || c.create.replicas == 0:
		return errors.New("create_topics.replication_factor must be -1 or above 0")
	case c.create.partitions < -1 || c.create.partitions > math.MaxInt32 || c.create.partitions == 0:
		return errors.New("create_topics.partitions must be -1 or above 0")
	}
	return nil
}

// clientOptions are the options of the producing client besides its connection.
func (p *parser) clientOptions() []kgo.Opt {
	maxAge := p.duration(kfFieldMetadataMaxAge)
	opts := []kgo.Opt{
		kgo.ClientID(value(p, p.conf.FieldString, "client_id")),
		// Records go out when WriteBatch says so, as few batches as possible: see session.produce.
		kgo.ManualFlushing(),
		kgo.ProducerBatchMaxBytes(int32(p.bytes(kfFieldMaxMessageBytes, math.MaxInt32))),   //nolint:gosec // bounded by parser.bytes
		kgo.BrokerMaxWriteBytes(int32(p.bytes(kfFieldBrokerWriteMaxBytes, math.MaxInt32))), //nolint:gosec // bounded by parser.bytes
		kgo.MaxBufferedRecords(value(p, p.conf.FieldInt, kfFieldMaxBufferedRecords)),
		kgo.MaxBufferedBytes(p.bytes(kfFieldMaxBufferedBytes, math.MaxInt)),
		kgo.ProduceRequestTimeout(p.duration(kfFieldTimeout)),
		kgo.MetadataMaxAge(maxAge),
		kgo.MetadataMinAge(min(metadataMinAge, maxAge)),
		kgo.RequestTimeoutOverhead(p.duration(kfFieldRequestOverhead)),
		kgo.ConnIdleTimeout(p.duration(kfFieldConnIdleTimeout)),
		// A topic that was just created is not known to every broker yet.
		kgo.UnknownTopicRetries(unknownTopicRetries),
	}
	if n := value(p, p.conf.FieldInt, kfFieldRecordRetries); n > 0 {
		opts = append(opts, kgo.RecordRetries(n))
	}
	if d := p.duration(kfFieldRecordDeliveryTimeout); d > 0 {
		opts = append(opts, kgo.RecordDeliveryTimeout(d))
	}
	if value(p, p.conf.FieldBool, kfFieldAutoTopicCreation) {
		opts = append(opts, kgo.AllowAutoTopicCreation())
	}
	return append(append(opts, p.partitioner(), p.compression()), p.acks()...)
}

const unknownTopicRetries = 20

func (p *parser) partitioner() kgo.Opt {
	switch name := value(p, p.conf.FieldString, kfFieldPartitioner); name {
	case partitionerMurmur2:
		return kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil))
	case partitionerRoundRobin:
		return kgo.RecordPartitioner(kgo.RoundRobinPartitioner())
	case partitionerBackup:
		return kgo.RecordPartitioner(kgo.LeastBackupPartitioner())
	case partitionerManual:
		return kgo.RecordPartitioner(kgo.BasicConsistentPartitioner(func(string) func(*kgo.Record, int) int { return asked }))
	default:
		p.fail(fmt.Errorf("unknown partitioner %q", name))
		return kgo.WithHooks()
	}
}

// lacking is the key under which a record whose partition is not there says how many there are: the client's error for it has no
// type, and would pass for a broker that is away.
type lacking struct{}

// asked gives the partition that the record names.
func asked(r *kgo.Record, partitions int) int {
	if r.Partition >= 0 && int(r.Partition) < partitions {
		return int(r.Partition)
	}
	r.Context = context.WithValue(r.Context, lacking{}, partitions)
	return -1
}

func (p *parser) compression() kgo.Opt {
	codecs := map[string][]kgo.CompressionCodec{
		"": {kgo.SnappyCompression(), kgo.NoCompression()}, "lz4": {kgo.Lz4Compression()}, "snappy": {kgo.SnappyCompression()},
		"gzip": {kgo.GzipCompression()}, "none": {kgo.NoCompression()}, "zstd": {kgo.ZstdCompression()},
	}
	name := value(p, p.conf.FieldString, kfFieldCompression)
	codec, ok := codecs[name]
	if !ok {
		p.fail(fmt.Errorf("unknown compression %q", name))
	}
	return kgo.ProducerBatchCompression(codec...)
}

// acks also turns idempotent writes off, which are the client's default.
func (p *parser) acks() []kgo.Opt {
	name, idempotent := value(p, p.conf.FieldString, kfFieldAcks), value(p, p.conf.FieldBool, kfFieldIdempotent)
	if idempotent && name != acksAll {
		p.fail(errors.New("idempotent_write needs acks all"))
	}
	acks, ok := map[string]kgo.Acks{acksAll: kgo.AllISRAcks(), acksLeader: kgo.LeaderAck(), acksNone: kgo.NoAck()}[name]
	if !ok {
		p.fail(fmt.Errorf("unknown acks %q", name))
	}
	opts := []kgo.Opt{kgo.RequiredAcks(acks)}
	if !idempotent {
		opts = append(opts, kgo.DisableIdempotentWrite())
	}
	return opts
}

// parser reads fields and keeps the first error.
type parser struct {
	conf *service.ParsedConfig
	err  error
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func value[T any](p *parser, read func(path ...string) (T, error), path ...string) T {
	v, err := read(path...)
	if err != nil {
		p.fail(err)
	}
	return v
}

// interpolated gives nil for a field that is empty.
func (p *parser) interpolated(name string) *service.InterpolatedString {
	text := value(p, p.conf.FieldString, name)
	if text == "" {
		return nil
	}
	return value(p, p.conf.FieldInterpolatedString, name)
}

func (p *parser) duration(name string) time.Duration {
	d := value(p, p.conf.FieldDuration, name)
	if d < 0 {
		p.fail(fmt.Errorf("%s must not be negative", name))
	}
	return d
}

func (p *parser) bytes(name string, most uint64) int {
	n, err := humanize.ParseBytes(value(p, p.conf.FieldString, name))
	switch {
	case err != nil:
		p.fail(fmt.Errorf("%s: %w", name, err))
	case n > most:
		p.fail(fmt.Errorf("%s must be at most %s", name, humanize.IBytes(most)))
	default:
		return int(n) //nolint:gosec // bounded by most
	}
	return 1
}
