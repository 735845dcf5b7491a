package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// text40 is a VARCHAR2(40) column.
func text40(name string, segment int) schema.Column {
	return schema.Column{Name: name, SegmentID: segment, Nullable: true, Type: schema.Type{
		Kind: schema.Varchar2, Name: "VARCHAR2", Length: 40, CharLength: 40, Precision: schema.NoNumber, Scale: schema.NoNumber,
	}}
}

// with is a table with other text columns behind the key.
func with(v *schema.Version, columns ...string) *schema.Version {
	out := *v
	out.Columns = slices.Clone(v.Columns[:1])
	for i, name := range columns {
		out.Columns = append(out.Columns, text40(name, i+2))
	}
	return out.Seal()
}

// inserted is an INSERT that names columns; the version gives segment and names of the row.
func inserted(v *schema.Version, x position.XID, scn position.SCN, columns, values string) logminer.Row {
	return of(v, row(x, scn, logminer.Insert), fmt.Sprintf("AAA%d", scn),
		fmt.Sprintf(`insert into "%s"."%s"(%s) values (%s);`, v.Table.Owner, v.Table.Name, columns, values))
}

// rows lists what was delivered, with the topic, the version and the new image of each change, and the versions announced.
func (s *scene) rows() []string {
	var out []string
	for _, b := range s.batches {
		for i := range b.Events {
			ev := &b.Events[i]
			switch ev.Kind {
			case change.Schema:
				if ev.Version.GoneFrom > 0 {
					continue // the end of the table; see TestR101TableThatWasRenamedAwayIsForeignBehindARestart
				}
				if text := fmt.Sprintf("%s/%d from %d", ev.Version.Table.Name, ev.Version.Number, ev.Version.ValidFrom); !slices.Contains(out, text) &&
					(ev.Version.Number > 1 || len(ev.Version.Spells) == 0 && !ev.Version.Stored) {
					out = append(out, text) // not again for other segments
				}
			case change.Change:
				var image []string
				for at := range ev.After {
					image = append(image, ev.Version.Columns[at].Name+"="+ev.After[at].Text())
				}
				out = append(out, fmt.Sprintf("%s/%d %s %s", ev.Topic, ev.Version.Number, string(ev.Op), strings.Join(image, " ")))
			default:
			}
		}
	}
	return out
}

func (s *scene) wantRows(want ...string) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.rows()); diff != "" {
		s.t.Fatalf("delivered (-want +got):\n%s\n%v", diff, s.err)
	}
}

// following is a scene with schema events, and versions in a store that outlives a run.
func following(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true}, nil }
	stored := registry.New("shop")
	s.config.Versions = func(context.Context, func(string) (int, bool)) (*registry.Registry, error) { return stored, nil }
	return s
}

// R93, R94, R98: rows below the commit of a DDL have the layout before it, those behind it the new one, whose event comes first.
func TestR93LayoutIsFollowedFromTheCommitOfItsDDL(t *testing.T) {
	for name, build := range map[string]func(s *scene, wide *schema.Version){
		"in one step": func(s *scene, wide *schema.Version) {
			s.step(
				insert(s.a, xid(1), 1001, 1, "before"), commit(xid(1), 1005), ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"),
				commit(xid(2), 1012), inserted(wide, xid(3), 1013, `"ID","V","W"`, `'2','v','w'`), commit(xid(3), 1014),
			)
		},
		"commit in the next step": func(s *scene, wide *schema.Version) {
			s.step(insert(s.a, xid(1), 1001, 1, "before"), ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"))
			s.step(commit(xid(1), 1011), commit(xid(2), 1012), inserted(wide, xid(3), 1013, `"ID","V","W"`, `'2','v','w'`), commit(xid(3), 1014))
		},
		"transaction over both": func(s *scene, wide *schema.Version) { // 23ai does not wait for it
			s.step(insert(s.a, xid(1), 1001, 1, "before"), ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), commit(xid(2), 1012))
			s.step(inserted(wide, xid(1), 1013, `"ID","V","W"`, `'2','v','w'`), commit(xid(1), 1014))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			wide := with(s.a, "V", "W")
			build(s, wide)
			s.dictionary(1012, wide, s.b)
			s.play(s.beginning())
			if s.err != nil {
				t.Fatal(s.err)
			}
			got := s.rows()
			before := slices.Index(got, "shop.PDB1.APP.A/1 c ID=1 V=before")
			event := slices.Index(got, "A/2 from 1012")
			behind := slices.Index(got, "shop.PDB1.APP.A/2 c ID=2 V=v W=w")
			if before < 0 || behind < before || event < 0 || behind < event {
				t.Fatalf("delivered %q", got)
			}
			for _, b := range s.batches {
				for i := range b.Events {
					if v := b.Events[i].Version; v != nil && !v.Exact {
						t.Errorf("version %d of %s is not exact", v.Number, v.Table)
					}
					if ev := &b.Events[i]; name == "transaction over both" && ev.Kind == change.Change && ev.TableOrder != ev.Index+1 {
						t.Errorf("event %d is number %d of its table", ev.Index, ev.TableOrder)
					}
				}
			}
			// Behind it a restart goes on without another version.
			last := s.through(s.last())
			s.step(inserted(wide, xid(4), 1050, `"ID","V","W"`, `'3','v','w'`), commit(xid(4), 1051))
			s.play(last)
			s.wantRows("shop.PDB1.APP.A/2 c ID=3 V=v W=w")
		})
	}
}

