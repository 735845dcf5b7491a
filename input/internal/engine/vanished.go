package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// stranger are the rows in a segment that the dictionary cannot name and that was never captured, by the SCNs of the first and the last.
type stranger struct{ first, last position.SCN }

// stranger takes such a row.
func (a *applier) stranger(r *logminer.Row) {
	if r.Table != "" && r.Owner != "UNKNOWN" && !strings.HasPrefix(r.Table, "OBJ# ") && !strings.HasPrefix(r.Table, "BIN$") {
		// With the dictionary of its time a row that is none of ours says so.
		if a.older == nil || !a.older.answer.second || a.matches == nil || !a.matches(r.Container, r.Owner, r.Table) {
			return
		}
		a.older.misplaced = stop.New(stop.NoDictionary, r.Owner+"."+r.Table,
			"a row at SCN %s had the name of a table that is captured, in segment %d, which is none of its", r.SCN, r.ObjectID)
	}
	if a.strangers == nil {
		a.strangers = map[object]stranger{}
	}
	of := object{r.Container, r.ObjectID}
	rows, had := a.strangers[of]
	if !had {
		rows.first = r.SCN
	}
	rows.first, rows.last = min(rows.first, r.SCN), max(rows.last, r.SCN)
	a.strangers[of] = rows
}

// vanished is a partition of a captured table that a DDL made and that went before the dictionary was read: nobody knows the id of its
// segment. Its rows lie between that DDL and the one that took it away.
type vanished struct {
	table     schema.Table
	container int
	name      string
	from      position.SCN
}

// vanish notes the partitions that DDL made and the reading has not, and forgets them behind the DDL that names them next. Rows in
// segments without a name may be theirs, and then capture cannot go on (R104): they would be lost without a word.
func (m *miner) vanish(committed []committedDDL, now *tables) error {
	ended := map[vanished]position.SCN{}
	for i := range committed {
		d := &committed[i]
		for _, v := range m.history.vanished {
			if v.table == d.table && v.from < d.scn && slices.Contains(d.what.Partitions, v.name) {
				ended[v] = d.commit
			}
		}
		if len(d.what.Made) == 0 || !m.captured(&d.ddlRow) {
			continue
		}
		for _, name := range d.what.Made {
			v := vanished{d.table, d.object.container, name, d.scn}
			if !slices.Contains(now.partitions[d.table], name) && !slices.Contains(m.history.vanished, v) {
				m.history.vanished = append(m.history.vanished, v)
			}
		}
	}
	for of, rows := range m.applier.strangers {
		for _, v := range m.history.vanished {
			if until, ends := ended[v]; v.container == of.container && rows.last >= v.from && (!ends || rows.first < until) {
				m.history.nobody = rows.first
				return nobodys(v.table, of, rows.last, "partition %s, which was made at SCN %s, is not in the dictionary any more", v.name, v.from)
			}
		}
		for _, v := range m.tables.versions() {
			if until, gone := m.goes(v, committed, now); gone && of.container == v.Container && of.id > slices.Max(v.ObjectIDs) &&
				rows.first < until && uint64(rows.last) >= v.ValidFrom {
				m.history.nobody = rows.first
				return nobodys(v.Table, of, rows.first, "the table, which may have made partitions itself, is not in the dictionary any more")
			}
		}
	}
	m.history.vanished = slices.DeleteFunc(m.history.vanished, func(v vanished) bool { _, ends := ended[v]; return ends })
	return nil
}

// below gives a bound for the running step below the rows that nobody can name, so that what commits before them is delivered. There is
// none when they are the first that the step has.
func (m *miner) below(bound position.SCN) (position.SCN, bool) {
	lower := m.history.nobody - 1
	return lower, m.history.nobody > 0 && lower > m.boundary.SCN && lower < bound
}

