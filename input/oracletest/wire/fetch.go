package wire

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// fetch answers function 0x05.
func (c *connection) fetch() error {
	var request ttc.Fetch
	if err := request.Decode(c.reader); err != nil {
		return err
	}
	cur := c.cursors.open[request.Cursor]
	if cur == nil {
		return c.fetchFrom(&cursor{}, Errorf(oraInvalidCursor, "invalid cursor"), request.Rows)
	}
	return c.fetchFrom(cur, nil, request.Rows)
}

// fetchFrom answers a fetch, or the error it failed with.
func (c *connection) fetchFrom(cur *cursor, failed error, rows uint32) error {
	c.current = cur
	return c.answer(call{
		moment: moment{call: CallFetch, sql: cur.sql},
		run: func(ctx context.Context) error {
			if failed != nil {
				return failed
			}
			return c.sendRows(ctx, cur, max(rows, 1))
		},
		end: func() { c.summarizeRows(cur) },
	})
}

// sendRows appends up to want rows. An answer without any row always says that there are no more: go-ora
// takes it for the end in any case.
func (c *connection) sendRows(ctx context.Context, cur *cursor, want uint32) error {
	if cur.state == fetchNone {
		return Errorf(oraFetchSequence, "fetch out of sequence")
	}
	if c.server.config.BitVectors && !cur.noRepeats && cur.repeats == nil {
		cur.repeats = new(ttc.Repeats)
	}
	c.out.body = ttc.RowHeader{Columns: len(cur.columns), Iterations: want}.Encode(c.out.body)
	for n := uint32(0); n < want && cur.state == fetchRows; n++ {
		if err := c.sendRow(ctx, cur); err != nil {
			cur.closeRows()
			return err
		}
	}
	return nil
}

func (c *connection) sendRow(ctx context.Context, cur *cursor) error {
	if err := c.interrupted(); err != nil {
		return err
	}
	more, err := cur.rows.Next(ctx, cur.row)
	if err != nil {
		return err
	}
	if !more {
		cur.closeRows()
		cur.state = fetchDone
		return nil
	}
	if cur.long {
		c.locate(cur)
	}
	if cur.repeats != nil {
		c.out.body, err = cur.repeats.AppendRow(c.out.body, cur.sent, cur.row, cur.locators)
	} else {
		c.out.body, err = ttc.AppendRow(c.out.body, cur.sent, cur.row, cur.locators)
	}
	if err != nil {
		return err
	}
	cur.fetched++
	if c.server.faults.watchRows() {
		if err := c.strike(ctx, moment{call: CallFetch, sql: cur.sql, rows: cur.fetched}); err != nil {
			return err
		}
	}
	if !c.out.full() {
		return nil
	}
	return c.stream()
}

// stream sends what there is in the middle of an answer, unless the client does not want it any more.
func (c *connection) stream() error {
	if err := c.interrupted(); err != nil {
		return err
	}
	if err := c.out.send(false); err != nil {
		return &networkError{err}
	}
	return nil
}

// networkError marks an error of the connection among those of the database.
type networkError struct{ error }

func (e *networkError) Unwrap() error { return e.error }

// summarizeRows appends the summary of an answer with rows. No more rows is an error in form only.
func (c *connection) summarizeRows(cur *cursor) {
	s := ttc.Summary{Rows: cur.fetched, Cursor: cur.id, StatementType: ttc.StatementQuery}
	if cur.state == fetchDone {
		s.Code = oraNoData
		s.Message = Errorf(oraNoData, textNoData).text()
	}
	c.summarize(s)
}
