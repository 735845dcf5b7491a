package engine

import (
	"cmp"
	"log/slog"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
)

// bulk tells of a DDL that changed rows without row events (R129).
func (m *miner) bulk(d *committedDDL) {
	var of []schema.Table
	what := "A DDL changed rows of a captured table without row events"
	switch {
	case d.what.Has(definition.Rowless):
		of = m.emptied(d)
	case d.what.Has(definition.RowIDs) && m.renumbers(d):
		of, what = []schema.Table{d.table}, "A DDL gave rows other ROWIDs, which are the keys of the table's records"
	}
	for _, t := range of {
		if m.config.ReadAtBulkDDL {
			m.stepReads = append(m.stepReads, wantedTable{t, readBulkDDL})
		}
		m.stepOps = append(m.stepOps, opsEvent{bulkDDLEvent, []detail{
			{"table", t.String()}, {"statement", d.what.Verb}, {"scn", d.scn.String()}, {"commit_scn", d.commit.String()},
		}, what, slog.LevelWarn})
	}
}

// emptied lists the captured tables of a DDL that changes rows: its own, the partner of an exchange, which gets the rows of a partition
// for its own, and those that go with it by CASCADE.
func (m *miner) emptied(d *committedDDL) (out []schema.Table) {
	if m.captured(&d.ddlRow) && !m.gained(d) {
		out = append(out, d.table)
	}
	for _, n := range d.what.Also {
		if t := (schema.Table{PDB: d.table.PDB, Owner: n.Owner, Name: n.Name}); m.tables.byName[t] != nil && t != d.table {
			out = append(out, t)
		}
	}
	for _, t := range m.cascade(&d.ddlRow, m.history.children) {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// gained reports an exchange on a table that is not captured, whose segment a captured one has from then on.
func (m *miner) gained(d *committedDDL) bool {
	e := m.tables.byObject[d.object]
	return d.exchanges() && len(e) > 0 && e[0].began == d.scn && m.tables.byName[d.table] == nil
}

// cascade lists the captured tables that a DDL changes with its own, through foreign keys ON DELETE CASCADE: of those tables, and of
// those in turn. Tables in between need not be captured.
func (m *miner) cascade(d *ddlRow, children map[schema.Table][]schema.Table) (out []schema.Table) {
	if !d.what.Cascades {
		return nil
	}
	from := []schema.Table{d.table, {PDB: d.table.PDB, Owner: d.what.Table.Owner, Name: d.what.Table.Name}}
	if e := m.tables.byObject[d.object]; len(e) > 0 {
		from = append(from, e[len(e)-1].version.Table) // the keys are listed under today's name
	}
	seen := map[schema.Table]bool{}
	for ; len(from) > 0; from = from[1:] {
		for _, t := range children[from[0]] {
			if seen[t] {
				continue
			}
			seen[t] = true
			from = append(from, t)
			if m.tables.byName[t] != nil {
				out = append(out, t)
			}
		}
	}
	slices.SortFunc(out, func(a, b schema.Table) int { return cmp.Compare(a.String(), b.String()) })
	return out
}

// renumbers reports a DDL that gives rows other ROWIDs, where those are the keys of the records: consumers hold the rows under the old
// keys, and get them under the new ones with their next change.
func (m *miner) renumbers(d *committedDDL) bool {
	if e := m.tables.byObject[d.object]; len(e) > 0 {
		at := e[e.at(d.scn)]
		return !at.gone && at.version.Key.Origin == schema.KeyRowID
	}
	v := m.tables.byName[d.table]
	return v != nil && v.Key.Origin == schema.KeyRowID
}

// truncate makes changes of a TRUNCATE TABLE: one of its table, and one of every captured table that goes with it.
func (a *applier) truncate(d *ddlRow, r *logminer.Row) {
	if !a.truncates || d.what.Class != definition.Truncate {
		return
	}
	var of []*schema.Version
	if l, ok := a.tables.of(r.Container, r.ObjectID, r.Owner, r.Table, r.SCN); ok && !l.passing() {
		of = append(of, l.version) // under a name that nobody saw it has only rows that stop capture to take away
	}
	for _, t := range a.cascade(d) {
		v := a.tables.byName[t]
		for _, id := range v.ObjectIDs {
			if l, ok := a.tables.of(v.Container, id, t.Owner, t.Name, r.SCN); ok {
				if !slices.Contains(of, l.version) {
					of = append(of, l.version)
				}
				break
			}
		}
	}
	for _, v := range of {
		a.buffer.Append(d.id, r.User, transaction.Change{
			Op: transaction.Truncate, Version: v, SCN: r.SCN, Thread: r.Thread, Address: r.Address, SSN: r.SSN, Millis: a.millis(r),
		})
	}
}
