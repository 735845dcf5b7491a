package catalog

import (
	"time"

	"github.com/cockroachdb/apd/v3"
)

// Object is what every schema object has besides its content.
type Object struct {
	Owner, Name string
	ObjectID    uint32
	Created     time.Time
	LastDDL     time.Time
}

// View is a stored query.
type View struct {
	Object
	Text     string
	ReadOnly bool
	// Columns are as they were when the view was made.
	Columns []Column
	// Selected are the names that the columns of the query had then. With other ones the view is invalid: a star has come to mean
	// something else.
	Selected []string
}

// Sequence is a number generator as the dictionary shows it. Its numbers are never modified.
type Sequence struct {
	Object
	Min, Max, Increment *apd.Decimal
	// Last is the next number that is not in the cache yet (LAST_NUMBER).
	Last         *apd.Decimal
	Cache        int
	Cycle, Order bool
}
