package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// R103: a partition that an insert made between two starts is its table's: as many names of partitions came as segments.
func TestR103PartitionThatAnInsertMadeBeforeARestartIsTheTables(t *testing.T) {
	s := following(t)
	s.db.partition[s.a.Table] = true
	s.a.Partitions = []string{"P0"}
	s.play(s.beginning())
	now := segments(s.a, 101, 501)
	now.Partitions = []string{"P0", "SYS_P1"}
	s.db.described = []*schema.Version{now, s.b}
	s.step(insert(s.a, xid(1), 1010, 1, "old"), insert(segments(s.a, 501), xid(1), 1011, 2, "new"), commit(xid(1), 1012))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >old", "1.1.7#1 c A/2 >new")
}

// R99, R101: DDL that is mined again and made versions that are known leaves them known, also where the table got another name meanwhile.
func TestR99VersionsThatAreKnownStayKnownBehindARename(t *testing.T) {
	s := following(t)
	s.play(s.beginning())
	wide := with(s.a, "V", "W")
	s.behind([]position.SCN{1050},
		ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), commit(xid(2), 1011),
		inserted(wide, xid(3), 1020, `"ID","V","W"`, `'1','v','w'`), commit(xid(3), 1021),
	)
	s.db.described = []*schema.Version{wide, s.b}
	s.play(s.beginning())
	s.wantRows("A/2 from 1011", "shop.PDB1.APP.A/2 c ID=1 V=v W=w")
	s.db.flush(ddl(wide, xid(4), 1030, "alter table A rename to C"), false)
	s.db.flush(commit(xid(4), 1031), false)
	s.db.described = []*schema.Version{called(wide, "C"), s.b}
	s.play(s.beginning())
	s.wantRows("C/1 from 1031", "shop.PDB1.APP.A/2 c ID=1 V=v W=w")
}
