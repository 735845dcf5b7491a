package processor

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/config/kafka"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// Schema is one oracle_schema processor.
type Schema struct {
	res *service.Resources
	log *service.Logger

	input, topic string
	kafka        topicstore.Connection
	timeout      time.Duration
	forward      bool

	// one is held by the only caller of Process: several pipeline threads share one processor, and reorder what it passes.
	one sync.Mutex
	// joined is the input of the stream once the processor told it that it is there.
	joined *rendezvous.Input
	store  *topicstore.Store
	// last is the number of the last event.
	last uint64
	// written is the number of the newest version of each table that was written; passing is that of the last row that passed.
	written map[schema.Table]int
	passing *schema.Version
	// pending are versions that are not written yet, one per table; no event passes before they are. failed says why they are
	// not, retryAt when to try again.
	pending []*change.Event
	failed  error
	retryAt time.Time
	now     func() time.Time
}

var _ service.Processor = (*Schema)(nil)

// New builds the processor. It tells the input of its stream that it is there: the input emits schema events only then. A
// stream without that input is no error before the first event arrives, so that configuration tests can build the processor
// alone.
func New(conf *service.ParsedConfig, res *service.Resources) (*Schema, error) {
	s := &Schema{res: res, log: res.Logger(), written: map[schema.Table]int{}, now: time.Now}
	var err error
	if s.input, err = conf.FieldString(osFieldInput); err != nil {
		return nil, err
	}
	if s.topic, err = conf.FieldString(osFieldTopic); err != nil {
		return nil, err
	}
	if s.kafka, err = kafka.Connection(conf.Namespace(osFieldKafka), res.Logger()); err != nil {
		return nil, fmt.Errorf("%s.%w", osFieldKafka, err)
	}
	if s.timeout, err = conf.FieldDuration(osFieldWriteTimeout); err != nil {
		return nil, err
	}
	if s.timeout <= 0 {
		return nil, fmt.Errorf("%s must be above zero", osFieldWriteTimeout)
	}
	if s.forward, err = conf.FieldBool(osFieldForward); err != nil {
		return nil, err
	}
	if in, err := rendezvous.Of(res).Find(s.input); err == nil {
		if err := in.JoinProcessor(); err != nil {
			if typed, ok := stop.As(err); ok && in.Begun() {
				// The runtime builds it lazily, anew for every message, and would fail each for ever.
				rendezvous.Of(res).RecordStop(typed)
			}
			return nil, err
		}
		s.joined = in
	}
	return s, nil
}

// retryPause is the least time between two attempts to write a version. The rows behind it fail at once until then, so that
// a batch of them does not wait for each.
const retryPause = time.Second

// Process writes a version and consumes its message; everything else passes, unless a version in front of it is not written.
// What fails is not acknowledged and is read again (R75).
//
// It takes single messages: when a batch processor consumes one of a batch, the runtime gives the others the wrong contexts.
func (s *Schema) Process(ctx context.Context, msg *service.Message) (service.MessageBatch, error) {
	ev := change.From(msg.Context())
	if ev == nil {
		return service.MessageBatch{msg}, nil
	}
	if !s.one.TryLock() {
		return nil, s.refuse(stop.New(stop.Configuration, "oracle_schema", "several pipeline threads reorder changes").
			Doing("set pipeline.threads to 1"))
	}
	defer s.one.Unlock()
	if err := s.join(); err != nil {
		return nil, s.refuse(err)
	}
	if b := change.BatchFrom(msg.Context()); b != nil && b.Source != s.joined.Settings().Prefix {
		return service.MessageBatch{msg}, nil // of another input of the stream, with versions and numbers of its own
	}
	if err := s.inspect(ev); err != nil {
		return nil, s.refuse(err)
	}
	if ev.Kind == change.Schema {
		if err := s.own(msg, ev); err != nil {
			return nil, s.refuse(err)
		}
		s.await(ev)
	}
	if err := s.writePending(ctx); err != nil {
		return nil, err
	}
	if ev.Kind == change.Schema && !s.forward {
		return nil, nil
	}
	if err := s.known(ev); err != nil {
		return nil, s.refuse(err)
	}
	return service.MessageBatch{msg}, nil
}

// inspect checks the place of the processor in the stream.
func (s *Schema) inspect(ev *change.Event) error {
	if ev.Number == 0 {
		return nil
	}
	if ev.Number < s.last {
		return stop.New(stop.Configuration, "oracle_schema", "events arrive out of order: number %d after %d", ev.Number, s.last).
			Doing(placement)
	}
	s.last = ev.Number
	return nil
}

