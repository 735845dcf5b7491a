package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// told is a scene whose ops events are messages.
func told(t *testing.T) *scene {
	s := newScene(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
	return s
}

// inShort lists what was delivered, ops events and dead letters by what they are about.
func (s *scene) inShort() []string {
	var out []string
	for _, b := range s.batches {
		for i := range b.Events {
			ev := &b.Events[i]
			var r struct {
				Type, Kind, Table, XID, Code string
				Details                      map[string]string
			}
			switch ev.Kind {
			case change.Ops:
				if err := json.Unmarshal(ev.Value, &r); err != nil {
					s.t.Fatalf("%v: %s", err, ev.Value)
				}
				out = append(out, fmt.Sprintf("%s %s %s", ev.Topic, r.Type, r.Details["table"]+r.Details["code"]))
			case change.DeadLetter:
				if err := json.Unmarshal(ev.Value, &r); err != nil {
					s.t.Fatalf("%v: %s", err, ev.Value)
				}
				out = append(out, fmt.Sprintf("%s %s %s#%d of %d %s %s", ev.Topic, r.Kind, r.XID, ev.Index, ev.Transaction.Count, r.Table, r.Code))
			default:
				if e, ok := text(ev); ok {
					out = append(out, e)
				}
			}
		}
	}
	return out
}

// R22, R73: at commit, in the place of the record: same transaction, same index, order kept.
func TestR22DeadLetterStandsInThePlaceOfItsRecord(t *testing.T) {
	s := told(t)
	s.config.DeadLetters = true
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"),
		of(s.a, row(xid(1), 1002, logminer.Insert), "AAAID2", `insert into "APP"."A"("ID","V") values ('no number','hush');`),
		unsupported(s.b, xid(1), 1003),
		insert(s.a, xid(1), 1004, 3, "b"), commit(xid(1), 1005),
	)
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	want := []string{
		"shop.cdc.ops startup ", "1.1.7#0 c A/1 >a",
		"shop.cdc.dlq decode-error 1.1.7#1 of 4 PDB1.APP.A CDC-3001", "shop.cdc.ops decode-error-dlq PDB1.APP.ACDC-3001",
		"shop.cdc.dlq unsupported-row 1.1.7#2 of 4 PDB1.APP.B CDC-3001", "shop.cdc.ops unsupported-row PDB1.APP.BCDC-3001",
		"1.1.7#3 c A/3 >b",
	}
	if diff := cmp.Diff(want, s.inShort()); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if s.seen.buried != 2 {
		t.Errorf("%d dead letters counted", s.seen.buried)
	}
	if p := s.last(); p.Done.SCN < 1005 || p.Group != nil {
		t.Errorf("the position stays at %+v", p)
	}
}

// Contracts 5: the record and its key, to the byte.
func TestDeadLetterHasTheRecordAndKeyOfTheContract(t *testing.T) {
	s := told(t)
	s.config.DeadLetters = true
	bad := of(s.a, row(xid(1), 1002, logminer.Insert), "AAAID2", `insert into "APP"."A"("ID","V") values ('<n>','hush');`)
	bad.Info, bad.SSN = "info", 7
	s.step(bad, commit(xid(1), 1005))
	s.play(s.beginning())
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if ev.Kind != change.DeadLetter {
				continue
			}
			got, _, _ := strings.Cut(string(ev.Value), `,"error":"`)
			want := `{"v":1,"kind":"decode-error","table":"PDB1.APP.A","scn":"1002","rs_id":"` + string(ev.Address.AppendRSID(nil)) +
				`","ssn":7,"thread":1,"xid":"1.1.7","operation":"insert","status":0,"info":"info","sql_redo":"insert into \"APP\".\"A\"(\"ID\",\"V\") values ('<n>','hush');"`
			if got != want || string(ev.Key) != `{"server":"shop","xid":"1.1.7"}` || !strings.HasSuffix(string(ev.Value), `,"code":"CDC-3001"}`) {
				t.Errorf("key %s, value %s\nwant %s", ev.Key, ev.Value, want)
			}
			if _, after, _ := strings.Cut(string(ev.Value), `,"error":"`); strings.Contains(after, "hush") {
				t.Errorf("the error quotes the row: %s", after)
			}
			return
		}
	}
	t.Fatalf("no dead letter: %v", s.err)
}

