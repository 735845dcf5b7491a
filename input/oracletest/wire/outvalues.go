package wire

import (
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// outValues appends the directions and the values of the binds of a PL/SQL block. The client learns only
// here which binds go out.
func (c *connection) outValues(cur *cursor, r *Result) error {
	if len(r.Out) == 0 {
		return nil
	}
	if len(r.Out) != len(cur.binds) {
		return fmt.Errorf("%d binds described where the client sent %d", len(r.Out), len(cur.binds))
	}
	directions := make([]byte, len(r.Out))
	values := make([]ttc.OutValue, 0, len(r.Out))
	cur.out = make([]bool, len(r.Out))
	for i := range r.Out {
		one := &r.Out[i]
		directions[i] = byte(one.Direction)
		cur.out[i] = one.Direction == OutTo
		if one.Direction == In {
			continue
		}
		value, err := c.outValue(&cur.binds[i], one)
		if err != nil {
			return err
		}
		values = append(values, value)
	}
	c.out.body = ttc.BindDirections{Directions: directions}.Encode(c.out.body)
	if len(values) == 0 {
		return nil
	}
	var err error
	c.out.body, err = ttc.AppendOutValues(c.out.body, c.dialect, values)
	return err
}

// outValue makes the value of a bind what the client declared.
func (c *connection) outValue(d *ttc.Descriptor, one *Out) (ttc.OutValue, error) {
	switch {
	case d.Code == datum.TypeCursor:
		return c.refCursor(one)
	case one.Cursor != nil:
		return ttc.OutValue{}, Errorf(oraNumericValue, "PL/SQL: numeric or value error")
	case d.ArraySize > 0:
		return outArray(d, one)
	}
	out, err := assign(d, &one.Value)
	if err != nil || out.Value.IsNull() || !ttc.IsLob(out.Type) {
		return out, err
	}
	l, err := c.lobs.temporary(out.Type, out.Value) // the client frees it
	if err != nil {
		return out, err
	}
	out.Locator, out.Lob = l.locator(), d.Lob()
	return out, nil
}

// outArray makes the elements of a PL/SQL array bind what the client declared.
func outArray(d *ttc.Descriptor, one *Out) (ttc.OutValue, error) {
	if len(one.Elements) > d.ArraySize {
		return ttc.OutValue{}, Errorf(oraArraySize, "PL/SQL: index for PL/SQL table out of range for host language array")
	}
	out := ttc.OutValue{Type: d.Type(), Array: true, Elements: make([]datum.Datum, len(one.Elements))}
	for i := range one.Elements {
		element, err := assign(d, &one.Elements[i])
		if err != nil {
			return out, err
		}
		out.Elements[i] = element.Value
	}
	return out, nil
}

// refCursor opens a cursor for the rows a bind refers to. The client fetches from it as from one of its own.
func (c *connection) refCursor(one *Out) (ttc.OutValue, error) {
	out := ttc.OutValue{Type: datum.Type{Code: datum.TypeCursor}}
	if one.Cursor == nil { // never opened
		return out, nil
	}
	last := c.cursors.last // a call that names no cursor means the client's own
	cur, err := c.cursors.create()
	c.cursors.last = last
	if err != nil {
		_ = one.Cursor.Rows.Close()
		return out, err
	}
	cur.rows = one.Cursor.Rows
	if err := cur.describe(one.Cursor.Columns); err != nil {
		c.cursors.close(cur.id)
		return out, err
	}
	cur.state = fetchRows
	out.Cursor, out.Columns = cur.id, cur.columns
	return out, nil
}
