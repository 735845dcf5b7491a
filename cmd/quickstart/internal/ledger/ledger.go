package ledger

import (
	"slices"
	"sync"
)

// Op is what a statement did to one row.
type Op byte

// Operations.
const (
	Insert Op = 'c'
	Update Op = 'u'
	Delete Op = 'd'
)

// Change is one row changed by a transaction.
type Change struct {
	Table *Table
	// Steps is how many DDL the table has behind it.
	Steps int
	Op    Op
	// Key is the row's key before the change, of an insert the new one.
	Key Row
	// After is the row after the change, nil for a delete.
	After Row
}

// Columns are those of its rows.
func (c *Change) Columns() Columns { return c.Table.Layout(c.Steps) }

// Rekeys reports whether the change gave the row another key.
func (c *Change) Rekeys() bool { return c.Op == Update && !c.Columns().Key(c.After).Equal(c.Key) }

// Transaction is one committed transaction of a PDB. Its Tag, which is its own in that PDB only, stands in the column TAG of every row that it inserted or updated, and
// at least one of these survives.
type Transaction struct {
	PDB, Tag string
	Changes  []Change
}

// TagColumn is the column that every table of the workload has for the tag.
const TagColumn = "TAG"

// Ledger collects committed transactions.
type Ledger struct {
	mu        sync.Mutex
	committed []Transaction
	changes   int
}

// Commit writes down a transaction whose commit succeeded.
func (l *Ledger) Commit(tx Transaction) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.committed = append(l.committed, tx)
	l.changes += len(tx.Changes)
}

// Count says how much was written down so far.
func (l *Ledger) Count() (transactions, changes int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.committed), l.changes
}

// Transactions returns what was written down so far.
func (l *Ledger) Transactions() []Transaction {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.committed)
}
