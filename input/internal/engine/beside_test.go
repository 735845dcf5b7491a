package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// R94, R96: a DDL that changes no column explains no other columns: rows around it have the layout up to the DDL that does, in whatever
// steps the two lie.
func TestR94DDLThatChangesNoColumnExplainsNoOtherLayout(t *testing.T) {
	for _, beside := range []string{"alter table A move", "truncate table A", "create unique index A_V on A (V)"} {
		for name, bounds := range map[string][]position.SCN{"in steps": {1015, 1025, 1050}, "in one step": {1050}, "ahead": {1025, 1050}} {
			t.Run(beside+", "+name, func(t *testing.T) {
				s := following(t)
				s.play(s.beginning())
				now := with(s.a, "W")
				s.behind(bounds,
					ddl(s.a, xid(2), 1010, beside), commit(xid(2), 1011),
					inserted(now, xid(1), 1020, `"ID","W"`, `'1','between'`), commit(xid(1), 1021),
					ddl(s.a, xid(3), 1030, "alter table A rename column V to W"), commit(xid(3), 1031),
					inserted(now, xid(4), 1040, `"ID","W"`, `'2','behind'`), commit(xid(4), 1042),
				)
				s.db.described = []*schema.Version{now, s.b}
				s.play(s.beginning())
				if name == "in one step" { // whose events come first
					s.wantRows("A/2 from 1031", "shop.PDB1.APP.A/1 c ID=1 V=between", "shop.PDB1.APP.A/2 c ID=2 W=behind")
					return
				}
				s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "A/2 from 1031", "shop.PDB1.APP.A/2 c ID=2 W=behind")
			})
		}
	}
}

// R102: a partition that comes while another layout lies ahead is the table's from its first row on, with the layout up to that.
func TestR102RowsOfAPartitionThatComesBeforeAnotherLayoutAreTheTables(t *testing.T) {
	for name, bounds := range map[string][]position.SCN{"in steps": {1015, 1025, 1050}, "in one step": {1050}, "ahead": {1025, 1050}} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.play(s.beginning())
			now := segments(with(s.a, "W"), 101, 501)
			s.db.partition[s.a.Table] = true
			s.behind(bounds,
				ddl(s.a, xid(2), 1010, "alter table A add partition p values (1)"), commit(xid(2), 1011),
				inserted(segments(now, 501), xid(1), 1020, `"ID","W"`, `'1','between'`), commit(xid(1), 1021),
				ddl(s.a, xid(3), 1030, "alter table A rename column V to W"), commit(xid(3), 1031),
				inserted(segments(now, 501), xid(4), 1040, `"ID","W"`, `'2','behind'`), commit(xid(4), 1042),
			)
			s.db.described = []*schema.Version{now, s.b}
			s.play(s.beginning())
			if name == "in one step" {
				s.wantRows("A/2 from 1031", "shop.PDB1.APP.A/1 c ID=1 V=between", "shop.PDB1.APP.A/2 c ID=2 W=behind")
				return
			}
			s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "A/2 from 1031", "shop.PDB1.APP.A/2 c ID=2 W=behind")
		})
	}
}

// R101, R103: a table that makes its partitions itself gets the name of another one; rows in a partition that is not older than the last
// reading are those of the table, under the name that it had.
func TestR103PartitionOfATableThatTookTheNameOfAnotherOne(t *testing.T) {
	s := following(t)
	s.play(s.beginning())
	a, b := called(s.b, "A"), segments(called(s.a, "B"), 101, 501)
	s.db.partition[s.a.Table], s.db.partition[s.b.Table] = true, true
	s.behind([]position.SCN{1050},
		insert(segments(b, 501), xid(1), 1010, 1, "old name"), commit(xid(1), 1011),
		ddl(s.a, xid(2), 1020, "alter table A rename to X"), commit(xid(2), 1021),
		ddl(s.b, xid(3), 1022, "alter table B rename to A"), commit(xid(3), 1023),
		ddl(s.a, xid(4), 1024, "alter table X rename to B"), commit(xid(4), 1025),
		insert(segments(b, 501), xid(5), 1030, 2, "new name"), commit(xid(5), 1031),
	)
	s.db.described = []*schema.Version{a, b}
	s.play(s.beginning())
	s.wantRows("A/2 from 1023", "B/2 from 1025", "shop.PDB1.APP.A/1 c ID=1 V=old name", "shop.PDB1.APP.B/2 c ID=2 V=new name")
}

// R99, R101: a restart reads the dictionary of a table that loses a partition by a DDL that lies ahead; its rows up to that are the table's.
func TestR101RowsOfAPartitionThatGoesAheadOfARestart(t *testing.T) {
	s := following(t)
	s.a = segments(s.a, 101, 501)
	s.db.partition[s.a.Table] = true
	s.db.described = []*schema.Version{s.a, s.b}
	s.play(s.beginning())
	s.behind([]position.SCN{1015, 1050},
		insert(called(segments(s.a, 501), "OBJ# 501"), xid(1), 1010, 1, "in it"), commit(xid(1), 1011),
		ddl(s.a, xid(2), 1020, "alter table A drop partition p"), commit(xid(2), 1021),
		insert(segments(s.a, 101), xid(3), 1030, 2, "behind"), commit(xid(3), 1031),
	)
	s.db.described = []*schema.Version{segments(s.a, 101), s.b}
	s.play(s.beginning())
	s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=in it", "shop.PDB1.APP.A/1 c ID=2 V=behind")
}

