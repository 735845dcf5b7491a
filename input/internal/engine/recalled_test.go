package engine

import (
	"context"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// R101, R103: two tables swapped their names, whichever of them comes first by its name, and an insert had made a partition of one before that,
// of which no version from before has the id. Behind a restart its older rows are those of the table that had the name then.
func TestR101PartitionOfAnInsertBeforeASwapOfNamesBehindARestart(t *testing.T) {
	for _, names := range [][2]string{{"A", "B"}, {"B", "A"}} {
		t.Run(names[0], func(t *testing.T) {
			parted, plain := table(names[0], 101), table(names[1], 102)
			s := following(t)
			stored := registry.New("shop")
			s.config.Versions = func(context.Context, func(string) (int, bool)) (*registry.Registry, error) { return stored, nil }
			moved, other := called(segments(parted, 101, 301), names[1]), called(plain, names[0])
			for i, v := range []*schema.Version{parted, plain, moved, other} {
				own := *v
				own.Number, own.ValidFrom, own.Exact = 1+i/2, []uint64{900, 900, 1250, 1200}[i], true
				own.CertainFrom = own.ValidFrom
				if _, err := stored.Add(&own); err != nil {
					t.Fatal(err)
				}
				if own.GoneFrom = []uint64{1190, 1200, 0, 0}[i]; own.GoneFrom > 0 {
					stored.End(&own)
				}
			}
			s.db.partition[moved.Table] = true
			s.db.described = []*schema.Version{moved, other}
			s.step(
				insert(segments(moved, 301), xid(1), 1150, 1, "p"), insert(other, xid(1), 1151, 2, "q"), commit(xid(1), 1152),
				insert(segments(moved, 301), xid(2), 1350, 3, "p"), insert(other, xid(2), 1351, 4, "q"), commit(xid(2), 1352),
			)
			s.play(s.beginning())
			s.wantRows(
				"shop.PDB1.APP."+names[0]+"/1 c ID=1 V=p", "shop.PDB1.APP."+names[1]+"/1 c ID=2 V=q",
				"shop.PDB1.APP."+names[1]+"/2 c ID=3 V=p", "shop.PDB1.APP."+names[0]+"/2 c ID=4 V=q",
			)
		})
	}
}
