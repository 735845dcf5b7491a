package naming

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Keys are the keys that the configuration gives to tables (key.columns). A nil Keys gives none.
type Keys struct{ byTable[[]string] }

// NewKeys reads column names in key order by [PDB.]OWNER.TABLE. The names are names, not patterns; case counts as it does for patterns.
func NewKeys(given map[string][]string, caseSensitive bool) (*Keys, error) {
	k := &Keys{byTable[[]string]{caseSensitive: caseSensitive}}
	var faults []error
	k.fill(given, k.fault, func(name, fault string) { faults = append(faults, fmt.Errorf("key.columns: %s: %s", name, fault)) })
	return k, errors.Join(faults...)
}

func (k *Keys) fault(columns []string) string {
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
	return ""
}

// Of gives the columns of a table's key as the configuration writes them, none without an entry. An entry with the PDB goes before one
// without.
func (k *Keys) Of(t schema.Table) []string {
	if k == nil {
		return nil
	}
	return k.of(t)
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
	return k.unmatched(tables)
}
