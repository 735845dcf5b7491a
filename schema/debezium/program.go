package debezium

import (
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// program is a record of the table as steps, and what closes it after the last one.
type program struct {
	steps []step
	tail  string
}

// step writes text that is the same in every record of the program, then one part of the event.
type step struct {
	literal string
	emit    origin
}

// programs are the program of any event, and those of changes out of the redo, in which the operation has made more of it constant.
type programs struct{ any, create, update, remove program }

// of chooses the program of an event. Those of one operation know which images it has, that it is no snapshot and has a transaction.
func (p *programs) of(ev *change.Event) *program {
	if ev.Kind != change.Change || ev.Transaction == nil || ev.ReselectFailed {
		return &p.any
	}
	switch {
	case ev.Op == change.Create && ev.Before == nil && ev.After != nil:
		return &p.create
	case ev.Op == change.Update && ev.Before != nil && ev.After != nil:
		return &p.update
	case ev.Op == change.Delete && ev.Before != nil && ev.After == nil:
		return &p.remove
	}
	return &p.any
}

// compiler turns the members of a profile into steps, folding everything constant into the literals.
type compiler struct {
	settings Settings
	version  *schema.Version
	// op is the operation of every change that the program is for; 0: it is for any event.
	op      change.Op
	steps   []step
	literal []byte
}

func compile(s Settings, v *schema.Version) (programs, error) {
	var p programs
	var fields []added
	if s.Flat != nil {
		var err error
		if fields, _, err = s.flat(); err != nil {
			return programs{}, err
		}
	}
	for op, to := range map[change.Op]*program{0: &p.any, change.Create: &p.create, change.Update: &p.update, change.Delete: &p.remove} {
		c := &compiler{settings: s, version: v, op: op}
		var err error
		if s.Flat == nil {
			err = c.members(s.Profile.envelope)
		} else {
			err = c.flat(fields)
		}
		if err != nil {
			return programs{}, err
		}
		*to = program{c.steps, string(c.literal)}
	}
	return p, nil
}

func (c *compiler) members(list []member) error {
	separator := byte('{')
	for _, m := range list {
		c.literal = append(c.literal, separator, '"')
		c.literal = append(c.literal, m.name...)
		c.literal = append(c.literal, '"', ':')
		separator = ','
		if err := c.member(m.from); err != nil {
			return err
		}
	}
	c.literal = append(c.literal, '}')
	return nil
}

func (c *compiler) member(from origin) error {
	if from == sourceBlock {
		return c.members(c.settings.Profile.source)
	}
	if from == transactionHexBlock && !c.settings.Transactions {
		from = nothing
	}
	if from == zero {
		c.literal = append(c.literal, '0')
		return nil
	}
	if from > constants {
		if text, fixed := c.fixed(from); fixed {
			c.literal = append(c.literal, text...)
			return nil
		}
		c.steps = append(c.steps, step{literal: string(c.literal), emit: from})
		c.literal = c.literal[:0]
		return nil
	}
	text, there := c.settings.constant(from, c.version.Table)
	if !there {
		c.literal = append(c.literal, "null"...)
		return nil
	}
	var err error
	c.literal, err = appendText(c.literal, text)
	return err
}

// fixed gives the JSON of what the operation makes constant (programs.of).
func (c *compiler) fixed(from origin) (string, bool) {
	switch {
	case c.op == 0:
	case from == operation:
		return `"` + string(c.op) + `"`, true
	case from == snapshotMark:
		return `"false"`, true
	case from == deletedMark:
		return `"` + strconv.FormatBool(c.op == change.Delete) + `"`, true
	case from == snapshotOrNull, from == reselectResult, from == beforeImage && c.op == change.Create, from == afterImage && c.op == change.Delete:
		return "null", true
	}
	return "", false
}

// constant gives the text of a constant member, false where it is null.
func (s *Settings) constant(from origin, t schema.Table) (string, bool) {
	switch from {
	case connectorVersion:
		return s.ConnectorVersion, true
	case connectorName:
		return s.Profile.connector, true
	case serverName:
		return s.Server, true
	case databaseName:
		if t.PDB != "" {
			return t.PDB, true
		}
		return s.Database, true
	case pdbName:
		return t.PDB, t.PDB != ""
	case ownerName:
		return t.Owner, true
	case tableName:
		return t.Name, true
	default:
		return "", false
	}
}

// appendPart appends what one step of a program takes from the event. It is one switch, since a record comes through it twenty times.
func (t *Table) appendPart(dst []byte, ev *change.Event, emit origin, old *oldImage) ([]byte, error) {
	tx := ev.Transaction
	if emit > transactional && tx == nil {
		return append(dst, "null"...), nil
	}
	switch emit {
	case beforeImage:
		return t.appendBefore(dst, ev, old)
	case afterImage:
		return t.appendAfter(dst, ev, old)
	case flatRow:
		return t.appendRow(dst, ev)
	case deletedMark:
		return append(strconv.AppendBool(append(dst, '"'), ev.Op == change.Delete), '"'), nil
	case operation:
		return append(dst, '"', byte(ev.Op), '"'), nil
	case commitMillis:
		return appendInt(dst, recordMillis(ev)), nil
	case commitMicros:
		return appendInt(dst, recordMillis(ev)*1_000), nil
	case commitNanos:
		return appendInt(dst, recordMillis(ev)*1_000_000), nil
	case changeMillis:
		return appendInt(dst, ev.Millis), nil
	case changeMicros:
		return appendInt(dst, ev.Millis*1_000), nil
	case changeNanos:
		return appendInt(dst, ev.Millis*1_000_000), nil
	case builtMillis:
		return appendInt(dst, ev.Built/1_000_000), nil
	case builtMicros:
		return appendInt(dst, ev.Built/1_000), nil
	case builtNanos:
		return appendInt(dst, ev.Built), nil
	case snapshotMark:
		return append(append(append(dst, '"'), t.markText(ev)...), '"'), nil
	case snapshotOrNull:
		if ev.Kind == change.Snapshot {
			return append(append(append(dst, '"'), t.markText(ev)...), '"'), nil
		}
	case changeSCN:
		return appendQuoted(dst, uint64(ev.SCN)), nil
	case rowID:
		return t.appendOptional(dst, ev.RowID, "row_id")
	case redoText:
		if ev.Aside != nil {
			return t.appendOptional(dst, ev.Aside.Redo, "redo_sql")
		}
	case reselectResult:
		if ev.ReselectFailed {
			return append(dst, `"failed"`...), nil
		}
	case transactionBlock, transactionHexBlock:
		dst = append(dst, `{"id":"`...)
		if emit == transactionBlock {
			dst = appendXID(dst, tx.ID)
		} else {
			dst = tx.ID.AppendHex(dst)
		}
		dst = append(dst, `","total_order":`...)
		dst = appendInt(dst, int64(ev.Index)+1)
		dst = append(dst, `,"data_collection_order":`...)
		dst = appendInt(dst, int64(ev.TableOrder))
		return append(dst, '}'), nil
	case transactionID:
		return append(appendXID(append(dst, '"'), tx.ID), '"'), nil
	case transactionHex:
		return append(tx.ID.AppendHex(append(dst, '"')), '"'), nil
	case commitSCN:
		return appendQuoted(dst, uint64(tx.Key.SCN)), nil
	case recordSetID:
		if ev.Address.IsZero() {
			break
		}
		return append(ev.Address.AppendRSID(append(dst, '"')), '"'), nil
	case sqlSequence:
		return appendInt(dst, ev.SSN), nil
	case redoThread:
		return appendInt(dst, int64(tx.Key.Thread)), nil
	case changeThread:
		return appendInt(dst, int64(ev.Thread)), nil
	case userName:
		return t.appendOptional(dst, tx.User, "user_name")
	case commitTime:
		return appendKnown(dst, tx.CommitMillis), nil
	case startSCN:
		if tx.StartSCN != 0 {
			return appendQuoted(dst, uint64(tx.StartSCN)), nil
		}
	case startTime:
		return appendKnown(dst, tx.StartMillis), nil
	case eventNumber:
		return appendInt(dst, int64(ev.Index)+1), nil
	case tableOrder:
		return appendInt(dst, int64(ev.TableOrder)), nil
	default:
	}
	return append(dst, "null"...), nil
}

// appendKnown appends a time that the redo may not carry.
func appendKnown(dst []byte, millis int64) []byte {
	if millis == 0 {
		return append(dst, "null"...)
	}
	return appendInt(dst, millis)
}

// recordMillis is the commit time of a streamed change, the time its chunk was read of a snapshot record.
func recordMillis(ev *change.Event) int64 {
	if ev.Transaction != nil {
		return ev.Transaction.CommitMillis
	}
	return ev.Millis
}

// markText gives the mark of a record; one that the profile lacks is that of any other record of a snapshot.
func (t *Table) markText(ev *change.Event) string {
	switch {
	case ev.Kind != change.Snapshot:
		return "false"
	case slices.Contains(t.marks, ev.Mark):
		return string(ev.Mark)
	}
	return "true"
}

// appendXID is XID.Append by way of appendUint.
func appendXID(dst []byte, id position.XID) []byte {
	dst = append(appendUint(dst, uint64(id.USN)), '.')
	dst = append(appendUint(dst, uint64(id.Slot)), '.')
	return appendUint(dst, uint64(id.Sequence))
}

func appendQuoted(dst []byte, n uint64) []byte {
	return append(appendUint(append(dst, '"'), n), '"')
}

// appendOptional appends text, null where it is empty.
func (t *Table) appendOptional(dst []byte, s, member string) ([]byte, error) {
	if s == "" {
		return append(dst, "null"...), nil
	}
	dst, err := appendText(dst, s)
	if err != nil {
		return dst, stop.Wrap(stop.Undecodable, err, t.object, "source.%s cannot be published", member)
	}
	return dst, nil
}
