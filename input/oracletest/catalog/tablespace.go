package catalog

import (
	"cmp"
	"time"
)

// DefaultTablespace is where tables lie that name none.
const DefaultTablespace = "USERS"

// Tablespace is one of a container, with the last change of its data files that left no redo.
type Tablespace struct {
	Number        int // TS#
	Name          string
	Unrecoverable uint64 // an SCN, 0 where there was none
	At            time.Time
}

// FirstTablespace is the number of USERS; those that tables name are numbered from there on, in the order of their first table.
const FirstTablespace = 4

// TablespaceName gives the name of the tablespace of a table.
func (t *Table) TablespaceName() string { return cmp.Or(t.Tablespace, DefaultTablespace) }

// TablespaceName gives the name of the tablespace of a segment.
func (s *Segment) TablespaceName() string { return cmp.Or(s.Tablespace, DefaultTablespace) }
