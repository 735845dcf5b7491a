package workload

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// rows is what a session's own part of the tables holds, by key. Sessions own disjoint parts, so nobody else changes them.
type rows map[*ledger.Table]map[string]ledger.Row

func newRows(schema *Schema) rows {
	r := rows{}
	for _, table := range schema.Tables() {
		r[table] = map[string]ledger.Row{}
	}
	return r
}

func (r rows) clone() rows {
	c := rows{}
	for table, m := range r {
		c[table] = maps.Clone(m)
	}
	return c
}

func (r rows) has(table *ledger.Table, key ledger.Row) bool {
	_, ok := r[table][key.String()]
	return ok
}

func (r rows) put(table *ledger.Table, row ledger.Row) { r[table][table.Key(row).String()] = row }

func (r rows) remove(table *ledger.Table, key ledger.Row) { delete(r[table], key.String()) }

// pick returns any row of a table, nil if there is none.
func (r rows) pick(random *rand.Rand, table *ledger.Table) ledger.Row {
	keys := slices.Sorted(maps.Keys(r[table]))
	if len(keys) == 0 {
		return nil
	}
	return r[table][keys[random.IntN(len(keys))]]
}