// R99: a position below a DDL whose version is stored; it is mined again.
func TestR99RestartBeforeAKnownDDLHasBothLayouts(t *testing.T) {
	s := following(t)
	wide := with(s.a, "V", "W")
	s.step(
		insert(s.a, xid(1), 1001, 1, "before"), commit(xid(1), 1005), insert(s.a, xid(5), 1006, 2, "before"), commit(xid(5), 1007),
		ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), commit(xid(2), 1012),
		inserted(wide, xid(3), 1013, `"ID","V","W"`, `'3','v','w'`), commit(xid(3), 1014),
	)
	s.dictionary(1012, wide, s.b)
	s.config.BatchCount = 1
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1012",
		"shop.PDB1.APP.A/1 c ID=1 V=before", "shop.PDB1.APP.A/1 c ID=2 V=before", "shop.PDB1.APP.A/2 c ID=3 V=v W=w")
	s.play(s.after("1.1.7#0 c A/1 >before"))
	s.wantRows("shop.PDB1.APP.A/1 c ID=2 V=before", "shop.PDB1.APP.A/2 c ID=3 V=v W=w")
}

// R97: the dictionary is ahead of the redo. What it names otherwise is translated by the place in the segment, so that two columns
// that swapped their names are not crossed; a change of type is not guessed.
func TestR97RowsUnderLaterNamesAreNotCrossed(t *testing.T) {
	for name, tt := range map[string]struct {
		now    func(s *scene) *schema.Version
		insert string
		want   string
		code   stop.Code
	}{
		"swapped": {func(s *scene) *schema.Version { return with(s.a, "W", "V") }, `"ID","W","V"`, "shop.PDB1.APP.A/1 c ID=1 V=v W=w", 0},
		"renamed": {func(s *scene) *schema.Version { return with(s.a, "V", "X") }, `"ID","V","X"`, "shop.PDB1.APP.A/1 c ID=1 V=v W=w", 0},
		"wider":   {func(s *scene) *schema.Version { v := with(s.a, "V", "W"); v.Columns[2].Type.Length = 80; return v }, `"ID","V","W"`, "shop.PDB1.APP.A/1 c ID=1 V=v W=w", 0},
		"other type": {func(s *scene) *schema.Version {
			v := with(s.a, "V", "W")
			v.Columns[2].Type = v.Columns[0].Type
			return v
		}, `"ID","V","W"`, "", stop.NoDictionary},
		"unknown column": {func(s *scene) *schema.Version { return with(s.a, "V", "W", "X") }, `"ID","V","W","X"`, "", stop.NoDictionary},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			was := with(s.a, "V", "W")
			s.db.described = []*schema.Version{was, s.b}
			s.play(s.beginning()) // stores the versions
			values := `'1','v','w'`
			if strings.Count(tt.insert, ",") == 3 {
				values += `,'x'`
			}
			s.step(
				inserted(was, xid(1), 1001, tt.insert, values), commit(xid(1), 1002),
				ddl(was, xid(2), 1010, "alter table A rename column x to y"), commit(xid(2), 1012),
			)
			s.db.described = []*schema.Version{tt.now(s), s.b}
			s.play(s.beginning())
			if tt.code != 0 {
				if !stop.Is(s.err, tt.code) {
					t.Fatalf("%v, want %v", s.err, tt.code)
				}
				return
			}
			s.wantRows("A/2 from 1012", tt.want)
		})
	}
}

