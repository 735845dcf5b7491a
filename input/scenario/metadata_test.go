package scenario_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

func everyMetadatum() []string {
	return []string{
		"kafka_topic", "kafka_key", "message_type", "operation", "pdb_name", "database_schema", "table_name", "scn", "commit_scn",
		"transaction_id", "event_index", "event_count", "schema_version", "source_ts_ms", "commit_ts_ms", "snapshot", "tombstone",
	}
}

// Contracts 3.
func TestMetadataOfEveryKindOfMessage(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(fields{"metadata": everyMetadatum()})
	s.commit("INSERT INTO $t VALUES (1)", "UPDATE $t SET id = 1", "UPDATE $t SET id = 2", "DELETE FROM $t")
	got := p.settle()
	if len(got) != 7 {
		t.Fatalf("%d messages", len(got))
	}
	for i, c := range []struct {
		operation, kind, key string
		index                int
	}{
		{"insert", "change", `{"ID":1}`, 0},
		{"update", "change", `{"ID":1}`, 1},
		{"delete", "change", `{"ID":1}`, 2},
		{"delete", "tombstone", `{"ID":1}`, 2},
		{"insert", "change", `{"ID":2}`, 2},
		{"delete", "change", `{"ID":2}`, 3},
		{"delete", "tombstone", `{"ID":2}`, 3},
	} {
		ev := got[i].event
		want := map[string]any{
			"kafka_topic": "shop." + s.full("t"), "kafka_key": c.key, "message_type": c.kind, "operation": c.operation,
			"pdb_name": s.db.PDB(), "database_schema": s.db.Owner(), "table_name": s.db.Table("t"),
			"scn": ev.SCN.String(), "commit_scn": ev.Transaction.Key.SCN.String(), "transaction_id": ev.Transaction.ID.String(),
			"event_index": int64(c.index), "event_count": int64(4), "schema_version": int64(1),
			"source_ts_ms": ev.Millis, "commit_ts_ms": ev.Transaction.CommitMillis, "snapshot": false,
		}
		if c.kind == "tombstone" {
			want["tombstone"] = true
			if len(got[i].value) != 0 {
				t.Errorf("a tombstone has the content %s", got[i].value)
			}
		}
		if diff := cmp.Diff(want, got[i].metadata); diff != "" {
			t.Errorf("message %d (-want +got):\n%s", i, diff)
		}
		if ev.Millis == 0 || ev.Transaction.CommitMillis < ev.Millis {
			t.Errorf("message %d was made at %d, committed at %d", i, ev.Millis, ev.Transaction.CommitMillis)
		}
	}
}

func TestMetadataIsWhatWasChosenAndTombstonesAreMarked(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (1)", "DELETE FROM $t")
	got := p.settle()
	if len(got) != 3 {
		t.Fatalf("%d messages", len(got))
	}
	common := map[string]any{
		"kafka_topic": "shop." + s.full("t"), "kafka_key": `{"ID":1}`, "database_schema": s.db.Owner(), "table_name": s.db.Table("t"),
	}
	for i, operation := range []string{"insert", "delete", "delete"} {
		want := map[string]any{"operation": operation}
		for k, v := range common {
			want[k] = v
		}
		if i == 2 {
			want["tombstone"] = true
		}
		if diff := cmp.Diff(want, got[i].metadata); diff != "" {
			t.Errorf("message %d (-want +got):\n%s", i, diff)
		}
	}
}

func TestTopicTemplateNamesTheTopics(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(fields{"topics.template": "cdc-{schema}-{table}", "topic_prefix": "my-shop"})
	s.commit("INSERT INTO $t VALUES (1)")
	got := p.settle()
	if want := "cdc-" + s.db.Owner() + "-" + s.db.Table("t"); len(got) != 1 || got[0].event.Topic != want || got[0].metadata["kafka_topic"] != want {
		t.Errorf("%+v", got)
	}
}

