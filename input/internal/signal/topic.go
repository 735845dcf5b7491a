package signal

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// Topic reads signals from a Kafka topic: the key is the topic prefix, the value {"id":…,"type":…,"data":{…}}.
type Topic struct {
	Connection topicstore.Connection
	Name       string
	// Key is what the key of a record must be; others are for other connectors.
	Key string
	// From is what was handled in an earlier run, by partition. One that it does not name, beside one that it names, was added since and
	// is read from its start.
	From map[int32]int64
	// Since is from when on signals are read where From is empty. Zero: those that are sent from now on, since those from before the
	// first start were meant for something else.
	Since time.Time
	Log   *slog.Logger
	Now   func() time.Time
	// Retry is the wait after a fault of the broker or the topic; 0: five seconds.
	Retry time.Duration
	// Look is how often reading looks for partitions that were added; 0: every minute.
	Look time.Duration
	// Began is told the offsets that reading begins at, once they are known; nil: nobody asks. What is not stored of them is lost at a
	// restart: signals that were sent while nothing ran would be skipped.
	Began func(map[int32]int64)
}

const (
	defaultRetry = 5 * time.Second
	// maxPoll bounds the records in memory; signals are few.
	maxPoll   = 100
	maxFetch  = 8 << 20
	warnEvery = time.Minute
	// lookEvery is how often reading looks for partitions that were added: a key may be in one of them from then on.
	lookEvery = time.Minute
)

// Run delivers until ctx ends. A broker or a topic that is away is waited for: signals are no data, and capture goes on without.
func (t *Topic) Run(ctx context.Context, out chan<- Delivery) {
	retry := t.Retry
	if retry == 0 {
		retry = defaultRetry
	}
	from := maps.Clone(t.From)
	var warned time.Time
	missing := false
	for {
		err := t.read(ctx, &from, missing, out)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			continue // partitions were added
		}
		missing = missing || stop.Is(err, stop.Topic)
		if now := t.Now(); now.Sub(warned) >= warnEvery {
			warned = now
			t.Log.LogAttrs(ctx, slog.LevelWarn, "The topic of signals cannot be read; it is tried again", slog.String("topic", t.Name), slog.Any("error", err))
		}
		timer := time.NewTimer(retry)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// read consumes with one client; from follows what was delivered.
func (t *Topic) read(ctx context.Context, from *map[int32]int64, missing bool, out chan<- Delivery) error {
	begin, err := t.begin(ctx, *from, missing)
	if err != nil {
		return err
	}
	*from = begin // before the first record: what is added from now on is read from its start
	if t.Began != nil {
		t.Began(maps.Clone(begin))
	}
	at := map[int32]kgo.Offset{}
	for partition, offset := range begin {
		at[partition] = kgo.NewOffset().At(offset)
	}
	client, err := kgo.NewClient(append(slices.Clone(t.Connection),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{t.Name: at}),
		// An offset that retention has just passed.
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.FetchMaxBytes(maxFetch), kgo.FetchMaxPartitionBytes(maxFetch),
	)...)
	if err != nil {
		return err
	}
	defer client.Close()
	look := cmp.Or(t.Look, lookEvery)
	looked := t.Now()
	for {
		fetched := t.poll(ctx, client, look)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if f := fetched.Errors(); len(f) > 0 {
			return topicstore.Classify(f[0].Err, t.Name)
		}
		for _, record := range fetched.Records() {
			if err := t.deliver(ctx, record, out); err != nil {
				return err
			}
			begin[record.Partition] = record.Offset + 1
		}
		if now := t.Now(); now.Sub(looked) >= look {
			looked = now
			if n, err := t.partitions(ctx, client); err != nil || n > len(begin) {
				return err
			}
		}
	}
}

// poll waits for records, but no longer than it is time to look for partitions. That its time is over is no error.
func (t *Topic) poll(ctx context.Context, client *kgo.Client, look time.Duration) kgo.Fetches {
	wait, cancel := context.WithTimeout(ctx, look)
	defer cancel()
	fetched := client.PollRecords(wait, maxPoll)
	if wait.Err() != nil && fetched.NumRecords() == 0 {
		return nil
	}
	return fetched
}

func (t *Topic) partitions(ctx context.Context, client *kgo.Client) (int, error) {
	topics, err := kadm.NewClient(client).ListTopics(ctx, t.Name)
	if err == nil {
		err = topics.Error()
	}
	if err != nil {
		return 0, topicstore.Classify(err, t.Name)
	}
	return len(topics[t.Name].Partitions), nil
}

// Begin gives the offsets that reading begins at, before it runs.
func (t *Topic) Begin(ctx context.Context) (map[int32]int64, error) {
	return t.begin(ctx, t.From, false)
}

// begin gives the offset of every partition. A topic that was missing before was made for what is sent now: it is read from its start.
func (t *Topic) begin(ctx context.Context, from map[int32]int64, missing bool) (map[int32]int64, error) {
	client, err := kgo.NewClient(t.Connection...)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	adm := kadm.NewClient(client)
	ends, err := adm.ListCommittedOffsets(ctx, t.Name)
	if err == nil {
		err = ends.Error()
	}
	if err == nil && len(ends[t.Name]) == 0 {
		err = fmt.Errorf("%w: it has no partitions", kerr.UnknownTopicOrPartition)
	}
	var starts kadm.ListedOffsets
	if err == nil {
		if starts, err = adm.ListStartOffsets(ctx, t.Name); err == nil {
			err = starts.Error()
		}
	}
	fresh := ends
	if err == nil && !t.Since.IsZero() {
		// The end, where nothing is that young.
		if fresh, err = adm.ListOffsetsAfterMilli(ctx, t.Since.UnixMilli(), t.Name); err == nil {
			err = fresh.Error()
		}
	}
	if err != nil {
		return nil, topicstore.Classify(err, t.Name)
	}
	begin := map[int32]int64{}
	ends.Each(func(end kadm.ListedOffset) {
		first, _ := starts.Lookup(t.Name, end.Partition)
		stored, known := from[end.Partition]
		begin[end.Partition] = stored
		switch {
		case !known && (missing || len(from) > 0):
			begin[end.Partition] = first.Offset
		case !known:
			begin[end.Partition] = end.Offset
			if young, ok := fresh.Lookup(t.Name, end.Partition); ok && young.Offset >= 0 {
				begin[end.Partition] = young.Offset
			}
		case stored > end.Offset:
			// The topic was made again: it has nothing that was handled.
			begin[end.Partition] = first.Offset
		case stored < first.Offset:
			t.Log.LogAttrs(ctx, slog.LevelWarn, "The topic no longer has all records since the last signal that was handled: signals may be lost",
				slog.String("topic", t.Name), slog.Int("partition", int(end.Partition)), slog.Int64("from", stored), slog.Int64("to", first.Offset))
			begin[end.Partition] = first.Offset
		}
	})
	return begin, nil
}

func (t *Topic) deliver(ctx context.Context, record *kgo.Record, out chan<- Delivery) error {
	if string(record.Key) != t.Key {
		return nil
	}
	s := decode(record.Value, Kafka)
	s.Partition, s.Offset, s.Millis = record.Partition, record.Offset, record.Timestamp.UnixMilli()
	select {
	case out <- Delivery{Signal: s}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
