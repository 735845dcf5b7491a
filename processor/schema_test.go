package processor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func broker(t *testing.T, opts ...kfake.Opt) (*kfake.Cluster, topicstore.Connection) {
	t.Helper()
	c, err := kfake.NewCluster(append(opts, kfake.NumBrokers(1))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, topicstore.Connection{kgo.SeedBrokers(c.ListenAddrs()...)}
}

func build(t *testing.T, res *service.Resources, yaml string) (*Schema, error) {
	t.Helper()
	conf, err := Spec().ParseYAML(yaml, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(conf, res)
	if err == nil {
		t.Cleanup(func() {
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	return s, err
}

// stream gives a processor in a stream whose input shares the connection.
func stream(t *testing.T, conn topicstore.Connection, yaml string) (*Schema, *service.Resources) {
	t.Helper()
	res := service.MockResources()
	rendezvous.Of(res).Offer("oracle", rendezvous.Settings{Prefix: "shop", Kafka: conn, SchemaTopic: "shop.cdc.schema", ReplicationFactor: -1})
	s, err := build(t, res, yaml)
	if err != nil {
		t.Fatal(err)
	}
	return s, res
}

func message(ev *change.Event) *service.Message {
	return service.NewMessageWithContext(change.With(context.Background(), ev), ev.Value)
}

func version(number uint64, table, columns string) *change.Event {
	return &change.Event{Number: number, Kind: change.Schema, Key: []byte(table), Value: []byte(columns)}
}

func row(number uint64) *change.Event {
	return &change.Event{Number: number, Kind: change.Change, Value: []byte(fmt.Sprint("row ", number))}
}

func batch(events ...*change.Event) service.MessageBatch {
	var out service.MessageBatch
	for _, ev := range events {
		out = append(out, message(ev))
	}
	return out
}

// process runs messages through the processor as the runtime does: each alone, failed ones apart.
func process(t *testing.T, s *Schema, events ...*change.Event) (out []string, failed []error) {
	t.Helper()
	for _, m := range batch(events...) {
		passed, err := s.Process(t.Context(), m)
		if err != nil {
			failed = append(failed, err)
		}
		out = append(out, contents(t, []service.MessageBatch{passed})...)
	}
	return out, failed
}

func contents(t *testing.T, batches []service.MessageBatch) []string {
	t.Helper()
	var out []string
	for _, b := range batches {
		for _, m := range b {
			data, err := m.AsBytes()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(data))
		}
	}
	return out
}

func stored(t *testing.T, conn topicstore.Connection, topic string) []string {
	t.Helper()
	s, err := topicstore.Open(t.Context(), topicstore.Config{Connection: conn, Topic: topic})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out []string
	if err := s.Read(t.Context(), func(r topicstore.Record) error {
		out = append(out, string(r.Key)+"="+string(r.Value))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestR75VersionIsStoredBeforeItsRowsPass(t *testing.T) {
	_, conn := broker(t)
	s, _ := stream(t, conn, `{}`)
	out, failed := process(t, s, row(1), version(2, "T", "v1"), row(3), version(4, "U", "v1"), version(5, "T", "v2"), row(6))
	if failed != nil {
		t.Fatal(failed)
	}
	if diff := cmp.Diff([]string{"T=v1", "U=v1", "T=v2"}, stored(t, conn, "shop.cdc.schema")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"row 1", "row 3", "row 6"}, out); diff != "" {
		t.Error(diff)
	}
}

// R100: a table that is gone leaves a tombstone, which is forwarded like its versions.
func TestR100RecordOfATableThatIsGoneIsRemoved(t *testing.T) {
	for _, forward := range []bool{false, true} {
		t.Run(fmt.Sprintf("forward: %t", forward), func(t *testing.T) {
			_, conn := broker(t)
			s, _ := stream(t, conn, fmt.Sprintf("forward: %t", forward))
			gone := version(4, "T", "")
			gone.Value = nil
			out, failed := process(t, s, version(1, "T", "v1"), row(2), version(3, "U", "v1"), gone, row(5))
			if failed != nil {
				t.Fatal(failed)
			}
			if want := map[bool]int{false: 2, true: 5}[forward]; len(out) != want {
				t.Errorf("passed %q, want %d", out, want)
			}
			topic, err := topicstore.Open(t.Context(), topicstore.Config{Connection: conn, Topic: "shop.cdc.schema"})
			if err != nil {
				t.Fatal(err)
			}
			defer topic.Close()
			left := map[string]bool{}
			if err := topic.Read(t.Context(), func(r topicstore.Record) error {
				left[string(r.Key)] = r.Value != nil
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]bool{"T": false, "U": true}, left); diff != "" {
				t.Errorf("records with a value (-want +got):\n%s", diff)
			}
		})
	}
}

func TestVersionIsForwardedWhenAsked(t *testing.T) {
	_, conn := broker(t)
	s, _ := stream(t, conn, `{forward: true, topic: "{prefix}.versions"}`)
	out, failed := process(t, s, version(1, "T", "v1"), row(2))
	if failed != nil {
		t.Fatal(failed)
	}
	if diff := cmp.Diff([]string{"v1", "row 2"}, out); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"T=v1"}, stored(t, conn, "shop.versions")); diff != "" {
		t.Error(diff)
	}
}

func TestMessagesWithoutEventPass(t *testing.T) {
	s, err := build(t, service.MockResources(), `{}`)
	if err != nil {
		t.Fatal(err)
	}
	in := service.NewMessage([]byte("plain"))
	out, err := s.Process(t.Context(), in)
	if err != nil || len(out) != 1 || out[0] != in {
		t.Fatalf("%v, %v", out, err)
	}
	if _, failed := process(t, s, row(1)); len(failed) != 1 || !stop.Is(failed[0], stop.Configuration) {
		t.Fatalf("event in a stream without input: %v, want CDC-5003", failed)
	}
}

func TestR75RowsDoNotPassWhileTheirVersionIsNotWritten(t *testing.T) {
	c, conn := broker(t)
	s, res := stream(t, conn, `{write_timeout: 100ms}`)
	clock := time.Unix(0, 0)
	s.now = func() time.Time { return clock }
	fault := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	out, failed := process(t, s, row(1), version(2, "T", "v1"), row(3), row(4))
	if diff := cmp.Diff([]string{"row 1"}, out); diff != "" || len(failed) != 3 || !stop.Is(failed[2], stop.Broker) {
		t.Fatalf("passed %v, failed %v; want only the row in front of the version to pass", out, failed)
	}
	if stopped := rendezvous.Of(res).Stopped(); stopped != nil {
		t.Fatalf("a fault that passes stopped the stream: %v", stopped)
	}
	fault.Remove()
	if out, failed := process(t, s, row(5)); len(out) != 0 || len(failed) != 1 {
		t.Fatalf("right after the failure: passed %v", out)
	}
	clock = clock.Add(retryPause)
	// The input reads again from before the version; nothing depends on the version coming first.
	out, failed = process(t, s, row(6), version(7, "T", "v1"), row(8))
	if diff := cmp.Diff([]string{"row 6", "row 8"}, out); diff != "" || failed != nil {
		t.Fatalf("after the fault: %s, %v", diff, failed)
	}
	if got := stored(t, conn, "shop.cdc.schema"); len(got) < 2 || got[len(got)-1] != "T=v1" {
		t.Fatalf("stored %v", got)
	}
	c.Close()
	if _, failed := process(t, s, version(9, "T", "v2")); len(failed) != 1 || !stop.Is(failed[0], stop.Broker) {
		t.Fatalf("without a broker: %v, want CDC-9001", failed)
	}
}

func TestR75EveryVersionInLineIsWrittenBeforeARowPasses(t *testing.T) {
	c, conn := broker(t)
	s, _ := stream(t, conn, `{write_timeout: 1s}`)
	clock := time.Unix(0, 0)
	s.now = func() time.Time { return clock }
	fault := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.CreateTopics}, Err: kerr.NotController, Count: -1})
	if out, failed := process(t, s, version(1, "T", "v1"), version(2, "U", "v1"), version(3, "T", "v2")); len(out) != 0 || len(failed) != 3 {
		t.Fatalf("passed %v, failed %v", out, failed)
	}
	fault.Remove()
	clock = clock.Add(retryPause)
	if out, failed := process(t, s, row(4)); len(out) != 1 || failed != nil {
		t.Fatalf("passed %v, failed %v", out, failed)
	}
	if diff := cmp.Diff([]string{"U=v1", "T=v2"}, stored(t, conn, "shop.cdc.schema")); diff != "" {
		t.Fatal(diff)
	}
}

func TestBrokerThatIsAwayAtFirstUseIsWaitedFor(t *testing.T) {
	s, _ := stream(t, topicstore.Connection{kgo.SeedBrokers("127.0.0.1:1")}, `{write_timeout: 50ms}`)
	if _, failed := process(t, s, version(1, "T", "v1")); len(failed) != 1 || !stop.Is(failed[0], stop.Broker) {
		t.Fatalf("got %v, want CDC-9001", failed)
	}
	s, _ = stream(t, topicstore.Connection{kgo.SeedBrokers("127.0.0.1:1")}, `{}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Process(ctx, message(version(1, "T", "v1"))); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
}

func TestWrongPolicyStopsTheStream(t *testing.T) {
	_, conn := broker(t, kfake.SeedTopics(1, "shop.cdc.schema"))
	s, res := stream(t, conn, `{}`)
	if out, failed := process(t, s, version(1, "T", "v1"), row(2)); len(out) != 0 || len(failed) != 2 || !stop.Is(failed[1], stop.Topic) {
		t.Fatalf("passed %v, failed %v; want CDC-9004", out, failed)
	}
	if stopped := rendezvous.Of(res).Stopped(); stopped == nil || stopped.Code != stop.Topic {
		t.Fatalf("recorded %v, want CDC-9004", stopped)
	}
}

func TestWithoutBrokersTheProcessorSaysWhichSettingIsMissing(t *testing.T) {
	s, _ := stream(t, nil, `{}`)
	if _, failed := process(t, s, version(1, "T", "v1")); len(failed) != 1 || !stop.Is(failed[0], stop.Configuration) || !strings.Contains(failed[0].Error(), "kafka.seed_brokers") {
		t.Fatalf("got %v, want CDC-5003 naming kafka.seed_brokers", failed)
	}
}

func TestSecondInstanceIsRefused(t *testing.T) {
	_, conn := broker(t)
	s, res := stream(t, conn, `{}`)
	if _, err := build(t, res, `{input: oracle}`); !stop.Is(err, stop.Configuration) {
		t.Fatalf("got %v, want CDC-5003", err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := build(t, res, `{}`); err != nil {
		t.Fatalf("after the first was closed: %v", err)
	}
}

// Several pipeline threads share one processor; what passes it side by side would reach the output in any order.
func TestSecondThreadIsRefused(t *testing.T) {
	_, conn := broker(t)
	s, res := stream(t, conn, `{}`)
	s.one.Lock()
	if _, failed := process(t, s, row(1)); len(failed) != 1 || !stop.Is(failed[0], stop.Configuration) {
		t.Errorf("beside another thread: %v, want CDC-5003", failed)
	}
	s.one.Unlock()
	if stopped := rendezvous.Of(res).Stopped(); !stop.Is(stopped, stop.Configuration) {
		t.Errorf("recorded %v, want CDC-5003", stopped)
	}
}

func TestEventsThatGoBackwardsAreRefused(t *testing.T) {
	s, res := stream(t, nil, `{}`)
	if _, failed := process(t, s, row(1), row(1), row(0), row(4)); failed != nil {
		t.Fatalf("in order: %v", failed)
	}
	if _, failed := process(t, s, row(3)); len(failed) != 1 || !stop.Is(failed[0], stop.Configuration) || rendezvous.Of(res).Stopped() == nil {
		t.Fatalf("got %v, want CDC-5003", failed)
	}
}

// Each input of a stream has a processor of its own, and all of them see the events of all inputs.
func TestEventsOfAnotherInputPass(t *testing.T) {
	_, conn := broker(t)
	a, res := stream(t, conn, `{input: oracle}`)
	rendezvous.Of(res).Offer("other", rendezvous.Settings{Prefix: "crm", Kafka: conn, SchemaTopic: "crm.cdc.schema"})
	b, err := build(t, res, `{input: other}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		source string
		event  *change.Event
	}{
		{"shop", version(1, "T", "v1")}, {"shop", row(2)}, {"shop", row(3)}, {"crm", version(1, "U", "v1")}, {"crm", row(2)}, {"shop", row(4)},
	} {
		of := &change.Batch{Source: m.source, Events: []change.Event{*m.event}}
		left := service.MessageBatch{service.NewMessageWithContext(change.WithBatch(t.Context(), of, 0), m.event.Value)}
		for _, s := range []*Schema{a, b} {
			if len(left) == 0 {
				break
			}
			if left, err = s.Process(t.Context(), left[0]); err != nil {
				t.Fatalf("%s event %d: %v", m.source, m.event.Number, err)
			}
		}
		if passed := len(left) == 1; passed != (m.event.Kind != change.Schema) {
			t.Errorf("%s event %d of kind %s: passed %v", m.source, m.event.Number, m.event.Kind, passed)
		}
	}
	for topic, want := range map[string]string{"shop.cdc.schema": "T=v1", "crm.cdc.schema": "U=v1"} {
		if diff := cmp.Diff([]string{want}, stored(t, conn, topic)); diff != "" {
			t.Errorf("%s: %s", topic, diff)
		}
	}
}

// of gives a row the version that it was decoded with.
func of(number uint64, v *schema.Version) *change.Event {
	ev := row(number)
	ev.Version = v
	return ev
}

// announcing is the event of a version.
func announcing(number uint64, v *schema.Version) *change.Event {
	ev := version(number, v.Table.Name, fmt.Sprint("v", v.Number))
	ev.Version = v
	return ev
}

// A mapping in front of the processor can take the version away: nothing would ever write it.
func TestR75RowOfAVersionThatNeverCameStopsTheStream(t *testing.T) {
	_, conn := broker(t)
	table := func(name string, number int) *schema.Version {
		return &schema.Version{Table: schema.Table{Owner: "APP", Name: name}, Number: number}
	}
	t1, t2, u1 := table("T", 1), table("T", 2), table("U", 1)
	u1.Stored = true
	s, res := stream(t, conn, `{}`)
	heartbeat := &change.Event{Number: 1, Kind: change.Heartbeat}
	out, failed := process(t, s, heartbeat, announcing(2, t1), of(3, t1), of(4, u1), of(5, table("T", 1)), of(6, t1))
	if diff := cmp.Diff([]string{"", "row 3", "row 4", "row 5", "row 6"}, out); diff != "" || failed != nil {
		t.Fatalf("written or stored before: %s, %v", diff, failed)
	}
	for _, ev := range []*change.Event{of(7, t2), of(8, table("V", 1)), {Number: 9, Kind: change.Tombstone, Version: t2}} {
		if out, failed := process(t, s, ev); len(out) != 0 || len(failed) != 1 || !stop.Is(failed[0], stop.Configuration) || !strings.Contains(failed[0].Error(), "APP."+ev.Version.Table.Name) {
			t.Errorf("event %d: passed %v, failed %v; want CDC-5003 with the table", ev.Number, out, failed)
		}
	}
	if stopped := rendezvous.Of(res).Stopped(); !stop.Is(stopped, stop.Configuration) {
		t.Errorf("recorded %v, want CDC-5003", stopped)
	}
	// The record of a later version holds the ones before it.
	if out, failed := process(t, s, announcing(10, t2), of(11, t2), of(12, t1)); len(out) != 2 || failed != nil {
		t.Errorf("after the version: passed %v, failed %v", out, failed)
	}
}

func TestR75PassingARowAllocatesNothingForItsVersion(t *testing.T) {
	_, conn := broker(t)
	s, _ := stream(t, conn, `{}`)
	a := &schema.Version{Table: schema.Table{Owner: "APP", Name: "A"}, Number: 1}
	b := &schema.Version{Table: schema.Table{Owner: "APP", Name: "B"}, Number: 1}
	if _, failed := process(t, s, announcing(1, a), announcing(2, b)); failed != nil {
		t.Fatal(failed)
	}
	rows := []*change.Event{of(3, a), of(4, b)}
	if n := testing.AllocsPerRun(100, func() {
		for _, ev := range rows {
			if err := s.known(ev); err != nil {
				t.Fatal(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations for two rows", n)
	}
}

// The runtime hands contexts on by index when a batch processor removes a message: a row can carry the event of a version.
func TestVersionWithTheContentOfAnotherMessageIsRefused(t *testing.T) {
	_, conn := broker(t)
	s, _ := stream(t, conn, `{}`)
	shifted := service.NewMessageWithContext(change.With(context.Background(), version(1, "T", "v1")), []byte("row 2"))
	if _, err := s.Process(t.Context(), shifted); !stop.Is(err, stop.Configuration) {
		t.Fatalf("got %v, want CDC-5003", err)
	}
}

func TestOwnBrokersAreUsed(t *testing.T) {
	c, conn := broker(t)
	s, _ := stream(t, topicstore.Connection{kgo.SeedBrokers("127.0.0.1:1")}, "kafka: {seed_brokers: ['"+c.ListenAddrs()[0]+"']}")
	if _, failed := process(t, s, version(1, "T", "v1")); failed != nil {
		t.Fatal(failed)
	}
	if diff := cmp.Diff([]string{"T=v1"}, stored(t, conn, "shop.cdc.schema")); diff != "" {
		t.Fatal(diff)
	}
}

func TestLintRefusesBadValuesByName(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"write_timeout: soon", "write_timeout must be a duration"},
		{`write_timeout: ""`, "write_timeout must be a duration"},
		{"kafka: {seed_brokers: [a], sasl: [{mechanism: NTLM}]}", "NTLM"},
		{"kafka: {brokers: [a]}", "brokers"},
		{"prune: true", "prune"},
	} {
		lints, err := service.GlobalEnvironment().NewComponentConfigLinter().LintProcessorYAML([]byte("oracle_schema:\n  " + c.yaml))
		if err != nil {
			t.Fatal(err)
		}
		if len(lints) == 0 || !strings.Contains(lints[0].Error(), c.want) {
			t.Errorf("%s: %v, want a complaint with %q", c.yaml, lints, c.want)
		}
	}
	if lints, err := service.GlobalEnvironment().NewComponentConfigLinter().LintProcessorYAML([]byte(
		"oracle_schema: {input: a, topic: b, kafka: {seed_brokers: [c], client_id: d}, write_timeout: 5s, forward: true}")); err != nil || len(lints) != 0 {
		t.Errorf("good values: %v, %v", lints, err)
	}
}
