package kafka

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

func TestEventsBecomeRecordsWithKeysAndHeaders(t *testing.T) {
	_, conn := broker(t)
	o, _ := behind(t, conn, `{}`)
	connected(t, o)
	beat := change.Event{Kind: change.Heartbeat, Topic: "shop.cdc.heartbeat", Key: []byte("k"), Value: []byte("beat")}
	keyless := row("none", 3)
	keyless.Key, keyless.Topic = nil, "shop.U"
	if err := o.WriteBatch(t.Context(), messages(row("a", 1), tombstone("a", 2), beat, keyless)); err != nil {
		t.Fatal(err)
	}
	got := flat(read(t, conn, "shop.T"))
	if len(got) != 2 || string(got[0].Value) != "a:1" || string(got[0].Key) != "a" || got[1].Value != nil || string(got[1].Key) != "a" {
		t.Fatalf("records %+v", got)
	}
	want := map[string]string{
		"cdc.scn": "1", "cdc.commit_scn": "900", "cdc.xid": "1.2.3", "cdc.event_index": "1", "cdc.event_count": "50", "cdc.schema_version": "4",
	}
	if diff := cmp.Diff(want, headers(got[0])); diff != "" {
		t.Error(diff)
	}
	if got := flat(read(t, conn, "shop.cdc.heartbeat")); len(got) != 1 || string(got[0].Value) != "beat" || len(got[0].Headers) != 0 {
		t.Errorf("heartbeat %+v", got)
	}
	if got := flat(read(t, conn, "shop.U")); len(got) != 1 || got[0].Key != nil {
		t.Errorf("record without key %+v", got)
	}
}

func TestSettingsWinOverTheEvent(t *testing.T) {
	_, conn := broker(t)
	o, _ := behind(t, conn, `
topic: 'copy.${! @kafka_topic }'
key: 'k-${! @kafka_key }'
headers: false
metadata: {include_prefixes: [kafka_]}
timestamp_ms: '1700000000000'
partitioner: manual
partition: '2'
`)
	connected(t, o)
	if err := o.WriteBatch(t.Context(), messages(row("a", 1), tombstone("a", 2))); err != nil {
		t.Fatal(err)
	}
	got := read(t, conn, "copy.shop.T")[2]
	if len(got) != 2 || string(got[0].Key) != "k-a" || string(got[1].Key) != "k-a" || got[1].Value != nil || !got[0].Timestamp.Equal(time.UnixMilli(1700000000000)) {
		t.Fatalf("records %+v", got)
	}
	if diff := cmp.Diff(map[string]string{"kafka_topic": "shop.T", "kafka_key": "a"}, headers(got[0])); diff != "" {
		t.Error(diff)
	}
}

func TestPlainMessages(t *testing.T) {
	c, conn := broker(t)
	o := build(t, service.MockResources(), `
seed_brokers: ['`+c.ListenAddrs()[0]+`']
topic: '${! @topic }'
key: '${! json("id") }'
`)
	connected(t, o)
	first, second := service.NewMessage([]byte(`{"id":7}`)), service.NewMessage([]byte(`{"id":8}`))
	first.MetaSetMut("topic", "x")
	second.MetaSetMut("topic", "y")
	if err := o.WriteBatch(t.Context(), service.MessageBatch{first, second}); err != nil {
		t.Fatal(err)
	}
	if got := flat(read(t, conn, "x")); len(got) != 1 || string(got[0].Key) != "7" || string(got[0].Value) != `{"id":7}` || len(got[0].Headers) != 0 {
		t.Fatalf("records %+v", got)
	}
	if err := o.WriteBatch(t.Context(), service.MessageBatch{service.NewMessage([]byte(`x`))}); err == nil || errors.Is(err, service.ErrNotConnected) {
		t.Fatalf("message that does not fit the key: %v, want it refused and the output connected", err)
	}
}

