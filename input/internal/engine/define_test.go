package engine

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// defined lists changes, BEGIN and END, and schema changes.
func (s *scene) defined() []string {
	s.t.Helper()
	if s.err != nil {
		s.t.Fatal(s.err)
	}
	var out []string
	for _, b := range s.batches {
		for i := range b.Events {
			ev := &b.Events[i]
			switch ev.Kind {
			case change.Boundary:
				var v struct {
					Status string
					Count  *int `json:"event_count"`
				}
				if err := json.Unmarshal(ev.Value, &v); err != nil {
					s.t.Fatal(err)
				}
				if v.Count != nil {
					v.Status += fmt.Sprintf(" of %d", *v.Count)
				}
				out = append(out, v.Status)
			case change.SchemaChange:
				d := ev.Aside.Definition
				line := d.Table.Name + ": " + d.Text
				for _, c := range d.Tables {
					line += fmt.Sprintf(" -> %s %s", c.Kind, c.Table.Name)
					if c.Version != nil {
						line += fmt.Sprintf(" v%d", c.Version.Number)
					}
				}
				out = append(out, line)
			default:
				if e, ok := text(ev); ok {
					out = append(out, e)
				}
			}
		}
	}
	return out
}

func (s *scene) wantDefined(want ...string) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.defined()); diff != "" {
		s.t.Fatalf("(-want +got):\n%s", diff)
	}
}

// What consumers are told of a DDL comes in front of the rows of its own transaction, which have the layout behind it, is none of the
// changes that are counted, and is not told again where a restart goes on inside the transaction.
func TestR67SchemaChangeIsNoneOfTheChangesOfItsTransaction(t *testing.T) {
	s := newScene(t)
	s.config.SchemaChanges, s.config.Truncates, s.config.Records.Transactions, s.config.BatchCount = true, true, true, 1
	step := func() {
		s.step(insert(s.a, xid(2), 1009, 5, "a"), ddl(s.a, xid(2), 1010, "truncate table A"), insert(s.a, xid(2), 1011, 6, "b"), commit(xid(2), 1012))
		s.db.now = 1000
	}
	step()
	s.play(s.beginning())
	all := []string{"A: truncate table A", "BEGIN", "2.1.7#0 c A/5 >a", "2.1.7#1 t A/ >", "2.1.7#2 c A/6 >b", "END of 3"}
	s.wantDefined(all...)
	var inside []string
	for _, b := range s.batches {
		if g := b.Position.Group; g != nil && len(b.Events) > 0 {
			inside = append(inside, fmt.Sprintf("%d %t", g.Index, g.Complete))
		}
	}
	if diff := cmp.Diff([]string{"0 false", "1 false", "2 false", "3 true"}, inside[:4]); diff != "" {
		t.Fatalf("positions (-want +got):\n%s", diff)
	}
	behind := s.batches[0]
	if behind.Events[0].Kind != change.SchemaChange {
		t.Fatalf("first batch: %+v", behind.Events)
	}
	first, second := s.through(behind.Position), s.after(all[2])
	s.db.now = 1000
	s.steps = append(s.steps, func() { s.db.now = 1030 })
	s.play(first)
	s.wantDefined(all[1:]...)
	s.db.now = 1000
	s.steps = append(s.steps, func() { s.db.now = 1030 })
	s.play(second)
	s.wantDefined(all[3:]...)
}

// A DDL that is rolled back, one on a table that is not captured, and one that consumers see nothing of are not told of; a transaction
// that has nothing else is none.
func TestSchemaChangesThatNobodyIsToldOf(t *testing.T) {
	s := newScene(t)
	s.config.SchemaChanges, s.config.Records.Transactions = true, true
	foreign := table("FOREIGN", 900)
	s.step(
		ddl(s.a, xid(1), 1010, "alter table A add (w number(1))"), rollback(xid(1), 1011),
		ddl(s.a, xid(2), 1012, "comment on table A is 'x'"), commit(xid(2), 1013),
		ddl(foreign, xid(3), 1014, "alter table FOREIGN add (w number(1))"), commit(xid(3), 1015),
		ddl(s.a, xid(4), 1016, "create index I on A (v)"), commit(xid(4), 1017),
		ddl(foreign, xid(5), 1018, "rename FOREIGN to A2"), commit(xid(5), 1019),
		ddl(s.a, xid(6), 1020, "create global temporary table T (id number(1))"), commit(xid(6), 1021),
		insert(s.a, xid(9), 1022, 1, "a"), commit(xid(9), 1023),
	)
	s.play(s.beginning())
	s.wantDefined("BEGIN", "9.1.7#0 c A/1 >a", "END of 1")
}

// R93: the statement is told of in the step in which it commits, with what the dictionary has then.
func TestR93SchemaChangeThatCommitsInALaterStep(t *testing.T) {
	s := newScene(t)
	s.config.SchemaChanges = true
	wide := table("A", 101)
	wide.Columns = append(wide.Columns, schema.Column{Name: "W", Type: wide.Columns[0].Type, SegmentID: 3, Nullable: true})
	wide.Seal()
	s.step(ddl(s.a, xid(2), 1010, "alter table A add (w number(10))"))
	s.step(insert(s.b, xid(1), 1015, 1, "b"), commit(xid(1), 1016))
	s.step(commit(xid(2), 1020))
	s.dictionary(1020, wide, s.b)
	s.play(s.beginning())
	s.wantDefined("1.1.7#0 c B/1 >b", "A: alter table A add (w number(10)) -> ALTER A v2")
}
