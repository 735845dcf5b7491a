package engine

import (
	"cmp"
	"log/slog"
	"maps"
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// difference is how a reading of the dictionary differs from the captured set.
type difference struct {
	// added have a name that is not captured, changed another layout, key, logging or other segments, gone are there no more.
	added, changed, gone []*schema.Version
	// returned have the layout that they had, although DDL of the step gave them another one in between.
	returned []*schema.Version
}

func (d difference) none() bool {
	return len(d.added)+len(d.changed)+len(d.gone)+len(d.returned) == 0
}

// keeps reports whether a captured table is as it was.
func (d difference) keeps(t schema.Table) bool {
	of := func(v *schema.Version) bool { return v.Table == t }
	return !slices.ContainsFunc(d.changed, of) && !slices.ContainsFunc(d.gone, of) && !slices.ContainsFunc(d.returned, of)
}

// differs compares the captured set with a later reading.
func (t *tables) differs(now *tables) (d difference) {
	for _, v := range now.versions() {
		was, ok := t.byName[v.Table]
		switch {
		case t.stopped[v.Table]:
		case !ok:
			d.added = append(d.added, v)
		case registry.VersionDigest(was) != registry.VersionDigest(v), !slices.Equal(was.ObjectIDs, v.ObjectIDs):
			d.changed = append(d.changed, v)
		}
	}
	for _, v := range t.versions() {
		if _, ok := now.byName[v.Table]; !ok && !t.stopped[v.Table] {
			d.gone = append(d.gone, v)
		}
	}
	return d
}

// follow gives tables that DDL of the step changed their next version, from the commit of that DDL on; takes tables that came, and lets
// go those that went (R93, R96, R101). What no DDL of the step explains stays as it is: its DDL lies ahead. exact: no DDL can lie
// between those of the step and the reading.
func (m *miner) follow(now *tables, d difference, by []committedDDL, behind position.SCN, exact bool) (changed bool, err error) {
	next := m.tables.copy(now)
	for t := range next.named {
		if !next.stopped[t] && !slices.ContainsFunc(d.changed, func(v *schema.Version) bool { return v.Table == t }) {
			delete(next.named, t) // it is what it was again, or gone
			delete(m.history.ahead, t)
		}
	}
	m.thereAgain(d)
	var fresh []*schema.Version
	for _, was := range d.gone {
		shaping := untilMoved(m.tables.own(was, shapers(by, was, was.ValidFrom), by))
		if slices.ContainsFunc(shaping, func(d committedDDL) bool { return d.stops }) {
			changed = next.stop(was, shaping) || changed
			continue
		}
		if len(shaping) == 0 {
			m.ahead(next, was, nil, behind)
			continue
		}
		m.leave(next, was, now, shaping)
		changed = true
	}
	for _, v := range d.changed {
		was := m.tables.byName[v.Table]
		same := shares(was, v) || swapped(was, v, by)
		all := shapers(by, v, was.ValidFrom) // the older ones are known: mined again, they made what the table was
		if len(all) == 0 && same {
			all = m.tables.explaining(by, was, v)
		}
		if slices.ContainsFunc(all, func(d committedDDL) bool { return d.stops }) {
			delete(m.history.ahead, v.Table)
			next.named[v.Table] = v // what was written before it has the names that it made
			strange := len(next.byObject)
			next.strangersTo(was, v, all)
			changed = next.stop(was, all) || changed || len(next.byObject) > strange
			continue
		}
		if !same && !slices.ContainsFunc(all, func(d committedDDL) bool { return d.gives(v.Table) }) {
			// What gave the name to another table lies ahead, and its rows up to that are not this one's.
			if taken := untilMoved(m.tables.own(was, shapers(by, was, was.ValidFrom), by)); len(taken) > 0 {
				m.leave(next, was, now, taken)
				changed = true
				continue
			}
			m.ahead(next, was, v, behind)
			continue
		}
		shaping, ahead := all, (*schema.Version)(nil)
		switch {
		case same && registry.VersionDigest(was) == registry.VersionDigest(v):
			shaping = moving(all) // nothing but the segments is another
		case same:
			shaping = m.tables.explaining(by, was, v)
			if segments := moving(all); len(shaping) == 0 && len(segments) > 0 && !slices.Equal(was.ObjectIDs, v.ObjectIDs) {
				shaping, ahead, v = segments, v, was.In(v.ObjectIDs)
			}
		}
		if len(shaping) == 0 && same && now.partitioned[v.Table] && grown(was, v) {
			v.Continues(was)
			delete(m.history.ahead, v.Table)
			delete(next.named, v.Table)
			next.byName[v.Table] = v
			next.grow(v)
			m.resegmented(was, v, nil, behind)
			continue
		}
		if len(shaping) == 0 {
			m.ahead(next, was, v, behind)
			if undone := m.tables.undone(was, by); len(undone) > 0 {
				next.turn(was, undone, m.config.Selection.Captured, false)
				changed = true
			}
			continue
		}
		delete(m.history.ahead, v.Table)
		delete(next.named, v.Table)
		if !same {
			m.end(next, was, now, until(shapers(by, was, was.ValidFrom), committedDDL.takes))
			delete(next.aliases, v.Table)
		}
		next.settle(was, v)
		if now.partitioned[v.Table] && !slices.ContainsFunc(all, committedDDL.exchanges) {
			next.grow(v)
		}
		if same {
			next.shrink(was, v, all, behind)
		}
		last := shaping[len(shaping)-1]
		if !same || registry.VersionDigest(was) != registry.VersionDigest(v) || slices.ContainsFunc(shaping, committedDDL.exchanges) {
			next.between(v, shaping) // a partition that comes or goes leaves the rows of the others as they were
		}
		e := era{version: v, from: last.commit, began: last.scn}
		if same && registry.VersionDigest(was) == registry.VersionDigest(v) {
			// Other segments alone are no version.
			v.Continues(was)
		} else {
			m.number(v, last.commit, behind, exact)
			fresh = append(fresh, v)
		}
		next.take(v, now.partitioned[v.Table], e)
		if v.Number == was.Number {
			m.resegmented(was, v, all, behind)
		}
		if ahead != nil {
			m.ahead(next, v, ahead, behind)
		}
		changed = true
	}
	for _, v := range d.returned {
		next.turn(v, m.tables.turned(v, by), m.config.Selection.Captured, exact)
		changed = true
	}
	for _, v := range d.added {
		shaping := shapers(by, v, m.history.known[v.Table])
		if slices.ContainsFunc(shaping, func(d committedDDL) bool { return d.stops }) {
			next.stopped[v.Table] = true
			continue
		}
		if len(shaping) == 0 || next.knows(v) && !slices.ContainsFunc(shaping, committedDDL.moves) {
			if next.knows(v) {
				next.named[v.Table] = v // rows of its segments have its names
			}
			continue // its DDL lies ahead, and its rows behind that
		}
		delete(m.history.ahead, v.Table)
		first := namedBy(v, shaping) // what follows on the CREATE of a new table leaves its names
		if next.knows(v) {
			if now.partitioned[v.Table] && !slices.ContainsFunc(shaping, committedDDL.exchanges) {
				next.grow(v)
			}
			first = next.between(v, shaping)
		} else {
			m.appeared(v, shaping)
		}
		m.number(v, first.commit, behind, exact && len(relaying(shaping)) == 1)
		next.take(v, now.partitioned[v.Table], era{version: v, from: first.commit, began: first.scn})
		fresh = append(fresh, v)
		changed = true
	}
	if !changed {
		m.tables, m.applier.tables = next, next // what the dictionary names otherwise
		return false, nil
	}
	slices.SortStableFunc(fresh, func(a, b *schema.Version) int { return cmp.Compare(a.ValidFrom, b.ValidFrom) })
	for _, v := range fresh {
		if err := m.trial.Prepare(v); err != nil {
			return false, err
		}
		m.announced(v)
	}
	m.announce = append(m.announce, fresh...)
	m.use(next)
	return true, nil
}

// stop leaves a table as it is, since capture stops at one of its DDL. What of them lies before that made a layout that nobody has seen:
// it reports whether there is such.
func (t *tables) stop(was *schema.Version, shaping []committedDDL) bool {
	at := slices.IndexFunc(shaping, func(d committedDDL) bool { return d.stops })
	t.between(was, shaping[:at+1])
	t.stopped[was.Table] = true
	return at > 0
}

// number gives a version that was never seen the next number of its table. behind is the SCN behind the reading that showed it.
func (m *miner) number(v *schema.Version, from, behind position.SCN, exact bool) {
	if _, known := m.history.numbers[v.Table]; !known {
		m.history.numbers[v.Table], m.history.debut[v.Table] = m.retired, m.retired+1
	}
	m.history.numbers[v.Table]++
	m.history.known[v.Table] = uint64(from)
	v.Number, v.ValidFrom, v.Exact, v.CertainFrom = m.history.numbers[v.Table], uint64(from), exact, uint64(from)
	if !exact {
		v.CertainFrom, v.PendingFrom = uint64(behind), uint64(from)
		m.pend(v)
	}
	m.history.hold(v, v)
}

// knows reports whether rows of a version's segments were captured before, under whatever name.
func (t *tables) knows(v *schema.Version) bool {
	return slices.ContainsFunc(v.ObjectIDs, func(id uint64) bool {
		return slices.ContainsFunc(t.byObject[object{v.Container, id}], func(e era) bool { return e.version.Number > 0 })
	})
}

// between lets the layouts that nobody has seen begin, of all but the last DDL that changed one on the segments of a version, and gives
// that one.
func (t *tables) between(v *schema.Version, shaping []committedDDL) committedDDL {
	shaping = relaying(shaping)
	last := len(shaping) - 1
	for _, d := range shaping[:last] {
		for _, id := range v.ObjectIDs {
			if known := t.byObject[object{v.Container, id}]; len(known) > 0 && !known.begins(d.commit) && d.lays(known[len(known)-1].version, v) {
				t.begin(v.Container, []uint64{id}, era{version: known[len(known)-1].version, from: d.commit, began: d.scn, unknown: true})
			}
		}
	}
	return shaping[last]
}

// begins reports whether what rows have from the commit of a DDL on is known: it was mined before.
func (e eras) begins(commit position.SCN) bool {
	return slices.ContainsFunc(e, func(e era) bool {
		if e.unknown || e.gone || e.from > commit {
			return false
		}
		// One that was read behind a DDL is what that made.
		return e.from == commit || e.version.PendingFrom == uint64(commit) || e.version.PendingFrom == 0 && e.version.CertainFrom == uint64(commit)
	})
}

// relaying gives the DDL that may give rows another layout, or another table; where there is none, what there is. A MOVE, a TRUNCATE or
// another partition leaves the rows around it as they are, an exchange may bring others.
func relaying(shaping []committedDDL) []committedDDL {
	out := slices.DeleteFunc(slices.Clone(shaping), func(d committedDDL) bool {
		return !d.relays()
	})
	if len(out) == 0 {
		return shaping
	}
	return out
}

func (d committedDDL) relays() bool {
	return d.what.Has(definition.Layout|definition.Tables) || d.what.Class == definition.Unknown || d.exchanges()
}

// end lets the segments of a table that is captured no more go, but for those that a table of the reading has now. Where it got a name
// that is captured, and has lost that again by the reading, its rows until then have a layout that nobody has seen.
func (m *miner) end(t *tables, was *schema.Version, now *tables, shaping []committedDDL) {
	if len(shaping) == 0 {
		return
	}
	last := shaping[len(shaping)-1]
	if slices.ContainsFunc(now.versions(), func(v *schema.Version) bool { return shares(was, v) }) {
		m.ended(was, last.commit, 0)
		return
	}
	t.between(was, shaping)
	unseen := m.matches(was, last)
	t.begin(was.Container, was.ObjectIDs, era{version: was, from: last.commit, began: last.scn, gone: !unseen, unknown: unseen})
	t.list(was)                                               // what it is called today may be neither name
	if t.partitioned[was.Table] && last.what.New.Name != "" { // rows in partitions that nobody saw have the new name
		t.bySegment[segment{was.Container, was.Table.Owner, last.what.New.Name}] = t.oldest(was)
	}
	if unseen {
		m.ended(was, last.commit, position.Unlimited)
		return
	}
	m.ended(was, last.commit, 0)
}

// matches reports whether a DDL gives a table another name that is captured.
func (m *miner) matches(v *schema.Version, d committedDDL) bool {
	return d.what.New.Name != "" && m.config.Selection.Captured(schema.Table{PDB: v.Table.PDB, Owner: v.Table.Owner, Name: d.what.New.Name})
}

// ended announces that a table is gone from an SCN on, and up to where its segments have a captured name that nobody saw.
func (m *miner) ended(was *schema.Version, from, unseen position.SCN) {
	m.history.known[was.Table] = max(m.history.known[was.Table], uint64(from))
	v := *was
	v.GoneFrom, v.UnseenTo, v.Stored = uint64(from), uint64(unseen), false
	maps.DeleteFunc(m.history.pending, func(e edition, _ *schema.Version) bool { return e.table == was.Table })
	m.announce = append(m.announce, &v)
}

// thereAgain lets go what an earlier reading showed ahead of captured tables that are now as they were: their DDL took that back.
func (m *miner) thereAgain(d difference) {
	for t := range m.history.ahead {
		if m.tables.byName[t] != nil && d.keeps(t) {
			delete(m.history.ahead, t)
		}
	}
}

// ahead notes that the dictionary has something else than a table's version, or no such table, for which no DDL was mined yet.
func (m *miner) ahead(next *tables, was, now *schema.Version, behind position.SCN) {
	if now != nil {
		next.named[was.Table] = now
	}
	if _, ok := m.history.ahead[was.Table]; !ok {
		m.history.ahead[was.Table] = behind
	}
}

// announced tells of a new version.
func (m *miner) announced(v *schema.Version) {
	from := detail{"from_scn", strconv.FormatUint(v.ValidFrom, 10)}
	if v.Number == m.history.debut[v.Table] {
		m.note(slog.LevelInfo, "A new table is captured", tableAddedEvent, detail{"table", v.Table.String()}, from)
		return
	}
	m.note(slog.LevelInfo, "A table has a new version", ddlAppliedEvent, detail{"table", v.Table.String()}, detail{"version", strconv.Itoa(v.Number)}, from)
}

// shapers lists the DDL of a step that may have made a table what it is, by commit: those on its segments, else those on its name,
// else those that do not say what they renamed, else DDL on indexes whose table is not known, else DDL on what the database logs. A
// version from floor on has the older ones.
func shapers(by []committedDDL, v *schema.Version, floor uint64) []committedDDL {
	for _, found := range concerning(by, v, floor) {
		shaping := slices.DeleteFunc(slices.Clone(found), func(d committedDDL) bool { return d.what.Keeps() && !d.what.Creates() })
		if len(shaping) == 0 { // such as a unique index, which may change the key; a comment explains nothing
			shaping = slices.DeleteFunc(found, func(d committedDDL) bool { return !d.what.Has(definition.Key | definition.Logging) })
		}
		if len(shaping) > 0 {
			return shaping
		}
	}
	return nil
}

// concerning sorts the DDL of a step as shapers looks at it.
func concerning(by []committedDDL, v *schema.Version, floor uint64) [][]committedDDL {
	var segments, names, renames, indexes, wide []committedDDL
	for _, d := range by {
		switch {
		case uint64(d.commit) <= floor:
		case d.object.container == v.Container && slices.Contains(v.ObjectIDs, d.object.id):
			segments = append(segments, d)
		case d.named(func(t schema.Table) bool { return t == v.Table }):
			names = append(names, d)
		case d.object.container == v.Container && d.renamesUntold():
			renames = append(renames, d)
		case d.rekeys(v.Table):
			indexes = append(indexes, d)
		case d.wide() && (d.object.container == v.Container || d.object.container < oracle.FirstPDB):
			wide = append(wide, d)
		}
	}
	all := [][]committedDDL{segments, names, renames, indexes, wide}
	for _, found := range all {
		slices.SortStableFunc(found, func(a, b committedDDL) int { return cmp.Compare(a.commit, b.commit) })
	}
	return all
}

// renamesUntold reports a DDL that gives a table another name, and does not say which one, or whose table. One that tells both is about
// no other table.
func (d committedDDL) renamesUntold() bool {
	switch owner := d.what.New.Owner; d.what.Class {
	case definition.RenameTable, definition.UndropTable:
		return owner == "" || owner == "UNKNOWN"
	default:
		return false
	}
}

// explaining lists the DDL of a step that may have made the version of a table another one of the same table. Those that change no column
// explain no other columns, and rows around them have the layout from before: what does may lie ahead. So it does where others took back what
// they did. An exchange beside them counts, since it may bring rows of whatever layout.
func (t *tables) explaining(by []committedDDL, was, v *schema.Version) []committedDDL {
	effects := definition.Layout | definition.Tables
	if registry.LayoutDigest(was) == registry.LayoutDigest(v) {
		effects |= definition.Key | definition.Logging
	}
	last, _ := t.newest(was)
	over := len(t.undone(was, by)) > 0
	sorted := concerning(by, v, was.ValidFrom)
	if was.Logging == v.Logging && effects&definition.Key != 0 {
		sorted = append(sorted, elsewhere(by, was, v)) // nothing nearer says why the key is another one
	}
	for _, found := range sorted {
		found = slices.DeleteFunc(found, func(d committedDDL) bool {
			return !d.concerns(v) || d.turns() && (over || last.turnedTo && d.commit <= last.from)
		})
		if slices.ContainsFunc(found, func(d committedDDL) bool { return d.what.Has(effects) }) {
			return slices.DeleteFunc(found, func(d committedDDL) bool { return !d.what.Has(effects) && !d.exchanges() })
		}
	}
	return nil
}

// elsewhere lists the DDL of a step on indexes of other schemas that may have been, or may be, the key of a table.
func elsewhere(by []committedDDL, was, v *schema.Version) (out []committedDDL) {
	for _, d := range by {
		if uint64(d.commit) > was.ValidFrom && d.rekeysElsewhere(was) && d.rekeysElsewhere(v) {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, byCommit)
	return out
}

// concerns reports a DDL that is, by segment or name, on the table of a version, or on what has no name of its own here. A RENAME of
// another table is not.
func (d committedDDL) concerns(v *schema.Version) bool {
	if d.what.Class != definition.RenameTable && d.what.Class != definition.UndropTable {
		return true
	}
	return d.object.container == v.Container && slices.Contains(v.ObjectIDs, d.object.id) || d.named(func(t schema.Table) bool { return t == v.Table })
}

// untilMoved gives the DDL up to the last that may have taken the name of a table. Without one its name is taken by a DDL that lies
// ahead, and the rows up to that are the table's still.
func untilMoved(shaping []committedDDL) []committedDDL { return until(shaping, committedDDL.moves) }

func until(shaping []committedDDL, is func(committedDDL) bool) []committedDDL {
	for i := len(shaping) - 1; i >= 0; i-- {
		if is(shaping[i]) {
			return shaping[:i+1]
		}
	}
	return nil
}

// swapped reports a table that a DDL gave the segment of a partition for its own, so that it is the same one although it shares no segment
// with what it was (R101). What makes or names tables would make it another one.
func swapped(was, v *schema.Version, by []committedDDL) bool {
	is := func(t schema.Table) bool { return t == v.Table }
	return registry.VersionDigest(was) == registry.VersionDigest(v) &&
		slices.ContainsFunc(by, func(d committedDDL) bool { return d.exchanges() && d.named(is) }) &&
		!slices.ContainsFunc(by, func(d committedDDL) bool { return d.moves() && d.named(is) })
}

// grown reports a version that is another in nothing but further segments.
func grown(was, v *schema.Version) bool {
	return registry.VersionDigest(was) == registry.VersionDigest(v) &&
		!slices.ContainsFunc(was.ObjectIDs, func(id uint64) bool { return !slices.Contains(v.ObjectIDs, id) })
}

// moving gives the DDL that may give a table other segments: a TRUNCATE and a MOVE leave their ids.
func moving(shaping []committedDDL) []committedDDL {
	return slices.DeleteFunc(slices.Clone(shaping), func(d committedDDL) bool {
		stays := d.what.Class == definition.Truncate || d.what.Class == definition.TruncatePartition || d.what.Class == definition.MoveTable
		return stays || !d.what.Has(definition.Segments)
	})
}
