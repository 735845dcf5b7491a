package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Rows without the envelope from the database to the broker, in every form of deletes: insert, update, delete and a change of the key, with
// topic, key and headers as records with an envelope have them.
func TestFlatRecordsThroughKafka(t *testing.T) {
	const one, two = `{"ID":1,"NAME":"one"`, `{"ID":1,"NAME":"two"`
	const moved = `{"ID":2,"NAME":"two"`
	for deletes, want := range map[string][]string{
		"tombstone": {
			`0/4 {"ID":1} ` + one + `,"__op":"c","__table":"T"} __op=c`, `1/4 {"ID":1} ` + two + `,"__op":"u","__table":"T"} __op=u`,
			`2/4 {"ID":1} null __op=d`, `2/4 {"ID":2} ` + moved + `,"__op":"c","__table":"T"} __op=c`, `3/4 {"ID":2} null __op=d`,
		},
		"rewrite": {
			`0/4 {"ID":1} ` + one + `,"__deleted":"false","__op":"c","__table":"T"} __op=c`,
			`1/4 {"ID":1} ` + two + `,"__deleted":"false","__op":"u","__table":"T"} __op=u`,
			`2/4 {"ID":1} ` + two + `,"__deleted":"true","__op":"d","__table":"T"} __op=d`,
			`2/4 {"ID":2} ` + moved + `,"__deleted":"false","__op":"c","__table":"T"} __op=c`,
			`3/4 {"ID":2} ` + moved + `,"__deleted":"true","__op":"d","__table":"T"} __op=d`,
		},
		"drop": {
			`0/3 {"ID":1} ` + one + `,"__op":"c","__table":"T"} __op=c`, `1/3 {"ID":1} ` + two + `,"__op":"u","__table":"T"} __op=u`,
			`2/3 {"ID":2} ` + moved + `,"__op":"c","__table":"T"} __op=c`,
		},
	} {
		t.Run(deletes, func(t *testing.T) {
			s, b := begin(t), newBroker(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
			p := s.startKafka(b, fields{
				"records.flat.enabled": true, "records.flat.deletes": deletes, "records.flat.add_fields": []string{"op", "table"},
				"records.flat.add_headers": []string{"op", "source.scn", "transaction.id"},
			})
			s.commit(
				"INSERT INTO $t VALUES (1, 'one')", "UPDATE $t SET name = 'two' WHERE id = 1", "UPDATE $t SET id = 2 WHERE id = 1",
				"DELETE FROM $t WHERE id = 2",
			)
			p.settleKafka(b)
			var got []string
			for _, r := range b.topic("shop." + s.full("t")) {
				value := string(r.Value)
				if r.Value == nil {
					value = "null"
				}
				value = strings.Replace(value, `"__table":"`+s.db.Table("t")+`"`, `"__table":"T"`, 1)
				got = append(got, fmt.Sprintf("%s/%s %s %s __op=%s", header(r, "cdc.event_index"), header(r, "cdc.event_count"), r.Key, value, header(r, "__op")))
				if header(r, "__source_scn") != header(r, "cdc.scn") || header(r, "__transaction_id") != header(r, "cdc.xid") {
					t.Errorf("headers %s", headers(r))
				}
			}
			// The keys may lie in several partitions; what one key has stays in order.
			byKey := func(a, b string) int { return strings.Compare(strings.Fields(a)[1], strings.Fields(b)[1]) }
			slices.SortStableFunc(got, byKey)
			slices.SortStableFunc(want, byKey)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if fence := b.topic("shop." + s.full(fenceTable)); len(fence) != 1 || strings.Contains(string(fence[0].Value), `"after"`) {
				t.Errorf("%d records of another table, the first %s", len(fence), fence[0].Value)
			}
		})
	}
}

// In front of another output the delete is an empty message that says what it is; profile debezium has the other key in its headers, and
// schemas hold what is added.
func TestFlatRecordsOfProfileDebeziumInFrontOfAnotherOutput(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	p := s.start(fields{
		"records.profile": "debezium", "records.encoding": "json_schema", "records.key_encoding": "json", "records.flat.enabled": true,
		"records.flat.add_fields": []string{"op", "scn:at"},
	})
	s.commit("INSERT INTO $t VALUES (1, 'one')", "UPDATE $t SET id = 2", "DELETE FROM $t")
	topic := "shop." + s.db.Owner() + "." + s.db.Table("t")
	open := `{"schema":{"type":"struct","fields":[{"type":"int32","optional":false,"field":"ID"},{"type":"string","optional":true,"field":"NAME"},` +
		`{"type":"string","optional":true,"field":"__op"},{"type":"string","optional":true,"field":"__at"}],"optional":false,"name":"` + topic + `.Value"},"payload":`
	want := []string{
		`{"ID":1} insert <nil> {"ID":1,"NAME":"one","__op":"c","__at":`, `{"ID":1} delete true __debezium.newkey={"ID":2}`,
		`{"ID":2} insert <nil> {"ID":2,"NAME":"one","__op":"c","__at":`, `{"ID":2} delete true `,
	}
	var got []string
	for _, m := range p.settle() {
		list, _ := m.event.Headers(nil, nil, m.event)
		rest := ""
		switch {
		case len(m.value) > 0:
			payload, found := strings.CutPrefix(string(m.value), open)
			if !found {
				t.Errorf("%s does not begin with %s", m.value, open)
			}
			rest, _, _ = strings.Cut(payload, `"__at":`)
			rest += `"__at":`
		case list[0].Key == "__debezium.newkey":
			rest = "__debezium.newkey=" + string(list[0].Value)
		}
		got = append(got, fmt.Sprintf("%s %v %v %s", m.event.Key, m.metadata["operation"], m.metadata["tombstone"], rest))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A table without a key cannot tell with a null value which row is gone.
func TestFlatTombstonesOfATableWithoutAKeyStopAtTheStart(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9), name VARCHAR2(20)")
	p := s.launch(fields{"key.missing": "none", "records.flat.enabled": true})
	stopped := p.stopped()
	refusal(t, stopped, 5003, s.full("t"))
	if !strings.Contains(stopped.Error(), "records.flat.deletes") {
		t.Errorf("%q does not say what to do", stopped)
	}
}

// Each profile chooses among the unique indexes of a table without a primary key in its own way: cdc the smallest over NOT NULL columns,
// debezium the first by name, whether its columns may be NULL or not (reference debezium-format 10).
func TestUniqueIndexThatIsTheKeyByProfile(t *testing.T) {
	for profile, want := range map[string]string{"cdc": `{"B":2}`, "debezium": `{"C":null}`} {
		t.Run(profile, func(t *testing.T) {
			s := begin(t)
			s.table("t", "a NUMBER(9) NOT NULL, b NUMBER(9) NOT NULL, c NUMBER(9)")
			s.exec("CREATE UNIQUE INDEX $t_1 ON $t (c)")
			s.exec("CREATE UNIQUE INDEX $t_2 ON $t (a, b)")
			s.exec("CREATE UNIQUE INDEX $t_3 ON $t (b)")
			p := s.start(fields{"records.profile": profile})
			s.commit("INSERT INTO $t VALUES (1, 2, NULL)")
			got := p.settle()
			if len(got) != 1 || string(got[0].event.Key) != want {
				t.Errorf("%d messages, the first with key %s; want %s", len(got), got[0].event.Key, want)
			}
		})
	}
}
