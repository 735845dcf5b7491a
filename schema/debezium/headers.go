package debezium

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

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
	newKeyHeader
	oldKeyHeader

	contextHeaders // no origin: those below tell where the record was made, and only with records.context_headers
	serverHeader
	taskHeader
	connectorHeader
	runHeader
)

// Headers makes what appends the headers of change, tombstone and snapshot records; of other events only schema changes have some, those
// that tell where the record was made.
func Headers(s Settings) change.Headers {
	h := headers{settings: s, added: newAddedHeaders(&s)}
	for _, m := range s.Profile.headers {
		if m.from < contextHeaders || s.ContextHeaders {
			h.members = append(h.members, m)
		}
	}
	return h.append
}

type headers struct {
	settings Settings
	members  []headerMember
	added    addedHeaders
}

func (h *headers) append(dst []change.Header, buf []byte, ev *change.Event) ([]change.Header, []byte) {
	least := headerOrigin(0)
	switch ev.Kind {
	case change.Change, change.Tombstone, change.Snapshot:
	case change.SchemaChange:
		least = contextHeaders
	default:
		return dst, buf
	}
	for _, m := range h.members {
		if m.from < least {
			continue
		}
		start := len(buf)
		buf = h.one(buf, ev, m.from)
		if len(buf) > start {
			dst = append(dst, change.Header{Key: m.key, Value: buf[start:len(buf):len(buf)]})
		}
	}
	if ev.Kind == change.SchemaChange {
		return dst, buf // they are members of rows
	}
	return h.added.append(dst, buf, ev)
}

// one appends nothing where the record does not have the header.
func (h *headers) one(buf []byte, ev *change.Event, from headerOrigin) []byte {
	switch from {
	case changeSCNHeader:
		return appendUint(buf, uint64(ev.SCN))
	case schemaVersionHeader:
		if ev.Version != nil {
			return appendInt(buf, int64(ev.Version.Number))
		}
	case snapshotHeader:
		return appendFlag(buf, ev.Kind == change.Snapshot)
	case splitHeader:
		return appendFlag(buf, ev.Split)
	case unavailableHeader:
		if ev.Kind != change.Tombstone {
			return h.appendUnavailable(buf, ev)
		}
	case newKeyHeader:
		if ev.Aside != nil && ev.Op == change.Delete {
			return append(buf, ev.Aside.OtherKey...)
		}
	case oldKeyHeader:
		if ev.Aside != nil && ev.Op == change.Create {
			return append(buf, ev.Aside.OtherKey...)
		}
	case serverHeader:
		return append(buf, h.settings.Server...)
	case taskHeader:
		return append(buf, '0')
	case connectorHeader:
		return append(buf, h.settings.Profile.connector...)
	case runHeader:
		return append(buf, h.settings.Run...)
	default:
		if ev.Transaction != nil {
			return ofTransaction(buf, ev, from)
		}
	}
	return buf
}

func ofTransaction(buf []byte, ev *change.Event, from headerOrigin) []byte {
	switch tx := ev.Transaction; from {
	case commitSCNHeader:
		return appendUint(buf, uint64(tx.Key.SCN))
	case transactionIDHeader:
		return tx.ID.Append(buf)
	case eventIndexHeader:
		return appendInt(buf, int64(ev.Index))
	case eventCountHeader:
		return appendInt(buf, int64(tx.Count))
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
func (h *headers) appendUnavailable(buf []byte, ev *change.Event) []byte {
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
		buf, _ = appendText(append(buf, separator), h.settings.fieldName(c.Name))
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
