package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Offline is the part of capture that needs no database, for replay: rows that somebody recorded go through the same applier,
// transaction buffer and records as rows that were mined. It has no positions and belongs to one goroutine.
type Offline struct {
	applier applier
	records *Records
	events  []change.Event
	bytes   []byte
}

// NewOffline makes one with nothing captured, a budget for open transactions in bytes, and the supplemental logging that rows
// are held to.
func NewOffline(records *Records, memory int64, logging schema.Logging) *Offline {
	o := &Offline{records: records, applier: applier{
		buffer: transaction.New(memory), logging: logging, tables: newTables(0), first: &ledger{}, redo: records.settings.Redo,
	}}
	o.begin()
	return o
}

func (o *Offline) begin() {
	o.applier.begin()
	o.applier.buffer.Begin(position.Boundary{})
}

// Capture decodes rows of the version's container and object ids with it from now on.
func (o *Offline) Capture(v *schema.Version) error {
	if err := o.records.Prepare(v); err != nil {
		return err
	}
	o.applier.tables.add(v, false)
	return nil
}

// Apply takes one whole row, in the order in which it was recorded.
func (o *Offline) Apply(r *logminer.Row) error {
	if err := o.applier.apply(r); err != nil {
		return err
	}
	for _, d := range o.applier.ddl {
		if v, ok := o.applier.tables.byObject[d.object]; ok {
			return stop.New(stop.DDL, v.Table.String(), "a DDL on a captured table at SCN %s; replay does not follow DDL", d.scn)
		}
	}
	if o.applier.buffer.Over() {
		return o.applier.buffer.Exhausted()
	}
	return nil
}

// Step says that a mining step was verified here: what committed in it is emitted in order of commit, up to the first fault.
// emit must not keep an event.
func (o *Offline) Step(emit func(*change.Event) error) error {
	for _, item := range o.applier.buffer.Keep() {
		if fault := item.Fault(); fault != nil {
			return fault
		}
		if err := o.item(item, emit); err != nil {
			return err
		}
		item.Release()
	}
	o.begin()
	return nil
}

func (o *Offline) item(item *transaction.Committed, emit func(*change.Event) error) error {
	shared := transactionOf(item)
	tx := &shared
	o.records.beginTransaction()
	index := -1
	for c := range item.Changes() {
		index++
		base := eventOf(c, tx, index, o.records.order(c.Version))
		var err error
		if o.events, o.bytes, err = o.records.Append(o.events[:0], o.bytes[:0], &base, c.Op); err != nil {
			return err
		}
		for i := range o.events {
			if err := emit(&o.events[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Open counts the transactions that have not ended.
func (o *Offline) Open() int { return o.applier.buffer.Open() }

// transactionOf gives what the events of a committed transaction share.
func transactionOf(item *transaction.Committed) change.Transaction {
	scn, millis := item.Start()
	return change.Transaction{
		ID: item.ID.XID, Container: item.ID.Container, Key: item.Key,
		CommitMillis: item.Millis, User: item.User, StartSCN: scn, StartMillis: millis, Count: item.Len(),
	}
}

// eventOf gives what the events of one change share.
func eventOf(c *transaction.Change, tx *change.Transaction, index, order int) change.Event {
	return change.Event{
		Kind: change.Change, Version: c.Version, Before: c.Before, After: c.After,
		SCN: c.SCN, Thread: c.Thread, Address: c.Address, SSN: c.SSN, Millis: c.Millis, RowID: c.RowID,
		Transaction: tx, Index: index, TableOrder: order, Aside: asideOf(c),
	}
}

func asideOf(c *transaction.Change) *change.Aside {
	if c.Redo == "" {
		return nil
	}
	return &change.Aside{Redo: c.Redo}
}
