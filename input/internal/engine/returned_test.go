package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R96: columns got other names and got theirs back before the dictionary was read. The rows between had names that nobody has seen: they
// are not published under those of before and behind, in whatever steps the DDL lies.
func TestR96RowsBetweenNamesThatWereChangedAndChangedBack(t *testing.T) {
	swap := []string{"alter table A rename column V to X", "alter table A rename column W to V", "alter table A rename column X to W"}
	back := []string{"alter table A rename column W to X", "alter table A rename column V to W", "alter table A rename column X to V"}
	for name, bounds := range map[string][]position.SCN{"in one step": {1080}, "in steps": {1015, 1040, 1080}, "each in one": {1011, 1013, 1015, 1017, 1040, 1051, 1053, 1055, 1080}} {
		for _, between := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s := following(t)
				s.a = with(s.a, "V", "W")
				s.dictionary(0, s.a, s.b)
				s.play(s.beginning())
				s.behind(bounds, inserted(s.a, xid(1), 1005, `"ID","V","W"`, `'1','v','w'`), commit(xid(1), 1006))
				alter := func(at position.SCN, statements []string) {
					for i, statement := range statements {
						x := xid(uint16(10*at/40) + uint16(i))
						s.db.flush(ddl(s.a, x, at+2*position.SCN(i), statement), false)
						s.db.flush(commit(x, at+2*position.SCN(i)+1), false)
					}
				}
				alter(1010, swap)
				if between {
					s.db.flush(inserted(s.a, xid(2), 1030, `"ID","V","W"`, `'2','v','w'`), false)
					s.db.flush(commit(xid(2), 1031), false)
				}
				alter(1050, back)
				s.db.flush(inserted(s.a, xid(3), 1070, `"ID","V","W"`, `'3','v','w'`), false)
				s.db.flush(commit(xid(3), 1071), false)
				s.play(s.beginning())
				if !between {
					s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v W=w", "shop.PDB1.APP.A/1 c ID=3 V=v W=w")
					return
				}
				s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v W=w")
				if !stop.Is(s.err, stop.NoDictionary) {
					t.Errorf("capture ended with %v", s.err)
				}
			})
		}
	}
}

// R96, R97, R99: names that were changed and changed back explain nothing else that the dictionary shows: what does lies ahead, and rows up to
// that have the layout that they had. So it is when they are mined again behind a restart.
func TestR96NamesThatWereChangedBackExplainNoOtherLayout(t *testing.T) {
	for _, restart := range []bool{false, true} {
		s := following(t)
		s.stores()
		s.play(s.beginning())
		s.behind([]position.SCN{1030, 1200},
			ddl(s.a, xid(2), 1010, "alter table A rename column V to X"), commit(xid(2), 1011),
			ddl(s.a, xid(3), 1020, "alter table A rename column X to V"), commit(xid(3), 1021),
			insert(s.a, xid(4), 1025, 4, "behind them"), commit(xid(4), 1026),
			insert(s.a, xid(6), 1050, 6, "before the other"), commit(xid(6), 1051),
		)
		if restart {
			s.play(s.beginning())
			s.wantRows("shop.PDB1.APP.A/1 c ID=4 V=behind them", "shop.PDB1.APP.A/1 c ID=6 V=before the other")
		}
		wide := with(s.a, "V", "W")
		for _, r := range []logminer.Row{
			ddl(s.a, xid(5), 1060, "alter table A add (w varchar2(40))"), commit(xid(5), 1061),
			inserted(wide, xid(7), 1070, `"ID","V","W"`, `'7','v','w'`), commit(xid(7), 1071),
		} {
			s.db.flush(r, false)
		}
		s.db.described = []*schema.Version{wide, s.b}
		s.play(s.beginning())
		s.wantRows("shop.PDB1.APP.A/1 c ID=4 V=behind them", "A/2 from 1061", "shop.PDB1.APP.A/1 c ID=6 V=before the other", "shop.PDB1.APP.A/2 c ID=7 V=v W=w")
	}
}

// takenBack plays DDL that others take back, in one step, and in steps of which the dictionary shows what the last one made.
func takenBack(t *testing.T, there, back string, between logminer.Row, check func(t *testing.T, s *scene)) {
	t.Helper()
	for name, bounds := range map[string][]position.SCN{"in one step": {1080}, "in steps": {1015, 1040, 1080}} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.dictionary(0, s.a, s.b)
			s.play(s.beginning())
			s.behind(bounds, insert(s.a, xid(1), 1005, 1, "v"), commit(xid(1), 1006), ddl(s.a, xid(2), 1010, there), commit(xid(2), 1011))
			between.SCN = 1030
			s.db.flush(between, false)
			s.db.flush(commit(between.XID, 1031), false)
			s.db.flush(ddl(s.a, xid(4), 1050, back), false)
			s.db.flush(commit(xid(4), 1051), false)
			s.db.flush(insert(s.a, xid(5), 1070, 3, "v"), false)
			s.db.flush(commit(xid(5), 1071), false)
			s.play(s.beginning())
			check(t, s)
		})
	}
}