func TestMarkedTombstonesAndEmptyMessagesAreToldApart(t *testing.T) {
	c, conn := broker(t)
	o := connected(t, build(t, service.MockResources(), "seed_brokers: ['"+c.ListenAddrs()[0]+"']\ntopic: x\npartitioner: manual\npartition: '0'"))
	marked, empty, filled := service.NewMessage(nil), service.NewMessage(nil), service.NewMessage([]byte("v"))
	marked.MetaSetMut("tombstone", true)
	filled.MetaSetMut("tombstone", true)
	if err := o.WriteBatch(t.Context(), service.MessageBatch{marked, empty, filled}); err != nil {
		t.Fatal(err)
	}
	got := read(t, conn, "x")[0]
	if len(got) != 3 || got[0].Value != nil || got[1].Value == nil || len(got[1].Value) != 0 || string(got[2].Value) != "v" {
		t.Fatalf("values %v", got)
	}
}

// The hashes are those of Kafka's own test of its hash function (UtilsTest.testMurmur2).
func TestPartitionIsThatOfTheJavaClient(t *testing.T) {
	const partitions = 10
	_, conn := broker(t, kfake.SeedTopics(partitions, "shop.T"))
	o, _ := behind(t, conn, `{}`)
	connected(t, o)
	for key, hash := range map[string]int32{
		"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536, "a-little-bit-longer-string": -1486304829,
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971, "abc": 479470107,
	} {
		if err := o.WriteBatch(t.Context(), messages(row(key, 1))); err != nil {
			t.Fatal(err)
		}
		want := hash & 0x7fffffff % partitions
		for partition, records := range read(t, conn, "shop.T") {
			for _, r := range records {
				if string(r.Key) == key && partition != want {
					t.Errorf("key %s is in partition %d, the Java client puts it in %d", key, partition, want)
				}
			}
		}
	}
}

func TestTopicsAreMadeOnDemand(t *testing.T) {
	c, conn := broker(t, kfake.NumBrokers(3))
	o, _ := behind(t, conn, `{create_topics: {partitions: 7, replication_factor: 2}}`)
	connected(t, o)
	if err := o.WriteBatch(t.Context(), messages(row("a", 1))); err != nil {
		t.Fatal(err)
	}
	if n, replicas := shape(t, conn, "shop.T"); n != 7 || replicas != 2 {
		t.Errorf("%d partitions, %d replicas; want 7 and 2", n, replicas)
	}
	o, _ = behind(t, conn, `{}`)
	connected(t, o)
	other := row("a", 1)
	other.Topic = "shop.U"
	if err := o.WriteBatch(t.Context(), messages(other)); err != nil {
		t.Fatal(err)
	}
	if n, _ := shape(t, conn, "shop.U"); n != 3 {
		t.Errorf("%d partitions, want the broker's default of 3", n)
	}
	// A topic that goes away is made again.
	if err := c.DeleteTopic("shop.U"); err != nil {
		t.Fatal(err)
	}
	if err := deliver(t.Context(), o, messages(other)); err != nil {
		t.Fatal(err)
	}
	if got := flat(read(t, conn, "shop.U")); len(got) != 1 {
		t.Errorf("%d records in the new topic, want 1", len(got))
	}
}

// Reference debezium-format 11.3: schema changes of all databases are in one partition, whatever their keys, and have their headers.
func TestTopicOfSchemaChangesHasOnePartition(t *testing.T) {
	_, conn := broker(t)
	o, _ := behind(t, conn, `{create_topics: {partitions: 7}}`)
	connected(t, o)
	ddl := row(`{"databaseName":"PDB1"}`, 2)
	ddl.Kind, ddl.Op, ddl.Topic, ddl.Version = change.SchemaChange, 0, "shop.cdc.schema_changes", nil
	ddl.Headers = debezium.Headers(debezium.Settings{Profile: debezium.Debezium(), ContextHeaders: true, Server: "shop"})
	if err := o.WriteBatch(t.Context(), messages(row("a", 1), ddl)); err != nil {
		t.Fatal(err)
	}
	if n, _ := shape(t, conn, ddl.Topic); n != 1 {
		t.Errorf("%d partitions of schema changes, want 1", n)
	}
	if n, _ := shape(t, conn, "shop.T"); n != 7 {
		t.Errorf("%d partitions of a table, want 7", n)
	}
	got := flat(read(t, conn, ddl.Topic))
	if len(got) != 1 || string(got[0].Key) != `{"databaseName":"PDB1"}` || len(got[0].Headers) == 0 || got[0].Headers[0].Key != "__debezium.context.connectorLogicalName" {
		t.Errorf("%+v", got)
	}
}

