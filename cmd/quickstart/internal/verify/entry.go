package verify

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// part is the place of a record among those of one event: a key change is a delete, a tombstone and a create.
type part int

const (
	deletePart part = iota
	tombstonePart
	rowPart
)

// transaction names a transaction: with local undo every PDB counts its ids for itself.
type transaction struct{ pdb, xid string }

// identity names what a record delivers, however often it was delivered.
type identity struct {
	transaction
	event int
	part  part
}

// entry is a record that was understood.
type entry struct {
	record *Record
	// place is that of the record among all.
	place int
	identity
	commitSCN, scn uint64
	// count is the number of events of the transaction, tableOrder the event's place among those of its table (0: the record
	// does not say).
	count, tableOrder int
	table             *ledger.Table
	// steps is how many DDL the table had behind it, columns its columns then.
	steps   int
	columns ledger.Columns
	// op is the letter of the operation, 0 for a tombstone.
	op            byte
	key           ledger.Row
	before, after ledger.Row
	// missingBefore and missingAfter are the values that the record says are not in the redo, nil where there are none.
	missingBefore, missingAfter []bool
}

// tag is the workload's name for the transaction, if the record shows it.
func (e *entry) tag() (string, bool) {
	if e.after == nil {
		return "", false
	}
	v := e.after[e.columns.Index(ledger.TagColumn)]
	return v.Text, !v.Null
}

// compareInside orders two records of one transaction.
func (i identity) compareInside(o identity) int {
	return cmp.Or(cmp.Compare(i.event, o.event), cmp.Compare(i.part, o.part))
}

// sameContent reports whether two records of one identity are repetitions of each other.
func (e *entry) sameContent(o *entry) bool {
	return bytes.Equal(e.record.Key, o.record.Key) && bytes.Equal(e.record.Value, o.record.Value) &&
		(e.record.Value == nil) == (o.record.Value == nil) && fmt.Sprint(e.record.Headers) == fmt.Sprint(o.record.Headers)
}

// sameLogged reports whether two records of one identity have the same values where both say that the redo holds them. What it does not hold
// of a row that gets another key while its table is read is read from the table (R84), and by the next life no more if the row is read anew.
func (e *entry) sameLogged(o *entry) bool {
	if !bytes.Equal(e.record.Key, o.record.Key) || len(e.after) != len(o.after) || !bytes.Equal(e.behindAfter(), o.behindAfter()) {
		return false
	}
	for i := range e.after {
		unlogged := i < len(e.missingAfter) && e.missingAfter[i] || i < len(o.missingAfter) && o.missingAfter[i]
		if !unlogged && e.after[i] != o.after[i] {
			return false
		}
	}
	return true
}

// behindAfter is what a value has behind its rows. A quoted name cannot be inside of a text.
func (e *entry) behindAfter() []byte {
	_, behind, _ := bytes.Cut(e.record.Value, []byte(`,"source":{`))
	return behind
}

// String names the record in messages.
func (e *entry) String() string {
	what := "tombstone"
	if e.op != 0 {
		what = string(e.op)
	}
	return fmt.Sprintf("%s (transaction %s event %d, %s of %s)", e.record.place(), e.xid, e.event, what, e.key)
}

// readHeaders takes the place of the change from the headers, which tombstones carry too.
func (e *entry) readHeaders() error {
	xid, ok := e.record.header("cdc.xid")
	if !ok || xid == "" {
		return fmt.Errorf("header cdc.xid is missing")
	}
	e.transaction = transaction{pdb: e.table.PDB, xid: xid}
	for _, h := range []struct {
		name string
		set  func(uint64)
	}{
		{"cdc.scn", func(n uint64) { e.scn = n }},
		{"cdc.commit_scn", func(n uint64) { e.commitSCN = n }},
		{"cdc.event_index", func(n uint64) { e.event = int(n) }},
		{"cdc.event_count", func(n uint64) { e.count = int(n) }},
	} {
		text, _ := e.record.header(h.name)
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			return fmt.Errorf("header %s is %q", h.name, text)
		}
		h.set(n)
	}
	if e.event >= e.count {
		return fmt.Errorf("event %d of %d", e.event, e.count)
	}
	return nil
}
