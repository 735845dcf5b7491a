package snapshot

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Row reads the rows of one version of a table.
type Row struct {
	version *schema.Version
	list    string
	// at are the columns that are asked for, by index of Version.Columns; cells what the driver gives for them.
	at    []int
	cells []cell
	dest  []any
	// missing are published columns that the query does not give.
	missing []int
	// placed: the first cell is the ROWID.
	placed bool
	// slab has room for the images of further rows.
	slab []value.Value
}

// slabRows is for how many images room is made at once.
const slabRows = 32

// NewRow prepares a version. The error is a *stop.Error that names the column whose values cannot be read.
func NewRow(v *schema.Version) (*Row, error) { return newRow(v, nil, v.Key.Origin == schema.KeyRowID) }

// newRow prepares a version for a query that gives only some of its columns; nil: all. Those of the key it must give. placed asks for the
// ROWID, too.
func newRow(v *schema.Version, gives func(*schema.Column) bool, placed bool) (*Row, error) {
	if gives != nil {
		if err := givesKey(v, gives); err != nil {
			return nil, err
		}
	}
	r := &Row{version: v, placed: placed}
	var list strings.Builder
	if r.placed {
		list.WriteString("ROWIDTOCHAR(ROWID)")
	}
	for i := range v.Columns {
		c := &v.Columns[i]
		if !stored(c) {
			continue
		}
		if !c.Type.Captured() {
			return nil, stop.New(stop.Configuration, v.Table.String()+"."+c.Name, "columns of type %s cannot be read by query", c.Type).
				Doing("exclude the table, or the column with columns.exclude")
		}
		if gives != nil && !gives(c) {
			r.missing = append(r.missing, i)
			continue
		}
		if list.Len() > 0 {
			list.WriteString(", ")
		}
		list.WriteString(expression(c))
		r.at = append(r.at, i)
	}
	if len(r.at) == 0 {
		return nil, stop.New(stop.Configuration, v.Table.String(), "the table has no column that can be read by query").Doing("exclude the table")
	}
	r.list = list.String()
	n := len(r.at)
	if r.placed {
		n++
	}
	r.cells, r.dest = make([]cell, n), make([]any, n)
	for i := range r.cells {
		r.dest[i] = &r.cells[i]
	}
	return r, nil
}

// givesKey refuses a query of the user that leaves out what identifies its rows.
func givesKey(v *schema.Version, gives func(*schema.Column) bool) error {
	const give = "have the query of snapshot.overrides return every key column under its name in the table"
	if v.Key.Origin == schema.KeyRowID {
		return stop.New(stop.Configuration, v.Table.String(), "the rows of a query have no ROWID, which is the key of the table").
			Doing("give the table a key (record_keys), or use snapshot.conditions instead of snapshot.overrides")
	}
	for _, i := range v.Key.Columns {
		if c := &v.Columns[i]; !gives(c) {
			return stop.New(stop.Configuration, v.Table.String()+"."+c.Name, "the query of snapshot.overrides does not return a key column").Doing(give)
		}
	}
	return nil
}

// stored: the redo has values of the column, and no one has taken it away. An invisible column has them too.
func stored(c *schema.Column) bool { return !c.Virtual && !c.Unused && !c.Guard && !c.Excluded }

// The formats are those of sessions (reference logminer A.6), written out: a query's text depends on nothing then. A sign before the
// year keeps dates before Christ, which the driver's own reading of DATE loses.
const (
	dateFormat  = "SYYYY-MM-DD HH24:MI:SS"
	stampFormat = dateFormat + ".FF9"
	zonedFormat = stampFormat + " TZH:TZM"
)

// expression asks for a column in the form that decode.Shown reads. Numbers and texts come as they are: TO_CHAR rounds a NUMBER to 40
// characters. TIMESTAMP WITH LOCAL TIME ZONE would be shown in the session's zone.
func expression(c *schema.Column) string {
	name := `"` + strings.ReplaceAll(c.Name, `"`, `""`) + `"` // Oracle has no name with a quote in it
	switch c.Type.Kind {
	case schema.Date:
		return "TO_CHAR(" + name + ", '" + dateFormat + "')"
	case schema.Timestamp:
		return "TO_CHAR(" + name + ", '" + stampFormat + "')"
	case schema.TimestampLTZ:
		return "TO_CHAR(SYS_EXTRACT_UTC(" + name + "), '" + stampFormat + "')"
	case schema.TimestampTZ:
		return "TO_CHAR(" + name + ", '" + zonedFormat + "')"
	case schema.IntervalYM, schema.IntervalDS:
		return "TO_CHAR(" + name + ")"
	case schema.BinaryFloat:
		// The driver cuts a BINARY_FLOAT after the digits that it prints it with: 0.29 arrives as 0.28. A double holds it whole.
		return "TO_BINARY_DOUBLE(" + name + ")"
	default:
		return name
	}
}

// List is the select list of a query for such rows.
func (r *Row) List() string { return r.list }

// Read takes the row that rows stand on. The image is aligned with Version.Columns; columns that have no values in the redo are Absent
// in it. The error is that of the rows, or a *stop.Error CDC-3001 that names the column and holds no value.
func (r *Row) Read(rows *oracle.Rows) ([]value.Value, error) {
	if err := r.scan(rows); err != nil {
		return nil, err
	}
	row, err := r.selected()
	return row.Image, err
}

// scan takes the cells of the row that rows stand on.
func (r *Row) scan(rows *oracle.Rows) error { return rows.Scan(r.dest...) }

// selected makes values of the cells.
func (r *Row) selected() (Selected, error) {
	row := Selected{Image: r.image()}
	cells := r.cells
	if r.placed {
		row.RowID, cells = cells[0].text, cells[1:]
	}
	for i, at := range r.at {
		c := &r.version.Columns[at]
		v, err := cells[i].value(c)
		if err != nil {
			return row, stop.Wrap(decode.Code(err), err, r.version.Table.String()+"."+c.Name, "a selected value cannot be read")
		}
		row.Image[at] = v
	}
	for _, i := range r.missing {
		row.Image[i] = value.OfUnavailable()
	}
	return row, nil
}

// image makes room for the values of one row. Rows that are read one after the other go through the pipeline together, so that one that is
// kept keeps few that are not.
func (r *Row) image() []value.Value {
	n := len(r.version.Columns)
	if len(r.slab) < n {
		r.slab = make([]value.Value, n*slabRows)
	}
	image := r.slab[:n:n]
	r.slab = r.slab[n:]
	return image
}
