package naming

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Keys are the keys that the configuration gives to tables (key.columns). A nil Keys gives none.
type Keys struct {
	entries       []keyEntry
	caseSensitive bool
}

type keyEntry struct {
	table   string
	columns []string
}

// NewKeys reads column names in key order by [PDB.]OWNER.TABLE. The names are names, not patterns; case counts as it does for patterns.
func NewKeys(byTable map[string][]string, caseSensitive bool) (*Keys, error) {
	k := &Keys{caseSensitive: caseSensitive}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(byTable)) {
		columns := byTable[name]
		if fault := k.fault(name, columns); fault != "" {
			faults = append(faults, fmt.Errorf("key.columns: %s: %s", name, fault))
			continue
		}
		k.entries = append(k.entries, keyEntry{table: name, columns: columns})
	}
	return k, errors.Join(faults...)
}

func (k *Keys) fault(name string, columns []string) string {
	if !strings.Contains(name, ".") {
		return "the name is not OWNER.TABLE or PDB.OWNER.TABLE"
	}
	if len(columns) == 0 {
		return "no column is named"
	}
	for i, c := range columns {
		if c == "" {
			return "a column has no name"
		}
		if slices.ContainsFunc(columns[:i], func(other string) bool { return k.equal(other, c) }) {
			return "column " + c + " is named twice"
		}
	}
	for _, e := range k.entries {
		if k.equal(e.table, name) {
			return "the table is there twice, also as " + e.table
		}
	}
	return ""
}

func (k *Keys) equal(a, b string) bool {
	if k.caseSensitive {
		return a == b
	}
	return strings.EqualFold(a, b)
}

// Of gives the columns of a table's key as the configuration writes them, none without an entry. An entry with the PDB goes before one
// without.
func (k *Keys) Of(t schema.Table) []string {
	if k == nil {
		return nil
	}
	for _, name := range [...]string{t.String(), t.Owner + "." + t.Name} {
		for _, e := range k.entries {
			if k.equal(e.table, name) {
				return e.columns
			}
		}
	}
	return nil
}

// Column finds a column of a version by the name in an entry: the exact one before one that differs in case.
func (k *Keys) Column(v *schema.Version, name string) (int, bool) {
	if i, ok := v.Column(name); ok || k.caseSensitive {
		return i, ok
	}
	i := slices.IndexFunc(v.Columns, func(c schema.Column) bool { return strings.EqualFold(c.Name, name) })
	return i, i >= 0
}

// Unmatched lists the entries that name none of the tables: a warning each.
func (k *Keys) Unmatched(tables []schema.Table) []string {
	if k == nil {
		return nil
	}
	var unused []string
	for _, e := range k.entries {
		if !slices.ContainsFunc(tables, func(t schema.Table) bool {
			return k.equal(e.table, t.String()) || k.equal(e.table, t.Owner+"."+t.Name)
		}) {
			unused = append(unused, e.table)
		}
	}
	return unused
}