// R97: the DDL runs while capture is behind it, and lies in a later step: the rows before it have its names already.
func TestR97DictionaryThatMovesOnUnderRowsIsNoticed(t *testing.T) {
	s := following(t)
	was, now := with(s.a, "V", "W"), with(s.a, "W", "V")
	s.db.described = []*schema.Version{was, s.b}
	s.step(inserted(was, xid(1), 1001, `"ID","W","V"`, `'1','v','w'`), commit(xid(1), 1002))
	s.step(
		inserted(was, xid(3), 1005, `"ID","W","V"`, `'2','v','w'`), commit(xid(3), 1006),
		ddl(was, xid(2), 1010, "alter table A rename column x to y"), commit(xid(2), 1012),
		inserted(was, xid(4), 1013, `"ID","W","V"`, `'3','v','w'`), commit(xid(4), 1014),
	)
	s.dictionary(1001, now, s.b)
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "shop.PDB1.APP.A/1 c ID=1 V=v W=w", "A/2 from 1012",
		"shop.PDB1.APP.A/1 c ID=2 V=v W=w", "shop.PDB1.APP.A/2 c ID=3 W=v V=w")
}

// R94: rows while a DDL is under way have the layout that fits, whichever that is.
func TestR94RowsDuringADDLHaveTheLayoutThatFits(t *testing.T) {
	s := following(t)
	wide := with(s.a, "V", "W")
	s.step(
		ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), insert(s.a, xid(1), 1011, 1, "old"),
		inserted(wide, xid(1), 1012, `"ID","V","W"`, `'2','v','w'`), commit(xid(1), 1013), commit(xid(2), 1014),
	)
	s.dictionary(1014, wide, s.b)
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1014", "shop.PDB1.APP.A/1 c ID=1 V=old", "shop.PDB1.APP.A/2 c ID=2 V=v W=w")
}

// Seed 000: the layout between two DDL that were both run before capture reached the first is not known.
func TestRowsBetweenTwoDDLAreNotGuessed(t *testing.T) {
	for _, between := range []bool{false, true} {
		t.Run(fmt.Sprintf("rows between: %t", between), func(t *testing.T) {
			s := following(t)
			wide := with(s.a, "V", "W", "X")
			rows := []logminer.Row{
				insert(s.b, xid(6), 1001, 1, "b"), commit(xid(6), 1002),
				ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), commit(xid(2), 1011),
			}
			if between {
				rows = append(rows, inserted(wide, xid(1), 1012, `"ID","V","W"`, `'1','v','w'`), commit(xid(1), 1013))
			}
			rows = append(rows, ddl(s.a, xid(3), 1014, "alter table A add (x varchar2(40))"), commit(xid(3), 1015),
				inserted(wide, xid(4), 1016, `"ID","V","W","X"`, `'2','v','w','x'`), commit(xid(4), 1017))
			s.step(rows...)
			s.dictionary(1001, wide, s.b)
			s.db.descriptor = func() []*schema.Version {
				if s.db.now < 1015 {
					return []*schema.Version{s.a, s.b}
				}
				return []*schema.Version{wide, s.b}
			}
			s.play(s.beginning())
			if between {
				s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1015", "shop.PDB1.APP.B/1 c ID=1 V=b")
				if !stop.Is(s.err, stop.NoDictionary) {
					t.Fatalf("%v, want CDC-6001", s.err)
				}
				return
			}
			s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1015", "shop.PDB1.APP.B/1 c ID=1 V=b", "shop.PDB1.APP.A/2 c ID=2 V=v W=w X=x")
		})
	}
}

