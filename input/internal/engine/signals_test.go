package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/signal"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// signalTable has the columns of Debezium's, under names of its own.
func signalTable() *schema.Version {
	v := &schema.Version{
		Table: schema.Table{PDB: "PDB1", Owner: "OPS", Name: "SIGNALS"}, Container: pdb, Logging: schema.LoggingAll, ObjectIDs: []uint64{900},
		Key: schema.Key{Origin: schema.KeyNone},
	}
	for i, name := range []string{"ID", "KIND", "PAYLOAD"} {
		v.Columns = append(v.Columns, schema.Column{Name: name, SegmentID: i + 1, Nullable: true, Type: schema.Type{
			Kind: schema.Varchar2, Name: "VARCHAR2", Length: 2048, CharLength: 2048, Precision: schema.NoNumber, Scale: schema.NoNumber,
		}})
	}
	return v.Seal()
}

func ask(v *schema.Version, x position.XID, scn position.SCN, id, kind, data string) logminer.Row {
	if data = "'" + data + "'"; data == "''" {
		data = "NULL"
	}
	return of(v, row(x, scn, logminer.Insert), "AAASIG"+id, fmt.Sprintf(`insert into "OPS"."SIGNALS"("ID","KIND","PAYLOAD") values ('%s','%s',%s);`, id, kind, data))
}

// withSignals makes ops events messages, and the signal table one of the scene's.
func withSignals(s *scene) *schema.Version {
	v := signalTable()
	s.config.Signals.Table = v.Table
	s.config.KeyMissing = RefuseKeyless
	s.config.Selection = s.config.Selection.Beside(v.Table)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
	s.db.described = append(s.db.described, v)
	return v
}

// answers lists the events signal-ack and what became of transactions.
func (s *scene) answers() []string {
	s.t.Helper()
	var out []string
	for _, b := range s.batches {
		for i := range b.Events {
			if b.Events[i].Kind != change.Ops {
				continue
			}
			var ev struct {
				Type    string            `json:"type"`
				Details map[string]string `json:"details"`
			}
			if err := json.Unmarshal(b.Events[i].Value, &ev); err != nil {
				s.t.Fatal(err)
			}
			switch opsType(ev.Type) {
			case signalAckEvent:
				out = append(out, ev.Details["id"]+" "+ev.Details["channel"]+" "+ev.Details["status"])
			case transactionDiscardedEvent:
				out = append(out, "discarded "+ev.Details["transaction"]+" of "+ev.Details["changes"])
			}
		}
	}
	return out
}

func (s *scene) wantAnswers(want ...string) {
	s.t.Helper()
	if s.err != nil {
		s.t.Fatal(s.err)
	}
	if diff := cmp.Diff(want, s.answers()); diff != "" {
		s.t.Fatalf("answers (-want +got):\n%s", diff)
	}
}

// send puts a signal of the topic in front of a mining step.
func (s *scene) send(offset int64, id, kind, data string) {
	s.steps = append(s.steps, func() {
		one := signal.FromRow(id, kind, data)
		one.Channel, one.Offset = signal.Kafka, offset
		s.miner.signals.arrived <- signal.Delivery{Signal: one}
	})
}

// The rows of the signal table are acted on in their place, and are no records.
func TestRowsOfTheSignalTableAreHandledOnce(t *testing.T) {
	s := newScene(t)
	v := withSignals(s)
	s.config.BatchCount = 1
	s.step(
		insert(s.a, xid(1), 1001, 1, "before"), commit(xid(1), 1002),
		ask(v, xid(2), 1003, "s1", "log-state", ""), insert(s.a, xid(2), 1003, 2, "with"), ask(v, xid(2), 1003, "s2", "no-such", ""), commit(xid(2), 1004),
		ask(v, xid(3), 1005, "rolled back", "log-state", ""), rollback(xid(3), 1006),
		insert(s.a, xid(4), 1007, 3, "behind"), ask(v, xid(4), 1007, "s3", "log", `{"message":"here"}`), commit(xid(4), 1008),
	)
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >before", "2.1.7#0 c A/2 >with", "4.1.7#0 c A/3 >behind")
	s.wantAnswers("s1 table ok", "s2 table unknown", "s3 table ok")

	// The answers lie in front of the group that the rows are in: a restart inside it does not act again.
	s.play(s.after("1.1.7#0 c A/1 >before"))
	s.want("2.1.7#0 c A/2 >with", "4.1.7#0 c A/3 >behind")
	s.wantAnswers()
	s.play(s.beginning())
	s.wantAnswers("s1 table ok", "s2 table unknown", "s3 table ok")
}

