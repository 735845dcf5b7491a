package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// objectsOf is what positions say of tables.
func objectsOf(versions ...*schema.Version) (out []position.Table) {
	for _, v := range versions {
		out = append(out, position.Table{Name: v.Table.String(), Object: v.ObjectIDs[0]})
	}
	return out
}

// become is what becomes of tables A and B while capture is stopped.
type become struct {
	rows []logminer.Row
	is   []*schema.Version
	// stop is what capture ends with; the row from before the DDL must not go out as wrong says.
	stop, wrong string
}

func becoming(a, b *schema.Version) map[string]become {
	old := insert(a, xid(1), 1101, 1, "old")
	before := func(rows ...logminer.Row) []logminer.Row {
		return slices.Concat([]logminer.Row{old, commit(xid(1), 1102)}, rows)
	}
	rename := func(n uint16, v *schema.Version, text string) []logminer.Row {
		scn := position.SCN(1200 + 10*n)
		return []logminer.Row{ddl(v, xid(n), scn, text), commit(xid(n), scn+1)}
	}
	made, taken := table("A", 901), table("FOREIGN", 801)
	return map[string]become{
		"swapped": {
			rows: before(slices.Concat(rename(2, a, "rename A to FOREIGN"), rename(3, b, "rename B to A"), rename(4, called(a, "FOREIGN"), "rename FOREIGN to B"))...),
			is:   []*schema.Version{called(b, "A"), called(a, "B")},
			stop: "[CDC-6003] the name stood for object 101 at the position and stands for object 102 now", wrong: "APP.B/1 c ID=1",
		},
		"dropped and made again": {
			rows: before(slices.Concat(rename(2, a, "drop table A purge"), rename(3, made, "create table A (id number(10) primary key, v varchar2(40))"))...),
			is:   []*schema.Version{made, b}, stop: "[CDC-6003] the name stood for object 101 at the position and stands for object 901 now",
		},
		"renamed onto": {
			rows: before(slices.Concat(rename(2, a, "rename A to OTHER"), rename(3, taken, "rename FOREIGN to A"))...),
			is:   []*schema.Version{called(taken, "A"), b}, stop: "[CDC-6003] the name stood for object 101 at the position and stands for object 801 now",
		},
		"renamed": {
			rows: before(rename(2, a, "rename A to C")...), is: []*schema.Version{b, called(a, "C")},
			stop: "[CDC-6003] the table is object 101, which was captured as PDB1.APP.A at the position", wrong: "APP.C/1 c ID=1",
		},
	}
}

// R101: tables get each other's names, or others, while capture is stopped, and no schema topic tells of what they were: capture stops before a row
// from before that goes out under the name that the table has now. A position that does not know the objects reads as before.
func TestR101CapturedNameThatStandsForAnotherObjectAtARestartStopsBeforeItsRows(t *testing.T) {
	for name, processor := range map[string]bool{"no schema topic": false, "a schema topic that the input does not read": true} {
		t.Run(name, func(t *testing.T) {
			for name, is := range becoming(table("A", 101), table("B", 102)) {
				t.Run(name, func(t *testing.T) {
					s := newScene(t)
					s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: processor}, nil }
					s.foreign("FOREIGN", "OTHER")
					s.step(insert(s.a, xid(9), 1001, 9, "a"), commit(xid(9), 1002))
					s.play(s.beginning())
					p := s.through(s.last())
					if want := objectsOf(s.a, s.b); !slices.Equal(p.Tables, want) {
						t.Fatalf("the position has %v, want %v", p.Tables, want)
					}
					s.behind([]position.SCN{1150, 1300}, is.rows...)
					s.db.now, s.db.described = 1300, is.is
					s.play(p)
					if s.err == nil || !strings.HasPrefix(s.err.Error(), is.stop) || len(s.rows()) > 0 {
						t.Errorf("%v, delivered %q", s.err, s.rows())
					}
					// What it says helps.
					fault, _ := stop.As(s.err)
					if fault != nil {
						s.obey(fault)
						s.step(insert(s.b, xid(8), s.db.now+10, 8, "later"), commit(xid(8), s.db.now+11))
						s.play(p)
						if s.err != nil {
							t.Errorf("excluded, capture ends with %v", s.err)
						}
					}
					s.foreign("FOREIGN", "OTHER")
					s.db.described = is.is
					for i := range p.Tables {
						p.Tables[i].Object = 0
					}
					s.play(p)
					if got := strings.Join(s.rows(), " "); stop.Is(s.err, stop.SchemaDiffers) || !strings.Contains(got, is.wrong) {
						t.Errorf("without ids, capture ends with %v, delivered %q", s.err, got)
					}
				})
			}
		})
	}
}

// obey takes the tables out of the captured ones that a stop names.
func (s *scene) obey(fault *stop.Error) {
	names, _, _ := strings.Cut(strings.TrimPrefix(fault.Action(), "exclude "), " and restart")
	exclude := []string{`.*\.FOREIGN`, `.*\.OTHER`}
	for _, name := range strings.Split(names, ", ") {
		exclude = append(exclude, strings.ReplaceAll(name, ".", `\.`))
		s.db.described = slices.DeleteFunc(slices.Clone(s.db.described), func(v *schema.Version) bool { return v.Table.String() == name })
	}
	var err error
	if s.config.Selection, err = naming.NewSelection([]string{`PDB1\.APP\..*`}, exclude, false); err != nil {
		s.t.Fatal(err)
	}
}

// The position says what the tables were when the first row was written that is not delivered: capture follows the DDL, and is killed while
// rows from before it are out.
func TestPositionHasTheObjectsFromBeforeADDLUntilWhatWasBeforeItIsDelivered(t *testing.T) {
	for name, is := range becoming(table("A", 101), table("B", 102)) {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.foreign("FOREIGN", "OTHER")
			s.config.BatchCount = 1
			s.step(insert(s.a, xid(7), 1003, 2, "x"), commit(xid(7), 1004))
			s.steps = append(s.steps, func() {
				for _, r := range is.rows {
					s.db.flush(r, false)
					s.db.now = max(s.db.now, r.SCN)
				}
				s.db.described = is.is
			})
			s.play(s.beginning())
			if s.err != nil {
				t.Fatal(s.err)
			}
			for _, event := range []string{"7.1.7#0 c A/2 >x", "1.1.7#0 c A/1 >old"} {
				p := s.after(event)
				if had := objectsOf(s.a); !slices.Contains(p.Tables, had[0]) {
					t.Errorf("behind %s, done up to %s, the position has %v", event, p.Done.SCN, p.Tables)
				}
				s := s.again()
				if s.play(p); !stop.Is(s.err, stop.SchemaDiffers) || len(s.rows()) > 0 {
					t.Errorf("behind %s: %v, delivered %q", event, s.err, s.rows())
				}
			}
			if want := objectsOf(is.is...); !slices.Equal(s.last().Tables, want) {
				t.Errorf("in the end the position has %v, want %v", s.last().Tables, want)
			}
		})
	}
}

// again is the scene for another run, which keeps what this one delivered.
func (s *scene) again() *scene {
	again := *s
	return &again
}
