package engine

import (
	"fmt"
	"slices"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func isAggregate(name string) bool {
	switch name {
	case "COUNT", "SUM", "MIN", "MAX", "AVG", "LISTAGG":
		return true
	}
	return isStatistic(name)
}

// grouping is the state of compiling and running a block with GROUP BY or aggregates.
type grouping struct {
	rows       *compiler // compiles what is evaluated per row
	keys       []*node
	keyPrints  map[string]int
	aggregates []*aggregate
	prints     map[string]int
}

// aggregate is one group function of the block.
type aggregate struct {
	name     string
	arg      *node // nil for COUNT(*)
	distinct bool
	typ      datum.Type
	list     *listing // of LISTAGG
}

func newGrouping(rows *compiler, keys []sql.Expr) (*grouping, error) {
	g := &grouping{rows: rows, keyPrints: make(map[string]int), prints: make(map[string]int)}
	for i, e := range keys {
		if sql.Any(e, isSubquery) {
			return nil, at(e.Pos(), wire.Errorf(22818, "subquery expressions not allowed here"))
		}
		n, err := rows.expr(e)
		if err != nil {
			return nil, err
		}
		if isLOB(n.typ) {
			return nil, at(e.Pos(), unsortable(n.typ))
		}
		g.keys = append(g.keys, n)
		g.keyPrints[g.print(e)] = i
	}
	return g, nil
}

// outside refuses a name that is neither a key nor in an aggregate.
func (g *grouping) outside(n *sql.Name) error {
	if len(g.keys) == 0 {
		return at(n.Pos(), wire.Errorf(937, "%s: not a single-group group function", nameText(n)))
	}
	return notGrouped(n)
}

// hasColumn reports whether a column of the row is a key, and so the same in the whole group.
func (g *grouping) hasColumn(column int) bool {
	return slices.ContainsFunc(g.keys, func(k *node) bool { return k.column == column })
}

// print is the fingerprint of an expression; a name counts by what it means, so that T.A and A are one.
func (g *grouping) print(e sql.Expr) string {
	return sql.FingerprintBy(e, func(n *sql.Name) string {
		if ref, ok, err := g.rows.scope.resolve(n); ok && err == nil && ref.depth == 0 {
			return fmt.Sprint("column ", ref.column)
		}
		return fmt.Sprintf("%q.%q.%q", n.Schema, n.Table, n.Column)
	})
}

// lookup answers an expression that is a group key or an aggregate.
func (g *grouping) lookup(c *compiler, e sql.Expr) (*node, bool, error) {
	if i, ok := g.keyPrints[g.print(e)]; ok {
		n := computed(g.keys[i].typ, func(f *frame) (datum.Datum, error) { return f.keys[i], nil })
		n.nullable = g.keys[i].nullable
		return n, true, nil
	}
	call, ok := e.(*sql.Call)
	if !ok || !isAggregateCall(call) {
		return nil, false, nil
	}
	fingerprint := g.print(e)
	i, ok := g.prints[fingerprint]
	if !ok {
		a, err := g.aggregate(call)
		if err != nil {
			return nil, true, err
		}
		i = len(g.aggregates)
		g.aggregates = append(g.aggregates, a)
		g.prints[fingerprint] = i
	}
	return computed(g.aggregates[i].typ, func(f *frame) (datum.Datum, error) { return f.aggregates[i], nil }), true, nil
}

func (g *grouping) aggregate(call *sql.Call) (*aggregate, error) {
	if err := g.nested(call); err != nil {
		return nil, err
	}
	// The argument is evaluated for every row, and so are its subqueries.
	scope := g.rows.scope
	scope.grouped = nil
	defer func() { scope.grouped = g }()
	return g.rows.aggregate(call)
}

// nested refuses a group function in the argument of another.
func (g *grouping) nested(call *sql.Call) error {
	for _, arg := range call.Args {
		if !sql.Any(arg, isAggregateCall) {
			continue
		}
		if len(g.keys) == 0 {
			return at(call.Pos(), wire.Errorf(978, "nested group function without GROUP BY"))
		}
		return at(call.Pos(), wire.Errorf(3001, "unimplemented feature: a group function of a group function"))
	}
	return nil
}

// aggregate compiles a group function whose argument c evaluates.
func (c *compiler) aggregate(call *sql.Call) (*aggregate, error) {
	a := &aggregate{name: call.Name, distinct: call.Distinct, typ: numberType}
	if call.Within != nil && call.Name != "LISTAGG" {
		return nil, at(call.Pos(), wire.Errorf(3001, "unimplemented feature: WITHIN GROUP of %s", call.Name))
	}
	if call.Star {
		if call.Name != "COUNT" {
			return nil, at(call.Pos(), wire.Errorf(936, "missing expression"))
		}
		return a, nil
	}
	if call.Name == "LISTAGG" {
		return a, c.listing(a, call)
	}
	if len(call.Args) != 1 {
		return nil, at(call.Pos(), wire.Errorf(909, "invalid number of arguments"))
	}
	arg, err := c.expr(call.Args[0])
	if err != nil {
		return nil, err
	}
	if isLOB(arg.typ) {
		return nil, at(call.Pos(), unsortable(arg.typ))
	}
	switch {
	case call.Name == "SUM" || call.Name == "AVG" || isStatistic(call.Name):
		if call.Distinct && call.Name != "SUM" && call.Name != "AVG" && call.Name != "STDDEV" && call.Name != "VARIANCE" {
			return nil, at(call.Pos(), wire.Errorf(30482, "DISTINCT option not allowed for this function"))
		}
		switch {
		case scalar.Kind(arg.typ) == datum.Float:
			a.typ = floatType
		case call.Name == "MEDIAN" && (isDatetime(arg.typ) || isInterval(arg.typ)):
			return nil, at(call.Pos(), wire.Errorf(3001, "unimplemented feature: MEDIAN of a %s", typeName(arg.typ)))
		case isDatetime(arg.typ) || isInterval(arg.typ) || arg.typ.Code == datum.TypeRaw:
			return nil, at(call.Pos(), wire.Errorf(932, "inconsistent datatypes: expected NUMBER got %s", typeName(arg.typ)))
		default:
			arg = c.toNumber(arg)
		}
	case call.Name != "COUNT":
		if a.typ = arg.typ; a.typ.Code == 0 {
			a.typ = textType(1)
		}
	}
	a.arg = arg
	return a, nil
}

// state accumulates one aggregate of one group.
type state struct {
	count int64
	value datum.Datum
	seen  map[string]struct{}
	all   []datum.Datum // what MEDIAN, VARIANCE and STDDEV need at the end
	items []sortedRow   // of LISTAGG
}

func (a *aggregate) add(f *frame, s *state) error {
	if a.arg == nil {
		s.count++
		return nil
	}
	d, err := a.arg.eval(f)
	if err != nil {
		return err
	}
	if a.list != nil {
		return a.list.add(f, s, a.distinct, d)
	}
	return a.addValue(s, d)
}

// addValue adds the value of the argument.
func (a *aggregate) addValue(s *state, d datum.Datum) error {
	if d.IsNull() {
		return nil
	}
	if a.distinct {
		if s.seen == nil {
			s.seen = make(map[string]struct{})
		}
		key := string(scalar.AppendKey(nil, &d))
		if _, ok := s.seen[key]; ok {
			return nil
		}
		s.seen[key] = struct{}{}
	}
	s.count++
	switch {
	case a.name == "COUNT":
	case isStatistic(a.name):
		s.all = append(s.all, d)
	case s.count == 1:
		s.value = d
	case a.name == "MIN":
		if scalar.Compare(&d, &s.value) < 0 {
			s.value = d
		}
	case a.name == "MAX":
		if scalar.Compare(&d, &s.value) > 0 {
			s.value = d
		}
	case d.Kind == datum.Float:
		s.value.Float += d.Float
	default:
		n, err := scalar.Arithmetic('+', s.value.Number, d.Number)
		if err != nil {
			return err
		}
		s.value.Number = n
	}
	return nil
}

func (a *aggregate) result(s *state) (datum.Datum, error) {
	switch {
	case a.name == "COUNT":
		return scalar.Int(s.count), nil
	case a.list != nil:
		return a.list.result(s)
	case isStatistic(a.name):
		return statistic(a.name, s.all)
	case s.count == 0 || a.name != "AVG":
		return s.value, nil
	case s.value.Kind == datum.Float:
		return datum.Datum{Kind: datum.Float, Float: s.value.Float / float64(s.count)}, nil
	}
	n, err := scalar.Arithmetic('/', s.value.Number, apd.New(s.count, 0))
	return datum.Datum{Kind: datum.Number, Number: n}, err
}

// group is one group while rows come in.
type group struct {
	keys   []datum.Datum
	states []state
}

// collect reads all rows of a block and returns its groups in the order of their first rows. Without GROUP BY there is exactly one.
func (g *grouping) collect(f *frame, next func(*frame) (bool, error)) ([]*group, error) {
	var order []*group
	byKey := make(map[string]*group)
	if len(g.keys) == 0 {
		order = append(order, &group{states: make([]state, len(g.aggregates))})
		byKey[""] = order[0]
	}
	var buf []byte
	keys := make([]datum.Datum, len(g.keys))
	for {
		ok, err := next(f)
		if err != nil || !ok {
			return order, err
		}
		buf = buf[:0]
		for i, k := range g.keys {
			if keys[i], err = k.eval(f); err != nil {
				return nil, err
			}
			buf = scalar.AppendKey(buf, &keys[i])
		}
		in, ok := byKey[string(buf)]
		if !ok {
			in = &group{keys: append([]datum.Datum(nil), keys...), states: make([]state, len(g.aggregates))}
			byKey[string(buf)] = in
			order = append(order, in)
		}
		for i, a := range g.aggregates {
			if err := a.add(f, &in.states[i]); err != nil {
				return nil, err
			}
		}
	}
}

// addRow adds a row whose argument is known; COUNT(*) has none and counts it.
func (a *aggregate) addRow(s *state, arg datum.Datum) error {
	if a.arg == nil {
		s.count++
		return nil
	}
	return a.addValue(s, arg)
}
