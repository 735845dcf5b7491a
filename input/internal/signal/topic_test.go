package signal

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

const name = "shop.cdc.signals"

type broker struct {
	t      *testing.T
	client *kgo.Client
	conn   topicstore.Connection
}

func newBroker(t *testing.T) *broker {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	conn := topicstore.Connection{kgo.SeedBrokers(cluster.ListenAddrs()...)}
	client, err := kgo.NewClient(append(conn, kgo.RecordPartitioner(kgo.ManualPartitioner()))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &broker{t, client, conn}
}

func (b *broker) create() {
	b.t.Helper()
	if _, err := kadm.NewClient(b.client).CreateTopic(b.t.Context(), 2, 1, nil, name); err != nil {
		b.t.Fatal(err)
	}
}

func (b *broker) send(partition int32, key, value string) {
	b.t.Helper()
	r := &kgo.Record{Topic: name, Partition: partition, Key: []byte(key), Value: []byte(value)}
	if err := b.client.ProduceSync(b.t.Context(), r).FirstErr(); err != nil {
		b.t.Fatal(err)
	}
}

// reading is a Topic that runs.
type reading struct {
	out   chan Delivery
	began chan map[int32]int64
	end   func()
	log   *bytes.Buffer
}

func (b *broker) read(from map[int32]int64) *reading {
	b.t.Helper()
	r := &reading{out: make(chan Delivery), began: make(chan map[int32]int64, 10), log: new(bytes.Buffer)}
	topic := &Topic{
		Connection: b.conn, Name: name, Key: "shop", From: from, Retry: 10 * time.Millisecond, Look: 50 * time.Millisecond, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(r.log, nil)), Began: func(p map[int32]int64) { r.began <- p },
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); topic.Run(ctx, r.out) }()
	r.end = sync.OnceFunc(func() { cancel(); <-ended })
	b.t.Cleanup(r.end)
	return r
}

func (b *broker) next(r *reading) Signal {
	b.t.Helper()
	select {
	case d := <-r.out:
		return d.Signal
	case <-time.After(20 * time.Second):
		b.t.Fatal("no signal came")
		return Signal{}
	}
}

func TestTopicGoesOnBehindWhatWasHandled(t *testing.T) {
	b := newBroker(t)
	b.create()
	b.send(0, "shop", `{"id":"old","type":"log-state"}`)
	r := b.read(nil)
	progress := <-r.began
	if !maps.Equal(progress, map[int32]int64{0: 1, 1: 0}) {
		t.Fatal("a first start begins at", progress)
	}
	b.send(0, "other", `{"id":"of another","type":"log-state"}`)
	b.send(0, "shop", `{"id":"one","type":"log-state"}`)
	b.send(1, "shop", `not JSON`)
	for range 2 {
		s := b.next(r)
		switch s.Partition {
		case 0:
			if s.ID != "one" || s.Offset != 2 {
				t.Errorf("%+v", s)
			}
		case 1:
			if _, answer := Parse(&s); answer == nil || answer.Status != Invalid {
				t.Errorf("%+v", s)
			}
		}
		progress[s.Partition] = s.Offset + 1
	}
	r.end()
	b.send(0, "shop", `{"id":"while it was down","type":"log-state"}`)
	if s := b.next(b.read(progress)); s.ID != "while it was down" {
		t.Errorf("%+v", s)
	}
}

// A topic that was made again holds nothing that was handled, whatever the stored offset says.
func TestTopicThatWasMadeAgainIsReadFromItsStart(t *testing.T) {
	b := newBroker(t)
	b.create()
	b.send(0, "shop", `{"id":"new","type":"log-state"}`)
	if s := b.next(b.read(map[int32]int64{0: 50, 1: 0})); s.ID != "new" {
		t.Errorf("%+v", s)
	}
}

// What retention took away is said; what is behind it is read.
func TestRemovedSignalsAreSaid(t *testing.T) {
	b := newBroker(t)
	b.create()
	b.send(0, "shop", `{"id":"removed","type":"log-state"}`)
	b.send(0, "shop", `{"id":"left","type":"log-state"}`)
	var cut kadm.Offsets
	cut.AddOffset(name, 0, 1, -1)
	if _, err := kadm.NewClient(b.client).DeleteRecords(t.Context(), cut); err != nil {
		t.Fatal(err)
	}
	r := b.read(map[int32]int64{0: 0, 1: 0})
	if s := b.next(r); s.ID != "left" {
		t.Errorf("%+v", s)
	}
	r.end()
	if !strings.Contains(r.log.String(), "from=0 to=1") {
		t.Error("the log does not say what is lost:", r.log)
	}
}

