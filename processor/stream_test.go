package processor

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	_ "github.com/redpanda-data/benthos/v4/public/components/io"
	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// source is an input that hands out one batch, and again after a nack, as oracle_cdc does.
type source struct {
	conn  topicstore.Connection
	peers chan rendezvous.Peers
	todo  chan struct{}
	next  uint64
	// version is that of the rows, if any.
	version *schema.Version
}

func (s *source) Connect(context.Context) error { return nil }

func (s *source) ReadBatch(ctx context.Context) (service.MessageBatch, service.AckFunc, error) {
	select {
	case <-s.todo:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	s.next += 2
	announced, changed := version(s.next-1, "T", "v1"), row(s.next)
	announced.Version, changed.Version = s.version, s.version
	return batch(announced, changed), func(_ context.Context, err error) error {
		if err != nil {
			s.todo <- struct{}{}
		}
		return nil
	}, nil
}

func (s *source) Close(context.Context) error { return nil }

// sink is an output that keeps the kinds of events that reached it.
type sink struct {
	mu      sync.Mutex
	passed  []change.Kind
	arrived chan struct{}
}

func (s *sink) Connect(context.Context) error { return nil }

func (s *sink) WriteBatch(_ context.Context, batch service.MessageBatch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range batch {
		s.passed = append(s.passed, change.From(m.Context()).Kind)
	}
	s.arrived <- struct{}{}
	return nil
}

func (s *sink) Close(context.Context) error { return nil }

func (s *sink) seen() []change.Kind {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.passed)
}

func TestR75InAStream(t *testing.T) {
	cluster, conn := broker(t)
	fault := cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	src := &source{conn: conn, todo: make(chan struct{}, 10), peers: make(chan rendezvous.Peers, 1)}
	src.todo <- struct{}{}
	env := service.NewEnvironment()
	if err := env.RegisterBatchInput("source", service.NewConfigSpec(), func(_ *service.ParsedConfig, res *service.Resources) (service.BatchInput, error) {
		in := rendezvous.Of(res).Offer(res.Label(), rendezvous.Settings{Prefix: "shop", Kafka: conn, SchemaTopic: "shop.cdc.schema"})
		go func() {
			peers, err := in.Peers(context.Background())
			if err != nil {
				t.Error(err)
			}
			src.peers <- peers
		}()
		return src, nil
	}); err != nil {
		t.Fatal(err)
	}
	out := &sink{arrived: make(chan struct{}, 1)}
	if err := env.RegisterBatchOutput("sink", service.NewConfigSpec(), func(*service.ParsedConfig, *service.Resources) (service.BatchOutput, service.BatchPolicy, int, error) {
		return out, service.BatchPolicy{}, 1, nil
	}); err != nil {
		t.Fatal(err)
	}
	b := env.NewStreamBuilder()
	if err := b.SetYAML(`
input: {source: {}}
pipeline: {threads: 1, processors: [{oracle_schema: {write_timeout: 100ms}}]}
output: {sink: {}}
error_handling: {strict: true}
logger: {level: "OFF"}
`); err != nil {
		t.Fatal(err)
	}
	stream, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- stream.Run(context.Background()) }()
	if peers := <-src.peers; !peers.Processor {
		t.Error("the input does not know of the processor")
	}
	if err := fault.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if passed := out.seen(); len(passed) != 0 {
		t.Errorf("passed before the version was stored: %v", passed)
	}
	fault.Remove()
	<-out.arrived
	if err := stream.StopWithin(10 * time.Second); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	// The fault can end between version and row: then the row comes twice.
	if passed := slices.Compact(out.seen()); !slices.Equal(passed, []change.Kind{change.Change}) {
		t.Errorf("passed %v, want the row alone", passed)
	}
	if got := stored(t, conn, "shop.cdc.schema"); len(got) == 0 || got[0] != "T=v1" {
		t.Errorf("stored %v", got)
	}
}

// run runs a stream with the processors until the output has n messages or the stream has a typed stop.
func run(t *testing.T, conn topicstore.Connection, yaml string) ([]change.Kind, *stop.Error) {
	t.Helper()
	src := &source{conn: conn, todo: make(chan struct{}, 10), peers: make(chan rendezvous.Peers, 1), version: &schema.Version{Number: 1}}
	env := service.NewEnvironment()
	if err := env.RegisterBatchInput("source", service.NewConfigSpec(), func(_ *service.ParsedConfig, res *service.Resources) (service.BatchInput, error) {
		in := rendezvous.Of(res).Offer(res.Label(), rendezvous.Settings{Prefix: "shop", Kafka: conn, SchemaTopic: "shop.cdc.schema", Hold: true})
		go func() {
			if _, err := in.Peers(context.Background()); err != nil {
				t.Error(err)
			}
			src.todo <- struct{}{}
		}()
		return src, nil
	}); err != nil {
		t.Fatal(err)
	}
	out := &sink{arrived: make(chan struct{}, 1000)}
	if err := env.RegisterBatchOutput("sink", service.NewConfigSpec(), func(*service.ParsedConfig, *service.Resources) (service.BatchOutput, service.BatchPolicy, int, error) {
		return out, service.BatchPolicy{}, 1, nil
	}); err != nil {
		t.Fatal(err)
	}
	b := env.NewStreamBuilder()
	if err := b.SetYAML("input: {source: {}}\noutput: {sink: {}}\nerror_handling: {strict: true}\nlogger: {level: \"OFF\"}\n" + yaml); err != nil {
		t.Fatal(err)
	}
	stream, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- stream.Run(context.Background()) }()
	var stopped *stop.Error
	for end := time.Now().Add(5 * time.Second); stopped == nil && time.Now().Before(end); <-time.After(10 * time.Millisecond) {
		stopped = rendezvous.Of(stream.Resources()).Stopped()
	}
	if err := stream.StopWithin(10 * time.Second); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return out.seen(), stopped
}

// contracts 2: a wrong placement is refused by a typed stop, and no row passes.
func TestWrongPlacementStopsTheStream(t *testing.T) {
	for name, yaml := range map[string]string{
		"mapping in front that removes the version": `pipeline: {threads: 1, processors: [{mapping: 'root = if content() == "v1" { deleted() }'}, {oracle_schema: {}}]}`,
		"resource": `
pipeline: {threads: 1, processors: [{resource: versions}]}
processor_resources: [{label: versions, oracle_schema: {}}]`,
		"branch with a request of its own": `pipeline: {threads: 1, processors: [{branch: {request_map: 'root = "x"', processors: [{oracle_schema: {}}]}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, conn := broker(t)
			passed, stopped := run(t, conn, yaml)
			if stopped == nil || stopped.Code != stop.Configuration || len(passed) != 0 {
				t.Errorf("passed %v, stopped by %v; want nothing, CDC-5003", passed, stopped)
			}
		})
	}
}
