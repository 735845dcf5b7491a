package position

import (
	"cmp"
	"fmt"
	"slices"
)

// Table is a captured table as positions name it.
type Table struct {
	// Name is PDB.OWNER.TABLE.
	Name string
	// Object is the OBJECT_ID of the table itself, which no TRUNCATE and no MOVE changes, and which another table of that name does not have;
	// 0: not known.
	Object uint64
}

// Joint gives the tables of two positions, those of the first where both have one. Both are in order, and so is what comes out.
func Joint(first, second []Table) []Table {
	if slices.Equal(first, second) {
		return first
	}
	out := slices.Clone(first)
	for _, t := range second {
		if _, found := slices.BinarySearchFunc(first, t, byName); !found {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, byName)
	return out
}

func byName(a, b Table) int { return cmp.Compare(a.Name, b.Name) }

// checkTables holds the captured tables in their one form: in order, each once.
func (p *Position) checkTables() error {
	for i := 1; i < len(p.Tables); i++ {
		if byName(p.Tables[i-1], p.Tables[i]) >= 0 {
			return fmt.Errorf("position: captured tables %s and %s are out of order", p.Tables[i-1].Name, p.Tables[i].Name)
		}
	}
	return nil
}

func (w *writer) tables(tables []Table) {
	if len(tables) == 0 {
		return
	}
	w.child("tables")
	for _, t := range tables {
		w.number(t.Name, t.Object)
	}
	w.close()
}

// tables reads the member: the ids by name, or the names alone, as a build wrote them that did not know the ids.
func (r *reader) tables(top object, into *[]Table) {
	if raw := top.members["tables"]; len(raw) > 0 && raw[0] == '[' {
		var names []string
		top.option("tables", &names)
		for _, name := range names {
			*into = append(*into, Table{Name: name})
		}
		return
	}
	in := top.child("tables")
	for name := range in.members {
		t := Table{Name: name}
		in.take(name, &t.Object)
		*into = append(*into, t)
	}
	slices.SortFunc(*into, byName)
}
