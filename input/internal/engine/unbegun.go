package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// unbegun lets the layouts begin that DDL of the step made and no version of the schema topic has, although a later one begins: when it was
// mined first, the dictionary showed what the later one had made, and what was known of the rows in between was lost with the process. They
// must not be taken for those of the version before (R96). It reports whether there were such.
func (m *miner) unbegun(by []committedDDL) (changed bool) {
	by = slices.DeleteFunc(slices.Clone(by), func(d committedDDL) bool {
		return !d.what.Has(definition.Layout) || d.moves() || d.exchanges()
	})
	if len(by) == 0 {
		return false
	}
	slices.SortStableFunc(by, byCommit)
	next := m.tables.copy(m.tables)
	for of, known := range m.tables.byObject {
		if again := known.unbegun(by); len(again) > len(known) {
			next.byObject[of], changed = again, true
		}
	}
	if !changed {
		return false
	}
	for _, v := range next.byName {
		next.list(v)
	}
	m.use(next)
	return true
}

// unbegun puts the layouts between the eras that DDL made, by commit, and that no other one began with.
func (e eras) unbegun(by []committedDDL) eras {
	var out eras
	for i := range e {
		out = append(out, e[i])
		if i+1 == len(e) {
			break // what lies behind the last one shows where the set is compared with the reading
		}
		v, names := e[i].version, e[i].turned
		if e[i].gone || v.Number == 0 || e[i].unknown && names == nil {
			continue
		}
		if names == nil {
			names = v
		}
		for j := range by {
			d := &by[j]
			if d.commit <= e[i].from || d.commit >= e[i+1].from || uint64(d.commit) <= max(v.ValidFrom, v.CertainFrom) || !d.about(v) || !d.lays(v, e[i+1].version) {
				continue
			}
			add := era{version: v, from: d.commit, began: d.scn}
			if names != nil && d.renamesColumns(names) {
				names = turnedBy(names, v, d)
			} else {
				names = nil
			}
			if names != nil && turnedBack(names, v) {
				add.turnedTo = true
			} else {
				add.unknown, add.turned = true, names
			}
			out = append(out, add)
		}
	}
	return out
}

// unsaid lets the new versions say when nobody saw the layouts before them, so that a restart that does not mine their DDL again knows.
func (m *miner) unsaid() {
	for _, v := range m.announce {
		if v.GoneFrom > 0 || v.Stored || len(v.Unseen) > 0 {
			continue
		}
		for _, id := range v.ObjectIDs {
			if spans := m.tables.byObject[object{v.Container, id}].unseen(v, m.stored()); len(spans) > len(v.Unseen) {
				v.Unseen = spans
			}
		}
	}
}

// unseen gives the times between a version and the one before that have a layout which nobody saw, but for what lies at or below an SCN.
func (e eras) unseen(v *schema.Version, below position.SCN) (out []schema.Span) {
	at := slices.IndexFunc(e, func(e era) bool { return !e.unknown && !e.gone && editionOf(e.version) == editionOf(v) })
	for at--; at >= 0 && (e[at].unknown || e[at].turnedTo) && e[at+1].from > below; at-- {
		if e[at].unknown && !e[at].passing() {
			out = append(out, schema.Span{From: uint64(e[at].from), To: uint64(e[at+1].from)})
		}
	}
	slices.Reverse(out)
	return out
}

// unsaw lets the layouts that nobody saw before a version begin, for segments of which something is known.
func (t *tables) unsaw(v *schema.Version, ids []uint64) {
	for _, span := range v.Unseen {
		from, to := position.SCN(span.From), position.SCN(span.To)
		for _, id := range ids {
			known := t.byObject[object{v.Container, id}]
			if len(known) == 0 {
				continue
			}
			before := known[known.at(from)].version
			t.begin(v.Container, []uint64{id}, era{version: before, from: from, began: from, unknown: true})
			if span.To < v.ValidFrom {
				t.begin(v.Container, []uint64{id}, era{version: before, from: to, began: to, turnedTo: true})
			}
		}
	}
}

// lays reports whether a DDL may have given rows of a version another layout, or another key, before the next one began. One on a constraint
// that is not said to be the key did where the next version has other such things.
func (d *committedDDL) lays(v, next *schema.Version) bool {
	constraint := d.what.Class == definition.Constraint || d.what.Class == definition.ChangeKey
	if !constraint || d.what.KeyKnown || len(d.what.Columns) > 0 {
		return true
	}
	return !constrainedAlike(v, next)
}

// constrainedAlike reports versions with the same key, of which no column lacks values in one and must have them in the other.
func constrainedAlike(a, b *schema.Version) bool {
	if a.Key.Origin != b.Key.Origin || !slices.EqualFunc(a.Key.Columns, b.Key.Columns, func(i, j int) bool { return a.Columns[i].Name == b.Columns[j].Name }) {
		return false
	}
	return !slices.ContainsFunc(a.Columns, func(c schema.Column) bool {
		at, ok := b.Column(c.Name)
		return ok && b.Columns[at].Nullable != c.Nullable
	})
}

// renamesColumns reports a DDL that does nothing but to give columns other names.
func (d *committedDDL) renamesColumns(names *schema.Version) bool {
	return !d.what.KeyKnown && len(d.what.Columns) > 0 && !slices.ContainsFunc(d.what.Columns, func(c definition.Column) bool {
		return c.Action != definition.Renamed || !slices.ContainsFunc(names.Columns, ofName(c.Name))
	})
}