// unseen gives the partitions that nobody saw as positions keep them, together with those of a position that is not to be forgotten yet.
func (m *miner) unseen(kept []position.Partition) []position.Partition {
	out := slices.Clone(kept)
	for _, p := range append(m.tables.passed(), m.vanishedPartitions()...) {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

func (m *miner) vanishedPartitions() (out []position.Partition) {
	for _, v := range m.history.vanished {
		out = append(out, position.Partition{PDB: v.table.PDB, Owner: v.table.Owner, Table: v.table.Name, Name: v.name, From: v.from})
	}
	return out
}

// recallUnseen takes them from a position, and gives tables their captured names that nobody saw.
func (m *miner) recallUnseen(kept []position.Partition, set *tables) {
	for _, p := range kept {
		if container, ok := m.containerOf(p.PDB); ok {
			t := schema.Table{PDB: p.PDB, Owner: p.Owner, Name: p.Table}
			if p.Object > 0 {
				set.lend(t, object{container, p.Object}, era{from: p.From, began: p.From})
				continue
			}
			m.history.vanished = append(m.history.vanished, vanished{t, container, p.Name, p.From})
		}
	}
}

// nobodys is the stop for a row that may be a table's.
func nobodys(t schema.Table, of object, scn position.SCN, format string, args ...any) error {
	return stop.New(stop.NoDictionary, t.String(), "%s, and a row at SCN %s lies in segment %d, which nobody can name", fmt.Sprintf(format, args...), scn, of.id).
		Doing("exclude the table and restart; to capture it again, begin anew with a new topic_prefix")
}

// goes reports whether a partitioned table is not in the dictionary any more, and the SCN from which rows are none of its: no end where
// the DDL that took it away lies ahead. An insert may have made partitions of it whose ids nobody read.
func (m *miner) goes(v *schema.Version, committed []committedDDL, now *tables) (until position.SCN, gone bool) {
	if !m.tables.partitioned[v.Table] || len(v.ObjectIDs) == 0 {
		return 0, false
	}
	if now != nil {
		is, there := now.byName[v.Table]
		gone = !there || !shares(is, v)
	} else {
		is, there := m.tables.named[v.Table]
		_, ahead := m.history.ahead[v.Table]
		gone = ahead && (!there || !shares(is, v))
	}
	if moved := untilMoved(shapers(committed, v, v.ValidFrom)); len(moved) > 0 {
		return moved[len(moved)-1].commit, gone
	}
	return position.Unlimited, gone
}

// claimed looks at segments whose rows were found by the name that they have today. A partition that an insert made is its table's from the
// first row on. Where the table has the segment and no partition more, an EXCHANGE ahead gave it: the rows up to that are another table's
// (R101). The step is mined again with that DDL, or, where it cannot reach it, with those rows in doubt.
func (m *miner) claimed(ctx context.Context, bound position.SCN, tail bool) (again position.SCN, err error) {
	var unseen []object
	for o := range m.older.nameless {
		if !m.history.claimed[o] {
			unseen = append(unseen, o)
		}
	}
	if len(unseen) == 0 {
		return 0, nil
	}
	now, err := m.readTables(ctx)
	if err != nil {
		return 0, err
	}
	var next *tables
	lost := false
	behind, err := m.db.reading(ctx)
	if err != nil {
		return 0, err
	}
	h := &m.history
	var ahead []committedDDL
	looked := false
	for _, o := range unseen {
		v := now.holder(o)
		if v == nil {
			lost = true // the name that its rows had is another table's by now, or went with the segment
			continue
		}
		was, ok := m.tables.byName[v.Table]
		reach, reading := h.claiming[o]
		if !reading {
			reach = behind
			h.claiming[o] = reach
		}
		if ok && tail && h.looks < maxLooks && bound < reach {
			h.looks++
			return reach, nil // with the DDL that gave it the segment, if there is one
		}
		if ok && !exchanged(was, v) && !tail && !looked {
			looked = true
			if ahead, err = m.lookAhead(ctx, behind); err != nil {
				return 0, err
			}
		}
		if !ok || !exchanged(was, v) && !slices.ContainsFunc(ahead, func(d committedDDL) bool { return d.exchanges() && (d.about(was) || d.about(v)) }) {
			h.claimed[o] = true
			continue
		}
		if next == nil {
			next = m.tables.copy(m.tables)
		}
		if exchanged(was, v) {
			next.doubted(was, v)
		} else {
			next.begin(o.container, []uint64{o.id}, era{version: was, unknown: true})
		}
	}
	if lost && next == nil && h.looks < maxLooks {
		h.looks++
		return bound, nil
	}
	if next == nil {
		return 0, nil
	}
	m.use(next)
	return bound, nil
}

// holder is the table that has a segment.
func (t *tables) holder(o object) *schema.Version {
	for _, v := range t.byName {
		if v.Container == o.container && slices.Contains(v.ObjectIDs, o.id) {
			return v
		}
	}
	return nil
}
