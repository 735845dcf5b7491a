package engine

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// passing reports the era of a segment under a captured name that it never had in a reading of the dictionary, and under no other one: it
// has no version.
func (e *era) passing() bool { return e.unknown && e.version.Number == 0 }

// seen gives the eras under names that the dictionary had when it was read, and what followed on them.
func (e eras) seen() eras {
	unseen := func(e era) bool { return e.version.Number == 0 }
	if !slices.ContainsFunc(e, unseen) {
		return e
	}
	return slices.DeleteFunc(slices.Clone(e), unseen)
}

// pass follows the names that no reading of the dictionary has, since other DDL took them away again before it. From a DDL that gives a
// segment a captured name to the one that takes that, its rows are a table's that nobody saw, and must not be taken for foreign ones (R101,
// R104); behind that they are foreign. It reports whether something of that is new.
func (m *miner) pass(by []committedDDL, now *tables) bool {
	by = slices.DeleteFunc(slices.Clone(by), func(d committedDDL) bool { return !d.moves() })
	slices.SortStableFunc(by, func(a, b committedDDL) int { return cmp.Compare(a.commit, b.commit) })
	next, changed := m.tables.copy(m.tables), false
	for i := range by {
		d := &by[i]
		to, named := d.becomes()
		matches := named && m.config.Selection.Captured(to)
		known := next.byObject[d.object]
		if n := len(known); n > 0 {
			last := &known[n-1]
			switch {
			case d.commit <= last.from:
				continue
			case last.unknown && !slices.Contains(last.version.ObjectIDs, d.object.id):
				continue // an EXCHANGE gave it to a partition, or will: the DDL on who had it before says nothing
			case last.unknown && !matches:
				next.begin(last.version.Container, last.version.ObjectIDs, era{version: last.version, from: d.commit, began: d.scn, gone: true})
				if changed = true; !last.passing() {
					m.ended(last.version, last.from, d.commit)
				}
				continue
			case !last.gone:
				continue // what became of a captured table shows where the set is compared with the reading
			}
		}
		last := !slices.ContainsFunc(by[i+1:], func(later committedDDL) bool { return later.object == d.object })
		if !matches || d.object.id == 0 || last && now.has(d.object) {
			continue // foreign, or what the reading shows
		}
		next.lend(to, d.object, era{from: d.commit, began: d.scn})
		changed = true
	}
	if changed {
		m.use(next)
	}
	return changed
}

// lend lets the era of a captured name that nobody saw begin for a segment that no captured table has.
func (t *tables) lend(to schema.Table, of object, e era) {
	if known := t.byObject[of]; len(known) > 0 && !known[len(known)-1].gone {
		return
	}
	v := &schema.Version{Table: to, Container: of.container, ObjectIDs: []uint64{of.id}}
	e.version, e.unknown = v.Seal(), true
	t.begin(v.Container, v.ObjectIDs, e)
}

// passed gives the segments that have a captured name which nobody saw still, for positions: the DDL that takes it lies ahead.
func (t *tables) passed() (out []position.Partition) {
	for of, known := range t.byObject {
		if last := &known[len(known)-1]; last.passing() {
			name := last.version.Table
			out = append(out, position.Partition{PDB: name.PDB, Owner: name.Owner, Table: name.Name, From: last.from, Object: of.id})
		}
	}
	slices.SortFunc(out, func(a, b position.Partition) int {
		return cmp.Or(cmp.Compare(a.PDB, b.PDB), cmp.Compare(a.Object, b.Object))
	})
	return out
}

// passes reports a DDL that gives a segment a name that pass follows, or takes one: what is to be known of its rows is known.
func (m *miner) passes(d *committedDDL) bool {
	segments := m.tables.byObject[d.object]
	return slices.ContainsFunc(segments, func(e era) bool { return e.passing() && e.from <= d.commit }) &&
		!slices.ContainsFunc(segments, func(e era) bool { return e.version.Number > 0 && e.from >= d.commit })
}

