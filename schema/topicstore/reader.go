package topicstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// reader reads one partition from an offset to an end that is known to be stable.
//
// It asks for records itself, because a consuming client keeps to itself what decides the end: an answer without records.
// The end of a partition need not have a record before it. Commit markers and aborted records are skipped, and compaction
// takes away records: of a segment that was closed by time the last ones too. What the broker answers then is no error, no
// bytes, and a last stable offset that is not below the end. Waiting for a record of offset end-1 waits for ever.
type reader struct {
	store     *Store
	partition int32
	next, end int64
	// leader is asked until it gives nothing; topicID is what it knows the topic by.
	leader  *kgo.Broker
	topicID kadm.TopicID
	// empty counts answers in a row that hold nothing although the broker knows of the end.
	empty int
}

const (
	// silence is how long a reader goes on without getting further: leaders change, brokers come back.
	silence = 30 * time.Second
	// confirmations is how many empty answers make the end. One does by the protocol; the second, on a request of its own,
	// costs a moment at start and asks the leader anew.
	confirmations = 2
	// retryRead is the wait before the next request after one that gave nothing.
	retryRead = 50 * time.Millisecond
	// fetchWait is how long the broker may wait for records; below the end they are there, it answers at once.
	fetchWait = 500 * time.Millisecond
	// fetchBytes bounds an answer, as the bound of its only partition; a single larger record batch comes whole.
	fetchBytes = 8 << 20
)

// run reads to the end. Errors of fn come back as they are, all others with their code.
func (r *reader) run(ctx context.Context, fn func(Record) error) error {
	patience := time.NewTimer(silence)
	defer patience.Stop()
	for r.next < r.end {
		at := r.next
		got, err := r.fetch(ctx)
		switch {
		case err == nil:
			if err := r.deliver(got, fn); err != nil {
				return err
			}
			if r.empty == confirmations {
				return nil
			}
		case ctx.Err() != nil:
			return Classify(ctx.Err(), r.store.topic)
		case errors.Is(err, kerr.OffsetOutOfRange):
			if err := r.moved(ctx, err); err != nil {
				return Classify(err, r.store.topic)
			}
		case !passes(err):
			return Classify(err, r.store.topic)
		}
		if r.next > at {
			patience.Reset(silence)
			continue
		}
		if err != nil {
			r.empty = 0
		}
		r.leader = nil // another broker may know more
		select {
		case <-patience.C:
			return Classify(fmt.Errorf("partition %d: nothing was read from offset %d on, below the end %d, for %s: %w",
				r.partition, r.next, r.end, silence, errors.Join(context.DeadlineExceeded, err)), r.store.topic)
		default:
		}
		if err := pause(ctx, retryRead); err != nil {
			return Classify(err, r.store.topic)
		}
	}
	return nil
}

// passes reports an error of a fetch that another request may not have. A topic that was there a moment ago may be missing
// on a broker that has just started.
func passes(err error) bool {
	return Retriable(err) || isAny(err, kerr.UnknownTopicOrPartition, kerr.UnknownTopicID)
}

// moved goes on at the start of the partition when that has passed the reader. An offset behind the end is another matter:
// the broker has lost what it had acknowledged.
func (r *reader) moved(ctx context.Context, cause error) error {
	starts, err := r.store.starts(ctx)
	if err != nil {
		return err
	}
	if starts[r.partition] <= r.next {
		return fmt.Errorf("partition %d: the topic ends before offset %d, which it had: %w", r.partition, r.next, cause)
	}
	r.next = starts[r.partition]
	return nil
}

// deliver hands out what an answer holds below the end.
func (r *reader) deliver(got answer, fn func(Record) error) error {
	for _, rec := range got.records {
		if rec.Offset < r.end {
			if err := fn(Record{Key: rec.Key, Value: rec.Value, Partition: rec.Partition, Offset: rec.Offset}); err != nil {
				return err
			}
		}
	}
	switch {
	case got.next > r.next:
		r.next, r.empty = got.next, 0
	case got.nothing && got.stable >= r.end:
		r.empty++
	default:
		// A leader that was just elected may not know yet how far the topic is stable.
		r.empty = 0
	}
	return nil
}

// answer is what the leader says about the partition.
type answer struct {
	records []*kgo.Record
	// next is the offset behind everything that the answer covers, stable the last stable offset.
	next, stable int64
	// nothing: the answer has no bytes at all, not even of a batch that compaction emptied.
	nothing bool
}

var errNoAnswer = errors.New("the broker's answer does not hold the partition")

func (r *reader) fetch(ctx context.Context) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	if err := r.findLeader(ctx); err != nil {
		return answer{}, err
	}
	req := kmsg.NewPtrFetchRequest()
	req.MaxWaitMillis, req.MinBytes = int32(fetchWait/time.Millisecond), 1
	req.IsolationLevel = 1 // read committed
	asked := kmsg.NewFetchRequestTopicPartition()
	asked.Partition, asked.FetchOffset, asked.PartitionMaxBytes = r.partition, r.next, fetchBytes
	of := kmsg.NewFetchRequestTopic()
	of.Topic, of.TopicID = r.store.topic, r.topicID
	of.Partitions = append(of.Partitions, asked)
	req.Topics = append(req.Topics, of)
	resp, err := req.RequestWith(ctx, r.leader)
	if err != nil {
		return answer{}, err
	}
	if err := kerr.ErrorForCode(resp.ErrorCode); err != nil {
		return answer{}, err
	}
	for i := range resp.Topics {
		for j := range resp.Topics[i].Partitions {
			if p := &resp.Topics[i].Partitions[j]; p.Partition == r.partition {
				return r.read(p)
			}
		}
	}
	// A broker that throttles leaves the partitions out.
	return answer{}, errNoAnswer
}

func (r *reader) findLeader(ctx context.Context) error {
	if r.leader != nil {
		return nil
	}
	topic, err := describe(ctx, r.store.adm, r.store.topic)
	if err != nil {
		return err
	}
	partition, known := topic.Partitions[r.partition]
	if !known || partition.Leader < 0 {
		return kerr.LeaderNotAvailable
	}
	r.leader, r.topicID = r.store.client.Broker(int(partition.Leader)), topic.ID
	return nil
}

func (r *reader) read(p *kmsg.FetchResponseTopicPartition) (answer, error) {
	found, next := kgo.ProcessFetchPartition(kgo.ProcessFetchPartitionOpts{
		Topic: r.store.topic, Partition: r.partition, Offset: r.next, IsolationLevel: kgo.ReadCommitted(),
	}, p, kgo.DefaultDecompressor(), nil)
	if found.Err != nil {
		return answer{}, found.Err
	}
	return answer{records: found.Records, next: next, stable: found.LastStableOffset, nothing: len(p.RecordBatches) == 0}, nil
}
