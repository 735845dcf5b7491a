package wire

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// cursor is what the server remembers of a statement: a re-execution sends values only.
type cursor struct {
	id    int
	sql   string
	block bool // the client takes it for a PL/SQL block
	binds []ttc.Descriptor
	// same tells for each bind which earlier one has its value; -1 for the bind that has one of its own.
	same []int
	// out marks the binds of a PL/SQL block whose value a re-execution does not send.
	out []bool
	// countsWanted asks for the rows of each execution of array DML, also when it is repeated.
	countsWanted bool

	// returns is the number of binds behind a RETURNING clause.
	returns int
	// noRepeats says that the client asked for rows without bit vectors.
	noRepeats bool

	// Of a query:
	columns []ttc.Column
	long    bool // there is a LOB or LONG among them
	// defines are how the client wants the columns, sent is how they are sent.
	defines  []ttc.Descriptor
	sent     []ttc.Column
	row      []datum.Datum // reused for every row
	locators []ttc.Locator // of the LOBs in row
	repeats  *ttc.Repeats
	rows     Rows
	state    fetchState
	fetched  uint64
}

// fetchState says what a fetch finds.
type fetchState uint8

const (
	fetchNone fetchState = iota // not a query, or not executed, or failed
	fetchRows
	fetchDone // all rows were delivered
)

func (c *cursor) query() bool { return len(c.columns) > 0 }

// closeRows ends the row source.
func (c *cursor) closeRows() {
	if c.rows != nil {
		_ = c.rows.Close()
		c.rows = nil
	}
	if c.state == fetchRows {
		c.state = fetchNone
	}
}

// begin makes the cursor ready for another execution.
func (c *cursor) begin() {
	c.closeRows()
	c.state = fetchNone
	c.fetched = 0
	c.repeats = nil // a client compares with no row of another execution
}

// cursors are the cursors of a session by number. Numbers are small and used again.
type cursors struct {
	limit int
	open  map[int]*cursor
	last  *cursor // executed last
}

// create opens a cursor.
func (s *cursors) create() (*cursor, error) {
	if len(s.open) >= s.limit {
		return nil, Errorf(oraMaxCursors, "maximum open cursors exceeded")
	}
	if s.open == nil {
		s.open = map[int]*cursor{}
	}
	id := 1
	for s.open[id] != nil {
		id++
	}
	c := &cursor{id: id}
	s.open[id] = c
	s.last = c
	return c, nil
}

// find returns a cursor. Number 0 is the one used last: go-oracledb names it so in the define call.
func (s *cursors) find(id int) *cursor {
	if id == 0 {
		return s.last
	}
	c := s.open[id]
	if c != nil {
		s.last = c
	}
	return c
}

func (s *cursors) close(id int) {
	c := s.open[id]
	if c == nil {
		return
	}
	c.closeRows()
	delete(s.open, id)
	if s.last == c {
		s.last = nil
	}
}

// cancel ends the rows of a cursor but keeps its statement.
func (s *cursors) cancel(id int) {
	if c := s.open[id]; c != nil {
		c.closeRows()
	}
}

func (s *cursors) closeAll() {
	for id := range s.open {
		s.close(id)
	}
}