func shape(t *testing.T, conn topicstore.Connection, topic string) (partitions, replicas int) {
	t.Helper()
	cl, err := kgo.NewClient(conn...)
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	details, err := kadm.NewClient(cl).ListTopics(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
	return len(details[topic].Partitions), details[topic].Partitions.NumReplicas()
}

// stops delivers a batch that must stop the stream with a code, and checks that nothing goes out any more.
func stops(t *testing.T, o *Output, res *service.Resources, code stop.Code, batch service.MessageBatch) *stop.Error {
	t.Helper()
	if err := deliver(t.Context(), o, batch); !stop.Is(err, code) || errors.Is(err, service.ErrNotConnected) {
		t.Fatalf("got %v, want CDC-%d and the batch refused", err, code)
	}
	if err := o.WriteBatch(t.Context(), messages(row("a", 99))); !stop.Is(err, code) {
		t.Fatalf("a batch behind: %v, want it refused too", err)
	}
	stopped := rendezvous.Of(res).Stopped()
	if stopped == nil || stopped.Code != code {
		t.Fatalf("recorded %v, want CDC-%d", stopped, code)
	}
	var wait *service.ErrBackOff
	if err := o.Connect(t.Context()); !errors.As(err, &wait) || wait.Wait != stopRetry || !stop.Is(wait.Err, code) {
		t.Fatalf("Connect after the stop: %v", err)
	}
	return stopped
}

func TestMissingTopicStops(t *testing.T) {
	_, conn := broker(t)
	o, res := behind(t, conn, `{create_topics: {enabled: false}}`)
	connected(t, o)
	if stopped := stops(t, o, res, stop.Topic, messages(row("a", 1))); stopped.Object != "shop.T" {
		t.Errorf("object %q", stopped.Object)
	}
	plain, plainRes := behind(t, conn, `{topic: missing, create_topics: {enabled: false}}`)
	connected(t, plain)
	if err := plain.WriteBatch(t.Context(), service.MessageBatch{service.NewMessage(nil)}); !stop.Is(err, stop.Topic) || errors.Is(err, service.ErrNotConnected) {
		t.Errorf("plain message: %v, want it refused", err)
	}
	if rendezvous.Of(plainRes).Stopped() != nil {
		t.Error("a plain message stopped the stream")
	}
}

func TestTopicThatCannotBeMadeStops(t *testing.T) {
	for _, e := range []*kerr.Error{kerr.TopicAuthorizationFailed, kerr.PolicyViolation, kerr.InvalidReplicationFactor} {
		c, conn := broker(t)
		c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.CreateTopics}, Err: e, Count: -1})
		o, res := behind(t, conn, `{}`)
		if stopped := stops(t, connected(t, o), res, stop.Topic, messages(row("a", 1))); stopped.Object != "shop.T" {
			t.Errorf("%v: object %q", e, stopped.Object)
		}
	}
}

func TestOversizedRecordStopsAndNothingBehindItIsWritten(t *testing.T) {
	_, conn := broker(t, kfake.SeedTopics(1, "shop.T"))
	o, res := behind(t, conn, `{max_message_bytes: 100KiB}`)
	connected(t, o)
	large := row("big", 2)
	large.Value = make([]byte, 200<<10)
	stopped := stops(t, o, res, stop.Refused, messages(row("a", 1), large, row("a", 3)))
	if !strings.Contains(stopped.Error(), "shop.T") || !strings.Contains(stopped.Action(), "max.message.bytes") {
		t.Errorf("message: %s", stopped)
	}
	if got := read(t, conn, "shop.T")[0]; len(got) != 1 || string(got[0].Value) != "a:1" {
		t.Errorf("written: %v, want only what lies before the refused record", got)
	}
}

