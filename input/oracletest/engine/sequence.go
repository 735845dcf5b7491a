package engine

import (
	"sync"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// sequence is a number generator. Its numbers are of no transaction.
type sequence struct {
	mu    sync.Mutex
	shown catalog.Sequence
	next  *apd.Decimal // nil: exhausted
	// cached counts the numbers that are left in the cache.
	cached int
}

// take gives the next number.
func (q *sequence) take() (*apd.Decimal, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := &q.shown
	if q.next == nil {
		limit := "MAXVALUE"
		if s.Increment.Negative {
			limit = "MINVALUE"
		}
		verb := "exceeds"
		if s.Increment.Negative {
			verb = "goes below"
		}
		return nil, wire.Errorf(8004, "sequence %s.NEXTVAL %s %s and cannot be instantiated", s.Name, verb, limit)
	}
	value := q.next
	q.next = q.after(value)
	if q.cached--; q.cached < 0 || s.Cache == 0 {
		q.cached = max(s.Cache-1, 0)
		ahead, err := scalar.Arithmetic('*', s.Increment, apd.New(int64(max(s.Cache, 1)), 0))
		if err == nil {
			if last, err := scalar.Arithmetic('+', value, ahead); err == nil {
				s.Last = last
			}
		}
	}
	return value, nil
}

// after is the number behind a value, nil behind the last one.
func (q *sequence) after(value *apd.Decimal) *apd.Decimal {
	s := &q.shown
	next, err := scalar.Arithmetic('+', value, s.Increment)
	beyond := err != nil || scalar.CompareNumbers(next, s.Max) > 0 && !s.Increment.Negative || scalar.CompareNumbers(next, s.Min) < 0 && s.Increment.Negative
	switch {
	case !beyond:
		return next
	case !s.Cycle:
		return nil
	case s.Increment.Negative:
		return s.Max
	}
	return s.Min
}

func (q *sequence) info() catalog.Sequence {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shown
}

// define applies the options of CREATE or ALTER.
func (q *sequence) define(stmt *sql.Sequence) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	next := q.shown // nothing changes before all is checked
	s := &next
	number := func(text string, to **apd.Decimal) {
		if n, err := scalar.ParseNumber(text, '.'); text != "" && err == nil {
			*to = n
		}
	}
	number(stmt.Increment, &s.Increment)
	if s.Increment.IsZero() {
		return wire.Errorf(4002, "INCREMENT must be a non-zero integer")
	}
	up := !s.Increment.Negative
	defaultMax, defaultMin := power10(28, up), apd.New(1, 0)
	if !up {
		defaultMax, defaultMin = apd.New(-1, 0), power10(27, up)
	}
	if !stmt.Alter || stmt.NoMax {
		s.Max = defaultMax
	}
	if !stmt.Alter || stmt.NoMin {
		s.Min = defaultMin
	}
	number(stmt.Max, &s.Max)
	number(stmt.Min, &s.Min)
	if scalar.CompareNumbers(s.Min, s.Max) >= 0 {
		return wire.Errorf(4004, "MINVALUE must be less than MAXVALUE")
	}
	if stmt.Cycle != nil {
		s.Cycle = *stmt.Cycle
	}
	if stmt.Order != nil {
		s.Order = *stmt.Order
	}
	if stmt.Cache != nil {
		if s.Cache = *stmt.Cache; s.Cache == 1 {
			return wire.Errorf(4010, "the number of values to CACHE must be greater than 1")
		}
	}
	if err := q.begin(stmt, s, up); err != nil {
		return err
	}
	q.shown = next
	return nil
}

