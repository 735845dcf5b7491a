package engine

import (
	"log/slog"
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
)

// hold notes the table that has a name from a version on, by its segments: its rows go to the topic of the name. It is the one that had it
// where it shares segments with what that was before. Of the tables that had a name one after the other the last two are kept, since a step
// is mined again with what it did.
func (h *history) hold(was, v *schema.Version) {
	held := h.holders[v.Table]
	n := len(held)
	if n > 0 && (shares(held[n-1], v) || shares(held[n-1], was)) {
		same := *v
		same.ValidFrom = held[n-1].ValidFrom
		h.holders[v.Table] = append(slices.Clone(held[:n-1]), &same)
		return
	}
	h.holders[v.Table] = append(slices.Clone(held[max(0, n-1):]), v)
}

// inherits gives the table whose rows the topic of a name had before a DDL gave the name to another one; none where the name is new, or
// back at its table. Consumers hold those rows under the name, and none that the other table had then (R129).
func (m *miner) inherits(d *committedDDL, now *tables) (name schema.Table, before *schema.Version) {
	name, ok := d.becomes()
	is := now.byName[name]
	if !ok || is == nil || !m.config.Selection.Included(name) {
		return name, nil
	}
	for _, v := range m.history.holders[name] {
		if v.ValidFrom < uint64(d.commit) {
			before = v
		}
	}
	if before == nil || len(before.ObjectIDs) == 0 || before.Container != d.object.container || shares(before, is) || slices.Contains(before.ObjectIDs, d.object.id) {
		return name, nil
	}
	return name, before
}

// inherited tells of a DDL that gave the name of a table to another one.
func (m *miner) inherited(d *committedDDL, now *tables) {
	name, before := m.inherits(d, now)
	if before == nil {
		return
	}
	called := ""
	for _, v := range now.versions() {
		if shares(before, v) {
			called = v.Table.String()
		}
	}
	from := name
	if d.what.Class == definition.RenameTable {
		from.Name = d.what.Table.Name
	}
	// A table that is created brings its rows with it, and one that was not captured is read as a new one.
	_, captured := m.tables.byObject[d.object]
	if m.config.ReadAtBulkDDL && !d.what.Creates() && (captured || !m.config.Snapshot.NewTables) {
		m.stepReads = append(m.stepReads, wantedTable{name, readBulkDDL})
	}
	m.stepOps = append(m.stepOps, opsEvent{bulkDDLEvent, []detail{
		{"table", name.String()},
		{"statement", d.what.Verb},
		{"scn", d.scn.String()},
		{"commit_scn", d.commit.String()},
		{"renamed_from", from.String()},
		{"before_object_id", strconv.FormatUint(before.ObjectIDs[0], 10)},
		{"before_called", called},
	}, "The topic of a table goes on with the rows of another one, which a DDL gave the name: consumers hold rows of the one before. " +
		"A signal execute-snapshot brings them the rows that the table has", slog.LevelWarn})
}

// takesOver reports a DDL that gave the name of a table to another one.
func (m *miner) takesOver(d *committedDDL, now *tables) bool {
	_, before := m.inherits(d, now)
	return before != nil
}
