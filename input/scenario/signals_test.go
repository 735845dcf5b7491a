package scenario_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// answers lists the events signal-ack of a broker's topic of ops events, in order of their ids.
func (b *broker) answers() []string {
	b.t.Helper()
	var out []string
	for _, r := range b.topic("shop.cdc.ops") {
		var ev struct {
			Type    string
			Details struct{ ID, Signal, Channel, Status string }
		}
		if err := json.Unmarshal(r.Value, &ev); err != nil {
			b.t.Fatal(err)
		}
		if ev.Type == "signal-ack" {
			out = append(out, strings.Join([]string{ev.Details.ID, ev.Details.Signal, ev.Details.Channel, ev.Details.Status}, " "))
		}
	}
	slices.Sort(out)
	return out
}

func (p *pipeline) answered(b *broker, want ...string) {
	p.s.t.Helper()
	p.until("the signals were not answered", func() bool { return len(b.answers()) >= len(want) })
	p.settleKafka(b)
	if diff := cmp.Diff(want, b.answers()); diff != "" {
		p.s.t.Fatalf("answers (-want +got):\n%s", diff)
	}
}

func (b *broker) signal(value string) {
	b.produce(&kgo.Record{Topic: "shop.cdc.signals", Key: []byte("shop"), Value: []byte(value)})
}

func (s *scenario) post(address, body string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+address+"/signals", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	client := &http.Client{}
	defer client.CloseIdleConnections()
	resp, err := client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// freeAddress is one that nothing listened on a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = on.Close() }()
	return on.Addr().String()
}

// A signal of each channel is handled once, whatever restarts; the signal table has no records, and needs no key.
func TestSignalsOfEveryChannelAreHandledOnce(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.table("sig", "id VARCHAR2(42), type VARCHAR2(32), data VARCHAR2(2048)")
	s.commit("INSERT INTO $t VALUES (9)", "INSERT INTO $sig VALUES ('0 from before', 'log-state', NULL)")
	b.create("shop.cdc.signals", 1, "delete")
	b.signal(`{"id":"0 from before","type":"log-state"}`)
	address := freeAddress(t)
	change := fields{
		"include": s.include("t", fenceTable), "signals.kafka": true, "snapshot.mode": "initial", "emit.schema_changes": true,
		"signals.table": s.full("sig"),
		"signals.http":  map[string]any{"enabled": true, "address": address},
	}
	p := s.startKafka(b, change)
	s.commit("INSERT INTO $t VALUES (1)", `INSERT INTO $sig VALUES ('1', 'log', '{"message":"from the table"}')`, "INSERT INTO $t VALUES (2)")
	s.commit("INSERT INTO $sig VALUES ('2', 'no-such-type', NULL)", "UPDATE $sig SET type = 'log-state'", "DELETE FROM $sig")
	p.settleKafka(b)
	b.signal(`{"id":"3","type":"refresh-tables"}`)
	if code, body := s.post(address, `{"id":"4","type":"log-state"}`); code != http.StatusOK || !strings.Contains(body, "mined_scn=") {
		t.Errorf("%d %s", code, body)
	}
	want := []string{"1 log table ok", "2 no-such-type table unknown", "3 refresh-tables kafka ok", "4 log-state http ok"}
	p.answered(b, want...)
	p.kill()

	b.signal(`{"id":"5 while it was down","type":"pause`)
	p = s.startKafka(b, change)
	s.commit("INSERT INTO $t VALUES (3)")
	p.settleKafka(b)
	p.answered(b, append([]string{"  kafka invalid"}, want...)...)
	p.until("not every row of the captured table is there", func() bool { return len(b.keys("shop."+s.full("t"))) == 4 })
	p.stop()
	if got := b.topic("shop." + s.full("sig")); len(got) != 0 {
		t.Errorf("the signal table has %d records", len(got))
	}
}

