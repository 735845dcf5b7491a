package engine

import (
	"math/rand/v2"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// sample is SAMPLE: every row, or every block, is in it with a probability.
type sample struct {
	block  bool
	chance float64
	seed   uint64
}

// takes reports whether a row is in the sample.
func (s *sample) takes(r *store.Row) bool {
	id := store.PlaceOf(r)
	if s.block {
		id >>= 16
	}
	return rand.New(rand.NewPCG(s.seed, id)).Float64() < s.chance //nolint:gosec // no secret
}

// part limits a source to one partition, or to a sample.
func (c *compiler) part(src *source, t *sql.Table) error {
	if t.Partition != "" {
		p := src.layout.Partitioning
		if p == nil {
			return at(t.Pos, wire.Errorf(14501, "object is not partitioned"))
		}
		i := slices.IndexFunc(p.Partitions, func(one catalog.Partition) bool { return one.Name == t.Partition })
		if i < 0 {
			return at(t.Pos, wire.Errorf(2149, "Specified partition does not exist"))
		}
		src.partition = p.Partitions[i].ObjectID
	}
	if t.Sample == nil {
		return nil
	}
	percent, err := c.constantNumber(t.Sample.Percent)
	if err != nil {
		return err
	}
	if percent < 0.000001 || percent >= 100 {
		return at(t.Sample.Percent.Pos(), wire.Errorf(30562, "SAMPLE percentage must be in the range [0.000001,100)"))
	}
	src.sample = &sample{block: t.Sample.Block, chance: percent / 100, seed: rand.Uint64()} //nolint:gosec // no secret
	if t.Sample.Seed == nil {
		return nil
	}
	seed, err := c.constantNumber(t.Sample.Seed)
	src.sample.seed = uint64(seed)
	return err
}

func (c *compiler) constantNumber(e sql.Expr) (float64, error) {
	n, err := c.expr(e)
	if err != nil {
		return 0, err
	}
	if n = c.toNumber(n); !n.constant || n.value.IsNull() {
		return 0, at(e.Pos(), wire.Errorf(933, "SQL command not properly ended"))
	}
	return n.value.Number.Float64()
}