func TestRefusedLogOnIsNotTriedAgainSoon(t *testing.T) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-512", "cdc", "right"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	yaml := func(password string) string {
		return "seed_brokers: ['" + c.ListenAddrs()[0] + "']\nsasl: [{mechanism: SCRAM-SHA-512, username: cdc, password: " + password + "}]\ntopic: x"
	}
	o := connected(t, build(t, service.MockResources(), yaml("right")))
	if err := o.WriteBatch(t.Context(), service.MessageBatch{service.NewMessage([]byte("v"))}); err != nil {
		t.Fatal(err)
	}
	if err := build(t, service.MockResources(), yaml("wrong")).Connect(t.Context()); !stop.Is(err, stop.Broker) || strings.Contains(err.Error(), "wrong") {
		t.Fatalf("wrong password: %v, want CDC-9001 without the password", err)
	}
	// The stand-in closes the connection; a real broker answers.
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.SASLAuthenticate}, Err: kerr.SaslAuthenticationFailed, TopLevel: true, Count: -1})
	var wait *service.ErrBackOff
	if err := build(t, service.MockResources(), yaml("wrong")).Connect(t.Context()); !errors.As(err, &wait) || wait.Wait != time.Minute || !stop.Is(wait.Err, stop.Broker) {
		t.Fatalf("wrong password: %v, want a wait of a minute", err)
	}
}

// At a shutdown the input leaves first; an output that still tries to connect then keeps the broker's own error.
func TestBrokersOfTheInputOutliveIt(t *testing.T) {
	c, conn := broker(t)
	c.Close()
	o, res := behind(t, conn, `{}`)
	in, err := rendezvous.Of(res).Find("")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		if err := o.Connect(ctx); !stop.Is(err, stop.Broker) {
			t.Errorf("%v, want CDC-9001", err)
		}
		cancel()
		in.Withdraw()
	}
	if stopped := rendezvous.Of(res).Stopped(); stopped != nil {
		t.Errorf("stopped: %v", stopped)
	}
}

func TestBrokersAreTakenOverFromTheInput(t *testing.T) {
	c, conn := broker(t)
	o, res := behind(t, topicstore.Connection{kgo.SeedBrokers("127.0.0.1:1")}, "seed_brokers: ['"+c.ListenAddrs()[0]+"']")
	if err := o.Connect(t.Context()); err != nil {
		t.Fatalf("own brokers: %v", err)
	}
	in, err := rendezvous.Of(res).Find("")
	if err != nil {
		t.Fatal(err)
	}
	host := rendezvous.NewHost(nil)
	host.Attach(res)
	host.Built()
	if peers, err := in.Peers(t.Context()); err != nil || !peers.Output {
		t.Errorf("the input does not know of the output: %+v, %v", peers, err)
	}
	taken, _ := behind(t, conn, `{}`)
	if err := taken.Connect(t.Context()); err != nil {
		t.Errorf("the input's brokers: %v", err)
	}
	none, res := behind(t, nil, `{}`)
	for _, err := range []error{none.Connect(t.Context()), build(t, service.MockResources(), `{}`).Connect(t.Context())} {
		var wait *service.ErrBackOff
		if !errors.As(err, &wait) || !stop.Is(wait.Err, stop.Configuration) || !strings.Contains(wait.Err.Error(), "seed_brokers") {
			t.Errorf("no brokers: %v, want CDC-5003 for good", err)
		}
	}
	if !stop.Is(rendezvous.Of(res).Stopped(), stop.Configuration) {
		t.Error("the stop is not recorded: nothing ends the process")
	}
	if err := none.WriteBatch(t.Context(), messages(row("a", 1))); !stop.Is(err, stop.Configuration) {
		t.Errorf("write after the stop: %v", err)
	}
}

func TestEventsAreRefusedWhereBatchesWouldOvertake(t *testing.T) {
	_, conn := broker(t)
	o, res := behind(t, conn, `{max_in_flight: 2, topic: x}`)
	connected(t, o)
	if err := o.WriteBatch(t.Context(), service.MessageBatch{service.NewMessage([]byte("plain"))}); err != nil {
		t.Fatal(err)
	}
	if stopped := stops(t, o, res, stop.Configuration, messages(row("a", 1))); !strings.Contains(stopped.Action(), "max_in_flight") {
		t.Errorf("message: %s", stopped)
	}
}

