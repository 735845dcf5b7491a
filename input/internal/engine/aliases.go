package engine

import (
	"context"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// renamed looks what partitioned tables are called. Rows in a partition that an insert made, whose id nobody has read yet, are found by the name
// that their table has in the dictionary when they are fetched (R103). A DDL that gives it another one may lie ahead, however far: without that
// name its rows would not be fetched, and nothing would be missed (R97). It reports whether the step must be mined again with other names.
func (m *miner) renamed(ctx context.Context) (bool, error) {
	asked := map[int][]uint64{}
	of := map[object]*schema.Version{}
	for t, partitioned := range m.tables.partitioned {
		v := m.tables.byName[t]
		if !partitioned || v == nil || len(v.ObjectIDs) == 0 {
			continue
		}
		id := v.Object
		if is := m.tables.named[t]; id == 0 && is != nil && shares(is, v) {
			id = is.Object
		}
		if id == 0 {
			id = v.ObjectIDs[0] // as a rule its own, the oldest one; a partition has its table's name, too
		}
		asked[v.Container] = append(asked[v.Container], id)
		of[object{v.Container, id}] = v
	}
	names := map[schema.Table]segment{}
	for container, ids := range asked {
		found, err := m.db.called(ctx, container, ids)
		if err != nil {
			return false, err
		}
		for id, called := range found {
			v, is := of[object{container, id}], segment{container, called.Owner, called.Name}
			if strings.HasPrefix(is.name, "BIN$") || m.tables.calls(v) == is {
				continue // rows of what lies in the recycle bin are fetched anyway
			}
			names[v.Table] = is
		}
	}
	if len(names) == 0 {
		return false, nil
	}
	next := m.tables.copy(m.tables)
	next.rename(names)
	m.tables, m.applier.tables = next, next
	return true, nil
}

// calls gives the name by which rows of unknown segments of a table are found.
func (t *tables) calls(v *schema.Version) segment {
	if alias, ok := t.aliases[v.Table]; ok {
		return alias
	}
	return ownName(v)
}

// rename lets rows of unknown segments be found by other names, and by those no more that are another table's now.
func (t *tables) rename(names map[schema.Table]segment) {
	for of, is := range names {
		v := t.byName[of]
		delete(t.bySegment, t.calls(v))
		if delete(t.aliases, of); is != ownName(v) {
			t.aliases[of] = is
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
