package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func ddl(v *schema.Version, x position.XID, scn position.SCN, text string) logminer.Row {
	return of(v, row(x, scn, logminer.DDL), "", text)
}

// dictionary shows tables from an SCN on.
func (s *scene) dictionary(from position.SCN, later ...*schema.Version) {
	before := s.db.described
	s.db.descriptor = func() []*schema.Version {
		if s.db.now >= from {
			return later
		}
		return before
	}
}

func TestR102TableThatAppearsInAStepIsMinedInTheSameStep(t *testing.T) {
	s := newScene(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true}, nil }
	c := table("C", 103)
	s.step(insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002))
	s.step(
		ddl(c, xid(2), 1010, "create table C (id number(10) primary key, v varchar2(40))"), commit(xid(2), 1011),
		insert(c, xid(3), 1012, 1, "first row"), insert(s.a, xid(3), 1013, 2, "b"), commit(xid(3), 1014),
	)
	s.dictionary(1010, s.a, s.b, c)
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "3.1.7#0 c C/1 >first row", "3.1.7#1 c A/2 >b")
	var order []string
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if ev.Kind == change.Schema {
				order = append(order, ev.Version.Table.Name)
				if ev.Version.Table.Name == "C" && ev.Version.ValidFrom != 1011 {
					t.Errorf("table C is valid from %d, want the commit SCN of its DDL", ev.Version.ValidFrom)
				}
			} else if ev.Transaction != nil && ev.Transaction.ID == xid(3) && !slices.Contains(order, "C") {
				t.Error("a row of table C comes before its schema event")
			}
		}
	}
	if !slices.Equal(order, []string{"A", "B", "C"}) {
		t.Fatalf("schema events %v", order)
	}
}

// The DDL row of a step says nothing before its transaction commits in a later one.
func TestR102DDLIsJudgedWhenItsTransactionCommits(t *testing.T) {
	s := newScene(t)
	c := table("C", 103)
	s.step(ddl(c, xid(2), 1010, "create table C (id number(10) primary key, v varchar2(40))"))
	s.step(insert(s.a, xid(1), 1015, 1, "a"), commit(xid(1), 1016))
	s.step(commit(xid(2), 1020), insert(c, xid(3), 1021, 1, "first row"), commit(xid(3), 1022))
	s.dictionary(1020, s.a, s.b, c)
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "3.1.7#0 c C/1 >first row")
	// A restart in between still sees the DDL row.
	held := s.after("1.1.7#0 c A/1 >a")
	if held.Resume.SCN != 1000 {
		t.Fatalf("resume %s: want it held before the DDL row", held.Resume.SCN)
	}
	s.db.described, s.db.descriptor = []*schema.Version{s.a, s.b}, nil
	s.db.now = 1016
	s.steps = append(s.steps, func() {}, func() { s.db.now = 1030 })
	s.dictionary(1020, s.a, s.b, c)
	s.play(held)
	s.want("3.1.7#0 c C/1 >first row")
}

func TestDDLThatIsRolledBackChangesNothing(t *testing.T) {
	s := newScene(t)
	reads := 0
	s.db.enter = func(_ context.Context, what string) error {
		if what == "describe" {
			reads++
		}
		return nil
	}
	s.step(ddl(s.a, xid(2), 1010, "alter table A add (w number)"))
	s.step(rollback(xid(2), 1012), insert(s.a, xid(1), 1015, 1, "a"), commit(xid(1), 1016))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a")
	if reads != 1 {
		t.Fatalf("the dictionary was read %d times, want once at start", reads)
	}
	if p := s.last(); !p.Resume.Equal(p.Done) {
		t.Fatalf("resume %+v is held by a DDL that is gone", p.Resume)
	}
}

// R129: what changes rows without row events is told of in its place, or ends capture; TRUNCATE may be a record.
func TestR129ChangeWithoutRowsIsToldOfOrStops(t *testing.T) {
	for name, tt := range map[string]struct {
		text      string
		stops     bool
		truncates bool
		want      []string
		told      bool
	}{
		"told":            {"truncate table B", false, false, []string{"1.1.7#0 c B/1 >before", "3.1.7#0 c B/2 >behind"}, true},
		"record":          {"TRUNCATE /* all */ TABLE B", false, true, []string{"1.1.7#0 c B/1 >before", "2.1.7#0 t B/ >", "3.1.7#0 c B/2 >behind"}, true},
		"partition":       {"alter table B truncate partition p1", false, true, []string{"1.1.7#0 c B/1 >before", "3.1.7#0 c B/2 >behind"}, true},
		"stops":           {"truncate table B", true, true, []string{"1.1.7#0 c B/1 >before"}, false},
		"flashback stops": {"flashback table B to scn 1", false, true, []string{"1.1.7#0 c B/1 >before"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.config.StopAtBulkDDL, s.config.Truncates = tt.stops, tt.truncates
			s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
			s.step(
				insert(s.b, xid(1), 1001, 1, "before"), commit(xid(1), 1002), ddl(s.b, xid(2), 1010, tt.text), commit(xid(2), 1012),
				insert(s.b, xid(3), 1013, 2, "behind"), commit(xid(3), 1014),
			)
			s.play(s.beginning())
			s.wantEvents(tt.want...)
			if stopped := stop.Is(s.err, stop.DDL); stopped == tt.told {
				t.Fatalf("%v", s.err)
			}
			told := false
			for _, b := range s.batches {
				for i := range b.Events {
					told = told || strings.Contains(string(b.Events[i].Value), `"bulk-ddl"`)
				}
			}
			if told != tt.told {
				t.Errorf("told of: %t, want %t", told, tt.told)
			}
		})
	}
}

