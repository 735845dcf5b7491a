package kafka

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/redpanda-data/benthos/v4/public/utils/netutil"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

const (
	fieldSeedBrokers = "seed_brokers"
	fieldClientID    = "client_id"
	fieldTLS         = "tls"
	fieldTCP         = "tcp"
)

// dialTimeout is the client's own default, kept where tcp.connect_timeout says nothing.
const dialTimeout = 10 * time.Second

// SeedBrokers is the field seed_brokers; an empty list is allowed and means what the plugin says.
func SeedBrokers(description string) *service.ConfigField {
	return service.NewStringListField(fieldSeedBrokers).
		Description(description + " Items with commas are split.").
		Default([]any{}).
		Example([]string{"localhost:9092"}).
		Example([]string{"kafka-0:9092,kafka-1:9092"})
}

// ClientID is the field client_id.
func ClientID(name string) *service.ConfigField {
	return service.NewStringField(fieldClientID).
		Description("The name of this client in the brokers' logs and quotas.").
		Default(name).
		Advanced()
}

// TLS is the field tls.
func TLS() *service.ConfigField {
	return service.NewTLSToggledField(fieldTLS)
}

// Block is the object field kafka of input and processor.
func Block(description string) *service.ConfigField {
	return service.NewObjectField("kafka",
		SeedBrokers("Addresses of brokers to begin with."),
		ClientID("oracle-cdc"),
		TLS(),
		SASL(),
	).Description(description)
}

// Connection reads seed_brokers, client_id, tls, sasl and, where the plugin has it, tcp. Without brokers it is empty,
// whatever the other fields say.
func Connection(conf *service.ParsedConfig, log *service.Logger) (topicstore.Connection, error) {
	listed, err := conf.FieldStringList(fieldSeedBrokers)
	if err != nil {
		return nil, err
	}
	seeds := splitBrokers(listed)
	if len(seeds) == 0 {
		return nil, nil
	}
	clientID, err := conf.FieldString(fieldClientID)
	if err != nil {
		return nil, err
	}
	mechanisms, err := mechanismsOf(conf)
	if err != nil {
		return nil, err
	}
	dial, err := dialer(conf)
	if err != nil {
		return nil, err
	}
	opts := topicstore.Connection{
		kgo.SeedBrokers(seeds...), kgo.ClientID(clientID), kgo.Dialer(dial), kgo.SASL(mechanisms...), kgo.WithLogger(NewLogger(log)),
	}
	if err := kgo.ValidateOpts(opts...); err != nil {
		return nil, fmt.Errorf("%s: %w", fieldSeedBrokers, err)
	}
	return opts, nil
}

// splitBrokers cuts at commas and leaves out what is blank, as an unset environment variable leaves it.
func splitBrokers(listed []string) []string {
	var out []string
	for _, item := range listed {
		for seed := range strings.SplitSeq(item, ",") {
			if seed = strings.TrimSpace(seed); seed != "" {
				out = append(out, seed)
			}
		}
	}
	return out
}

func dialer(conf *service.ParsedConfig) (func(ctx context.Context, network, host string) (net.Conn, error), error) {
	plain := &net.Dialer{}
	if conf.Contains(fieldTCP) {
		tcp, err := netutil.DialerConfigFromParsed(conf.Namespace(fieldTCP))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", fieldTCP, err)
		}
		if err := netutil.DecorateDialer(plain, tcp); err != nil {
			return nil, fmt.Errorf("%s: %w", fieldTCP, err)
		}
	}
	if plain.Timeout == 0 {
		plain.Timeout = dialTimeout
	}
	settings, enabled, err := conf.FieldTLSToggled(fieldTLS)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fieldTLS, err)
	}
	if !enabled {
		return plain.DialContext, nil
	}
	if settings == nil {
		settings = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return (&tls.Dialer{NetDialer: plain, Config: settings}).DialContext, nil
}
