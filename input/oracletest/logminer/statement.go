package logminer

import (
	"encoding/hex"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// style says how statements are written: the options of START_LOGMNR and the session's settings.
type style struct {
	nls       *nls
	delimiter bool // trailing ';'
	rowID     bool // ROWID in the WHERE of normal rows
	shortRows bool // NULLs at the end of generic rows are left out (R46)
	pretty    bool // one line per clause and column, and columns next to their values in an INSERT too
}

// Breaks between the parts of a statement. Those of PRINT_PRETTY_SQL are documented as line breaks; how deep lines are indented is not.
const (
	prettyClause = "\n  "
	prettyItem   = "\n    "
)

// part is what comes before a clause or an item: a line break or the plain text.
func (s *style) part(plain, pretty string) string {
	if s.pretty {
		return pretty
	}
	return plain
}

// image is one side of a change.
type image struct {
	values []datum.Datum
	set    []bool
}

func (i image) has(column int) bool { return column < len(i.set) && i.set[column] }

func (i image) value(column int) *datum.Datum {
	if column < len(i.values) {
		return &i.values[column]
	}
	return &datum.Datum{}
}

// appendRedo writes SQL_REDO of a change or a marker.
func (s *style) appendRedo(dst []byte, row *row) []byte {
	r, t := row.record, row.subject
	before, after := image{r.Before, r.BeforeSet}, image{r.After, r.AfterSet}
	switch row.op {
	case redo.Insert:
		dst = s.appendInsert(dst, t, after)
	case redo.Update:
		dst = s.appendUpdate(dst, t, after)
		if r.Undo {
			before = image{}
		}
		dst = s.appendWhere(dst, t, before, r.RowID, s.rowID)
	case redo.Delete:
		dst = appendDelete(dst, t)
		if r.Undo {
			before = image{}
		}
		// Undo deletes show ROWID even with NO_ROWID_IN_STMT (reference logminer D.1).
		dst = s.appendWhere(dst, t, before, r.RowID, s.rowID || r.Undo)
	case redo.Start:
		dst = append(dst, "set transaction read write"...)
	case redo.Commit:
		dst = append(dst, "commit"...)
	case redo.Rollback:
		dst = append(dst, "rollback"...)
	case redo.DDL:
		dst = append(dst, r.SQL...)
	case redo.Unsupported:
		return append(dst, "Unsupported"...)
	default:
		return dst
	}
	return s.end(dst)
}

// appendUndo writes SQL_UNDO, the inverse of a change; undo rows, markers and DDL have none.
func (s *style) appendUndo(dst []byte, row *row) []byte {
	r, t := row.record, row.subject
	if r.Undo {
		return dst
	}
	before, after := image{r.Before, r.BeforeSet}, image{r.After, r.AfterSet}
	switch row.op {
	case redo.Insert:
		dst = appendDelete(dst, t)
		all := make([]bool, len(t.layout.Columns))
		for i := range all {
			all[i] = true
		}
		dst = s.appendWhere(dst, t, image{after.values, all}, r.RowID, s.rowID)
	case redo.Update:
		dst = s.appendUpdate(dst, t, image{before.values, r.AfterSet})
		dst = s.appendWhere(dst, t, overlay(before, after), r.RowID, s.rowID)
	case redo.Delete:
		dst = s.appendInsert(dst, t, before)
	default:
		return dst
	}
	return s.end(dst)
}

// overlay is the row after an update, as far as the redo knows it.
func overlay(before, after image) image {
	values := append([]datum.Datum(nil), before.values...)
	for i := range values {
		if after.has(i) {
			values[i] = *after.value(i)
		}
	}
	return image{values, before.set}
}

func (s *style) end(dst []byte) []byte {
	if s.delimiter {
		dst = append(dst, ';')
	}
	return dst
}

// appendInsert lists every column: the row image of an insert is complete.
func (s *style) appendInsert(dst []byte, t *subject, row image) []byte {
	if s.pretty {
		return s.appendPrettyInsert(dst, t, row)
	}
	columns := len(t.columns)
	if t.generic && s.shortRows {
		columns = t.length(row)
	}
	if columns == len(t.columns) {
		dst = append(dst, t.insert...)
	} else {
		dst = append(dst, t.insertOf(columns)...)
	}
	separator := byte('(')
	for i := range columns {
		if !t.shown[i] {
			continue
		}
		dst = append(dst, separator)
		dst = s.appendValue(dst, t, row, i)
		separator = ','
	}
	return append(dst, ')')
}

// length is how many columns a row has up to its last value; one at least.
func (s *subject) length(row image) int {
	n := len(s.columns)
	for n > 1 && (!s.shown[n-1] || row.value(n-1).IsNull()) {
		n--
	}
	return n
}

// appendPrettyInsert names each value, so that the statement cannot be executed.
func (s *style) appendPrettyInsert(dst []byte, t *subject, row image) []byte {
	dst = append(dst, "insert into "...)
	dst = append(dst, t.table...)
	dst = append(dst, prettyClause+"values"...)
	separator := prettyItem
	for i := range t.layout.Columns {
		if !t.shown[i] {
			continue
		}
		dst = append(dst, separator...)
		dst = s.appendPredicate(dst, t, row, i)
		separator = "," + prettyItem
	}
	return dst
}

func (s *style) appendUpdate(dst []byte, t *subject, row image) []byte {
	dst = append(dst, "update "...)
	dst = append(dst, t.table...)
	separator := s.part(" set ", prettyClause+"set"+prettyItem)
	for i := range t.layout.Columns {
		if !row.has(i) || !t.shown[i] {
			continue
		}
		dst = append(dst, separator...)
		dst = append(dst, t.columns[i]...)
		dst = append(dst, " = "...)
		dst = s.appendValue(dst, t, row, i)
		separator = s.part(", ", ","+prettyItem)
	}
	return dst
}

func appendDelete(dst []byte, t *subject) []byte {
	dst = append(dst, "delete from "...)
	return append(dst, t.table...)
}

// isLOB reports whether a column is in no WHERE (reference logminer D.3).
func isLOB(c *catalog.Column) bool {
	return c.Type.Code == datum.TypeClob || c.Type.Code == datum.TypeBlob
}

// appendWhere writes the logged old values as predicates; without any, and without ROWID, there is no WHERE.
func (s *style) appendWhere(dst []byte, t *subject, row image, rowID string, withRowID bool) []byte {
	separator := s.part(" where ", prettyClause+"where"+prettyItem)
	columns := len(t.columns)
	if t.generic && s.shortRows {
		columns = t.length(row)
	}
	for i := range columns {
		if !row.has(i) || !t.shown[i] || isLOB(&t.layout.Columns[i]) {
			continue
		}
		dst = append(dst, separator...)
		dst = s.appendPredicate(dst, t, row, i)
		separator = s.part(" and ", " and"+prettyItem)
	}
	if withRowID {
		dst = append(dst, separator...)
		dst = append(dst, "ROWID = '"...)
		dst = append(dst, rowID...)
		dst = append(dst, '\'')
	}
	return dst
}

func (s *style) appendPredicate(dst []byte, t *subject, row image, i int) []byte {
	dst = append(dst, t.columns[i]...)
	if row.value(i).IsNull() {
		return append(dst, " IS NULL"...)
	}
	dst = append(dst, " = "...)
	return s.appendValue(dst, t, row, i)
}

func (s *style) appendValue(dst []byte, t *subject, row image, i int) []byte {
	value, kind := row.value(i), &t.layout.Columns[i].Type
	if !t.generic {
		return appendLiteral(dst, value, kind, s.nls)
	}
	if value.IsNull() {
		return append(dst, "NULL"...)
	}
	dst = append(dst, "HEXTORAW('"...)
	dst = hex.AppendEncode(dst, appendInternal(nil, value, kind))
	return append(dst, "')"...)
}
