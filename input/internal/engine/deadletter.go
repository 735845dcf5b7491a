package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// fault says why an item cannot be emitted. With dead letters a change that cannot be decoded does not hold it up.
func (e *emitter) fault(item *transaction.Committed) error {
	if !e.config.DeadLetters {
		if err := item.Fault(); err != nil {
			return err
		}
		return nil
	}
	if err := item.Marked(); err != nil {
		return err
	}
	for c := range item.Changes() {
		if c.Fault != nil && !buriable(c.Fault) {
			return c.Fault
		}
	}
	return nil
}

// buriable reports a fault of one row's content. Corruption, missing logging and a missing dictionary are about more than the row.
func buriable(fault *stop.Error) bool { return fault.Code == stop.Undecodable }

// addOrBury renders a change, or writes a dead letter in its place where that is allowed: in the same batch, event index and
// transaction.
func (e *emitter) addOrBury(c *transaction.Change, tx *change.Transaction, index, order int) error {
	if c.Fault != nil {
		return e.bury(c, tx, index, c.Fault)
	}
	events := 0
	if e.batch != nil {
		events = len(e.batch.Events)
	}
	err := e.add(c, tx, index, order)
	if err == nil || !e.config.DeadLetters {
		return err
	}
	fault, ok := stop.As(err)
	if !ok || !buriable(fault) {
		return err
	}
	e.batch.Events = e.batch.Events[:events] // of a changed key one side may have been rendered
	return e.bury(c, tx, index, fault)
}

// deadLetter is the record of contracts 5.
type deadLetter struct {
	Version   int    `json:"v"`
	Kind      string `json:"kind"`
	Table     string `json:"table"`
	SCN       string `json:"scn"`
	RSID      string `json:"rs_id"`
	SSN       int64  `json:"ssn"`
	Thread    int    `json:"thread"`
	XID       string `json:"xid"`
	Operation string `json:"operation"`
	Status    int    `json:"status"`
	Info      string `json:"info"`
	Redo      string `json:"sql_redo"`
	Error     string `json:"error"`
	Code      string `json:"code"`
}

// bury writes a dead letter and tells of it.
func (e *emitter) bury(c *transaction.Change, tx *change.Transaction, index int, fault *stop.Error) error {
	if e.batch == nil {
		e.open()
	}
	letter := deadLetter{
		Version: 1, Kind: "decode-error", Table: c.Version.Table.String(), SCN: c.SCN.String(), RSID: string(c.Address.AppendRSID(nil)),
		SSN: c.SSN, Thread: c.Thread, XID: tx.ID.String(), Operation: operationName(c.Op), Error: fault.Error(), Code: fault.Runbook(),
	}
	kind := decodeErrorEvent
	if c.Op == transaction.Unsupported {
		letter.Kind, kind = "unsupported-row", unsupportedRowEvent
	}
	if c.Raw != nil {
		letter.Status, letter.Info, letter.Redo = c.Raw.Status, c.Raw.Info, c.Raw.Redo
	}
	return e.letter(letter, kind, change.Event{
		Version: c.Version, SCN: c.SCN, Thread: c.Thread, Address: c.Address, SSN: c.SSN, Millis: c.Millis, Transaction: tx, Index: index,
	})
}

// buryRead writes a dead letter in the place of a row that a query gave, where that is allowed; else it gives the fault back.
func (e *emitter) buryRead(ev *change.Event, err error) error {
	fault, ok := stop.As(err)
	if !ok || !e.config.DeadLetters || !buriable(fault) {
		return err
	}
	if e.batch == nil {
		e.open()
	}
	return e.letter(deadLetter{
		Version: 1, Kind: "decode-error", Table: ev.Version.Table.String(), SCN: ev.SCN.String(), Operation: change.Read.Name(),
		Error: fault.Error(), Code: fault.Runbook(),
	}, decodeErrorEvent, change.Event{Version: ev.Version, SCN: ev.SCN, Millis: ev.Millis})
}

// letter puts a dead letter into the open batch and tells of it. ev is what is known of its place.
func (e *emitter) letter(letter deadLetter, kind opsType, ev change.Event) error {
	var value bytes.Buffer
	encoder := json.NewEncoder(&value)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(letter); err != nil {
		return fmt.Errorf("dead letter: %w", err)
	}
	key := append(append([]byte(`{"server":`), quoted(e.config.Records.Server)...), `,"xid":"`...)
	ev.Kind, ev.Topic = change.DeadLetter, e.config.Internal.DeadLetters
	ev.Key, ev.Value = append(append(key, letter.XID...), `"}`...), bytes.TrimSuffix(value.Bytes(), []byte("\n"))
	e.batch.Events = append(e.batch.Events, ev)
	e.bytes += value.Len()
	e.config.Observe.Buried()
	e.note(slog.LevelWarn, "A change went to the dead letters", kind,
		detail{"table", letter.Table}, detail{"transaction", letter.XID}, detail{"scn", letter.SCN}, detail{"code", letter.Code})
	return nil
}

func operationName(op transaction.Op) string {
	switch op {
	case transaction.Insert:
		return change.Create.Name()
	case transaction.Update:
		return change.Update.Name()
	case transaction.Delete:
		return change.Delete.Name()
	default:
		return "unsupported"
	}
}