const placement = "keep what removes, reorders or retries messages (mappings, several threads, buffers) away from before the processor: " +
	"put it first under input.processors, or first in the pipeline"

// own checks that the message is the one that the event was made for.
func (s *Schema) own(msg *service.Message, ev *change.Event) error {
	content, err := msg.AsBytes()
	if err == nil && bytes.Equal(content, ev.Value) {
		return nil
	}
	return stop.New(stop.Configuration, "oracle_schema", "a message with a table's versions was changed, or others were removed in front of it").
		Doing(placement)
}

// known checks that the version of a row is in the topic: written by this processor, or found there by the input. Rows come in
// runs of one version.
func (s *Schema) known(ev *change.Event) error {
	v := ev.Version
	if v == nil || v == s.passing || v.Stored {
		return nil
	}
	switch ev.Kind {
	case change.Change, change.Tombstone, change.Snapshot:
	default:
		return nil
	}
	if s.written[v.Table] < v.Number {
		return stop.New(stop.Configuration, v.Table.String(), "the message with version %d of the table was removed in front of oracle_schema", v.Number).
			Doing(placement)
	}
	s.passing = v
	return nil
}

// await puts a version in line, in place of an older one of its table.
func (s *Schema) await(ev *change.Event) {
	s.pending = slices.DeleteFunc(s.pending, func(o *change.Event) bool { return bytes.Equal(o.Key, ev.Key) })
	s.pending = append(s.pending, ev)
}

// writePending writes the versions in line.
func (s *Schema) writePending(ctx context.Context) error {
	if len(s.pending) > 0 && s.failed != nil && s.now().Before(s.retryAt) {
		return s.failed
	}
	for len(s.pending) > 0 {
		if err := s.write(ctx, s.pending[0]); err != nil {
			s.failed, s.retryAt = err, s.now().Add(retryPause)
			return s.refuse(err)
		}
		if v := s.pending[0].Version; v != nil {
			s.written[v.Table] = max(s.written[v.Table], v.Number) // its record holds the ones before it
		}
		s.pending = s.pending[1:]
	}
	s.failed = nil
	return nil
}

// join finds the input where the constructor could not.
func (s *Schema) join() error {
	if s.joined != nil {
		return nil
	}
	in, err := rendezvous.Of(s.res).Find(s.input)
	if err != nil {
		return err
	}
	if err := in.JoinProcessor(); err != nil {
		return err
	}
	s.joined = in
	return nil
}

// openPeriod is the wait between two attempts to reach the brokers.
const openPeriod = 250 * time.Millisecond

func (s *Schema) write(ctx context.Context, ev *change.Event) error {
	bounded, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := s.open(bounded); err != nil {
		return err
	}
	return s.store.Append(bounded, &topicstore.Record{Key: ev.Key, Value: ev.Value})
}

// open connects and creates or checks the topic at first use.
func (s *Schema) open(ctx context.Context) error {
	if s.store != nil {
		return nil
	}
	settings := s.joined.Settings()
	c := topicstore.Config{
		Connection: s.kafka, Topic: s.topic,
		ReplicationFactor: int16(settings.ReplicationFactor), //nolint:gosec // a replication factor of this size is refused by the broker
	}
	if len(c.Connection) == 0 {
		c.Connection = settings.Kafka
	}
	if c.Topic == "" {
		c.Topic = settings.SchemaTopic
	}
	c.Topic = strings.ReplaceAll(c.Topic, "{prefix}", settings.Prefix)
	for {
		store, err := topicstore.Open(ctx, c)
		if err == nil {
			s.store = store
			return nil
		}
		if !topicstore.Retriable(err) || !pause(ctx) {
			return topicstore.Classify(err, c.Topic)
		}
	}
}

func pause(ctx context.Context) bool {
	timer := time.NewTimer(openPeriod)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// refuse reports why messages fail; the runtime shows errors of processors at level debug only. What trying again cannot cure
// stops the stream.
func (s *Schema) refuse(err error) error {
	s.log.Errorf("Messages are refused and will be read again: %s", err)
	if typed, ok := stop.As(err); ok {
		if entry, _ := stop.Lookup(typed.Code); !entry.Retried {
			rendezvous.Of(s.res).RecordStop(typed)
		}
	}
	return err
}

// Close ends the Kafka client and takes the processor out of the stream.
func (s *Schema) Close(context.Context) error {
	if s.store != nil {
		s.store.Close()
	}
	if s.joined != nil {
		s.joined.LeaveProcessor()
	}
	return nil
}
