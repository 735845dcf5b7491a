package engine

import (
	"strconv"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// R106: a table whose name is away and back between two DDL of its own is captured on, whatever reading of the dictionary lies between them:
// no reading that did not have it takes it away later.
func TestR106TableThatIsThereAgainIsCapturedOn(t *testing.T) {
	a, b, away := table("A", 101), table("B", 102), table("A", 101)
	away.Table.Name = "FOREIGN"
	for name, ddls := range map[string][2]logminer.Row{
		"renamed": {ddl(a, xid(10), 1100, "rename A to FOREIGN"), ddl(away, xid(11), 1200, "rename FOREIGN to A")},
		"dropped": {ddl(a, xid(10), 1100, "drop table A"), ddl(a, xid(11), 1200, "flashback table A to before drop")},
	} {
		t.Run(name, func(t *testing.T) {
			parts := []scripted{
				{rows: []logminer.Row{ddls[0], commit(xid(10), 1110)}, shows: []*schema.Version{b}},
				{rows: []logminer.Row{ddls[1], commit(xid(11), 1210)}, shows: []*schema.Version{a, b}},
			}
			want := []string{}
			for n := range 3 {
				scn := position.SCN(1300 + 100*n)                                                                                                    //nolint:gosec // small
				parts = append(parts, scripted{rows: []logminer.Row{insert(a, xid(uint16(20+n)), scn, n+1, "a"), commit(xid(uint16(20+n)), scn+1)}}) //nolint:gosec // small
				want = append(want, "ID="+strconv.Itoa(n+1))
			}
			everyOrder(2, 9, func(at []int) {
				s := followingOps(t)
				s.play(s.beginning())
				from := s.through(s.last())
				s.ticking(append(at, 10, 14, 18), parts)
				s.play(from)
				got := strings.Join(s.rows(), "\n")
				if s.err != nil {
					t.Fatalf("%v: %v", at, s.err)
				}
				for _, row := range want {
					if !strings.Contains(got, row) {
						t.Fatalf("%v: no row %s in\n%s", at, row, got)
					}
				}
			})
		})
	}
}
