package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R96: a version that was read while capture was behind may show what a DDL did that is still to be mined. Once everything up to the reading is
// mined and there was none, it was exact from its begin on: a row of that time that a restart mines again, without names by now, is decoded.
// With a DDL in between it is not.
func TestR96VersionIsExactOnceItsReadingIsBehind(t *testing.T) {
	for name, between := range map[string]string{
		"nothing": "", "a comment": "comment on table A is 'x'", "another column": "alter table A add (x number)", "the key": "alter table A drop primary key",
		"an index": "drop index i",
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.stores()
			s.play(s.beginning())
			from := s.through(s.last())
			wide, wider := with(s.a, "V", "W"), with(s.a, "V", "W", "Y")
			open := inserted(wide, xid(3), 1020, `"ID","V","W"`, `'3','v','w'`)
			rows := []logminer.Row{ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"), commit(xid(2), 1012), open}
			if between != "" {
				rows = append(rows, ddl(s.a, xid(4), 1030, between), commit(xid(4), 1031))
			}
			s.behind([]position.SCN{1015, 1050}, append(rows, insert(s.b, xid(5), 1040, 1, "b"), commit(xid(5), 1041))...)
			s.dictionaries(shown{0, wide}, shown{1500, wider})
			s.play(from)
			if s.err != nil {
				t.Fatal(s.err)
			}
			exact := false
			for _, b := range s.batches {
				for i := range b.Events {
					if ev := &b.Events[i]; ev.Kind == change.Schema && ev.Version.Number == 2 {
						exact = ev.Version.Exact && ev.Version.CertainFrom == 1012
					}
				}
			}
			certain := between == "" || strings.HasPrefix(between, "comment")
			if exact != certain {
				t.Errorf("version 2 is exact from its begin on: %t, want %t", exact, certain)
			}
			held := s.through(s.last())
			at := slices.IndexFunc(s.db.file, func(r logminer.Row) bool { return r.XID == xid(3) })
			s.db.file[at].Status = notValid
			s.db.file[at].Redo = `insert into "APP"."A"("COL 1","COL 2","COL 3") values (HEXTORAW('c104'),HEXTORAW('76'),HEXTORAW('77'))`
			for _, r := range []logminer.Row{ddl(s.a, xid(6), 1600, "alter table A add (y varchar2(40))"), commit(xid(6), 1601), commit(xid(3), 1602)} {
				s.db.flush(r, false)
			}
			s.db.now = 1700
			s.play(held)
			got := strings.Join(s.rows(), "\n")
			if certain && (s.err != nil || !strings.Contains(got, "shop.PDB1.APP.A/2 c ID=3 V=v W=w")) {
				t.Errorf("%v: %s", s.err, got)
			}
			if !certain && (!stop.Is(s.err, stop.NoDictionary) || strings.Contains(got, " c ID=3")) {
				t.Errorf("%v: %s, want CDC-6001", s.err, got)
			}
		})
	}
}
