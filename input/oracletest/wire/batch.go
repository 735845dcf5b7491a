package wire

import (
	"context"
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// maxBatchErrors bounds the errors one answer can carry.
const maxBatchErrors = 65535

// batch runs array DML whose client asked for batch errors: it goes on behind the execution that failed, as
// long as the error is about no more than that one. Nothing is committed when there was an error, also with
// autocommit.
func (c *connection) batch(ctx context.Context, x *execution, stmt Statement) (Result, error) {
	rows := stmt.Binds
	var total Result
	for start := 0; start < len(rows); {
		if err := c.interrupted(); err != nil {
			return total, err
		}
		stmt.Binds = rows[start:]
		part, err := c.session.Execute(ctx, stmt)
		if err == nil && start == 0 {
			return part, nil
		}
		var ora *OraError
		failed := err != nil
		if failed && (ctx.Err() != nil || !errors.As(err, &ora) || ora.Code == oraCancelled || len(x.errors) == maxBatchErrors) {
			return total, err
		}
		stmt.AutoCommit = false
		total.RowsAffected += part.RowsAffected
		total.Counts = append(total.Counts, part.Counts...)
		if !failed {
			break
		}
		start += len(part.Counts)
		x.errors = append(x.errors, ttc.BatchError{Execution: start, Code: ora.Code, Message: ora.text()})
		total.Counts = append(total.Counts, 0)
		start++
	}
	return total, nil
}
