package kafka

import (
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/config/kafka"
)

const (
	kfFieldTopic                 = "topic"
	kfFieldKey                   = "key"
	kfFieldPartition             = "partition"
	kfFieldPartitioner           = "partitioner"
	kfFieldMetadata              = "metadata"
	kfFieldTimestamp             = "timestamp_ms"
	kfFieldHeaders               = "headers"
	kfFieldCompression           = "compression"
	kfFieldAcks                  = "acks"
	kfFieldIdempotent            = "idempotent_write"
	kfFieldMaxInFlight           = "max_in_flight"
	kfFieldBatching              = "batching"
	kfFieldMaxMessageBytes       = "max_message_bytes"
	kfFieldBrokerWriteMaxBytes   = "broker_write_max_bytes"
	kfFieldMaxBufferedRecords    = "max_buffered_records"
	kfFieldMaxBufferedBytes      = "max_buffered_bytes"
	kfFieldTimeout               = "timeout"
	kfFieldRecordRetries         = "record_retries"
	kfFieldRecordDeliveryTimeout = "record_delivery_timeout"
	kfFieldMetadataMaxAge        = "metadata_max_age"
	kfFieldRequestOverhead       = "request_timeout_overhead"
	kfFieldConnIdleTimeout       = "conn_idle_timeout"
	kfFieldAutoTopicCreation     = "allow_auto_topic_creation"
	kfFieldCreateTopics          = "create_topics"
	kfFieldCreateEnabled         = "enabled"
	kfFieldCreatePartitions      = "partitions"
	kfFieldCreateReplication     = "replication_factor"
)

const (
	partitionerMurmur2    = "murmur2_hash"
	partitionerRoundRobin = "round_robin"
	partitionerBackup     = "least_backup"
	partitionerManual     = "manual"

	acksAll    = "all"
	acksLeader = "leader"
	acksNone   = "none"
)

// Rules across fields. They see no defaults.
const (
	fieldsRule = `root = [
  if this.partitioner.or("") == "manual" && this.partition.or("") == "" { "partition must be set with partitioner manual" } else { deleted() },
  if this.partitioner.or("") != "manual" && this.partition.or("") != "" { "partition may only be set with partitioner manual" } else { deleted() },
  if this.idempotent_write.or(true) && this.acks.or("all") != "all" { "idempotent_write needs acks all" } else { deleted() }
]`
	// batchingRule: a batch that is neither full nor timed out never leaves, and the stream hangs (reference benthos 5).
	batchingRule = `root = if (this.count.or(0) > 0 || this.byte_size.or(0) > 0) && this.period.or("") == "" {
  [ "batching.period must be set with count or byte_size, else the last batch never leaves" ]
} else if this.period.or("") != "" && this.period.string().parse_duration().catch(null) == null {
  [ "batching.period must be a duration such as 500ms" ]
}`
)

// size is a field for a number of bytes, as text with a unit.
func size(name, value string) *service.ConfigField {
	return service.NewStringField(name).Default(value).LintRule(
		`root = if !this.string().re_match("(?i)^[0-9]+([.][0-9]+)? *([kmgt]i?)?b?$") { [ "` + name + ` must be a size such as 1MiB" ] }`)
}

// positive is an int field that refuses values below a least one.
func positive(name string, value int, least string) *service.ConfigField {
	return service.NewIntField(name).Default(value).LintRule(
		`let n = this.number().catch(null)
root = if $n == null || $n < ` + least + ` { [ "` + name + ` must be a number of at least ` + least + `" ] }`)
}

// orDefault is an int field of a block for a number that the broker chooses when it is -1.
func orDefault(block, name string) *service.ConfigField {
	return service.NewIntField(name).Default(-1).LintRule(
		`let n = this.number().catch(null)
root = if $n == null || $n < -1 || $n == 0 { [ "` + block + "." + name + ` must be -1 or a number above 0" ] }`)
}

