package scenario_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kgo"
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
	b.create("shop.cdc.signals", 1, "delete")
	b.signal(`{"id":"0 from before","type":"log-state"}`)
	address := freeAddress(t)
	change := fields{
		"include": s.include("t", fenceTable), "signals.kafka": true,
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
	p.stop()
	if got := len(b.topic("shop." + s.full("t"))); got != 3 {
		t.Errorf("%d records of the captured table", got)
	}
	if got := b.topic("shop." + s.full("sig")); len(got) != 0 {
		t.Errorf("the signal table has %d records", len(got))
	}
}
