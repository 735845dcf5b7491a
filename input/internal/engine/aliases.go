package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// renamed looks what partitioned tables are called. Rows in a partition that an insert made, whose id nobody has read yet, are found by the name
// that their table has in the dictionary when they are fetched (R103). A DDL that gives it another one may lie ahead, however far: without that
// name its rows would not be fetched, and nothing would be missed (R97). It reports whether the step must be mined again with other names.
func (m *miner) renamed(ctx context.Context) (bool, error) {
	asked := map[int][]uint64{}
	of := map[object]*schema.Version{}
	ask := func(v *schema.Version) {
		o := object{v.Container, m.tables.objectOf(v)}
		if of[o] == nil && o.id > 0 {
			of[o] = v
			asked[o.container] = append(asked[o.container], o.id)
		}
	}
	for t, partitioned := range m.tables.partitioned {
		if v := m.tables.byName[t]; partitioned && v != nil {
			ask(v)
		}
	}
	for _, v := range m.tables.left {
		if !m.tables.lives(v) {
			ask(v)
		}
	}
	names := map[*schema.Version]segment{}
	for container, ids := range asked {
		found, err := m.db.called(ctx, container, ids)
		if err != nil {
			return false, err
		}
		for id, called := range found {
			v, is := of[object{container, id}], segment{container, called.Owner, called.Name}
			if !strings.HasPrefix(is.name, "BIN$") && !m.tables.finds(v, is) { // rows of what lies in the recycle bin are fetched anyway
				names[v] = is
			}
		}
	}
	if len(names) == 0 {
		return false, nil
	}
	if m.history.renames++; m.history.renames > maxLooks {
		m.history.renames = 0 // the next try looks again
		return false, stop.New(stop.StepFailed, "LogMiner", "the names of %d partitioned tables, whose rows are looked for by name, are others at each look", len(names))
	}
	next := m.tables.copy(m.tables)
	next.rename(names)
	m.tables, m.applier.tables = next, next
	return true, nil
}

// stay forgets the tables that are captured no more: the step that took their names is kept.
func (m *miner) stay() {
	if len(m.tables.left) == 0 {
		return
	}
	next := m.tables.copy(m.tables)
	next.left = nil
	m.tables, m.applier.tables = next, next
}

// objectOf gives the id of a table itself, or of one of its partitions, which has its name, too. 0: none is known.
func (t *tables) objectOf(v *schema.Version) uint64 {
	if is := t.named[v.Table]; v.Object == 0 && is != nil && shares(is, v) {
		return is.Object
	}
	if v.Object == 0 && len(v.ObjectIDs) > 0 {
		return v.ObjectIDs[0] // as a rule its own, which is the oldest one
	}
	return v.Object
}

// finds reports whether rows of unknown segments of a table are found by a name.
func (t *tables) finds(v *schema.Version, is segment) bool {
	if t.byName[v.Table] == v {
		return t.calls(v) == is
	}
	for of, partitioned := range t.partitioned {
		if partitioned && t.calls(t.byName[of]) == is {
			return true // by one that is captured: another reading of the redo finds no more
		}
	}
	known := t.bySegment[is]
	return len(known) > 0 && slices.Equal(known, t.oldest(v)) // as rename has it
}

// lives reports whether a captured table has segments of one that lost its name: it is the same one.
func (t *tables) lives(v *schema.Version) bool {
	for _, is := range t.byName {
		if shares(is, v) {
			return true
		}
	}
	return false
}

// calls gives the name by which rows of unknown segments of a table are found.
func (t *tables) calls(v *schema.Version) segment {
	if alias, ok := t.aliases[v.Table]; ok {
		return alias
	}
	return ownName(v)
}

// rename lets rows of unknown segments be found by other names, and by those no more that are another table's now.
func (t *tables) rename(names map[*schema.Version]segment) {
	for v, is := range names {
		if t.byName[v.Table] != v {
			t.bySegment[is] = t.oldest(v)
			continue
		}
		delete(t.bySegment, t.calls(v))
		if delete(t.aliases, v.Table); is != ownName(v) {
			t.aliases[v.Table] = is
		}
	}
	for _, v := range t.byName { // what was not found first: who has a name in the dictionary has it
		if _, elsewhere := t.aliases[v.Table]; !elsewhere {
			t.list(v)
		}
	}
	for of := range t.aliases {
		t.list(t.byName[of])
	}
}
