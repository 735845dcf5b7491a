package wire

import (
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// setBinds takes over the bind descriptors of a request.
func (c *cursor) setBinds(binds []ttc.Descriptor) {
	c.binds = binds
	c.same = sameNames(c.sql, binds)
	if len(c.out) != len(binds) {
		c.out = nil
	}
}

// sameNames finds the binds whose value is that of an earlier bind of the same name.
func sameNames(sql string, binds []ttc.Descriptor) []int {
	all := make([]int, len(binds))
	var names []string
	for i := range binds {
		all[i] = -1
		if !binds[i].Repeated() {
			continue
		}
		if names == nil {
			names = placeholders(sql)
		}
		if i < len(names) {
			all[i] = slices.Index(names[:i], names[i])
		}
	}
	return all
}

func (c *cursor) bindTypes() []datum.Type {
	if len(c.binds) == 0 {
		return nil
	}
	types := make([]datum.Type, len(c.binds))
	for i := range c.binds {
		types[i] = c.binds[i].Type()
	}
	return types
}

// maxExecutions bounds the rows of array DML: a row of binds that are all known takes no bytes.
const maxExecutions = 1 << 20

// bindRows reads the bind rows of a request. again says that it is a re-execution, which leaves out the
// OUT binds.
func (c *connection) bindRows(x *execution, executions int, again bool) error {
	if executions > maxExecutions {
		c.reader.Fail("%d executions", executions)
		return c.reader.Err()
	}
	cur := x.cursor
	skip := make([]bool, len(cur.binds))
	for i := range cur.binds {
		skip[i] = cur.binds[i].Repeated() || again && cur.out != nil && cur.out[i] || !x.allBinds && i >= len(skip)-cur.returns
	}
	for range executions {
		var row ttc.BindRow
		if err := row.Decode(c.reader, cur.binds, skip, cur.block); err != nil {
			return err
		}
		for i, from := range cur.same {
			if from >= 0 {
				row.Values[i] = row.Values[from]
			}
		}
		if row.Region && x.failed == nil {
			x.failed = Errorf(oraRegion, "timezone region not found")
		}
		if row.Unsupported != 0 && x.failed == nil {
			x.failed = notImplemented(fmt.Sprintf("bind of type %d", row.Unsupported))
		}
		if err := c.bindLobs(cur.binds, row.Values); err != nil && x.failed == nil {
			x.failed = err
		}
		for i := len(skip) - cur.returns; i < len(skip); i++ {
			row.Values[i] = datum.Datum{}
		}
		if len(row.Arrays) > 0 {
			x.arrays = row.Arrays
			if executions > 1 && x.failed == nil {
				x.failed = notImplemented("array execution with array binds")
			}
		}
		x.rows = append(x.rows, row.Values)
	}
	return nil
}
