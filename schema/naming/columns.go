package naming

import (
	"errors"
	"fmt"
	"regexp/syntax"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// MatchColumn reports whether the pattern matches PDB.OWNER.TABLE.COLUMN as a whole or, in a container database,
// OWNER.TABLE.COLUMN.
func (p Pattern) MatchColumn(t schema.Table, column string) bool {
	if p.whole(t.String() + "." + column) {
		return true
	}
	return t.PDB != "" && p.whole(t.Owner+"."+t.Name+"."+column)
}

// mayMatchColumnOf reports whether the pattern can match some column of a table, judged from the table's name alone: for rows
// whose columns nobody knows. A pattern that begins with .* can match one of every table.
func (p Pattern) mayMatchColumnOf(t schema.Table) bool {
	if p.mayBegin(t.String() + ".") {
		return true
	}
	return t.PDB != "" && p.mayBegin(t.Owner+"."+t.Name+".")
}

// mayBegin reports whether a longer text that begins with this one can match. It walks through the automaton of the expression and
// asks whether anything is left that takes another character; anchors inside count as met, so that it errs towards yes.
func (p Pattern) mayBegin(text string) bool {
	parsed, err := syntax.Parse(p.re.String(), syntax.Perl)
	if err != nil {
		return true
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return true
	}
	states := reach(program, nil, uint32(program.Start)) //nolint:gosec // an index of instructions
	for _, r := range text {
		var next []uint32
		for _, at := range states {
			if inst := &program.Inst[at]; takes(inst, r) {
				next = reach(program, next, inst.Out)
			}
		}
		if states = next; len(states) == 0 {
			return false
		}
	}
	return true
}

// takes reports whether an instruction consumes a character.
func takes(inst *syntax.Inst, r rune) bool {
	switch inst.Op {
	case syntax.InstRuneAny:
		return true
	case syntax.InstRuneAnyNotNL:
		return r != '\n'
	case syntax.InstRune, syntax.InstRune1:
		return inst.MatchRune(r)
	default:
		return false
	}
}

// reach adds the instructions that consume a character and can be reached from one without consuming any.
func reach(program *syntax.Prog, states []uint32, from uint32) []uint32 {
	seen := make([]bool, len(program.Inst))
	for _, at := range states {
		seen[at] = true
	}
	var walk func(at uint32)
	walk = func(at uint32) {
		if seen[at] {
			return
		}
		seen[at] = true
		switch inst := &program.Inst[at]; inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			walk(inst.Out)
			walk(inst.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			walk(inst.Out)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			states = append(states, at)
		case syntax.InstMatch, syntax.InstFail:
		}
	}
	walk(from)
	return states
}

// Columns says which columns are never read. A nil Columns takes none away.
type Columns struct {
	include, exclude []Pattern
	// masked are patterns whose columns are read and not shown.
	masked []Pattern
}

// NewColumns compiles columns.include and columns.exclude, which exclude each other.
func NewColumns(include, exclude []string, caseSensitive bool) (*Columns, error) {
	if len(include) > 0 && len(exclude) > 0 {
		return nil, errors.New("columns.include and columns.exclude exclude each other")
	}
	in, err1 := ParsePatterns(include, caseSensitive)
	if err1 != nil {
		err1 = fmt.Errorf("columns.include: %w", err1)
	}
	out, err2 := ParsePatterns(exclude, caseSensitive)
	if err2 != nil {
		err2 = fmt.Errorf("columns.exclude: %w", err2)
	}
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return &Columns{include: in, exclude: out}, nil
}

// Excluded reports whether a column is taken away. Keys stay where only columns.include leaves them out; a key that
// columns.exclude matches is for the caller to refuse.
func (c *Columns) Excluded(t schema.Table, column string, key bool) bool {
	switch {
	case c == nil:
		return false
	case len(c.include) > 0:
		return !key && !matchesColumn(c.include, t, column)
	}
	return matchesColumn(c.exclude, t, column)
}

// Hide names columns that are masked: what quotes a row must not show them either.
func (c *Columns) Hide(masked ...Pattern) { c.masked = append(c.masked, masked...) }

// Withheld gives what stands for the text of a row that may show an excluded or masked column, empty where it may be shown. Whether it
// may is judged from the table's name alone, since text that cannot be read has no columns.
func (c *Columns) Withheld(t schema.Table) string {
	switch {
	case c == nil:
		return ""
	case c.MayExclude(t):
		return "<withheld: columns.exclude may match this table>"
	}
	for _, p := range c.masked {
		if p.mayMatchColumnOf(t) {
			return "<withheld: columns.mask may match this table>"
		}
	}
	return ""
}

// MayExclude reports whether some column of a table may be taken away, judged from the table's name alone: for text of a row
// that cannot be split into columns.
func (c *Columns) MayExclude(t schema.Table) bool {
	if c == nil {
		return false
	}
	if len(c.include) > 0 {
		return true
	}
	for _, p := range c.exclude {
		if p.mayMatchColumnOf(t) {
			return true
		}
	}
	return false
}

// Unmatched lists the patterns that match no column of the versions: a warning each (contracts 8).
func (c *Columns) Unmatched(versions []*schema.Version) []string {
	if c == nil {
		return nil
	}
	var unused []string
	for _, list := range [][]Pattern{c.include, c.exclude} {
		unused = append(unused, UnmatchedColumns(list, versions)...)
	}
	return unused
}

// UnmatchedColumns lists the patterns of a list that match no column of the versions.
func UnmatchedColumns(patterns []Pattern, versions []*schema.Version) []string {
	var unused []string
	for _, p := range patterns {
		if !matchesAnyColumn(p, versions) {
			unused = append(unused, p.text)
		}
	}
	return unused
}

func matchesAnyColumn(p Pattern, versions []*schema.Version) bool {
	for _, v := range versions {
		for i := range v.Columns {
			if p.MatchColumn(v.Table, v.Columns[i].Name) {
				return true
			}
		}
	}
	return false
}

func matchesColumn(patterns []Pattern, t schema.Table, column string) bool {
	for _, p := range patterns {
		if p.MatchColumn(t, column) {
			return true
		}
	}
	return false
}
