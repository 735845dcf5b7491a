package topicstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

const (
	cleanupPolicy = "cleanup.policy"
	compact       = "compact"
	// appearPeriod is the time between two looks for a topic that was just created.
	appearPeriod = 50 * time.Millisecond
)

// ensure creates the topic or checks the one that is there: compaction alone, and the number of partitions where one is
// demanded. A topic that also deletes by age would lose positions and versions that are still needed.
func ensure(ctx context.Context, adm *kadm.Client, c Config) error {
	detail, err := describe(ctx, adm, c.Topic)
	if errors.Is(err, kerr.UnknownTopicOrPartition) {
		if err := create(ctx, adm, c); err != nil {
			return err
		}
		detail, err = appear(ctx, adm, c.Topic)
	}
	if err != nil {
		return Classify(err, c.Topic)
	}
	if n := len(detail.Partitions); c.Partitions > 0 && n != int(c.Partitions) {
		return stop.New(stop.Topic, c.Topic, "the topic has %d partitions and needs %d", n, c.Partitions).
			Doing("use another name, or delete the topic if nothing in it is needed")
	}
	return checkPolicy(ctx, adm, c.Topic)
}

func describe(ctx context.Context, adm *kadm.Client, topic string) (kadm.TopicDetail, error) {
	details, err := adm.ListTopicsWithInternal(ctx, topic)
	if err != nil {
		return kadm.TopicDetail{}, err
	}
	detail, ok := details[topic]
	if !ok {
		return kadm.TopicDetail{}, kerr.UnknownTopicOrPartition
	}
	return detail, detail.Err
}

// create makes the topic with the settings asked for. Some hosted clusters fix settings that only tune compaction; there
// the policy alone is asked for.
func create(ctx context.Context, adm *kadm.Client, c Config) error {
	partitions := c.Partitions
	if partitions <= 0 {
		partitions = 1
	}
	replicas := c.ReplicationFactor
	if replicas <= 0 {
		replicas = -1
	}
	policy := map[string]*string{cleanupPolicy: kadm.StringPtr(compact)}
	all := maps.Clone(policy)
	for name, value := range c.Settings {
		all[name] = kadm.StringPtr(value)
	}
	resp, err := adm.CreateTopic(ctx, partitions, replicas, all, c.Topic)
	if isAny(resp.Err, kerr.InvalidConfig, kerr.PolicyViolation) && len(c.Settings) > 0 {
		resp, err = adm.CreateTopic(ctx, partitions, replicas, policy, c.Topic)
	}
	switch {
	case errors.Is(err, kerr.TopicAlreadyExists):
		return nil
	case isAny(err, kerr.TopicAuthorizationFailed, kerr.ClusterAuthorizationFailed):
		return stop.Wrap(stop.Topic, err, c.Topic, "the topic is missing and this client may not create it").
			Doing("create the topic with %s=%s and %d partition(s), or grant CREATE", cleanupPolicy, compact, partitions)
	case errors.Is(err, kerr.PolicyViolation):
		return stop.Wrap(stop.Topic, err, c.Topic, "the cluster's policy forbids to create the topic: %s", resp.ErrMessage).
			Doing("create the topic with %s=%s and %d partition(s)", cleanupPolicy, compact, partitions)
	}
	return Classify(err, c.Topic)
}

// appear waits until a topic that was created is known with a leader for each partition.
func appear(ctx context.Context, adm *kadm.Client, topic string) (kadm.TopicDetail, error) {
	for {
		detail, err := describe(ctx, adm, topic)
		ready := err == nil && len(detail.Partitions) > 0
		for _, p := range detail.Partitions {
			ready = ready && p.Err == nil && p.Leader >= 0
		}
		if ready || err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) && !kerr.IsRetriable(err) {
			return detail, err
		}
		if err := pause(ctx, appearPeriod); err != nil {
			return detail, fmt.Errorf("the topic was created and does not appear: %w", err)
		}
	}
}

func checkPolicy(ctx context.Context, adm *kadm.Client, topic string) error {
	configs, err := adm.DescribeTopicConfigs(ctx, topic)
	if err != nil {
		return Classify(err, topic)
	}
	config, err := configs.On(topic, nil)
	if err == nil {
		err = config.Err
	}
	if err != nil {
		return Classify(err, topic)
	}
	for _, setting := range config.Configs {
		if setting.Key == cleanupPolicy {
			if setting.MaybeValue() == compact {
				return nil
			}
			return stop.New(stop.Topic, topic, "the topic has %s=%s, which loses records that are still needed", cleanupPolicy, setting.MaybeValue()).
				Doing("set %[1]s=%[2]s on it: kafka-configs --alter --entity-type topics --entity-name %[3]s --add-config %[1]s=%[2]s", cleanupPolicy, compact, topic)
		}
	}
	return stop.New(stop.Topic, topic, "the broker does not say the topic's %s", cleanupPolicy).
		Doing("grant DESCRIBE_CONFIGS on the topic")
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
