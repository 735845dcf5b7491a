package replay

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// chunks joins the rows of one statement: CSF is 1 on all but the last, and they share address, SSN and thread (R9). The cut
// may fall anywhere, inside a doubled quote too (C024).
type chunks struct {
	open  bool
	first row
	text  strings.Builder
}

// join takes a row and gives the whole one once its last chunk is there.
func (c *chunks) join(r *row) (whole *row, err error) {
	more := r.CSF.number(0) == 1
	if !c.open && !more {
		return r, nil
	}
	if c.open && !c.first.continues(r) {
		return nil, stop.New(stop.Corrupt, "RS_ID"+c.first.RSID, "the rows of one statement do not follow each other")
	}
	if !c.open {
		c.open, c.first = true, *r
		c.text.Reset()
	}
	if r.SQL != nil {
		c.text.WriteString(*r.SQL)
	}
	if more {
		return nil, nil
	}
	c.open = false
	text := c.text.String()
	c.first.SQL = &text
	return &c.first, nil
}

// continues reports whether a row can be the next chunk.
func (r *row) continues(next *row) bool {
	return r.RSID == next.RSID && r.SSN == next.SSN && r.Thread == next.Thread && r.Code == next.Code && r.XID == next.XID
}

// end reports a statement that the recording broke off.
func (c *chunks) end() error {
	if c.open {
		return stop.New(stop.Corrupt, "RS_ID"+c.first.RSID, "the recording ends inside a statement")
	}
	return nil
}
