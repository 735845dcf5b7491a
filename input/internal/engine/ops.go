package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// opsType is the type of an ops event (contracts 5).
type opsType string

// The types whose causes there are.
const (
	startupEvent        opsType = "startup"
	stopEvent           opsType = "stop"
	ddlSeenEvent        opsType = "ddl-seen"
	reconnectedEvent    opsType = "reconnected"
	unsupportedRowEvent opsType = "unsupported-row"
	decodeErrorEvent    opsType = "decode-error-dlq"
	tableAddedEvent     opsType = "table-added"
	tableRemovedEvent   opsType = "table-removed"
	ddlAppliedEvent     opsType = "ddl-applied"
	bulkDDLEvent        opsType = "bulk-ddl"
	noLoggingEvent      opsType = "nologging"
	signalAckEvent      opsType = "signal-ack"
	idsRefreshedEvent   opsType = "ids-refreshed"

	transactionDiscardedEvent opsType = "transaction-discarded"
	dictionaryReplayEvent     opsType = "dictionary-replay"
	dictionaryBuildEvent      opsType = "dictionary-build"

	snapshotStartedEvent   opsType = "snapshot-started"
	snapshotProgressEvent  opsType = "snapshot-progress"
	snapshotCompletedEvent opsType = "snapshot-completed"
	snapshotAbortedEvent   opsType = "snapshot-aborted"
	rowIncompleteEvent     opsType = "row-incomplete"
)

// OpsType describes a type of ops event.
type OpsType struct{ Name, Meaning string }

// OpsTypes is the one table of ops events.
func OpsTypes() []OpsType {
	return []OpsType{
		{string(startupEvent), "capture goes on, or begins: version, number of captured tables, SCN of the position, and the tables whose versions the schema topic has lost: they are made anew from the dictionary"},
		{string(stopEvent), "a typed stop ended capture: its code, what happened, what to do"},
		{string(ddlSeenEvent), "a DDL that may concern captured tables was committed: table, SCNs"},
		{string(tableAddedEvent), "a new table is captured: table, SCN from which"},
		{string(tableRemovedEvent), "a table is captured no more, since it was dropped or renamed: table, SCN from which"},
		{string(ddlAppliedEvent), "a table has a new version: table, version, SCN from which"},
		{string(bulkDDLEvent), "a DDL changed rows of a captured table without row events, or their ROWIDs that are record keys, or gave the name of a captured table to another one, so that consumers hold what the table has no more: table, statement, SCNs, and of a name the table before"},
		{string(noLoggingEvent), "blocks in the tablespace of captured tables were changed without redo, as loads in NOLOGGING mode do: pdb, tablespace, SCN and time of the last such change, tables that live there and may lack rows"},
		{string(idsRefreshedEvent), "the dictionary has a table that matches and that no DDL in the redo made, as when its container was opened: table, result"},
		{string(signalAckEvent), "what became of a signal: id, type, channel, status (ok, rejected, unknown, invalid, failed), detail"},
		{string(transactionDiscardedEvent), "an open transaction was given up, and is not delivered: transaction, changes so far"},
		{
			string(dictionaryReplayEvent),
			"a step with rows from before a DDL was mined again with the dictionary of its time: SCNs, logs, the copy of the dictionary, cause and object",
		},
		{string(dictionaryBuildEvent), "a copy of the dictionary was written into the redo, could not be, or is not written at all: result, and why"},
		{string(snapshotStartedEvent), "a snapshot begins, or goes on after a restart: its name, why it was begun, number of tables left, rows delivered before"},
		{string(snapshotProgressEvent), "how far a table of the snapshot is, at most every 10 s and at its end: rows, percent, seconds that the rest may take; the last two where they are known"},
		{string(snapshotCompletedEvent), "everything of a snapshot is delivered: its name, why it was begun, rows"},
		{string(snapshotAbortedEvent), "a snapshot, or one of its tables, ends before its time: its name, table, why"},
		{string(rowIncompleteEvent), "rows got another key while their table was read, and columns that the redo does not hold could not be read: they are unavailable in these records. Table, number of rows, transaction, SCN, why"},
		{string(reconnectedEvent), "the database was lost and is there again"},
		{string(unsupportedRowEvent), "a row that LogMiner cannot show went to the dead letters: table, transaction, SCN, code"},
		{string(decodeErrorEvent), "a row that cannot be decoded or published went to the dead letters: table, transaction, SCN, code"},
	}
}

