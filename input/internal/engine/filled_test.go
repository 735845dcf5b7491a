package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
)

// R107: the rows that ADD COLUMN fills in its own transaction are ordinary updates where the redo shows them, with the layout whose names
// they have, and what comes behind them has that layout whether it shows them or not.
func TestR107RowsThatADDLFillsInItsOwnTransaction(t *testing.T) {
	for _, shown := range []bool{true, false} {
		t.Run(fmt.Sprintf("shown: %t", shown), func(t *testing.T) {
			s := following(t)
			wide := with(s.a, "V", "W")
			fill := of(wide, row(xid(2), 1011, logminer.Update), "AAAID1",
				`update "APP"."A" set "W" = 'filled' where "ID" = '1' and "V" = 'v' and "W" IS NULL and ROWID = 'AAAID1';`)
			rows := []logminer.Row{
				insert(s.a, xid(1), 1001, 1, "v"), commit(xid(1), 1005), ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40) default 'filled')"),
			}
			want := []string{"A/1 from 1000", "B/1 from 1000", "A/2 from 1012", "shop.PDB1.APP.A/1 c ID=1 V=v"}
			if shown {
				rows = append(rows, fill)
				want = append(want, "shop.PDB1.APP.A/2 u ID=1 V=v W=filled")
			}
			s.step(append(rows, commit(xid(2), 1012), inserted(wide, xid(3), 1013, `"ID","V","W"`, `'2','v','w'`), commit(xid(3), 1014))...)
			s.dictionary(1012, wide, s.b)
			s.play(s.beginning())
			s.wantRows(append(want, "shop.PDB1.APP.A/2 c ID=2 V=v W=w")...)
		})
	}
}

// R98: all schema events of a step come before all of its rows, those of tables that changed behind the rows too; and a row that was
// written before the DDL and commits behind it follows with its own number.
func TestR98SchemaEventsOfAStepComeBeforeItsRows(t *testing.T) {
	s := following(t)
	wideA, wideB := with(s.a, "V", "W"), with(s.b, "V", "W")
	s.step(
		insert(s.a, xid(1), 1001, 1, "first"), commit(xid(1), 1002), insert(s.b, xid(2), 1003, 1, "written before"),
		ddl(s.a, xid(3), 1010, "alter table A add (w varchar2(40))"), commit(xid(3), 1011), insert(s.a, xid(4), 1012, 9, "elsewhere"),
		ddl(s.b, xid(5), 1020, "alter table B add (w varchar2(40))"), commit(xid(5), 1021),
		inserted(wideB, xid(6), 1022, `"ID","V","W"`, `'2','v','w'`), commit(xid(6), 1023), rollback(xid(4), 1024), commit(xid(2), 1030),
	)
	s.dictionary(1021, wideA, wideB)
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1011", "B/2 from 1021",
		"shop.PDB1.APP.A/1 c ID=1 V=first", "shop.PDB1.APP.B/2 c ID=2 V=v W=w", "shop.PDB1.APP.B/1 c ID=1 V=written before")
	if got := strings.Join(s.rows(), " "); strings.Contains(got, "elsewhere") {
		t.Errorf("a row that was rolled back is in %s", got)
	}
}