// R20: a commit that reached the redo after the step that covered its SCN lies below signals that are handled, and is none of them.
func TestR20SignalOfALateCommitIsHandledOnce(t *testing.T) {
	s := newScene(t)
	v := withSignals(s)
	s.config.BatchCount = 1
	s.step(ask(v, xid(1), 1001, "late", "log-state", ""), ask(v, xid(2), 1002, "s1", "log-state", ""), commit(xid(2), 1008))
	s.step(commit(xid(1), 1004), insert(s.a, xid(3), 1010, 1, "with"), commit(xid(3), 1011), insert(s.a, xid(4), 1012, 2, "behind"), commit(xid(4), 1013))
	s.play(s.beginning())
	s.want("3.1.7#0 c A/1 >with", "4.1.7#0 c A/2 >behind")
	s.wantAnswers("s1 table ok", "late table ok")
	inside, last := s.after("3.1.7#0 c A/1 >with"), s.last()
	if got := inside.Signals.Commits; len(got) != 1 || got[0].SCN != 1004 {
		t.Errorf("inside the second group the position says %v", got)
	}
	s.play(inside)
	s.want("4.1.7#0 c A/2 >behind")
	s.wantAnswers()
	s.play(s.through(last))
	s.want()
	s.wantAnswers()
}

// R76: what went out before its group is not delivered again behind a restart; what else it asks for is the group's, and is done. The position
// forgets it with the group.
func TestR76WhatWentAheadIsNotDeliveredAgain(t *testing.T) {
	s := newScene(t)
	v := withSignals(s)
	s.config.BatchCount = 1
	s.step(insert(s.a, xid(1), 1001, 1, "before"), commit(xid(1), 1002))
	s.step(
		insert(s.a, xid(2), 1003, 2, "ahead"), ask(v, xid(2), 1003, "s1", "log-state", ""), commit(xid(2), 1004),
		insert(s.a, xid(3), 1005, 3, "behind"), commit(xid(3), 1006),
	)
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >before", "2.1.7#0 c A/2 >ahead", "3.1.7#0 c A/3 >behind")
	var ahead position.Key
	for _, b := range s.batches {
		for i := range b.Events {
			if tx := b.Events[i].Transaction; tx != nil && tx.Key.SCN == 1004 {
				ahead = tx.Key
			}
		}
	}
	for name, from := range map[string]*position.Position{"before both": s.beginning(), "inside the first group": s.after("1.1.7#0 c A/1 >before")} {
		from.Ahead = []position.Key{ahead}
		s.play(s.through(from))
		want := []string{"1.1.7#0 c A/1 >before", "3.1.7#0 c A/3 >behind"}
		if name != "before both" {
			want = want[1:]
		}
		s.want(want...)
		s.wantAnswers("s1 table ok")
		if left := s.last().Ahead; len(left) > 0 {
			t.Errorf("%s: the position still names %v", name, left)
		}
	}
}