// Spec describes the plugin.
func Spec() *service.ConfigSpec {
	return service.NewConfigSpec().
		Categories("Services").
		Version("0.1.0").
		Summary("Writes the records of `oracle_cdc`, and plain messages, to Kafka in strict order.").
		Description(description).
		Fields(connectionFields()...).
		Fields(recordFields()...).
		Fields(deliveryFields()...).
		Fields(clientFields()...).
		LintRule(fieldsRule).
		Example("Records of oracle_cdc", "Brokers, topics, keys and headers come from the input.", `
output:
  kafka_franz: {}
`).
		Example("Plain messages", "Without oracle_cdc the topic and the brokers are named here.", `
output:
  kafka_franz:
    seed_brokers: [ localhost:9092 ]
    topic: ${! @topic }
    key: ${! json("id") }
`)
}

const description = `
Messages of ` + "`oracle_cdc`" + ` carry their event: topic, key and headers come from there, a tombstone becomes a null value. Where
` + "`topic`" + ` or ` + "`key`" + ` are set they win. Other messages need ` + "`topic`" + `.

== Delivery guarantees

At least once. A batch is written whole and in order, and is acknowledged once all of its records are. Errors that trying again may
cure are tried again with the same batch; records may then be there twice, but never out of order and never missing. Other
errors of events (a record that is too large, a topic that is missing) stop the stream with a code.

A broker that is away for long does not end the stream. After 30 s without an acknowledgement the output is not connected any more (` + "`/ready`" + `
answers 503, the log has CDC-9001), and the records that it has sent wait in the same client: when the broker is back they are written once and
in order.

A message that a processor failed on comes again, and no batch behind its own is written before it. The other messages of its own batch
are: the runtime writes them, and they come again behind it. Where a processor may fail, ` + "`batching.count: 1`" + ` of the input rules that out.

Order holds with the default ` + "`max_in_flight`" + ` of 1 and strict error handling. Do not wrap this output in ` + "`retry`" + `.

== Filters

A mapping that removes messages from a batch makes the runtime hand the events of the batch to the wrong messages. The output
notices that and finds the right ones by the content of the messages; where a mapping removes some messages and changes others,
the input's ` + "`metadata`" + ` must hold enough to tell them apart (` + "`kafka_topic`, `kafka_key`, `transaction_id`, `event_index`" + `).
`

func connectionFields() []*service.ConfigField {
	return []*service.ConfigField{
		kafka.SeedBrokers("Addresses of brokers to begin with. Empty: the `kafka` block of the `oracle_cdc` input in this stream."),
		kafka.ClientID("redpanda-connect-oracle"),
		kafka.TLS(),
		kafka.SASL(),
		kafka.TCP(),
	}
}

func recordFields() []*service.ConfigField {
	return []*service.ConfigField{
		service.NewInterpolatedStringField(kfFieldTopic).
			Description("The topic. Empty: the topic of the event that travels with the message.").
			Default(""),
		service.NewInterpolatedStringField(kfFieldKey).
			Description("The record key. Empty: the key of the event, or none.").
			Default(""),
		service.NewInterpolatedStringField(kfFieldPartition).
			Description("The partition, with `partitioner: manual` only.").
			Example(`${! @partition }`).
			Default("").
			Advanced(),
		service.NewStringAnnotatedEnumField(kfFieldPartitioner, map[string]string{
			partitionerMurmur2:    "The partition that the Java client chooses for the same key. Records without key stay on one partition per batch.",
			partitionerRoundRobin: "All partitions in turn. Changes of one row lose their order.",
			partitionerBackup:     "The partition with the fewest waiting records. Changes of one row lose their order.",
			partitionerManual:     "What `partition` says.",
		}).Description("How the partition of a record is chosen.").Default(partitionerMurmur2).Advanced(),
		service.NewMetadataFilterField(kfFieldMetadata).
			Description("Metadata that is written as headers, besides those of the event."),
		service.NewInterpolatedStringField(kfFieldTimestamp).
			Description("Timestamp of the record in milliseconds since the epoch. Empty: the time it is written.").
			Default("").
			Advanced(),
		service.NewBoolField(kfFieldHeaders).
			Description("Write the headers of the event.").
			Default(true).
			Advanced(),
		service.NewStringEnumField(kfFieldCompression, "", "lz4", "snappy", "gzip", "none", "zstd").
			Description("Compression of records. Empty: snappy, or none where the broker does not know it.").
			Default("").
			Advanced(),
	}
}

