package engine

import (
	"context"
	"maps"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// unmoved looks whether the dictionary moved on under the rows of the step, which have its names (R97). When it did, the step is mined
// again: with the names of the new reading, which is then the same before and behind the fetch. Every step with rows looks: what was
// fetched since the last look, at the tail too, would have names that nobody compared.
func (m *miner) unmoved(ctx context.Context) (bool, error) {
	renamed, err := m.renamed(ctx)
	if err != nil {
		return false, err
	}
	moved, err := m.moved(ctx)
	if err != nil || !moved {
		return err == nil && !renamed, err
	}
	now, err := m.readTables(ctx)
	if err != nil {
		return false, err
	}
	behind, err := m.db.scn(ctx)
	if err != nil {
		return false, err
	}
	before := m.tables
	if _, err := m.follow(now, before.differs(now), nil, behind, false); err != nil {
		return false, err
	}
	return !renamed && before.namesLike(m.tables), nil
}

// moved reports whether DDL may have been run on a table with rows in the step since the dictionary was read: its LAST_DDL_TIME is
// another one, or so late that a second DDL in the same second would have left it as it is.
func (m *miner) moved(ctx context.Context) (bool, error) {
	asked := map[int][]uint64{}
	was := map[object]string{}
	for _, o := range m.applier.touched {
		of, ok := m.tables.whole(o)
		if _, had := was[of]; !ok || had {
			continue
		}
		if m.tables.stamps[of] >= m.tables.at {
			return true, nil
		}
		was[of] = m.tables.stamps[of]
		asked[of.container] = append(asked[of.container], of.id)
	}
	for container, ids := range asked {
		now, err := m.db.modified(ctx, container, ids)
		if err != nil {
			return false, err
		}
		for _, id := range ids {
			if now[id] != was[object{container, id}] {
				return true, nil
			}
		}
	}
	return false, nil
}

// whole finds the table that a segment is one of. One that the reading did not have is gone, or in a container that is closed.
func (t *tables) whole(o object) (object, bool) {
	if _, ok := t.stamps[o]; ok {
		return o, true
	}
	if known := t.byObject[o]; len(known) > 0 {
		v := known[len(known)-1].version
		for _, id := range v.ObjectIDs {
			if of := (object{v.Container, id}); t.stamps[of] != "" {
				return of, true
			}
		}
	}
	return object{}, false
}

// namesLike reports whether two sets give rows the same names.
func (t *tables) namesLike(other *tables) bool {
	return maps.EqualFunc(t.named, other.named, func(a, b *schema.Version) bool { return registry.VersionDigest(a) == registry.VersionDigest(b) })
}
