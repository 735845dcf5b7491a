package engine

import (
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

// certainties lists what was announced of a table's versions: from where they are valid, certain, and pending, and whether they are exact.
func (s *scene) certainties(table string) (out []string) {
	for _, b := range s.batches {
		for i := range b.Events {
			if ev := &b.Events[i]; ev.Kind == change.Schema && ev.Version.Table.Name == table && ev.Version.Number > 1 {
				v := ev.Version
				certain := "the reading"
				if v.CertainFrom < 1100 {
					certain = fmt.Sprint(v.CertainFrom)
				}
				out = append(out, fmt.Sprintf("%d from %d certain from %s pending %d exact %t", v.Number, v.ValidFrom, certain, v.PendingFrom, v.Exact))
			}
		}
	}
	return out
}

// lagging is a scene that is behind: the DDL at 1010 is mined in closed logs, and the dictionary is read about 1100.
func lagging(t *testing.T) (s *scene, wide *schema.Version) {
	s = following(t)
	s.stores()
	s.play(s.beginning())
	return s, with(s.a, "V", "W")
}

// R96: a version that was read far behind its DDL is certain from that on once everything up to the reading is mined and no other DDL came.
// Rows without names wait for it.
func TestR96VersionIsCertainFromItsDDLOnceItsReadingIsPassed(t *testing.T) {
	for name, last := range map[string]string{"alone": "", "a harmless one": "comment on table A is 'drop column'", "on another table": "alter table B add (z number)"} {
		for where, bounds := range map[string][]position.SCN{"at the tail": {1015, 1200}, "in closed logs": {1015, 1055, 1070, 1200}} {
			t.Run(name+" "+where, func(t *testing.T) {
				s, wide := lagging(t)
				rows := []logminer.Row{
					ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), commit(xid(2), 1012),
					numbered(wide, xid(3), 1050, 2, "numbered"), commit(xid(3), 1051),
				}
				if last != "" {
					rows = append(rows, ddl(s.b, xid(4), 1060, last), commit(xid(4), 1061))
					if strings.HasPrefix(last, "comment") {
						rows[len(rows)-2] = ddl(s.a, xid(4), 1060, last)
					}
				}
				s.behind(bounds, rows...)
				s.db.described = []*schema.Version{wide, s.b}
				s.play(s.beginning())
				s.wantRows("A/2 from 1012", "shop.PDB1.APP.A/2 c ID=2 V=numbered W=")
				want := []string{"2 from 1012 certain from the reading pending 1012 exact false", "2 from 1012 certain from 1012 pending 0 exact true"}
				if got := s.certainties("A"); !slices.Equal(got, want) {
					t.Errorf("announced %q", got)
				}
				// It is stored so, and a restart needs nothing of that.
				s.db.bound = func(_, reading position.SCN) position.SCN { return reading }
				s.db.behind = func(position.SCN) bool { return false }
				stored, err := s.config.Versions(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if v, ok := stored.Number(s.a.Table, 2); !ok || v.CertainFrom != 1012 || v.PendingFrom != 0 || !v.Exact {
					t.Errorf("stored is %+v", v)
				}
				s.play(s.beginning())
				if s.err != nil || !strings.Contains(strings.Join(s.rows(), "\n"), "shop.PDB1.APP.A/2 c ID=2 V=numbered W=") {
					t.Errorf("%v, delivered %q", s.err, s.rows())
				}
				if got := s.certainties("A"); len(got) > 0 {
					t.Errorf("announced again %q", got)
				}
			})
		}
	}
}

// R96: another DDL up to the reading makes the version certain from that one on, and no earlier.
func TestR96AnotherDDLUpToTheReadingLeavesTheRowsBeforeItUncertain(t *testing.T) {
	for name, scn := range map[string]position.SCN{"before it": 1050, "behind it": 1070} {
		t.Run(name, func(t *testing.T) {
			s, wide := lagging(t)
			s.behind([]position.SCN{1015, 1200},
				ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), commit(xid(2), 1012),
				ddl(wide, xid(4), 1060, "alter table A modify (v varchar2(40))"), commit(xid(4), 1061),
			)
			s.db.flush(numbered(wide, xid(3), scn, 2, "numbered"), false)
			s.db.flush(commit(xid(3), scn+1), false)
			s.db.described = []*schema.Version{wide, s.b}
			s.play(s.beginning())
			want := []string{"2 from 1012 certain from the reading pending 1012 exact false"}
			if name == "before it" {
				if !stop.Is(s.err, stop.NoDictionary) || strings.Contains(strings.Join(s.rows(), "\n"), "numbered") {
					t.Errorf("%v, want CDC-6001; delivered %q", s.err, s.rows())
				}
				want = append(want, "2 from 1012 certain from the reading pending 1061 exact false")
			} else {
				s.wantRows("A/2 from 1012", "shop.PDB1.APP.A/2 c ID=2 V=numbered W=")
				want = append(want, "2 from 1012 certain from 1061 pending 0 exact false")
			}
			if got := s.certainties("A"); !slices.Equal(got, want) {
				t.Errorf("announced %q", got)
			}
		})
	}
}

// R96: a restart before the reading is passed goes on with what was known, and forgets no DDL that came in between.
func TestR96RestartKeepsWhatIsKnownOfAPendingVersion(t *testing.T) {
	for _, second := range []bool{false, true} {
		t.Run(fmt.Sprintf("a second DDL: %t", second), func(t *testing.T) {
			s, wide := lagging(t)
			rows := []logminer.Row{
				ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), commit(xid(2), 1012),
				insert(s.b, xid(5), 1013, 1, "b"), commit(xid(5), 1014),
			}
			want := "2 from 1012 certain from 1012 pending 0 exact true"
			if second {
				rows = append(rows, ddl(wide, xid(4), 1020, "alter table A modify (v varchar2(40))"), commit(xid(4), 1021),
					insert(s.b, xid(6), 1022, 2, "b"), commit(xid(6), 1023))
				want = "2 from 1012 certain from 1021 pending 0 exact false"
			}
			s.behind([]position.SCN{1015, 1025, 1200}, rows...)
			s.db.described = []*schema.Version{wide, s.b}
			refused := false
			s.db.bound, s.db.behind = func(from, reading position.SCN) position.SCN {
				switch {
				case from < 1015:
					return 1015
				case from < 1025:
					return 1025
				}
				refused = true
				return 1030 // it gets no further
			}, func(after position.SCN) bool { return after < 1030 }
			s.play(s.beginning())
			if s.err != nil || !refused {
				t.Fatal(s.err)
			}
			held := s.through(s.last())
			if held.Resume.SCN < 1025 {
				t.Fatalf("the position is at %s", held.Resume.SCN)
			}
			s.db.bound, s.db.behind = func(_, reading position.SCN) position.SCN { return reading }, func(position.SCN) bool { return false }
			s.play(held)
			if got := s.certainties("A"); s.err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("%v, announced %q, want %s", s.err, got, want)
			}
		})
	}
}