func deliveryFields() []*service.ConfigField {
	return []*service.ConfigField{
		service.NewStringAnnotatedEnumField(kfFieldAcks, map[string]string{
			acksAll:    "All replicas in sync have the record.",
			acksLeader: "The leader has it; lost when the leader fails.",
			acksNone:   "Nobody has to have it.",
		}).Description("When a record counts as written.").Default(acksAll).Advanced(),
		service.NewBoolField(kfFieldIdempotent).
			Description("Let the broker recognise what the client sends twice. Needs `acks: all`.").
			Default(true).
			Advanced(),
		positive(kfFieldMaxInFlight, 1, "1").
			Description("Batches in flight at once. More than 1 reorders, so events of `oracle_cdc` are refused then."),
		service.NewBatchPolicyField(kfFieldBatching).
			LintRule(batchingRule).
			Advanced(),
		size(kfFieldMaxMessageBytes, "1MiB").
			Description("Largest record batch before compression; a record above it is refused.").
			Advanced(),
		size(kfFieldBrokerWriteMaxBytes, "100MiB").
			Description("Largest request to a broker.").
			Advanced(),
		positive(kfFieldMaxBufferedRecords, 10000, "1").
			Description("Records that the client holds at once.").
			Advanced(),
		size(kfFieldMaxBufferedBytes, "0").
			Description("Bytes that the client holds at once. 0: no limit of its own.").
			Advanced(),
	}
}

func clientFields() []*service.ConfigField {
	return []*service.ConfigField{
		kafka.Duration(kfFieldTimeout, "10s").
			Description("How long brokers may take for a produce request.").
			Advanced(),
		positive(kfFieldRecordRetries, 0, "0").
			Description("How often the client sends a record again. 0: no limit.").
			Advanced(),
		kafka.Duration(kfFieldRecordDeliveryTimeout, "0s").
			Description("How long the client tries to write a record. 0s: no limit.").
			Advanced(),
		kafka.Duration(kfFieldMetadataMaxAge, "1m").
			Description("How long the client believes what it knows of topics and brokers.").
			Advanced(),
		kafka.Duration(kfFieldRequestOverhead, "10s").
			Description("How long a request may take beyond its own timeout.").
			Advanced(),
		kafka.Duration(kfFieldConnIdleTimeout, "20s").
			Description("How long an unused connection is kept.").
			Advanced(),
		service.NewBoolField(kfFieldAutoTopicCreation).
			Description("Let the broker create missing topics with its own settings.").
			Default(false).
			Advanced(),
		service.NewObjectField(kfFieldCreateTopics,
			service.NewBoolField(kfFieldCreateEnabled).
				Description("Create missing topics. Off: a missing topic stops the stream with CDC-9004.").
				Default(true),
			orDefault(kfFieldCreateTopics, kfFieldCreatePartitions).
				Description("Partitions of a topic that is created. -1: the broker's default."),
			orDefault(kfFieldCreateTopics, kfFieldCreateReplication).
				Description("Replicas of a topic that is created. -1: the broker's default."),
		).Description("Data topics made on demand.").
			Advanced(),
	}
}

func init() {
	service.MustRegisterBatchOutput("kafka_franz", Spec(),
		func(conf *service.ParsedConfig, res *service.Resources) (service.BatchOutput, service.BatchPolicy, int, error) {
			o, err := New(conf, res)
			if err != nil {
				return nil, service.BatchPolicy{}, 0, err
			}
			return o, o.config.batching, o.config.maxInFlight, nil
		})
}
