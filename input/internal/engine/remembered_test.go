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

// R101: a partition was exchanged with a table that was dropped then, both while capture was down. LogMiner calls that by the id that the
// partition's segment has now: it is no DDL on the partition, and capture comes to an end with it.
func TestR101PartnerOfAnExchangeThatWasDroppedTakesNoSegmentAway(t *testing.T) {
	s := following(t)
	s.db.partition[s.a.Table] = true
	s.a.ObjectIDs, s.a.Partitions = []uint64{101, 103}, []string{"P0", "P1"}
	s.play(s.beginning())
	now := segments(s.a, 103, 201)
	now.Partitions = []string{"P0", "P1"}
	partner := called(segments(s.a, 201), "U")
	s.db.described = []*schema.Version{now, s.b}
	s.step(
		insert(s.a, xid(1), 1005, 1, "before"), commit(xid(1), 1006),
		ddl(segments(s.a, 103), xid(2), 1010, "alter table A exchange partition P0 with table U"), commit(xid(2), 1011),
		insert(segments(s.a, 201), xid(5), 1015, 3, "between"), commit(xid(5), 1016),
		ddl(partner, xid(3), 1020, "drop table U purge"), commit(xid(3), 1021),
		insert(segments(s.a, 201), xid(4), 1030, 2, "behind"), commit(xid(4), 1031),
	)
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >before", "5.1.7#0 c A/3 >between", "4.1.7#0 c A/2 >behind")
}
