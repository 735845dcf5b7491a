package verify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/Jeffail/gabs/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// reading is a record of a row that the pipeline read by query.
type reading struct {
	record *Record
	// place is that of the record among all.
	place int
	scn   uint64
	table *ledger.Table
	// steps is how many DDL the row has behind it.
	steps int
	key   ledger.Row
	row   ledger.Row
	// incremental: a signal asked for it.
	incremental bool
}

// String names the record in messages.
func (r *reading) String() string {
	return fmt.Sprintf("%s (row %s, read as of SCN %d)", r.record.place(), r.key, r.scn)
}

// isReading reports a record of a row that was read.
func (r *Record) isReading() bool {
	text, ok := r.header("cdc.snapshot")
	return ok && text == "true"
}

// parseReading understands a record of a row that was read, and refuses one whose parts contradict each other. A DDL that was under way at
// its SCN leaves two layouts possible.
func (f Format) parseReading(r *Record) (*reading, error) {
	table, ok := f.table(r.Topic)
	if !ok {
		return nil, errors.New("nobody captures a table into this topic")
	}
	text, _ := r.header("cdc.scn")
	scn, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return nil, fmt.Errorf("header cdc.scn is %q", text)
	}
	for _, name := range []string{"cdc.xid", "cdc.commit_scn", "cdc.event_index"} {
		if text, ok := r.header(name); ok {
			return nil, fmt.Errorf("header %s is %q, of a row that has no transaction", name, text)
		}
	}
	steps := table.At(scn)
	out, err := f.readingAt(r, table, scn, steps)
	if err != nil && steps > 0 && scn <= table.Steps[steps-1].Behind {
		if before, other := f.readingAt(r, table, scn, steps-1); other == nil {
			return before, nil
		}
	}
	return out, err
}

func (f Format) readingAt(r *Record, table *ledger.Table, scn uint64, steps int) (*reading, error) {
	out := &reading{record: r, scn: scn, table: table, steps: steps}
	columns := table.Layout(steps)
	if topic := f.Topic(table, steps); topic != r.Topic {
		return nil, fmt.Errorf("at SCN %d the table's topic was %s", scn, topic)
	}
	key, err := parseJSON(r.Key)
	if err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	if out.key, err = readRow(key, columns.KeyColumns()); err != nil {
		return nil, fmt.Errorf("key: %w", err)
	}
	value, err := parseJSON(r.Value)
	if err != nil {
		return nil, fmt.Errorf("value: %w", err)
	}
	if out.row, err = readImage(value, "after", true, columns); err != nil {
		return nil, err
	}
	if !columns.Key(out.row).Equal(out.key) {
		return nil, fmt.Errorf("key %s, but the row has %s", out.key, columns.Key(out.row))
	}
	return out, f.checkReading(out, value)
}

// checkReading holds the envelope and the source block against headers and topic.
func (f Format) checkReading(r *reading, value *gabs.Container) error {
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"op"}, "r"},
		{[]string{"source", "connector"}, "oracle-cdc"},
		{[]string{"source", "name"}, f.Prefix},
		{[]string{"source", "db"}, r.table.PDB},
		{[]string{"source", "pdb"}, r.table.PDB},
		{[]string{"source", "schema"}, r.table.Owner},
		{[]string{"source", "scn"}, strconv.FormatUint(r.scn, 10)},
	} {
		if got := fmt.Sprint(value.S(c.path...).Data()); got != c.want {
			return fmt.Errorf("%v is %s, want %s", c.path, got, c.want)
		}
	}
	for _, path := range [][]string{{"before"}, {"transaction"}, {"source", "txId"}, {"source", "commit_scn"}, {"source", "rs_id"}} {
		if value.S(path...).Data() != nil {
			return fmt.Errorf("%v is there in a row that was read", path)
		}
	}
	if mark := fmt.Sprint(value.S("source", "snapshot").Data()); !slices.Contains([]string{"first", "true", "last", "incremental"}, mark) {
		return fmt.Errorf("source.snapshot is %s", mark)
	} else {
		r.incremental = mark == "incremental"
	}
	return nil
}

