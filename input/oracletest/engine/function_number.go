package engine

import (
	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func numberFunction(name string) (function, bool) {
	switch name {
	case "ABS":
		return mapNumber(func(n *apd.Decimal) *apd.Decimal { return new(apd.Decimal).Abs(n) }), true
	case "FLOOR":
		return mapNumber(scalar.Floor), true
	case "CEIL":
		return mapNumber(scalar.Ceil), true
	case "SIGN":
		return mapNumber(func(n *apd.Decimal) *apd.Decimal { return apd.New(int64(n.Sign()), 0) }), true
	case "ROUND":
		return function{1, 2, buildRounding(scalar.RoundTo, true)}, true
	case "TRUNC":
		return function{1, 2, buildRounding(scalar.TruncTo, false)}, true
	case "MOD":
		return numberFunction2(scalar.Mod), true
	case "POWER":
		return numberFunction2(power), true
	case "SQRT":
		return function{1, 1, buildSqrt}, true
	case "BITAND":
		return numberFunction2(bitAnd), true
	}
	return function{}, false
}

func mapNumber(apply func(*apd.Decimal) *apd.Decimal) function {
	return function{1, 1, func(c *compiler, args []*node) (*node, error) {
		return c.pure(numberType, c.numbers(args, 0), func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			return datum.Datum{Kind: datum.Number, Number: apply(v[0].Number)}, nil
		}), nil
	}}
}

func numberFunction2(apply func(a, b *apd.Decimal) (*apd.Decimal, error)) function {
	return function{2, 2, func(c *compiler, args []*node) (*node, error) {
		return c.pure(numberType, c.numbers(args, 0), func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			n, err := apply(v[0].Number, v[1].Number)
			return datum.Datum{Kind: datum.Number, Number: n}, err
		}), nil
	}}
}

// buildRounding is ROUND and TRUNC, of numbers and of dates.
func buildRounding(apply func(*apd.Decimal, int) *apd.Decimal, up bool) func(*compiler, []*node) (*node, error) {
	return func(c *compiler, args []*node) (*node, error) {
		if isDatetime(args[0].typ) {
			return buildDateRounding(c, args, up)
		}
		return c.pure(numberType, c.numbers(args, 0), func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			digits := 0
			if len(v) == 2 {
				digits = max(min(small(v[1]), 130), -130)
			}
			return datum.Datum{Kind: datum.Number, Number: apply(v[0].Number, digits)}, nil
		}), nil
	}
}

func wideContext() *apd.Context {
	return &apd.Context{Precision: 60, MaxExponent: 1000, MinExponent: -1000, Rounding: apd.RoundHalfUp}
}

func power(a, b *apd.Decimal) (*apd.Decimal, error) {
	n := new(apd.Decimal)
	whole := scalar.TruncTo(b, 0).Cmp(b) == 0
	switch {
	case b.IsZero():
		return apd.New(1, 0), nil
	case a.IsZero() && b.Negative, a.Negative && !whole:
		return nil, wire.Errorf(1428, "argument is out of range")
	}
	if _, err := wideContext().Pow(n, a, b); err != nil {
		return nil, wire.Errorf(1426, "numeric overflow")
	}
	return n, scalar.Round(n)
}

func bitAnd(a, b *apd.Decimal) (*apd.Decimal, error) {
	x, errX := scalar.TruncTo(a, 0).Int64()
	y, errY := scalar.TruncTo(b, 0).Int64()
	if errX != nil || errY != nil {
		return nil, wire.Errorf(1428, "argument is out of range")
	}
	return apd.New(x&y, 0), nil
}

func buildSqrt(c *compiler, args []*node) (*node, error) {
	return c.pure(numberType, c.numbers(args, 0), func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		n := new(apd.Decimal)
		if v[0].Number.Negative {
			return datum.Datum{}, wire.Errorf(1428, "argument is out of range")
		}
		if _, err := wideContext().Sqrt(n, v[0].Number); err != nil {
			return datum.Datum{}, wire.Errorf(1428, "argument is out of range")
		}
		return datum.Datum{Kind: datum.Number, Number: n}, scalar.Round(n)
	}), nil
}
