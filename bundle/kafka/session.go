package kafka

import (
	"context"
	"fmt"
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

	roundBytes, roundRecords int
}

func newSession(c *config, conn topicstore.Connection, log *service.Logger) (*session, error) {
	client, err := kgo.NewClient(append(conn[:len(conn):len(conn)], c.client...)...)
	if err != nil {
		return nil, err
	}
	return &session{
		client: client, log: log, roundBytes: c.roundBytes, roundRecords: c.roundRecords,
		topics: topics{create: c.create, adm: kadm.NewClient(client), known: map[string]bool{}},
	}, nil
}

// write writes records in order and returns once all are acknowledged, or with the first fault once nothing of them is under
// way any more.
func (s *session) write(ctx context.Context, records []*kgo.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.topics.ensure(ctx, records); err != nil {
		return err
	}
	for len(records) > 0 {
		n := s.round(records)
		if err := s.produce(ctx, records[:n]); err != nil {
			return err
		}
		records = records[n:]
	}
	return nil
}

// round gives how many of the records go out together: so many that each partition gets at most one record batch. Only then
// nothing of a partition can be written behind a record of it that was refused.
func (s *session) round(records []*kgo.Record) int {
	total := batchOverhead
	for i, r := range records {
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

// slowWarning is how long a write is waited for before the log says so; the client goes on trying.
const slowWarning = 30 * time.Second

// produce writes one round. It waits for every record, also after one has failed: a request that is still under way when
// the batch is written again could land behind the newer one.
func (s *session) produce(ctx context.Context, records []*kgo.Record) error {
	var failed fault
	for _, r := range records {
		s.client.TryProduce(context.WithoutCancel(ctx), r, failed.note)
	}
	for waited := slowWarning; ; waited += slowWarning {
		bounded, cancel := context.WithTimeout(ctx, slowWarning)
		err := s.client.Flush(bounded)
		cancel()
		switch {
		case err == nil:
			return failed.err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		s.log.Warnf("%s", stop.New(stop.Broker, records[0].Topic, "%d records have been waiting for their acknowledgement by Kafka for %s",
			s.client.BufferedProduceRecords(), waited))
	}
}

// fault keeps the first error of a round. The client calls note from one goroutine at a time, Flush waits for all calls.
type fault struct {
	mu  sync.Mutex
	err error
}

func (f *fault) note(r *kgo.Record, err error) {
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || topicstore.Retriable(f.err) && !topicstore.Retriable(err) {
		f.err = fmt.Errorf("topic %s, record of %d bytes: %w", r.Topic, recordSize(r), err)
	}
}

func (s *session) close() { s.client.Close() }
