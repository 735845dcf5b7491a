package naming

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Texts are texts that the configuration gives to tables by name, such as the conditions of snapshots. A nil Texts gives none.
type Texts struct {
	entries       []textEntry
	caseSensitive bool
}

type textEntry struct{ table, text string }

// NewTexts reads texts by [PDB.]OWNER.TABLE. The names are names, not patterns; case counts as it does for patterns. field names the
// setting in errors.
func NewTexts(field string, byTable map[string]string, caseSensitive bool) (*Texts, error) {
	t := &Texts{caseSensitive: caseSensitive}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(byTable)) {
		switch {
		case !strings.Contains(name, "."):
			faults = append(faults, fmt.Errorf("%s: %s: the name is not OWNER.TABLE or PDB.OWNER.TABLE", field, name))
		case strings.TrimSpace(byTable[name]) == "":
			faults = append(faults, fmt.Errorf("%s: %s: the text is empty", field, name))
		case slices.ContainsFunc(t.entries, func(e textEntry) bool { return t.equal(e.table, name) }):
			faults = append(faults, fmt.Errorf("%s: %s: the table is there twice", field, name))
		default:
			t.entries = append(t.entries, textEntry{table: name, text: byTable[name]})
		}
	}
	return t, errors.Join(faults...)
}

func (x *Texts) equal(a, b string) bool {
	if x.caseSensitive {
		return a == b
	}
	return strings.EqualFold(a, b)
}

// Of gives the text of a table, empty without an entry. An entry with the PDB goes before one without.
func (x *Texts) Of(t schema.Table) string {
	if x == nil {
		return ""
	}
	for _, name := range [...]string{t.String(), t.Owner + "." + t.Name} {
		for _, e := range x.entries {
			if x.equal(e.table, name) {
				return e.text
			}
		}
	}
	return ""
}

// Unmatched lists the entries that name none of the tables: a warning each.
func (x *Texts) Unmatched(tables []schema.Table) []string {
	if x == nil {
		return nil
	}
	var unused []string
	for _, e := range x.entries {
		if !slices.ContainsFunc(tables, func(t schema.Table) bool {
			return x.equal(e.table, t.String()) || x.equal(e.table, t.Owner+"."+t.Name)
		}) {
			unused = append(unused, e.table)
		}
	}
	return unused
}
