package wire

import (
	"context"
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// piggyback does what stands in front of a call. It has no answer: an error waits for the call.
func (c *connection) piggyback(f ttc.Function) error {
	switch f {
	case ttc.FunctionCloseCursors, ttc.FunctionCancelCursors:
		var request ttc.CloseCursors
		if err := request.Decode(c.reader); err != nil {
			return err
		}
		for _, id := range request.Cursors {
			if f == ttc.FunctionCancelCursors {
				c.cursors.cancel(id)
			} else {
				c.cursors.close(id)
			}
		}
		return nil
	case ttc.FunctionCurrentSchema:
		var request ttc.CurrentSchema
		if err := request.Decode(c.reader, c.dialect); err != nil {
			return err
		}
		c.currentSchema(request.Schema)
		return nil
	case ttc.FunctionEndToEnd:
		return c.labels()
	case ttc.FunctionLob:
		return c.freePiggyback()
	default:
		c.reader.Fail("piggyback 0x%02x is not implemented", f)
		return c.reader.Err()
	}
}

// labels hands on what the client says of its work.
func (c *connection) labels() error {
	var request ttc.EndToEnd
	if err := request.Decode(c.reader, c.dialect); err != nil {
		return err
	}
	if session, ok := c.session.(Labelled); ok {
		session.Label(Labels{
			ClientIdentifier: request.ClientID, Module: request.Module, Action: request.Action,
			ClientInfo: request.ClientInfo, Operation: request.Operation,
		})
	}
	return nil
}

// freePiggyback frees temporary LOBs. What it asks besides waits for the call as an error.
func (c *connection) freePiggyback() error {
	var request ttc.LobRequest
	if err := request.Decode(c.reader); err != nil {
		return err
	}
	if err := c.freeLobs(&request); err != nil {
		c.pending = err
	}
	return nil
}

func (c *connection) currentSchema(schema string) {
	ctx, end := c.begin()
	defer end()
	c.pending = func(ctx context.Context) error {
		quoted := `"` + strings.ReplaceAll(strings.Trim(schema, `"`), `"`, ``) + `"`
		_, err := c.session.Execute(ctx, Statement{
			SQL: fmt.Sprintf("ALTER SESSION SET CURRENT_SCHEMA = %s", quoted),
		})
		return err
	}(ctx)
}
