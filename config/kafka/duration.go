package kafka

import (
	"strings"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// Duration is a duration field that refuses a bad value at lint time and not only in the constructor (reference
// benthos 3). Its path inside the plugin is what the rule names: the runtime tells the line only.
func Duration(path, value string) *service.ConfigField {
	return service.NewDurationField(path[strings.LastIndexByte(path, '.')+1:]).Default(value).LintRule(durationRule(path, "this"))
}

func durationRule(name, value string) string {
	return `root = if ` + value + `.string().parse_duration().catch(null) == null { [ "` + name + ` must be a duration such as 500ms" ] }`
}

// TCP is the field tcp of the well-known Kafka components.
func TCP() *service.ConfigField {
	return service.NewObjectField(fieldTCP,
		Duration(fieldTCP+".connect_timeout", "0s").
			Description("Longest time that a dial may take. Zero: 10s, as the client has it."),
		service.NewObjectField("keep_alive",
			Duration(fieldTCP+".keep_alive.idle", "15s").
				Description("How long a connection is silent before the first probe. Negative: no probes."),
			Duration(fieldTCP+".keep_alive.interval", "15s").
				Description("Time between two probes."),
			service.NewIntField("count").
				Description("Probes without an answer after which the connection is dropped.").
				Default(9),
		).Description("TCP keep-alive probes."),
		Duration(fieldTCP+".tcp_user_timeout", "0s").
			Description("Longest time that sent data may stay unacknowledged (Linux). Must be below keep_alive.idle. Zero: no limit."),
	).Description("Socket settings. They belong to seed_brokers and do nothing when the brokers are taken over from the input.").
		Advanced()
}
