package store

import (
	"slices"
	"unicode/utf16"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// placeholder is the ROWID that an INSERT with LOB columns shows (reference logminer E.2).
const placeholder = "AAAAAAAAAAAAAAAAAA"

// About as much of a LOB lies in its row. Only such values are in the redo as literals ("small" in reference logminer E.2).
const (
	smallCharacters = 1982 // of UTF-16, in which CLOBs are stored
	smallBytes      = 3964
)

// LargeLOB reports whether the redo of a value would be LOB_WRITE rows, which the stand-in does not write.
func LargeLOB(d *datum.Datum) bool {
	switch d.Kind {
	case datum.Clob:
		return len(d.Text) > smallCharacters && len(utf16.Encode([]rune(d.Text))) > smallCharacters
	case datum.Blob:
		return len(d.Raw) > smallBytes
	}
	return false
}

// Captured reports whether a table has supplemental logging beyond the minimal one.
func (s *Store) Captured(t *catalog.Table) bool {
	l := s.Logging()
	return t.LogGroups != catalog.LogGroups{} || len(t.UserGroups) > 0 || l.All || l.PrimaryKey || l.UniqueIndex || l.ForeignKey
}

func isLOB(t *catalog.Table, column int) bool {
	code := t.Columns[column].Type.Code
	return code == datum.TypeClob || code == datum.TypeBlob
}

// lobColumns says which columns are LOBs, nil without one.
func lobColumns(t *catalog.Table) []bool {
	var set []bool
	for i := range t.Columns {
		if isLOB(t, i) {
			if set == nil {
				set = make([]bool, len(t.Columns))
			}
			set[i] = true
		}
	}
	return set
}

// emptied puts an empty LOB where a set LOB column has a value, or where all says so.
func emptied(t *catalog.Table, values []datum.Datum, set []bool, all bool) []datum.Datum {
	var out []datum.Datum
	for i := range values {
		if !set[i] || !isLOB(t, i) || !all && !LargeLOB(&values[i]) {
			continue
		}
		if out == nil {
			out = slices.Clone(values)
		}
		out[i] = datum.Datum{Kind: datum.Clob}
		if t.Columns[i].Type.Code == datum.TypeBlob {
			out[i].Kind = datum.Blob
		}
	}
	if out == nil {
		return values
	}
	return out
}

// without leaves columns out of a set.
func without(set, columns []bool) []bool {
	if columns == nil {
		return set
	}
	out := make([]bool, len(set))
	for i := range set {
		out[i] = set[i] && !columns[i]
	}
	return out
}

func both(a, b []bool) []bool {
	out := make([]bool, len(a))
	for i := range a {
		out[i] = a[i] && b[i]
	}
	return out
}

func anySet(set []bool) bool {
	for _, s := range set {
		if s {
			return true
		}
	}
	return false
}

// insertLOBs writes the redo of an INSERT into a table with LOB columns: the row with empty LOBs under a placeholder, then an
// UPDATE that gives them their values, NULL too (reference logminer D.2 and E.2).
func (tx *Tx) insertLOBs(t *Table, r *Row, values []datum.Datum, lobs []bool) {
	rec := t.at(&redo.Record{Op: redo.Insert, RowID: placeholder, AfterSet: allColumns(values)}, r)
	rec.After = emptied(t.layout, values, rec.AfterSet, true)
	tx.record(rec)
	logged := tx.store.loggedColumns(t.layout, make([]bool, len(values)), values, values)
	tx.updateLOBs(t, r, values, lobs, logged)
}

// updateLOBs writes the UPDATE of LOB columns; its WHERE shows the row as it is then.
func (tx *Tx) updateLOBs(t *Table, r *Row, values []datum.Datum, set, logged []bool) {
	rec := t.at(&redo.Record{
		Op: redo.Update, Before: onlySet(values, logged), BeforeSet: logged, After: onlySet(values, set), AfterSet: set,
	}, r)
	for i := range values {
		if set[i] && LargeLOB(&values[i]) {
			rec.Op = redo.Unsupported
			rec.After = emptied(t.layout, rec.After, set, false)
		}
	}
	tx.record(rec)
}
