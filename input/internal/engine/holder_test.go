package engine

import (
	"context"
	"encoding/json"
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

// inherited is what the bulk-ddl events of a scene say of names that went over.
func (s *scene) inherited() (told, called []string) {
	for _, b := range s.batches {
		for i := range b.Events {
			if b.Events[i].Kind != change.Ops {
				continue
			}
			var event struct {
				Type    string
				Details map[string]string
			}
			if err := json.Unmarshal(b.Events[i].Value, &event); err != nil {
				s.t.Fatal(err)
			}
			if d := event.Details; event.Type == "bulk-ddl" && d["before_object_id"] != "" {
				told = append(told, fmt.Sprintf("%s: %s at %s/%s from %s, before %s", d["table"], d["statement"], d["scn"], d["commit_scn"],
					d["renamed_from"], d["before_object_id"]))
				called = append(called, d["before_called"])
			}
		}
	}
	return told, called
}

// followingOps is the scene following makes, with ops events as messages.
func followingOps(t *testing.T) *scene {
	s := following(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true, Ops: true}, nil }
	s.foreign("FOREIGN", "OTHER")
	return s
}

// R129: a name that goes over to another table leaves consumers with rows under it that are not that table's. It is told of once, of every
// such name and of no other one.
func TestR129NameThatGoesOverToAnotherTableIsToldOf(t *testing.T) {
	a, foreign := table("A", 101), table("FOREIGN", 301)
	b := table("B", 102)
	made := table("A", 401)
	type step struct {
		on    *schema.Version
		text  string
		shows []*schema.Version
	}
	for name, tt := range map[string]struct {
		steps []step
		want  []string
		stops bool
	}{
		"two that are captured": {
			[]step{
				{a, "rename A to FOREIGN", []*schema.Version{b}},
				{b, "alter table B rename to A", []*schema.Version{called(b, "A")}},
				{called(a, "FOREIGN"), "rename FOREIGN to B", []*schema.Version{called(b, "A"), called(a, "B")}},
			},
			[]string{
				"PDB1.APP.A: ALTER TABLE at 1200/1210 from PDB1.APP.B, before 101",
				"PDB1.APP.B: RENAME at 1300/1310 from PDB1.APP.FOREIGN, before 102",
			},
			true,
		},
		"one that was not captured": {
			[]step{
				{a, "rename A to OTHER", []*schema.Version{b}},
				{foreign, "rename FOREIGN to A", []*schema.Version{b, called(foreign, "A")}},
			},
			[]string{"PDB1.APP.A: RENAME at 1200/1210 from PDB1.APP.FOREIGN, before 101"},
			true,
		},
		"made again": {
			[]step{
				{a, "drop table A purge", []*schema.Version{b}},
				{made, "create table A (id number(10) primary key, v varchar2(40))", []*schema.Version{b, made}},
			},
			[]string{"PDB1.APP.A: CREATE TABLE at 1200/1210 from PDB1.APP.A, before 101"},
			true,
		},
		"there and back": {
			[]step{
				{a, "rename A to FOREIGN", []*schema.Version{b}},
				{called(a, "FOREIGN"), "rename FOREIGN to A", []*schema.Version{b, a}},
			}, nil, false,
		},
		"to the bin and back": {
			[]step{{a, "drop table A", []*schema.Version{b}}, {a, "flashback table A to before drop", []*schema.Version{b, a}}}, nil, false,
		},
		"a new name": {
			[]step{{a, "rename A to C", []*schema.Version{b, called(a, "C")}}}, nil, false,
		},
		"a new table": {
			[]step{{table("C", 501), "create table C (id number(10) primary key, v varchar2(40))", []*schema.Version{a, b, table("C", 501)}}}, nil, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var parts []scripted
			for i, d := range tt.steps {
				scn, x := position.SCN(1100+100*i), xid(uint16(10+i)) //nolint:gosec // small
				parts = append(parts, scripted{rows: []logminer.Row{ddl(d.on, x, scn, d.text), commit(x, scn+10)}, shows: d.shows})
			}
			everyOrder(len(parts), 9, func(at []int) {
				s := followingOps(t)
				s.play(s.beginning())
				from := s.through(s.last())
				s.ticking(at, parts)
				s.play(from)
				got, called := s.inherited()
				if s.err != nil || !slices.Equal(got, tt.want) {
					t.Fatalf("%v: %v, told\n%s\nwant\n%s", at, s.err, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
				}
				if name == "two that are captured" && called[1] != "PDB1.APP.A" { // at the other one's the DDL that gives it a name may lie ahead
					t.Errorf("the table before is called %q now", called)
				}
			})
			t.Run("with bulk_ddl: stop", func(t *testing.T) {
				s := followingOps(t)
				s.config.StopAtBulkDDL = true
				s.play(s.beginning())
				from := s.through(s.last())
				s.ticking([]int{0, 8, 16}, parts)
				if s.play(from); stop.Is(s.err, stop.DDL) != tt.stops || s.err != nil && !tt.stops {
					t.Errorf("%v, want a stop: %t", s.err, tt.stops)
				}
			})
		})
	}
}

// R129: what a name was is known behind a restart, from the schema topic.
func TestR129NameThatGoesOverBehindARestart(t *testing.T) {
	s := followingOps(t)
	at := s.beginning()
	for i, part := range []scripted{
		{rows: []logminer.Row{ddl(s.a, xid(10), 1100, "rename A to FOREIGN"), commit(xid(10), 1110)}, shows: []*schema.Version{s.b}},
		{
			rows:  []logminer.Row{ddl(s.b, xid(11), 1200, "rename B to A"), commit(xid(11), 1210)},
			shows: []*schema.Version{called(s.b, "A")},
		},
		{rows: []logminer.Row{ddl(s.a, xid(12), 1300, "comment on table A is 'x'"), commit(xid(12), 1310)}},
	} {
		s.play(at)
		at = s.through(s.last())
		s.ticking([]int{0}, []scripted{part})
		s.play(at)
		if s.err != nil {
			t.Fatal(s.err)
		}
		at = s.through(s.last())
		want := []string(nil)
		if i == 1 {
			want = []string{"PDB1.APP.A: RENAME at 1200/1210 from PDB1.APP.B, before 101"}
		}
		if got, _ := s.inherited(); !slices.Equal(got, want) {
			t.Errorf("told of %q, want %q", got, want)
		}
		shows := s.db.descriptor()
		s.db.described, s.db.descriptor, s.db.tick = shows, nil, func() {}
	}
}
