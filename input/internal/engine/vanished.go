package engine

import (
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// stranger is a row in a segment that the dictionary cannot name and that was never captured.
type stranger struct {
	object uint64
	scn    position.SCN
}

// stranger takes such a row.
func (a *applier) stranger(r *logminer.Row) {
	if r.Table != "" && r.Owner != "UNKNOWN" && !strings.HasPrefix(r.Table, "OBJ# ") && !strings.HasPrefix(r.Table, "BIN$") {
		// With the dictionary of its time a row that is none of ours says so.
		if a.older == nil || !a.older.answer.second || a.matches == nil || !a.matches(r.Container, r.Owner, r.Table) {
			return
		}
	}
	a.unname(r)
	if a.strangers == nil {
		a.strangers = map[int]stranger{}
	}
	if last := a.strangers[r.Container]; r.SCN >= last.scn {
		a.strangers[r.Container] = stranger{r.ObjectID, r.SCN}
	}
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
	var ended []vanished
	for i := range committed {
		d := &committed[i]
		for _, v := range m.history.vanished {
			if v.table == d.table && v.from < d.scn && slices.Contains(d.what.Partitions, v.name) {
				ended = append(ended, v)
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
	for _, v := range m.history.vanished {
		if row, ok := m.applier.strangers[v.container]; ok && row.scn >= v.from {
			return stop.New(stop.NoDictionary, v.table.String(),
				"partition %s, which was made at SCN %s, is not in the dictionary any more, and a row at SCN %s lies in segment %d, which nobody can name",
				v.name, v.from, row.scn, row.object).
				Doing("exclude the table and restart; to capture it again, begin anew with a new topic_prefix")
		}
	}
	m.history.vanished = slices.DeleteFunc(m.history.vanished, func(v vanished) bool { return slices.Contains(ended, v) })
	return nil
}

// unseen gives the partitions that nobody saw as positions keep them, together with those of a position that is not to be forgotten yet.
func (m *miner) unseen(kept []position.Partition) []position.Partition {
	out := slices.Clone(kept)
	for _, v := range m.history.vanished {
		p := position.Partition{PDB: v.table.PDB, Owner: v.table.Owner, Table: v.table.Name, Name: v.name, From: v.from}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// recallUnseen takes them from a position.
func (m *miner) recallUnseen(kept []position.Partition) {
	for _, p := range kept {
		if container, ok := m.containerOf(p.PDB); ok {
			t := schema.Table{PDB: p.PDB, Owner: p.Owner, Name: p.Table}
			m.history.vanished = append(m.history.vanished, vanished{t, container, p.Name, p.From})
		}
	}
}
