package input

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// versions reads the schema topic, which oracle_schema writes.
type versions struct {
	topic *topicstore.Store
}

// readVersions gives what the schema topic has. It is nil without broker access: versions then start from the dictionary at
// every start.
func (c *config) readVersions() func(context.Context, func(string) (int, bool)) (*registry.Registry, error) {
	if len(c.kafka) == 0 {
		return nil
	}
	return func(ctx context.Context, container func(pdb string) (int, bool)) (*registry.Registry, error) {
		topic, err := topicstore.Open(ctx, topicstore.Config{
			Connection: c.kafka, Topic: c.internal.Schema, ReplicationFactor: int16(c.replicationFactor), //nolint:gosec // checked by lint
		})
		if err != nil {
			return nil, err
		}
		defer topic.Close()
		return registry.Load(ctx, &versions{topic: topic}, c.prefix, container)
	}
}

// Load reads the topic to its end.
func (v *versions) Load(ctx context.Context) ([]registry.Stored, error) {
	var out []registry.Stored
	err := v.topic.Read(ctx, func(r topicstore.Record) error {
		out = append(out, registry.Stored{Key: r.Key, Value: r.Value})
		return nil
	})
	return out, err
}

// Append writes a record.
func (v *versions) Append(ctx context.Context, key, value []byte) error {
	return v.topic.Append(ctx, &topicstore.Record{Key: key, Value: value})
}
