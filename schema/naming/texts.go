package naming

import (
	"errors"
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Texts are texts that the configuration gives to tables by name, such as the conditions of snapshots. A nil Texts gives none.
type Texts struct{ byTable[string] }

// NewTexts reads texts by [PDB.]OWNER.TABLE. The names are names, not patterns; case counts as it does for patterns. field names the
// setting in errors.
func NewTexts(field string, given map[string]string, caseSensitive bool) (*Texts, error) {
	x := &Texts{byTable[string]{caseSensitive: caseSensitive}}
	var faults []error
	x.fill(given, func(text string) string {
		if strings.TrimSpace(text) == "" {
			return "the text is empty"
		}
		return ""
	}, func(name, fault string) { faults = append(faults, fmt.Errorf("%s: %s: %s", field, name, fault)) })
	return x, errors.Join(faults...)
}

// Of gives the text of a table, empty without an entry. An entry with the PDB goes before one without.
func (x *Texts) Of(t schema.Table) string {
	if x == nil {
		return ""
	}
	return x.of(t)
}

// Unmatched lists the entries that name none of the tables: a warning each.
func (x *Texts) Unmatched(tables []schema.Table) []string {
	if x == nil {
		return nil
	}
	return x.unmatched(tables)
}
