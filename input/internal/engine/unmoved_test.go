package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// R97: two columns that swap their names between two steps of one second, at the tail. The look at the step before says nothing of what
// was fetched since.
func TestR97SwapWithinASecondIsNotCrossed(t *testing.T) {
	s := following(t)
	was, now := with(s.a, "V", "W"), with(s.a, "W", "V")
	s.db.described = []*schema.Version{was, s.b}
	s.step(inserted(was, xid(1), 1001, `"ID","V","W"`, `'1','v','w'`), commit(xid(1), 1002))
	s.step(inserted(was, xid(3), 1005, `"ID","W","V"`, `'2','v','w'`), commit(xid(3), 1006))
	s.step(
		ddl(was, xid(2), 1010, "alter table A rename column x to y"), commit(xid(2), 1012),
		inserted(was, xid(4), 1013, `"ID","W","V"`, `'3','v','w'`), commit(xid(4), 1014),
	)
	s.dictionary(1006, now, s.b)
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "shop.PDB1.APP.A/1 c ID=1 V=v W=w", "shop.PDB1.APP.A/1 c ID=2 V=v W=w", "A/2 from 1012",
		"shop.PDB1.APP.A/2 c ID=3 W=v V=w")
}

// R96, R97: LAST_DDL_TIME has steps of a second. A second DDL in the second of a first one, behind the reading of the dictionary, leaves
// it as it is: until that second is over the reading proves nothing.
func TestR97SecondDDLOfOneSecondIsNoticed(t *testing.T) {
	s := following(t)
	was, mid, now := with(s.a, "V", "W"), with(s.a, "V", "X"), with(s.a, "X", "V")
	s.db.described = []*schema.Version{was, s.b}
	shown := was
	s.db.descriptor = func() []*schema.Version { return []*schema.Version{shown, s.b} }
	// One of them happens before each step that is kept, and all within a second.
	happens := []func(){
		func() { s.flushed(inserted(was, xid(1), 1001, `"ID","V","W"`, `'1','v','w'`), commit(xid(1), 1002)) },
		func() {
			s.flushed(ddl(was, xid(2), 1010, "alter table A rename column w to x"), commit(xid(2), 1012))
			s.flushed(inserted(was, xid(3), 1013, `"ID","V","X"`, `'2','v','x'`), commit(xid(3), 1014))
			shown = mid
		},
		func() {
			s.flushed(inserted(was, xid(4), 1085, `"ID","X","V"`, `'3','v','x'`), commit(xid(4), 1086))
			shown = now
		},
		func() { s.flushed(ddl(was, xid(5), 1090, "alter table A rename column a to b"), commit(xid(5), 1092)) },
	}
	s.db.tick = func() {
		if len(happens) > 0 && s.seen.steps > 3-len(happens) {
			next := happens[0]
			happens = happens[1:]
			next()
		}
	}
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "shop.PDB1.APP.A/1 c ID=1 V=v W=w", "A/2 from 1012", "shop.PDB1.APP.A/2 c ID=2 V=v X=x",
		"shop.PDB1.APP.A/2 c ID=3 V=v X=x", "A/3 from 1092")
}

// flushed writes rows at once.
func (s *scene) flushed(rows ...logminer.Row) {
	for _, r := range rows {
		s.db.flush(r, false)
		s.db.now = max(s.db.now, r.SCN)
	}
}
