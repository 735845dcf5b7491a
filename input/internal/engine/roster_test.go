package engine

import (
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// A table that is altered again and again for years: what is known of its layouts does not grow with the number of DDL.
func TestWhatIsKnownOfLayoutsStaysFlat(t *testing.T) {
	const ddls = 10_000
	s := newScene(t)
	wide, narrow := with(s.a, "V", "W"), with(s.a, "V")
	scn, n := s.db.now, 0
	s.db.tick = func() {
		if n == ddls || s.miner.boundary.SCN < scn {
			return
		}
		s.db.file = s.db.file[:0] // nobody asks again for what was kept
		now, columns, values, text := wide, `"ID","V","W"`, `'1','v','w'`, "alter table A add (w varchar2(40))"
		if n++; n%2 == 0 {
			now, columns, values, text = narrow, `"ID","V"`, `'1','v'`, "alter table A drop column w"
		}
		s.db.described = []*schema.Version{now, s.b}
		added := inserted(now, xid(2), scn+3, columns, values)
		added.ObjectVersion = int64(n)
		s.db.flush(ddl(now, xid(1), scn+1, text), false)
		s.db.flush(commit(xid(1), scn+2), false)
		s.db.flush(added, false)
		s.db.flush(commit(xid(2), scn+4), false)
		scn += 10
		s.db.now = scn
	}
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	if got := len(s.rows()); got != ddls {
		t.Fatalf("%d rows of %d were delivered", got, ddls)
	}
	m := s.miner
	const few = 1000 // those of two looks at what can be forgotten: there are five DDL a second
	for what, n := range map[string]int{
		"versions for readers": len(m.roster.versions[s.a.Table]), "eras": len(m.tables.byObject[object{pdb, 101}]),
		"layouts seen": len(m.older.seen), "digests": len(m.older.digests), "layouts with names": len(m.older.named), "names": len(m.tables.renamed),
	} {
		t.Logf("%s: %d", what, n)
		if n > few {
			t.Errorf("%s: %d after %d DDL", what, n, ddls)
		}
	}
}

// Rows that were read AS OF an SCN and are not out find the layout of that SCN, whatever came since.
func TestRosterKeepsWhatBatchesOnTheirWayNeed(t *testing.T) {
	o, c := newOrdering(time.Now, 0), newRoster()
	at := func(from uint64) *tables {
		v := table("A", 101)
		v.Number, v.ValidFrom = int(from), from
		set := newTables(0)
		set.add(v, false)
		return set
	}
	name := table("A", 101).Table
	valid := func(scn, want uint64) {
		t.Helper()
		if v, ok := c.at(name, position.SCN(scn)); !ok || v.ValidFrom != want {
			t.Fatalf("at %d: %v, %t; want the version from %d", scn, v, ok, want)
		}
	}
	show := func(from uint64, frontier position.SCN) { c.show(at(from), nil, o.oldest(frontier)) }
	show(100, 90)
	show(200, 150)
	held, _ := o.Close()
	show(300, 250)
	valid(150, 100) // the batch may have any SCN from the last item on
	if !o.Set(held, 250) {
		t.Fatal("the batch got no SCN")
	}
	show(400, 350)
	valid(250, 200)
	valid(350, 300)
	if _, ok := c.at(name, 199); ok {
		t.Error("a version is kept that nobody can ask for")
	}
	o.GiveUp(held)
	show(500, 450)
	valid(450, 400)
	if n := len(c.versions[name]); n != 2 {
		t.Errorf("%d versions are kept, want those from 400 and from 500", n)
	}
	c.show(newTables(0), nil, 499)
	if n := len(c.versions); n != 1 {
		t.Errorf("%d tables are kept, want the one that is gone from 500 on", n)
	}
	c.show(newTables(0), nil, 500)
	if len(c.versions)+len(c.gone) != 0 {
		t.Errorf("%v, %v is kept of a table that is gone", c.versions, c.gone)
	}
}

// R44 (c): a number of a layout that was forgotten is none that nobody saw: it vouches for nothing, and forbids to read a row without names.
func TestR44NumberThatWasForgottenTellsNothing(t *testing.T) {
	a := table("A", 101)
	a.CertainFrom = 1
	set := newTables(0)
	set.add(a, false)
	o := newOlder(nil)
	saw := func(scn position.SCN, number int64) (why string, vouched bool) {
		r := insert(a, xid(1), scn, 1, "a")
		r.ObjectVersion = number
		o.saw(&r, a)
		return o.doubt(layout{era: &era{version: a}}, &r)
	}
	saw(1000, 4)
	saw(1010, 5)
	saw(1020, 6)
	o.forget(nil, set, 1015)
	if len(o.seen) != 2 {
		t.Fatalf("%v is kept, want the numbers 5 and 6", o.seen)
	}
	for number, want := range map[int64]bool{4: false, 5: true, 6: true, 7: true} {
		if why, vouched := saw(1030, number); vouched != want || (why == "") != want {
			t.Errorf("number %d: vouched %t, %q", number, vouched, why)
		}
	}
	row := insert(a, xid(1), 1040, 1, "a")
	row.ObjectVersion = 3
	if why, _ := o.doubt(layout{era: &era{version: a}}, &row); why == "" {
		t.Error("a row with a number from before is read")
	}
	row.ObjectVersion = 8
	if why, _ := o.doubt(layout{era: &era{version: a}}, &row); why != "" {
		t.Errorf("a row with a new number: %s", why)
	}
	o.forget([]object{{pdb, 101}}, set, 1015)
	if len(o.seen)+len(o.forgotten) != 0 {
		t.Errorf("%v, %v is kept of a segment that is gone", o.seen, o.forgotten)
	}
}
