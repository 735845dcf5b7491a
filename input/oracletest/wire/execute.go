package wire

import (
	"context"
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// execution is one request to execute, from either function.
type execution struct {
	cursor *cursor
	// failed is an error found while the request was read; the request itself was read to its end.
	failed error
	rows   [][]datum.Datum
	arrays map[int][]datum.Datum
	// allBinds says that values come for all binds, also for those behind RETURNING, as go-ora sends them.
	allBinds bool
	// full is a request of function 0x5E: rows with a LOB wait for the define behind it.
	full bool
	// batch asks to go on behind errors of array DML; errors are those there were.
	batch    bool
	errors   []ttc.BatchError
	describe bool // send the columns of a query
	only     bool // do not execute
	commit   bool
	// prefetch is the number of rows wanted with the answer.
	prefetch uint32
	result   Result
}

// execute answers function 0x5E.
func (c *connection) execute() error {
	var request ttc.Execute
	if err := request.Decode(c.reader, c.dialect); err != nil {
		return err
	}
	x := c.executionOf(&request)
	c.current = x.cursor
	if len(request.Binds) > 0 {
		x.cursor.setBinds(request.Binds)
	}
	// Oracle's JDBC driver sets the option only with descriptors: a repeated execution has values all the same.
	if len(x.cursor.binds) > 0 && request.Options&(ttc.OptionBind|ttc.OptionExecute) != 0 {
		if err := c.bindRows(x, request.Executions(), false); err != nil {
			return err
		}
	}
	x.cursor.countsWanted = request.CountsWanted
	x.cursor.noRepeats = request.Options&ttc.OptionNoBitVectors != 0
	if len(request.Defines) > 0 && x.failed == nil {
		x.failed = x.cursor.define(request.Defines)
	}
	return c.executeOrFetch(x, &request)
}

// executionOf is what a request asks for, on the cursor it names.
func (c *connection) executionOf(request *ttc.Execute) *execution {
	x := &execution{
		describe: request.Options&ttc.OptionParse != 0,
		only:     request.Options&ttc.OptionDescribeOnly != 0,
		commit:   request.Options&ttc.OptionCommit != 0,
		prefetch: request.Prefetch,
		full:     true,
		allBinds: request.Options&ttc.OptionBlockBind != 0,
		batch:    request.Options&ttc.OptionBatchErrors != 0,
	}
	x.cursor, x.failed = c.cursorOf(request)
	if x.cursor == nil {
		x.cursor = &cursor{}
	}
	return x
}

// executeOrFetch decides what the options come to. A request without the option to execute is about rows that
// are already there.
func (c *connection) executeOrFetch(x *execution, request *ttc.Execute) error {
	execute := request.Options&(ttc.OptionExecute|ttc.OptionDescribeOnly) != 0
	switch {
	case !execute && !x.describe && (request.Options&ttc.OptionFetch != 0 || request.Count > 0):
		// Thin clients leave out the option for a ref cursor with LOBs but wait for as many rows as they count.
		return c.fetchFrom(x.cursor, x.failed, request.Count)
	case !execute && !x.describe:
		return c.defined(x)
	case !execute:
		x.only = true
	case request.Options&ttc.OptionFetch != 0 || !x.describe:
		// go-ora repeats a query whose binds became longer so, and takes an answer without rows for the end.
		x.prefetch = max(x.prefetch, request.Count)
	}
	return c.perform(x)
}

// cursorOf finds or opens the cursor of a request. Errors are found before the rest of the request is read,
// so they are returned with what can be decided.
func (c *connection) cursorOf(request *ttc.Execute) (*cursor, error) {
	if request.Options&ttc.OptionParse == 0 {
		if cur := c.cursors.find(request.Cursor); cur != nil {
			return cur, nil
		}
		return nil, Errorf(oraInvalidCursor, "invalid cursor")
	}
	cur := c.cursors.open[request.Cursor]
	if cur == nil {
		var err error
		if cur, err = c.cursors.create(); err != nil {
			return nil, err
		}
	}
	cur.begin()
	*cur = cursor{id: cur.id, sql: request.SQL, block: request.Options&ttc.OptionNotBlock == 0}
	if len(request.Binds) > 0 {
		cur.returns = min(returnBinds(request.SQL), len(request.Binds))
	}
	return cur, nil
}

// defined answers a request that asks for no rows yet.
func (c *connection) defined(x *execution) error {
	return c.answer(call{
		moment: moment{call: CallExecute, sql: x.cursor.sql},
		run:    func(context.Context) error { return x.failed },
		end:    func() { c.summarizeRows(x.cursor) },
	})
}

// reExecute answers functions 0x04 and 0x4E.
func (c *connection) reExecute(fetch bool) error {
	var request ttc.ReExecute
	if err := request.Decode(c.reader); err != nil {
		return err
	}
	x := &execution{cursor: c.cursors.open[request.Cursor], commit: request.Commit}
	if x.cursor == nil {
		// Without the descriptors nobody knows where the request ends.
		c.reader.Fail("re-execution of cursor %d, which is not open", request.Cursor)
		return c.reader.Err()
	}
	c.current = x.cursor
	executions := max(1, int(request.Count))
	if fetch || x.cursor.query() {
		executions = 1
		x.prefetch = request.Count
		x.commit = false
	}
	if len(x.cursor.binds) > 0 {
		if err := c.bindRows(x, executions, true); err != nil {
			return err
		}
	}
	return c.perform(x)
}

// perform runs the statement and answers.
func (c *connection) perform(x *execution) error {
	return c.answer(call{
		moment: moment{call: CallExecute, sql: x.cursor.sql},
		run: func(ctx context.Context) error {
			if x.failed != nil {
				return x.failed
			}
			return c.run(ctx, x)
		},
		end: func() { c.executed(x) },
	})
}

func (c *connection) run(ctx context.Context, x *execution) error {
	cur := x.cursor
	cur.begin()
	stmt := Statement{
		SQL: cur.sql, Binds: x.rows, BindTypes: cur.bindTypes(), DescribeOnly: x.only, AutoCommit: x.commit, Arrays: x.arrays,
	}
	run := c.session.Execute
	if x.batch && len(x.rows) > 1 && cur.returns == 0 && !x.only {
		run = func(ctx context.Context, stmt Statement) (Result, error) { return c.batch(ctx, x, stmt) }
	}
	result, err := run(ctx, stmt)
	if err != nil {
		return err
	}
	x.result = result
	if len(result.Columns) == 0 && result.Rows == nil {
		if cur.returns > 0 && !x.only {
			return c.returned(x)
		}
		return c.outValues(cur, &x.result)
	}
	cur.rows = result.Rows
	before := cur.columns
	if err := cur.describe(result.Columns); err != nil {
		return err
	}
	// A wider bind makes a wider column: Oracle's JDBC driver cuts what does not fit the one it knows.
	if x.describe || !cur.long && before != nil && !slices.Equal(before, cur.columns) {
		c.out.body = ttc.Describe{Columns: cur.columns}.Encode(c.out.body, c.dialect)
	}
	if x.only {
		cur.closeRows()
		return nil
	}
	cur.state = fetchRows
	if x.prefetch == 0 || x.full && cur.awaitsDefine() {
		return nil
	}
	return c.sendRows(ctx, cur, x.prefetch)
}

// describe takes over the columns of a query.
func (c *cursor) describe(columns []Column) error {
	c.columns, c.long = make([]ttc.Column, len(columns)), false
	for i, column := range columns {
		if !ttc.Sendable(column.Type) {
			c.columns = nil
			c.closeRows()
			return notImplemented(fmt.Sprintf("column %s of type %d", column.Name, column.Type.Code))
		}
		c.long = c.long || long(column.Type)
		c.columns[i] = ttc.Column{Name: column.Name, Type: column.Type, Nullable: column.Nullable}
	}
	c.row = make([]datum.Datum, len(columns))
	c.locators = make([]ttc.Locator, len(columns))
	return c.shape()
}

// executed appends the end of the answer to an execution.
func (c *connection) executed(x *execution) {
	c.out.body = ttc.ReturnParameters{
		Cursor:       x.cursor.id,
		CountsWanted: x.cursor.countsWanted && !x.cursor.query(), Counts: x.result.counts(len(x.rows)),
	}.Encode(c.out.body)
	if x.cursor.query() {
		c.summarizeRows(x.cursor)
		return
	}
	s := ttc.Summary{
		Rows: uint64(max(x.result.RowsAffected, 0)), Cursor: x.cursor.id, Batch: x.errors,
	}
	if len(x.errors) > 0 {
		s.Code, s.Message = oraBatchErrors, Errorf(oraBatchErrors, "error(s) in array DML").text()
	}
	c.summarize(s)
}

// counts are the rows of each execution as far as they are known.
func (r *Result) counts(executions int) []int64 {
	if r.Counts == nil && executions == 1 {
		return []int64{r.RowsAffected}
	}
	return r.Counts
}
