package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// resumption knows what was acknowledged before a restart, and sorts what is mined again by it (R51). The zero
// resumption lets everything pass.
type resumption struct {
	done  position.Boundary
	group *position.Group
	// recounted: the events of a transaction are counted otherwise than before the restart, so that an index says nothing.
	recounted bool
	// start is the S of a first start: commits at or below it are not emitted (R90).
	start position.SCN
	// ahead are commits that were acknowledged before the groups that they are in.
	ahead []position.Key
	// firstStart is what the stored position still keeps of a first start.
	firstStart *position.FirstStart
	// released is what the stored position says of transactions that were given up.
	released []position.Transaction
	// unseen are the partitions that it names.
	unseen []position.Partition
	// tables are the captured ones that it names.
	tables []position.Table
}

// acknowledged reports whether a commit was acknowledged before the restart, or lies before the first start: it only ends its
// transaction.
func (r *resumption) acknowledged(k position.Key) bool {
	return k.SCN <= r.start || r.done.Covers(k.SCN, k.Thread, k.Address)
}

// pending reports whether what was acknowledged before the restart is not mined again yet. Until then every new item waits:
// the group in progress is finished before any other item, and a position in between would say less than the stored one. A
// step that reaches the SCN of a boundary has delivered everything in its region.
func (r *resumption) pending(b position.Boundary) bool { return b.SCN < r.target().SCN }

// target is the boundary behind everything that was acknowledged, or begun to be.
func (r *resumption) target() position.Boundary {
	if r.group != nil {
		return r.group.Boundary
	}
	return r.done
}

// drop releases the items that only end their transaction.
func (r *resumption) drop(items []*transaction.Committed) []*transaction.Committed {
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

// others releases the items that were acknowledged before their group. What else they ask for, as rows of the signal table, is the group's.
func (r *resumption) others(items []*transaction.Committed) []*transaction.Committed {
	if len(r.ahead) == 0 {
		return items
	}
	out := items[:0]
	for _, item := range items {
		if slices.Contains(r.ahead, item.Key) {
			item.Release()
			continue
		}
		out = append(out, item)
	}
	return out
}

// split takes the items of the group in progress that are still to be emitted out of items, in the order of their keys, and
// ends the group.
func (r *resumption) split(items []*transaction.Committed) (first *group, others []*transaction.Committed) {
	if r.group == nil {
		return nil, items
	}
	g := *r.group
	r.done, r.group = g.Boundary, nil
	first = &group{boundary: g.Boundary}
	for _, item := range items {
		if !g.Covers(item.Key.SCN, item.Key.Thread, item.Key.Address) {
			others = append(others, item)
			continue
		}
		keep, after := r.continues(g, item)
		if !keep {
			item.Release()
			continue
		}
		first.items = append(first.items, item)
		if after != nil {
			first.after = after
		}
	}
	return first, others
}

// continues says whether an item of the group in progress still has something to emit, and from where.
func (r *resumption) continues(g position.Group, item *transaction.Committed) (keep bool, after *acknowledged) {
	switch c := item.Key.Compare(g.Key); {
	case c < 0, c == 0 && g.Complete:
		return false, nil
	case c > 0, r.recounted:
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