// R101: a table had another name for a while. Its rows under a name that is not captured are none of its, and those under one that is are
// not published under its own.
func TestR101RowsUnderANameThatWasTakenBack(t *testing.T) {
	a := table("A", 101)
	row := func(called *schema.Version) logminer.Row { return insert(called, xid(3), 1030, 2, "between") }
	takenBack(t, "alter table A rename to FOREIGN", "alter table FOREIGN rename to A", row(a), func(t *testing.T, s *scene) {
		t.Helper()
		var got []string
		for _, r := range s.rows() {
			if strings.Contains(r, " c ") {
				_, image, _ := strings.Cut(r, " c ")
				got = append(got, image)
			}
		}
		if s.err != nil || !slices.Equal(got, []string{"ID=1 V=v", "ID=3 V=v"}) {
			t.Errorf("%q: %v", got, s.err)
		}
	})
	takenBack(t, "alter table A rename to C", "alter table C rename to A", row(a), func(t *testing.T, s *scene) {
		t.Helper()
		if s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v"); !stop.Is(s.err, stop.NoDictionary) {
			t.Errorf("capture ended with %v", s.err)
		}
	})
}

// R96: a column or the key was gone for a while.
func TestR96RowsBetweenADDLAndTheOneThatTookItBackStop(t *testing.T) {
	for _, tt := range [][2]string{
		{"alter table A drop column V", "alter table A add (V varchar2(40))"},
		{"alter table A add (X number)", "alter table A drop (X)"},
		{"alter table A drop primary key", "alter table A add primary key (ID)"},
	} {
		t.Run(tt[0], func(t *testing.T) {
			takenBack(t, tt[0], tt[1], insert(table("A", 101), xid(3), 1030, 2, "between"), func(t *testing.T, s *scene) {
				t.Helper()
				if s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v"); !stop.Is(s.err, stop.NoDictionary) {
					t.Errorf("capture ended with %v", s.err)
				}
			})
		})
	}
}

// R101: two exchanges took each other back before the dictionary was read. What was written in between lies in segments that nobody knows.
func TestR101ExchangeThatWasTakenBackStops(t *testing.T) {
	const text = "alter table A exchange partition p with table X"
	takenBack(t, text, text, insert(table("A", 101), xid(3), 1030, 2, "between"), func(t *testing.T, s *scene) {
		t.Helper()
		if s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v"); !stop.Is(s.err, stop.DDL) {
			t.Errorf("capture ended with %v", s.err)
		}
	})
}

// R101: an exchange gives a table that is not partitioned other segments, all of them.
func TestR101TableThatIsExchangedWithAPartitionGoesOn(t *testing.T) {
	s := following(t)
	s.db.partition[s.a.Table] = true
	a := segments(s.a, 101, 301)
	s.dictionary(0, a, s.b)
	s.dictionary(1011, segments(a, s.b.ObjectIDs[0], 301), segments(s.b, 101))
	s.step(
		insert(a, xid(1), 1005, 1, "a"), insert(s.b, xid(1), 1006, 2, "b"), commit(xid(1), 1007),
		ddl(s.a, xid(2), 1010, "alter table A exchange partition p with table B"), commit(xid(2), 1011),
		insert(segments(a, s.b.ObjectIDs[0]), xid(3), 1020, 3, "a"), insert(segments(s.b, 101), xid(3), 1021, 4, "b"), commit(xid(3), 1022),
	)
	s.play(s.beginning())
	var got []string
	for _, r := range s.rows() {
		if topic, image, ok := strings.Cut(r, " c "); ok {
			got = append(got, strings.TrimRight(topic, "/0123456789")+" "+image)
		}
	}
	want := []string{"shop.PDB1.APP.A ID=1 V=a", "shop.PDB1.APP.B ID=2 V=b", "shop.PDB1.APP.A ID=3 V=a", "shop.PDB1.APP.B ID=4 V=b"}
	if s.err != nil || !slices.Equal(got, want) {
		t.Errorf("%q: %v", got, s.err)
	}
}
