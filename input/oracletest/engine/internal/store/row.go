package store

import (
	"encoding/base64"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Row is one ROWID: a chain of versions, newest first. All of it is guarded by the store's lock.
type Row struct {
	id     uint64 // number of the heap, block, row number
	heap   *heap
	head   *version
	holder *Tx // of the row lock; an ended transaction holds nothing
}

// version is the state of a row from a change on. values are never modified.
type version struct {
	tx       *Tx
	sequence uint32 // of the change in tx
	// cells are the values, packed the same in a smaller form: one of them is set, neither of a deleted row.
	cells  []datum.Datum
	packed string
	// absent are the columns that the row does not store: they were added later, and answer their default (R109).
	absent []bool
	prev   *version
}

// stored are the values as the row stores them.
func (v *version) stored() []datum.Datum {
	if v.absent == nil {
		return v.row()
	}
	out := slices.Clone(v.row())
	for i := range out {
		if v.isAbsent(i) {
			out[i] = datum.Datum{}
		}
	}
	return out
}

func (v *version) isAbsent(column int) bool { return column < len(v.absent) && v.absent[column] }

// View says which versions a statement sees.
type View struct {
	SCN       redo.SCN
	flashback bool
	tx        *Tx
	mark      uint32
}

// Past is the SCN of a query of the past, 0 of another view.
func (v *View) Past() redo.SCN {
	if v.flashback {
		return v.SCN
	}
	return 0
}

// visible returns what the view sees of a row, nil for nothing.
func (v *View) visible(r *Row) *version {
	for x := r.head; x != nil; x = x.prev {
		if x.tx == v.tx && v.tx != nil {
			if x.sequence <= v.mark {
				return x
			}
			continue
		}
		if scn := x.tx.commit; scn != 0 && scn <= v.SCN {
			return x
		}
	}
	return nil
}

// Rows of a block, as dense as the trace of reference logminer F.2 shows (row numbers up to 92), and where blocks begin.
const (
	rowsPerBlock = 91
	firstBlock   = 135
	dataFile     = 12
)

// Found is a row as a view sees it. Values must not be modified.
type Found struct {
	Row    *Row
	Values []datum.Datum
	of     *version
	SCN    redo.SCN // of its commit, 0 if uncommitted
}

func found(r *Row, v *version) Found { return Found{Row: r, Values: v.row(), of: v, SCN: v.tx.commit} }

// byRowID finds a row of the table by its ROWID.
func (t *Table) byRowID(text string, view *View) (*Row, *version) {
	object, file, block, row, ok := scalar.ParseRowID(text)
	if !ok || file != t.space.fileOf(block) {
		return nil, nil
	}
	var r *Row
	for _, h := range t.heaps {
		if h.data.Load() == object {
			r, _ = t.rows.Get(h.number<<numberShift | uint64(block)<<16 | uint64(row))
		}
	}
	if r == nil {
		return nil, nil
	}
	v := view.visible(r)
	if v == nil || v.gone() {
		return nil, nil
	}
	return r, v
}

// PlaceOf is a number of the row's segment, block and place in the block, from the highest bits down; the last 16 bits are the place.
func PlaceOf(r *Row) uint64 { return r.id }

// LogicalRowID is the UROWID of a row of an index-organized table: its primary key, behind a mark.
func LogicalRowID(layout *catalog.Table, values []datum.Datum) string {
	var key []byte
	for _, i := range layout.PrimaryKey.Columns {
		key = scalar.AppendKey(key, &values[i])
	}
	return "*" + base64.StdEncoding.EncodeToString(append([]byte{2, 4}, key...))
}

// RowID is the ROWID of a row.
func RowID(r *Row) string { return r.heap.rowID(r.id) }