// R101: rows go to the topic of the name that the table had, whatever it is called now; names that were exchanged are not confused.
func TestR101RenamesMoveRowsToTheTopicOfTheirMoment(t *testing.T) {
	t.Run("to a name that matches", func(t *testing.T) {
		s := following(t)
		c := called(s.a, "C")
		s.step(
			insert(c, xid(1), 1001, 1, "before"), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, "alter table A rename to C"), commit(xid(2), 1011),
			insert(c, xid(3), 1012, 2, "behind"), commit(xid(3), 1013),
		)
		s.dictionary(1011, c, s.b)
		s.play(s.beginning())
		s.wantRows("A/1 from 1000", "B/1 from 1000", "C/1 from 1011", "shop.PDB1.APP.A/1 c ID=1 V=before", "shop.PDB1.APP.C/1 c ID=2 V=behind")
	})
	t.Run("away", func(t *testing.T) {
		s := following(t)
		away := called(s.a, "FOREIGN")
		s.step(
			insert(away, xid(1), 1001, 1, "before"), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, "alter table A rename to FOREIGN"), commit(xid(2), 1011),
			insert(away, xid(3), 1012, 2, "behind"), insert(s.b, xid(3), 1012, 3, "b"), commit(xid(3), 1013),
		)
		s.dictionary(1011, s.b)
		s.play(s.beginning())
		s.wantRows("A/1 from 1000", "B/1 from 1000", "shop.PDB1.APP.A/1 c ID=1 V=before", "shop.PDB1.APP.B/1 c ID=3 V=b")
		// A restart from below it knows the table by its stored version.
		s.step()
		s.db.now = 1013
		s.play(s.beginning())
		s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=before", "shop.PDB1.APP.B/1 c ID=3 V=b")
	})
	t.Run("exchanged", func(t *testing.T) {
		s := following(t)
		a, b := called(s.b, "A"), called(s.a, "B") // what the dictionary shows behind it
		s.step(
			insert(b, xid(1), 1001, 1, "old a"), insert(a, xid(1), 1001, 2, "old b"), commit(xid(1), 1002),
			ddl(s.a, xid(2), 1010, "alter table A rename to FOREIGN"), commit(xid(2), 1011),
			ddl(s.b, xid(3), 1012, "alter table B rename to A"), commit(xid(3), 1013),
			insert(a, xid(4), 1014, 3, "new a, early"), commit(xid(4), 1015),
			ddl(s.a, xid(5), 1016, "alter table FOREIGN rename to B"), commit(xid(5), 1017),
			insert(b, xid(6), 1018, 4, "new b"), insert(a, xid(6), 1018, 5, "new a"), commit(xid(6), 1019),
		)
		s.db.descriptor = func() []*schema.Version {
			if s.db.now < 1017 {
				return []*schema.Version{s.a, s.b}
			}
			return []*schema.Version{a, b}
		}
		s.play(s.beginning())
		s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1013", "B/2 from 1017",
			"shop.PDB1.APP.A/1 c ID=1 V=old a", "shop.PDB1.APP.B/1 c ID=2 V=old b", "shop.PDB1.APP.A/2 c ID=3 V=new a, early",
			"shop.PDB1.APP.B/2 c ID=4 V=new b", "shop.PDB1.APP.A/2 c ID=5 V=new a")
	})
}

// A table that is dropped leaves the others alone; made again, it goes on with the next version.
func TestDroppedTableEndsAndGoesOnWhenItIsMadeAgain(t *testing.T) {
	s := following(t)
	again := with(table("A", 201), "V", "W")
	s.step(
		insert(s.a, xid(1), 1001, 1, "before"), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, "drop table A purge"), commit(xid(2), 1011),
		insert(s.b, xid(3), 1012, 1, "b"), commit(xid(3), 1013),
	)
	s.step(
		ddl(again, xid(4), 1020, "create table A (id number(10) primary key, v varchar2(40), w varchar2(40))"), commit(xid(4), 1021),
		inserted(again, xid(5), 1022, `"ID","V","W"`, `'1','v','w'`), commit(xid(5), 1023),
	)
	s.db.descriptor = func() []*schema.Version {
		switch {
		case s.db.now < 1011:
			return []*schema.Version{s.a, s.b}
		case s.db.now < 1021:
			return []*schema.Version{s.b}
		default:
			return []*schema.Version{again, s.b}
		}
	}
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1021", "shop.PDB1.APP.A/1 c ID=1 V=before", "shop.PDB1.APP.B/1 c ID=1 V=b",
		"shop.PDB1.APP.A/2 c ID=1 V=v W=w")
}

// R97, R101: behind a swap of table names that lies ahead, rows of a segment have the names of the columns that the segment has today, not
// those of the table that has its name.
func TestR97NamesAreThoseOfTheSegmentNotOfItsName(t *testing.T) {
	for name, gone := range map[string]string{"two captured tables": "B", "to another name that matches": "C"} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			a, b := with(s.a, "V", "W"), with(s.b, "W", "V")
			s.db.described = []*schema.Version{a, b}
			s.play(s.beginning()) // stores the versions
			mine, other := *a, *b
			mine.Table.Name, other.Table.Name = gone, "A"
			s.db.described = []*schema.Version{(&mine).Seal(), (&other).Seal()}
			row := inserted(a, xid(1), 1001, `"ID","V","W"`, `'1','v','w'`)
			row.Table, row.Redo = gone, strings.Replace(row.Redo, `"A"`, `"`+gone+`"`, 1)
			s.stepUpTo(1003, row, commit(xid(1), 1002))
			s.play(s.beginning())
			s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v W=w")
		})
	}
}

