package engine

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// listing is what LISTAGG has besides its argument.
type listing struct {
	delimiter string
	order     []sortKey
}

// listing compiles LISTAGG(x [, delimiter]) WITHIN GROUP (ORDER BY ...).
func (c *compiler) listing(a *aggregate, call *sql.Call) error {
	if len(call.Args) == 0 || len(call.Args) > 2 {
		return at(call.Pos(), wire.Errorf(909, "invalid number of arguments"))
	}
	if call.Within == nil {
		return at(call.Pos(), wire.Errorf(3001, "unimplemented feature: LISTAGG without WITHIN GROUP"))
	}
	args, err := c.exprs(call.Args)
	if err != nil {
		return err
	}
	for _, n := range args {
		if isLOB(n.typ) || n.typ.Code == datum.TypeRaw {
			return at(call.Pos(), wire.Errorf(3001, "unimplemented feature: LISTAGG of a %s", typeName(n.typ)))
		}
	}
	a.list = &listing{}
	if len(args) == 2 {
		if !args[1].constant {
			return at(call.Args[1].Pos(), wire.Errorf(30497, "Argument should be a constant or a function of expressions in GROUP BY."))
		}
		a.list.delimiter = c.toText(args[1]).value.Text
	}
	if a.list.order, err = c.innerOrder(call.Within); err != nil {
		return err
	}
	if call.Distinct && (len(call.Within) != 1 || sql.Fingerprint(call.Within[0].X) != sql.Fingerprint(call.Args[0])) {
		return at(call.Pos(), wire.Errorf(3001, "unimplemented feature: LISTAGG of DISTINCT values in another order than theirs"))
	}
	a.arg, a.typ = c.toText(args[0]), textType(longTextSize)
	return nil
}

// innerOrder compiles an ORDER BY whose members are expressions only, never positions.
func (c *compiler) innerOrder(orderBy []sql.Order) ([]sortKey, error) {
	keys := make([]sortKey, len(orderBy))
	for i, o := range orderBy {
		n, err := c.expr(o.X)
		if err != nil {
			return nil, err
		}
		if isLOB(n.typ) {
			return nil, at(o.X.Pos(), unsortable(n.typ))
		}
		keys[i] = sortKey{item: -1, x: n, desc: o.Desc, nullsFirst: o.NullsFirst}
	}
	return keys, nil
}

func evalKeys(f *frame, order []sortKey) ([]datum.Datum, error) {
	keys := make([]datum.Datum, len(order))
	for i, k := range order {
		var err error
		if keys[i], err = k.x.eval(f); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

func (l *listing) add(f *frame, s *state, distinct bool, d datum.Datum) error {
	if d.IsNull() {
		return nil
	}
	if distinct {
		if s.seen == nil {
			s.seen = make(map[string]struct{})
		}
		if _, dup := s.seen[d.Text]; dup {
			return nil
		}
		s.seen[d.Text] = struct{}{}
	}
	keys, err := evalKeys(f, l.order)
	if err != nil {
		return err
	}
	s.items = append(s.items, sortedRow{row: []datum.Datum{d}, keys: keys})
	return nil
}

func (l *listing) result(s *state) (datum.Datum, error) {
	sortRows(s.items, l.order)
	var b strings.Builder
	for i, item := range s.items {
		if i > 0 {
			b.WriteString(l.delimiter)
		}
		if b.WriteString(item.row[0].Text); b.Len() > longTextSize {
			return datum.Datum{}, wire.Errorf(1489, "result of string concatenation is too long")
		}
	}
	return scalar.Text(b.String()), nil
}
