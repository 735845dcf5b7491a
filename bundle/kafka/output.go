package kafka

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kerr"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// Output is one kafka_franz output.
type Output struct {
	config *config
	res    *service.Resources
	log    *service.Logger
	render renderer

	// mu guards what follows; it is not held while records are written.
	mu      sync.Mutex
	session *session
	stopped *stop.Error
	order   order
	// failures is how many times in a row writing failed although there was a connection.
	failures int
}

var _ service.BatchOutput = (*Output)(nil)

// New builds the output and tells the input of its stream, if there is one, that it is there.
func New(conf *service.ParsedConfig, res *service.Resources) (*Output, error) {
	c, err := parseConfig(conf, res)
	if err != nil {
		return nil, err
	}
	if in, err := rendezvous.Of(res).Find(""); err == nil {
		in.JoinOutput()
	}
	return &Output{config: c, res: res, log: res.Logger(), order: order{}, render: renderer{config: c, single: &ordered{}}}, nil
}

const (
	// pingTimeout bounds Connect, whose context has no deadline.
	pingTimeout = 30 * time.Second
	// freeFailures in a row are tried again at once, the next after pauses that double.
	freeFailures          = 2
	firstPause, lastPause = 50 * time.Millisecond, 5 * time.Second
	// resumeTimeout is how long Connect waits for records that are under way, before it says what is the matter.
	resumeTimeout = 10 * time.Second
	// diagnoseTimeout bounds the look for the reason why records are not acknowledged.
	diagnoseTimeout = 5 * time.Second
	// deniedRetry is the wait after a refused log-on: more attempts could lock the account.
	deniedRetry = time.Minute
	// stopRetry is how long the runtime waits before it asks a stopped output again.
	stopRetry = time.Hour
)

// Connect replaces the client: what failed in the one before cannot touch what is written next. Only a client with records under
// way stays, because another one could be overtaken by them; then the output is connected once they are settled.
func (o *Output) Connect(ctx context.Context) error {
	if err := o.pace(ctx); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stopped != nil {
		return service.NewErrBackOff(o.stopped, stopRetry)
	}
	if o.session != nil && o.session.waits() {
		return o.resume(ctx, o.session)
	}
	o.closeSession()
	conn, err := o.connection()
	if typed, ok := stop.As(err); ok {
		o.stopped = typed
		rendezvous.Of(o.res).RecordStop(typed)
		return service.NewErrBackOff(typed, stopRetry)
	}
	s, err := newSession(o.config, conn, o.log, o.render.single)
	if err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	if err := s.client.Ping(bounded); err != nil {
		s.close()
		if topicstore.Denied(err) {
			return service.NewErrBackOff(topicstore.Classify(err, "brokers"), deniedRetry)
		}
		return topicstore.Classify(err, "brokers")
	}
	o.session = s
	return nil
}

// pace waits before a connection that follows on failures: the runtime itself does not, as long as connecting succeeds, and a
// broker that answers and refuses would be asked without a pause.
func (o *Output) pace(ctx context.Context) error {
	o.mu.Lock()
	n := o.failures - freeFailures
	o.mu.Unlock()
	if n <= 0 {
		return nil
	}
	timer := time.NewTimer(min(firstPause<<min(n-1, 10), lastPause))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// resume waits until the records under way are settled. The runtime shows its error in /ready, and then hands over their batch.
func (o *Output) resume(ctx context.Context, s *session) error {
	bounded, cancel := context.WithTimeout(ctx, resumeTimeout)
	defer cancel()
	waiting := s.resume(bounded)
	if waiting == nil || ctx.Err() != nil {
		return waiting
	}
	looking, done := context.WithTimeout(ctx, diagnoseTimeout)
	defer done()
	if err := s.client.Ping(looking); err != nil {
		return topicstore.Classify(err, "brokers")
	}
	if typed, ok := stop.As(waiting); ok {
		return typed
	}
	return waiting
}

// connection is the own one, else that of the input; it is kept, because the input leaves before the output at a shutdown.
func (o *Output) connection() (topicstore.Connection, error) {
	if len(o.config.conn) > 0 {
		return o.config.conn, nil
	}
	in, err := rendezvous.Of(o.res).Find("")
	if err != nil {
		return nil, errNoBrokers()
	}
	if conn := in.Settings().Kafka; len(conn) > 0 {
		o.config.conn = conn
		return conn, nil
	}
	return nil, errNoBrokers()
}

func errNoBrokers() error {
	return stop.New(stop.Configuration, "kafka_franz", "no brokers to write to").
		Doing("set seed_brokers of the output, or kafka.seed_brokers of the oracle_cdc input")
}

// WriteBatch writes a batch whole and in order. What trying again may cure comes back as not connected: the runtime then
// connects and hands the same batch again, which keeps the order (reference benthos 1.3).
func (o *Output) WriteBatch(ctx context.Context, batch service.MessageBatch) error {
	o.mu.Lock()
	s, stopped := o.session, o.stopped
	disorder, behind := o.order.check(batch), o.order.gaps(batch)
	o.mu.Unlock()
	if stopped != nil {
		return stopped
	}
	if s == nil {
		return service.ErrNotConnected
	}
	for _, b := range behind {
		if err := settled(ctx, b); err != nil {
			return err
		}
	}
	if behindRefused(batch) {
		return errRefusedBefore
	}
	if err := refused(batch); err != nil {
		return err
	}
	records, events, err := o.render.records(batch)
	if err == nil && events && o.config.maxInFlight > 1 {
		err = stop.New(stop.Configuration, "kafka_franz", "max_in_flight %d reorders changes", o.config.maxInFlight).
			Doing("set max_in_flight to 1")
	}
	if err == nil {
		err = disorder
	}
	if err == nil {
		if err = s.write(ctx, records); err == nil {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.order.written(batch)
			o.failures = 0
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
		err = topicstore.Classify(err, records[0].Topic)
	}
	return o.failed(err, events)
}

// failed decides what becomes of a batch that was not written.
func (o *Output) failed(err error, events bool) error {
	typed, ok := stop.As(err)
	switch {
	case ok && (typed.Code == stop.Broker || typed.Code == stop.Topic && o.config.create.enabled && errors.Is(err, kerr.UnknownTopicOrPartition)):
		// The runtime does not show this error: of a batch that it keeps it only knows that there is no connection.
		o.mu.Lock()
		o.failures++
		o.mu.Unlock()
		o.log.Warnf("A batch is kept and tried again: %s", err)
		return errors.Join(service.ErrNotConnected, err)
	case ok && events:
		o.mu.Lock()
		o.stopped = typed
		o.mu.Unlock()
		o.log.Error(typed.Error())
		rendezvous.Of(o.res).RecordStop(typed)
		// The batch and all behind it are refused from now on; the input does not begin again after a recorded stop.
		return err
	default:
		return err
	}
}

// Close ends the client. Records that were not acknowledged are dropped; their batch was not acknowledged either.
func (o *Output) Close(context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closeSession()
	return nil
}

func (o *Output) closeSession() {
	if o.session != nil {
		o.session.close()
		o.session = nil
	}
}
