package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// foreign excludes tables.
func (s *scene) foreign(names ...string) {
	s.t.Helper()
	selection, err := naming.NewSelection([]string{`PDB1\.APP\..*`}, []string{`.*\.(` + strings.Join(names, "|") + `)`}, false)
	if err != nil {
		s.t.Fatal(err)
	}
	s.config.Selection = selection
}

// R101: a RENAME of another table, which names none of a table's names and none of its segments, does not explain that the dictionary has
// that under another name: what renamed it lies ahead, and the rows up to there have its name.
func TestR101RenameOfAnotherTableDoesNotTakeAName(t *testing.T) {
	for name, to := range map[string]string{"away": "FOREIGN", "to a name that matches": "C"} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.foreign("FOREIGN", "OTHER", "AWAY")
			s.play(s.beginning())
			now, other := called(s.a, to), called(table("OTHER", 301), "AWAY")
			s.behind([]position.SCN{1015, 1025, 1050},
				ddl(other, xid(2), 1010, "alter table OTHER rename to AWAY"), commit(xid(2), 1011),
				insert(now, xid(1), 1020, 1, "between"), commit(xid(1), 1021),
				ddl(now, xid(3), 1030, "rename A to "+to), commit(xid(3), 1031),
				insert(now, xid(4), 1040, 2, "behind"), insert(s.b, xid(4), 1041, 3, "b"), commit(xid(4), 1042),
			)
			if to == "C" {
				s.db.described = append(s.db.described[1:], now)
				s.play(s.beginning())
				s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "C/1 from 1031", "shop.PDB1.APP.C/1 c ID=2 V=behind", "shop.PDB1.APP.B/1 c ID=3 V=b")
				return
			}
			s.db.described = s.db.described[1:]
			s.play(s.beginning())
			s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "shop.PDB1.APP.B/1 c ID=3 V=b")
		})
	}
}

// R101, R104: a name that matches passes over a table between two readings of the dictionary. Its rows of that time are a table's that
// nobody saw: they stop capture, and are not dropped as foreign ones. Without any, and for those around it, nothing stops.
func TestR101RowsUnderANameThatNobodySawAreNotForeign(t *testing.T) {
	for name, tt := range map[string]struct{ first, last string }{
		"renamed there and back":           {"rename FOREIGN to C", "rename C to FOREIGN"},
		"made and dropped":                 {"create table C (id number(10) primary key, v varchar2(40))", "drop table C purge"},
		"brought back and dropped again":   {"flashback table FOREIGN to before drop rename to C", "drop table C purge"},
		"under the name of a captured one": {"rename FOREIGN to A", "rename A to FOREIGN"},
	} {
		for _, scn := range []position.SCN{1005, 1020, 1040} {
			for when, bounds := range map[string][]position.SCN{"in one step": {1050}, "each in its own": {1015, 1025, 1035, 1050}} {
				t.Run(fmt.Sprintf("%s, %s, row at %s", name, when, scn), func(t *testing.T) {
					s := following(t)
					s.play(s.beginning())
					x := table("FOREIGN", 301)
					rows := []logminer.Row{
						ddl(x, xid(2), 1010, tt.first), commit(xid(2), 1011),
						insert(s.b, xid(5), 1012, 1, "b"), commit(xid(5), 1013),
						ddl(x, xid(3), 1030, tt.last), commit(xid(3), 1031),
						insert(x, xid(1), scn, 1, "x"), commit(xid(1), scn+1),
						insert(s.b, xid(4), 1045, 3, "b"), commit(xid(4), 1046),
					}
					slices.SortStableFunc(rows, func(a, b logminer.Row) int { return cmp.Compare(a.SCN, b.SCN) })
					s.behind(bounds, rows...)
					s.play(s.beginning())
					if scn != 1020 {
						s.want("5.1.7#0 c B/1 >b", "4.1.7#0 c B/3 >b")
						return
					}
					s.wantEvents("5.1.7#0 c B/1 >b")
					if !stop.Is(s.err, stop.NoDictionary) {
						t.Fatalf("%v, want CDC-6001", s.err)
					}
				})
			}
		}
	}
}

