package wire

import (
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// long reports whether a value of the type is sent only when the client has said how it wants it: thin
// clients cannot read a row with a LOB before (reference tns-server 7 and 12).
func long(t datum.Type) bool {
	return ttc.IsLob(t) || t.Code == datum.TypeLong || t.Code == datum.TypeLongRaw
}

// awaitsDefine reports whether rows wait for a define.
func (c *cursor) awaitsDefine() bool { return c.long && len(c.defines) == 0 }

// define takes over how the client wants the columns. It is kept for later executions.
func (c *cursor) define(defines []ttc.Descriptor) error {
	c.defines = defines
	return c.shape()
}

// shape decides how the columns are sent. Only LOBs can be had in several forms; what a client says of other
// columns is their own type, or one it does not mean (thin clients define a ROWID as text and read a ROWID).
func (c *cursor) shape() error {
	c.sent, c.repeats = c.columns, nil
	if !c.long || len(c.defines) == 0 {
		return nil
	}
	if len(c.defines) != len(c.columns) {
		return fmt.Errorf("%d defines for %d columns", len(c.defines), len(c.columns))
	}
	c.sent = make([]ttc.Column, len(c.columns))
	for i, column := range c.columns {
		d := &c.defines[i]
		c.sent[i] = column
		if !ttc.IsLob(column.Type) {
			continue
		}
		switch want := d.Type(); {
		case want.Code == column.Type.Code:
			c.sent[i].Lob = d.Lob()
		case want.Code == datum.TypeLong && column.Type.Code == datum.TypeClob,
			want.Code == datum.TypeLongRaw && column.Type.Code == datum.TypeBlob:
			c.sent[i].Type = want
		default:
			return notImplemented(fmt.Sprintf("column %s of type %d as type %d", column.Name, column.Type.Code, d.Code))
		}
	}
	return nil
}

// locate gives the LOBs of the present row their locators.
func (c *connection) locate(cur *cursor) {
	for i := range cur.sent {
		if t := &cur.sent[i].Type; ttc.IsLob(*t) && cur.row[i].Kind != datum.Null {
			cur.locators[i] = c.lobs.value(*t, cur.row[i])
		}
	}
}
