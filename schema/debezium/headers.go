package debezium

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Header is a Kafka header of a record.
type Header struct {
	Key string
	// Value is text, as Connect's simple converter writes it: decimal digits, true, JSON.
	Value []byte
}

type headerMember struct {
	key  string
	from headerOrigin
}

type headerOrigin uint8

const (
	changeSCNHeader headerOrigin = iota
	commitSCNHeader
	transactionIDHeader
	eventIndexHeader
	eventCountHeader
	snapshotHeader
	schemaVersionHeader
	splitHeader
	unavailableHeader
)

// AppendHeaders appends the headers of a change, tombstone or snapshot record; other events have none. Their values lie in
// buf, which is returned for the next record once this one was sent.
func (p *Profile) AppendHeaders(dst []Header, buf []byte, ev *change.Event) ([]Header, []byte) {
	switch ev.Kind {
	case change.Change, change.Tombstone, change.Snapshot:
	default:
		return dst, buf
	}
	for _, m := range p.headers {
		start := len(buf)
		buf = p.appendHeader(buf, ev, m.from)
		if len(buf) > start {
			dst = append(dst, Header{Key: m.key, Value: buf[start:len(buf):len(buf)]})
		}
	}
	return dst, buf
}

// appendHeader appends nothing where the record does not have the header.
func (p *Profile) appendHeader(buf []byte, ev *change.Event, from headerOrigin) []byte {
	switch from {
	case changeSCNHeader:
		return strconv.AppendUint(buf, uint64(ev.SCN), 10)
	case schemaVersionHeader:
		if ev.Version != nil {
			return strconv.AppendInt(buf, int64(ev.Version.Number), 10)
		}
		return buf
	case snapshotHeader:
		return appendFlag(buf, ev.Kind == change.Snapshot)
	case splitHeader:
		return appendFlag(buf, ev.Split)
	case unavailableHeader:
		if ev.Kind == change.Tombstone {
			return buf
		}
		return p.appendUnavailable(buf, ev)
	default:
	}
	tx := ev.Transaction
	if tx == nil {
		return buf
	}
	switch from {
	case commitSCNHeader:
		return strconv.AppendUint(buf, uint64(tx.Key.SCN), 10)
	case transactionIDHeader:
		return tx.ID.Append(buf)
	case eventIndexHeader:
		return strconv.AppendInt(buf, int64(ev.Index), 10)
	case eventCountHeader:
		return strconv.AppendInt(buf, int64(tx.Count), 10)
	default:
		return buf
	}
}

func appendFlag(buf []byte, set bool) []byte {
	if set {
		return append(buf, "true"...)
	}
	return buf
}

// appendUnavailable appends the JSON array of the fields that are null although the row may hold a value (contracts 4), for
// the image that the record's state comes from: after where there is one, else before.
func (p *Profile) appendUnavailable(buf []byte, ev *change.Event) []byte {
	image := ev.After
	if image == nil {
		image = ev.Before
	}
	if ev.Version == nil || len(image) != len(ev.Version.Columns) {
		return buf
	}
	separator := byte('[')
	for i := range image {
		c := &ev.Version.Columns[i]
		if image[i].Known() || !c.Published() || !nullWhenMissing(c, image[i].Kind()) {
			continue
		}
		// Names were checked when the table was prepared.
		buf, _ = appendText(append(buf, separator), c.Name)
		separator = ','
	}
	if separator == ',' {
		buf = append(buf, ']')
	}
	return buf
}

// nullWhenMissing reports whether a value that is not there is written as null, as newField decides it.
func nullWhenMissing(c *schema.Column, missing value.Kind) bool {
	if isLOB(c.Type.Kind) {
		return false
	}
	return missing == value.Absent || !hasPlaceholder(c.Type.Kind)
}
