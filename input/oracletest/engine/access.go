package engine

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
)

// equality is a condition column = value that a unique index or a ROWID may answer.
type equality struct {
	source *source
	column int // of the table; -1 for ROWID
	value  *node
	needs  uint64 // sources that the value reads
}

// equality recognises such a condition; the condition itself is still tested.
func (c *compiler) equality(e sql.Expr) (equality, bool) {
	cmp, ok := e.(*sql.Compare)
	if !ok || cmp.Op != "=" || cmp.Quantifier != "" {
		return equality{}, false
	}
	for _, sides := range [...][2]sql.Expr{{cmp.L, cmp.R}, {cmp.R, cmp.L}} {
		name, ok := sides[0].(*sql.Name)
		if !ok {
			continue
		}
		ref, ok, err := c.scope.local(name)
		if !ok || err != nil || ref.source.table == nil {
			continue
		}
		c.scope.touched = 0
		value, err := c.expr(sides[1])
		if err != nil || c.scope.touched&(1<<ref.source.number) != 0 {
			continue
		}
		eq := equality{source: ref.source, column: ref.column - ref.source.offset, needs: c.scope.touched}
		if ref.column == ref.source.rowID {
			if eq.column = -1; ref.source.layout.IndexOrganized {
				continue
			}
		}
		if eq.value, ok = c.keyValue(value, ref.typ); ok {
			return eq, true
		}
	}
	return equality{}, false
}

// keyValue converts a value to what the column stores, if comparison with the column does the same.
func (c *compiler) keyValue(value *node, column datum.Type) (*node, bool) {
	switch {
	case value.typ.Code == 0:
		return nil, false
	case isInterval(value.typ):
		return value, value.typ.Code == column.Code
	}
	if column.Code == datum.TypeChar && value.typ.Code == datum.TypeChar {
		return c.padded(value, column.Size), true
	}
	t, ok := comparisonType(column, value.typ)
	if !ok || scalar.Kind(t) != scalar.Kind(column) {
		return nil, false
	}
	return c.to(value, column), true
}

func (c *compiler) padded(value *node, size int) *node {
	return c.pure(value.typ, []*node{value}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		s := strings.TrimRight(v[0].Text, " ")
		if n := len([]rune(s)); n < size {
			s += strings.Repeat(" ", size-n)
		}
		return scalar.Text(s), nil
	})
}

// accessPaths lets tables whose unique key or ROWID is given by earlier levels be looked up instead of scanned.
func (c *compiler) accessPaths(tree *joinTree, equalities []equality) {
	have := uint64(0)
	for _, l := range tree.levels {
		if r, ok := l.reader.(*tableReader); ok && r.src.partition == 0 && r.src.sample == nil {
			r.choose(equalities, have)
		}
		have |= l.sources
	}
}

// choose picks the access path of a table: ROWID, a unique index with all its columns given, or a scan.
func (r *tableReader) choose(equalities []equality, have uint64) {
	given := make(map[int]*node)
	for _, eq := range equalities {
		if eq.source != r.src || eq.needs&^have != 0 {
			continue
		}
		if eq.column < 0 {
			r.rowID = eq.value
			return
		}
		given[eq.column] = eq.value
	}
	n := r.src.table.Index(r.src.layout, func(column int) bool { return given[column] != nil })
	if n < 0 {
		return
	}
	r.index, r.keys = n, given
}
