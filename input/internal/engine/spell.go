package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// without gives the segments of a version that another has not.
func without(v, other *schema.Version) []uint64 {
	return slices.DeleteFunc(slices.Clone(v.ObjectIDs), func(id uint64) bool { return slices.Contains(other.ObjectIDs, id) })
}

// shrink ends the segments that a table has no more. With an exchange among the DDL on its partitions another table may have them from that on.
// Else they are nobody's once they are gone, and which DDL took which one away does not matter: it may lie ahead, up to the reading. Where all
// DDL on partitions lies ahead they stay the table's, and the next reading differs again.
func (t *tables) shrink(was, v *schema.Version, shaping []committedDDL, behind position.SCN) {
	lost := without(was, v)
	if len(lost) == 0 {
		return
	}
	moved := moving(shaping)
	if len(moved) == 0 {
		v.ObjectIDs = append(v.ObjectIDs, lost...)
		slices.Sort(v.ObjectIDs)
		return
	}
	first, last := moved[0], moved[len(moved)-1]
	if !slices.ContainsFunc(moved, committedDDL.exchanges) {
		for _, d := range shaping {
			if d.relays() { // with a layout that nobody has seen in them
				t.begin(was.Container, lost, era{version: was, from: d.commit, began: d.scn, unknown: true})
				break
			}
		}
		t.begin(was.Container, lost, era{version: was, from: behind, began: behind, gone: true})
		return
	}
	if len(moved) > 1 { // which of them gave the table which segment nobody says
		t.begin(was.Container, without(v, was), era{version: was, from: first.commit, began: first.scn, unknown: true})
		t.begin(was.Container, lost, era{version: was, from: first.commit, began: first.scn, unknown: true})
	}
	t.begin(was.Container, lost, era{version: was, from: last.commit, began: last.scn, gone: true})
}

// resegmented announces that a version has other segments, and from when to when it had those that came from another table or went (R101).
func (m *miner) resegmented(was, v *schema.Version, by []committedDDL, behind position.SCN) {
	m.pend(v)
	v.Spells = slices.Clone(was.Spells)
	if stored := m.stored(); stored > 0 { // what a restart does not mine again needs no spell
		v.Spells = slices.DeleteFunc(v.Spells, func(s schema.Spell) bool { return s.To > 0 && s.To <= uint64(stored) })
	}
	if moving := moving(by); len(moving) > 0 {
		at := uint64(moving[len(moving)-1].commit)
		exchanged := slices.ContainsFunc(moving, committedDDL.exchanges)
		for _, id := range without(was, v) {
			spell := schema.Spell{ID: id, To: at}
			if !exchanged {
				spell.To = uint64(behind)
			}
			v.Spells = slices.DeleteFunc(v.Spells, func(s schema.Spell) bool {
				if s.ID == id && s.To == 0 {
					spell.From = s.From
					return true
				}
				return false
			})
			v.Spells = append(v.Spells, spell)
		}
		if exchanged {
			for _, id := range without(v, was) {
				v.Spells = append(v.Spells, schema.Spell{ID: id, From: at})
			}
		}
	}
	m.history.hold(was, v)
	m.announce = append(m.announce, v)
}

// stored is the SCN of the newest position that this process has stored, 0 before the first one.
func (m *miner) stored() position.SCN {
	if m.config.Stored == nil {
		return 0
	}
	if p := m.config.Stored(); p != nil {
		return p.Resume.SCN
	}
	return 0
}

// settle forgets that nobody knew whose segments were that a version has now: a DDL says so.
func (t *tables) settle(was, v *schema.Version) {
	for _, id := range without(v, was) {
		key := object{v.Container, id}
		if known := t.byObject[key]; len(known) == 1 && known[0].unknown && known[0].from == 0 {
			delete(t.byObject, key)
		}
	}
}

// doubted takes segments that the dictionary gives a table whose stored version has others that are there no more: an EXCHANGE may lie
// ahead, before which they are another table's. Where there are as many partitions of new names as such segments, those are theirs.
func (t *tables) doubted(latest, now *schema.Version) {
	if !exchanged(latest, now) {
		t.grow(now)
		return
	}
	for _, id := range without(now, latest) {
		t.begin(latest.Container, []uint64{id}, era{version: latest, unknown: true})
	}
}

// exchanged reports a table that has got segments without as many partitions.
func exchanged(was, now *schema.Version) bool {
	fresh := slices.DeleteFunc(slices.Clone(now.Partitions), func(name string) bool { return slices.Contains(was.Partitions, name) })
	return len(fresh) != len(without(now, was)) || len(was.Partitions) == 0
}
