package positionstore

import (
	"bytes"
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// KafkaConfig says where positions lie.
type KafkaConfig struct {
	Connection topicstore.Connection
	// Topic is topics.position, Prefix topic_prefix: the key of the record.
	Topic, Prefix string
	// ReplicationFactor is topics.internal_replication_factor.
	ReplicationFactor int16
}

// KafkaStore keeps the position as the last record of its key in a compacted topic with one partition.
//
// Two live instances without a transactional id may still leave an older position last (R74); that costs duplicates, and
// the older instance stops at its next Save.
type KafkaStore struct {
	topic *topicstore.Store
	key   []byte
	seq   sequence
	// next is the offset after the last record that was looked at.
	next int64
}

var _ Store = (*KafkaStore)(nil)

// partition is the only one: one partition is what makes "last" mean something.
const partition = 0

// OpenKafka connects and creates or checks the topic.
func OpenKafka(ctx context.Context, c KafkaConfig) (*KafkaStore, error) {
	topic, err := topicstore.Open(ctx, topicstore.Config{
		Connection: c.Connection, Topic: c.Topic, Partitions: 1, ReplicationFactor: c.ReplicationFactor,
		// Small segments and eager cleaning keep the read at start short (reference benthos 15).
		Settings: map[string]string{"segment.bytes": "67108864", "min.cleanable.dirty.ratio": "0.1"},
	})
	if err != nil {
		return nil, err
	}
	return &KafkaStore{topic: topic, key: []byte(c.Prefix)}, nil
}

// Load reads the topic to its last stable offset. Among records of one run the one with the highest sequence number counts,
// so a late write of an older position changes nothing.
func (s *KafkaStore) Load(ctx context.Context) (*position.Position, error) {
	var last []byte
	var at stamp
	s.next = 0
	err := s.read(ctx, func(value []byte) error {
		found := peek(value)
		if value == nil || last == nil || found.Run == "" || found.Run != at.Run || found.Sequence >= at.Sequence {
			last, at = value, found
		}
		return nil
	})
	if err != nil || last == nil {
		return nil, err
	}
	p, err := decode(last, s.topic.Topic())
	if err != nil {
		return nil, err
	}
	s.seq.loaded = stamp{p.Run, p.Sequence}
	return p, nil
}

// Save appends the position and returns once all replicas have it. A position older than one already saved is left alone.
func (s *KafkaStore) Save(ctx context.Context, p *position.Position) error {
	data, err := s.seq.encode(p, s.topic.Topic())
	if data == nil {
		return err
	}
	if err := s.lookForOthers(ctx, p.Run); err != nil {
		return err
	}
	record := &topicstore.Record{Key: s.key, Value: data}
	s.seq.handed(p)
	if err := s.topic.Append(ctx, record); err != nil {
		return err
	}
	// What lies between is somebody else's, written since the look above.
	if record.Offset != s.next {
		return s.lookForOthers(ctx, p.Run)
	}
	s.next = record.Offset + 1
	return nil
}

// lookForOthers reads what was written since the last look.
func (s *KafkaStore) lookForOthers(ctx context.Context, run string) error {
	return s.read(ctx, func(value []byte) error {
		if value == nil {
			return nil
		}
		return s.seq.foreign(peek(value), run, s.topic.Topic())
	})
}

func (s *KafkaStore) read(ctx context.Context, fn func(value []byte) error) error {
	end, err := s.topic.End(ctx)
	if err != nil {
		return err
	}
	if end[partition] <= s.next {
		return nil
	}
	err = s.topic.ReadFrom(ctx, map[int32]int64{partition: s.next}, func(r topicstore.Record) error {
		s.next = max(s.next, r.Offset+1)
		if !bytes.Equal(r.Key, s.key) {
			return nil
		}
		return fn(r.Value)
	})
	if err != nil {
		return err
	}
	s.next = max(s.next, end[partition])
	return nil
}

// Close ends the Kafka client.
func (s *KafkaStore) Close() error {
	s.topic.Close()
	return nil
}