// R106: a difference that no DDL up to the reading explains means that one was missed.
func TestR106DifferenceWithoutADDLIsATypedStop(t *testing.T) {
	s := following(t)
	s.play(s.beginning())
	s.db.described = []*schema.Version{with(s.a, "V", "W"), s.b}
	s.step(insert(s.b, xid(1), 1001, 1, "b"), commit(xid(1), 1002))
	for scn := position.SCN(1010); scn < 1100; scn += 10 {
		s.stepUpTo(scn)
	}
	s.play(s.beginning())
	if !stop.Is(s.err, stop.SchemaDiffers) {
		t.Fatalf("%v, want CDC-6003", s.err)
	}
}

// R106: a table that went without a DDL is not let go without a word.
func TestR106TableThatIsGoneWithoutADDLIsATypedStop(t *testing.T) {
	s := following(t)
	s.play(s.beginning())
	s.db.described = []*schema.Version{s.b}
	s.step(insert(s.b, xid(1), 1001, 1, "b"), commit(xid(1), 1002))
	for scn := position.SCN(1010); scn < 1100; scn += 10 {
		s.stepUpTo(scn)
	}
	s.play(s.beginning())
	if !stop.Is(s.err, stop.SchemaDiffers) || !strings.Contains(s.err.Error(), s.a.Table.String()) {
		t.Fatalf("%v, want CDC-6003", s.err)
	}
}

// R97: a DDL that lies ahead is not taken for what a rename of another table did in an earlier step.
func TestR97RenameOfAnotherTableExplainsNoLayout(t *testing.T) {
	s := following(t)
	was, now, other := with(s.a, "V"), with(s.a, "V", "W"), with(s.b, "V")
	other.Table.Name = "B2"
	s.db.described = []*schema.Version{was, s.b}
	s.play(s.beginning()) // stores the versions
	s.slowly(10)
	s.step(
		ddl(s.b, xid(1), 1003, "alter table B rename to B2"), commit(xid(1), 1004),
		inserted(was, xid(2), 1006, `"ID","V"`, `'1','v'`), commit(xid(2), 1007),
		ddl(was, xid(3), 1030, "alter table A add (w varchar2(40))"), commit(xid(3), 1031),
		inserted(now, xid(4), 1033, `"ID","V","W"`, `'2','v','w'`), commit(xid(4), 1034),
	)
	s.db.described = []*schema.Version{now, other}
	s.play(s.beginning())
	s.wantRows("B2/1 from 1004", "shop.PDB1.APP.A/1 c ID=1 V=v", "A/2 from 1031", "shop.PDB1.APP.A/2 c ID=2 V=v W=w")
}

// R106: on a table without rows, and without any DDL row, the comparison of every minute tells.
func TestR106DictionaryIsComparedWithoutAnyRow(t *testing.T) {
	s := following(t)
	s.config.PollInterval, s.config.IdleInterval = time.Second, time.Second
	s.play(s.beginning())
	read := 0
	s.db.descriptor = func() []*schema.Version {
		if read++; read == 1 {
			return []*schema.Version{s.a, s.b} // the start
		}
		return []*schema.Version{with(s.a, "V", "W"), s.b}
	}
	s.db.tick = func() { s.db.now++ }
	synctest.Test(t, func(*testing.T) { s.runFor(s.beginning(), 6*compareInterval) })
	if !stop.Is(s.err, stop.SchemaDiffers) {
		t.Fatalf("%v after %d readings, want CDC-6003", s.err, read)
	}
}

// R106: a table that no DDL made is told of once; it is not begun in the middle.
func TestR106TableThatNoDDLMadeIsToldOf(t *testing.T) {
	s := following(t)
	s.config.PollInterval, s.config.IdleInterval = time.Second, time.Second
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
	fresh := table("OPENED", 700)
	read := 0
	s.db.descriptor = func() []*schema.Version {
		if read++; read == 1 {
			return []*schema.Version{s.a, s.b}
		}
		return []*schema.Version{s.a, s.b, fresh}
	}
	s.db.tick = func() { s.db.now++ }
	synctest.Test(t, func(*testing.T) { s.runFor(s.beginning(), 10*compareInterval) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	told := 0
	for _, b := range s.batches {
		for i := range b.Events {
			told += strings.Count(string(b.Events[i].Value), `"type":"ids-refreshed"`)
		}
	}
	if told != 1 || read < 4 {
		t.Errorf("told %d times in %d readings", told, read)
	}
}
