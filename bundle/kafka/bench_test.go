package kafka

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

const playBroker = "PLAY_BROKER"

// TestMain lets the test binary be a broker of its own process, so that a benchmark's CPU time is the client's alone.
func TestMain(m *testing.M) {
	if os.Getenv(playBroker) == "" {
		goleak.VerifyTestMain(m)
		return
	}
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.BlackholeProduce(), kfake.SeedTopics(benchPartitions, benchTopic))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(c.ListenAddrs()[0])
	_, _ = io.Copy(io.Discard, os.Stdin) // until the benchmark ends
	c.Close()
}

const (
	benchTopic      = "shop.FREEPDB1.APP.ORDERS"
	benchPartitions = 4
	benchBatch      = 1000
	benchBatches    = 16
)

// discardingBroker starts a broker in another process that acknowledges everything and keeps nothing.
func discardingBroker(b *testing.B) topicstore.Connection {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := &exec.Cmd{Path: self, Args: os.Args[:1], Env: append(os.Environ(), playBroker+"=1"), Stderr: os.Stderr}
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return topicstore.Connection{kgo.SeedBrokers(strings.TrimSpace(address))}
}

// benchEvents makes batches of events with values of about 700 bytes that compress about as rows do.
func benchEvents() []*change.Batch {
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the same rows each time
	out := make([]*change.Batch, benchBatches)
	for i := range out {
		out[i] = &change.Batch{Source: "shop"}
		for n := range benchBatch {
			ev := row("", n)
			ev.Number, ev.Topic = uint64(n+1), benchTopic
			ev.Key = fmt.Appendf(nil, `{"ID":%d}`, random.IntN(1_000_000))
			ev.Value = fmt.Appendf(nil, `{"before":null,"after":{"ID":%d,"NAME":"Anne %x","MAIL":"%x@example.com","TEXT":"%s %x"},"source":{"connector":"oracle","scn":"%d"},"op":"c","ts_ms":%d}`,
				random.IntN(1_000_000), random.Uint64(), random.Uint64(), strings.Repeat("some text of a row that compresses, ", 13), random.Uint64(), random.Uint64(), random.Uint64())
			out[i].Events = append(out[i].Events, ev)
		}
	}
	return out
}

// cpu is the processor time that this process has taken.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measured runs one batch after the other and reports what a message costs.
func measured(b *testing.B, write func(batch int) error) {
	b.Helper()
	for i := range benchBatches { // connections, topics, producer ids
		if err := write(i); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	begun, n := cpu(b), 0
	for b.Loop() {
		if err := write(n % benchBatches); err != nil {
			b.Fatal(err)
		}
		n++
	}
	messages := float64(n * benchBatch)
	b.ReportMetric(messages/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64((cpu(b)-begun).Nanoseconds())/messages, "cpu-ns/message")
}

// BenchmarkOutput holds the output against a bare producer loop of the same client library that writes the same records with
// the same headers to the same broker. "waiting" waits for each batch, as the order demands it; "streaming" does not, and is the
// most that the library gives. The bare loops get headers that are rendered; the output renders them.
func BenchmarkOutput(b *testing.B) {
	conn := discardingBroker(b)
	events := benchEvents()
	headers := make([][][]kgo.RecordHeader, len(events))
	for i, batch := range events {
		for n := range batch.Events {
			var of []kgo.RecordHeader
			rendered, _ := debezium.Headers(debezium.Settings{Profile: debezium.CDC()})(nil, nil, &batch.Events[n])
			for _, h := range rendered {
				of = append(of, kgo.RecordHeader{Key: h.Key, Value: h.Value})
			}
			headers[i] = append(headers[i], of)
		}
	}
	records := func(batch int) []*kgo.Record {
		out := make([]*kgo.Record, benchBatch)
		for n := range out {
			ev := &events[batch].Events[n]
			out[n] = &kgo.Record{Topic: ev.Topic, Key: ev.Key, Value: ev.Value, Headers: headers[batch][n]}
		}
		return out
	}
	bare := func(b *testing.B) *kgo.Client {
		client, err := kgo.NewClient(append(conn[:len(conn):len(conn)], kgo.ProducerLinger(0))...)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(client.Close)
		return client
	}
	b.Run("bare streaming", func(b *testing.B) {
		client := bare(b)
		failed := make(chan error, 1)
		measured(b, func(batch int) error {
			for _, r := range records(batch) {
				client.Produce(context.Background(), r, func(_ *kgo.Record, err error) {
					if err != nil {
						select {
						case failed <- err:
						default:
						}
					}
				})
			}
			select {
			case err := <-failed:
				return err
			default:
				return nil
			}
		})
		if err := client.Flush(context.Background()); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("bare waiting", func(b *testing.B) {
		client := bare(b)
		measured(b, func(batch int) error {
			return client.ProduceSync(context.Background(), records(batch)...).FirstErr()
		})
	})
	b.Run("output", func(b *testing.B) {
		conf, err := Spec().ParseYAML("{}", nil)
		if err != nil {
			b.Fatal(err)
		}
		o, err := New(conf, service.MockResources())
		if err != nil {
			b.Fatal(err)
		}
		o.config.conn = conn
		if err := o.Connect(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = o.Close(context.Background()) })
		messages := make([]service.MessageBatch, len(events))
		for i, batch := range events {
			for n := range batch.Events {
				messages[i] = append(messages[i], service.NewMessageWithContext(change.WithBatch(context.Background(), batch, n), batch.Events[n].Value))
			}
		}
		measured(b, func(batch int) error { return o.WriteBatch(context.Background(), messages[batch]) })
	})
}
