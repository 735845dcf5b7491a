package rendezvous

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// Settings is what processor and output take over from the input of their stream.
type Settings struct {
	// Prefix is topic_prefix.
	Prefix string
	// Kafka is how the input reaches the brokers; empty without broker access.
	Kafka topicstore.Connection
	// SchemaTopic is topics.schema, ReplicationFactor topics.internal_replication_factor.
	SchemaTopic       string
	ReplicationFactor int
	// Hold is on_stop hold: a stop of any component holds the stream and leaves the process alone.
	Hold bool
}

// Input is the meeting point that an oracle_cdc input offers.
type Input struct {
	stream   *Stream
	label    string
	settings Settings

	// guarded by stream.mu
	processor, output bool
	frozen            bool
}

// Stream holds the meeting points of one stream.
type Stream struct {
	mu      sync.Mutex
	inputs  []*Input
	host    *Host
	stopped *stop.Error
	// ended: the host was told of the stop.
	ended bool
	// lenient: messages that a processor refused go on to the output.
	lenient bool
}

type streamKey struct{ id string }

// Of returns the meeting place of the stream that the resources belong to.
func Of(res *service.Resources) *Stream {
	actual, _ := res.GetOrSetGeneric(streamKey{id: res.StreamID()}, &Stream{})
	s := actual.(*Stream)
	if _, lenient := res.GetGeneric(lenientKey{}); lenient {
		s.mu.Lock()
		s.lenient = true
		s.mu.Unlock()
	}
	return s
}

// Offer registers an input. An input of the same label that is still there is replaced: after a hot reload the old stream
// may not have gone yet. A stop that held the stream before is forgotten: the stream is built anew.
func (s *Stream) Offer(label string, settings Settings) *Input {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := &Input{stream: s, label: label, settings: settings}
	s.inputs = slices.DeleteFunc(s.inputs, func(o *Input) bool { return o.label == label })
	s.inputs = append(s.inputs, in)
	if !s.ended {
		s.stopped = nil
	}
	return in
}

// Find returns the input of a label, or with an empty label the only one of the stream.
func (s *Stream) Find(label string) (*Input, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(label)
}

func (s *Stream) find(label string) (*Input, error) {
	if label == "" {
		switch len(s.inputs) {
		case 1:
			return s.inputs[0], nil
		case 0:
			return nil, stop.New(stop.Configuration, "oracle_cdc", "no oracle_cdc input in this stream").
				Doing("add an oracle_cdc input to the stream, or remove the component that needs it")
		}
		return nil, stop.New(stop.Configuration, "oracle_cdc", "%d oracle_cdc inputs in this stream", len(s.inputs)).
			Doing("name one of them by its label in the field input")
	}
	for _, in := range s.inputs {
		if in.label == label {
			return in, nil
		}
	}
	return nil, stop.New(stop.Configuration, label, "no oracle_cdc input with this label in this stream").
		Doing("correct the field input, or the label of the input")
}

// Settings returns what the input shares.
func (i *Input) Settings() Settings { return i.settings }

// JoinProcessor tells the input that an oracle_schema processor is there. A second one is
// refused, and so is one that appears after the input decided whether to emit schema events.
func (i *Input) JoinProcessor() error {
	i.stream.mu.Lock()
	defer i.stream.mu.Unlock()
	switch {
	case i.processor:
		return stop.New(stop.Configuration, "oracle_schema", "a second instance of the processor in one stream").
			Doing("use oracle_schema once per oracle_cdc input")
	case i.frozen:
		return stop.New(stop.Configuration, "oracle_schema", "the processor was built after its input had begun to emit").
			Doing("use oracle_schema under pipeline.processors or input.processors, not in a lazily built resource")
	}
	i.processor = true
	return nil
}

// Begun reports whether the input has decided what it emits for the components that were there.
func (i *Input) Begun() bool {
	i.stream.mu.Lock()
	defer i.stream.mu.Unlock()
	return i.frozen
}

// LeaveProcessor takes back JoinProcessor.
func (i *Input) LeaveProcessor() {
	i.stream.mu.Lock()
	defer i.stream.mu.Unlock()
	i.processor = false
}

// JoinOutput tells the input that our Kafka output is there.
func (i *Input) JoinOutput() {
	i.stream.mu.Lock()
	defer i.stream.mu.Unlock()
	i.output = true
}

// Peers says which of our components the input found in its stream.
type Peers struct{ Processor, Output bool }

// settleTime is how long the input waits for the other components when no host says that the stream is built (a stream
// that was built in a test or an embedding program).
const settleTime = 500 * time.Millisecond

// Peers waits until the stream is built and then fixes who is there.
func (i *Input) Peers(ctx context.Context) (Peers, error) {
	i.stream.mu.Lock()
	host := i.stream.host
	i.stream.mu.Unlock()
	if host != nil {
		select {
		case <-host.built:
		case <-ctx.Done():
			return Peers{}, ctx.Err()
		}
	} else {
		timer := time.NewTimer(settleTime)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return Peers{}, ctx.Err()
		}
	}
	i.stream.mu.Lock()
	defer i.stream.mu.Unlock()
	i.frozen = true
	if host != nil && host.parallel {
		return Peers{}, stop.New(stop.Configuration, "pipeline.threads", "several pipeline threads reorder changes").
			Doing("set pipeline.threads to 1")
	}
	if host != nil && host.buffered {
		return Peers{}, stop.New(stop.Configuration, "buffer", "a buffer acknowledges changes before the output has written them, so that a kill would lose them").
			Doing("remove the buffer")
	}
	if i.stream.lenient && i.processor {
		return Peers{}, stop.New(stop.Configuration, "error_handling.strict", "without strict error handling, rows whose version oracle_schema could not write go on to the output").
			Doing("set error_handling.strict to true")
	}
	return Peers{Processor: i.processor, Output: i.output}, nil
}

// RecordStop records the typed stop of a component; the first one stands. The host, if there is one, ends the process, unless
// an input of the stream asks to hold.
func (s *Stream) RecordStop(err *stop.Error) {
	s.mu.Lock()
	first := s.stopped == nil
	if first {
		s.stopped = err
	}
	host := s.host
	end := first && host != nil && !slices.ContainsFunc(s.inputs, func(i *Input) bool { return i.settings.Hold })
	s.ended = s.ended || end
	s.mu.Unlock()
	if end {
		host.stop(err)
	}
}

// Stopped returns the recorded stop, nil if there is none.
func (s *Stream) Stopped() *stop.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped
}

// Withdraw removes the input; a stop that it recorded stays.
func (i *Input) Withdraw() {
	i.stream.mu.Lock()
	defer i.stream.mu.Unlock()
	i.stream.inputs = slices.DeleteFunc(i.stream.inputs, func(o *Input) bool { return o == i })
}

// Stream returns the stream that the input belongs to.
func (i *Input) Stream() *Stream { return i.stream }

// String names the input in messages.
func (i *Input) String() string { return fmt.Sprintf("oracle_cdc %q", i.label) }