// opsEvent is an event about the connector itself.
type opsEvent struct {
	kind    opsType
	details []detail
	// words are what the log says of it, at a level, when it happens; without any it is logged where events are no messages only.
	words string
	level slog.Level
}

type detail struct{ name, value string }

// event keeps an event for the next group.
func (m *miner) event(kind opsType, details ...detail) {
	m.ops = append(m.ops, opsEvent{kind: kind, details: details})
}

// note logs an event in words, and keeps it for the next group.
func (m *miner) note(level slog.Level, words string, kind opsType, details ...detail) {
	m.ops = append(m.ops, opsEvent{kind, details, words, level}.said(m.config.Log))
}

// note logs an event in words, and puts it into the open batch.
func (e *emitter) note(level slog.Level, words string, kind opsType, details ...detail) {
	e.tell(opsEvent{kind, details, words, level}.said(e.config.Log))
}

// said logs an event that has words.
func (ev opsEvent) said(log *slog.Logger) opsEvent {
	if ev.words != "" {
		ev.log(log, ev.level, ev.words)
	}
	return ev
}

func (ev opsEvent) log(log *slog.Logger, level slog.Level, words string) {
	attributes := []slog.Attr{slog.String("type", string(ev.kind))}
	for _, d := range ev.details {
		attributes = append(attributes, slog.String(d.name, d.value))
	}
	log.LogAttrs(context.Background(), level, words, attributes...)
}

// tell puts an event into the open batch; where ops events are no messages it is logged, unless it was (contracts 2).
func (e *emitter) tell(ev opsEvent) {
	if !e.peers.Ops {
		if ev.words == "" {
			ev.log(e.config.Log, slog.LevelInfo, "Ops event")
		}
		return
	}
	if e.batch == nil {
		e.open()
	}
	e.batch.Events = append(e.batch.Events, e.opsMessage(ev, e.running.Done.SCN))
	e.bytes += len(e.batch.Events[len(e.batch.Events)-1].Value)
}

func (e *emitter) opsMessage(ev opsEvent, at position.SCN) change.Event {
	now := e.config.Now().UnixMilli()
	return change.Event{
		Kind: change.Ops, SCN: at, Millis: now, Topic: e.config.Internal.Ops,
		Key: []byte(e.config.Records.Server), Value: ev.encode(e.config.Records.Server, now, at),
	}
}

// encode gives the record of contracts 5.
func (ev opsEvent) encode(server string, millis int64, at position.SCN) []byte {
	out := append(append([]byte(`{"v":1,"type":"`), ev.kind...), `","ts_ms":`...)
	out = strconv.AppendInt(out, millis, 10)
	out = append(append(out, `,"server":`...), quoted(server)...)
	out = append(append(append(out, `,"position_scn":"`...), at.String()...), `","details":{`...)
	for i, d := range ev.details {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted(d.name)...), ':'), quoted(d.value)...)
	}
	return append(out, "}}"...)
}

// quoted is text as JSON, without the escapes that HTML would need. What is not UTF-8 becomes U+FFFD.
func quoted(s string) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return []byte(`""`) // text has always a form
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// farewellPatience bounds how long a stop waits for its event to be taken over.
const farewellPatience = 5 * time.Second

// farewell tells of a typed stop behind everything that was handed over. Nobody may take it any more: the stop does not wait for that.
// Where ops events are no messages the stop is logged by whoever ends capture.
func (e *emitter) farewell(ctx context.Context, fault *stop.Error) {
	if !e.peers.Ops {
		return
	}
	ev := opsEvent{kind: stopEvent, details: []detail{
		{"code", fault.Runbook()}, {"what", fault.What}, {"object", fault.Object}, {"do", fault.Action()},
	}}
	b := &change.Batch{Source: e.config.Records.Server, Events: []change.Event{e.opsMessage(ev, e.handed.Done.SCN)}}
	b.Position = e.sequenced(&e.handed)
	b.Events[0].Position = b.Position
	timer := time.NewTimer(farewellPatience)
	defer timer.Stop()
	select {
	case e.out <- b:
	case <-timer.C:
	case <-ctx.Done():
	}
}
