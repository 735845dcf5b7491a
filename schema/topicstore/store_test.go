package topicstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func cluster(t *testing.T, opts ...kfake.Opt) (*kfake.Cluster, Connection) {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, Connection{kgo.SeedBrokers(c.ListenAddrs()...)}
}

func open(t *testing.T, c Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func values(t *testing.T, s *Store) []string {
	t.Helper()
	var out []string
	err := s.Read(t.Context(), func(r Record) error {
		value := string(r.Value)
		if r.Value == nil {
			value = "tombstone"
		}
		out = append(out, string(r.Key)+"="+value)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAppendedRecordsAreReadInOrder(t *testing.T) {
	_, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	if got := values(t, s); got != nil {
		t.Fatalf("new topic holds %v", got)
	}
	first, second := &Record{Key: []byte("a"), Value: []byte("1")}, &Record{Key: []byte("a")}
	if err := s.Append(t.Context(), first, second, &Record{Key: []byte("b"), Value: []byte{}}); err != nil {
		t.Fatal(err)
	}
	if first.Offset != 0 || second.Offset != 1 {
		t.Fatalf("offsets %d, %d", first.Offset, second.Offset)
	}
	if diff := cmp.Diff([]string{"a=1", "a=tombstone", "b="}, values(t, s)); diff != "" {
		t.Fatal(diff)
	}
}

// Reference benthos 15: the last offset of a transactional topic is a marker that consumers do not see.
func TestReadEndsAtACommitMarker(t *testing.T) {
	c, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	transact(t, conn, kgo.TryCommit, "1")
	transact(t, conn, kgo.TryAbort, "2")
	if diff := cmp.Diff([]string{"k=1"}, values(t, s)); diff != "" {
		t.Fatal(diff)
	}
	for i := range 20 {
		transact(t, conn, kgo.TryCommit, fmt.Sprint("v", i))
	}
	c.Compact()
	got := values(t, s)
	if len(got) == 0 || got[len(got)-1] != "k=v19" {
		t.Fatalf("after compaction: %v", got)
	}
	open := begin(t, conn, "open")
	defer open.Close()
	if got := values(t, s); got[len(got)-1] != "k=v19" {
		t.Fatalf("record of an open transaction was read: %v", got)
	}
	if err := open.EndTransaction(t.Context(), kgo.TryAbort); err != nil {
		t.Fatal(err)
	}
}

func begin(t *testing.T, conn Connection, value string) *kgo.Client {
	t.Helper()
	cl, err := kgo.NewClient(append(conn[:len(conn):len(conn)], kgo.TransactionalID("t"))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := cl.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	if err := cl.ProduceSync(t.Context(), &kgo.Record{Topic: "p", Key: []byte("k"), Value: []byte(value)}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	return cl
}

func transact(t *testing.T, conn Connection, end kgo.TransactionEndTry, value string) {
	t.Helper()
	cl := begin(t, conn, value)
	defer cl.Close()
	if err := cl.EndTransaction(t.Context(), end); err != nil {
		t.Fatal(err)
	}
}

func TestCompactedTopicIsReadToItsEnd(t *testing.T) {
	c, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	for i := range 50 {
		if err := s.Append(t.Context(), &Record{Key: []byte{byte('a' + i%3)}, Value: []byte(fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
	}
	c.Compact()
	last := map[string]string{}
	for _, kv := range values(t, s) {
		k, v, _ := strings.Cut(kv, "=")
		last[k] = v
	}
	if diff := cmp.Diff(map[string]string{"a": "48", "b": "49", "c": "47"}, last); diff != "" {
		t.Fatal(diff)
	}
}

func TestPartitionsAreReadEachToItsEnd(t *testing.T) {
	_, conn := cluster(t, kfake.NumBrokers(3))
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 5})
	for i := range 40 {
		if err := s.Append(t.Context(), &Record{Key: []byte(fmt.Sprint(i)), Value: []byte("x")}); err != nil {
			t.Fatal(err)
		}
	}
	if got := values(t, s); len(got) != 40 {
		t.Fatalf("%d records, want 40", len(got))
	}
	broken := errors.New("broken")
	if err := s.Read(t.Context(), func(Record) error { return broken }); !errors.Is(err, broken) {
		t.Fatalf("error of the reader: %v", err)
	}
}

func TestTopicIsCreatedWithItsSettings(t *testing.T) {
	_, conn := cluster(t, kfake.NumBrokers(3))
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1, ReplicationFactor: 2, Settings: map[string]string{"segment.bytes": "67108864"}})
	detail, err := describe(t.Context(), s.adm, "p")
	if err != nil || len(detail.Partitions) != 1 || detail.Partitions.NumReplicas() != 2 {
		t.Fatalf("%+v, %v", detail, err)
	}
	configs, err := s.adm.DescribeTopicConfigs(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range configs[0].Configs {
		got[c.Key] = c.MaybeValue()
	}
	if got["cleanup.policy"] != "compact" || got["segment.bytes"] != "67108864" {
		t.Fatalf("settings %v", got)
	}
}

func TestSettingsThatTheClusterForbidsAreLeftOut(t *testing.T) {
	c, conn := cluster(t)
	c.ControlKey(kmsg.CreateTopics.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		create := req.(*kmsg.CreateTopicsRequest)
		if len(create.Topics[0].Configs) == 1 {
			return nil, nil, false
		}
		resp := create.ResponseKind().(*kmsg.CreateTopicsResponse)
		topic := kmsg.NewCreateTopicsResponseTopic()
		topic.Topic, topic.ErrorCode = "p", kerr.PolicyViolation.Code
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
	open(t, Config{Connection: conn, Topic: "p", Settings: map[string]string{"segment.bytes": "1"}})
}

func TestTopicThatDoesNotFitIsRefused(t *testing.T) {
	_, conn := cluster(t, kfake.SeedTopics(2, "two"))
	cl, err := kgo.NewClient(conn...)
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	adm := kadm.NewClient(cl)
	for topic, policy := range map[string]string{"deletes": "delete", "both": "compact,delete"} {
		if _, err := adm.CreateTopic(t.Context(), 1, 1, map[string]*string{"cleanup.policy": &policy}, topic); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ topic, want string }{
		{"deletes", "--add-config cleanup.policy=compact"}, {"both", "has cleanup.policy=compact,delete"}, {"two", "has 2 partitions and needs 1"},
	} {
		_, err := Open(t.Context(), Config{Connection: conn, Topic: c.topic, Partitions: 1})
		if !stop.Is(err, stop.Topic) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.topic) {
			t.Errorf("%s: %v, want CDC-9004 with %q", c.topic, err, c.want)
		}
	}
}

func TestTopicThatCannotBeCreatedIsNamed(t *testing.T) {
	for _, e := range []*kerr.Error{kerr.TopicAuthorizationFailed, kerr.InvalidReplicationFactor, kerr.PolicyViolation, kerr.InvalidTopicException} {
		c, conn := cluster(t)
		c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.CreateTopics}, Err: e, Count: -1})
		_, err := Open(t.Context(), Config{Connection: conn, Topic: "p"})
		if !stop.Is(err, stop.Topic) || !strings.Contains(err.Error(), ": p") {
			t.Errorf("%v: got %v, want CDC-9004 naming the topic", e, err)
		}
	}
	if _, err := Open(t.Context(), Config{Topic: "p"}); !stop.Is(err, stop.Configuration) {
		t.Errorf("without brokers: %v, want CDC-5003", err)
	}
}

func TestAppendOutlastsFaults(t *testing.T) {
	c, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotLeaderForPartition, Count: 2},
		kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.RequestTimedOut, Count: 1},
		kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.UnknownServerError, Count: 1})
	for i := range 3 {
		if err := s.Append(t.Context(), &Record{Key: []byte("k"), Value: []byte(fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
	}
	// UNKNOWN_SERVER_ERROR makes the client give the record up, so it may be there twice; order holds.
	if got := values(t, s); !ordered(got) || got[len(got)-1] != "k=2" || len(got) < 3 {
		t.Fatalf("got %v", got)
	}
}

func ordered(got []string) bool {
	for i := 1; i < len(got); i++ {
		if got[i] < got[i-1] {
			return false
		}
	}
	return true
}

// A write that its caller gave up on must not land on top of a later one (R66).
func TestR66RecordGivenUpOnNeverLandsAfterALaterOne(t *testing.T) {
	c, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	fault := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	for i := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Append(ctx, &Record{Key: []byte("k"), Value: []byte(fmt.Sprint(i))}) }()
		if err := fault.Wait(t.Context(), i+1); err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatalf("append %d: %v, want it given up", i, err)
		}
	}
	fault.Remove()
	if err := s.Append(t.Context(), &Record{Key: []byte("k"), Value: []byte("2")}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"k=0", "k=1", "k=2"}, values(t, s)); diff != "" {
		t.Fatal(diff)
	}
}

