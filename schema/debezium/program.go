package debezium

import (
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// step writes text that is the same in every record of the table, then one part of the event.
type step struct {
	literal string
	emit    origin
}

// compiler turns the members of a profile into steps, folding everything constant into the literals.
type compiler struct {
	settings Settings
	version  *schema.Version
	steps    []step
	literal  []byte
}

func compile(s Settings, v *schema.Version) (steps []step, tail string, err error) {
	c := &compiler{settings: s, version: v}
	if err := c.members(s.Profile.envelope); err != nil {
		return nil, "", err
	}
	return c.steps, string(c.literal), nil
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
	if from == zero {
		c.literal = append(c.literal, '0')
		return nil
	}
	if from > constants {
		c.steps = append(c.steps, step{literal: string(c.literal), emit: from})
		c.literal = c.literal[:0]
		return nil
	}
	text, there := c.constant(from)
	if !there {
		c.literal = append(c.literal, "null"...)
		return nil
	}
	var err error
	c.literal, err = appendText(c.literal, text)
	return err
}

// constant gives the text of a constant member, false where it is null.
func (c *compiler) constant(from origin) (string, bool) {
	t := c.version.Table
	switch from {
	case connectorVersion:
		return c.settings.ConnectorVersion, true
	case connectorName:
		return c.settings.Profile.connector, true
	case serverName:
		return c.settings.Server, true
	case databaseName:
		if t.PDB != "" {
			return t.PDB, true
		}
		return c.settings.Database, true
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

func (t *Table) appendOfChange(dst []byte, ev *change.Event, emit origin) ([]byte, error) {
	switch emit {
	case operation:
		return append(dst, '"', byte(ev.Op), '"'), nil
	case commitMillis:
		return strconv.AppendInt(dst, recordMillis(ev), 10), nil
	case commitMicros:
		return strconv.AppendInt(dst, recordMillis(ev)*1_000, 10), nil
	case commitNanos:
		return strconv.AppendInt(dst, recordMillis(ev)*1_000_000, 10), nil
	case changeMillis:
		return strconv.AppendInt(dst, ev.Millis, 10), nil
	case changeMicros:
		return strconv.AppendInt(dst, ev.Millis*1_000, 10), nil
	case changeNanos:
		return strconv.AppendInt(dst, ev.Millis*1_000_000, 10), nil
	case builtMillis:
		return strconv.AppendInt(dst, ev.Built/1_000_000, 10), nil
	case builtMicros:
		return strconv.AppendInt(dst, ev.Built/1_000, 10), nil
	case builtNanos:
		return strconv.AppendInt(dst, ev.Built, 10), nil
	case snapshotMark:
		return append(append(append(dst, '"'), t.markText(ev)...), '"'), nil
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
	default:
	}
	return append(dst, "null"...), nil
}

func (t *Table) appendOfTransaction(dst []byte, ev *change.Event, emit origin) ([]byte, error) {
	tx := ev.Transaction
	switch emit {
	case transactionBlock:
		dst = tx.ID.Append(append(dst, `{"id":"`...))
		dst = append(dst, `","total_order":`...)
		dst = strconv.AppendInt(dst, int64(ev.Index)+1, 10)
		dst = append(dst, `,"data_collection_order":`...)
		dst = strconv.AppendInt(dst, int64(ev.TableOrder), 10)
		return append(dst, '}'), nil
	case transactionID:
		return append(tx.ID.Append(append(dst, '"')), '"'), nil
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
		return strconv.AppendInt(dst, ev.SSN, 10), nil
	case redoThread:
		return strconv.AppendInt(dst, int64(tx.Key.Thread), 10), nil
	case changeThread:
		return strconv.AppendInt(dst, int64(ev.Thread), 10), nil
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
		return strconv.AppendInt(dst, int64(ev.Index)+1, 10), nil
	default:
	}
	return append(dst, "null"...), nil
}

// appendKnown appends a time that the redo may not carry.
func appendKnown(dst []byte, millis int64) []byte {
	if millis == 0 {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, millis, 10)
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

func appendQuoted(dst []byte, n uint64) []byte {
	return append(strconv.AppendUint(append(dst, '"'), n, 10), '"')
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
