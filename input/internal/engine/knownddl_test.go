package engine

import (
	"slices"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// R99, R101: a DDL whose version is stored is mined again behind a restart, and the dictionary shows another table by that name already.
// What gave it the name lies ahead; the DDL that is known explains nothing.
func TestR99KnownDDLThatIsMinedAgainExplainsNoOtherTableOfTheName(t *testing.T) {
	a, b, made := table("A", 101), table("B", 102), with(table("C", 201), "X")
	c, foreign := called(b, "C"), called(b, "FOREIGN")
	for name, tt := range map[string]struct {
		ended bool // the end of the table is stored as well
		now   []*schema.Version
		end   string
		begin string
		x     *schema.Version
	}{
		"renamed away":                     {now: []*schema.Version{called(a, "C")}, end: "alter table C rename to FOREIGN", begin: "alter table A rename to C", x: called(a, "C")},
		"dropped and made again":           {now: []*schema.Version{a, made}, end: "drop table C purge", begin: "create table C (id number(10) primary key, x varchar2(40))", x: made},
		"dropped, as is stored, and again": {ended: true, now: []*schema.Version{a, made}, end: "drop table C purge", begin: "create table C (id number(10) primary key, x varchar2(40))", x: made},
	} {
		for step, bounds := range map[string][]position.SCN{"in steps": {1015, 1035, 1060}, "in one step": {1060}} {
			t.Run(name+", "+step, func(t *testing.T) {
				s := following(t)
				topic := &schemaTopic{values: map[string][]byte{}}
				s.config.Versions = topic.read
				s.stores()
				s.step(ddl(b, xid(1), 1010, "alter table B rename to C"), commit(xid(1), 1011), insert(c, xid(2), 1012, 1, "c"), commit(xid(2), 1013))
				s.dictionary(1011, a, c)
				s.play(s.beginning())
				s.wantRows("A/1 from 1000", "B/1 from 1000", "C/1 from 1011", "shop.PDB1.APP.C/1 c ID=1 V=c")
				topic.takes(t, s.batches)
				if tt.ended {
					s.db.described = []*schema.Version{a, c}
					s.step(ddl(c, xid(3), 1030, tt.end), commit(xid(3), 1031))
					s.dictionary(1031, a)
					s.play(s.through(s.last()))
					topic.takes(t, s.batches)
				}

				s.db.file, s.db.block, s.db.descriptor = nil, 0, nil
				other := a
				if tt.x == made {
					other = made
				}
				old, row := insert(foreign, xid(2), 1012, 1, "c"), insert(tt.x, xid(5), 1050, 2, "x")
				if tt.x == made {
					old = unnamed(numbered(c, xid(2), 1012, 1, "c"))
					row = inserted(made, xid(5), 1050, `"ID","X"`, `'2','x'`)
				}
				between := []logminer.Row{insert(s.a, xid(6), 1035, 3, "a"), commit(xid(6), 1036)}
				if tt.x != made {
					between[0] = insert(tt.x, xid(6), 1035, 3, "a") // A still, under the name that it has now
				}
				s.behind(bounds, slices.Concat([]logminer.Row{
					ddl(b, xid(1), 1010, "alter table B rename to C"), commit(xid(1), 1011), old, commit(xid(2), 1013),
					ddl(c, xid(3), 1030, tt.end), commit(xid(3), 1031),
				},
					between, []logminer.Row{ddl(other, xid(4), 1040, tt.begin), commit(xid(4), 1041), row, commit(xid(5), 1051)},
				)...)
				s.db.described = tt.now
				s.play(s.beginning())
				got := s.rows()
				want := []string{"shop.PDB1.APP.C/1 c ID=1 V=c", "shop.PDB1.APP.A/1 c ID=3 V=a", "shop.PDB1.APP.C/2 c ID=2 V=x"}
				if tt.x == made {
					want[2] = "shop.PDB1.APP.C/2 c ID=2 X=x"
				}
				version := slices.Index(got, "C/2 from 1041")
				if s.err != nil || version < 0 || !slices.Equal(slices.Delete(slices.Clone(got), version, version+1), want) || slices.Index(got, want[2]) < version {
					t.Errorf("delivered %q, %v", got, s.err)
				}
			})
		}
	}
}
