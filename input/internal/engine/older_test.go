package engine

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// numbered is an insert as it shows behind a DDL; ids are below 100.
func numbered(v *schema.Version, x position.XID, scn position.SCN, id int, text string) logminer.Row {
	r := of(v, row(x, scn, logminer.Insert), fmt.Sprintf("AAAID%d", id), fmt.Sprintf(
		`insert into "%s"."%s"("COL 1","COL 2") values (HEXTORAW('c1%02x'),HEXTORAW('%s'))`, v.Table.Owner, v.Table.Name, id+1, hex.EncodeToString([]byte(text))))
	r.Status = notValid
	return r
}

func (s *scene) stores() {
	s.db.storage = map[int]oracle.Storage{pdb: {CharacterSet: "AL32UTF8", National: "AL16UTF16", TimeZone: "+00:00"}}
}

// R44, R48: a row without names, in a step behind the reading of the dictionary, has the layout of its moment; it is counted.
func TestR44RowsWithoutNamesHaveTheLayoutOfTheirMoment(t *testing.T) {
	s := following(t)
	s.stores()
	wide := with(s.a, "V", "W")
	s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
	s.step(
		numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012), ddl(s.a, xid(3), 1015, "alter table A add (w varchar2(40))"), commit(xid(3), 1016),
		inserted(wide, xid(4), 1017, `"ID","V","W"`, `'3','v','w'`), commit(xid(4), 1018),
	)
	s.dictionary(1016, wide, s.b)
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	got := s.rows()
	for _, want := range []string{"shop.PDB1.APP.A/1 c ID=1 V=named", "shop.PDB1.APP.A/1 c ID=2 V=numbered", "shop.PDB1.APP.A/2 c ID=3 V=v W=w"} {
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%s is not in %q", want, got)
		}
	}
	if s.seen.numbered != 1 {
		t.Errorf("%d rows were counted as numbered, want 1", s.seen.numbered)
	}
}

// R44: where the layout is not certain, or the value not to be trusted, the row stops capture and is not published.
func TestR44RowsWithoutNamesStopWhereTheirLayoutIsNotCertain(t *testing.T) {
	for name, tt := range map[string]struct {
		build func(s *scene)
		says  string
	}{
		"a: a DDL lies between it and the reading of the dictionary": {func(s *scene) {
			s.step(
				numbered(s.a, xid(2), 1001, 2, "numbered"), commit(xid(2), 1002),
				ddl(s.a, xid(3), 1003, "alter table A modify (v varchar2(40))"), commit(xid(3), 1004),
			)
		}, "is not certain"},
		"b: a DDL is under way": {func(s *scene) {
			s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
			s.step(ddl(s.a, xid(3), 1010, "alter table A drop column z"), numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012))
		}, "under way"},
		"b: it was mined in a step before": {func(s *scene) {
			s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
			s.step(ddl(s.a, xid(3), 1010, "alter table A drop column z"), insert(s.b, xid(1), 1011, 1, "b"), commit(xid(1), 1012))
			s.step(numbered(s.a, xid(2), 1013, 2, "numbered"), commit(xid(2), 1014))
		}, "under way"},
		"b: its row comes behind the other's": {func(s *scene) {
			s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
			s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), ddl(s.a, xid(3), 1010, "alter table A drop column z"), commit(xid(2), 1012))
		}, "under way"},
		"c: the number of another layout": {func(s *scene) {
			wide := with(s.a, "V", "W")
			named := insert(s.a, xid(1), 1001, 1, "named")
			named.ObjectVersion = 7
			s.step(named, commit(xid(1), 1005))
			again := inserted(wide, xid(4), 1017, `"ID","V","W"`, `'3','v','w'`)
			again.ObjectVersion = 8
			older := numbered(s.a, xid(2), 1019, 2, "numbered")
			older.ObjectVersion = 7
			s.step(ddl(s.a, xid(3), 1015, "alter table A add (w varchar2(40))"), commit(xid(3), 1016), again, commit(xid(4), 1018), older, commit(xid(2), 1020))
			s.dictionary(1016, wide, s.b)
		}, "by a number that another one had"},
		"h: the character set is not known": {func(s *scene) {
			s.db.storage = map[int]oracle.Storage{pdb: {CharacterSet: "ZHS16GBK"}}
			s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
			s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012))
		}, "character set"},
		"raw_decode.except": {func(s *scene) {
			except, err := naming.NewSelection([]string{`APP\.A`}, nil, false)
			if err != nil {
				s.t.Fatal(err)
			}
			s.config.NumberedExcept = except
			s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
			s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012))
		}, "raw_decode.except"},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.stores()
			tt.build(s)
			s.play(s.beginning())
			if !stop.Is(s.err, stop.NoDictionary) || !strings.Contains(s.err.Error(), tt.says) {
				t.Errorf("%v, want CDC-6001 that says %q", s.err, tt.says)
			}
			if got := strings.Join(s.rows(), "\n"); strings.Contains(got, "numbered") {
				t.Errorf("delivered %s", got)
			}
			if s.seen.numbered != 0 {
				t.Errorf("%d rows were counted", s.seen.numbered)
			}
		})
	}
}

// R44 b: the redo's own number of the layout says which one the row has while a DDL is under way, in the step of the DDL and behind it.
func TestR44NumberOfTheLayoutVouchesForARow(t *testing.T) {
	s := following(t)
	s.stores()
	named := insert(s.a, xid(1), 1001, 1, "named")
	older := numbered(s.a, xid(2), 1011, 2, "numbered")
	named.ObjectVersion, older.ObjectVersion = 7, 7
	s.step(named, commit(xid(1), 1005))
	s.step(older, ddl(s.a, xid(3), 1010, "alter table A drop column z"), commit(xid(2), 1012))
	s.step(rollback(xid(3), 1013))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >named", "2.1.7#0 c A/2 >numbered")
}

