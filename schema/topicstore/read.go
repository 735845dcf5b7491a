package topicstore

import (
	"context"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
)

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
	next, err := s.starts(ctx)
	if err != nil {
		return err
	}
	for _, p := range slices.Sorted(maps.Keys(end)) {
		r := reader{store: s, partition: p, next: max(next[p], from[p]), end: end[p]}
		if err := r.run(ctx, fn); err != nil {
			return err
		}
	}
	return nil
}

// starts gives the offset of the first record that each partition may still hold.
func (s *Store) starts(ctx context.Context) (map[int32]int64, error) {
	listed, err := s.adm.ListStartOffsets(ctx, s.topic)
	return offsets(listed, err, s.topic)
}

func offsets(listed kadm.ListedOffsets, err error, topic string) (map[int32]int64, error) {
	if err == nil {
		err = listed.Error()
	}
	if err != nil {
		return nil, Classify(err, topic)
	}
	out := map[int32]int64{}
	listed.Each(func(o kadm.ListedOffset) { out[o.Partition] = o.Offset })
	return out, nil
}
