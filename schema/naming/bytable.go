package naming

import (
	"maps"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// byTable is what the configuration gives to tables by [PDB.]OWNER.TABLE. The names are names, not patterns; case counts as it does for
// patterns.
type byTable[T any] struct {
	entries       []entry[T]
	caseSensitive bool
}

type entry[T any] struct {
	table string
	value T
}

// fill takes what is given, in order of the names. fault judges a value, and says nothing of a good one; faulty is told of what is not
// taken.
func (b *byTable[T]) fill(given map[string]T, fault func(T) string, faulty func(name, fault string)) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		said := fault(given[name])
		if !strings.Contains(name, ".") {
			said = "the name is not OWNER.TABLE or PDB.OWNER.TABLE"
		}
		for _, e := range b.entries {
			if said == "" && b.equal(e.table, name) {
				said = "the table is there twice, also as " + e.table
			}
		}
		if said != "" {
			faulty(name, said)
			continue
		}
		b.entries = append(b.entries, entry[T]{name, given[name]})
	}
}

func (b *byTable[T]) equal(x, y string) bool {
	if b.caseSensitive {
		return x == y
	}
	return strings.EqualFold(x, y)
}

// of gives what a table has, the zero value without an entry. An entry with the PDB goes before one without.
func (b *byTable[T]) of(t schema.Table) (none T) {
	for _, name := range [...]string{t.String(), t.Owner + "." + t.Name} {
		for _, e := range b.entries {
			if b.equal(e.table, name) {
				return e.value
			}
		}
	}
	return none
}

// unmatched lists the entries that name none of the tables: a warning each.
func (b *byTable[T]) unmatched(tables []schema.Table) []string {
	var unused []string
	for _, e := range b.entries {
		if !slices.ContainsFunc(tables, func(t schema.Table) bool {
			return b.equal(e.table, t.String()) || b.equal(e.table, t.Owner+"."+t.Name)
		}) {
			unused = append(unused, e.table)
		}
	}
	return unused
}
