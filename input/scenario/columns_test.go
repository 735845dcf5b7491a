package scenario_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
)

// everything is all that the broker holds: keys, values and headers of every topic.
func (b *broker) everything() []byte {
	b.t.Helper()
	client := b.client()
	defer client.Close()
	topics, err := kadm.NewClient(client).ListTopics(context.Background())
	if err != nil {
		b.t.Fatal(err)
	}
	var all bytes.Buffer
	for _, name := range topics.Names() {
		for _, r := range b.topic(name) {
			fmt.Fprintf(&all, "%s %s %s %s\n", name, r.Key, r.Value, headers(r))
		}
	}
	return all.Bytes()
}

// Seed 001: the value of an excluded column is nowhere: in no record, header or log, not in an error either, whatever log_row_values
// says. Without the exclusion it is there, so the search can fail.
func TestExcludedColumnIsNowhere(t *testing.T) {
	sideBySide(t)
	for name, excluded := range map[string]bool{"excluded": true, "not excluded": false} {
		t.Run(name, func(t *testing.T) {
			s, b := begin(t), newBroker(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, ni_number VARCHAR2(40), name VARCHAR2(20), pin NUMBER(9), at DATE")
			change := fields{"log_row_values": true, "batching.count": 2}
			if excluded {
				change["columns.exclude"] = []string{strings.ReplaceAll(s.full("t"), ".", `\.`) + `\.(NI_NUMBER|PIN)`}
			}
			p := s.startKafka(b, change)
			s.commit("INSERT INTO $t VALUES (1, 'hush-one', 'Anne', 424242, NULL)")
			s.commit("UPDATE $t SET ni_number = 'hush-two', pin = 434343", "UPDATE $t SET name = 'Anna'", "UPDATE $t SET id = 2")
			tx := s.begin()
			tx.exec("UPDATE $t SET ni_number = 'hush-three'")
			tx.rollback()
			s.commit("DELETE FROM $t")
			p.settleKafka(b)
			p.stop()
			found := string(b.everything()) + p.log.text()
			for _, value := range []string{"hush", "424242", "434343", "NI_NUMBER\":\"", "PIN\":"} {
				if at := strings.Index(found, value); at >= 0 == excluded {
					t.Errorf("%s found: %v (%.200s)", value, at >= 0, found[max(0, at-100):])
				}
			}
			if !strings.Contains(found, `"NAME":"Anna"`) {
				t.Error("the other columns are not there")
			}
		})
	}
}

func TestIncludedColumnsAndTheKeyAreAllThatRecordsHave(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, a VARCHAR2(40), b VARCHAR2(20)")
	p := s.start(fields{"columns.include": []string{strings.ReplaceAll(s.full("t"), ".", `\.`) + `\.B`}})
	s.commit("INSERT INTO $t VALUES (1, 'a', 'b')", "UPDATE $t SET a = 'c'", "DELETE FROM $t")
	same(t, p.settle(), `{"ID":1} c {"ID":1,"B":"b"}`, `{"ID":1} u {"ID":1,"B":"b"} -> {"ID":1,"B":"b"}`, `{"ID":1} d {"ID":1,"B":"b"}`, `{"ID":1} tombstone`)
}

// Seed 001: a column of the record key cannot be excluded.
func TestExcludedKeyColumnIsATypedStop(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) NOT NULL, b VARCHAR2(20)")
	s.exec("CREATE UNIQUE INDEX $t_u ON $t (id)")
	s.refused(fields{"columns.exclude": []string{`.*\.T\.ID`, strings.ReplaceAll(s.full("t"), ".", `\.`) + `\.ID`}}, 3001, s.full("t")+".ID")
}

