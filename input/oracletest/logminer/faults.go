package logminer

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// faults is what the warts of the redo (redo.Warts) do to one query.
type faults struct {
	stream *redo.Stream
	late   *lateRows
	merge  *merge
	warts  redo.Warts
	rows   int // delivered so far
	begun  bool
	ended  bool
	// between says that another row comes before the rest of the statement.
	between bool
}

// read returns the next record that the query shows.
func (f *faults) read(ctx context.Context, r *rows) (*redo.Record, error) {
	if !f.begun {
		f.begun = true
		if f.warts.R10MissingSCN > 0 && f.stream.Take(func(w *redo.Warts) *int { return &w.R10MissingSCN }) {
			return &redo.Record{Op: redo.MissingSCN, SCN: r.start, Container: r.row.session, Time: r.from}, nil
		}
	}
	if f.rows+1 == f.warts.R10ReuseAtRow {
		if err := f.reuse(ctx); err != nil {
			return nil, err
		}
	}
	for !f.ended {
		record, err := r.records.read(ctx)
		if record == nil || err != nil {
			return nil, err
		}
		if !record.Late() || f.late.due(record, r.end, f.warts.R8Margin) {
			return record, nil
		}
	}
	return nil, nil
}

// delivered looks at a row before it goes out.
func (f *faults) delivered(r *row) {
	f.rows++
	if f.warts.R9Cut > 0 && len(r.redo) > 0 && f.stream.Take(func(w *redo.Warts) *int { return &w.R9Cut }) {
		r.redo, f.ended = nil, true
		r.cut = true
	}
	if f.warts.R9Interleave > 0 && len(r.redo) > 0 && f.stream.Take(func(w *redo.Warts) *int { return &w.R9Interleave }) {
		f.between = true
	}
}

// reuse lets the log writer go round until the online logs of the query hold other sequences.
func (f *faults) reuse(ctx context.Context) error {
	online := f.merge.online()
	if len(online) == 0 || !f.stream.Take(func(w *redo.Warts) *int { return &w.R10ReuseTimes }) {
		return nil
	}
	f.warts.R10ReuseAtRow = 0
	for _, file := range online {
		for {
			if _, err := file.Header(); err != nil {
				break
			}
			if err := f.stream.SwitchLogfile(ctx); err != nil {
				return err
			}
		}
	}
	f.merge.forget()
	f.merge.silent = f.warts.R10ReuseSilent
	return nil
}

// lateRows are the rows that one query has passed over (R8). Rows are told apart by address, row and operation.
type lateRows struct {
	mu     sync.Mutex
	passed map[lateRow]struct{}
}

type lateRow struct {
	thread int
	rba    redo.RBA
	ssn    int64
	op     redo.Op
}

// due reports whether the row may show, and notes when a query that would have shown it has passed.
func (l *lateRows) due(r *redo.Record, end, margin redo.SCN) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := lateRow{r.Thread, r.RBA, r.SSN, r.Op}
	if _, ok := l.passed[key]; ok {
		return true
	}
	if end >= margin && end-margin >= r.SCN {
		l.passed[key] = struct{}{}
	}
	return false
}

// sorted reads the records of a range in the order of SCNs, those of one SCN in the order of threads and addresses
// (correctness K1). It holds the range in memory.
type sorted struct {
	from     source
	span     span
	gathered bool
	rest     []*redo.Record
}

func (s *sorted) read(ctx context.Context) (*redo.Record, error) {
	if !s.gathered {
		s.gathered = true
		for {
			r, err := s.from.read(ctx)
			if err != nil {
				return nil, err
			}
			if r == nil {
				break
			}
			if s.span.holds(r) {
				s.rest = append(s.rest, r.Clone())
			}
		}
		// Records of a thread are in the order of addresses, and the sort is stable.
		slices.SortStableFunc(s.rest, func(a, b *redo.Record) int {
			return cmp.Or(cmp.Compare(a.SCN, b.SCN), cmp.Compare(a.Thread, b.Thread))
		})
	}
	if len(s.rest) == 0 {
		return nil, nil
	}
	r := s.rest[0]
	s.rest = s.rest[1:]
	return r, nil
}
