package topicstore

import (
	"context"
	"errors"
	"io"

	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Classify gives a Kafka client's error its code (contracts 6): CDC-9001 is tried again, CDC-9003 and CDC-9004 are not.
// Errors that have a code already and cancelled contexts stay as they are. object says which topic or broker.
func Classify(err error, object string) error {
	if _, typed := stop.As(err); err == nil || typed || errors.Is(err, context.Canceled) {
		return err
	}
	switch {
	case Denied(err):
		return stop.Wrap(stop.Broker, err, object, "the broker refused the log-on").
			Doing("correct sasl and tls, or the user on the broker")
	case isAny(err, kerr.TopicAuthorizationFailed, kerr.ClusterAuthorizationFailed, kerr.TransactionalIDAuthorizationFailed, kerr.GroupAuthorizationFailed):
		return stop.Wrap(stop.Refused, err, object, "the client's principal lacks a right").
			Doing("grant the principal DESCRIBE, DESCRIBE_CONFIGS, READ and WRITE on the topic, and CREATE where it makes it")
	case isAny(err, kerr.MessageTooLarge, kerr.RecordListTooLarge):
		return stop.Wrap(stop.Refused, err, object, "Kafka refused a record as too large").
			Doing("raise max.message.bytes of the topic, and max_message_bytes and max_buffered_bytes of the client")
	case isAny(err, kerr.InvalidRecord):
		return stop.Wrap(stop.Refused, err, object, "Kafka refused a record").
			Doing("a topic with cleanup.policy compact takes no record without a key: give the table a key, or the topic another policy; else see the runbook")
	case isAny(err, kerr.InvalidTimestamp, kerr.PolicyViolation, kerr.UnsupportedCompressionType, kerr.InvalidRequiredAcks, kerr.UnsupportedForMessageFormat):
		return stop.Wrap(stop.Refused, err, object, "Kafka refused a record")
	case isAny(err, kerr.UnknownTopicOrPartition, kerr.UnknownTopicID):
		return stop.Wrap(stop.Topic, err, object, "the topic is missing").
			Doing("create the topic, or allow this client to create it")
	case isAny(err, kerr.InvalidTopicException, kerr.InvalidPartitions, kerr.InvalidReplicationFactor, kerr.InvalidConfig):
		return stop.Wrap(stop.Topic, err, object, "the topic cannot be created as asked").
			Doing("correct the name, partitions, replication factor or settings of the topic, or create it by hand")
	case errors.Is(err, io.EOF):
		return stop.Wrap(stop.Broker, err, object, "the broker closed the connection").
			Doing("check that the broker is up, and that tls and sasl are as its listener expects them")
	default:
		return stop.Wrap(stop.Broker, err, object, "the Kafka broker is not available")
	}
}

// Denied reports a log-on that the broker refused: trying again soon changes nothing.
func Denied(err error) bool {
	return isAny(err, kerr.SaslAuthenticationFailed, kerr.UnsupportedSaslMechanism, kerr.IllegalSaslState)
}

// Retriable reports an error that trying again may cure.
func Retriable(err error) bool {
	return stop.Is(Classify(err, ""), stop.Broker) && !Denied(err)
}

func isAny(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
