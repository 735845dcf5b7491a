package snapshot

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Mode says how a table is cut into chunks.
type Mode string

// Modes, as the position writes them.
const (
	// ByKey cuts at values of the key columns.
	ByKey Mode = "key"
	// ByRowID cuts at blocks of the table's segments.
	ByRowID Mode = "rowid"
	// Whole does not cut: the table is one chunk.
	Whole Mode = "whole"
	// One reads any one row of the table. It is the mode of a chunk, never that of a frontier.
	One Mode = "one"
)

// cuts reports whether a chunk can be cut into smaller ones.
func (m Mode) cuts() bool { return m == ByKey || m == ByRowID }

// Bound is a place where a table is cut, as text: a value for each key column, in the form that the same column's bind takes; or data
// object id, relative file and block. It is a row value that was seen once; whether the row is still there does not matter. The server
// alone compares bounds of key values: nothing here knows its order.
type Bound []string

// Range is a part of a table: what lies behind After, up to and with UpTo. A nil bound is an open end.
type Range struct {
	After Bound `json:"after,omitempty"`
	UpTo  Bound `json:"upto,omitempty"`
}

// all reports the range that is the whole table.
func (r Range) all() bool { return r.After == nil && r.UpTo == nil }

// Frontier is how far the snapshot of one table came, as the position carries it (R86). Everything outside Left was emitted; what lies
// in it is read again at a new SCN after a restart. A Frontier is a value of its own: nobody changes it.
type Frontier struct {
	Mode Mode `json:"mode"`
	// Key names the columns that Left's bounds are values of.
	Key []string `json:"key,omitempty"`
	// Layout is the digest of the version that the table had when Left was cut. It is told when it differs; the bounds keep their
	// meaning as long as Key and the types of its columns stay.
	Layout string `json:"layout"`
	// Types are those of the key columns.
	Types []string `json:"types,omitempty"`
	// Segments are the data object ids that Left's bounds lie in (ByRowID).
	Segments []uint64 `json:"segments,omitempty"`
	// Left is what is still to be read. Most often it is one range; others are chunks that were given up or are read again (R83).
	Left []Range `json:"left,omitempty"`
	// One: everything was emitted, and one row is to be read again (Progress.One). Left is the whole table then, for who does not know that.
	One bool `json:"one,omitempty"`
	// Rows were emitted, Estimate is how many the table had by the plan or, before there is one, its statistics; 0: not known.
	Rows     int64 `json:"rows"`
	Estimate int64 `json:"estimate,omitempty"`
	Done     bool  `json:"done,omitempty"`
}

// Percent is how much of the table was emitted, by estimate: below 100 until it is done.
func (f *Frontier) Percent() float64 {
	switch {
	case f.Done:
		return 100
	case f.Estimate <= 0:
		return 0
	}
	return min(99.9, 100*float64(f.Rows)/float64(f.Estimate))
}

// Remaining is how many rows are still to come, by estimate; -1: not known.
func (f *Frontier) Remaining() int64 {
	switch {
	case f.Done:
		return 0
	case f.Estimate <= 0:
		return -1
	}
	return max(0, f.Estimate-f.Rows)
}

// Fits reports whether a snapshot can go on from the frontier with a version of the table. A change of the key restarts the table
// (R81). Rows that were emitted with another layout stay as they are: the DDL is in the stream behind them.
func (f *Frontier) Fits(v *schema.Version) bool {
	if f.Mode != ByKey {
		return true
	}
	names, types := keyOf(v)
	return slices.Equal(f.Key, names) && slices.Equal(f.Types, types)
}

// keyOf names the columns that a version is cut by, with their types; none: it is not cut by key.
func keyOf(v *schema.Version) (names, types []string) {
	if !cutsByKey(v) {
		return nil, nil
	}
	for _, i := range v.Key.Columns {
		names = append(names, v.Columns[i].Name)
		types = append(types, v.Columns[i].Type.String())
	}
	return names, types
}

// start is the frontier of a table of which nothing was read.
func start(v *schema.Version, mode Mode) Frontier {
	f := Frontier{Mode: mode, Layout: Layout(v), Left: []Range{{}}}
	if mode == ByKey {
		f.Key, f.Types = keyOf(v)
	}
	return f
}

// cutsByKey: every row has a place in the order of the key columns, which a query may name. A column that may be NULL has rows that no comparison
// finds.
func cutsByKey(v *schema.Version) bool {
	if len(v.Key.Columns) == 0 {
		return false
	}
	for _, i := range v.Key.Columns {
		c := &v.Columns[i]
		if c.Nullable || c.Virtual || c.Unused || c.Encrypted || c.Excluded || !ordered(c.Type) {
			return false
		}
	}
	return true
}

// ordered reports types whose values the server orders and a bind can name.
func ordered(t schema.Type) bool {
	switch t.Kind {
	case schema.Number, schema.Float, schema.BinaryFloat, schema.BinaryDouble, schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar,
		schema.Raw, schema.Date, schema.Timestamp, schema.TimestampTZ, schema.TimestampLTZ, schema.IntervalYM, schema.IntervalDS:
		return t.Captured()
	default:
		return false
	}
}