func TestSignalTableThatIsIncludedHasRecordsToo(t *testing.T) {
	s := newScene(t)
	v := withSignals(s)
	v.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
	selection, err := naming.NewSelection([]string{"PDB1.OPS.SIGNALS"}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	s.config.Selection = selection.Beside(v.Table)
	s.step(ask(v, xid(1), 1001, "s1", "log-state", ""), commit(xid(1), 1002))
	s.play(s.beginning())
	s.want("1.1.7#0 c SIGNALS/s1 >log-state")
	s.wantAnswers("s1 table ok")
}

// What was handled of the topic is in the position with the answer.
func TestSignalOfTheTopicMovesThePosition(t *testing.T) {
	s := newScene(t)
	withSignals(s)
	s.send(4, "k1", "log-state", "")
	s.send(5, "k2", "execute-snapshot", `[]`)
	s.play(s.beginning())
	s.wantAnswers("k1 kafka ok", "k2 kafka invalid")
	for _, b := range s.batches {
		if s.batches[0] == b {
			continue
		}
		if len(b.Events) > 0 && bytes.Contains(b.Events[len(b.Events)-1].Value, []byte("signal-ack")) {
			if got := s.through(b.Position).Signals; got == nil || got.Offsets[0] < 5 {
				t.Errorf("an answer's position says %+v", got)
			}
		}
	}
	if got := s.through(s.last()).Signals.Offsets; got[0] != 6 {
		t.Errorf("the position says %v", got)
	}
}

func TestTransactionThatIsDroppedIsNotDelivered(t *testing.T) {
	s := newScene(t)
	withSignals(s)
	const id = "3:1.1.7"
	s.step(insert(s.a, xid(1), 1001, 1, "dropped"), insert(s.a, xid(2), 1002, 2, "kept"), commit(xid(9), 1003))
	s.send(0, "d1", "drop-transaction", `{"transaction-id":"1.1.7"}`)
	s.step(insert(s.a, xid(1), 1010, 3, "of the dropped one"), commit(xid(9), 1011))
	s.send(1, "d2", "drop-transaction", `{"transaction-id":"9.9.9"}`)
	s.send(2, "d3", "drop-transaction", `{"transaction-id":"nonsense"}`)
	s.play(s.beginning())
	s.want()
	s.wantAnswers("discarded "+id+" of 1", "d1 kafka ok", "d2 kafka rejected", "d3 kafka invalid")
	held := s.through(s.last())
	if len(held.Released) != 1 || held.Released[0].String() != id {
		t.Fatalf("the position says %v", held.Released)
	}
	if held.Resume.SCN >= 1002 {
		t.Fatalf("the other open transaction does not hold the position at %s", held.Resume.SCN)
	}

	// It is known over a restart, which mines its first row again; and is forgotten with its end.
	s.step(insert(s.a, xid(1), 1020, 4, "of the dropped one"), commit(xid(1), 1021), commit(xid(2), 1022))
	s.play(held)
	s.want("2.1.7#0 c A/2 >kept")
	if got := s.through(s.last()).Released; len(got) != 0 {
		t.Errorf("the position still says %v", got)
	}
}

// Its end may be in a group that is not acknowledged: until then the position knows it.
func TestDroppedTransactionIsKnownUntilItsGroupIsDone(t *testing.T) {
	s := newScene(t)
	withSignals(s)
	s.config.BatchCount = 1
	s.step(insert(s.a, xid(1), 1001, 1, "dropped"), commit(xid(9), 1003))
	s.send(0, "d1", "drop-transaction", `{"transaction-id":"0100010007000000"}`)
	s.step(insert(s.a, xid(2), 1010, 2, "x"), commit(xid(2), 1011), commit(xid(1), 1012), insert(s.a, xid(3), 1013, 3, "y"), commit(xid(3), 1014))
	s.play(s.beginning())
	s.want("2.1.7#0 c A/2 >x", "3.1.7#0 c A/3 >y")
	inside := s.after("2.1.7#0 c A/2 >x")
	if len(inside.Released) != 1 {
		t.Fatalf("inside the group the position says %v", inside.Released)
	}
	s.play(inside)
	s.want("3.1.7#0 c A/3 >y")
}

func TestLogSignalAndState(t *testing.T) {
	s := newScene(t)
	withSignals(s)
	var log bytes.Buffer
	s.config.Log = slog.New(slog.NewTextHandler(&log, nil))
	s.step(insert(s.a, xid(1), 1001, 1, "open"), commit(xid(9), 1002))
	s.send(7, "l1", "log", `{"message":"at {}"}`)
	s.send(8, "l2", "log-state", "")
	s.send(9, "l3", "refresh-tables", "")
	s.play(s.beginning())
	s.wantAnswers("l1 kafka ok", "l2 kafka ok", "l3 kafka ok")
	var complete, mined, safeEnd uint64
	at := strings.Index(log.String(), "complete_scn=")
	if _, err := fmt.Sscanf(log.String()[max(at, 0):], "complete_scn=%d mined_scn=%d safe_end_scn=%d", &complete, &mined, &safeEnd); err != nil || complete > mined || mined > safeEnd || mined < 1002 {
		t.Errorf("complete %d, mined %d, safe end %d: %v", complete, mined, safeEnd, err)
	}
	for _, want := range []string{`msg="at 0:7"`, "oldest_transaction=3:1.1.7", "open_transactions=1", "3 tables are captured, as the dictionary has them"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, log.String())
		}
	}
}

// A row of the signal table whose data cannot be read is answered, and does not ask for something else: stop-snapshot without data stops all.
func TestSignalRowThatCannotBeReadIsAnswered(t *testing.T) {
	v := signalTable()
	for name, data := range map[string]value.Value{"not in the redo": value.OfUnavailable(), "of another type": value.OfBytes("{}")} {
		s := rowOf(&transaction.Change{Version: v, After: []value.Value{value.OfText("1"), value.OfText("stop-snapshot"), data}})
		if command, answer := signal.Parse(&s); command != nil || answer == nil || answer.Status != signal.Invalid || s.ID != "1" {
			t.Errorf("%s: %+v is %+v, answered %+v", name, s, command, answer)
		}
	}
	s := rowOf(&transaction.Change{Version: v, After: []value.Value{value.OfText("1"), value.OfText("stop-snapshot"), value.OfNull()}})
	if command, _ := signal.Parse(&s); command == nil {
		t.Error("data that is null is refused")
	}
}