// begin sets the number that comes first, or next.
func (q *sequence) begin(stmt *sql.Sequence, s *catalog.Sequence, up bool) error {
	if stmt.Alter {
		if stmt.Start != "" {
			return wire.Errorf(2283, "cannot alter starting sequence number")
		}
		q.cached = 0
		if q.next != nil && (scalar.CompareNumbers(q.next, s.Max) > 0 || scalar.CompareNumbers(q.next, s.Min) < 0) {
			return wire.Errorf(4009, "MAXVALUE cannot be made to be less than the current value")
		}
		return nil
	}
	first := s.Min
	if !up {
		first = s.Max
	}
	if stmt.Start != "" {
		n, err := scalar.ParseNumber(stmt.Start, '.')
		if err != nil {
			return err
		}
		first = n
	}
	switch {
	case scalar.CompareNumbers(first, s.Min) < 0:
		return wire.Errorf(4006, "START WITH cannot be less than MINVALUE")
	case scalar.CompareNumbers(first, s.Max) > 0:
		return wire.Errorf(4008, "START WITH cannot be more than MAXVALUE")
	}
	q.next, s.Last = first, first
	return nil
}

// power10 is 10 to the n, minus 1 and positive, or negative.
func power10(n int32, positive bool) *apd.Decimal {
	d, _ := scalar.Arithmetic('-', apd.New(1, n), apd.New(1, 0)) // both have few digits
	d.Negative = !positive
	return d
}

// sequenceUses are the sequences that an expression list reads; every one is taken once for a row, however often it is named.
type sequenceUses struct{ list []*sequenceUse }

type sequenceUse struct {
	sequence *sequence
	next     bool // NEXTVAL is named
	taken    bool // for the row in hand
	value    *apd.Decimal
}

func (u *sequenceUses) newRow() {
	if u == nil {
		return
	}
	for _, one := range u.list {
		one.taken = false
	}
}

func (u *sequenceUses) of(q *sequence) *sequenceUse {
	for _, one := range u.list {
		if one.sequence == q {
			return one
		}
	}
	one := &sequenceUse{sequence: q}
	u.list = append(u.list, one)
	return one
}

// sequenceValue compiles NEXTVAL and CURRVAL; ok is false for other names.
func (c *compiler) sequenceValue(e *sql.Name) (n *node, ok bool, err error) {
	if e.Table == "" || e.Quoted || e.Column != "NEXTVAL" && e.Column != "CURRVAL" {
		return nil, false, nil
	}
	q, err := c.x.rights.sequence(sql.Object{Pos: e.Pos(), Owner: e.Schema, Name: e.Table})
	if err != nil {
		return nil, true, err
	}
	if c.sequences == nil {
		return nil, true, at(e.Pos(), wire.Errorf(2287, "sequence number not allowed here"))
	}
	use := c.sequences.of(q)
	use.next = use.next || e.Column == "NEXTVAL"
	s := c.x.session
	return computed(numberType, func(*frame) (datum.Datum, error) {
		switch {
		case use.next && !use.taken:
			value, err := q.take()
			if err != nil {
				return datum.Datum{}, err
			}
			use.value, use.taken = value, true
			if s.current == nil {
				s.current = make(map[*sequence]*apd.Decimal)
			}
			s.current[q] = value
		case !use.next:
			value, ok := s.current[q]
			if !ok {
				return datum.Datum{}, wire.Errorf(8002, "sequence %s.CURRVAL is not yet defined in this session", q.info().Name)
			}
			return datum.Datum{Kind: datum.Number, Number: value}, nil
		}
		return datum.Datum{Kind: datum.Number, Number: use.value}, nil
	}), true, nil
}

// sequence finds one that may be read.
func (r *rights) sequence(o sql.Object) (*sequence, error) {
	owner := o.Owner
	if owner == "" {
		owner = r.schema
	}
	found, ok := r.engine.objects.find(r.container, owner, o.Name)
	if !ok || found.sequence == nil || owner != r.who && !r.has("SELECT ANY SEQUENCE") && !r.holdsAny(owner, o.Name, []string{"SELECT"}) {
		return nil, at(o.Pos, wire.Errorf(2289, "sequence does not exist"))
	}
	return found.sequence, nil
}
