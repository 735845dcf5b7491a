package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// keys knows which row took a key in the running transaction. One statement can move a key from row to row (SET id = id + 1): Oracle
// checks uniqueness at its end, and the redo has the row that takes the key before the one that leaves it. A delete of the
// old key would then remove the new row from a compacted topic, so it is left out: the create that took the key has replaced
// the old row already.
type keys struct {
	takers map[tableKey]string
	buf    []byte
}

type tableKey struct {
	version *schema.Version
	key     string
}

func (k *keys) begin() { clear(k.takers) }

// move notes that a row leaves one key for another. It reports whether another row has taken the old key before. Rows without
// a ROWID cannot be told apart and count as the same.
func (k *keys) move(t *recordTable, old, fresh *change.Event) (taken bool, err error) {
	if old.RowID == "" {
		return false, nil
	}
	if k.buf, err = t.AppendKey(k.buf[:0], old); err != nil {
		return false, err
	}
	if taker, ok := k.takers[tableKey{old.Version, string(k.buf)}]; ok {
		if taken = taker != old.RowID; !taken {
			delete(k.takers, tableKey{old.Version, string(k.buf)})
		}
	}
	if k.buf, err = t.AppendKey(k.buf[:0], fresh); err != nil {
		return false, err
	}
	if k.takers == nil {
		k.takers = map[tableKey]string{}
	}
	k.takers[tableKey{fresh.Version, string(k.buf)}] = fresh.RowID
	return taken, nil
}
