package sabotage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

// Kind is a way to spoil a history.
type Kind string

// Kinds of sabotage.
const (
	// Drop takes away a record that was delivered once.
	Drop Kind = "drop"
	// Dup puts a second copy of a record some places behind the first.
	Dup Kind = "dup"
	// Value changes one field of one row.
	Value Kind = "value"
	// Order swaps two records of one key.
	Order Kind = "order"
	// Ghost adds a transaction that nobody committed: an update that leaves its row as it was.
	Ghost Kind = "ghost"
	// Read changes one field of a row that was read.
	Read Kind = "read"
	// Layout renders a row with the columns that its table has behind a later DDL.
	Layout Kind = "layout"
)

// Kinds lists them.
func Kinds() []Kind { return []Kind{Drop, Dup, Value, Order, Ghost, Layout, Read} }

// ParseKind reads a kind; the empty one is no sabotage.
func ParseKind(text string) (Kind, error) {
	if kind := Kind(text); text == "" || slices.Contains(Kinds(), kind) {
		return kind, nil
	}
	return "", fmt.Errorf("unknown sabotage %q, want one of %v", text, Kinds())
}

// Apply returns the records with one of them spoiled and says which. The given records are left as they are.
func Apply(kind Kind, records []verify.Record, random *rand.Rand) ([]verify.Record, string, error) {
	records = slices.Clone(records)
	for _, at := range random.Perm(len(records)) {
		if isRead(&records[at]) != (kind == Read) {
			continue // a row that was read may be missing or come again in a valid history
		}
		if spoiled, ok := apply(kind, records, at, random); ok {
			return spoiled, fmt.Sprintf("%s at record %d: %s/%d@%d",
				kind, at, records[at].Topic, records[at].Partition, records[at].Offset), nil
		}
	}
	return nil, "", fmt.Errorf("no record to spoil by %s among %d", kind, len(records))
}

// apply reports whether the record at a place lends itself to the sabotage.
func apply(kind Kind, records []verify.Record, at int, random *rand.Rand) ([]verify.Record, bool) {
	switch kind {
	case Drop:
		if copies(records, at) > 1 {
			return nil, false
		}
		return slices.Delete(slices.Clone(records), at, at+1), true
	case Dup:
		return slices.Insert(slices.Clone(records), behind(records, at, random.IntN(4)), records[at]), true
	case Value, Read:
		return changeValue(records, at, random)
	case Order:
		return swap(records, at)
	case Ghost:
		return addGhost(records, at)
	case Layout:
		return changeLayout(records, at)
	}
	return nil, false
}

// isRead reports a record of a row that was read.
func isRead(r *verify.Record) bool {
	return slices.ContainsFunc(r.Headers, func(h verify.Header) bool { return h.Key == "cdc.snapshot" })
}

// copies counts the deliveries of the record: without one of two copies the history may still be a valid one.
func copies(records []verify.Record, at int) int {
	n := 0
	for i := range records {
		if sameChange(&records[i], &records[at]) {
			n++
		}
	}
	return n
}

func sameChange(a, b *verify.Record) bool {
	return a.Topic == b.Topic && bytes.Equal(a.Key, b.Key) && bytes.Equal(a.Value, b.Value) &&
		(a.Value == nil) == (b.Value == nil) && slices.Equal(a.Headers, b.Headers)
}

// behind gives a place after the record, in its partition and its life of the pipeline.
func behind(records []verify.Record, at, distance int) int {
	place := at + 1
	for range distance {
		if place >= len(records) || !sameStretch(&records[place], &records[at]) {
			break
		}
		place++
	}
	return place
}

func sameStretch(a, b *verify.Record) bool {
	return a.Topic == b.Topic && a.Partition == b.Partition && a.Life == b.Life
}

// swap exchanges the record with the next one of its key.
func swap(records []verify.Record, at int) ([]verify.Record, bool) {
	for next := at + 1; next < len(records) && sameStretch(&records[next], &records[at]); next++ {
		if bytes.Equal(records[next].Key, records[at].Key) {
			spoiled := slices.Clone(records)
			spoiled[at], spoiled[next] = spoiled[next], spoiled[at]
			return spoiled, true
		}
	}
	return nil, false
}

// addGhost puts behind the record an update of the same row to the values it has, under a transaction id of its own.
func addGhost(records []verify.Record, at int) ([]verify.Record, bool) {
	ghost := records[at]
	value, ok := parse(ghost.Value)
	if !ok || value.S("after").Data() == nil {
		return nil, false
	}
	const xid = "65000.1.4000000000"
	set(value, "u", "op")
	set(value, value.S("after").Data(), "before")
	set(value, xid, "source", "txId")
	set(value, xid, "transaction", "id")
	set(value, 1, "transaction", "total_order")
	set(value, 1, "transaction", "data_collection_order")
	ghost.Value = value.Bytes()
	ghost.Headers = slices.Clone(ghost.Headers)
	for i := range ghost.Headers {
		switch ghost.Headers[i].Key {
		case "cdc.xid":
			ghost.Headers[i].Value = xid
		case "cdc.event_index":
			ghost.Headers[i].Value = "0"
		case "cdc.event_count":
			ghost.Headers[i].Value = "1"
		}
	}
	if strings.Contains(string(records[at].Value), xid) {
		return nil, false
	}
	return slices.Insert(slices.Clone(records), at+1, ghost), true
}