// R101: the same table under two names that match, or twice under one, of which the reading has the last.
func TestR101NewTableBeginsWithTheDDLThatGaveItItsName(t *testing.T) {
	for name, tt := range map[string]struct {
		texts []string
		scn   position.SCN
		stops bool
		want  []string
	}{
		"foreign before":        {[]string{"create table FOREIGN (id number(10) primary key, v varchar2(40))", "rename FOREIGN to C"}, 1015, false, nil},
		"made, and changed":     {[]string{"create table C (id number(10) primary key, v varchar2(40))", "alter table C add primary key (id)"}, 1015, false, []string{"1.1.7#0 c C/1 >x"}},
		"first name":            {[]string{"create table D (id number(10) primary key, v varchar2(40))", "rename D to C"}, 1015, true, nil},
		"first time":            {[]string{"rename FOREIGN to C", "rename C to FOREIGN", "rename FOREIGN to C"}, 1015, true, nil},
		"foreign between":       {[]string{"rename FOREIGN to C", "rename C to FOREIGN", "rename FOREIGN to C"}, 1025, false, nil},
		"second time":           {[]string{"rename FOREIGN to C", "rename C to FOREIGN", "rename FOREIGN to C"}, 1035, false, []string{"1.1.7#0 c C/1 >x"}},
		"behind the first name": {[]string{"create table D (id number(10) primary key, v varchar2(40))", "rename D to C"}, 1025, false, []string{"1.1.7#0 c C/1 >x"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true}, nil }
			c := table("C", 301)
			var rows []logminer.Row
			for i, text := range tt.texts {
				scn := position.SCN(1010 + 10*i)
				rows = append(rows, ddl(c, xid(uint16(10+i)), scn, text), commit(xid(uint16(10+i)), scn+1))
			}
			rows = append(rows, insert(c, xid(1), tt.scn, 1, "x"), commit(xid(1), tt.scn+1), insert(s.b, xid(4), 1045, 3, "b"), commit(xid(4), 1046))
			slices.SortStableFunc(rows, func(a, b logminer.Row) int { return cmp.Compare(a.SCN, b.SCN) })
			s.step(insert(s.a, xid(5), 1001, 1, "a"), commit(xid(5), 1002))
			s.step(rows...)
			s.dictionary(1010, s.a, s.b, c)
			s.play(s.beginning())
			if stop.Is(s.err, stop.NoDictionary) != tt.stops {
				t.Fatalf("capture ended with %v, want CDC-6001: %t", s.err, tt.stops)
			}
			want := append([]string{"5.1.7#0 c A/1 >a"}, tt.want...)
			if !tt.stops {
				want = append(want, "4.1.7#0 c B/3 >b")
			}
			s.wantEvents(want...)
		})
	}
}

// R101: the same with a restart between the two DDL, behind the position.
func TestR101NameThatPassesOverAForeignTableIsRememberedOverARestart(t *testing.T) {
	for _, between := range []bool{false, true} {
		t.Run(fmt.Sprintf("row between: %t", between), func(t *testing.T) {
			s := following(t)
			topic := &schemaTopic{values: map[string][]byte{}}
			s.config.Versions = topic.read
			s.play(s.beginning())
			s.keep(topic)
			x := table("FOREIGN", 301)
			s.step(ddl(x, xid(2), 1010, "rename FOREIGN to C"), commit(xid(2), 1011))
			s.step(insert(s.b, xid(1), 1012, 1, "b"), commit(xid(1), 1013))
			s.play(s.beginning())
			s.keep(topic)
			p := s.through(s.last())
			if s.err != nil || p.Resume.SCN < 1013 || len(p.Unseen) != 1 {
				t.Fatalf("%v, resume %s, unseen %v", s.err, p.Resume.SCN, p.Unseen)
			}
			if between {
				s.step(insert(x, xid(3), 1020, 2, "between"), commit(xid(3), 1021))
			}
			s.step(ddl(x, xid(4), 1030, "rename C to FOREIGN"), commit(xid(4), 1031))
			s.step(insert(x, xid(5), 1040, 3, "foreign"), commit(xid(5), 1041), insert(s.b, xid(6), 1042, 4, "b"), commit(xid(6), 1043))
			s.play(p)
			if between {
				if !stop.Is(s.err, stop.NoDictionary) {
					t.Fatalf("%v, want CDC-6001", s.err)
				}
				return
			}
			s.want("6.1.7#0 c B/4 >b")
			if p = s.through(s.last()); len(p.Unseen) != 0 {
				t.Errorf("still unseen: %v", p.Unseen)
			}
		})
	}
}