// A comment or a grant under way says nothing of the layout, and neither does a DDL on another table.
func TestR44HarmlessDDLDoesNotStandInTheWay(t *testing.T) {
	s := following(t)
	s.stores()
	s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
	s.step(
		ddl(s.a, xid(3), 1009, "comment on table A is 'drop column'"), ddl(s.b, xid(4), 1010, "alter table B drop column z"),
		numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012),
	)
	s.step(rollback(xid(3), 1013), rollback(xid(4), 1014))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >named", "2.1.7#0 c A/2 >numbered")
}

// R96: after a restart the version that was stored is certain from where it was.
func TestR96StoredVersionStaysCertain(t *testing.T) {
	s := following(t)
	s.stores()
	s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >named")
	held := s.through(s.last())
	s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012))
	s.play(held)
	s.want("2.1.7#0 c A/2 >numbered")
}

// Without a store every start reads the layout anew: it may be what a DDL did while nobody captured.
func TestR96VersionReadAtARestartIsNotCertainBelowIt(t *testing.T) {
	s := following(t)
	s.stores()
	s.config.Versions = nil
	s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >named")
	held := s.through(s.last())
	s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012))
	s.play(held)
	if !stop.Is(s.err, stop.NoDictionary) {
		t.Fatalf("%v, want CDC-6001", s.err)
	}
}

// R44 c: a number that two layouts had tells neither.
func TestR44NumberThatTwoLayoutsHadTellsNothing(t *testing.T) {
	o, v := newOlder(nil), table("A", 101)
	wide := with(v, "V", "W")
	v.CertainFrom, wide.CertainFrom = 1, 1
	r := numbered(v, xid(1), 1001, 1, "x")
	r.ObjectVersion = 7
	doubt := func(v *schema.Version) string {
		why, _ := o.doubt(layout{era: &era{version: v}}, &r)
		return why
	}
	o.saw(&r, v)
	if why := doubt(v); why != "" {
		t.Fatal(why)
	}
	if why := doubt(wide); why == "" {
		t.Fatal("a layout that never had the number is taken for certain")
	}
	for _, last := range []*schema.Version{wide, v} {
		o.saw(&r, last)
		if doubt(v) == "" || doubt(wide) == "" {
			t.Fatal("a number that two layouts had is taken for one's")
		}
	}
}

// R8: what a DDL made of a row that was delivered with its names counts for nothing.
func TestR8RowThatLostItsNamesIsNotCountedAgain(t *testing.T) {
	v := table("A", 101)
	v.CertainFrom = 1
	a := applier{older: newOlder(nil), tables: newTables(0), logging: schema.LoggingAll}
	a.older.stores(map[int]oracle.Storage{pdb: {CharacterSet: "AL32UTF8"}})
	for _, replaced := range []bool{false, true} {
		r := numbered(v, xid(1), 1001, 1, "x")
		r.Replaced = replaced
		a.older.begin(nil)
		c := transaction.Change{Op: transaction.Insert, Version: v}
		n := int64(1)
		if replaced {
			n = 0
		}
		if ok := a.numbered(&c, layout{era: &era{version: v}}, transaction.ID{}, &r); !ok || c.Fault != nil || a.older.decoded[v].n != n {
			t.Errorf("replaced %t: %t, %v, %d rows", replaced, ok, c.Fault, a.older.decoded[v].n)
		}
	}
}

// R96: while catching up, another DDL may lie between the one that was mined and the reading that shows its layout.
func TestR96VersionThatMayBeALaterOnesIsCertainBehindItsReading(t *testing.T) {
	m := miner{history: newHistory()}
	for exact, want := range map[bool]uint64{true: 1010, false: 1050} {
		v := table("A", 101)
		if m.number(v, 1010, 1050, exact); v.CertainFrom != want || v.ValidFrom != 1010 || v.Exact != exact {
			t.Errorf("exact %t: certain from %d, valid from %d, want %d and 1010", exact, v.CertainFrom, v.ValidFrom, want)
		}
	}
}

func TestR47DatabaseTimeZoneThatIsAnOffset(t *testing.T) {
	for zone, want := range map[string]int16{"+00:00": 0, "-07:00": -420, "+05:30": 330, "-00:30": -30, "+14:00": 840} {
		if got, ok := fixedOffset(zone); !ok || got != want {
			t.Errorf("%s: %d, %t", zone, got, ok)
		}
	}
	for _, zone := range []string{"", "UTC", "Europe/Berlin", "MST", "+0:00", "+00:60", "+16:00", "+-1:00", "00:00+", "+aa:00"} {
		if _, ok := fixedOffset(zone); ok {
			t.Errorf("%q is an offset", zone)
		}
	}
}

// R48: the first row of a version is told of once.
func TestR48FirstRowOfAVersionIsToldOfOnce(t *testing.T) {
	o, v := newOlder(nil), table("A", 101)
	v.Number = 3
	for i, want := range []int{1, 0, 0} {
		o.begin(nil)
		o.count(v, 1000, false)
		o.count(v, 1001, false)
		if n, first := o.verified(); n != 2 || len(first) != want {
			t.Errorf("step %d: %d rows, %d versions", i, n, len(first))
		}
	}
	o.begin(nil)
	if n, first := o.verified(); n != 0 || len(first) != 0 {
		t.Errorf("a step without: %d rows, %d versions", n, len(first))
	}
}
