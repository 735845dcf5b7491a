package naming

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Pattern is one RE2 expression over whole table names.
type Pattern struct {
	text string
	re   *regexp.Regexp
}

// ParsePattern compiles a pattern. It is case-insensitive unless caseSensitive.
func ParsePattern(text string, caseSensitive bool) (Pattern, error) {
	if text == "" {
		return Pattern{}, errors.New("pattern is empty: it would match no table")
	}
	if _, err := regexp.Compile(text); err != nil {
		return Pattern{}, fmt.Errorf("pattern %q: %w", text, err)
	}
	expression := text
	if !caseSensitive {
		expression = "(?i)" + text
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return Pattern{}, fmt.Errorf("pattern %q: %w", text, err)
	}
	// The longest match at the leftmost place is the whole name if any match is. Anchors put around the text would be undone
	// by an unfinished \Q in it.
	re.Longest()
	return Pattern{text: text, re: re}, nil
}

// String gives the pattern as it was written.
func (p Pattern) String() string { return p.text }

// Match reports whether the pattern matches PDB.OWNER.TABLE as a whole or, in a container database, OWNER.TABLE.
func (p Pattern) Match(t schema.Table) bool {
	if p.whole(t.String()) {
		return true
	}
	return t.PDB != "" && p.whole(t.Owner+"."+t.Name)
}

func (p Pattern) whole(name string) bool {
	at := p.re.FindStringIndex(name)
	return at != nil && at[0] == 0 && at[1] == len(name)
}

// ParsePatterns compiles a list; the error joins the faults of all its members.
func ParsePatterns(texts []string, caseSensitive bool) ([]Pattern, error) {
	patterns := make([]Pattern, 0, len(texts))
	var faults []error
	for _, text := range texts {
		p, err := ParsePattern(text, caseSensitive)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		patterns = append(patterns, p)
	}
	return patterns, errors.Join(faults...)
}
