package engine

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// foreign excludes tables.
func (s *scene) foreign(names ...string) {
	s.t.Helper()
	selection, err := naming.NewSelection([]string{`PDB1\.APP\..*`}, []string{`.*\.(` + strings.Join(names, "|") + `)`}, false)
	if err != nil {
		s.t.Fatal(err)
	}
	s.config.Selection = selection
}

// R101: a RENAME of another table, which names none of a table's names and none of its segments, does not explain that the dictionary has
// that under another name: what renamed it lies ahead, and the rows up to there have its name.
func TestR101RenameOfAnotherTableDoesNotTakeAName(t *testing.T) {
	for name, to := range map[string]string{"away": "FOREIGN", "to a name that matches": "C"} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.foreign("FOREIGN", "OTHER", "AWAY")
			s.play(s.beginning())
			now, other := called(s.a, to), called(table("OTHER", 301), "AWAY")
			s.behind([]position.SCN{1015, 1025, 1050},
				ddl(other, xid(2), 1010, "alter table OTHER rename to AWAY"), commit(xid(2), 1011),
				insert(now, xid(1), 1020, 1, "between"), commit(xid(1), 1021),
				ddl(now, xid(3), 1030, "rename A to "+to), commit(xid(3), 1031),
				insert(now, xid(4), 1040, 2, "behind"), insert(s.b, xid(4), 1041, 3, "b"), commit(xid(4), 1042),
			)
			if to == "C" {
				s.db.described = append(s.db.described[1:], now)
				s.play(s.beginning())
				s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "C/1 from 1031", "shop.PDB1.APP.C/1 c ID=2 V=behind", "shop.PDB1.APP.B/1 c ID=3 V=b")
				return
			}
			s.db.described = s.db.described[1:]
			s.play(s.beginning())
			s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "shop.PDB1.APP.B/1 c ID=3 V=b")
		})
	}
}