// attach lets a table that joined at the start, and of which nothing was handed over yet, begin with the DDL that gave it its name: rows from
// before it are those of a table that is not captured (R101). The same with the DDL that gave it its primary key, where what it holds is read:
// without a key it could not be captured. It reports whether there was such a one.
func (m *miner) attach(by []committedDDL) (changed bool) {
	var next *tables
	for i := range by {
		d := &by[i]
		to, _ := d.becomes()
		m.born(to, d.commit)
		keyed := d.keys() && m.config.Snapshot.joining()
		if keyed {
			to = d.table
		}
		v := m.tables.byName[to]
		if v == nil || d.what.Creates() || m.attached(d) || uint64(d.commit) <= v.ValidFrom ||
			!keyed && m.names(&ddlRow{table: schema.Table{PDB: to.PDB, Owner: d.what.Table.Owner, Name: d.what.Table.Name}}) {
			continue
		}
		_, joining := m.history.joining[to]
		if !joining && !slices.Contains(m.announce, v) {
			continue
		}
		known := m.tables.byObject[d.object]
		if len(known) != 1 || known[0].version != v || known[0].unknown || known[0].gone {
			continue
		}
		if next == nil {
			next = m.tables.copy(m.tables)
		}
		if !slices.Contains(m.announce, v) {
			// Others have it by now: the table's rows have the next one.
			again := *v
			m.history.numbers[to]++
			again.Number, again.Stored = m.history.numbers[to], false
			v = &again
			next.byName[to] = v
			m.announce = append(m.announce, v)
		}
		v.ValidFrom, v.CertainFrom = uint64(d.commit), max(v.CertainFrom, uint64(d.commit))
		if v.PendingFrom > 0 {
			v.PendingFrom = max(v.PendingFrom, uint64(d.commit))
			m.pend(v)
		}
		m.history.named[to] = d.scn
		if !keyed { // another key may follow
			delete(m.history.joining, to)
		}
		for _, id := range v.ObjectIDs {
			next.byObject[object{v.Container, id}] = eras{{version: v, from: d.commit, began: d.scn}}
		}
		next.list(v)
	}
	if next == nil {
		return false
	}
	m.use(next)
	return true
}

// keys reports a DDL that gives its table a primary key, and does nothing else.
func (d *committedDDL) keys() bool {
	return d.what.Class == definition.ChangeKey && len(d.what.PrimaryKey) > 0 && len(d.what.Columns) == 0 && d.what.Effects == definition.Layout|definition.Key
}

// attached reports the DDL that a table begins with which joined at the start.
func (m *miner) attached(d *committedDDL) bool {
	known := m.tables.byObject[d.object]
	return len(known) > 0 && known[0].version.Number > 0 && known[0].from == d.commit && d.commit > 0
}

// namedBy gives the DDL that gave a new table the name that the reading shows, of those that made it what it is: the first one, where none
// says so.
func namedBy(v *schema.Version, shaping []committedDDL) committedDDL {
	for i := len(shaping) - 1; i >= 0; i-- {
		if to, ok := shaping[i].becomes(); ok && to == v.Table {
			return shaping[i]
		}
	}
	return shaping[0]
}

// becomes gives the name that a table has behind a DDL that made it, renamed it or brought it back. There is none where the text does not
// tell.
func (d *ddlRow) becomes() (schema.Table, bool) {
	n := d.what.New
	switch d.what.Class {
	case definition.CreateTable, definition.CreateTableAsSelect:
		n = d.what.Table
	case definition.RenameTable:
	case definition.UndropTable:
		if n.IsZero() && d.what.Recycled == "" {
			n = d.what.Table
		}
	default:
		return schema.Table{}, false
	}
	return schema.Table{PDB: d.table.PDB, Owner: n.Owner, Name: n.Name}, n.Name != ""
}

// has reports whether a table of the reading has an object for its own or for a segment.
func (t *tables) has(o object) bool {
	if _, ok := t.stamps[o]; ok {
		return true
	}
	_, ok := t.byObject[o]
	return ok
}