// Readings checks the rows that were read: each is the row that the source had at its SCN, no change of its key comes on the wrong side of
// it, and every row that was there before is among them, unless it went before anybody came to it.
func (h *History) Readings(report *Report) {
	seen := map[string]bool{}
	byTime := slices.Clone(h.readings)
	slices.SortStableFunc(byTime, func(a, b *reading) int { return cmp.Compare(a.scn, b.scn) })
	var at uint64
	state, next := h.beginning(), 0
	var before *Replica
	for _, r := range byTime {
		seen[r.table.FullName()+" "+r.key.String()] = true
		if r.scn != at {
			at, before, next = r.scn, nil, h.goOn(state, next, r.scn)
		}
		if r.is(state) {
			continue
		}
		if before == nil {
			before = h.State(r.scn - 1) // what commits at the SCN itself may be there or not
		}
		if !r.is(before) {
			report.fault("%s is %s, which the source did not have then", r, r.row)
		}
	}
	report.SnapshotRows = len(seen)
	h.checkSides(report)
	deleted := h.deleted()
	for i := range h.existing {
		c := &h.existing[i]
		name := c.Table.FullName() + " " + c.Key.String()
		if !seen[name] && !deleted[name] && !emptied(c.Table) {
			report.fault("the row %s of %s was there before and was never read", c.Key, c.Table.FullName())
		}
	}
}

// deleted lists the rows that went, by table and key.
func (h *History) deleted() map[string]bool {
	out := map[string]bool{}
	for _, e := range h.unique {
		if e.op == 'd' {
			out[e.table.FullName()+" "+e.key.String()] = true
		}
	}
	return out
}

// emptied reports a table that a DDL took the rows of.
func emptied(t *ledger.Table) bool {
	return slices.ContainsFunc(t.Steps, func(s ledger.Step) bool { return s.Emptied })
}

// is reports whether the row was in a state of the source.
func (r *reading) is(state *Replica) bool {
	steps := max(r.steps, state.steps[r.table])
	row, left := r.table.Forward(r.row, r.steps, steps)
	if !left {
		return true // it went with a DDL that was under way
	}
	had, ok := state.rows[r.table][r.table.Layout(steps).Key(row).String()]
	if !ok {
		return false
	}
	other, left := r.table.Forward(had.row, state.steps[r.table], steps)
	return left && other.Equal(row)
}

// checkSides: inside a life, changes of a row that committed before it was read come before it, and later ones behind it.
func (h *History) checkSides(report *Report) {
	type side struct {
		place, read, committed int64
		name                   string
		what                   fmt.Stringer
	}
	var all []side
	for _, r := range h.readings {
		all = append(all, side{int64(r.place), int64(r.scn), -1, fmt.Sprint(r.record.Life, r.table.FullName(), r.key), r}) //nolint:gosec // below 2^63, see parseReading
	}
	for _, e := range h.entries {
		all = append(all, side{int64(e.place), -1, int64(e.commitSCN), fmt.Sprint(e.record.Life, e.table.FullName(), e.key), e}) //nolint:gosec // likewise
	}
	slices.SortFunc(all, func(a, b side) int { return cmp.Compare(a.place, b.place) })
	committed, read := map[string]int64{}, map[string]int64{}
	for _, s := range all {
		if s.read >= 0 {
			if c := committed[s.name]; c > s.read {
				report.fault("%s comes behind a change of commit SCN %d", s.what, c)
			}
			read[s.name] = s.read
			continue
		}
		if r := read[s.name]; s.committed < r {
			report.fault("%s comes behind the row as it was read as of SCN %d", s.what, r)
		}
		committed[s.name] = max(committed[s.name], s.committed)
	}
}