// A topic that was made again begins below what was handled: the position follows, or every restart would handle its signals again. One
// that is read on behind a fault of the broker begins behind signals that wait to be handled, which are not handled for that.
func TestPositionFollowsATopicThatWasMadeAgain(t *testing.T) {
	m := &miner{}
	m.signals.handled = m.signals.handled.PastRecord(0, 99)
	m.began(map[int32]int64{0: 0, 1: 7})
	m.signals.handled = m.signals.handled.PastRecord(0, 4)
	m.began(map[int32]int64{0: 9})
	if diff := cmp.Diff(map[int32]int64{0: 5, 1: 7}, m.signals.handled.Offsets); diff != "" {
		t.Errorf("offsets (-want +got):\n%s", diff)
	}
}

// A flood of signals leaves time for the stream.
func TestFloodOfSignalsIsTakenInTurns(t *testing.T) {
	s := newScene(t)
	m := &miner{config: s.config, signals: newSignals()}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case m.signals.arrived <- signal.Delivery{Signal: signal.FromRow("1", "no-such", "")}:
			case <-ctx.Done():
				return
			}
		}
	}()
	obeyed := make(chan error, 1)
	go func() { obeyed <- m.obey(ctx) }()
	select {
	case err := <-obeyed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it does not come to an end")
	}
	cancel()
	<-done
}

// Conditions are in every position: requests whose texts would make it too long for a broker are refused.
func TestConditionsOfRequestsAreBounded(t *testing.T) {
	s := newScene(t)
	withSignals(s)
	condition := strings.Repeat("x", maxConditions/3)
	s.steps = append(s.steps, func() {
		for i, id := range []string{"c1", "c2", "c3", "c4"} {
			one := signal.FromRow(id, "execute-snapshot", `{"data-collections":["PDB1\\.APP\\.A"],"additional-conditions":[{"data-collection":".*","filter":"`+condition+`"}]}`)
			one.Channel, one.Offset = signal.Kafka, int64(i)
			s.miner.signals.arrived <- signal.Delivery{Signal: one}
		}
	})
	s.play(s.beginning())
	s.wantAnswers("c1 kafka ok", "c2 kafka ok", "c3 kafka ok", "c4 kafka rejected")
}

// What tells consumers of a DDL has no version, and is no row of the signal table; nor are DDL on that table told of.
func TestSchemaChangesPassTheSignalTable(t *testing.T) {
	s := newScene(t)
	v := withSignals(s)
	s.config.SchemaChanges = true
	s.step(
		ddl(s.a, xid(1), 1001, "truncate table A"), commit(xid(1), 1002),
		ask(v, xid(2), 1003, "s1", "log-state", ""), commit(xid(2), 1004),
		ddl(v, xid(3), 1005, "truncate table OPS.SIGNALS"), commit(xid(3), 1006),
	)
	s.play(s.beginning())
	s.wantAnswers("s1 table ok")
	var told []string
	for _, b := range s.batches {
		for i := range b.Events {
			if b.Events[i].Kind == change.SchemaChange {
				told = append(told, string(b.Events[i].Value))
			}
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], "truncate table A") {
		t.Errorf("schema changes: %q", told)
	}
}

// What a step delivers is not lost where the database fails while a signal of that step is acted on.
func TestRowsAroundASignalThatTheDatabaseFailsAreDelivered(t *testing.T) {
	s := newScene(t)
	v := withSignals(s)
	s.step(
		insert(s.a, xid(1), 1001, 1, "before"), commit(xid(1), 1002),
		insert(s.a, xid(2), 1003, 2, "with"), ask(v, xid(2), 1003, "s1", "refresh-tables", ""), commit(xid(2), 1004),
		insert(s.a, xid(3), 1005, 3, "behind"), ask(v, xid(3), 1005, "s2", "log-state", ""), commit(xid(3), 1006),
	)
	failed := false
	s.db.enter = func(_ context.Context, what string) error {
		if what != "describe" || failed || s.miner.boundary.SCN < 1006 {
			return nil
		}
		failed = true
		return s.db.failure
	}
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >before", "2.1.7#0 c A/2 >with", "3.1.7#0 c A/3 >behind")
	s.wantAnswers("s1 table failed", "s2 table ok")
	if !failed || s.seen.retried == 0 {
		t.Error("the database did not fail")
	}
}
