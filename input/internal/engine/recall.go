package engine

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// remembered are the stored versions of a table, oldest first.
type remembered struct {
	versions    []*schema.Version
	partitioned bool
	// now is what the dictionary shows of the table where a DDL on it lies ahead; nil: it shows the last version, or no table.
	now *schema.Version
	// doubted: it is not certain whose the segments are that only now has.
	doubted bool
}

// recall takes the versions of all tables as they began: segments go from one table to another, and what is known of one goes with it.
func (m *miner) recall(set *tables, records []remembered) {
	type place struct{ record, version int }
	var order []place
	for r := range records {
		for i := range records[r].versions {
			order = append(order, place{r, i})
		}
	}
	slices.SortStableFunc(order, func(a, b place) int {
		return cmp.Compare(records[a.record].versions[a.version].ValidFrom, records[b.record].versions[b.version].ValidFrom)
	})
	for _, at := range order {
		of := &records[at.record]
		var next *schema.Version
		if at.version+1 < len(of.versions) {
			next = of.versions[at.version+1]
		}
		m.recallVersion(set, of.versions[at.version], next, of.partitioned)
	}
	for i := range records {
		of := &records[i]
		if of.now == nil {
			continue
		}
		set.named[of.now.Table] = of.now
		if of.doubted {
			set.doubted(of.versions[len(of.versions)-1], of.now)
		}
	}
}

// recallVersion takes a version of a table. Segments that it has and the next one has not are the table's no more: from the SCN that is stored,
// where it was another table that took the name, else from the next version on.
func (m *miner) recallVersion(set *tables, v, next *schema.Version, partitioned bool) {
	from := position.SCN(v.ValidFrom)
	had := *v
	had.ObjectIDs = slices.DeleteFunc(slices.Clone(v.ObjectIDs), func(id uint64) bool {
		return slices.ContainsFunc(v.Spells, func(s schema.Spell) bool { return s.ID == id && s.From > 0 })
	})
	set.grow(&had)
	set.name(v, partitioned)
	set.unsaw(v, had.ObjectIDs)
	set.begin(v.Container, had.ObjectIDs, era{version: v, from: from, began: from})
	for _, spell := range v.Spells {
		began := position.SCN(max(spell.From, v.ValidFrom))
		set.begin(v.Container, []uint64{spell.ID}, era{version: v, from: began, began: began})
		if to := position.SCN(spell.To); to > 0 {
			set.begin(v.Container, []uint64{spell.ID}, era{version: v, from: to, began: to, gone: true})
		}
	}
	set.list(v)
	m.history.hold(v, v)
	m.pend(v)
	m.history.numbers[v.Table], m.history.stored[v.Table], m.history.known[v.Table] = v.Number, true, max(v.ValidFrom, v.GoneFrom)
	gone, unseen, lost := position.SCN(v.GoneFrom), position.SCN(v.UnseenTo), v.ObjectIDs
	switch {
	case gone > 0:
		set.drop(v)
	case next != nil:
		gone = position.SCN(next.ValidFrom)
		lost = slices.DeleteFunc(slices.Clone(lost), func(id uint64) bool { return slices.Contains(next.ObjectIDs, id) })
	default:
		return
	}
	if unseen > 0 {
		set.begin(v.Container, lost, era{version: v, from: gone, began: gone, unknown: true})
		gone = unseen
	}
	if gone < position.Unlimited {
		set.begin(v.Container, lost, era{version: v, from: gone, began: gone, gone: true})
	}
}
