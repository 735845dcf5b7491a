package engine

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// returned lists the tables that the dictionary shows as they were although DDL of the step gave them or columns of theirs other names,
// took columns away, or the key: others gave that back, and the rows between have a layout or a table that nobody has seen (R96, R101).
func (t *tables) returned(now *tables, by []committedDDL) (out []*schema.Version) {
	for _, was := range t.versions() {
		v, ok := now.byName[was.Table]
		if ok && shares(was, v) && registry.VersionDigest(was) == registry.VersionDigest(v) && len(t.turned(was, by)) > 0 {
			out = append(out, was)
		}
	}
	return out
}

// undone gives the DDL of a step that gave columns other names, where others of it gave them theirs back. What else the dictionary shows of the
// table is not their work.
func (t *tables) undone(was *schema.Version, by []committedDDL) []committedDDL {
	turned := t.turned(was, by)
	names := was
	if last, _ := t.newest(was); last.turned != nil {
		names = last.turned
	}
	for i := range turned {
		d, had := &turned[i], names.Columns
		if d.what.KeyKnown || slices.ContainsFunc(d.what.Columns, func(c definition.Column) bool {
			return c.Action != definition.Renamed || !slices.ContainsFunc(had, ofName(c.Name))
		}) {
			return nil
		}
		names = turnedBy(names, was, d)
	}
	if !turnedBack(names, was) || names.Table != was.Table {
		return nil
	}
	return turned
}

// turned are the DDL of a step that another one can take back, on a table, behind those that are known.
func (t *tables) turned(v *schema.Version, by []committedDDL) []committedDDL {
	last, ok := t.newest(v)
	if !ok {
		return nil
	}
	floor := max(v.ValidFrom, uint64(last.from))
	trail := trail(v, by, floor)
	for _, found := range concerning(by, v, floor) {
		found = slices.DeleteFunc(found, func(d committedDDL) bool { return !d.turns() })
		if len(found) == 0 && len(trail) == 0 {
			continue
		}
		for _, d := range trail {
			if !slices.ContainsFunc(found, func(o committedDDL) bool { return o.id == d.id && o.scn == d.scn }) {
				found = append(found, d)
			}
		}
		slices.SortStableFunc(found, byCommit)
		return found
	}
	return nil
}

// turns reports a DDL that changes the names of columns, which columns there are, or the key, so that its text tells what to.
func (d committedDDL) turns() bool {
	if d.what.Creates() {
		return false
	}
	return d.what.KeyKnown || slices.ContainsFunc(d.what.Columns, func(c definition.Column) bool { return c.Action != definition.Modified })
}

// trail are the DDL of a step, above a floor, that gave a table other names, one after the other.
func trail(v *schema.Version, by []committedDDL, floor uint64) (out []committedDDL) {
	by = slices.Clone(by)
	slices.SortStableFunc(by, byCommit)
	called := v.Table.Name
	for _, d := range by {
		if d.what.Class == definition.RenameTable && uint64(d.commit) > floor && d.object.container == v.Container &&
			d.what.Table == (definition.Name{Owner: v.Table.Owner, Name: called}) {
			called = d.what.New.Name
			out = append(out, d)
		}
	}
	return out
}

// away gives a reading without the tables that the DDL of the step left under another name: the DDL that gave them theirs back lies ahead,
// and the rows up to it are another table's (R101).
func (t *tables) away(now *tables, by []committedDDL) *tables {
	seen := now
	for _, v := range now.versions() {
		last, known := t.newest(v)
		was, captured := t.byName[v.Table]
		switch {
		case !known, captured && !shares(was, v):
			continue
		case captured:
			last.from = max(last.from, position.SCN(was.ValidFrom))
		case last.from > 0 && (last.gone || last.unknown):
			last.from-- // the step may have been mined before, and have ended the table
		default:
			continue
		}
		named := trail(v, by, uint64(last.from))
		if len(named) == 0 || named[len(named)-1].what.New.Name == v.Table.Name {
			continue
		}
		if seen == now {
			seen = now.copy(now)
		}
		seen.drop(v)
	}
	return seen
}

// newest gives the last era of a version's segments.
func (t *tables) newest(v *schema.Version) (last era, ok bool) {
	for _, id := range v.ObjectIDs {
		if e := t.byObject[object{v.Container, id}]; len(e) > 0 && (!ok || e[len(e)-1].from > last.from) {
			last, ok = e[len(e)-1], true
		}
	}
	return last, ok
}

// turn lets the layouts begin that a table had between the DDL that changed it and those that took that back, which may lie ahead. Nobody
// has seen them. Under a name that is not captured its rows are none of ours. exact: the reading shows what the last DDL made.
func (t *tables) turn(v *schema.Version, turned []committedDDL, captured func(schema.Table) bool, exact bool) {
	was := v
	if last, _ := t.newest(v); last.turned != nil {
		was = last.turned
	}
	for i, d := range turned {
		names := turnedBy(was, v, &d)
		e := era{version: t.byName[v.Table], from: d.commit, began: d.scn, turnedTo: true}
		switch last := i == len(turned)-1; {
		case last && exact:
		case names.Table != v.Table && !captured(names.Table):
			e.gone, e.turned = true, names
		case !last || !turnedBack(names, v):
			e.unknown, e.turned = true, names
		}
		t.begin(v.Container, v.ObjectIDs, e)
		was = names
	}
	t.list(v)
}

// turnedBy gives the names of a table and its columns, and its key, behind a DDL. A column that is gone leaves its place to one of its name.
func turnedBy(was, v *schema.Version, d *committedDDL) *schema.Version {
	names := *was
	names.Columns = slices.Clone(was.Columns)
	if d.what.Class == definition.RenameTable {
		names.Table.Name = d.what.New.Name
	}
	for _, c := range d.what.Columns {
		at := slices.IndexFunc(names.Columns, ofName(c.Name))
		switch {
		case c.Action == definition.Renamed && at >= 0:
			names.Columns[at].Name = c.New
		case (c.Action == definition.Dropped || c.Action == definition.Unused) && at >= 0:
			names.Columns[at].Name = ""
		case c.Action == definition.Added && at < 0:
			at = slices.IndexFunc(v.Columns, ofName(c.Name))
			if at >= 0 && at < len(names.Columns) && names.Columns[at].Name == "" {
				names.Columns[at].Name = c.Name
			} else {
				names.Columns = append(names.Columns, schema.Column{Name: c.Name})
			}
		}
	}
	if d.what.KeyKnown && v.Key.Origin == schema.KeyPrimary {
		names.Key.Columns = nil
		for _, name := range d.what.PrimaryKey {
			names.Key.Columns = append(names.Key.Columns, slices.IndexFunc(names.Columns, ofName(name)))
		}
	}
	return &names
}

// byCommit sorts DDL as it took effect.
func byCommit(a, b committedDDL) int { return cmp.Compare(a.commit, b.commit) }

func ofName(name string) func(schema.Column) bool {
	return func(c schema.Column) bool { return c.Name == name }
}

// turnedBack reports whether a table has the names and the key that it had.
func turnedBack(names, v *schema.Version) bool {
	for len(names.Columns) > len(v.Columns) && names.Columns[len(names.Columns)-1].Name == "" {
		names.Columns = names.Columns[:len(names.Columns)-1] // came and went
	}
	same := func(a, b schema.Column) bool { return a.Name == b.Name }
	return slices.EqualFunc(names.Columns, v.Columns, same) && slices.Equal(names.Key.Columns, v.Key.Columns)
}
