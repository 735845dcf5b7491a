package verify

import (
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// wanted is a record that a change of the ledger must lead to.
type wanted struct {
	event      int
	part       part
	table      *ledger.Table
	steps      int
	op         byte
	key        ledger.Row
	after      ledger.Row
	tableOrder int
}

func (w *wanted) what() string {
	if w.op == 0 {
		return "tombstone"
	}
	return string(w.op)
}

// wantedRecords lists the records of a transaction: one for an insert and an update, delete and tombstone for a delete, and
// both for a key change.
func wantedRecords(tx *ledger.Transaction) []wanted {
	var records []wanted
	order := map[*ledger.Table]int{}
	for i := range tx.Changes {
		c := &tx.Changes[i]
		order[c.Table]++
		w := wanted{event: i, table: c.Table, steps: c.Steps, key: c.Key, tableOrder: order[c.Table]}
		if c.Op == ledger.Delete || c.Rekeys() {
			w.part, w.op = deletePart, 'd'
			records = append(records, w)
			w.part, w.op = tombstonePart, 0
			records = append(records, w)
		}
		if c.Op == ledger.Delete {
			continue
		}
		w.part, w.op, w.key, w.after = rowPart, byte(c.Op), c.Columns().Key(c.After), c.After
		if c.Rekeys() {
			w.op = byte(ledger.Insert)
		}
		records = append(records, w)
	}
	return records
}

// differs says in what the record differs from the wanted one, "" in nothing.
func (w *wanted) differs(e *entry, count int, commitSCN uint64) string {
	switch {
	case e.table != w.table:
		return "is of the wrong table, want " + w.table.FullName()
	case e.steps != w.steps:
		return fmt.Sprintf("is in the layout behind %d DDL, want %d", e.steps, w.steps)
	case e.op != w.op:
		return "want the operation " + w.what()
	case !e.key.Equal(w.key):
		return "want the key " + w.key.String()
	case e.count != count:
		return fmt.Sprintf("says %d events, want %d", e.count, count)
	case e.commitSCN != commitSCN:
		return fmt.Sprintf("commit SCN %d, other records of its transaction %d", e.commitSCN, commitSCN)
	case e.op != 0 && e.tableOrder != w.tableOrder:
		return fmt.Sprintf("is change %d of its table, want %d", e.tableOrder, w.tableOrder)
	case w.after != nil && !e.after.Equal(w.after):
		return fmt.Sprintf("row after is %s, want %s", e.after, w.after)
	}
	return ""
}
