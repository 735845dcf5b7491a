package kafka

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// through gives a connection that leads every broker address through the proxy.
func through(proxy *flaky) topicstore.Connection {
	return topicstore.Connection{kgo.SeedBrokers(proxy.Addr().String()), kgo.Dialer(func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, proxy.Addr().String())
	})}
}

// producers counts the producer ids that a broker gave out: each new client asks for one.
func producers(c *kfake.Cluster) *atomic.Int64 {
	var n atomic.Int64
	c.ControlKey(kmsg.InitProducerID.Int16(), func(kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		n.Add(1)
		return nil, nil, false
	})
	return &n
}

// A broker that is lost for long is reported, and the batch stays where it is: in the client that has sent it, so that nothing
// of it can land behind what is written later, and nothing is written twice.
func TestBatchUnderWayOutlastsALostBroker(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.DefaultNumPartitions(3))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	proxy, ids := newFlaky(t, c.ListenAddrs()[0]), producers(c)
	o, _ := behind(t, through(proxy), `{}`)
	o.config.patience = 50 * time.Millisecond
	connected(t, o)
	if err := deliver(t.Context(), o, numbered(0, 10)); err != nil {
		t.Fatal(err)
	}
	proxy.cut(true)
	for range 3 {
		if err := o.WriteBatch(t.Context(), numbered(10, 20)); !errors.Is(err, service.ErrNotConnected) || !stop.Is(err, stop.Broker) {
			t.Fatalf("without a broker: %v, want not connected with CDC-9001", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if err := o.Connect(ctx); err == nil {
			t.Fatal("connected without a broker")
		}
		cancel()
	}
	proxy.cut(false)
	if err := deliver(t.Context(), o, numbered(10, 20)); err != nil {
		t.Fatal(err)
	}
	if err := deliver(t.Context(), o, numbered(20, 30)); err != nil {
		t.Fatal(err)
	}
	got := readAll(t, c)
	for _, complaint := range inOrder(got, 30) {
		t.Error(complaint)
	}
	if n := len(flat(got)); n != 30 || ids.Load() != 1 {
		t.Errorf("%d records of %d producers, want 30 of one", n, ids.Load())
	}
}

// The broker is there and does not acknowledge: the output is not connected until it does.
func TestBatchThatIsNotAcknowledgedIsReported(t *testing.T) {
	c, conn := broker(t)
	o, _ := behind(t, conn, `{}`)
	o.config.patience = 50 * time.Millisecond
	connected(t, o)
	if err := o.WriteBatch(t.Context(), messages(row("a", 0))); err != nil { // the client knows the topic
		t.Fatal(err)
	}
	fault := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	if err := o.WriteBatch(t.Context(), messages(row("a", 1), row("b", 2))); !errors.Is(err, service.ErrNotConnected) {
		t.Fatal(err)
	}
	if err := o.Connect(t.Context()); !stop.Is(err, stop.Broker) || !strings.Contains(err.Error(), "2 records wait") {
		t.Fatalf("%v, want CDC-9001 that says what waits", err)
	}
	fault.Remove()
	if err := deliver(t.Context(), o, messages(row("a", 1), row("b", 2))); err != nil {
		t.Fatal(err)
	}
	if got := flat(read(t, conn, "shop.T")); len(got) != 3 {
		t.Errorf("%d records, want 3", len(got))
	}
}

// A batch in several rounds goes on at the round that was under way.
func TestBatchOfSeveralRoundsIsTakenUpWhereItIs(t *testing.T) {
	c, conn := broker(t, kfake.SeedTopics(1, "shop.T"))
	o, _ := behind(t, conn, `{}`)
	o.config.patience, o.config.roundRecords = 50*time.Millisecond, 2
	connected(t, o)
	var produced atomic.Int64
	var hold atomic.Bool
	c.ControlKey(kmsg.Produce.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if produced.Add(1) > 2 && hold.Load() {
			return nil, errors.New("gone"), true
		}
		return nil, nil, false
	})
	hold.Store(true)
	batch := messages(row("a", 0), row("a", 1), row("a", 2), row("a", 3), row("a", 4), row("a", 5), row("a", 6))
	if err := o.WriteBatch(t.Context(), batch); !errors.Is(err, service.ErrNotConnected) {
		t.Fatalf("%v, want the batch kept", err)
	}
	hold.Store(false)
	if err := deliver(t.Context(), o, batch); err != nil {
		t.Fatal(err)
	}
	if got := values(read(t, conn, "shop.T")[0]); got != "a:0 a:1 a:2 a:3 a:4 a:5 a:6" {
		t.Errorf("written: %s", got)
	}
}

func values(records []*kgo.Record) string {
	var out []string
	for _, r := range records {
		out = append(out, string(r.Value))
	}
	return strings.Join(out, " ")
}

