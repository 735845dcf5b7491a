package engine

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// discarded are transactions that an operator gave up: their rows are dropped until they end, across restarts.
type discarded struct {
	// open is what positions say of it. It is replaced, not changed: positions in flight share it.
	open []position.Transaction
	// fresh were given up since the last group, whether they have ended or not.
	fresh []position.Transaction
	// ended are those that the running step ends.
	ended []transaction.ID
}

func (r *discarded) add(id transaction.ID) {
	r.open = append(slices.Clone(r.open), position.Transaction(id))
	r.fresh = append(r.fresh, position.Transaction(id))
}

func (r *discarded) has(id transaction.ID) bool {
	return len(r.open) > 0 && slices.Contains(r.open, position.Transaction(id))
}

// begin forgets what a step that failed had ended.
func (r *discarded) begin() { r.ended = r.ended[:0] }

// end takes the end of a transaction in the running step; its XID may be partial.
func (r *discarded) end(id transaction.ID) {
	for _, t := range r.open {
		if t == position.Transaction(id) || id.XID.IsPartial() && slotOf(t) == slotOf(position.Transaction(id)) {
			r.ended = append(r.ended, transaction.ID(t))
		}
	}
}

// slotOf takes the sequence out.
func slotOf(t position.Transaction) position.Transaction {
	t.XID.Sequence = 0
	return t
}

// verified makes the running step's ends permanent.
func (r *discarded) verified() {
	if len(r.ended) > 0 {
		r.open = slices.DeleteFunc(slices.Clone(r.open), func(t position.Transaction) bool { return slices.Contains(r.ended, transaction.ID(t)) })
	}
}

// transactionOf reads a transaction's name: usn.slot.sqn or Oracle's eight bytes in hexadecimal as Debezium has them, with con_id: before
// it where several containers are captured.
func (m *miner) transactionOf(name string) (transaction.ID, error) {
	container, xid, numbered := strings.Cut(name, ":")
	if !numbered {
		xid = name
	}
	if raw, err := hex.DecodeString(xid); err == nil && len(raw) == 8 { // little-endian, as on every platform that Oracle is sold for by now
		x := position.XID{
			USN: binary.LittleEndian.Uint16(raw), Slot: binary.LittleEndian.Uint16(raw[2:]), Sequence: binary.LittleEndian.Uint32(raw[4:]),
		}
		xid = x.String()
	}
	if numbered {
		var t position.Transaction
		err := t.UnmarshalText([]byte(container + ":" + xid))
		return transaction.ID(t), err
	}
	x, err := position.ParseXID(xid)
	if err != nil {
		return transaction.ID{}, err
	}
	var found []transaction.ID
	for _, c := range append(m.tables.containers(), 0, rootContainer) {
		if id := (transaction.ID{Container: c, XID: x}); m.buffer.Has(id) && !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	switch {
	case len(found) > 1:
		return transaction.ID{}, errors.New("transactions of several containers have this id: write con_id: before it")
	case len(found) == 1:
		return found[0], nil
	}
	return transaction.ID{XID: x}, nil
}

// rootContainer is CDB$ROOT, whose number transactions have under shared undo (R117).
const rootContainer = 1
