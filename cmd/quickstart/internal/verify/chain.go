package verify

// Chain checks that every record goes on from the row that the records before it left behind, the tables being what they
// were when the first life began, and that a tombstone follows its delete.
func (h *History) Chain(report *Report) {
	replica := h.beginning()
	for i, e := range h.unique {
		replica.advance(e.table, e.steps)
		if e.steps < replica.steps[e.table] {
			report.fault("%s is in a layout from before a DDL that rows before it have behind them", e)
			continue
		}
		rows, key := replica.rows[e.table], e.key.String()
		had, exists := rows[key]
		row := had.row
		switch e.op {
		case 0:
			if i == 0 || h.unique[i-1].op != 'd' || !h.unique[i-1].key.Equal(e.key) || h.unique[i-1].transaction != e.transaction {
				report.fault("%s follows no delete of its key", e)
			}
			continue
		case 'c':
			if exists {
				report.fault("%s inserts a row that is there: %s", e, row)
			}
		case 'u', 'd':
			if !exists {
				report.fault("%s changes a row that is not there", e)
			} else if !row.Equal(e.before) {
				report.fault("%s: row before is %s, the records before it left %s", e, e.before, row)
			}
		}
		if e.after == nil {
			delete(rows, key)
		} else {
			replica.put(e, had)
		}
	}
}
