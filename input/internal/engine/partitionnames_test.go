package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// R101, R103: a row goes into a partition that its insert made, and its table gets another name, whenever the dictionary is read, wherever the
// steps end, and however long the log writer keeps the DDL back: the row has the name that the table had then.
func TestR103RowOfAPartitionThatNobodySawHasTheNameFromBeforeARename(t *testing.T) {
	for name, to := range map[string]string{"not captured": "FOREIGN", "captured": "C"} {
		t.Run(name, func(t *testing.T) {
			a, b := segments(table("A", 101), 101, 401), table("B", 102)
			grown, renamed := segments(a, 101, 401, 501), called(segments(a, 101, 401, 501), to)
			in := segments(a, 501)
			behind := []*schema.Version{b}
			want := []string{"PDB1.APP.A/1 c ID=1 V=new partition", "PDB1.APP.B/1 c ID=3 V=b"}
			if to == "C" {
				behind = append(behind, renamed)
				want = append(want, "PDB1.APP.C/1 c ID=2 V=behind")
			}
			script := func() []scripted {
				return []scripted{
					{rows: []logminer.Row{insert(in, xid(1), 1101, 1, "new partition"), commit(xid(1), 1103)}, shows: []*schema.Version{grown, b}},
					{shows: behind}, // the log writer waits
					{rows: []logminer.Row{ddl(a, xid(2), 1200, "rename A to "+to), commit(xid(2), 1250)}},
					{rows: []logminer.Row{
						insert(called(in, to), xid(3), 1301, 2, "behind"), commit(xid(3), 1303), insert(b, xid(4), 1304, 3, "b"), commit(xid(4), 1305),
					}},
				}
			}
			var failed []string
			n := 0
			everyOrder(4, 9, func(at []int) {
				n++
				s := following(t)
				s.foreign("FOREIGN")
				s.a, s.db.described = a, []*schema.Version{a, b}
				s.db.partition[a.Table], s.db.partition[renamed.Table] = true, true
				s.play(s.beginning())
				held := s.through(s.last())
				s.ticking(at, script())
				s.play(held)
				got := strings.Join(s.rows(), "\n")
				for _, row := range want {
					if s.err != nil || strings.Count(got, row) != 1 || strings.Count(got, " c ") != len(want) {
						failed = append(failed, fmt.Sprintf("%v: %v\n%s", at, s.err, got))
						break
					}
				}
			})
			if len(failed) > 0 {
				t.Errorf("%d of %d ways fail, the first\n%s", len(failed), n, strings.Join(failed[:min(3, len(failed))], "\n"))
			}
		})
	}
}