// A batch that comes in place of the one under way lands behind it.
func TestAnotherBatchLandsBehindTheOneUnderWay(t *testing.T) {
	c, conn := broker(t, kfake.SeedTopics(1, "shop.T"))
	o, _ := behind(t, conn, `{}`)
	o.config.patience = 50 * time.Millisecond
	connected(t, o)
	fault := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	if err := o.WriteBatch(t.Context(), messages(row("a", 1))); !errors.Is(err, service.ErrNotConnected) {
		t.Fatal(err)
	}
	if err := o.WriteBatch(t.Context(), messages(row("a", 2))); !errors.Is(err, service.ErrNotConnected) {
		t.Fatalf("%v, want the other batch to wait too", err)
	}
	fault.Remove()
	if err := deliver(t.Context(), o, messages(row("a", 2))); err != nil {
		t.Fatal(err)
	}
	if got := values(read(t, conn, "shop.T")[0]); got != "a:1 a:2" {
		t.Errorf("written: %s", got)
	}
}

// In a stream: /ready turns to 503 with the reason and back, every batch is acknowledged once, and the order holds.
func TestLostBrokerShowsInReady(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.DefaultNumPartitions(3))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	proxy := newFlaky(t, c.ListenAddrs()[0])
	const batches, size = 30, 10
	in := &feed{acked: make(chan error, batches), gate: make(chan struct{}, batches)}
	for i := range batches {
		in.batches = append(in.batches, numbered(i*size, (i+1)*size))
	}
	env := service.NewEnvironment()
	if err := errors.Join(
		env.RegisterBatchInput("feed", service.NewConfigSpec(), func(_ *service.ParsedConfig, res *service.Resources) (service.BatchInput, error) {
			rendezvous.Of(res).Offer(res.Label(), rendezvous.Settings{Prefix: "shop", Kafka: through(proxy)})
			return in, nil
		}),
		env.RegisterBatchOutput("impatient", Spec(), func(conf *service.ParsedConfig, res *service.Resources) (service.BatchOutput, service.BatchPolicy, int, error) {
			o, err := New(conf, res)
			if err == nil {
				o.config.patience = 50 * time.Millisecond
			}
			return o, service.BatchPolicy{}, 1, err
		}),
	); err != nil {
		t.Fatal(err)
	}
	routes := http.NewServeMux()
	b := env.NewStreamBuilder()
	b.SetHTTPMux(routes)
	if err := b.SetYAML("input: {feed: {}}\npipeline: {threads: 1, processors: []}\noutput: {impatient: {}}\nlogger: {level: 'OFF'}\n"); err != nil {
		t.Fatal(err)
	}
	stream, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- stream.Run(context.Background()) }()
	server := httptest.NewServer(routes)
	defer server.Close()
	some := func(n int) {
		for range n {
			in.gate <- struct{}{}
		}
	}
	acknowledged := func(n int) {
		for range n {
			if err := <-in.acked; err != nil {
				t.Fatalf("batch was refused: %v", err)
			}
		}
	}
	some(10)
	acknowledged(10)
	until(t, server, http.StatusOK, "")
	proxy.cut(true)
	some(10)
	until(t, server, http.StatusServiceUnavailable, "CDC-9001")
	some(10)
	proxy.cut(false)
	acknowledged(20)
	until(t, server, http.StatusOK, "")
	for _, complaint := range inOrder(readAll(t, c), batches*size) {
		t.Error(complaint)
	}
	if err := stream.StopWithin(10 * time.Second); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// until waits for an answer of /ready.
func until(t *testing.T, server *httptest.Server, code int, text string) {
	t.Helper()
	last := ""
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); <-tick.C {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/ready", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if last = string(body); resp.StatusCode == code && strings.Contains(last, text) {
			return
		}
	}
	t.Fatalf("/ready does not answer %d with %q: %s", code, text, last)
}

// The runtime connects again without a pause as long as that succeeds.
func TestBrokerThatRefusesIsNotAskedWithoutAPause(t *testing.T) {
	c, conn := broker(t)
	o, _ := behind(t, conn, `{}`)
	connected(t, o)
	fault := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.UnknownServerError, Count: -1})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if err := deliver(ctx, o, messages(row("a", 1))); err == nil {
		t.Fatal("written although the broker refuses")
	}
	// At once, at once, and after 50, 100, 200, 400 and 800 ms.
	if n := fault.Hits(); n < 3 || n > 9 {
		t.Errorf("asked %d times in 2 s", n)
	}
	fault.Remove()
	if err := deliver(t.Context(), o, messages(row("a", 1))); err != nil {
		t.Fatal(err)
	}
	if o.failures != 0 {
		t.Errorf("%d failures after a success", o.failures)
	}
}
