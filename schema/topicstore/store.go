package topicstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Config says which topic a Store keeps.
type Config struct {
	// Connection must not be empty.
	Connection Connection
	Topic      string
	// Partitions is how many the topic must have; 0: one when it is created here, any number when it is there.
	Partitions int32
	// ReplicationFactor is used when the topic is created; 0 and -1: the broker's default.
	ReplicationFactor int16
	// Settings are asked for when the topic is created, besides cleanup.policy=compact.
	Settings map[string]string
}

// Store is one compacted topic.
type Store struct {
	conn   Connection
	topic  string
	client *kgo.Client
	adm    *kadm.Client
}

// Record is one record of the topic. A nil Value is a tombstone.
type Record struct {
	Key, Value []byte
	// Partition and Offset are set on records that were read or appended.
	Partition int32
	Offset    int64
}

const metadataMinAge = 100 * time.Millisecond

// Open connects and creates or checks the topic: CDC-9001 without a broker, CDC-9004 for a topic that does not fit.
func Open(ctx context.Context, c Config) (*Store, error) {
	if len(c.Connection) == 0 {
		return nil, stop.New(stop.Configuration, c.Topic, "no Kafka brokers to reach the topic with").Doing("set kafka.seed_brokers")
	}
	client, err := kgo.NewClient(append(slices.Clone(c.Connection),
		// Idempotent writes with acks of all replicas are the client's defaults; record_retries stays unlimited, the caller's
		// context bounds the wait.
		kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)),
		kgo.ProducerLinger(0),
		// The client looks for changed leaders and new topics only so often; its default is 5 s.
		kgo.MetadataMinAge(metadataMinAge),
	)...)
	if err != nil {
		return nil, stop.Wrap(stop.Configuration, err, c.Topic, "the Kafka settings do not make a client").Doing("correct the kafka block")
	}
	s := &Store{conn: c.Connection, topic: c.Topic, client: client, adm: kadm.NewClient(client)}
	if err := ensure(ctx, s.adm, c); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Topic names the topic.
func (s *Store) Topic() string { return s.topic }

// retryPeriod is the wait between two attempts to append while the broker is away.
const retryPeriod = 250 * time.Millisecond

// Append writes the records in order and returns once all replicas have them, with their offsets filled in. Errors that
// trying again may cure are tried again until ctx ends. A record given up on then may still arrive, but always before any
// record that a later Append of this Store writes: so the last value of a key is never an older one.
func (s *Store) Append(ctx context.Context, records ...*Record) error {
	for {
		err := s.append(ctx, records)
		if err == nil || ctx.Err() == nil && !Retriable(err) {
			return Classify(err, s.topic)
		}
		if ctx.Err() == nil {
			_ = pause(ctx, retryPeriod) // ended by ctx, which is looked at next
		}
		if ctx.Err() != nil {
			return Classify(fmt.Errorf("the records were not acknowledged: %w", errors.Join(ctx.Err(), err)), s.topic)
		}
	}
}

func (s *Store) append(ctx context.Context, records []*Record) error {
	type result struct {
		i   int
		rec *kgo.Record
		err error
	}
	results := make(chan result, len(records))
	for i, r := range records {
		rec := &kgo.Record{Topic: s.topic, Key: r.Key, Value: r.Value}
		// Not bound to ctx: a record taken out of the client's order could arrive after a later one.
		s.client.TryProduce(context.WithoutCancel(ctx), rec, func(rec *kgo.Record, err error) { results <- result{i, rec, err} })
	}
	var failed error
	for range records {
		select {
		case r := <-results:
			if r.err != nil {
				failed = errors.Join(failed, r.err)
				continue
			}
			records[r.i].Partition, records[r.i].Offset = r.rec.Partition, r.rec.Offset
		case <-ctx.Done():
			return errors.Join(failed, ctx.Err())
		}
	}
	return failed
}

// End returns the last stable offset of each partition: one past the last record that a reader sees.
func (s *Store) End(ctx context.Context) (map[int32]int64, error) {
	listed, err := s.adm.ListCommittedOffsets(ctx, s.topic)
	return offsets(listed, err, s.topic)
}

// Close ends the client. Records given up on by Append are dropped.
func (s *Store) Close() { s.client.Close() }
