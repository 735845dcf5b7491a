package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// announced is every change with BEGIN and END.
func (s *scene) announced() []string {
	var out []string
	for _, b := range s.batches {
		for i := range b.Events {
			ev := &b.Events[i]
			switch {
			case ev.Kind == change.Boundary:
				status, _, _ := strings.Cut(strings.TrimPrefix(string(ev.Value), `{"status":"`), `"`)
				out = append(out, fmt.Sprintf("%s %s %s", ev.Topic, ev.Key, status))
			case ev.Transaction != nil:
				e, _ := text(ev)
				out = append(out, e)
			}
		}
	}
	return out
}

// R64: BEGIN in the batch of the first event, END in that of the last; counts by table; none for a transaction without events.
func TestR64BeginIsWithTheFirstEventAndEndWithTheLast(t *testing.T) {
	s := newScene(t)
	s.config.Records.Transactions, s.config.BatchCount = true, 2
	taken := insert(s.a, xid(3), 1003, 9, "taken back")
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), insert(s.b, xid(1), 1001, 2, "b"), update(s.a, xid(1), 1002, image{1, "a"}, image{5, "a"}),
		insert(s.a, xid(2), 1003, 3, "c"), taken, undone(taken, 1004), commit(xid(3), 1005),
		commit(xid(1), 1006), commit(xid(2), 1007),
	)
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	const topic = "shop.cdc.transactions"
	want := []string{
		topic + ` {"id":"1.1.7"} BEGIN`, "1.1.7#0 c A/1 >a", "1.1.7#1 c B/2 >b", "1.1.7#2 d A/1 a>", "1.1.7#2 tombstone A/1 >",
		"1.1.7#2 c A/5 >a", topic + ` {"id":"1.1.7"} END`,
		topic + ` {"id":"2.1.7"} BEGIN`, "2.1.7#0 c A/3 >c", topic + ` {"id":"2.1.7"} END`,
	}
	if diff := cmp.Diff(want, s.announced()); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for _, b := range s.batches {
		for i := range b.Events {
			ev := &b.Events[i]
			if ev.Kind != change.Boundary {
				continue
			}
			at := i + 1
			if strings.Contains(string(ev.Value), `"END"`) {
				at = i - 1
				if p := b.Position; p.Group != nil && !p.Group.Complete {
					t.Error("END is in a batch whose position lies inside the transaction")
				}
			}
			if at < 0 || at >= len(b.Events) || b.Events[at].Transaction == nil {
				t.Errorf("%s is in a batch of its own", ev.Value)
			}
			if strings.Contains(string(ev.Value), `"END","id":"1.1.7"`) && !strings.Contains(string(ev.Value),
				`"event_count":3,"data_collections":[{"data_collection":"PDB1.APP.A","event_count":2},{"data_collection":"PDB1.APP.B","event_count":1}]`) {
				t.Errorf("counts: %s", ev.Value)
			}
		}
	}
}

// A transaction that goes on after a restart keeps its counters and has no second BEGIN (reference debezium-format 19, 10).
func TestTransactionThatGoesOnHasNoSecondBegin(t *testing.T) {
	s := newScene(t)
	s.config.Records.Transactions, s.config.BatchCount = true, 1
	s.step(insert(s.a, xid(1), 1001, 1, "a"), insert(s.a, xid(1), 1002, 2, "b"), insert(s.b, xid(1), 1003, 3, "c"), commit(xid(1), 1004))
	s.play(s.beginning())
	inside := s.after("1.1.7#0 c A/1 >a")
	s.play(inside)
	want := []string{"1.1.7#1 c A/2 >b", "1.1.7#2 c B/3 >c", `shop.cdc.transactions {"id":"1.1.7"} END`}
	if diff := cmp.Diff(want, s.announced()); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if ev.Kind == change.Boundary && !strings.Contains(string(ev.Value), `"event_count":3`) {
				t.Errorf("the counters began anew: %s", ev.Value)
			}
		}
	}
}
