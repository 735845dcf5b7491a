package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// source is one member of FROM.
type source struct {
	owner, name, alias string
	number             int // in the block
	columns            []wire.Column
	hidden             map[string]bool // second copies of USING columns
	using              map[string]bool // columns of USING, which have no qualifier
	ambiguous          map[string]bool // names that two columns of a subquery have
	offset             int             // of its first column in the row

	// Exactly one of these says where rows come from; none of them is DUAL.
	table  *store.Table
	layout *catalog.Table
	asOf   *node
	// partition is the object id of the only partition that is read, 0 for all.
	partition uint32
	sample    *sample
	view      View
	query     *query

	used  []bool // columns that expressions read
	rowID int    // pseudo columns of a table, in the row; -1 without them
	scn   int
	// wantRowID and wantSCN say that they are read.
	wantRowID, wantSCN bool
}

// pseudoColumns is how many cells a table has behind its columns: ROWID and ORA_ROWSCN.
const pseudoColumns = 2

func (s *source) width() int {
	if s.table != nil {
		return len(s.columns) + pseudoColumns
	}
	return len(s.columns)
}

// visible lists the columns that a star means.
func (s *source) visible() []int {
	if s.layout != nil {
		return s.layout.Visible()
	}
	list := make([]int, len(s.columns))
	for i := range list {
		list[i] = i
	}
	return list
}

// shows reports whether a star means a column of that name.
func (s *source) shows(column string) bool {
	return slices.ContainsFunc(s.visible(), func(i int) bool { return s.columns[i].Name == column })
}

func (s *source) find(column string) int {
	for i := range s.columns {
		if s.columns[i].Name == column {
			return i
		}
	}
	return -1
}

// matches reports whether a qualifier means this source.
func (s *source) matches(schema, table string) bool {
	if table != "" && table[0] == 0 {
		return table == s.tag()
	}
	if s.alias != "" {
		return schema == "" && table == s.alias
	}
	return table == s.name && (schema == "" || schema == s.owner)
}

// scope is what names of a query block may mean.
type scope struct {
	sources []*source
	outer   *scope
	width   int
	// reaches is set when a name meant something of an outer block: the block then depends on its row.
	reaches bool
	// touched are the sources that were meant since it was last cleared, by bit.
	touched uint64
	// grouped is set while what stands behind GROUP BY is compiled: of its rows, subqueries then see nothing but the keys.
	grouped *grouping
	// merged are the columns that USING has made one, in the order of SELECT *.
	merged []mergedColumn
}

// mergedColumn is a column of USING, with the source that it is read from.
type mergedColumn struct {
	name string
	from *source
}

func (s *scope) add(src *source) {
	src.offset = s.width
	src.number = len(s.sources)
	src.used = make([]bool, len(src.columns))
	src.rowID, src.scn = -1, -1
	if src.table != nil {
		src.rowID, src.scn = src.offset+len(src.columns), src.offset+len(src.columns)+1
	}
	s.width += src.width()
	s.sources = append(s.sources, src)
}

// reference is what a name resolved to.
type reference struct {
	column int // in the row of the block depth levels out
	depth  int
	source *source
	typ    datum.Type
	null   bool
}

// resolve finds a name in this block or an outer one.
func (s *scope) resolve(n *sql.Name) (reference, bool, error) {
	depth := 0
	for at := s; at != nil; at = at.outer {
		ref, ok, err := at.local(n)
		if err != nil || ok {
			ref.depth = depth
			if ok {
				at.touched |= 1 << ref.source.number
				if depth > 0 && at.grouped != nil && !at.grouped.hasColumn(ref.column) {
					return ref, ok, notGrouped(n)
				}
			}
			for in := s; ok && in != at; in = in.outer {
				in.reaches = true
			}
			return ref, ok, err
		}
		depth++
	}
	return reference{}, false, nil
}

func (s *scope) local(n *sql.Name) (ref reference, ok bool, err error) {
	for _, src := range s.sources {
		if n.Table != "" && !src.matches(n.Schema, n.Table) {
			continue
		}
		found, hit := src.reference(n)
		if !hit {
			continue
		}
		if ok {
			return reference{}, false, ambiguous(n)
		}
		if src.ambiguous[n.Column] {
			return reference{}, false, ambiguous(n)
		}
		if n.Table != "" && n.Table[0] != 0 && src.using[n.Column] {
			return reference{}, false, at(n.Pos(), wire.Errorf(25154, "column part of USING clause cannot have qualifier"))
		}
		ref, ok = found, true
	}
	return ref, ok, nil
}

func ambiguous(n *sql.Name) error {
	return at(n.Pos(), wire.Errorf(918, "%s: column ambiguously specified", nameText(n)))
}

func notGrouped(n *sql.Name) error {
	return at(n.Pos(), wire.Errorf(979, "%s: must appear in the GROUP BY clause or be used in an aggregate function", nameText(n)))
}

func (s *source) reference(n *sql.Name) (reference, bool) {
	if !n.Quoted && s.table != nil {
		switch n.Column {
		case "ROWID":
			s.wantRowID = true
			return reference{column: s.rowID, source: s, typ: s.rowIDType()}, true
		case "ORA_ROWSCN":
			s.wantSCN = true
			return reference{column: s.scn, source: s, typ: numberType, null: true}, true
		}
	}
	i := s.find(n.Column)
	if i < 0 || n.Table == "" && s.hidden[n.Column] {
		return reference{}, false
	}
	s.used[i] = true
	return reference{column: s.offset + i, source: s, typ: s.columns[i].Type, null: s.columns[i].Nullable}, true
}

// rowIDType is the type of the pseudo column ROWID: the logical ones of an index-organized table are UROWIDs, which are shown as text here.
func (s *source) rowIDType() datum.Type {
	if s.layout.IndexOrganized {
		return textType(longTextSize)
	}
	return rowIDType
}

func nameText(n *sql.Name) string {
	text := quote(n.Column)
	if n.Table != "" {
		text = quote(n.Table) + "." + text
	}
	if n.Schema != "" {
		text = quote(n.Schema) + "." + text
	}
	return text
}

func quote(s string) string { return `"` + s + `"` }

// at puts the position of an error that has none.
func at(pos int, err error) error {
	if e, ok := err.(*wire.OraError); ok && e.Position == 0 { //nolint:errorlint // made here, not wrapped yet
		e.Position = pos
	}
	return err
}
