package verify

import "github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"

// Replica is tables as a consumer holds them, who does to them what DDL did to the source.
type Replica struct {
	rows  map[*ledger.Table]map[string]held
	steps map[*ledger.Table]int
	// defaulted are the columns that were added with a default: where the database shows none, nobody can tell it from NULL.
	defaulted map[*ledger.Table][]bool
}

// held is a row. An implied value is the default of a column that was added since the row was written: the database does not store it,
// so that the redo does not have it.
type held struct {
	row     ledger.Row
	implied []bool
}

func newReplica() *Replica {
	return &Replica{rows: map[*ledger.Table]map[string]held{}, steps: map[*ledger.Table]int{}, defaulted: map[*ledger.Table][]bool{}}
}

// beginning is the tables as the first life found them.
func (h *History) beginning() *Replica {
	r := newReplica()
	for i := range h.existing {
		c := &h.existing[i]
		r.advance(c.Table, 0)
		r.rows[c.Table][c.Key.String()] = held{row: c.After, implied: make([]bool, len(c.After))}
	}
	return r
}

// advance does the DDL up to so many.
func (r *Replica) advance(table *ledger.Table, steps int) {
	if r.rows[table] == nil {
		r.rows[table], r.defaulted[table] = map[string]held{}, make([]bool, len(table.Columns))
	}
	for ; r.steps[table] < steps; r.steps[table]++ {
		n := r.steps[table]
		step := &table.Steps[n]
		defaulted := make([]bool, len(step.From))
		for i, at := range step.From {
			if defaulted[i] = at < 0 && !step.Fill[i].Null; at >= 0 {
				defaulted[i] = r.defaulted[table][at]
			}
		}
		r.defaulted[table] = defaulted
		for key, h := range r.rows[table] {
			row, left := table.Forward(h.row, n, n+1)
			if !left {
				delete(r.rows[table], key)
				continue
			}
			next := held{row, make([]bool, len(row))}
			for i, at := range step.From {
				next.implied[i] = at < 0 && defaulted[i] || at >= 0 && h.implied[at]
			}
			r.rows[table][key] = next
		}
	}
}

// put takes a row as it is behind a change of another one; what the record does not show stays as it was. A row that got another key may have
// been read from the table for what the redo does not have (R84): that it shows a default does not mean that the database stores it.
func (r *Replica) put(e *entry, before held) {
	implied := make([]bool, len(e.after))
	for i := range min(len(implied), len(before.implied)) {
		shown := len(e.missingAfter) <= i || !e.missingAfter[i]
		implied[i] = before.implied[i] && (!shown || e.op == 'c' && e.after[i] == before.row[i])
	}
	r.rows[e.table][e.key.String()] = held{e.after, implied}
}

// resolve puts what rows have where records say that the redo does not hold it, and lets no record say so of a value that it does hold.
func (h *History) resolve(report *Report) {
	replica := h.beginning()
	// taken is the row that a delete took away; a create of the same event gives it another key.
	var taken held
	var by identity
	for _, e := range h.unique {
		replica.advance(e.table, e.steps)
		row := replica.rows[e.table][e.key.String()]
		if e.op == 'c' && by.transaction == e.transaction && by.event == e.event {
			row = taken
		}
		row.remember(e)
		replica.fill(e, row, e.before, e.missingBefore, report)
		replica.fill(e, row, e.after, e.missingAfter, report)
		switch {
		case e.after != nil:
			replica.put(e, row)
		case e.op == 'd':
			taken, by = row, e.identity
			delete(replica.rows[e.table], e.key.String())
		}
	}
}

// remember: of the row before an update no header says what the redo does not hold, and only texts have a placeholder.
func (h held) remember(e *entry) {
	if e.op != 'u' {
		return
	}
	for i := range h.implied {
		if h.implied[i] && e.before[i].Null {
			e.before[i] = h.row[i]
		}
	}
}

// fill: the redo has no value of a column that was added with a default where the row is older than the column, and where it is NULL.
func (r *Replica) fill(e *entry, before held, image ledger.Row, missing []bool, report *Report) {
	for i := range missing {
		switch {
		case !missing[i]:
		case i < len(before.row) && (before.implied[i] || r.defaulted[e.table][i] && before.row[i].Null):
			image[i] = before.row[i]
		default:
			report.fault("%s says that the redo does not hold column %s", e, e.columns[i].Name)
		}
	}
}
