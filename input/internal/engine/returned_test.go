package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R96: columns got other names and got theirs back before the dictionary was read. The rows between had names that nobody has seen: they
// are not published under those of before and behind, in whatever steps the DDL lies.
func TestR96RowsBetweenNamesThatWereChangedAndChangedBack(t *testing.T) {
	swap := []string{"alter table A rename column V to X", "alter table A rename column W to V", "alter table A rename column X to W"}
	back := []string{"alter table A rename column W to X", "alter table A rename column V to W", "alter table A rename column X to V"}
	for name, bounds := range map[string][]position.SCN{"in one step": {1080}, "in steps": {1015, 1040, 1080}, "each in one": {1011, 1013, 1015, 1017, 1040, 1051, 1053, 1055, 1080}} {
		for _, between := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s := following(t)
				s.a = with(s.a, "V", "W")
				s.dictionary(0, s.a, s.b)
				s.play(s.beginning())
				s.behind(bounds, inserted(s.a, xid(1), 1005, `"ID","V","W"`, `'1','v','w'`), commit(xid(1), 1006))
				alter := func(at position.SCN, statements []string) {
					for i, statement := range statements {
						x := xid(uint16(10*at/40) + uint16(i))
						s.db.flush(ddl(s.a, x, at+2*position.SCN(i), statement), false)
						s.db.flush(commit(x, at+2*position.SCN(i)+1), false)
					}
				}
				alter(1010, swap)
				if between {
					s.db.flush(inserted(s.a, xid(2), 1030, `"ID","V","W"`, `'2','v','w'`), false)
					s.db.flush(commit(xid(2), 1031), false)
				}
				alter(1050, back)
				s.db.flush(inserted(s.a, xid(3), 1070, `"ID","V","W"`, `'3','v','w'`), false)
				s.db.flush(commit(xid(3), 1071), false)
				s.play(s.beginning())
				if !between {
					s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v W=w", "shop.PDB1.APP.A/1 c ID=3 V=v W=w")
					return
				}
				s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v W=w")
				if !stop.Is(s.err, stop.NoDictionary) {
					t.Errorf("capture ended with %v", s.err)
				}
			})
		}
	}
}
