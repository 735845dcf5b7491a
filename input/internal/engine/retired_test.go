package engine

import (
	"slices"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// takes lets a schema topic take what was delivered, as oracle_schema does.
func (s *schemaTopic) takes(t *testing.T, batches []*change.Batch) {
	t.Helper()
	for _, b := range batches {
		for i := range b.Events {
			if ev := &b.Events[i]; ev.Kind == change.Schema {
				if err := s.Append(t.Context(), ev.Key, ev.Value); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// R95, R100: a record names its version by its number, and the schema topic forgets a table that is gone. One that is made again under its
// name has other numbers, whether a DDL shows it or the start.
func TestR100TableThatIsMadeAgainBehindItsTombstoneHasOtherNumbers(t *testing.T) {
	for _, ahead := range []bool{true, false} {
		s := following(t)
		topic := &schemaTopic{values: map[string][]byte{}}
		s.config.Versions = topic.read
		var kept *position.Position
		s.config.Stored = func() *position.Position { return kept }
		s.step(
			insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002),
			ddl(s.a, xid(3), 1020, "drop table A purge"), commit(xid(3), 1021), insert(s.b, xid(4), 1022, 1, "b"), commit(xid(4), 1023),
		)
		s.dictionary(1021, s.b)
		s.play(s.beginning())
		s.wantRows("A/1 from 1000", "B/1 from 1000", "shop.PDB1.APP.A/1 c ID=1 V=a", "shop.PDB1.APP.B/1 c ID=1 V=b")
		topic.takes(t, s.batches)
		for n := position.SCN(0); len(topic.values) > 1 && n < 5; n++ { // what is stored by then lets the record of A go
			kept = s.through(s.last())
			s.db.switchLog()
			s.step(insert(s.b, xid(5), 1200+20*n, 2, "b"), commit(xid(5), 1201+20*n))
			s.play(kept)
			topic.takes(t, s.batches)
		}
		if len(topic.values) != 1 {
			t.Fatalf("%d records are left of 2", len(topic.values))
		}
		again := with(table("A", 201), "X")
		last, want := s.through(s.last()), "A/2 from 1411"
		if ahead {
			s.step(ddl(again, xid(6), 1410, "create table A (id number(10) primary key, x varchar2(40))"), commit(xid(6), 1411))
		}
		s.db.described = []*schema.Version{s.b}
		if s.dictionary(0, again, s.b); ahead {
			s.dictionary(1411, again, s.b)
		}
		s.step(inserted(again, xid(7), 1420, `"ID","X"`, `'3','x'`), commit(xid(7), 1421))
		s.play(last)
		if !ahead {
			want = "A/2 from " + last.Resume.SCN.String()
		}
		if got := s.rows(); s.err != nil || !slices.Contains(got, want) || !slices.Contains(got, "shop.PDB1.APP.A/2 c ID=3 X=x") {
			t.Errorf("ahead %t: %q, %v; want %s", ahead, got, s.err, want)
		}
	}
}
