package ledger

// Step is a DDL on a table.
type Step struct {
	// After and Behind are SCNs around it. What was changed and committed before lies at or below After, what was changed since above
	// Behind: nothing of the table is open meanwhile.
	After, Behind uint64
	// Text is the statement.
	Text string
	// Name is what the table is called from then on, Columns are its columns.
	Name    string
	Columns Columns
	// From has the place of each column before the step, -1 for one that was added; rows from before have the value of Fill there.
	From []int
	Fill []Value
	// Emptied: no row from before is left.
	Emptied bool
}

// Layout gives the columns behind so many steps.
func (t *Table) Layout(steps int) Columns {
	if steps == 0 {
		return t.Columns
	}
	return t.Steps[steps-1].Columns
}

// Now gives the columns behind all steps.
func (t *Table) Now() Columns { return t.Layout(len(t.Steps)) }

// Called gives the name behind so many steps, with PDB and owner.
func (t *Table) Called(steps int) string { return t.PDB + "." + t.Owner + "." + t.name(steps) }

// Place gives the name of now, with its owner.
func (t *Table) Place() string { return t.Owner + "." + t.name(len(t.Steps)) }

func (t *Table) name(steps int) string {
	if steps == 0 {
		return t.Name
	}
	return t.Steps[steps-1].Name
}

// At counts the steps that a change of an SCN has behind it.
func (t *Table) At(scn uint64) int {
	n := 0
	for n < len(t.Steps) && t.Steps[n].After < scn {
		n++
	}
	return n
}

// Forward takes a row from its layout to a later one. It reports false where the row is gone by then.
func (t *Table) Forward(row Row, from, to int) (Row, bool) {
	for _, step := range t.Steps[from:to] {
		if step.Emptied {
			return nil, false
		}
		next := make(Row, len(step.From))
		for i, at := range step.From {
			if at < 0 {
				next[i] = step.Fill[i]
				continue
			}
			next[i] = row[at]
		}
		row = next
	}
	return row, true
}