func TestAppendIsBoundedByItsContext(t *testing.T) {
	c, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Append(ctx, &Record{Key: []byte("k")}); !stop.Is(err, stop.Broker) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, want CDC-9001", err)
	}
	c.Close()
	gone, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Append(gone, &Record{Key: []byte("k")}); !stop.Is(err, stop.Broker) {
		t.Fatalf("without a broker: %v, want CDC-9001", err)
	}
}

func TestAppendRefusesWhatKafkaRefuses(t *testing.T) {
	c, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	if err := s.Append(t.Context(), &Record{Key: []byte("k"), Value: make([]byte, 2<<20)}); !stop.Is(err, stop.Refused) {
		t.Fatalf("2 MiB record: %v, want CDC-9003", err)
	}
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.TopicAuthorizationFailed, Count: 1})
	if err := s.Append(t.Context(), &Record{Key: []byte("k")}); !stop.Is(err, stop.Refused) {
		t.Fatalf("without the right to write: %v, want CDC-9003", err)
	}
}

func TestErrorsHaveTheirCodes(t *testing.T) {
	for err, want := range map[error]stop.Code{
		kerr.NotLeaderForPartition: stop.Broker, io.EOF: stop.Broker, kerr.SaslAuthenticationFailed: stop.Broker,
		context.DeadlineExceeded: stop.Broker, errors.New("dial tcp: refused"): stop.Broker,
		kerr.MessageTooLarge: stop.Refused, kerr.ClusterAuthorizationFailed: stop.Refused, kerr.InvalidRecord: stop.Refused,
		kerr.UnknownTopicOrPartition: stop.Topic, kerr.InvalidConfig: stop.Topic,
	} {
		got := Classify(fmt.Errorf("wrapped: %w", err), "orders")
		if !stop.Is(got, want) || !errors.Is(got, err) || !strings.Contains(got.Error(), "orders") {
			t.Errorf("%v: %v, want CDC-%d", err, got, want)
		}
		if retriable := want == stop.Broker && !errors.Is(err, kerr.SaslAuthenticationFailed); Retriable(err) != retriable {
			t.Errorf("%v: retriable %v", err, !retriable)
		}
	}
	typed := stop.New(stop.Fenced, "x", "y")
	if got := Classify(typed, "z"); !errors.Is(got, typed) || got.Error() != typed.Error() {
		t.Errorf("typed error became %v", got)
	}
	if got := Classify(context.Canceled, "z"); !errors.Is(got, context.Canceled) || stop.Is(got, stop.Broker) {
		t.Errorf("cancellation became %v", got)
	}
}
