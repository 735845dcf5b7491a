package workload

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// rows is what a session's own part of the tables holds. Sessions own disjoint parts, so nobody else changes them but DDL.
type rows map[*ledger.Table]*part

// part is the rows of one table by key, in the layout behind so many steps.
type part struct {
	rows  map[string]ledger.Row
	steps int
}

func newRows(schema *Schema) rows {
	r := rows{}
	for _, table := range schema.Tables() {
		r[table] = &part{rows: map[string]ledger.Row{}}
	}
	return r
}

func (r rows) clone() rows {
	c := rows{}
	for table, p := range r {
		c[table] = &part{rows: maps.Clone(p.rows), steps: p.steps}
	}
	return c
}

// refresh makes of the rows of a table what DDL has made of them.
func (r rows) refresh(table *ledger.Table) {
	p := r[table]
	if p.steps == len(table.Steps) {
		return
	}
	for key, row := range p.rows {
		next, left := table.Forward(row, p.steps, len(table.Steps))
		if !left {
			delete(p.rows, key)
			continue
		}
		p.rows[key] = next
	}
	p.steps = len(table.Steps)
}

func (r rows) has(table *ledger.Table, key ledger.Row) bool {
	_, ok := r[table].rows[key.String()]
	return ok
}

func (r rows) put(table *ledger.Table, row ledger.Row) {
	r[table].rows[table.Now().Key(row).String()] = row
}

func (r rows) remove(table *ledger.Table, key ledger.Row) { delete(r[table].rows, key.String()) }

// pick returns any row of a table, nil if there is none.
func (r rows) pick(random *rand.Rand, table *ledger.Table) ledger.Row {
	keys := slices.Sorted(maps.Keys(r[table].rows))
	if len(keys) == 0 {
		return nil
	}
	return r[table].rows[keys[random.IntN(len(keys))]]
}
