package verify

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Topics reads data topics as any consumer does.
type Topics struct {
	client *kgo.Client
	prefix string
}

// Ends are the end offsets of all partitions at one moment.
type Ends map[string]map[int32]int64

// OpenTopics connects to the brokers. Data topics are those of the prefix, without the pipeline's own ones.
func OpenTopics(prefix string, brokers ...string) (*Topics, error) {
	// Answers about topics are cached for that long: one that was made since the last look must not be missed.
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.MetadataMinAge(10*time.Millisecond), kgo.MetadataMaxAge(time.Second))
	if err != nil {
		return nil, err
	}
	return &Topics{client: client, prefix: prefix}, nil
}

// Close ends the connection.
func (t *Topics) Close() { t.client.Close() }

// names lists the data topics.
func (t *Topics) names(ctx context.Context) ([]string, error) {
	details, err := kadm.NewClient(t.client).ListTopics(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range details.Names() {
		if strings.HasPrefix(name, t.prefix+".") && !strings.HasPrefix(name, t.prefix+".cdc.") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Ends lists where the data topics end now.
func (t *Topics) Ends(ctx context.Context) (Ends, error) {
	names, err := t.names(ctx)
	if err != nil || len(names) == 0 {
		return Ends{}, err
	}
	offsets, err := kadm.NewClient(t.client).ListEndOffsets(ctx, names...)
	if err != nil {
		return nil, err
	}
	if err := offsets.Error(); err != nil {
		return nil, err
	}
	ends := Ends{}
	offsets.Each(func(o kadm.ListedOffset) {
		if ends[o.Topic] == nil {
			ends[o.Topic] = map[int32]int64{}
		}
		ends[o.Topic][o.Partition] = o.Offset
	})
	return ends, nil
}

// Records reads the data topics from their beginning to their end of now. Each of deaths says where they ended when the
// pipeline had died and was not started again.
func (t *Topics) Records(ctx context.Context, deaths []Ends) ([]Record, error) {
	ends, err := t.Ends(ctx)
	if err != nil {
		return nil, err
	}
	begin, missing := map[string]map[int32]kgo.Offset{}, int64(0)
	for topic, partitions := range ends {
		begin[topic] = map[int32]kgo.Offset{}
		for number, end := range partitions {
			begin[topic][number] = kgo.NewOffset().AtStart()
			missing += end
		}
	}
	t.client.AddConsumePartitions(begin)
	logs := map[partition][]Record{}
	for missing > 0 {
		fetches := t.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return nil, err
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if r.Offset < ends[r.Topic][r.Partition] {
				p := partition{r.Topic, r.Partition}
				logs[p] = append(logs[p], fromKafka(r, deaths))
				missing--
			}
		})
	}
	return t.inOrder(logs)
}

// inOrder puts the partitions one behind the other, and checks that no offset is missing in one.
func (t *Topics) inOrder(logs map[partition][]Record) ([]Record, error) {
	var partitions []partition
	for p := range logs {
		partitions = append(partitions, p)
	}
	slices.SortFunc(partitions, func(a, b partition) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	var records []Record
	for _, p := range partitions {
		for i, r := range logs[p] {
			if r.Offset != int64(i) {
				return nil, fmt.Errorf("%s is record %d of its partition", r.place(), i)
			}
		}
		records = append(records, logs[p]...)
	}
	return records, nil
}

func fromKafka(r *kgo.Record, deaths []Ends) Record {
	record := Record{Topic: r.Topic, Partition: r.Partition, Offset: r.Offset, Time: r.Timestamp.UnixMilli(), Key: bytes.Clone(r.Key), Value: bytes.Clone(r.Value)}
	for _, h := range r.Headers {
		record.Headers = append(record.Headers, Header{Key: h.Key, Value: string(h.Value)})
	}
	for _, ends := range deaths {
		if r.Offset >= ends[r.Topic][r.Partition] {
			record.Life++
		}
	}
	return record
}
