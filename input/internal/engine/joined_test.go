package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R103, R106: a partitioned table was created while capture was away, and inserts made partitions of it before capture went on. Those leave
// the layout that the dictionary shows; what changes it stops capture, since nobody has the one from before.
func TestR103TableThatWasCreatedWhileCaptureWasAwayHasPartitionsOfInserts(t *testing.T) {
	for text, stops := range map[string]bool{
		"alter table B add partition SYS_P1 values less than (4)":                               false,
		"alter table B split partition P0 at (2) into (partition P0, partition SYS_P1)":         true,
		"alter table U add partition SYS_P1 values less than (4)":                               true, // another name was given to it since
		"alter table B add partition":                                                           true,
		"alter table B rename column X to V":                                                    true,
		"alter table B exchange partition P0 with table U":                                      true,
		"alter table B merge partitions P0, P1 into partition SYS_P1":                           true,
		"alter table B modify partition P0 add subpartition SYS_P1 values less than (maxvalue)": true,
	} {
		s := following(t)
		s.config.Versions = storedVersions(t, func() *schema.Version { a := *s.a; a.ValidFrom = 900; return a.Seal() }())
		s.b = segments(s.b, 102, 501)
		s.db.partition[s.b.Table] = true
		s.db.described = []*schema.Version{s.a, s.b}
		s.behind([]position.SCN{1050}, // it was all there when the dictionary was read
			ddl(s.b, xid(1), 1010, "create table B (id number(10) primary key, v varchar2(40)) partition by range (id) interval (3) (partition P0 values less than (1))"),
			commit(xid(1), 1011), ddl(s.b, xid(2), 1020, text), commit(xid(2), 1021), insert(segments(s.b, 501), xid(3), 1022, 3, "b"), commit(xid(3), 1023),
		)
		s.play(s.beginning())
		if stop.Is(s.err, stop.DDL) != stops {
			t.Errorf("%s: capture ended with %v", text, s.err)
		}
		if !stops {
			s.wantRows("B/1 from 1000", "shop.PDB1.APP.B/1 c ID=3 V=b")
		}
	}
}
