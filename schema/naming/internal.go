package naming

import (
	"errors"
	"fmt"
)

// Internal holds the names of the topics that belong to no table: as templates, which know {prefix} and {database}, or
// resolved.
type Internal struct {
	Heartbeat, Ops, DeadLetters, Transactions, SchemaChanges, Signals string
	// Schema, Journal and Position are state of the connector, compacted.
	Schema, Journal, Position string
}

// DefaultInternal gives the templates of profile cdc (config.yaml, topics).
func DefaultInternal() Internal {
	return Internal{
		Heartbeat: "{prefix}.cdc.heartbeat", Ops: "{prefix}.cdc.ops", DeadLetters: "{prefix}.cdc.dlq",
		Transactions: "{prefix}.cdc.transactions", SchemaChanges: "{prefix}.cdc.schema_changes", Signals: "{prefix}.cdc.signals",
		Schema: "{prefix}.cdc.schema", Journal: "{prefix}.cdc.txjournal", Position: "{prefix}.cdc.position",
	}
}

type internalName struct {
	field    string
	template *string
}

func (n *Internal) all() []internalName {
	return []internalName{
		{"topics.heartbeat", &n.Heartbeat},
		{"topics.ops", &n.Ops},
		{"topics.dead_letters", &n.DeadLetters},
		{"topics.transactions", &n.Transactions},
		{"topics.schema_changes", &n.SchemaChanges},
		{"topics.signals", &n.Signals},
		{"topics.schema", &n.Schema},
		{"topics.journal", &n.Journal},
		{"topics.position", &n.Position},
	}
}

// Resolve fills the templates, empty ones with their defaults. Two purposes must not share a topic: a reader of one would
// take the records of the other for its own.
func (n Internal) Resolve(prefix, database string) (Internal, error) {
	standard := DefaultInternal()
	defaults := standard.all()
	out := n
	seen := map[string]string{}
	var faults []error
	for i, name := range out.all() {
		if *name.template == "" {
			*name.template = *defaults[i].template
		}
		topic, err := resolveInternal(*name.template, prefix, database)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", name.field, err))
			continue
		}
		if other, taken := seen[topic]; taken {
			faults = append(faults, fmt.Errorf("%s: topic %s is also that of %s", name.field, topic, other))
		}
		seen[topic] = name.field
		*name.template = topic
	}
	return out, errors.Join(faults...)
}

func resolveInternal(text, prefix, database string) (string, error) {
	template, err := parseTemplate(text, prefixPart, databasePart)
	if err != nil {
		return "", err
	}
	return legalTopic(template.expand(values{prefix: prefix, database: database}))
}

// Topics lists the resolved names.
func (n Internal) Topics() []string {
	names := n.all()
	topics := make([]string, len(names))
	for i, name := range names {
		topics[i] = *name.template
	}
	return topics
}
