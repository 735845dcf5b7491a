package store

import (
	"slices"

	"github.com/tidwall/btree"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// index is a unique index. It lists for every key the rows that have a version with it, so that older views find them
// too; what a row really holds is always read from the row.
type index struct {
	name    string
	columns []int
	keys    btree.Map[string, *entry]
}

// entry of one key: live rows may hold the key now or in an open transaction, dead ones held it up to a commit.
type entry struct {
	live []*Row
	dead []deadRow // by rising until
}

type deadRow struct {
	row   *Row
	until redo.SCN
}

// key encodes the key columns; indexed is false when all of them are NULL.
func (x *index) key(values []datum.Datum) (key string, indexed bool) {
	if values == nil {
		return "", false
	}
	var buf [64]byte
	b := buf[:0]
	for _, i := range x.columns {
		b = scalar.AppendKey(b, &values[i])
		indexed = indexed || values[i].Kind != datum.Null
	}
	return string(b), indexed
}

// add lists a row under the key of values and reports whether it was not listed before.
func (x *index) add(values []datum.Datum, r *Row) bool {
	key, indexed := x.key(values)
	if !indexed {
		return false
	}
	e, ok := x.keys.Get(key)
	if !ok {
		e = &entry{}
		x.keys.Set(key, e)
	}
	if slices.Contains(e.live, r) {
		return false
	}
	e.live = append(e.live, r)
	return true
}

// remove takes back an add.
func (x *index) remove(values []datum.Datum, r *Row) {
	key, _ := x.key(values)
	e, ok := x.keys.Get(key)
	if !ok {
		return
	}
	if i := slices.Index(e.live, r); i >= 0 {
		e.live = slices.Delete(e.live, i, i+1)
	}
	x.drop(key, e)
}

func (x *index) drop(key string, e *entry) {
	if len(e.live) == 0 && len(e.dead) == 0 {
		x.keys.Delete(key)
	}
}

// retire notes that a row lost the key of values with the commit at scn.
func (x *index) retire(values []datum.Datum, r *Row, scn redo.SCN) {
	key, indexed := x.key(values)
	if !indexed {
		return
	}
	if now, ok := x.key(r.head.row()); ok && now == key {
		return
	}
	e, ok := x.keys.Get(key)
	if !ok {
		return
	}
	if i := slices.Index(e.live, r); i >= 0 {
		e.live = slices.Delete(e.live, i, i+1)
		e.dead = append(e.dead, deadRow{row: r, until: scn})
	}
}

// forget drops the dead rows of a key that no readable view needs.
func (x *index) forget(values []datum.Datum, horizon redo.SCN) {
	key, indexed := x.key(values)
	if !indexed {
		return
	}
	e, ok := x.keys.Get(key)
	if !ok {
		return
	}
	e.dead = slices.DeleteFunc(e.dead, func(d deadRow) bool { return d.until <= horizon })
	x.drop(key, e)
}

// find returns the row that a view sees with a key; uniqueness makes it one at most.
func (x *index) find(key string, view *View) (*Row, *version) {
	e, ok := x.keys.Get(key)
	if !ok {
		return nil, nil
	}
	for i := len(e.live) - 1; i >= 0; i-- {
		if v := x.sees(e.live[i], key, view); v != nil {
			return e.live[i], v
		}
	}
	for i := len(e.dead) - 1; i >= 0 && e.dead[i].until > view.SCN; i-- {
		if v := x.sees(e.dead[i].row, key, view); v != nil {
			return e.dead[i].row, v
		}
	}
	return nil, nil
}

func (x *index) sees(r *Row, key string, view *View) *version {
	v := view.visible(r)
	if v == nil || v.gone() {
		return nil
	}
	if v == r.head && v.prev == nil {
		return v // a row is listed for its versions, and has no other one
	}
	if has, _ := x.key(v.row()); has != key {
		return nil
	}
	return v
}

// conflict looks for another row that has the key which r has now: duplicate says that one has it for certain, wait names the
// transaction on whose end it depends.
func (x *index) conflict(r *Row, tx *Tx) (duplicate bool, wait *Tx) {
	key, indexed := x.key(r.head.row())
	if !indexed {
		return false, nil
	}
	e, ok := x.keys.Get(key)
	if !ok {
		return false, nil
	}
	for _, other := range e.live {
		if other == r || other.head == nil {
			continue
		}
		writer := other.head.tx
		if writer == tx || !writer.active() {
			if has, _ := x.key(other.head.row()); has == key && !other.head.gone() {
				return true, nil
			}
			continue
		}
		if x.depends(other, key) {
			wait = writer
		}
	}
	return false, wait
}

// depends reports whether a row in change has the key now, had it before, or had it in between, as it will again when its
// transaction goes back to a savepoint.
func (x *index) depends(r *Row, key string) bool {
	for v := r.head; v != nil; v = v.prev {
		if has, ok := x.key(v.row()); ok && has == key {
			return true
		}
		if v.tx != r.head.tx {
			return false
		}
	}
	return false
}
