package scenario_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// R22, R73: a change that cannot be published goes to the dead letters in its place, and an event tells of it; what is around it is
// delivered, and a restart repeats nothing.
func TestDeadLettersAndOpsEventsHaveTheirTopics(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, at TIMESTAMP(9)")
	with := fields{"on_decode_error": "dlq"}
	p := s.startKafka(b, with)
	s.commit("INSERT INTO $t VALUES (1, NULL)", "INSERT INTO $t VALUES (2, TIMESTAMP '9999-12-31 00:00:00')", "INSERT INTO $t VALUES (3, NULL)")
	p.settleKafka(b)
	var got []string
	for _, r := range b.topic("shop." + s.full("t")) {
		got = append(got, summary(r)+" of "+header(r, "cdc.event_count"))
	}
	if diff := cmp.Diff([]string{`{"ID":1} c 0 of 3`, `{"ID":3} c 2 of 3`}, slices.Sorted(slices.Values(got))); diff != "" {
		t.Errorf("topic (-want +got):\n%s", diff)
	}
	letters := b.topic("shop.cdc.dlq")
	if len(letters) != 1 {
		t.Fatalf("%d dead letters", len(letters))
	}
	var letter struct {
		V                                 int
		Kind, Table, XID, Operation, Code string
		Redo                              string `json:"sql_redo"`
	}
	if err := json.Unmarshal(letters[0].Value, &letter); err != nil {
		t.Fatal(err)
	}
	if letter.V != 1 || letter.Kind != "decode-error" || letter.Table != s.full("t") || letter.Operation != "insert" || letter.Code != "CDC-3001" ||
		!strings.Contains(letter.Redo, "'2'") || string(letters[0].Key) != `{"server":"shop","xid":"`+letter.XID+`"}` {
		t.Errorf("key %s, value %s", letters[0].Key, letters[0].Value)
	}
	if got := strings.Join(opsTypes(t, b), " "); got != "startup decode-error-dlq" {
		t.Errorf("ops events %s", got)
	}
	p.stop()
	p = s.startKafka(b, with)
	s.commit("INSERT INTO $t VALUES (4, NULL)")
	p.settleKafka(b)
	if n := len(b.topic("shop.cdc.dlq")); n != 1 {
		t.Errorf("%d dead letters after the restart", n)
	}
}

// A typed stop and a DDL are told of on the ops topic.
func TestStopIsToldOfOnTheOpsTopic(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.startKafka(b, fields{"bulk_ddl": "stop"})
	s.commit("INSERT INTO $t VALUES (1)")
	p.settleKafka(b)
	s.exec("TRUNCATE TABLE $t")
	refusal(t, p.stopped(), 6002, s.full("t"))
	p.until("the stop is not on the topic", func() bool { return strings.HasSuffix(strings.Join(opsTypes(t, b), " "), " stop") })
	events := b.topic("shop.cdc.ops")
	if last := string(events[len(events)-1].Value); !strings.Contains(last, `"code":"CDC-6002"`) || string(events[0].Key) != "shop" {
		t.Errorf("key %s, %s", events[0].Key, last)
	}
}

// Contracts 2: with an output that is not Kafka, ops events are logged and dead letters refused, unless emit.ops says otherwise.
func TestOpsEventsAndDeadLettersWithAnotherOutput(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, at TIMESTAMP(9)")
	s.refused(fields{"on_decode_error": "dlq"}, 5003, "on_decode_error")
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (1, NULL)")
	same(t, p.settle(), `{"ID":1} c {"ID":1,"AT":null}`)
	if !strings.Contains(p.log.text(), "type=startup") {
		t.Error("the start is not logged")
	}
	p.stop()
	p = s.start(fields{"on_decode_error": "dlq", "emit.ops": "always"})
	s.commit("INSERT INTO $t VALUES (2, TIMESTAMP '9999-12-31 00:00:00')")
	p.until("no dead letter", func() bool {
		got, _ := p.delivered()
		for _, m := range got {
			if m.metadata["kafka_topic"] == "shop.cdc.dlq" {
				return true
			}
		}
		return false
	})
}

func opsTypes(t *testing.T, b *broker) []string {
	t.Helper()
	var out []string
	for _, r := range b.topic("shop.cdc.ops") {
		var ev struct{ Type string }
		if err := json.Unmarshal(r.Value, &ev); err != nil {
			t.Fatal(err)
		}
		out = append(out, ev.Type)
	}
	return out
}