func TestDDLOnOtherTablesIsNotFollowed(t *testing.T) {
	s := newScene(t)
	foreign := table("FOREIGN", 900)
	s.step(ddl(foreign, xid(2), 1010, "truncate table FOREIGN"), commit(xid(2), 1012), insert(s.a, xid(1), 1015, 1, "a"), commit(xid(1), 1016))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a")
}

func TestR8LateRowIsAppliedWhileItsTransactionIsOpen(t *testing.T) {
	s := newScene(t)
	late := insert(s.a, xid(1), 1003, 2, "late")
	late.Late = true
	s.step(insert(s.a, xid(1), 1002, 1, "a"))
	s.step(late, commit(xid(1), 1010))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "1.1.7#1 c A/2 >late")
}

func TestR8LateRowThatNothingCanTakeStops(t *testing.T) {
	ended := insert(table("A", 101), xid(1), 1003, 2, "late")
	end := commit(xid(1), 1004)
	definition := ddl(table("A", 101), xid(5), 1004, "alter table A add (w number)")
	for _, r := range []*logminer.Row{&ended, &end, &definition} {
		r.Late = true
	}
	for name, steps := range map[string][][]logminer.Row{
		"change behind its commit": {{insert(table("A", 101), xid(1), 1002, 1, "a"), commit(xid(1), 1003)}, {ended}},
		"commit":                   {{insert(table("A", 101), xid(1), 1002, 1, "a")}, {end}},
		"DDL":                      {{}, {definition}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			for _, rows := range steps {
				s.step(rows...)
			}
			s.play(s.beginning())
			if !stop.Is(s.err, stop.TooLate) {
				t.Fatalf("%v, want CDC-7003", s.err)
			}
		})
	}
}

func TestR8RowWithAnotherTextReplacesTheFirstReading(t *testing.T) {
	s := newScene(t)
	s.steps = append(s.steps, func() {
		s.db.flush(insert(s.a, xid(1), 1002, 1, "first reading"), false)
		s.db.now = 1003
	}, func() {
		again := insert(s.a, xid(1), 1002, 1, "second reading")
		again.Replaced = true
		again.SCN = 1004 // so that the synthetic database delivers it; place and operation say which row it is
		s.db.flush(again, true)
		s.db.flush(commit(xid(1), 1005), false)
		s.db.now = 1006
	})
	failed := false
	s.db.fail = func(rows int) int {
		if s.db.steps == 1 && !failed {
			failed = true
			return rows
		}
		return -1
	}
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >second reading")
}

// R8: a row of a transaction that has ended comes again with another text: with names instead of the numbers that a DDL had made of them it
// says what it said, otherwise one of the two readings is wrong.
func TestR8RowOfAnEndedTransactionComesAgainWithAnotherText(t *testing.T) {
	for _, renumbered := range []bool{false, true} {
		t.Run(fmt.Sprintf("renumbered: %t", renumbered), func(t *testing.T) {
			s := newScene(t)
			s.step(insert(s.a, xid(1), 1002, 1, "first"), commit(xid(1), 1003))
			s.steps = append(s.steps, func() {
				again := insert(s.a, xid(1), 1002, 1, "again")
				again.Replaced, again.Renumbered = true, renumbered
				again.SCN = 1004 // so that the synthetic database delivers it; place and operation say which row it is
				s.db.flush(again, false)
				s.db.flush(insert(s.a, xid(2), 1005, 2, "next"), false)
				s.db.flush(commit(xid(2), 1006), false)
				s.db.now = 1006
			})
			s.play(s.beginning())
			if renumbered {
				s.want("1.1.7#0 c A/1 >first", "2.1.7#0 c A/2 >next")
				return
			}
			if s.wantEvents("1.1.7#0 c A/1 >first"); !stop.Is(s.err, stop.Corrupt) {
				t.Errorf("capture ended with %v, want CDC-3002", s.err)
			}
		})
	}
}

// R107: whether the redo has the rows of CREATE TABLE AS SELECT nobody knows; a restart does not make it forget.
func TestR107TableThatIsCreatedWithRowsStops(t *testing.T) {
	s := newScene(t)
	fresh := table("C", 103)
	ddl := of(fresh, row(xid(2), 1010, logminer.DDL), "", "create table C as select * from A")
	s.steps = append(s.steps, func() {
		s.db.described = append(s.db.described, fresh)
		for _, r := range []logminer.Row{ddl, commit(xid(2), 1011), insert(s.a, xid(3), 1012, 1, "a"), commit(xid(3), 1013)} {
			s.db.flush(r, false)
		}
		s.db.now = 1013
	})
	from := s.beginning()
	for range 2 {
		s.play(from)
		if !stop.Is(s.err, stop.DDL) || len(s.events()) > 0 {
			t.Fatalf("%v behind %v, want CDC-6002", s.err, s.events())
		}
	}
	s.db.described = s.db.described[:2] // excluded
	s.play(from)
	s.want("3.1.7#0 c A/1 >a")
}
