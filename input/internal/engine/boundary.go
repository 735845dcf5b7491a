package engine

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// begin announces a transaction in front of its first change, in the same batch (R64).
func (e *emitter) begin(c *transaction.Change, tx *change.Transaction) {
	if e.batch == nil {
		e.open()
	}
	from := len(e.buffer)
	e.batch.Events, e.buffer = e.records.begin(e.batch.Events, e.buffer, e.config.Internal.Transactions, tx, c.Millis)
	e.bytes += len(e.buffer) - from
}

// end announces the end of a transaction behind its last change, in the same batch (R64).
func (e *emitter) end(tx *change.Transaction) error {
	from := len(e.buffer)
	var err error
	e.batch.Events, e.buffer, err = e.records.end(e.batch.Events, e.buffer, e.config.Internal.Transactions, tx)
	e.bytes += len(e.buffer) - from
	return err
}

func (r *Records) begin(events []change.Event, buf []byte, topic string, tx *change.Transaction, millis int64) ([]change.Event, []byte) {
	from := len(buf)
	buf = r.boundaries.AppendKey(buf, tx)
	middle := len(buf)
	buf = r.boundaries.AppendBegin(buf, tx, millis)
	return append(events, change.Event{
		Kind: change.Boundary, SCN: tx.Key.SCN, Millis: millis, Topic: topic, Key: buf[from:middle:middle], Value: buf[middle:len(buf):len(buf)],
	}), buf
}

func (r *Records) end(events []change.Event, buf []byte, topic string, tx *change.Transaction) ([]change.Event, []byte, error) {
	from := len(buf)
	buf = r.boundaries.AppendKey(buf, tx)
	middle := len(buf)
	buf, err := r.boundaries.AppendEnd(buf, tx, r.collections())
	if err != nil {
		return events, buf[:from], stop.Wrap(stop.Undecodable, err, "transaction "+tx.ID.String(), "the END record cannot be published")
	}
	return append(events, change.Event{
		Kind: change.Boundary, SCN: tx.Key.SCN, Millis: tx.CommitMillis, Topic: topic,
		Key: buf[from:middle:middle], Value: buf[middle:len(buf):len(buf)],
	}), buf, nil
}

// collections counts the changes of the running transaction by table, in the order of the names.
func (r *Records) collections() []debezium.Collection {
	var out []debezium.Collection
	for t, c := range r.counts {
		if c.transaction == r.running {
			out = append(out, debezium.Collection{Table: t, Count: c.changes})
		}
	}
	slices.SortFunc(out, func(a, b debezium.Collection) int { return cmp.Compare(a.Table.String(), b.Table.String()) })
	return out
}
