package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// resumption knows what was acknowledged before a restart, and sorts what is mined again by it (R51). The zero
// resumption lets everything pass.
type resumption struct {
	done  position.Boundary
	group *position.Group
	// start is the SCN of a first start: commits at or below it are not emitted (R90).
	start position.SCN
}

// acknowledged reports whether a commit was acknowledged before the restart, or lies before the first start: it only ends its
// transaction.
func (r *resumption) acknowledged(k position.Key) bool {
	return k.SCN <= r.start || r.done.Covers(k.SCN, k.Thread, k.Address)
}

// pending reports whether the group in progress is not yet covered by a boundary: until then every item waits, since the
// group is finished before any other item.
func (r *resumption) pending(b position.Boundary) bool {
	return r.group != nil && !r.group.Within(b)
}

// split sorts items by what the position says of them: those of the group in progress that are still to be emitted, and all
// others. Acknowledged ones are released. It ends the group.
func (r *resumption) split(items []*transaction.Committed) (first *group, others []*transaction.Committed) {
	if r.group == nil {
		return nil, r.rest(items)
	}
	g := *r.group
	first = &group{boundary: g.Boundary}
	var rest []*transaction.Committed
	for _, item := range items {
		switch {
		case r.acknowledged(item.Key):
			item.Release()
		case !g.Covers(item.Key.SCN, item.Key.Thread, item.Key.Address):
			rest = append(rest, item)
		default:
			if keep, after := continues(g, item); keep {
				first.items = append(first.items, item)
				if after != nil {
					first.after = after
				}
			} else {
				item.Release()
			}
		}
	}
	r.done, r.group = g.Boundary, nil
	return first, rest
}

// continues says whether an item of the group in progress still has something to emit, and from where.
func continues(g position.Group, item *transaction.Committed) (keep bool, after *acknowledged) {
	switch c := item.Key.Compare(g.Key); {
	case c < 0, c == 0 && g.Complete:
		return false, nil
	case c > 0:
		return true, nil
	}
	return true, locate(g, item)
}

// locate finds the last acknowledged event by its index; its address must agree. If it does not (the captured tables or the
// numbering changed), the item is sent again from its first event (R67).
func locate(g position.Group, item *transaction.Committed) *acknowledged {
	index := 0
	for c := range item.Changes() {
		if index == g.Index {
			if c.Address == g.Event {
				return &acknowledged{event: g.Event, index: g.Index}
			}
			return nil
		}
		index++
	}
	return nil
}

func (r *resumption) rest(items []*transaction.Committed) []*transaction.Committed {
	out := items[:0]
	for _, item := range items {
		if r.acknowledged(item.Key) {
			item.Release()
			continue
		}
		out = append(out, item)
	}
	return out
}
