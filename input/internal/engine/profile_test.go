package engine

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// A change of the key in profile debezium (reference debezium-format 10): delete and its tombstone have the new key as a header, the create
// has the old one; the texts of the redo, the begin of the transaction and the time of rendering reach the record.
func TestRecordsOfProfileDebeziumCarryWhatTheEngineKnows(t *testing.T) {
	s := newScene(t)
	s.config.Records = debezium.Settings{
		Profile: debezium.Debezium(), Server: "shop", Tombstones: true, ContextHeaders: true, Run: "run-1", Redo: true,
	}
	at := time.Unix(1700000001, 123456789)
	s.config.Now = func() time.Time { return at }
	move := update(s.a, xid(1), 1002, image{1, "a"}, image{2, "a"})
	s.step(insert(s.a, xid(1), 1001, 1, "a"), move, commit(xid(1), 1003))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "1.1.7#1 d A/1 a>", "1.1.7#1 tombstone A/1 >", "1.1.7#1 c A/2 >a")

	const context = " __debezium.context.connectorLogicalName=shop __debezium.context.taskId=0 __debezium.context.connectorName=oracle __debezium.context.runId=run-1"
	want := []string{
		context, ` __debezium.newkey={"ID":2}` + context, ` __debezium.newkey={"ID":2}` + context, ` __debezium.oldkey={"ID":1}` + context,
	}
	var got []string
	for _, b := range s.batches {
		for i := range b.Events {
			ev := &b.Events[i]
			if ev.Headers == nil {
				continue
			}
			line := ""
			headers, _ := ev.Headers(nil, nil, ev)
			for _, h := range headers {
				line += " " + h.Key + "=" + string(h.Value)
			}
			got = append(got, line)
			if ev.Value == nil {
				continue
			}
			for _, part := range []string{
				`"start_scn":"1001"`, `"txSeq":` + string(rune('1'+ev.Index)), `"ts_ns":1700000001123456789}`, `"txId":"0100010007000000"`,
			} {
				if !strings.Contains(string(ev.Value), part) {
					t.Errorf("%s has no %s", ev.Value, part)
				}
			}
			if redo := strings.Contains(string(ev.Value), `"redo_sql":"update \"APP\".\"A\"`); redo != (ev.Index == 1) {
				t.Errorf("event %d: redo_sql in %s", ev.Index, ev.Value)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A column that is never read is in no redo_sql either.
func TestRedoOfATableWithExcludedColumnsIsWithheld(t *testing.T) {
	s := newScene(t)
	columns, err := naming.NewColumns(nil, []string{`APP\.A\.TEXT`}, false)
	if err != nil {
		t.Fatal(err)
	}
	s.config.Columns = columns
	s.config.Records = debezium.Settings{Profile: debezium.Debezium(), Server: "shop", Redo: true}
	s.step(insert(s.a, xid(1), 1001, 1, "secret"), insert(s.b, xid(1), 1002, 1, "open"), commit(xid(1), 1003))
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	var got []string
	for _, b := range s.batches {
		for i := range b.Events {
			if ev := &b.Events[i]; ev.Kind == change.Change {
				_, rest, _ := strings.Cut(string(ev.Value), `"redo_sql":`)
				text, _, _ := strings.Cut(rest, `,"row_id"`)
				got = append(got, text)
			}
		}
	}
	if len(got) != 2 || got[0] != `"<withheld: columns.exclude may match this table>"` || !strings.Contains(got[1], "insert into") || strings.Contains(strings.Join(got, ""), "secret") {
		t.Errorf("%q", got)
	}
}