// R122: a heartbeat carries the position and counts when it is acknowledged; its SCN is never above a commit still to come.
func TestR122HeartbeatsMoveThePositionWhenTheyAreAcknowledged(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.launch(fields{
		"emit.heartbeats": "always", "emit.heartbeat_interval": "1ms", "metadata": everyMetadatum(), "position.interval": "1ms",
	})
	refused, beats := 0, 0
	p.judgeBy(func(_ context.Context, _ int, batch []message) error {
		for i := range batch {
			ev := batch[i].event
			if ev.Kind != change.Heartbeat {
				continue
			}
			if beats++; beats%3 != 0 {
				continue
			}
			refused++
			if now := s.stored(); now.Sequence >= ev.Position.Sequence {
				t.Errorf("position %d is stored, its heartbeat %d is not acknowledged", now.Sequence, ev.Position.Sequence)
			}
			return errors.New("no")
		}
		return nil
	})
	p.awaitCapture()
	first := s.stored()
	for i := range 10 {
		oneByOne(s, i, i+1, 2)
		p.settle()
	}
	p.until("the position does not follow", func() bool { return s.stored().Done.SCN > first.Done.SCN })
	got := p.when("heartbeats", func(got []message) bool {
		n := 0
		for i := range got {
			if got[i].event.Kind == change.Heartbeat {
				n++
			}
		}
		return n >= 5
	})
	var frontier position.SCN
	seen := 0
	delivered := map[string]bool{}
	for i := range got {
		ev := got[i].event
		if ev.Transaction != nil {
			// What was acknowledged so late that a refusal was faster may come again.
			id := identities(got[i : i+1])[0]
			if delivered[id] {
				continue
			}
			delivered[id] = true
		}
		switch {
		case ev.Kind == change.Heartbeat:
			seen++
			frontier = ev.SCN
			checkHeartbeat(t, &got[i])
		case ev.Transaction.Key.SCN <= frontier:
			t.Errorf("commit SCN %d follows a heartbeat at %d", ev.Transaction.Key.SCN, frontier)
		}
	}
	if seen < 5 || refused == 0 {
		t.Errorf("%d heartbeats, %d refused", seen, refused)
	}
}

func checkHeartbeat(t *testing.T, m *message) {
	t.Helper()
	want := map[string]any{
		"kafka_topic": "shop.cdc.heartbeat", "kafka_key": `{"serverName":"shop"}`, "message_type": "heartbeat",
		"scn": m.event.SCN.String(), "source_ts_ms": m.event.Millis,
	}
	if diff := cmp.Diff(want, m.metadata); diff != "" {
		t.Errorf("heartbeat (-want +got):\n%s", diff)
	}
	if want := fmt.Sprintf(`{"ts_ms":%d}`, m.event.Millis); string(m.value) != want {
		t.Errorf("value %s, want %s", m.value, want)
	}
}

// With key logging only, what the redo does not hold is null; the key is always there.
func TestPartialImagesArePublishedWhenTheyAreAccepted(t *testing.T) {
	s := begin(t)
	s.exec("CREATE TABLE $t (id NUMBER(9) PRIMARY KEY, a NUMBER(4), b NUMBER(4))")
	s.exec("ALTER TABLE $t ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY) COLUMNS")
	s.tables = append(s.tables, "t")
	p := s.start(fields{"supplemental_logging": "key"})
	s.commit("INSERT INTO $t VALUES (1, 2, 3)", "UPDATE $t SET a = 4", "DELETE FROM $t")
	same(t, p.settle(),
		`{"ID":1} c {"ID":1,"A":2,"B":3}`,
		`{"ID":1} u {"ID":1,"A":2,"B":null} -> {"ID":1,"A":4,"B":null}`,
		`{"ID":1} d {"ID":1,"A":4,"B":3}`,
		`{"ID":1} tombstone`,
	)
}

// The numbers of records are JSON numbers without exponent and fraction, so that no consumer loses digits.
func TestRecordsAreJSONThatEveryParserReads(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(18) PRIMARY KEY, name VARCHAR2(100)")
	p := s.start(nil)
	s.exec("INSERT INTO $t VALUES (123456789012345678, :1)", "any \x00? no: \x7f \u2028 \ufeff end")
	for _, m := range p.settle() {
		var v map[string]any
		if err := json.Unmarshal(m.value, &v); err != nil {
			t.Errorf("%v: %s", err, m.value)
		}
		if string(m.event.Key) != `{"ID":123456789012345678}` {
			t.Errorf("key %s", m.event.Key)
		}
	}
}