// Seed 001: the text is withheld of a table that columns.exclude may match.
func TestDeadLetterOfATableWithExcludedColumnsIsWithheld(t *testing.T) {
	s := secretScene(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
	s.config.DeadLetters, s.config.LogRowValues = true, true
	s.step(of(s.a, row(xid(1), 1002, logminer.Insert), "AAAID2", `insert into "APP"."A"("ID","V","SECRET") values ('hush','hush','hush');`), commit(xid(1), 1005))
	s.play(s.beginning())
	found := false
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if strings.Contains(string(ev.Value), "hush") {
				t.Errorf("%s", ev.Value)
			}
			found = found || ev.Kind == change.DeadLetter && strings.Contains(string(ev.Value), `"sql_redo":"<withheld: columns.exclude may match this table>"`)
		}
	}
	if !found {
		t.Errorf("no dead letter, %v", s.err)
	}
}

// A rolled back or undone row is no dead letter; R114: the undo takes the row that nobody can read, and nothing else.
func TestR114UndoneRowThatCannotBeReadIsNoDeadLetter(t *testing.T) {
	s := told(t)
	s.config.DeadLetters = true
	bad := unsupported(s.a, xid(1), 1002)
	s.step(insert(s.a, xid(1), 1001, 1, "a"), bad, undone(bad, 1003), commit(xid(1), 1004), unsupported(s.a, xid(2), 1005), rollback(xid(2), 1006))
	s.play(s.beginning())
	if diff := cmp.Diff([]string{"shop.cdc.ops startup ", "1.1.7#0 c A/1 >a"}, s.inShort()); diff != "" || s.err != nil {
		t.Fatalf("%v (-want +got):\n%s", s.err, diff)
	}
}

// What is about more than one row stops all the same, and the stop is told of behind everything before it.
func TestDeadLettersDoNotCoverCorruptionNorLoggingNorOrder(t *testing.T) {
	for name, c := range map[string]struct {
		rows func(s *scene) []logminer.Row
		code stop.Code
	}{
		"undo without its change": {func(s *scene) []logminer.Row { return []logminer.Row{undone(insert(s.a, xid(2), 1005, 9, "x"), 1005)} }, stop.UndoUnmatched},
		"missing logging": {func(s *scene) []logminer.Row {
			r := insert(s.a, xid(2), 1005, 9, "x")
			r.Status = 3
			return []logminer.Row{r}
		}, stop.Configuration},
		"no dictionary": {func(s *scene) []logminer.Row {
			return []logminer.Row{of(s.a, row(xid(2), 1005, logminer.Insert), "AAA", `insert into "UNKNOWN"."OBJ# 101"("COL 1","COL 2") values (HEXTORAW('c102'),HEXTORAW('61'));`)}
		}, stop.NoDictionary},
	} {
		t.Run(name, func(t *testing.T) {
			s := told(t)
			s.config.DeadLetters = true
			s.step(append(append([]logminer.Row{insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002)}, c.rows(s)...), commit(xid(2), 1009))...)
			s.play(s.beginning())
			if !stop.Is(s.err, c.code) {
				t.Fatalf("%v, want CDC-%d", s.err, c.code)
			}
			want := []string{"shop.cdc.ops startup ", "1.1.7#0 c A/1 >a", fmt.Sprintf("shop.cdc.ops stop CDC-%d", c.code)}
			if diff := cmp.Diff(want, s.inShort()); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			if p := s.last(); p.Done.SCN >= 1009 {
				t.Errorf("the position passes the fault: %+v", p)
			}
		})
	}
}

// Contracts 2: dead letters need an output that knows their topic.
func TestDeadLettersNeedAnOutputThatKnowsTheirTopic(t *testing.T) {
	s := newScene(t)
	s.config.DeadLetters = true
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Configuration) || !strings.Contains(s.err.Error(), "emit.ops") {
		t.Fatalf("%v, want CDC-5003 that names emit.ops", s.err)
	}
}

// Contracts 5: the record of an ops event.
func TestOpsEventHasTheRecordOfTheContract(t *testing.T) {
	ev := opsEvent{kind: ddlSeenEvent, details: []detail{{"table", `P."A<b>".T`}, {"scn", "12"}}}
	want := `{"v":1,"type":"ddl-seen","ts_ms":5,"server":"shop","position_scn":"77","details":{"table":"P.\"A<b>\".T","scn":"12"}}`
	if got := string(ev.encode("shop", 5, 77)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	known := map[string]bool{}
	for _, o := range OpsTypes() {
		known[o.Name] = true
	}
	for _, k := range []opsType{startupEvent, stopEvent, ddlSeenEvent, reconnectedEvent, unsupportedRowEvent, decodeErrorEvent, tableAddedEvent} {
		if !known[string(k)] {
			t.Errorf("%s is not in the table", k)
		}
	}
}
