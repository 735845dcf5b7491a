package verify

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Ledger holds the history against the transactions that the workload committed: all of them, nothing else, event for event.
func (h *History) Ledger(committed []ledger.Transaction, report *Report) {
	delivered := map[transaction][]*entry{}
	var order []transaction
	for _, e := range h.unique {
		if delivered[e.transaction] == nil {
			order = append(order, e.transaction)
		}
		delivered[e.transaction] = append(delivered[e.transaction], e)
	}
	report.Transactions = len(delivered)
	ledgers := map[name]*ledger.Transaction{}
	for i := range committed {
		ledgers[nameOf(&committed[i])] = &committed[i]
	}
	seen := map[name]string{}
	for _, id := range order {
		entries, xid := delivered[id], id.xid
		slices.SortFunc(entries, func(a, b *entry) int { return a.compareInside(b.identity) })
		report.Changes += countEvents(entries)
		tag, ok := tagOf(entries, report)
		claimed := name{id.pdb, tag}
		tx := ledgers[claimed]
		switch {
		case !ok:
		case tx == nil:
			report.fault("transaction %s of %s (tag %q, %s) was never committed", xid, id.pdb, tag, entries[0])
		case seen[claimed] != "":
			report.fault("transactions %s and %s both claim to be %s", seen[claimed], xid, tag)
		default:
			seen[claimed] = xid
			compareTransaction(xid, entries, tx, report)
		}
	}
	for i := range committed {
		if tx := &committed[i]; seen[nameOf(tx)] == "" && len(tx.Changes) > 0 {
			report.fault("transaction %s of %s was committed with %d changes and is lost", tx.Tag, tx.PDB, len(tx.Changes))
		}
	}
}

// name is how the ledger tells transactions apart.
type name struct{ pdb, tag string }

func nameOf(tx *ledger.Transaction) name { return name{tx.PDB, tx.Tag} }

func countEvents(entries []*entry) int {
	events := map[int]bool{}
	for _, e := range entries {
		events[e.event] = true
	}
	return len(events)
}

// tagOf finds the workload's name of a transaction, which all its row records must agree about.
func tagOf(entries []*entry, report *Report) (string, bool) {
	tag, found := "", false
	for _, e := range entries {
		t, ok := e.tag()
		if !ok {
			continue
		}
		if found && t != tag {
			report.fault("%s carries the tag %q, other records of its transaction %q", e, t, tag)
			return "", false
		}
		tag, found = t, true
	}
	if !found {
		report.fault("%s: no record of its transaction carries a tag", entries[0])
	}
	return tag, found
}

// compareTransaction holds the records of a transaction against its changes. commit SCN and count are the same on all.
func compareTransaction(xid string, entries []*entry, tx *ledger.Transaction, report *Report) {
	wanted := wantedRecords(tx)
	for i, w := range wanted {
		if i >= len(entries) {
			report.fault("transaction %s (%s): %d records, want %d; the first that is lost: event %d, %s of %s",
				xid, tx.Tag, len(entries), len(wanted), w.event, w.what(), w.key)
			return
		}
		e := entries[i]
		if e.event != w.event || e.part != w.part {
			report.fault("transaction %s (%s): %s where event %d, %s of %s is due", xid, tx.Tag, e, w.event, w.what(), w.key)
			return
		}
		if fault := w.differs(e, len(tx.Changes), entries[0].commitSCN); fault != "" {
			report.fault("transaction %s (%s): %s: %s", xid, tx.Tag, e, fault)
		}
	}
	if len(entries) > len(wanted) {
		report.fault("transaction %s (%s): %s was invented", xid, tx.Tag, entries[len(wanted)])
	}
}