// A topic that is not there is waited for; capture goes on without.
func TestTopicThatIsMissingIsWaitedFor(t *testing.T) {
	b := newBroker(t)
	r := b.read(nil)
	select { // some attempts
	case d := <-r.out:
		t.Fatalf("%+v", d.Signal)
	case <-time.After(50 * time.Millisecond):
	}
	b.create()
	b.send(1, "shop", `{"id":"one","type":"log-state"}`) // before anybody looked again, perhaps
	<-r.began
	if s := b.next(r); s.ID != "one" {
		t.Errorf("%+v", s)
	}
	r.end()
	if n := strings.Count(r.log.String(), "cannot be read"); n != 1 {
		t.Errorf("%d warnings:\n%s", n, r.log)
	}
}

// A restart from a position that knows no offset obeys what was sent since, and nothing older.
func TestTopicIsReadFromATimeWhereNoOffsetIsKnown(t *testing.T) {
	b := newBroker(t)
	b.create()
	stored := time.Now()
	send := func(id string, at time.Time) {
		r := &kgo.Record{Topic: name, Key: []byte("shop"), Value: []byte(`{"id":"` + id + `","type":"log-state"}`), Timestamp: at}
		if err := b.client.ProduceSync(t.Context(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
	send("old", stored.Add(-time.Hour))
	send("new", stored.Add(time.Second))
	topic := &Topic{Connection: b.conn, Name: name, Key: "shop", Since: stored, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	begins, err := topic.Begin(t.Context())
	if want := (map[int32]int64{0: 1, 1: 0}); err != nil || !maps.Equal(begins, want) {
		t.Fatal(begins, err)
	}
	topic.Since = stored.Add(time.Hour)
	begins, err = topic.Begin(t.Context())
	if want := (map[int32]int64{0: 2, 1: 0}); err != nil || !maps.Equal(begins, want) {
		t.Fatal(begins, err)
	}
}

// A key can be in another partition once the topic has more of them: what is sent there is read from its start, while capture runs and
// behind a restart.
func TestAddedPartitionIsReadFromItsStart(t *testing.T) {
	for _, when := range []string{"running", "down"} {
		t.Run(when, func(t *testing.T) {
			b := newBroker(t)
			b.create()
			r := b.read(map[int32]int64{0: 0, 1: 0})
			<-r.began
			if when == "down" {
				r.end()
			}
			if _, err := kadm.NewClient(b.client).CreatePartitions(t.Context(), 1, name); err != nil {
				t.Fatal(err)
			}
			b.client.ForceMetadataRefresh()
			b.send(2, "shop", `{"id":"there","type":"log-state"}`)
			if when == "down" {
				r = b.read(map[int32]int64{0: 0, 1: 0})
			}
			if s := b.next(r); s.ID != "there" || s.Partition != 2 {
				t.Errorf("%+v", s)
			}
			r.end()
			if r.log.Len() > 0 {
				t.Error(r.log)
			}
		})
	}
}

// A topic that was made again with fewer partitions is read.
func TestPartitionThatIsGoneIsNotReadFrom(t *testing.T) {
	b := newBroker(t)
	b.create()
	b.send(1, "shop", `{"id":"one","type":"log-state"}`)
	if s := b.next(b.read(map[int32]int64{0: 0, 1: 0, 7: 3})); s.ID != "one" {
		t.Errorf("%+v", s)
	}
}

// A signal has its own name whenever it is read, and no other one has it, although a topic that was made again has the same places.
func TestSignalOfATopicThatWasMadeAgainHasAnotherName(t *testing.T) {
	b := newBroker(t)
	at := time.UnixMilli(1_700_000_000_000)
	names := map[string]bool{}
	for range 2 {
		b.create()
		at = at.Add(time.Millisecond)
		r := &kgo.Record{Topic: name, Key: []byte("shop"), Value: []byte(`{"id":"x","type":"log-state"}`), Timestamp: at}
		fresh, err := kgo.NewClient(append(b.conn, kgo.RecordPartitioner(kgo.ManualPartitioner()))...) // the other one knows the topic by its id
		if err == nil {
			err = fresh.ProduceSync(b.t.Context(), r).FirstErr()
			fresh.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		var read []string
		for range 2 {
			reads := b.read(map[int32]int64{0: 0, 1: 0})
			s := b.next(reads)
			if s.Partition != 0 || s.Offset != 0 {
				t.Fatalf("%+v", s)
			}
			read = append(read, s.Name())
			reads.end()
		}
		if read[0] != read[1] || names[read[0]] {
			t.Errorf("names %v, before %v", read, names)
		}
		names[read[0]] = true
		if _, err := kadm.NewClient(b.client).DeleteTopics(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
}