// R114, R115 on a database: the undo of an update of an excluded column takes nothing else back.
func TestR115RollbackToASavepointBehindAnExcludedColumnsUpdate(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, a VARCHAR2(40), secret VARCHAR2(20)")
	p := s.start(fields{"columns.exclude": []string{`.*\.SECRET`}})
	s.commit("INSERT INTO $t VALUES (1, 'a', 's')")
	tx := s.begin()
	tx.exec("UPDATE $t SET a = 'b'")
	tx.exec("SAVEPOINT here")
	tx.exec("UPDATE $t SET secret = 'x'")
	tx.exec("ROLLBACK TO SAVEPOINT here")
	tx.commit()
	same(t, p.settle(), `{"ID":1} c {"ID":1,"A":"a"}`, `{"ID":1} u {"ID":1,"A":"a"} -> {"ID":1,"A":"b"}`)
}

// key.columns: in the listed order, before the primary key.
func TestKeyOfTheConfiguration(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, a VARCHAR2(9), b NUMBER(9)")
	p := s.startKafka(b, fields{"key.columns": map[string]any{s.db.Owner() + "." + s.db.Table("t"): []string{"B", "A"}}})
	s.commit("INSERT INTO $t VALUES (1, 'a', 5)", "UPDATE $t SET id = 2", "UPDATE $t SET a = 'x'")
	p.settleKafka(b)
	var got []string
	for _, r := range b.topic("shop." + s.full("t")) {
		got = append(got, summary(r))
	}
	slices.Sort(got) // keys may lie in several partitions
	want := []string{`{"B":5,"A":"a"} c 0`, `{"B":5,"A":"a"} d 2`, `{"B":5,"A":"a"} null 2`, `{"B":5,"A":"a"} u 1`, `{"B":5,"A":"x"} c 2`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("topic (-want +got):\n%s", diff)
	}
	if stored := string(b.everything()); !strings.Contains(stored, `"key":{"origin":"config","columns":["B","A"]}`) {
		t.Error("the stored version does not say where the key comes from")
	}
}

func TestROWIDKeys(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9), a VARCHAR2(9)")
	p := s.start(fields{"key.missing": "rowid"})
	s.commit("INSERT INTO $t VALUES (1, 'a')", "INSERT INTO $t VALUES (1, 'a')", "UPDATE $t SET a = 'x' WHERE ROWNUM = 1", "DELETE FROM $t WHERE a = 'a'")
	got := p.settle()
	one, two := got[0].event.RowID, got[1].event.RowID
	if one == two || len(one) != 18 {
		t.Fatalf("ROWIDs %q and %q", one, two)
	}
	one, two = fmt.Sprintf(`{"ROWID":%q}`, one), fmt.Sprintf(`{"ROWID":%q}`, two)
	same(t, got,
		one+` c {"ID":1,"A":"a"}`, two+` c {"ID":1,"A":"a"}`, one+` u {"ID":1,"A":"a"} -> {"ID":1,"A":"x"}`,
		two+` d {"ID":1,"A":"a"}`, two+` tombstone`)
}

// Reference debezium-format 11.1: BEGIN and END on a topic of their own.
func TestTransactionsAreAnnounced(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.startKafka(b, fields{"emit.transactions": true})
	s.commit("INSERT INTO $t VALUES (1)", "INSERT INTO $t VALUES (2)")
	p.settleKafka(b)
	id := header(b.topic("shop." + s.full("t"))[0], "cdc.xid")
	var got []string
	for _, r := range b.topic("shop.cdc.transactions") {
		if string(r.Key) == fmt.Sprintf(`{"id":%q}`, id) {
			value, _, _ := strings.Cut(string(r.Value), `,"ts_ms":`)
			got = append(got, value+" "+headers(r))
		}
	}
	want := []string{
		`{"status":"BEGIN","id":"` + id + `","event_count":null,"data_collections":null `,
		`{"status":"END","id":"` + id + `","event_count":2,"data_collections":[{"data_collection":"` + s.full("t") + `","event_count":2}] `,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("topic (-want +got):\n%s", diff)
	}
}
