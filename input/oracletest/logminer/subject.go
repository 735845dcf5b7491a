package logminer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// subjects are those of a query.
type subjects map[subjectKey]*subject

type subjectKey struct {
	layout  *catalog.Table
	segment uint32
}

// subject is the table of a change as today's dictionary names it.
type subject struct {
	owner, name string
	// segmentName is SEG_NAME: the table, with its partition if it has some. hidden says that TABLE_NAME is NULL.
	segmentName string
	hidden      bool
	// layout is the one that the record was written with, segment the partition.
	layout  *catalog.Table
	segment uint32
	// generic marks a layout that today's dictionary does not have: columns are COL n, values HEXTORAW of Oracle's internal
	// bytes (reference logminer D.4).
	generic bool
	// unsupported marks a table whose changes LogMiner does not show.
	unsupported bool
	ddl         bool

	// table and columns are the quoted names, insert is the text of an INSERT up to its values.
	table, insert string
	columns       []string
	// shown are the columns that are in statements.
	shown []bool
}

// render prepares the parts that every statement on the table has.
//
// now is a layout whose names count instead of those of the row's own, or nil.
func (s *subject) render(now *catalog.Table, withUnused bool) *subject {
	s.table = `"` + s.owner + `"."` + s.name + `"`
	for i := range s.layout.Columns {
		col := &s.layout.Columns[i]
		name := col.Name
		switch {
		case s.generic:
			name = "COL " + strconv.Itoa(col.SegmentID)
		case now != nil && col.Virtual == "":
			name = nameOf(now, col.SegmentID)
		}
		s.columns = append(s.columns, `"`+name+`"`)
		// Virtual columns are not stored; hidden ones that are stored are listed (reference logminer D.1).
		s.shown = append(s.shown, col.Virtual == "" && (s.generic || withUnused || !col.Unused))
	}
	s.insert = s.insertOf(len(s.columns))
	return s
}

// nameOf is the name of a segment column in a layout that has the same ones.
func nameOf(t *catalog.Table, segment int) string {
	for i := range t.Columns {
		if t.Columns[i].Virtual == "" && t.Columns[i].SegmentID == segment {
			return t.Columns[i].Name
		}
	}
	return ""
}

// insertOf is the text of an INSERT of the first columns up to its values.
func (s *subject) insertOf(columns int) string {
	var names []string
	for i := range columns {
		if s.shown[i] {
			names = append(names, s.columns[i])
		}
	}
	return "insert into " + s.table + "(" + strings.Join(names, ",") + ") values "
}

// subject names the table of a record by today's dictionary: an object that is gone is UNKNOWN, a layout that is not
// today's is generic (reference logminer D.4 and G.3).
func (r *rows) subject(record *redo.Record) *subject {
	unknown := fmt.Sprintf("OBJ# %d", segmentOf(record))
	switch {
	case record.Op == redo.DDL && r.names == nil:
		return &subject{owner: "UNKNOWN", name: unknown, segmentName: unknown, layout: record.Table, ddl: true}
	case record.Op == redo.DDL:
		return &subject{owner: record.Table.Owner, name: record.Table.Name, segmentName: record.Table.Name, layout: record.Table, ddl: true}
	}
	if s, ok := r.subjects[subjectKey{record.Table, record.Segment}]; ok {
		return s
	}
	s := &subject{layout: record.Table, segment: record.Segment, unsupported: longNames(record.Table)}
	warts := &r.faults.warts
	now, ok := (*catalog.Table)(nil), false
	if r.names != nil {
		now, ok = r.names.table(record)
	}
	if ok {
		s.owner, s.name, s.generic = now.Owner, now.Name, !matches(now, record.Table, warts)
	} else {
		s.owner, s.name, s.generic = "UNKNOWN", unknown, true
	}
	s.segmentName = s.name
	if p, named := (*catalog.Partition)(nil), false; record.Segment != 0 {
		if ok {
			p, named = now.Partition(record.Segment)
		}
		switch {
		case named:
			s.segmentName += "," + p.Name
		case !ok:
			s.hidden = true // TABLE_NAME of rows in segments that were dropped (reference logminer B.2)
		}
	}
	r.subjects[subjectKey{record.Table, record.Segment}] = s
	if !warts.R97NewNames {
		now = nil
	}
	return s.render(now, warts.R43UnusedNamed)
}

// longName is the longest identifier that DBMS_LOGMNR supports, in bytes; rows of tables with longer ones are
// UNSUPPORTED, observed on 23ai and documented for 19c (reference logminer M).
const longName = 30

func longNames(t *catalog.Table) bool {
	if len(t.Name) > longName {
		return true
	}
	for i := range t.Columns {
		if len(t.Columns[i].Name) > longName {
			return true
		}
	}
	return false
}

// matches reports whether rows of an older layout can be named by the dictionary; a longer VARCHAR2 is no difference, and virtual
// columns are in no row.
func matches(now, then *catalog.Table, warts *redo.Warts) bool {
	if warts.R41AnyVersion {
		return now.Version == then.Version
	}
	a, b := stored(now), stored(then)
	return slices.EqualFunc(a, b, func(x, y *catalog.Column) bool {
		return (x.Name == y.Name || warts.R97NewNames && x.Unused == y.Unused) && x.Type.Code == y.Type.Code && x.Type.National == y.Type.National
	})
}

func stored(t *catalog.Table) []*catalog.Column {
	list := make([]*catalog.Column, 0, len(t.Columns))
	for i := range t.Columns {
		if t.Columns[i].Virtual == "" {
			list = append(list, &t.Columns[i])
		}
	}
	return list
}
