package engine

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// doubt marks DDL on partitions of captured tables of which the reading does not show whose segments were whose: an exchange that other DDL on the
// same partition, or with the same table, follows up to the reading, so that a segment may have been the table's in between that no reading has;
// and DDL in front of an exchange, which the reading shows with it (R101). What the step does not reach is looked ahead for; at the tail the step
// is mined again up to the reading.
func (m *miner) doubt(ctx context.Context, committed []committedDDL, now *tables, tail bool) error {
	var ahead []committedDDL
	looked := tail && m.history.looks < maxLooks
	for i := range committed {
		d := &committed[i]
		if len(moving(committed[i:i+1])) == 0 {
			continue
		}
		for _, v := range m.tables.versions() {
			if uint64(d.commit) <= v.ValidFrom || !d.about(v) || m.tables.followed(v.Table, d.commit) {
				continue
			}
			is := now.still(v)
			if !d.exchanges() && (is == nil || accounts(v, is, committed)) {
				continue
			}
			if !looked {
				looked = true
				behind, err := m.db.reading(ctx)
				if err != nil {
					return err
				}
				if ahead, err = m.lookAhead(ctx, behind); err != nil {
					return err
				}
			}
			if d.exchanges() {
				d.doubtful = d.doubtful || m.tables.crossed(d, v, is, committed, ahead)
				continue
			}
			d.doubtful = d.doubtful || slices.ContainsFunc(ahead, func(o committedDDL) bool {
				return o.exchanges() && (o.about(v) || o.about(is)) && o.scn > d.scn && !slices.ContainsFunc(committed, o.same)
			})
		}
	}
	return nil
}

// still gives what a reading has of a table, by its name or by its segments; nil: nothing.
func (t *tables) still(v *schema.Version) *schema.Version {
	if is := t.byName[v.Table]; is != nil {
		return is
	}
	for _, is := range t.versions() {
		if shares(is, v) {
			return is
		}
	}
	return nil
}

// accounts reports whether the DDL of a step says of as many segments that they came and went as a reading shows. Where that shows none, they are
// known already.
func accounts(v, is *schema.Version, by []committedDDL) bool {
	gained, lost := len(without(is, v)), len(without(v, is))
	if gained == 0 && lost == 0 {
		return true
	}
	made, taken := 0, 0
	for _, d := range moving(by) {
		if d.about(v) || d.about(is) {
			made, taken = made+len(d.what.Made), taken+len(d.taken())
		}
	}
	return gained == made && lost == taken
}

// taken are the partitions that a DDL names and does not make.
func (d *committedDDL) taken() []string {
	return d.what.Partitions[:len(d.what.Partitions)-len(d.what.Made)]
}

// crossed reports whether a table may have had segments behind an exchange that the reading does not have, or others than it has.
func (t *tables) crossed(d *committedDDL, v, is *schema.Version, by, ahead []committedDDL) bool {
	if is == nil {
		return true
	}
	exchanges, others := 0, false
	for _, list := range [][]committedDDL{by, ahead} {
		for i := range list {
			o := &list[i]
			if !o.about(v) && !o.about(is) {
				continue
			}
			first := o.commit > 0 || !slices.ContainsFunc(by, o.same)
			switch {
			case o.commit > 0 && t.followed(v.Table, o.commit):
			case o.exchanges() && first:
				exchanges++
			case o.commit > 0 && len(moving(list[i:i+1])) > 0:
				others = true
			}
			if o.scn > d.scn && d.crosses(o) {
				return true
			}
		}
	}
	gained, lost := len(without(is, v)), len(without(v, is))
	return gained < exchanges || !others && len(is.Partitions) > 0 && (gained != lost || fresh(v, is))
}

// fresh reports a table with a partition of a name that it did not have.
func fresh(was, now *schema.Version) bool {
	return slices.ContainsFunc(now.Partitions, func(name string) bool { return !slices.Contains(was.Partitions, name) })
}

// same reports whether two are one row.
func (d *committedDDL) same(o committedDDL) bool { return d.id == o.id && d.scn == o.scn }

// crosses reports whether later DDL may have given a segment on that an exchange gave a partition, or the table of that.
func (d *committedDDL) crosses(o *committedDDL) bool {
	if len(moving([]committedDDL{*o})) == 0 || len(o.what.Made) > 0 && len(o.taken()) == 0 {
		return false // as ADD PARTITION
	}
	if len(d.what.Partitions) == 0 || len(o.what.Partitions) == 0 {
		return true
	}
	with := func(n definition.Name) bool { return slices.Contains(d.what.Also, n) }
	return slices.ContainsFunc(o.what.Also, with) ||
		slices.ContainsFunc(o.taken(), func(name string) bool { return slices.Contains(d.what.Partitions, name) })
}

// strangersTo leaves the rows to others that lie in segments which a table has behind an exchange at which capture stops, up to the first one of the
// step: nobody knows more of them. Where a partition has a new name, they may be its own.
func (t *tables) strangersTo(was, now *schema.Version, by []committedDDL) {
	by = slices.DeleteFunc(slices.Clone(by), func(d committedDDL) bool { return !d.exchanges() })
	if len(by) == 0 {
		return
	}
	e := era{version: was, unknown: true}
	if !fresh(was, now) {
		e.from, e.began = by[0].commit, by[0].scn
	}
	for _, id := range without(now, was) {
		if len(t.byObject[object{was.Container, id}]) == 0 {
			t.begin(was.Container, []uint64{id}, e)
		}
	}
}

// followed reports whether segments of a table came or went with the DDL that commits at an SCN.
func (t *tables) followed(name schema.Table, commit position.SCN) bool {
	for _, segments := range t.byObject {
		for i := range segments {
			if segments[i].from == commit && segments[i].version.Table == name {
				return true
			}
		}
	}
	return false
}
