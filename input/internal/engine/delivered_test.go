package engine

import (
	"fmt"
	"slices"
)

// check holds what was delivered against the model: the whole committed transactions that the position did not cover, from the
// first on, in commit order.
func (g *generation) check() error {
	expected := g.w.expected(g.start)
	place := map[string]int{}
	for i, e := range expected {
		place[e] = i
	}
	for i, e := range g.delivered {
		switch {
		case g.covered[e]:
			return fmt.Errorf("event %d was acknowledged before the restart: %s", i, e)
		case slices.Contains(g.delivered[:i], e):
			return fmt.Errorf("event %d comes twice: %s", i, e)
		}
		if _, ok := place[e]; !ok {
			return fmt.Errorf("event %d was never committed: %s", i, e)
		}
	}
	if g.w.mayBeLate() {
		return g.checkLate(expected, place)
	}
	rest := slices.DeleteFunc(slices.Clone(expected), func(e string) bool { return g.covered[e] })
	for i, e := range g.delivered {
		if i >= len(rest) || rest[i] != e {
			return fmt.Errorf("event %d is %s, want %s", i, e, rest[min(i, len(rest)-1)])
		}
	}
	return nil
}

// checkLate allows transactions to overtake each other, but not to mix, and holds the order of every key (R31).
func (g *generation) checkLate(expected []string, place map[string]int) error {
	newest := map[string]int{}
	seen := map[string]bool{}
	current := ""
	for i, e := range g.delivered {
		var xid, key, kind, values string
		if _, err := fmt.Sscanf(e, "%s %s %s %s", &xid, &kind, &key, &values); err != nil {
			return err
		}
		if before, ok := newest[key]; ok && before > place[e] {
			return fmt.Errorf("event %d comes behind a later change of its key: %s behind %s", i, e, expected[before])
		}
		newest[key] = place[e]
		tx := transactionIn(xid)
		if tx != current {
			if seen[tx] {
				return fmt.Errorf("event %d: transaction %s is torn", i, tx)
			}
			if current != "" && i > 0 && lastOf(expected, current) != place[g.delivered[i-1]] {
				return fmt.Errorf("event %d: transaction %s was left before its end", i, current)
			}
			seen[tx], current = true, tx
		} else if place[e] != place[g.delivered[i-1]]+1 {
			return fmt.Errorf("event %d: a hole inside transaction %s", i, tx)
		}
	}
	return nil
}

func transactionIn(e string) string {
	for i, r := range e {
		if r == '#' {
			return e[:i]
		}
	}
	return e
}

func lastOf(expected []string, tx string) int {
	last := -1
	for i, e := range expected {
		if transactionIn(e) == tx {
			last = i
		}
	}
	return last
}
