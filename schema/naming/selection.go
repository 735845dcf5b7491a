package naming

import (
	"errors"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Selection is the set of captured tables: what include matches, without what exclude matches and without Oracle's own
// schemas.
type Selection struct {
	include, exclude []Pattern
	// beside is a table that is read whatever the patterns say.
	beside schema.Table
}

// NewSelection compiles the two lists of the configuration.
func NewSelection(include, exclude []string, caseSensitive bool) (*Selection, error) {
	in, err1 := ParsePatterns(include, caseSensitive)
	if err1 != nil {
		err1 = fmt.Errorf("include: %w", err1)
	}
	out, err2 := ParsePatterns(exclude, caseSensitive)
	if err2 != nil {
		err2 = fmt.Errorf("exclude: %w", err2)
	}
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return &Selection{include: in, exclude: out}, nil
}

// Beside gives a selection that has a table more, whose records nobody asked for unless include does.
func (s *Selection) Beside(t schema.Table) *Selection {
	return &Selection{include: s.include, exclude: s.exclude, beside: t}
}

// Captured reports whether a table belongs to the set, or is read beside it.
func (s *Selection) Captured(t schema.Table) bool {
	return t.Name != "" && t == s.beside || s.Included(t)
}

// Included reports whether records of a table were asked for.
func (s *Selection) Included(t schema.Table) bool {
	return !OracleOwned(t.Owner) && anyMatches(s.include, t) && !anyMatches(s.exclude, t)
}

// Unmatched lists the patterns of include that match none of the captured tables: a warning each (contracts 8). A pattern of exclude
// matches none of them by its nature.
func (s *Selection) Unmatched(captured []schema.Table) []string {
	var unused []string
	for _, p := range s.include {
		if !matchesAny(p, captured) {
			unused = append(unused, p.text)
		}
	}
	return unused
}

func anyMatches(patterns []Pattern, t schema.Table) bool {
	for _, p := range patterns {
		if p.Match(t) {
			return true
		}
	}
	return false
}

func matchesAny(p Pattern, tables []schema.Table) bool {
	for _, t := range tables {
		if p.Match(t) {
			return true
		}
	}
	return false
}

// OracleOwned reports whether an owner is one of Oracle's own schemas. The dictionary's ORACLE_MAINTAINED says it too, from
// 12.1 on; the list holds where it does not (reference logminer I).
func OracleOwned(owner string) bool {
	switch owner {
	case "SYS", "SYSTEM", "AUDSYS", "XDB", "OUTLN", "DBSNMP", "MDSYS", "CTXSYS", "ORDSYS", "ORDDATA", "WMSYS", "LBACSYS", "OJVMSYS",
		"GSMADMIN_INTERNAL", "DVSYS", "DVF", "APPQOSSYS", "DBSFWUSER", "GGSYS", "ANONYMOUS", "OLAPSYS", "VECSYS":
		return true
	}
	return false
}
