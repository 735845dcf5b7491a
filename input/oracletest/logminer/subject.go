package logminer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// subject is the table of a change as today's dictionary names it.
type subject struct {
	owner, name string
	// layout is the one that the record was written with.
	layout *catalog.Table
	// generic marks a layout that today's dictionary does not have: columns are COL n, values HEXTORAW of Oracle's internal
	// bytes (reference logminer D.4).
	generic bool
	// unsupported marks a table whose changes LogMiner does not show.
	unsupported bool
	ddl         bool

	// table and columns are the quoted names, insert is the text of an INSERT up to its values.
	table, insert string
	columns       []string
}

// render prepares the parts that every statement on the table has.
func (s *subject) render() *subject {
	s.table = `"` + s.owner + `"."` + s.name + `"`
	for i := range s.layout.Columns {
		name := s.layout.Columns[i].Name
		if s.generic {
			name = "COL " + strconv.Itoa(s.layout.Columns[i].SegmentID)
		}
		s.columns = append(s.columns, `"`+name+`"`)
	}
	s.insert = "insert into " + s.table + "(" + strings.Join(s.columns, ",") + ") values "
	return s
}

// subject names the table of a record by today's dictionary: an object that is gone is UNKNOWN, a layout that is not
// today's is generic (reference logminer D.4 and G.3).
func (r *rows) subject(record *redo.Record) *subject {
	unknown := fmt.Sprintf("OBJ# %d", record.Table.ObjectID)
	switch {
	case record.Op == redo.DDL && !r.dictionary:
		return &subject{owner: "UNKNOWN", name: unknown, layout: record.Table, ddl: true}
	case record.Op == redo.DDL:
		return &subject{owner: record.Table.Owner, name: record.Table.Name, layout: record.Table, ddl: true}
	}
	if s, ok := r.subjects[record.Table]; ok {
		return s
	}
	s := &subject{layout: record.Table, unsupported: longNames(record.Table)}
	if now, ok := r.miner.config.Dictionary.Table(record.Container, record.Table.ObjectID); ok && r.dictionary {
		s.owner, s.name, s.generic = now.Owner, now.Name, !sameColumns(now.Columns, record.Table.Columns)
	} else {
		s.owner, s.name, s.generic = "UNKNOWN", unknown, true
	}
	r.subjects[record.Table] = s
	return s.render()
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

// sameColumns reports whether rows of one layout can be named by the other; a longer VARCHAR2 is no difference.
func sameColumns(a, b []catalog.Column) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Type.Code != b[i].Type.Code || a[i].Type.National != b[i].Type.National {
			return false
		}
	}
	return true
}