// R103: partitions that a table makes itself, several in one step, leave the rows of the others as they are.
func TestR103SeveralPartitionsInOneStepLeaveTheRowsOfTheOthersAlone(t *testing.T) {
	s := following(t)
	s.db.partition[s.a.Table] = true
	s.play(s.beginning())
	s.behind([]position.SCN{1050},
		ddl(s.a, xid(1), 1010, "alter table A add partition p1 values (1)"), commit(xid(1), 1011),
		insert(s.a, xid(2), 1012, 1, "between"), commit(xid(2), 1013),
		ddl(s.a, xid(3), 1020, "alter table A add partition p2 values (2)"), commit(xid(3), 1021),
		insert(segments(s.a, 502), xid(4), 1030, 2, "behind"), commit(xid(4), 1031),
	)
	s.db.described = []*schema.Version{segments(s.a, 101, 501, 502), s.b}
	s.play(s.beginning())
	s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "shop.PDB1.APP.A/1 c ID=2 V=behind")
}

// R94, R104: rows in a partition that nobody read before its table was renamed come under the new name; those from before the rename are
// the table's, in the DDL's step.
func TestR104RowsOfANewPartitionOfATableThatWasRenamedAway(t *testing.T) {
	s := following(t)
	s.a = segments(s.a, 101, 301)
	s.db.partition[s.a.Table] = true
	s.db.described = []*schema.Version{s.a, s.b}
	s.play(s.beginning())
	away := called(segments(s.a, 501), "FOREIGN")
	s.behind([]position.SCN{1050},
		insert(away, xid(1), 1010, 1, "before"), commit(xid(1), 1011),
		ddl(s.a, xid(2), 1020, "alter table A rename to FOREIGN"), commit(xid(2), 1021),
		insert(away, xid(3), 1030, 2, "behind"), insert(s.b, xid(3), 1031, 3, "b"), commit(xid(3), 1032),
	)
	s.db.described = []*schema.Version{s.b}
	s.play(s.beginning())
	s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=before", "shop.PDB1.APP.B/1 c ID=3 V=b")
}

// R96: DDL that changes no column makes no layout that nobody saw: not before a table goes, and not before it gets another name. A RENAME
// of another table explains nothing.
func TestR96DDLThatChangesNoColumnBeforeATableMoves(t *testing.T) {
	for name, now := range map[string]func(*scene) *schema.Version{
		"dropped":            nil,
		"renamed":            func(s *scene) *schema.Version { return called(s.a, "C") },
		"another is renamed": func(s *scene) *schema.Version { return with(s.a, "W") },
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.play(s.beginning())
			is, statement := called(s.a, "OBJ# 101"), "drop table A purge"
			want := []string{"shop.PDB1.APP.A/1 c ID=1 V=between", "shop.PDB1.APP.B/1 c ID=2 V=b"}
			s.db.described = []*schema.Version{s.b}
			row := insert(is, xid(1), 1020, 1, "between")
			bounds := []position.SCN{1050}
			if now != nil {
				is = now(s)
				s.db.described = []*schema.Version{is, s.b}
				row = insert(is, xid(1), 1020, 1, "between")
			}
			switch name {
			case "renamed":
				statement, want = "alter table A rename to C", append([]string{"C/1 from 1031"}, want...)
			case "another is renamed":
				statement, want = "alter table A rename column V to W", append([]string{want[0], "A/2 from 1031"}, want[1:]...)
				row = inserted(is, xid(1), 1020, `"ID","W"`, `'1','between'`)
				bounds = []position.SCN{1025, 1050}
			}
			other := table("FOREIGN", 900)
			other.Table.Owner = "OTHER"
			s.behind(bounds,
				ddl(s.a, xid(2), 1010, "alter table A move"), commit(xid(2), 1011),
				ddl(other, xid(5), 1014, "rename FOREIGN to FOREIGN2"), commit(xid(5), 1015),
				row, commit(xid(1), 1021),
				ddl(s.a, xid(3), 1030, statement), commit(xid(3), 1031),
				insert(s.b, xid(4), 1040, 2, "b"), commit(xid(4), 1042),
			)
			s.play(s.beginning())
			s.wantRows(want...)
		})
	}
}

// R106: a partition that went before the position explains its absence at every restart.
func TestR106PartitionThatWentBeforeARestartIsNoDifference(t *testing.T) {
	s := following(t)
	s.a = segments(s.a, 101, 501)
	s.db.partition[s.a.Table] = true
	s.db.described = []*schema.Version{s.a, s.b}
	s.play(s.beginning())
	s.step(ddl(s.a, xid(2), 1020, "alter table A drop partition p"), commit(xid(2), 1021), insert(s.b, xid(3), 1030, 1, "b"), commit(xid(3), 1031))
	s.db.described = []*schema.Version{segments(s.a, 101), s.b}
	s.play(s.beginning())
	p := s.through(s.last())
	s.step(ddl(s.b, xid(5), s.db.now+1, "comment on table B is 'x'"), commit(xid(5), s.db.now+2))
	for range 10 {
		s.step(insert(s.b, xid(4), s.db.now+1, 2, "b"), commit(xid(4), s.db.now+2))
	}
	s.play(p)
	if s.err != nil {
		t.Error(s.err)
	}
}
