package verify

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Stored is what the position that was stored last says of deliveries: which of them were acknowledged. The zero Stored says
// nothing of any.
type Stored struct {
	// Done is the SCN up to which every commit is acknowledged.
	Done uint64
	// Group is the commit SCN of the transaction in progress, and Event the index of its last acknowledged event; those of its
	// group with a lower commit SCN are acknowledged too. Zero: none is in progress.
	Group uint64
	Event int
	// Read: the rows that were there before are read.
	Read bool
}

// Stored reads the newest record of a position topic.
func (t *Topics) Stored(ctx context.Context, topic string) (Stored, error) {
	ends, err := kadm.NewClient(t.client).ListEndOffsets(ctx, topic)
	if err != nil {
		return Stored{}, err
	}
	end, ok := ends.Lookup(topic, 0)
	if !ok || end.Err != nil || end.Offset == 0 {
		return Stored{}, errors.Join(fmt.Errorf("%s holds no position", topic), end.Err)
	}
	seeds := t.client.OptValue(kgo.SeedBrokers)
	brokers, ok := seeds.([]string)
	if !ok {
		return Stored{}, fmt.Errorf("no seed brokers: %v", seeds)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: {0: kgo.NewOffset().At(end.Offset - 1)}}))
	if err != nil {
		return Stored{}, err
	}
	defer client.Close()
	fetches := client.PollRecords(ctx, 1)
	if err := fetches.Err(); err != nil {
		return Stored{}, err
	}
	return ParseStored(fetches.Records()[0].Value)
}

// ParseStored reads what a position says of deliveries.
func ParseStored(value []byte) (Stored, error) {
	position, err := parseJSON(value)
	if err != nil {
		return Stored{}, fmt.Errorf("position: %w", err)
	}
	s := Stored{Read: fmt.Sprint(position.S("snapshot", "status").Data()) == "completed"}
	number := func(path ...string) (n uint64) {
		text := fmt.Sprint(position.S(path...).Data())
		n, failed := strconv.ParseUint(text, 10, 64)
		err = errors.Join(err, failed)
		return n
	}
	s.Done = number("done", "c")
	if position.Exists("group") {
		s.Group, s.Event = number("group", "key", "0"), int(number("group", "index"))
	}
	if err != nil {
		return Stored{}, fmt.Errorf("position: %w", err)
	}
	return s, nil
}

// covers reports whether the position says that a record was acknowledged.
func (s Stored) covers(e *entry) bool {
	return e.commitSCN <= s.Done || e.commitSCN < s.Group || e.commitSCN == s.Group && e.event <= s.Event
}

// Stored checks that a life repeats nothing that the position it began with covers. What a life delivers for the first time
// is no repetition, however low its commit SCN.
func (h *History) Stored(positions []Stored, report *Report) {
	// Of several transactions with the commit SCN of the group it is not said which of them is in progress.
	sharing := map[uint64]map[transaction]bool{}
	for _, e := range h.unique {
		if sharing[e.commitSCN] == nil {
			sharing[e.commitSCN] = map[transaction]bool{}
		}
		sharing[e.commitSCN][e.transaction] = true
	}
	for _, e := range h.unique {
		for _, c := range h.lives[e.identity][1:] {
			life := c.record.Life
			if life == 0 || life > len(positions) || c.commitSCN == positions[life-1].Group && len(sharing[c.commitSCN]) > 1 {
				continue
			}
			if positions[life-1].covers(c) {
				report.fault("%s is repeated in life %d, although the position stored before covers it: %+v", c, life, positions[life-1])
			}
		}
	}
}
