package engine

import (
	"errors"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// loop runs levels as nested loops. The first level streams; the others are read once and kept, unless they are looked up.
type loop struct {
	levels []*level
	depth  int // level in hand; -1 behind the end
	fresh  bool
}

func newLoop(levels []*level) *loop {
	for i, l := range levels {
		if _, optional := l.reader.(*optionalReader); i > 0 && !optional && !isLookup(l.reader) {
			l.reader, l.own = &kept{reader: l.reader, own: l.own}, nil
		}
	}
	return &loop{levels: levels}
}

func isLookup(r reader) bool {
	t, ok := r.(*tableReader)
	return ok && (t.keys != nil || t.rowID != nil)
}

func (l *loop) open(f *frame) error {
	for _, x := range l.levels {
		switch r := x.reader.(type) {
		case *kept:
			r.forget()
		case *optionalReader:
			r.rows.forget()
		}
	}
	l.depth, l.fresh = 0, true
	return l.levels[0].reader.open(f)
}

// next moves to the next combination of rows that passes all tests.
func (l *loop) next(f *frame) (bool, error) {
	if !l.fresh && l.depth >= 0 {
		l.depth = len(l.levels) - 1
	}
	l.fresh = false
	for l.depth >= 0 {
		x := l.levels[l.depth]
		ok, err := x.reader.next(f)
		if err != nil {
			return false, err
		}
		if !ok {
			l.depth--
			continue
		}
		if ok, err := x.passes(f); err != nil {
			return false, err
		} else if !ok {
			continue
		}
		if l.depth == len(l.levels)-1 {
			return true, nil
		}
		l.depth++
		if err := l.levels[l.depth].reader.open(f); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (l *level) passes(f *frame) (bool, error) {
	for _, tests := range [...][]test{l.own, l.tests} {
		if t, err := every(f, tests); err != nil || t != isTrue {
			return false, err
		}
	}
	return true, nil
}

func (l *loop) close() error {
	var errs []error
	for _, x := range l.levels {
		errs = append(errs, x.reader.close())
	}
	return errors.Join(errs...)
}

// kept reads a relation once and repeats the rows that pass its own tests.
type kept struct {
	reader reader
	own    []test
	rows   [][]datum.Datum
	from   int // cells of the row that belong to the relation
	full   bool
	at     int
}

func (k *kept) forget() { k.rows, k.full = nil, false }

func (k *kept) open(f *frame) error {
	k.at = 0
	if k.full {
		return nil
	}
	if err := k.reader.open(f); err != nil {
		return err
	}
	from, to := cells(k.reader)
	k.from = from
	for {
		ok, err := k.reader.next(f)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if t, err := every(f, k.own); err != nil {
			return err
		} else if t != isTrue {
			continue
		}
		k.rows = append(k.rows, append([]datum.Datum(nil), f.row[from:to]...))
	}
	k.full = true
	return k.reader.close()
}

// cells are the cells of the row that a reader fills.
func cells(r reader) (from, to int) {
	var src *source
	switch r := r.(type) {
	case *dualReader:
		src = r.src
	case *tableReader:
		src = r.src
	case *viewReader:
		src = r.src
	case *queryReader:
		src = r.src
	case *outerJoinReader:
		a, b := r.left.cells()
		c, d := r.right.cells()
		return min(a, c), max(b, d) + len(r.merged)
	case *optionalReader:
		return cells(r.rows.reader)
	default:
		return 0, 0
	}
	return src.offset, src.offset + src.width()
}

func (k *kept) next(f *frame) (bool, error) {
	if k.at == len(k.rows) {
		return false, nil
	}
	copy(f.row[k.from:], k.rows[k.at])
	k.at++
	return true, nil
}

func (k *kept) close() error { return k.reader.close() }

// side is one side of an outer join.
type side struct {
	loop    *loop
	sources []*source
}

func (s *side) cells() (from, to int) {
	first, last := s.sources[0], s.sources[len(s.sources)-1]
	return first.offset, last.offset + last.width()
}

func (s *side) makeNullable() {
	for _, src := range s.sources {
		columns := slices.Clone(src.columns)
		for i := range columns {
			columns[i].Nullable = true
		}
		src.columns = columns
	}
}

func (s *side) setNull(f *frame) {
	from, to := s.cells()
	clear(f.row[from:to])
}

// outerJoinReader keeps every row of its left side, and with full those of its right side too.
type outerJoinReader struct {
	left, right side
	on          []test
	full        bool
	merged      []fullColumn // of a FULL join with USING

	rows    [][]datum.Datum // of the right side
	matched []bool
	at      int
	paired  bool // the left row in hand has found a partner
	inLeft  bool // a left row is in hand
	rest    bool // the left side has ended
}

func (r *outerJoinReader) open(f *frame) error {
	if err := r.right.loop.open(f); err != nil {
		return err
	}
	r.rows = nil
	from, to := r.right.cells()
	for {
		ok, err := r.right.loop.next(f)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		r.rows = append(r.rows, append([]datum.Datum(nil), f.row[from:to]...))
	}
	r.matched = make([]bool, len(r.rows))
	r.at, r.inLeft, r.rest = 0, false, false
	return r.left.loop.open(f)
}

func (r *outerJoinReader) next(f *frame) (bool, error) {
	ok, err := r.step(f)
	for _, c := range r.merged {
		if f.row[c.into] = f.row[c.left]; f.row[c.into].IsNull() {
			f.row[c.into] = f.row[c.right]
		}
	}
	return ok, err
}

func (r *outerJoinReader) step(f *frame) (bool, error) {
	for !r.rest {
		if !r.inLeft {
			ok, err := r.left.loop.next(f)
			if err != nil {
				return false, err
			}
			if !ok {
				r.rest, r.at = true, 0
				break
			}
			r.inLeft, r.paired, r.at = true, false, 0
		}
		ok, err := r.partner(f)
		if err != nil || ok {
			return ok, err
		}
		r.inLeft = false
		if !r.paired {
			r.right.setNull(f)
			return true, nil
		}
	}
	return r.unmatched(f), nil
}

// partner looks for the next right row that fits the left row in hand.
func (r *outerJoinReader) partner(f *frame) (bool, error) {
	from, _ := r.right.cells()
	for r.at < len(r.rows) {
		copy(f.row[from:], r.rows[r.at])
		r.at++
		t, err := every(f, r.on)
		if err != nil {
			return false, err
		}
		if t == isTrue {
			r.paired, r.matched[r.at-1] = true, true
			return true, nil
		}
	}
	return false, nil
}

func (r *outerJoinReader) unmatched(f *frame) bool {
	if !r.full {
		return false
	}
	from, _ := r.right.cells()
	for ; r.at < len(r.rows); r.at++ {
		if !r.matched[r.at] {
			r.left.setNull(f)
			copy(f.row[from:], r.rows[r.at])
			r.at++
			return true
		}
	}
	return false
}

func (r *outerJoinReader) close() error {
	return errors.Join(r.left.loop.close(), r.right.loop.close())
}