// R101: a table that was not captured got a captured name while capture was down. What was written before that is not the captured table's,
// although the dictionary has the name when capture begins.
func TestR101TableThatGotItsNameWhileCaptureWasDownBeginsWithTheDDL(t *testing.T) {
	for _, text := range []string{"rename FOREIGN to C", "alter table FOREIGN rename to C", "flashback table FOREIGN to before drop rename to C"} {
		t.Run(text, func(t *testing.T) {
			s := following(t)
			topic := &schemaTopic{values: map[string][]byte{}}
			s.config.Versions = topic.read
			s.play(s.beginning())
			s.keep(topic)
			c := table("C", 301)
			s.db.described = []*schema.Version{s.a, s.b, c}
			s.behind([]position.SCN{1050},
				insert(c, xid(1), 1005, 1, "foreign"), insert(s.b, xid(1), 1006, 1, "b"), commit(xid(1), 1007),
				ddl(c, xid(2), 1010, text), commit(xid(2), 1011),
				insert(c, xid(3), 1020, 2, "c"), commit(xid(3), 1021),
			)
			s.play(s.beginning())
			s.wantRows("C/1 from 1011", "shop.PDB1.APP.B/1 c ID=1 V=b", "shop.PDB1.APP.C/1 c ID=2 V=c")
			if s.err != nil {
				t.Fatal(s.err)
			}
		})
	}
}

// The same where the rows lie in an earlier step than the DDL: they wait for it, and so does what committed behind them.
func TestR101RowsThatMayBeAnotherTablesWaitForTheDDL(t *testing.T) {
	for name, text := range map[string]string{"renamed": "rename FOREIGN to C", "joined by include": "comment on table C is 'x'"} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			topic := &schemaTopic{values: map[string][]byte{}}
			s.config.Versions = topic.read
			s.play(s.beginning())
			s.keep(topic)
			c := table("C", 301)
			s.db.described = []*schema.Version{s.a, s.b, c}
			old := func(r logminer.Row) logminer.Row { r.UnixSeconds = 900_000_000; return r } // before LAST_DDL_TIME, in 1999
			s.behind([]position.SCN{1004, 1008, 1012, 1050},
				insert(s.b, xid(4), 1002, 9, "first"), commit(xid(4), 1003),
				old(insert(c, xid(1), 1005, 1, "foreign")), insert(s.b, xid(1), 1006, 1, "b"), commit(xid(1), 1007),
				old(insert(c, xid(5), 1007, 5, "open")),
				ddl(c, xid(2), 1010, text), commit(xid(2), 1011),
				insert(c, xid(3), 1020, 2, "c"), commit(xid(3), 1021),
				insert(c, xid(5), 1022, 6, "open"), commit(xid(5), 1023),
			)
			s.play(s.beginning())
			if s.err != nil {
				t.Fatal(s.err)
			}
			const b, first = "shop.PDB1.APP.B/1 c ID=1 V=b", "shop.PDB1.APP.B/1 c ID=9 V=first"
			if name == "renamed" {
				s.wantRows("C/1 from 1000", first, "C/2 from 1011", b, "shop.PDB1.APP.C/2 c ID=2 V=c", "shop.PDB1.APP.C/2 c ID=6 V=open")
				return
			}
			s.wantRows("C/1 from 1000", first, "shop.PDB1.APP.C/1 c ID=1 V=foreign", b, "shop.PDB1.APP.C/1 c ID=2 V=c",
				"shop.PDB1.APP.C/1 c ID=5 V=open", "shop.PDB1.APP.C/1 c ID=6 V=open")
		})
	}
}
