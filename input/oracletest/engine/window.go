package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// windowing are the analytic functions of a block.
type windowing struct{ calls []*window }

// window is one analytic function over its default window: with ORDER BY from the first row of the partition to the last one that ties
// with the row in hand, without it the whole partition.
type window struct {
	name      string
	partition []*node
	order     []sortKey
	args      []*node
	total     *aggregate // of COUNT, SUM, MIN, MAX, AVG
}

// isRanking reports whether a function exists with OVER only.
func isRanking(name string) bool {
	switch name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK", "LAG", "LEAD", "FIRST_VALUE", "LAST_VALUE", "NTILE":
		return true
	}
	return false
}

// window compiles a call with OVER.
func (c *compiler) window(e *sql.Call) (*node, error) {
	if c.windows == nil {
		return nil, at(e.Pos(), wire.Errorf(30483, "window  functions are not allowed here"))
	}
	inner := *c
	inner.windows, inner.sequences = nil, nil
	w := &window{name: e.Name}
	var err error
	if w.partition, err = inner.exprs(e.Over.Partition); err != nil {
		return nil, err
	}
	for i, n := range w.partition {
		if isLOB(n.typ) {
			return nil, at(e.Over.Partition[i].Pos(), unsortable(n.typ))
		}
	}
	if w.order, err = inner.innerOrder(e.Over.OrderBy); err != nil {
		return nil, err
	}
	t, err := w.function(&inner, e)
	if err != nil {
		return nil, at(e.Pos(), err)
	}
	i := len(c.windows.calls)
	c.windows.calls = append(c.windows.calls, w)
	return computed(t, func(f *frame) (datum.Datum, error) { return f.windows[i], nil }), nil
}

// function checks and compiles the arguments, and tells the type of the result.
func (w *window) function(c *compiler, e *sql.Call) (datum.Type, error) {
	switch e.Name {
	case "COUNT", "SUM", "MIN", "MAX", "AVG":
		if e.Distinct && len(w.order) > 0 {
			return datum.Type{}, wire.Errorf(30487, "ORDER BY not allowed here")
		}
		var err error
		if w.total, err = c.aggregate(e); err != nil {
			return datum.Type{}, err
		}
		return w.total.typ, nil
	}
	if !isRanking(e.Name) || e.Within != nil {
		return datum.Type{}, wire.Errorf(3001, "unimplemented feature: analytic function %s", e.Name)
	}
	least, most := 1, 1
	switch e.Name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK":
		least, most = 0, 0
	case "LAG", "LEAD":
		most = 3
	}
	switch {
	case e.Star || e.Distinct:
		return datum.Type{}, wire.Errorf(30482, "DISTINCT option not allowed for this function")
	case len(e.Args) < least || len(e.Args) > most:
		return datum.Type{}, wire.Errorf(909, "invalid number of arguments")
	case len(w.order) == 0 && e.Name != "FIRST_VALUE" && e.Name != "LAST_VALUE":
		return datum.Type{}, wire.Errorf(30485, "missing ORDER BY expression in the window specification")
	}
	if most == 0 {
		return numberType, nil
	}
	var err error
	if w.args, err = c.exprs(e.Args); err != nil {
		return datum.Type{}, err
	}
	if isLOB(w.args[0].typ) {
		return datum.Type{}, wire.Errorf(3001, "unimplemented feature: %s of a %s", e.Name, typeName(w.args[0].typ))
	}
	if e.Name == "NTILE" {
		if w.args[0] = c.toNumber(w.args[0]); !w.args[0].constant || w.args[0].value.IsNull() {
			return datum.Type{}, wire.Errorf(3001, "unimplemented feature: NTILE of what is no constant")
		}
		if small(w.args[0].value) < 1 {
			return datum.Type{}, wire.Errorf(30495, "The argument should be of numeric type and positive value.")
		}
		return numberType, nil
	}
	if len(w.args) > 1 {
		if w.args[1] = c.toNumber(w.args[1]); !w.args[1].constant || w.args[1].value.IsNull() {
			return datum.Type{}, wire.Errorf(3001, "unimplemented feature: %s with an offset that is no constant", e.Name)
		}
	}
	t := w.args[0].typ
	if len(w.args) == 3 {
		var pair []*node
		if t, pair, err = c.unify([]*node{w.args[0], w.args[2]}); err != nil {
			return datum.Type{}, err
		}
		w.args[0], w.args[2] = pair[0], pair[1]
	}
	if t.Code == 0 {
		t = textType(1)
	}
	return t, nil
}

// savedRow is a row of the block while analytic functions look at all of them.
type savedRow struct {
	row, keys, aggregates []datum.Datum
	rownum                int64
	windows               []datum.Datum
}

