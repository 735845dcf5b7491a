package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// Profile debezium with schemas through the whole input: topic, key and envelope of a table that the database describes, an update, and a
// change of the key with its headers.
func TestProfileDebeziumThroughTheWholeInput(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20), price NUMBER(12,2) NOT NULL, made TIMESTAMP(9)")
	p := s.start(fields{
		"records.profile": "debezium", "records.encoding": "json_schema", "records.temporals": "isostring",
		"records.redo_sql": true,
	})
	s.commit("INSERT INTO $t VALUES (1, 'one', 2.5, TIMESTAMP '2018-03-27 12:34:56.13')", "UPDATE $t SET id = 2 WHERE id = 1")
	got := p.settle()
	topic := "shop." + s.db.Owner() + "." + s.db.Table("t")
	key := func(id string) string {
		return `{"schema":{"type":"struct","fields":[{"type":"int32","optional":false,"field":"ID"}],"optional":false,"name":"` + topic + `.Key"},"payload":{"ID":` + id + `}}`
	}
	row := `{"ID":%d,"NAME":"one","PRICE":"APo=","MADE":"2018-03-27T12:34:56.13Z"}`
	want := []struct{ key, image, header string }{
		{key("1"), `"payload":{"before":null,"after":` + fmt.Sprintf(row, 1), ""},
		{key("1"), `"payload":{"before":` + fmt.Sprintf(row, 1) + `,"after":null`, `__debezium.newkey={"ID":2}`},
		{key("1"), "", `__debezium.newkey={"ID":2}`},
		{key("2"), `"payload":{"before":null,"after":` + fmt.Sprintf(row, 2), `__debezium.oldkey={"ID":1}`},
	}
	if len(got) != len(want) {
		t.Fatalf("%d messages, want %d", len(got), len(want))
	}
	fields := `{"type":"int32","optional":false,"field":"ID"},{"type":"string","optional":true,"field":"NAME"},{"type":"bytes","optional":false,` +
		`"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"2","connect.decimal.precision":"12"},"field":"PRICE"},` +
		`{"type":"string","optional":true,"name":"io.debezium.time.IsoTimestamp","version":1,"field":"MADE"}`
	for i, w := range want {
		ev := got[i].event
		if ev.Topic != topic || string(ev.Key) != w.key {
			t.Errorf("message %d: topic %s, key %s; want %s, %s", i, ev.Topic, ev.Key, topic, w.key)
		}
		headers, _ := ev.Headers(nil, nil, ev)
		text := ""
		for _, h := range headers {
			text += h.Key + "=" + string(h.Value) + "\n"
		}
		if !strings.Contains(text, w.header) || !strings.Contains(text, "__debezium.context.connectorLogicalName=shop\n") {
			t.Errorf("message %d: headers %s; want %s", i, text, w.header)
		}
		if ev.Kind == change.Tombstone {
			continue
		}
		value := string(ev.Value)
		for _, part := range []string{
			w.image, fields, `"name":"` + topic + `.Envelope","version":2}`, `"connector":"oracle"`, `"redo_sql":"`, `"ssn":0`,
		} {
			if !strings.Contains(value, part) {
				t.Errorf("message %d: %s has no %s", i, value, part)
			}
		}
		if !json.Valid(ev.Value) {
			t.Errorf("message %d is no JSON: %s", i, value)
		}
	}
}
