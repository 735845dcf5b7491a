package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// keyless lets a table without a key be captured.
var keyless = fields{"key.missing": "none"}

// Seed 001: no key at all, so that an update never becomes a change of key and a delete has no tombstone. Equal rows stay apart by
// their ROWID.
func TestKeylessTableHasRecordsWithoutKeyAndTombstone(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9), name VARCHAR2(20)")
	p := s.start(keyless)
	s.commit("INSERT INTO $t VALUES (1, 'one')", "INSERT INTO $t VALUES (1, 'one')", "INSERT INTO $t VALUES (NULL, NULL)")
	s.commit("UPDATE $t SET id = 2 WHERE id = 1 AND ROWNUM = 1", "UPDATE $t SET id = 3, name = 'all'")
	s.commit("DELETE FROM $t WHERE id = 3 AND ROWNUM < 3")
	got := p.settle()
	same(t, got,
		` c {"ID":1,"NAME":"one"}`, ` c {"ID":1,"NAME":"one"}`, ` c {"ID":null,"NAME":null}`,
		` u {"ID":1,"NAME":"one"} -> {"ID":2,"NAME":"one"}`,
		` u {"ID":2,"NAME":"one"} -> {"ID":3,"NAME":"all"}`, ` u {"ID":1,"NAME":"one"} -> {"ID":3,"NAME":"all"}`,
		` u {"ID":null,"NAME":null} -> {"ID":3,"NAME":"all"}`,
		` d {"ID":3,"NAME":"all"}`, ` d {"ID":3,"NAME":"all"}`,
	)
	rows := map[string]bool{}
	for i, m := range got {
		if m.event.Key != nil || m.event.Kind != change.Change {
			t.Errorf("event %d: key %q, kind %s", i, m.event.Key, m.event.Kind)
		}
		if key, ok := m.metadata["kafka_key"]; ok {
			t.Errorf("event %d has the metadata kafka_key %q", i, key)
		}
		rows[m.event.RowID] = true
	}
	if len(rows) != 3 {
		t.Errorf("%d ROWIDs, want those of three rows", len(rows))
	}
}

func TestKeylessTableReachesKafkaWithNullKeys(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9), name VARCHAR2(20)")
	topic := "shop." + s.full("t")
	b.create(topic, 1, "delete") // one partition, so that order can be judged
	p := s.startKafka(b, keyless)
	s.commit("INSERT INTO $t VALUES (1, 'one')", "INSERT INTO $t VALUES (1, 'one')", "UPDATE $t SET id = 2", "DELETE FROM $t")
	p.settleKafka(b)
	var got []string
	for _, r := range b.topic(topic) {
		if r.Key != nil || r.Value == nil {
			t.Errorf("key %q, value %q; want a null key and a value", r.Key, r.Value)
		}
		got = append(got, summary(r)+" of "+header(r, "cdc.event_count"))
	}
	if diff := cmp.Diff([]string{" c 0 of 6", " c 1 of 6", " u 2 of 6", " u 3 of 6", " d 4 of 6", " d 5 of 6"}, got); diff != "" {
		t.Errorf("topic (-want +got):\n%s", diff)
	}
	key := fmt.Sprintf(`{"server":"shop","pdb":%q,"owner":%q,"table":%q}`, s.db.PDB(), s.db.Owner(), s.db.Table("t"))
	found := false
	for _, r := range b.topic("shop.cdc.schema") {
		if string(r.Key) != key {
			continue
		}
		found = true
		var v struct {
			Versions []struct {
				Key struct {
					Origin  string
					Columns []string
				}
			}
		}
		if err := json.Unmarshal(r.Value, &v); err != nil || len(v.Versions) != 1 || v.Versions[0].Key.Origin != "none" ||
			v.Versions[0].Key.Columns == nil || len(v.Versions[0].Key.Columns) != 0 {
			t.Errorf("schema record %s: %v; want key origin none without columns", r.Value, err)
		}
	}
	if !found {
		t.Error("no version is stored")
	}
	// The stored version fits the table after a restart.
	p.stop()
	s.commit("INSERT INTO $t VALUES (7, NULL)")
	p = s.startKafka(b, keyless)
	p.settleKafka(b)
	if all := b.topic(topic); len(all) != 7 || summary(all[6]) != " c 0" {
		t.Errorf("%d records after the restart, want one more", len(all))
	}
}

// create makes a topic with a policy.
func (b *broker) create(topic string, partitions int32, policy string) {
	b.t.Helper()
	client := b.client()
	defer client.Close()
	if _, err := kadm.NewClient(client).CreateTopic(b.t.Context(), partitions, 1, map[string]*string{"cleanup.policy": &policy}, topic); err != nil {
		b.t.Fatal(err)
	}
}

// A broker refuses records without key for a compacted topic (INVALID_RECORD): that stops with what to do, and the position
// does not pass them.
func TestCompactedTopicThatRefusesKeylessRecordsIsATypedStop(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9), name VARCHAR2(20)")
	topic := "shop." + s.full("t")
	b.create(topic, 1, "compact")
	p := s.startKafka(b, keyless)
	fault := b.cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: topic, Err: kerr.InvalidRecord, Count: -1})
	s.commit("INSERT INTO $t VALUES (1, 'one')")
	stopped := p.stopped()
	refusal(t, stopped, 9003, topic)
	if !strings.Contains(stopped.Error(), "compact") {
		t.Errorf("%q does not speak of a compacted topic", stopped)
	}
	p.stop()
	fault.Remove()
	p = s.startKafka(b, keyless)
	p.settleKafka(b)
	if all := b.topic(topic); len(all) != 1 || summary(all[0]) != " c 0" {
		t.Errorf("%d records once the topic takes them, want 1", len(all))
	}
}

