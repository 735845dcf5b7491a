package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// returned lists the tables that the dictionary shows as they were although DDL of the step gave columns other names: others gave them
// back, and the rows between have names that nobody has seen (R96).
func (t *tables) returned(now *tables, by []committedDDL) (out []*schema.Version) {
	for _, was := range t.versions() {
		v, ok := now.byName[was.Table]
		if ok && shares(was, v) && registry.LayoutDigest(was) == registry.LayoutDigest(v) && len(t.turned(was, by)) > 0 {
			out = append(out, was)
		}
	}
	return out
}

// turned are the DDL of a step that gave columns of a table other names, behind those that are known.
func (t *tables) turned(v *schema.Version, by []committedDDL) []committedDDL {
	last, ok := t.newest(v)
	if !ok {
		return nil
	}
	for _, found := range concerning(by, v, max(v.ValidFrom, uint64(last.from))) {
		found = slices.DeleteFunc(found, func(d committedDDL) bool {
			return !slices.ContainsFunc(d.what.Columns, func(c definition.Column) bool { return c.Action == definition.Renamed })
		})
		if len(found) > 0 {
			return found
		}
	}
	return nil
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

// turn lets the layouts begin that the columns had between the DDL that gave them other names and those that gave them back, which may
// lie ahead. Nobody has seen them.
func (t *tables) turn(v *schema.Version, turned []committedDDL) {
	was := v
	if last, _ := t.newest(v); last.turned != nil {
		was = last.turned
	}
	for i, d := range turned {
		names := *was
		names.Columns = slices.Clone(was.Columns)
		for _, c := range d.what.Columns {
			at := slices.IndexFunc(names.Columns, func(have schema.Column) bool { return have.Name == c.Name })
			if c.Action == definition.Renamed && at >= 0 {
				names.Columns[at].Name = c.New
			}
		}
		e := era{version: t.byName[v.Table], from: d.commit, began: d.scn}
		same := func(a, b schema.Column) bool { return a.Name == b.Name }
		if i < len(turned)-1 || !slices.EqualFunc(names.Columns, v.Columns, same) {
			e.unknown, e.turned = true, &names
		}
		t.begin(v.Container, v.ObjectIDs, e)
		was = &names
	}
	if t.partitioned[v.Table] {
		t.bySegment[segment{v.Container, v.Table.Owner, v.Table.Name}] = t.oldest(v)
	}
}
