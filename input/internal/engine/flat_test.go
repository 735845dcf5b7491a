package engine

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// An insert, an update, a delete and a change of the key without the envelope, in every form of deletes: one record a delete or none, and
// no tombstone behind a rewritten one.
func TestFlatRecordsByTheFormOfDeletes(t *testing.T) {
	const gone = `,"__deleted":"true"}`
	for deletes, want := range map[debezium.Deletes][]string{
		debezium.DeleteTombstone: {
			`0/5 change {"ID":1} {"ID":1,"V":"a"}`, `1/5 change {"ID":1} {"ID":1,"V":"b"}`,
			`2/5 tombstone {"ID":1} nil`, `2/5 change {"ID":2} {"ID":2,"V":"b"}`,
			`3/5 tombstone {"ID":2} nil`, `4/5 change {"ID":3} {"ID":3,"V":"c"}`,
		},
		debezium.DeleteDropped: {
			`0/4 change {"ID":1} {"ID":1,"V":"a"}`, `1/4 change {"ID":1} {"ID":1,"V":"b"}`, `2/4 change {"ID":2} {"ID":2,"V":"b"}`,
			`3/4 change {"ID":3} {"ID":3,"V":"c"}`,
		},
		debezium.DeleteRewritten: {
			`0/5 change {"ID":1} {"ID":1,"V":"a","__deleted":"false"}`, `1/5 change {"ID":1} {"ID":1,"V":"b","__deleted":"false"}`,
			`2/5 change {"ID":1} {"ID":1,"V":"b"` + gone, `2/5 change {"ID":2} {"ID":2,"V":"b","__deleted":"false"}`,
			`3/5 change {"ID":2} {"ID":2,"V":"b"` + gone, `4/5 change {"ID":3} {"ID":3,"V":"c","__deleted":"false"}`,
		},
	} {
		for _, profile := range []*debezium.Profile{debezium.CDC(), debezium.Debezium()} {
			s := newScene(t)
			s.config.Records = debezium.Settings{Profile: profile, Server: "shop", Tombstones: true, Flat: &debezium.Flat{Deletes: deletes}}
			s.step(
				insert(s.a, xid(1), 1001, 1, "a"), update(s.a, xid(1), 1002, image{1, "a"}, image{1, "b"}),
				update(s.a, xid(1), 1003, image{1, "b"}, image{2, "b"}), remove(s.a, xid(1), 1004, image{2, "b"}),
				insert(s.a, xid(1), 1005, 3, "c"), commit(xid(1), 1006),
			)
			s.play(s.beginning())
			if s.err != nil {
				t.Fatal(s.err)
			}
			if diff := cmp.Diff(want, s.records()); diff != "" {
				t.Errorf("%s, %s: %s", profile.Name, deletes, diff)
			}
			if p := s.last(); p.Done.SCN < 1006 || p.Group != nil {
				t.Errorf("the position stays at %+v", p)
			}
		}
	}
}

// A transaction that only deletes has no record with deletes dropped, no empty batch either, and the position passes it.
func TestTransactionOfDroppedDeletesMovesThePosition(t *testing.T) {
	s := newScene(t)
	s.config.Records = debezium.Settings{Profile: debezium.CDC(), Server: "shop", Tombstones: true, Flat: &debezium.Flat{Deletes: debezium.DeleteDropped}}
	s.step(remove(s.a, xid(1), 1001, image{1, "a"}), commit(xid(1), 1002))
	taken := remove(s.a, xid(2), 1012, image{1, "b"})
	s.step(insert(s.a, xid(2), 1011, 1, "b"), taken, undone(taken, 1013), commit(xid(2), 1014))
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	if diff := cmp.Diff([]string{`0/1 change {"ID":1} {"ID":1,"V":"b"}`}, s.records()); diff != "" {
		t.Error(diff)
	}
	if p := s.last(); p.Done.SCN < 1014 || p.Group != nil {
		t.Errorf("the position stays at %+v", p)
	}
}

// R67: what the count leaves out stays in the digest of positions when a table is added.
func TestR67TableThatIsAddedLeavesTheCountOfDroppedDeletesInTheDigest(t *testing.T) {
	s := newScene(t)
	s.config.Records = debezium.Settings{Profile: debezium.CDC(), Server: "shop", Tombstones: true, Flat: &debezium.Flat{Deletes: debezium.DeleteDropped}}
	fresh := table("C", 103)
	s.steps = append(s.steps, func() {
		s.db.described = append(s.db.described, fresh)
		for _, r := range []logminer.Row{
			of(fresh, row(xid(1), 1010, logminer.DDL), "", "create table C (ID number, V varchar2(10))"), commit(xid(1), 1011),
			insert(fresh, xid(2), 1012, 1, "a"), remove(fresh, xid(2), 1013, image{1, "a"}), commit(xid(2), 1014),
		} {
			s.db.flush(r, false)
		}
		s.db.now = 1014
	})
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	if diff := cmp.Diff([]string{`0/1 change {"ID":1} {"ID":1,"V":"a"}`}, s.records()); diff != "" {
		t.Error(diff)
	}
	want := newTables(0)
	want.undeleting = true
	for _, v := range s.db.described {
		want.add(v, false)
	}
	if got := s.last().Settings; got != want.digest() {
		t.Errorf("digest %s, want %s", got, want.digest())
	}
}

// A table without a key is refused before its first row where deletes are tombstones.
func TestFlatTombstonesOfATableWithoutAKeyAreRefused(t *testing.T) {
	s := newScene(t)
	s.config.Records = debezium.Settings{Profile: debezium.Debezium(), Server: "shop", Tombstones: true, Flat: &debezium.Flat{Deletes: debezium.DeleteTombstone}}
	v := table("A", 101)
	v.Key.Origin, v.Key.Columns = "none", nil
	err := NewRecords(s.config.Records, naming.NewTopics(s.config.Template, "shop", "FREE")).Prepare(v)
	if fault, ok := stop.As(err); !ok || fault.Code != stop.Configuration {
		t.Errorf("%v, want CDC-5003", err)
	}
}

// records are the changes delivered: index and count in the transaction, kind, key, value.
func (s *scene) records() []string {
	var out []string
	for _, b := range s.batches {
		for i := range b.Events {
			ev := &b.Events[i]
			if ev.Kind != change.Change && ev.Kind != change.Tombstone {
				continue
			}
			text := string(ev.Value)
			if ev.Value == nil {
				text = "nil"
			}
			out = append(out, fmt.Sprintf("%d/%d %s %s %s", ev.Index, ev.Transaction.Count, ev.Kind, ev.Key, text))
		}
	}
	return out
}
