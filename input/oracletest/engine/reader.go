package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// reader puts the rows of a relation into the row of the frame, one after the other. It may be opened again after its end.
type reader interface {
	open(f *frame) error
	next(f *frame) (bool, error)
	close() error
}

// dualReader is DUAL: one row.
type dualReader struct {
	src  *source
	done bool
}

func (r *dualReader) open(*frame) error {
	r.done = false
	return nil
}

func (r *dualReader) next(f *frame) (bool, error) {
	if r.done {
		return false, nil
	}
	r.done = true
	f.row[r.src.offset] = scalar.Text("X")
	return true, nil
}

func (r *dualReader) close() error { return nil }

// tableReader reads a table of the store by its access path.
type tableReader struct {
	src   *source
	index int
	keys  map[int]*node // by column, of the unique index
	rowID *node
	// path and keysIn are the range that is read: keysIn is nil for all. backward reads an index from its end.
	path     pathKind
	keysIn   keyRange
	backward bool

	view    store.View
	cursor  *store.Cursor
	one     bool // a lookup found the current row, which is not read yet
	current store.Found
	noted   *tableRead // nil if nobody wants to know
}

// pathKind is how the rows of a table are come to when neither a key nor a ROWID is given.
type pathKind uint8

const (
	byScan pathKind = iota
	byRowIDRange
	byIndexRange
)

func (r *tableReader) open(f *frame) error {
	r.view = f.x.view
	if r.src.asOf != nil {
		if err := r.flashback(f); err != nil {
			return err
		}
	}
	r.note(f)
	st, s := f.x.session.engine.store, r.src
	r.cursor, r.one = nil, false
	var err error
	switch {
	case r.rowID != nil:
		var d datum.Datum
		if d, err = r.rowID.eval(f); err == nil && !d.IsNull() {
			r.current, r.one, err = st.ByRowID(s.table, s.layout, r.view, d.Text)
		}
	case r.keys != nil:
		values := make([]datum.Datum, len(s.columns))
		for i, n := range r.keys {
			if values[i], err = n.eval(f); err != nil {
				return err
			}
		}
		r.current, r.one, err = st.Lookup(s.table, s.layout, r.view, r.index, values)
	case r.path == byIndexRange:
		var keys store.KeyRange
		if keys, err = r.keysOf(f); err == nil {
			r.cursor = st.Range(s.table, s.layout, r.view, r.index, keys, r.backward)
		}
	default:
		in := store.Place{Partition: s.partition}
		if in.Rows, err = r.keysOf(f); err == nil {
			r.cursor = st.Scan(s.table, s.layout, r.view, in)
		}
	}
	return err
}

func (r *tableReader) flashback(f *frame) error {
	d, err := r.src.asOf.eval(f)
	if err != nil {
		return err
	}
	if d.Kind == datum.Time || d.Kind == datum.Zoned {
		scn, err := f.x.session.scnAt(d)
		if err == nil {
			r.view, err = f.x.session.engine.store.AsOf(scn)
		}
		return err
	}
	scn, ok := smallNumber(&d)
	if !ok {
		return wire.Errorf(8181, "specified number is not a valid system change number")
	}
	r.view, err = f.x.session.engine.store.AsOf(redo.SCN(scn))
	return err
}

func (r *tableReader) next(f *frame) (bool, error) {
	if r.cursor == nil {
		if !r.one {
			return false, nil
		}
		r.one = false
		r.visit()
	} else {
		if err := f.x.ctx.Err(); err != nil {
			return false, err
		}
		for {
			found, ok, err := r.cursor.Next()
			if err != nil || !ok {
				return false, err
			}
			taken := r.src.sample == nil || r.src.sample.takes(found.Row)
			if taken || !r.src.sample.block {
				r.visit() // the blocks that are in no sample are not read at all
			}
			if r.current = found; taken {
				break
			}
		}
	}
	s := r.src
	copy(f.row[s.offset:], r.current.Values)
	if s.wantRowID {
		f.row[s.rowID] = datum.Datum{Kind: datum.RowID, Text: store.RowID(r.current.Row)}
		if s.layout.IndexOrganized {
			f.row[s.rowID] = scalar.Text(store.LogicalRowID(s.layout, r.current.Values))
		}
	}
	if s.wantSCN {
		f.row[s.scn] = datum.Datum{}
		if r.current.SCN != 0 {
			f.row[s.scn] = scalar.Uint(uint64(r.current.SCN))
		}
	}
	return true, nil
}

func (r *tableReader) close() error {
	r.cursor = nil
	return nil
}

// viewReader reads a computed view. Its rows go straight into the row of the frame.
type viewReader struct {
	src  *source
	rows wire.Rows
}

func (r *viewReader) open(f *frame) error {
	view := r.src.view
	if p, ok := view.(Projector); ok {
		var columns []int
		for i, used := range r.src.used {
			if used {
				columns = append(columns, i)
			}
		}
		view = p.Project(columns)
	}
	var err error
	r.rows, err = view.Open(f.x.ctx, f.x.session)
	return err
}

func (r *viewReader) next(f *frame) (bool, error) {
	from := r.src.offset
	return r.rows.Next(f.x.ctx, f.row[from:from+len(r.src.columns)])
}

func (r *viewReader) close() error {
	if r.rows == nil {
		return nil
	}
	rows := r.rows
	r.rows = nil
	return rows.Close()
}

// queryReader reads a derived table.
type queryReader struct {
	src  *source
	rows rowSource
}

func (r *queryReader) open(f *frame) error {
	var err error
	r.rows, err = r.src.query.open(f.outer)
	return err
}

func (r *queryReader) next(f *frame) (bool, error) {
	from := r.src.offset
	return r.rows.next(f.row[from : from+len(r.src.columns)])
}

func (r *queryReader) close() error {
	if r.rows == nil {
		return nil
	}
	rows := r.rows
	r.rows = nil
	return rows.close()
}
