package topicstore

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// silence is how long reading waits for the next record below the end before it gives up: the broker answers fetches at
// once when there is something to deliver.
const silence = 30 * time.Second

// Read delivers every record up to the last stable offset as it is now, in order of each partition. Records of aborted
// and of open transactions are not among them. An error of fn ends it.
func (s *Store) Read(ctx context.Context, fn func(Record) error) error {
	return s.ReadFrom(ctx, nil, fn)
}

// ReadFrom is Read beginning at an offset per partition; a partition that is not named is read from its start.
func (s *Store) ReadFrom(ctx context.Context, from map[int32]int64, fn func(Record) error) error {
	end, err := s.End(ctx)
	if err != nil {
		return err
	}
	listed, err := s.adm.ListStartOffsets(ctx, s.topic)
	next, err := offsets(listed, err, s.topic)
	if err != nil {
		return err
	}
	starts := map[int32]kgo.Offset{}
	for p, at := range next {
		next[p] = max(at, from[p])
		if next[p] < end[p] {
			starts[p] = kgo.NewOffset().At(next[p])
		}
	}
	if len(starts) == 0 {
		return nil
	}
	return s.consume(ctx, starts, end, fn)
}

// consume reads with a client of its own: its fetches end with it.
func (s *Store) consume(ctx context.Context, starts map[int32]kgo.Offset, end map[int32]int64, fn func(Record) error) error {
	client, err := kgo.NewClient(append(slices.Clone(s.conn),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{s.topic: starts}),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		// The last offset is often a commit marker, which consumers do not see otherwise (reference benthos 15).
		kgo.KeepControlRecords(),
		kgo.FetchMaxWait(time.Second),
		kgo.MetadataMinAge(metadataMinAge),
	)...)
	if err != nil {
		return stop.Wrap(stop.Configuration, err, s.topic, "the Kafka settings do not make a client").Doing("correct the kafka block")
	}
	defer client.Close()
	for len(starts) > 0 {
		fetches, err := poll(ctx, client)
		if err != nil {
			return Classify(err, s.topic)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if err == nil && r.Offset < end[r.Partition] && !r.Attrs.IsControl() {
				err = fn(Record{Key: r.Key, Value: r.Value, Partition: r.Partition, Offset: r.Offset})
			}
			if r.Offset+1 >= end[r.Partition] {
				delete(starts, r.Partition)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// poll waits for records. A fetch error that the client itself cannot cure ends the reading.
func poll(ctx context.Context, client *kgo.Client) (kgo.Fetches, error) {
	bounded, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	fetches := client.PollFetches(bounded)
	var failed error
	fetches.EachError(func(_ string, _ int32, err error) { failed = errors.Join(failed, err) })
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return fetches, failed
}
