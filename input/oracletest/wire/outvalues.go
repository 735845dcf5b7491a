package wire

import (
	"fmt"

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
		if one.Cursor != nil {
			return notImplemented("ref cursor")
		}
		value, err := assign(&cur.binds[i], &one.Value)
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
	c.out.body, err = ttc.AppendOutValues(c.out.body, values)
	return err
}
