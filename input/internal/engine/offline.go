package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Offline is the part of capture that needs no database, for replay: rows that somebody recorded go through the same checks of
// tables, applier, transaction buffer and records as rows that were mined. It has no positions and belongs to one goroutine. A change
// that cannot be decoded or published stops it whatever the configuration says of dead letters: replay is asked for its cause.
type Offline struct {
	config  *Config
	applier applier
	records *Records
	events  []change.Event
	bytes   []byte
}

// NewOffline makes one with nothing captured. database is the name of the database.
func NewOffline(c *Config, database string) *Offline {
	settings := c.Records
	settings.Database = database
	barring := newExcluded(c.ExcludeUsers)
	o := &Offline{
		config:  c,
		records: NewRecords(settings, naming.NewTopics(c.Template, settings.Server, database, c.Internal.Topics()...)),
		applier: applier{
			buffer: transaction.New(c.Memory), logging: c.Logging, tables: newTables(0), first: &ledger{}, entrants: &entrants{}, discarded: &discarded{}, excluded: &barring, values: c.LogRowValues,
			columns: c.Columns, redo: c.Records.Redo, older: newOlder(nil),
		},
	}
	o.begin()
	return o
}

func (o *Offline) begin() {
	o.applier.begin()
	o.applier.buffer.Begin(position.Boundary{})
	o.applier.excluded.begin(position.Boundary{})
}

// Refuse says what of the tables cannot be captured, as a start would, after it has laid keys and excluded columns of the configuration
// over them.
func (o *Offline) Refuse(found []oracle.Description) []error {
	for i := range found {
		o.config.lay(found[i].Version)
	}
	return o.config.tableFaults(found, 0)
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
		if of, ok := o.applier.tables.byObject[d.object]; ok {
			return stop.New(stop.DDL, of[0].version.Table.String(), "a DDL on a captured table at SCN %s; replay does not follow DDL", d.scn).
				Doing("export the rows before it and those behind it apart, each with the dictionary of its time")
		}
	}
	if o.applier.buffer.Over() {
		return o.applier.buffer.Exhausted()
	}
	return nil
}

// Full reports that more than half of the budget is used: time for a step.
func (o *Offline) Full() bool { return o.applier.buffer.Used() > o.config.Memory/2 }

// Step says that a mining step was verified here: what committed in it is emitted in order of commit, up to the first fault.
// emit must not keep an event.
func (o *Offline) Step(emit func(*change.Event) error) error {
	items := o.applier.buffer.Keep()
	o.applier.excluded.verified()
	o.applier.excluded.unended()
	for _, item := range o.config.spare(o.applier.excluded.spare(items)) {
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
		o.events, o.bytes = o.events[:0], o.bytes[:0]
		if index == 0 && o.config.Records.Transactions {
			o.events, o.bytes = o.records.begin(o.events, o.bytes, o.config.Internal.Transactions, tx, c.Millis)
		}
		base := eventOf(c, tx, index, o.records.order(c.Version))
		var err error
		if o.events, o.bytes, err = o.records.Append(o.events, o.bytes, &base, c.Op); err != nil {
			return placed(err, c, tx)
		}
		if index == tx.Count-1 && o.config.Records.Transactions {
			if o.events, o.bytes, err = o.records.end(o.events, o.bytes, o.config.Internal.Transactions, tx); err != nil {
				return err
			}
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
		CommitMillis: item.Millis, User: item.User, StartSCN: scn, StartMillis: millis, Count: item.Len() - item.Definitions(),
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