func TestR75MessagesRefusedBeforeAreNotWritten(t *testing.T) {
	_, conn := broker(t, kfake.SeedTopics(1, "shop.T"))
	o, res := behind(t, conn, `{}`)
	connected(t, o)
	batch := messages(row("a", 1), row("b", 2))
	batch[1].SetError(stop.New(stop.Broker, "shop.cdc.schema", "away"))
	if err := o.WriteBatch(t.Context(), batch); !stop.Is(err, stop.Broker) || errors.Is(err, service.ErrNotConnected) {
		t.Fatalf("got %v, want the batch refused, to be read again", err)
	}
	if got := read(t, conn, "shop.T"); len(got) != 0 || rendezvous.Of(res).Stopped() != nil {
		t.Fatalf("written: %v", got)
	}
}

func TestWriteEndsWithItsContext(t *testing.T) {
	c, conn := broker(t)
	o, _ := behind(t, conn, `{}`)
	connected(t, o)
	fault := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.WriteBatch(ctx, messages(row("a", 1))) }()
	if err := fault.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

// What stopped the stream and all behind it is refused at once, so that the stream can end.
func TestStoppedStreamEnds(t *testing.T) {
	_, conn := broker(t, kfake.SeedTopics(1, "shop.T"))
	large := row("big", 1)
	large.Value = make([]byte, 2<<20)
	in := &feed{batches: []service.MessageBatch{messages(row("a", 0)), messages(large), messages(row("a", 2))}, acked: make(chan error, 3)}
	var res *service.Resources
	stopped := make(chan *stop.Error, 1)
	in.built = func(r *service.Resources) {
		res = r
		rendezvous.NewHost(func(e *stop.Error) { stopped <- e }).Attach(r)
	}
	run(t, in, conn, "pipeline: {threads: 1, processors: []}\noutput: {kafka_franz: {}}\n")
	if err := <-in.acked; err != nil {
		t.Fatalf("batch before the refused one: %v", err)
	}
	if e := <-stopped; e.Code != stop.Refused {
		t.Fatalf("recorded %v", e)
	}
	for range 2 {
		if err := <-in.acked; err == nil {
			t.Fatal("the refused batch or the one behind it was acknowledged")
		}
	}
	if got := read(t, conn, "shop.T")[0]; len(got) != 1 {
		t.Fatalf("%d records, want only the one before", len(got))
	}
	if rendezvous.Of(res).Stopped() == nil {
		t.Fatal("the stop is not kept")
	}
}

// A batch goes out in rounds that the client can hold, whatever its bounds are.
func TestSmallBuffersHoldNothingUp(t *testing.T) {
	for _, yaml := range []string{"{max_buffered_bytes: 1KiB}", "{max_buffered_records: 3}", "{max_buffered_bytes: 1KiB, max_message_bytes: 2KiB}"} {
		_, conn := broker(t, kfake.SeedTopics(1, "shop.T"))
		o, _ := behind(t, conn, yaml)
		connected(t, o)
		var events []change.Event
		for n := range 40 {
			ev := row("a", n)
			ev.Value = append(ev.Value, make([]byte, 100)...)
			events = append(events, ev)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := deliver(ctx, o, messages(events...)); err != nil {
			t.Errorf("%s: %v", yaml, err)
		}
		if got := read(t, conn, "shop.T")[0]; len(got) != 40 {
			t.Errorf("%s: %d records, want 40", yaml, len(got))
		}
	}
}

// The client refuses a record that is larger than its buffer before it counts it, and says so from another goroutine: a flush does
// not wait for that. Taken for written it would be lost.
func TestRecordAboveTheBufferStops(t *testing.T) {
	for range 20 {
		_, conn := broker(t)
		o, res := behind(t, conn, "{max_buffered_bytes: 1KiB}")
		large := row("a", 1)
		large.Value = make([]byte, 2<<10)
		if stopped := stops(t, connected(t, o), res, stop.Refused, messages(large)); !strings.Contains(stopped.Action(), "max_buffered_bytes") {
			t.Errorf("action: %s", stopped.Action())
		}
	}
}

func TestPartitionThatIsNotThereStops(t *testing.T) {
	_, conn := broker(t)
	o, res := behind(t, conn, "{partitioner: manual, partition: '7'}")
	if stopped := stops(t, connected(t, o), res, stop.Refused, messages(row("a", 1))); stopped.Object != "shop.T" {
		t.Errorf("object: %s", stopped.Object)
	}
}
