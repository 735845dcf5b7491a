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

// Literal defaults of columns are in the schemas; a default that changes begins a version, so that rows from before keep theirs. A NULL is
// written as the default only when that is asked for.
func TestDefaultsOfColumns(t *testing.T) {
	for _, asked := range []bool{false, true} {
		t.Run(fmt.Sprintf("null_as_default %t", asked), func(t *testing.T) {
			s := begin(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, v VARCHAR2(10) DEFAULT 'none', n NUMBER(5) DEFAULT 7, d DATE DEFAULT SYSDATE")
			p := s.start(fields{"records.profile": "debezium", "records.encoding": "json_schema", "records.null_as_default": asked})
			s.commit("INSERT INTO $t VALUES (1, NULL, NULL, NULL)")
			p.settle()
			s.exec("ALTER TABLE $t MODIFY (v DEFAULT 'nothing')")
			s.commit("INSERT INTO $t VALUES (2, NULL, 2, NULL)")
			got := without(p.settle(), s.db.Table(fenceTable))
			if len(got) != 2 {
				t.Fatalf("%q", lines(got))
			}
			for i, want := range []struct{ schema, row, asDefault string }{
				{
					`{"type":"string","optional":true,"default":"none","field":"V"},{"type":"int32","optional":true,"default":7,"field":"N"},{"type":"int64","optional":true,"name":"io.debezium.time.Timestamp","version":1,"field":"D"}`,
					`"after":{"ID":1,"V":null,"N":null,"D":null}`, `"after":{"ID":1,"V":"none","N":7,"D":null}`,
				},
				{`{"type":"string","optional":true,"default":"nothing","field":"V"}`, `"after":{"ID":2,"V":null,"N":2,"D":null}`, `"after":{"ID":2,"V":"nothing","N":2,"D":null}`},
			} {
				value := string(got[i].event.Value)
				row := want.row
				if asked {
					row = want.asDefault
				}
				if !strings.Contains(value, want.schema) || !strings.Contains(value, row) {
					t.Errorf("record %d: %s\nwant %s and %s", i, value, want.schema, row)
				}
			}
		})
	}
}

// Defaults are read inside the container; who may not go there is told what to grant, and needs it only for them.
func TestDefaultsNeedSetContainer(t *testing.T) {
	s := begin(t, needing(ownSettings))
	s.table("t", "id NUMBER(9) PRIMARY KEY, v VARCHAR2(10) DEFAULT 'none'")
	s.connect(admin).exec("REVOKE SET CONTAINER FROM c##cdc CONTAINER = ALL")
	stopped := s.refused(fields{"records.encoding": "json_schema"}, 5002, "SET CONTAINER")
	if !strings.Contains(stopped.Action(), "GRANT SET CONTAINER TO") {
		t.Errorf("%q does not say what to grant", stopped)
	}
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (1, NULL)")
	same(t, p.settle(), `{"ID":1} c {"ID":1,"V":null}`)
}
