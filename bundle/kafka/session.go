package kafka

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// session is one Kafka client, from Connect until something failed in it.
type session struct {
	client *kgo.Client
	log    *service.Logger
	// mu serialises batches where max_in_flight allows several.
	mu     sync.Mutex
	topics topics
	// unfinished is a batch that was given back to the runtime while records of it are under way: the client goes on with them,
	// and nothing else is written before they are settled.
	unfinished *delivery
	// loaded are the topics whose partitions the client knows.
	loaded map[string]bool

	patience                 time.Duration
	roundBytes, roundRecords int
}

func newSession(c *config, conn topicstore.Connection, log *service.Logger, single *ordered) (*session, error) {
	client, err := kgo.NewClient(append(conn[:len(conn):len(conn)], c.client...)...)
	if err != nil {
		return nil, err
	}
	return &session{
		loaded: map[string]bool{},
		client: client, log: log, patience: c.patience, roundBytes: c.roundBytes, roundRecords: c.roundRecords,
		topics: topics{create: c.create, adm: kadm.NewClient(client), known: map[string]bool{}, single: single},
	}, nil
}

// write writes records in order and returns once all are acknowledged, or with the first fault once nothing of them is under
// way any more. With errWaiting, or when ctx ends, some are under way still: written again, the same records are taken up where
// they are.
func (s *session) write(ctx context.Context, records []*kgo.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.unfinished
	if d == nil || !d.of(records) {
		if d != nil {
			// Another batch: the one before was given up on. What is under way of it stays in front of this one.
			if err := s.settled(ctx, d); errors.Is(err, errWaiting) {
				return err
			}
			s.unfinished = nil
		}
		if err := s.topics.ensure(ctx, records); err != nil {
			return err
		}
		d = &delivery{all: records, left: records}
	}
	err := s.finish(ctx, d)
	if errors.Is(err, errWaiting) {
		s.unfinished = d
		return err
	}
	s.unfinished = nil
	return err
}

// finish sends what is left of a batch, round by round.
func (s *session) finish(ctx context.Context, d *delivery) error {
	for len(d.left) > 0 {
		if d.sent == 0 {
			s.send(ctx, d)
		}
		if err := s.settled(ctx, d); err != nil {
			return err
		}
		s.loaded[d.left[0].Topic] = true
		d.left, d.sent = d.left[d.sent:], 0
	}
	return nil
}

// waits reports whether records of a batch that was given back are under way.
func (s *session) waits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unfinished != nil
}

// resume waits for them once more. When it succeeds they are settled; whether they were written is seen when their batch comes
// again.
func (s *session) resume(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unfinished == nil {
		return nil
	}
	if err := s.settled(ctx, s.unfinished); errors.Is(err, errWaiting) {
		return err
	}
	return nil
}

// delivery is a batch on its way.
type delivery struct {
	all, left []*kgo.Record
	// sent is how many of left are in the client's hands, outcome what became of them.
	sent    int
	outcome *outcome
}

// of reports whether the batch is that of the records, made anew from the same messages.
func (d *delivery) of(records []*kgo.Record) bool {
	return slices.EqualFunc(d.all, records, func(a, b *kgo.Record) bool {
		return a.Topic == b.Topic && bytes.Equal(a.Key, b.Key) && bytes.Equal(a.Value, b.Value)
	})
}

// round gives how many of the records go out together: so many that each partition gets at most one record batch. Only then
// nothing of a partition can be written behind a record of it that was refused. The first record of a topic goes alone: the client
// learns the partitions while it is being flushed, and would send what it has put into them by then.
func (s *session) round(records []*kgo.Record) int {
	topic := records[0].Topic
	if !s.loaded[topic] {
		return 1
	}
	total := batchOverhead
	for i, r := range records {
		if r.Topic != topic {
			if topic = r.Topic; !s.loaded[topic] {
				return i
			}
		}
		total += recordSize(r)
		if i > 0 && (total > s.roundBytes || i >= s.roundRecords) {
			return i
		}
	}
	return len(records)
}

// Upper bounds of what the format adds (message format v2): a batch header of 61 bytes; per record attributes, four varints
// and lengths, per header two lengths.
const (
	batchOverhead  = 64
	recordOverhead = 40
	headerOverhead = 10
)

func recordSize(r *kgo.Record) int {
	n := recordOverhead + len(r.Key) + len(r.Value)
	for _, h := range r.Headers {
		n += headerOverhead + len(h.Key) + len(h.Value)
	}
	return n
}

// errWaiting: records are under way, and the brokers do not acknowledge them.
var errWaiting = errors.New("no acknowledgement")

// send hands the next round to the client. Not bound to ctx: a record taken out of the client's order could land behind later
// ones.
func (s *session) send(ctx context.Context, d *delivery) {
	d.sent = s.round(d.left)
	d.outcome = &outcome{open: d.sent, known: make(chan struct{})}
	for _, r := range d.left[:d.sent] {
		s.client.TryProduce(context.WithoutCancel(ctx), r, d.outcome.note)
	}
}

// settled waits for every record that is under way, also after one has failed: a request that is still under way when the batch
// is written again could land behind the newer one. The flush sends them; that it is over does not mean that every outcome is
// known, because a record that the client refuses at once is not among those that it waits for.
func (s *session) settled(ctx context.Context, d *delivery) error {
	bounded, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	if s.client.Flush(bounded) == nil {
		select {
		case <-d.outcome.known:
			return d.outcome.failed
		case <-bounded.Done():
		}
	}
	waiting := stop.Wrap(stop.Broker, errWaiting, d.left[0].Topic, "%d records wait for their acknowledgement by Kafka",
		s.client.BufferedProduceRecords())
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), waiting)
	}
	return waiting
}

// outcome is what became of a round. known is closed once every record was acknowledged or refused; failed, the first fault, may
// be read then. The client calls note from goroutines of its own.
type outcome struct {
	mu     sync.Mutex
	open   int
	failed error
	known  chan struct{}
}

func (o *outcome) note(r *kgo.Record, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		o.fail(r, err)
	}
	if o.open--; o.open == 0 {
		close(o.known)
	}
}

// fail keeps the first fault, but one that trying again does not cure before one that it may.
func (o *outcome) fail(r *kgo.Record, err error) {
	if n, lacks := partitionsOf(r); lacks {
		err = stop.New(stop.Refused, r.Topic, "partition %d is asked for, the topic has %d", r.Partition, n).
			Doing("correct partition, or give the topic more partitions")
	}
	if o.failed == nil || topicstore.Retriable(o.failed) && !topicstore.Retriable(err) {
		o.failed = fmt.Errorf("topic %s, record of %d bytes: %w", r.Topic, recordSize(r), err)
	}
}

// partitionsOf says how many partitions there are, of a record whose partition is not among them.
func partitionsOf(r *kgo.Record) (n int, lacks bool) {
	if r.Context == nil {
		return 0, false
	}
	n, lacks = r.Context.Value(lacking{}).(int)
	return n, lacks
}

func (s *session) close() { s.client.Close() }