// R67 for rows that no key tells apart: what comes after a kill is exactly what was not acknowledged.
func TestR67KeylessTableIsContinuedBehindTheAcknowledgedEvent(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9)")
	with := fields{"key.missing": "none", "batching.count": 2}
	p := s.start(with)
	blocked := p.blockFrom(3)
	statements := []string{"INSERT INTO $t VALUES (1)", "INSERT INTO $t VALUES (1)", "INSERT INTO $t VALUES (2)"}
	s.commit(append(statements, "UPDATE $t SET id = 5 WHERE id = 1", "DELETE FROM $t WHERE id = 5", "INSERT INTO $t VALUES (1)")...)
	<-blocked
	got, _ := p.delivered()
	last := got[len(got)-1].event.Position.Sequence
	p.until("the position does not follow", func() bool { return s.stored().Sequence >= last })
	p.kill()
	want := []string{
		` c {"ID":1}`, ` c {"ID":1}`, ` c {"ID":2}`, ` u {"ID":1} -> {"ID":5}`, ` u {"ID":1} -> {"ID":5}`, ` d {"ID":5}`, ` d {"ID":5}`, ` c {"ID":1}`,
	}
	same(t, got, want[:len(got)]...)
	if len(got) == 0 || len(got) == len(want) {
		t.Fatalf("%d of %d were acknowledged: the kill is not in the middle", len(got), len(want))
	}
	same(t, s.start(with).settle(), want[len(got):]...)
}

// R93: a key that comes or goes is a version: rows from before it have the key that they had.
func TestKeyThatComesOrGoesIsFollowed(t *testing.T) {
	sideBySide(t)
	for name, c := range map[string]struct{ columns, ddl, row, behind string }{
		"a primary key comes":      {"id NUMBER(9), v NUMBER(9)", "ALTER TABLE $t ADD CONSTRAINT $t_pk PRIMARY KEY (id)", ` c {"ID":1,"V":1}`, `{"ID":2} c {"ID":2,"V":2}`},
		"a primary key goes":       {"id NUMBER(9), v NUMBER(9), CONSTRAINT $t_pk PRIMARY KEY (id)", "ALTER TABLE $t DROP CONSTRAINT $t_pk", `{"ID":1} c {"ID":1,"V":1}`, ` c {"ID":2,"V":2}`},
		"a unique index makes one": {"id NUMBER(9) NOT NULL, v NUMBER(9)", "CREATE UNIQUE INDEX $t_u ON $t (id)", ` c {"ID":1,"V":1}`, `{"ID":2} c {"ID":2,"V":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.table("t", s.text(c.columns))
			p := s.start(keyless)
			s.commit("INSERT INTO $t VALUES (1, 1)")
			same(t, p.settle(), c.row)
			s.exec(c.ddl)
			s.commit("INSERT INTO $t VALUES (2, 2)")
			same(t, p.settle(), c.row, c.behind)
		})
	}
}

// A stream that ran with none and is set back to fail says which table is in the way.
func TestKeylessTableIsRefusedWhereKeysAreAskedFor(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9)")
	stopped := s.refused(fields{"key.missing": "fail"}, 5003, s.full("t"))
	if !strings.Contains(stopped.Action(), "key.missing: none") {
		t.Errorf("%q does not say how to capture it", stopped)
	}
}

// A table without a key that is created while capture runs stops it. With the key that the message asks for, capture goes on at a restart:
// what the table held before is read, what commits afterwards is delivered, and nothing is missing.
func TestTableThatWasCreatedWithoutItsKeyIsCapturedOnceItHasOne(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.logAll()
	s.table("t", rowColumns)
	all := initially(fields{"include": s.include("t", "late", fenceTable)})
	p := s.startKafka(b, all)
	p.settleKafka(b)
	s.exec("CREATE TABLE $late (id NUMBER(9), name VARCHAR2(20))")
	s.commit("INSERT INTO $late VALUES (1, 'before the key')", "INSERT INTO $late VALUES (2, 'gone')")
	s.commit("INSERT INTO $t VALUES (1, 1, 'other')")
	refusal(t, p.stopped(), stop.Configuration, "ADD PRIMARY KEY")
	p.stop()
	s.commit("DELETE FROM $late WHERE id = 2")
	s.exec("ALTER TABLE $late ADD PRIMARY KEY (id)")
	p = s.startKafka(b, all)
	rows := func() map[string]string {
		out := map[string]string{}
		for _, r := range b.topic("shop." + s.full("late")) {
			if out[string(r.Key)] = string(r.Value); r.Value == nil {
				delete(out, string(r.Key))
			}
		}
		return out
	}
	p.until("the table is not read", func() bool { return strings.Contains(rows()[`{"ID":1}`], `"op":"r"`) })
	s.commit("INSERT INTO $late VALUES (3, 'behind')", "UPDATE $late SET name = 'changed' WHERE id = 1")
	p.settleKafka(b)
	got := rows()
	if len(got) != 2 || !strings.Contains(got[`{"ID":1}`], "changed") || !strings.Contains(got[`{"ID":3}`], "behind") {
		t.Errorf("%v", got)
	}
	created := 0
	for _, r := range b.topic("shop." + s.full("t")) {
		if strings.Contains(string(r.Value), `"op":"c"`) {
			created++
		}
	}
	if created != 1 {
		t.Errorf("%d inserts of the other table, want one", created)
	}
}
