package engine

import (
	"context"
	"log/slog"
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// reselector reads rows again that the redo does not have whole. It belongs to the emitter.
type reselector interface {
	// Read gives the images of rows by their ROWIDs; of one that is not there is none.
	Read(ctx context.Context, l *snapshot.Lookup) (map[string][]value.Value, error)
	// Rest ends what is kept open for it.
	Rest()
}

// moves are the changes of an item that give a row another key while its table is read by keys, and whose images are not whole (R84). The row
// may have passed from keys that were not read to keys that were: then no chunk will have it any more, and its create event alone tells of it.
// What the redo did not log is read AS OF the item's commit. Whether the row was read under its old key, too, makes no difference: who keeps
// rows by their keys has dropped it with the delete.
type moves struct {
	// left are those still to come, in order.
	left []*transaction.Change
	// asked are those of them that images answers; of one without a row there is none.
	asked  []*transaction.Change
	images map[string][]value.Value
	// later are the changes of the rows of left in the order they were made: what a later one sets, the row did not have before it, though it
	// has it as of the commit.
	later map[string][]*transaction.Change
	// hopeless says why rows of a table cannot be read at this SCN.
	hopeless map[schema.Table]string
	// blank counts rows that stay incomplete.
	blank []blank
}

// blank is how many rows of a table stay incomplete, and why.
type blank struct {
	table schema.Table
	why   string
	rows  int
}

// moves finds those of an item that is about to go out; nil: none. What lies in front of it, chunks too, went out: what is left of a table
// says what no later chunk will have.
func (e *emitter) moves(item *transaction.Committed) *moves {
	if !active(e.running.Snapshot) {
		return nil
	}
	var out *moves
	crossed := map[schema.Table]bool{}
	for c := range item.Changes() {
		if !incomplete(c) {
			continue
		}
		is, known := crossed[c.Version.Table]
		if !known {
			is = e.crossed(c.Version.Table)
			crossed[c.Version.Table] = is
		}
		if !is {
			continue
		}
		if out == nil {
			out = &moves{hopeless: map[schema.Table]string{}, later: map[string][]*transaction.Change{}}
		}
		out.left = append(out.left, c)
		out.later[c.RowID] = nil
	}
	if out == nil {
		return nil
	}
	for c := range item.Changes() {
		if changes, asked := out.later[c.RowID]; asked && c.Op != transaction.Define {
			out.later[c.RowID] = append(changes, c)
		}
	}
	return out
}

// sets reports whether a later change of the same row sets a column, whose value before that nobody has.
func (m *moves) sets(c *transaction.Change, column int) bool {
	changes := m.later[c.RowID]
	at := slices.Index(changes, c)
	return slices.ContainsFunc(changes[at+1:], func(later *transaction.Change) bool {
		return later.Op != transaction.Update || later.Version != c.Version || later.After[column].Known()
	})
}

// crossed reports a table that is read by keys, and some of whose keys are read no more.
func (e *emitter) crossed(t schema.Table) bool {
	r := e.snapshots.readings[t]
	if r == nil {
		return false
	}
	_, listed := e.running.Snapshot.Table(t.String())
	return listed && r.task.Progress.Crossed()
}

// incomplete reports a change of a key of which the redo does not hold every value that records have a field for.
func incomplete(c *transaction.Change) bool {
	if c.Op != transaction.Update || !keyChanged(c.Version, c.Before, c.After) {
		return false
	}
	for i, v := range c.After {
		if !v.Known() && c.Version.Columns[i].Published() {
			return true
		}
	}
	return false
}

// pass takes a change out that comes next. It reports whether it was one of them.
func (m *moves) pass(c *transaction.Change) bool {
	if m == nil || len(m.left) == 0 || m.left[0] != c {
		return false
	}
	m.left = m.left[1:]
	return true
}

// whole gives a change with what the redo did not log. What it logged stays as it is.
func (e *emitter) whole(ctx context.Context, m *moves, item *transaction.Committed, c *transaction.Change) (*transaction.Change, error) {
	if m == nil || len(m.left) == 0 || m.left[0] != c {
		return c, nil
	}
	if _, hopeless := m.hopeless[c.Version.Table]; !hopeless && !slices.Contains(m.asked, c) {
		if err := e.reselect(ctx, m, item); err != nil {
			return nil, err
		}
	}
	m.pass(c)
	image, why := m.images[c.RowID], m.hopeless[c.Version.Table]
	if why == "" && !sameKey(c, image) {
		image, why = nil, "the row is not there any more, or has another key"
	}
	if why != "" {
		image = nil
		m.stays(c.Version.Table, why)
	}
	filled := *c
	filled.After = slices.Clone(c.After)
	for i, v := range filled.After {
		switch {
		case v.Known():
		case (image == nil || m.sets(c, i)) && c.Version.Columns[i].Published():
			filled.After[i] = value.OfUnavailable() // where a later change sets it, that one's record has it
		case image != nil && image[i].Known():
			filled.After[i] = image[i]
		}
	}
	return &filled, nil
}

// sameKey reports whether a row that was read is the one that a change left: its ROWID may be another one's by the end of the transaction.
func sameKey(c *transaction.Change, image []value.Value) bool {
	return image != nil && !slices.ContainsFunc(c.Version.Key.Columns, func(i int) bool {
		return c.After[i].Known() && !c.After[i].Equal(image[i])
	})
}

// reselect reads the rows of the next changes, as many of one version as one query has.
func (e *emitter) reselect(ctx context.Context, m *moves, item *transaction.Committed) error {
	v := m.left[0].Version
	n := 1
	for n < min(len(m.left), snapshot.MostReselected) && m.left[n].Version == v {
		n++
	}
	m.asked, m.images = m.left[:n], nil
	ids := make([]string, 0, n)
	for _, c := range m.asked {
		if c.RowID != "" && !slices.Contains(ids, c.RowID) {
			ids = append(ids, c.RowID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var err error
	m.images, err = e.lookup.Read(ctx, &snapshot.Lookup{Version: v, Container: e.snapshots.roster.container(v), SCN: item.Key.SCN, RowIDs: ids})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		e.config.Log.Warn("Rows that got another key while their table is read cannot be completed", "table", v.Table.String(), "scn", item.Key.SCN.String(), "why", err)
		m.hopeless[v.Table] = snapshot.Why(err)
	}
	return nil
}

func (m *moves) stays(t schema.Table, why string) {
	at := slices.IndexFunc(m.blank, func(b blank) bool { return b.table == t && b.why == why })
	if at < 0 {
		m.blank = append(m.blank, blank{table: t, why: why})
		at = len(m.blank) - 1
	}
	m.blank[at].rows++
}

// tellIncomplete tells of the rows of an item that stay incomplete.
func (e *emitter) tellIncomplete(m *moves, tx *change.Transaction) {
	if m == nil {
		return
	}
	for _, b := range m.blank {
		e.note(slog.LevelWarn, "Rows got another key while their table is read, and columns that the redo does not have are unavailable in their records",
			rowIncompleteEvent, detail{"table", b.table.String()}, detail{"rows", strconv.Itoa(b.rows)}, detail{"transaction", tx.ID.String()},
			detail{"commit_scn", tx.Key.SCN.String()}, detail{"why", b.why})
	}
}