// runWindows reads all rows and computes the analytic functions of each.
func (r *blockRows) runWindows() error {
	calls := r.block.windows.calls
	for {
		ok, err := r.step()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		r.saved = append(r.saved, savedRow{
			row: slices.Clone(r.f.row), keys: r.f.keys, aggregates: r.f.aggregates, rownum: r.f.rownum, windows: make([]datum.Datum, len(calls)),
		})
	}
	for i, w := range calls {
		if err := w.run(r, i); err != nil {
			return err
		}
	}
	r.replay = true
	return nil
}

// show puts a saved row into the frame.
func (r *blockRows) show(s *savedRow) {
	copy(r.f.row, s.row)
	r.f.keys, r.f.aggregates, r.f.rownum, r.f.windows = s.keys, s.aggregates, s.rownum, s.windows
}

func (r *blockRows) restore() bool {
	if len(r.saved) == 0 {
		return false
	}
	r.show(&r.saved[0])
	r.saved = r.saved[1:]
	return true
}

// windowRow is a saved row with what one analytic function reads of it.
type windowRow struct {
	saved *savedRow
	keys  []datum.Datum
	arg   datum.Datum // of the function's first argument
	other datum.Datum // the value in place of a row that is not there
}

// run computes one analytic function for all saved rows.
func (w *window) run(r *blockRows, slot int) error {
	var partitions [][]windowRow
	byKey := make(map[string]int)
	var buf []byte
	for i := range r.saved {
		r.show(&r.saved[i])
		buf = buf[:0]
		for _, n := range w.partition {
			d, err := n.eval(r.f)
			if err != nil {
				return err
			}
			buf = scalar.AppendKey(buf, &d)
		}
		row, err := w.read(r, &r.saved[i])
		if err != nil {
			return err
		}
		p, ok := byKey[string(buf)]
		if !ok {
			p = len(partitions)
			byKey[string(buf)] = p
			partitions = append(partitions, nil)
		}
		partitions[p] = append(partitions[p], row)
	}
	for _, rows := range partitions {
		slices.SortStableFunc(rows, func(a, b windowRow) int { return compareKeys(w.order, a.keys, b.keys) })
		if err := w.partitioned(rows, slot); err != nil {
			return err
		}
	}
	return nil
}

func (w *window) read(r *blockRows, saved *savedRow) (windowRow, error) {
	row := windowRow{saved: saved}
	var err error
	if row.keys, err = evalKeys(r.f, w.order); err != nil {
		return row, err
	}
	switch {
	case w.total != nil && w.total.arg != nil:
		row.arg, err = w.total.arg.eval(r.f)
	case len(w.args) > 0:
		row.arg, err = w.args[0].eval(r.f)
	}
	if err == nil && len(w.args) == 3 {
		row.other, err = w.args[2].eval(r.f)
	}
	return row, err
}

// partitioned computes the function for the ordered rows of one partition, those that tie together at a time.
func (w *window) partitioned(rows []windowRow, slot int) error {
	total := state{}
	rank := 0
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && compareKeys(w.order, rows[from].keys, rows[to].keys) == 0 {
			to++
		}
		rank++
		if w.total != nil {
			for _, row := range rows[from:to] {
				if err := w.total.addRow(&total, row.arg); err != nil {
					return err
				}
			}
		}
		for i := from; i < to; i++ {
			var err error
			if rows[i].saved.windows[slot], err = w.value(rows, i, from, to, rank, &total); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// value is the function of row i, which ties with the rows from to to.
func (w *window) value(rows []windowRow, i, from, to, rank int, total *state) (datum.Datum, error) {
	switch w.name {
	case "ROW_NUMBER":
		return scalar.Int(int64(i + 1)), nil
	case "RANK":
		return scalar.Int(int64(from + 1)), nil
	case "DENSE_RANK":
		return scalar.Int(int64(rank)), nil
	case "NTILE":
		// The first buckets have one row more when they cannot be equal.
		buckets := small(w.args[0].value)
		size, larger := len(rows)/buckets, len(rows)%buckets
		if i < larger*(size+1) {
			return scalar.Int(int64(i/(size+1) + 1)), nil
		}
		return scalar.Int(int64(larger + (i-larger*(size+1))/max(size, 1) + 1)), nil
	case "FIRST_VALUE":
		return rows[0].arg, nil
	case "LAST_VALUE":
		return rows[to-1].arg, nil
	case "LAG", "LEAD":
		offset := 1
		if len(w.args) > 1 {
			if w.args[1].value.Number.Negative {
				return datum.Datum{}, wire.Errorf(1428, "argument is out of range")
			}
			offset = small(w.args[1].value)
		}
		if w.name == "LAG" {
			offset = -offset
		}
		if at := i + offset; at >= 0 && at < len(rows) {
			return rows[at].arg, nil
		}
		return rows[i].other, nil
	}
	return w.total.result(total)
}
