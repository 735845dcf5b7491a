package processor

import (
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/config/kafka"
)

const (
	osFieldInput        = "input"
	osFieldTopic        = "topic"
	osFieldKafka        = "kafka"
	osFieldWriteTimeout = "write_timeout"
	osFieldForward      = "forward"
)

// Spec describes the plugin.
func Spec() *service.ConfigSpec {
	return service.NewConfigSpec().
		Categories("Services").
		Version("0.1.0").
		Summary("Keeps the versions of captured tables in a compacted Kafka topic.").
		Description(`
The input `+"`oracle_cdc`"+` needs the columns that a table had when a row was written, also after the table was altered and after a
restart. With this processor in the stream it emits every new version of a table as a message of its own, in front of the first row
of that version. The processor writes the version to the topic, consumes the message, and only then lets the row pass.

Use it once per input, under `+"`input.processors`"+` or first in `+"`pipeline.processors`"+` with one thread. A second instance, a late
one and messages that arrive out of order are refused.

== Delivery guarantees

A version is written with acknowledgement of all replicas before any row of it passes. When that takes longer than
`+"`write_timeout`"+` it fails, with all messages behind it, and they are read again. The distribution's strict error handling is what keeps failed messages from the
output.
`).
		Fields(
			service.NewStringField(osFieldInput).
				Description("Label of the `oracle_cdc` input. Empty: the only one in this stream.").
				Default("").
				Advanced(),
			service.NewStringField(osFieldTopic).
				Description("The compacted topic. Empty: `topics.schema` of the input, which is where the input looks. `{prefix}` stands for its `topic_prefix`.").
				Default("").
				Advanced(),
			kafka.Block("How to reach Kafka. Without `seed_brokers` the block of the input is used.").
				Advanced(),
			kafka.Duration(osFieldWriteTimeout, "30s").
				Description("Longest time that writing a version may take.").
				Advanced(),
			service.NewBoolField(osFieldForward).
				Description("Pass the message with the version on instead of consuming it.").
				Default(false).
				Advanced(),
		).
		Example("Under the input", "Versions are written before anything else sees the messages.", `
input:
  oracle_cdc:
    connection_string: oracle://user:${CDC_PASSWORD}@localhost:1521/FREE
    topic_prefix: shop
    include: [ 'FREEPDB1\.APP\..*' ]
    kafka: { seed_brokers: [ localhost:9092 ] }
  processors:
    - oracle_schema: {}
`)
}

func init() {
	service.MustRegisterProcessor("oracle_schema", Spec(), func(conf *service.ParsedConfig, res *service.Resources) (service.Processor, error) {
		return New(conf, res)
	})
}
