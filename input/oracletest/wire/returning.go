package wire

import (
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// returnBinds counts the binds behind the INTO of a RETURNING clause, which are the last ones of the
// statement. A client sends no values for them. A PL/SQL block has none: its clauses are its own.
func returnBinds(sql string) int {
	const (
		before = iota
		clause
		into
	)
	state, binds, first := before, 0, true
	scan(sql, func(token string) {
		switch word := strings.ToUpper(token); {
		case token[0] == ':':
			if state == into {
				binds++
			}
		case first && (word == "BEGIN" || word == "DECLARE" || word == "CALL"):
			state = -1
		case state == before && (word == "RETURNING" || word == "RETURN"):
			state = clause
		case state == clause && word == "INTO":
			state = into
		}
		first = false
	})
	return binds
}

// returned appends what a RETURNING clause gave back: the directions of the binds, then a row of values for
// each execution.
func (c *connection) returned(x *execution) error {
	cur := x.cursor
	in := len(cur.binds) - cur.returns
	directions := make([]byte, len(cur.binds))
	for i := range directions {
		directions[i] = ttc.DirectionIn
		if i >= in {
			directions[i] = ttc.DirectionOut
		}
	}
	c.out.body = ttc.BindDirections{Directions: directions}.Encode(c.out.body)
	for _, rows := range x.result.Returned {
		values := make([][]ttc.OutValue, len(rows))
		for i, row := range rows {
			if len(row) != cur.returns {
				return fmt.Errorf("%d values returned for %d binds", len(row), cur.returns)
			}
			values[i] = make([]ttc.OutValue, len(row))
			for j := range row {
				var err error
				if values[i][j], err = c.outValue(&cur.binds[in+j], &Out{Value: row[j]}); err != nil {
					return err
				}
			}
		}
		var err error
		if c.out.body, err = ttc.AppendReturned(c.out.body, c.dialect, cur.returns, values); err != nil {
			return err
		}
	}
	return nil
}
