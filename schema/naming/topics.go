package naming

import (
	"fmt"
	"strings"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// DefaultTemplate is topics.template of profile cdc; the PDB part is left out where there is no PDB.
const DefaultTemplate = "{prefix}.{pdb}.{schema}.{table}"

// maxTopic is Kafka's limit for topic names, in bytes.
const maxTopic = 249

// ParseTemplate reads a template for data topics; empty is DefaultTemplate.
func ParseTemplate(text string) (Template, error) {
	if text == "" {
		text = DefaultTemplate
	}
	return parseTemplate(text, prefixPart, pdbPart, databasePart, schemaPart, tablePart)
}

// ProfileTemplate reads the template of a record profile, for a configuration that has none.
func ProfileTemplate(text string) (Template, error) {
	t, err := ParseTemplate(text)
	t.apart = true
	return t, err
}

// Topics gives tables their topics and keeps them apart. It is safe for concurrent use.
type Topics struct {
	template         Template
	prefix, database string

	mu sync.Mutex
	// owners: topic -> who has it.
	owners map[string]topicOwner
	tables map[schema.Table]string
}

type topicOwner struct {
	// identity is Template.used of the owner: tables with the same identity share a topic on purpose.
	identity, label string
}

// NewTopics names data topics by a template. reserved are topics that no table may get: the internal ones.
func NewTopics(template Template, prefix, database string, reserved ...string) *Topics {
	t := &Topics{
		template: template, prefix: prefix, database: database,
		owners: make(map[string]topicOwner, len(reserved)), tables: map[schema.Table]string{},
	}
	for _, topic := range reserved {
		t.owners[topic] = topicOwner{identity: "internal", label: "the connector itself"}
	}
	return t
}

// Topic gives the topic of a table. The error is a *stop.Error: CDC-6004 when another table already has the topic because
// the names became one, CDC-5003 when the name is not one that Kafka takes.
func (t *Topics) Topic(table schema.Table) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if topic, ok := t.tables[table]; ok {
		return topic, nil
	}
	v := values{prefix: t.prefix, pdb: table.PDB, database: t.database, schema: table.Owner, table: table.Name}
	topic, err := legalTopic(t.template.expand(v))
	if err != nil {
		return "", stop.Wrap(stop.Configuration, err, table.String(), "no topic can be named for the table").
			Doing("change topics.template or topic_prefix")
	}
	owner := topicOwner{identity: t.template.used(v), label: table.String()}
	if first, taken := t.owners[topic]; taken && first.identity != owner.identity {
		return "", stop.New(stop.NameCollision, topic, "%s and %s would share one topic", first.label, owner.label).
			Doing("change topics.template so that the two names stay apart, or exclude one of the tables")
	}
	t.owners[topic] = owner
	t.tables[table] = topic
	return topic, nil
}

// legalTopic replaces what Kafka does not allow by underscores and refuses what no replacement cures.
func legalTopic(name string) (string, error) {
	topic := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	switch {
	case topic == "" || topic == "." || topic == "..":
		return "", fmt.Errorf("topic name %q is not one that Kafka takes", topic)
	case len(topic) > maxTopic:
		return "", fmt.Errorf("topic name %q has %d characters, Kafka takes at most %d", topic, len(topic), maxTopic)
	}
	return topic, nil
}
