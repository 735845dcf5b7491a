package kafka

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// topics knows which topics are there. It is asked for every batch and asks the broker once per topic and connection.
type topics struct {
	create createTopics
	adm    *kadm.Client
	known  map[string]bool
	single *ordered
}

// ordered are topics that have one partition where they are made here: schema changes of several databases keep their order, as with
// Debezium (reference debezium-format 11.3).
type ordered struct{ names sync.Map }

func (o *ordered) add(topic string) { o.names.Store(topic, true) }

func (o *ordered) has(topic string) bool {
	_, ok := o.names.Load(topic)
	return ok
}

// ensure makes what is missing, or names it.
func (t *topics) ensure(ctx context.Context, records []*kgo.Record) error {
	if t.create.byBroker && !t.create.enabled {
		return nil
	}
	wanted := map[string]bool{}
	last := ""
	for _, r := range records {
		if r.Topic != last && !t.known[r.Topic] {
			wanted[r.Topic] = true
		}
		last = r.Topic
	}
	if len(wanted) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(wanted))
	details, err := t.adm.ListTopicsWithInternal(ctx, names...)
	if err != nil {
		return topicstore.Classify(err, names[0])
	}
	for _, name := range names {
		detail, listed := details[name]
		switch {
		case !listed || errors.Is(detail.Err, kerr.UnknownTopicOrPartition):
			if err := t.make(ctx, name); err != nil {
				return err
			}
		case detail.Err != nil:
			return topicstore.Classify(detail.Err, name)
		}
		t.known[name] = true
	}
	return nil
}

func (t *topics) make(ctx context.Context, name string) error {
	if !t.create.enabled {
		return stop.New(stop.Topic, name, "the topic is missing and create_topics is off").
			Doing("create the topic, or set create_topics.enabled")
	}
	partitions := t.create.partitions
	if t.single.has(name) {
		partitions = 1
	}
	resp, err := t.adm.CreateTopic(ctx, int32(partitions), int16(t.create.replicas), nil, name) //nolint:gosec // checked by config.check
	switch {
	case err == nil, errors.Is(err, kerr.TopicAlreadyExists):
		return nil
	case errors.Is(err, kerr.TopicAuthorizationFailed), errors.Is(err, kerr.ClusterAuthorizationFailed):
		return stop.Wrap(stop.Topic, err, name, "the topic is missing and this client may not create it").
			Doing("create the topic, or grant CREATE")
	case errors.Is(err, kerr.PolicyViolation):
		return stop.Wrap(stop.Topic, err, name, "the cluster's policy forbids to create the topic: %s", resp.ErrMessage).
			Doing("create the topic, or correct create_topics")
	}
	return topicstore.Classify(err, name)
}