// A signal that is sent behind the first position is obeyed, although capture is killed before any other is stored.
func TestSignalSentBehindTheFirstPositionIsObeyed(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	b.create("shop.cdc.signals", 1, "delete")
	b.signal(`{"id":"0 from before","type":"log-state"}`)
	reading := fields{"signals.kafka": true}
	p := s.startKafka(b, reading) // which waits for the first position
	p.kill()
	if n := len(b.topic("shop.cdc.position")); n > 2 {
		t.Logf("%d positions were stored: this run shows less", n)
	}
	b.signal(`{"id":"1","type":"log-state"}`)
	p = s.startKafka(b, reading)
	p.answered(b, "1 log-state kafka ok")
	p.stop()
}

// keys lists the different keys of a topic.
func (b *broker) keys(topic string) []string {
	b.t.Helper()
	var out []string
	for _, r := range b.topic(topic) {
		out = append(out, string(r.Key))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// reads lists the keys of the rows that snapshots delivered, in order of their place in the topic.
func (b *broker) reads(topic string) []string {
	b.t.Helper()
	var out []string
	for _, r := range b.topic(topic) {
		if s := summary(r); strings.Contains(s, "} r ") {
			out = append(out, string(r.Key))
		}
	}
	slices.Sort(out)
	return out
}

// ops lists the ops events of a type, as JSON.
func (b *broker) ops(kind string) []string {
	b.t.Helper()
	var out []string
	for _, r := range b.topic("shop.cdc.ops") {
		if strings.Contains(string(r.Value), `"type":"`+kind+`"`) {
			out = append(out, string(r.Value))
		}
	}
	return out
}

// What is asked for is read beside the stream: tables by pattern, with conditions, one request behind the other; a request that the
// database does not take ends alone.
func TestSnapshotsOnDemand(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	s.table("u", "id NUMBER(9) PRIMARY KEY")
	s.commit("INSERT INTO $t VALUES (1, 'a')", "INSERT INTO $t VALUES (2, 'b')", "INSERT INTO $t VALUES (3, 'c')", "INSERT INTO $u VALUES (7)")
	b.create("shop.cdc.signals", 1, "delete")
	p := s.startKafka(b, fields{"signals.kafka": true, "snapshot.mode": "on_signal"})
	p.settleKafka(b)
	topic := func(name string) string { return "shop." + s.full(name) }
	pattern := func(name string) string { return strings.ReplaceAll(s.full(name), ".", `\\.`) }
	b.signal(`{"id":"1","type":"execute-snapshot","data":{"data-collections":["` + pattern("t") + `"],"additional-conditions":[{"data-collection":"` + pattern("t") + `","filter":"id > 1"}]}}`)
	b.signal(`{"id":"2","type":"execute-snapshot","data":{"type":"blocking","data-collections":["` + pattern("u") + `"],"additional-conditions":[{"data-collection":".*","filter":"SELECT * FROM ` + s.db.Owner() + "." + s.db.Table("u") + ` WHERE id = 7"}]}}`)
	p.until("the rows are not read", func() bool { return len(b.reads(topic("t"))) == 2 && len(b.reads(topic("u"))) == 1 })

	b.signal(`{"id":"3","type":"execute-snapshot","data":{"data-collections":["` + pattern("t") + `"],"additional-conditions":[{"data-collection":".*","filter":"no_such_column = 1"}]}}`)
	p.until("the request is not given up", func() bool { return len(b.ops("snapshot-aborted")) > 0 })
	if said := b.ops("snapshot-aborted")[0]; !strings.Contains(said, "ORA-00904") || !strings.Contains(said, s.full("t")) {
		t.Error(said)
	}
	b.signal(`{"id":"4","type":"execute-snapshot","data":{"data-collections":[]}}`)
	b.signal(`{"id":"5","type":"execute-snapshot","data":{"data-collections":["NO\\.SUCH"]}}`)
	b.signal(`{"id":"6","type":"execute-snapshot","data":{"type":"blocking","data-collections":["` + pattern("u") + `"],"additional-conditions":[{"data-collection":".*","filter":"SELECT 1 FROM dual"}]}}`)
	b.signal(`{"id":"7","type":"stop-snapshot"}`)
	s.commit("INSERT INTO $t VALUES (4, 'd')")
	p.answered(b, "1 execute-snapshot kafka ok", "2 execute-snapshot kafka ok", "3 execute-snapshot kafka ok", "4 execute-snapshot kafka ok",
		"5 execute-snapshot kafka rejected", "6 execute-snapshot kafka rejected", "7 stop-snapshot kafka rejected")
	if diff := cmp.Diff([]string{`{"ID":2}`, `{"ID":3}`}, b.reads(topic("t"))); diff != "" {
		t.Errorf("rows of T that were read (-want +got):\n%s", diff)
	}
	for _, r := range b.topic(topic("t")) {
		if strings.Contains(summary(r), " r ") && !strings.Contains(headers(r), "incremental") && !strings.Contains(string(r.Value), `"snapshot":"incremental"`) {
			t.Errorf("a row that was asked for is not marked: %s %s", headers(r), r.Value)
		}
	}

	// Nothing is read again behind a restart.
	p.kill()
	p = s.startKafka(b, fields{"signals.kafka": true, "snapshot.mode": "on_signal"})
	s.commit("INSERT INTO $t VALUES (5, 'e')")
	p.settleKafka(b)
	p.stop()
	if got := b.reads(topic("t")); len(got) != 2 {
		t.Errorf("%v were read", got)
	}
}

// A snapshot that is paused stands still over a restart, and goes on when told.
func TestSnapshotThatIsPaused(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.exec("INSERT INTO $t VALUES (1)")
	const rows = 4096
	for n := 1; n < rows; n *= 2 {
		s.exec("INSERT INTO $t SELECT id + :1 FROM $t", n)
	}
	b.create("shop.cdc.signals", 1, "delete")
	change := fields{"signals.kafka": true, "snapshot.mode": "on_signal", "snapshot.chunk_rows": 1000, "snapshot.max_pending_chunks": 1, "batching.count": 100}
	p := s.startKafka(b, change)
	p.settleKafka(b)
	read := func() int { return len(b.reads("shop." + s.full("t"))) }
	b.signal(`{"id":"1","type":"execute-snapshot","data":{"data-collections":["` + strings.ReplaceAll(s.full("t"), ".", `\\.`) + `"]}}`)
	b.signal(`{"id":"2","type":"pause-snapshot"}`)
	p.answered(b, "1 execute-snapshot kafka ok", "2 pause-snapshot kafka ok")
	p.settleKafka(b)
	p.settleKafka(b)
	before := read()
	p.stop()
	p = s.startKafka(b, change)
	p.settleKafka(b)
	if now := read(); now == rows || now != before {
		t.Errorf("%d rows were read before the restart, %d behind it", before, now)
	}
	b.signal(`{"id":"3","type":"resume-snapshot"}`)
	p.until("not every row is read", func() bool { return read() >= rows })
	p.stop()
	if got := slices.Compact(b.reads("shop." + s.full("t"))); len(got) != rows {
		t.Errorf("%d different rows", len(got))
	}
}

// What is asked for by HTTP nobody sends again: once it is answered a kill does not undo it.
func TestRequestByHTTPThatIsAnsweredOutlastsAKill(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", rowColumns)
	s.fill("t", 0, 20)
	held := make(chan struct{})
	defer close(held)
	address := freeAddress(t)
	change := fields{
		"snapshot.mode": "on_signal", "position.interval": "300ms", "signals.http": map[string]any{"enabled": true, "address": address},
	}
	p := s.start(change)
	h := s.server.AddFault(chunkRead(wire.Fault{Hold: held})) // nothing of it is read before the kill
	asked := time.Now()
	code, body := s.post(address, `{"id":"1","type":"execute-snapshot","data":{"data-collections":["`+strings.ReplaceAll(s.full("t"), ".", `\\.`)+`"]}}`)
	if code != http.StatusOK {
		t.Errorf("%d %s", code, body)
	}
	t.Logf("answered within %s", time.Since(asked))
	p.kill()
	h.Remove()
	p = s.start(change)
	p.snapshotted()
	if reads := s.sameRows(p.settle(), "t"); reads != 20 {
		t.Errorf("%d rows were read", reads)
	}
	p.stop()
}
