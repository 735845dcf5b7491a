package engine

import (
	"encoding/hex"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func conversionFunction(name string) (function, bool) {
	switch name {
	case "TO_CHAR", "TO_NCHAR":
		return function{1, 2, buildToChar}, true
	case "TO_NUMBER":
		return function{1, 2, buildToNumber}, true
	case "TO_DATE":
		return datetimeReader(dateType), true
	case "TO_TIMESTAMP":
		return datetimeReader(datum.Type{Code: datum.TypeTimestamp, Size: 9}), true
	case "TO_TIMESTAMP_TZ":
		return datetimeReader(datum.Type{Code: datum.TypeTimestampTZ, Size: 9}), true
	case "TO_BINARY_DOUBLE", "TO_BINARY_FLOAT":
		t := floatType
		if name == "TO_BINARY_FLOAT" {
			t.Code = datum.TypeBinaryFloat
		}
		return function{1, 1, func(c *compiler, args []*node) (*node, error) { return c.castTo(args[0], t), nil }}, true
	case "HEXTORAW":
		return function{1, 1, buildHexToRaw}, true
	case "RAWTOHEX":
		return function{1, 1, buildRawToHex}, true
	case "ROWIDTOCHAR":
		return function{1, 1, func(c *compiler, args []*node) (*node, error) { return c.toText(args[0]), nil }}, true
	case "CHARTOROWID":
		return function{1, 1, func(c *compiler, args []*node) (*node, error) { return c.to(args[0], rowIDType), nil }}, true
	case "UNISTR":
		return function{1, 1, buildUnistr}, true
	}
	return function{}, false
}

func buildHexToRaw(c *compiler, args []*node) (*node, error) {
	text := c.toText(args[0])
	t := datum.Type{Code: datum.TypeRaw, Size: max(1, (text.typ.Size+1)/2)}
	return c.pure(t, []*node{text}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		return scalar.HexToRaw(v[0].Text)
	}), nil
}

func buildRawToHex(c *compiler, args []*node) (*node, error) {
	raw := args[0]
	if isText(raw.typ) {
		return nil, wire.Errorf(3001, "unimplemented feature: RAWTOHEX of text")
	}
	return c.pure(textType(2*raw.typ.Size), []*node{raw}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		if v[0].Kind != datum.Raw {
			return datum.Datum{}, wire.Errorf(932, "inconsistent datatypes: expected BINARY")
		}
		return scalar.Text(strings.ToUpper(hex.EncodeToString(v[0].Raw))), nil
	}), nil
}

func buildUnistr(c *compiler, args []*node) (*node, error) {
	text := c.toText(args[0])
	t := textType(text.typ.Size)
	t.National = true
	return c.pure(t, []*node{text}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		s, ok := scalar.Unistr(v[0].Text)
		if !ok {
			return datum.Datum{}, wire.Errorf(30186, "'\\' must be followed by four hexdecimal characters or another '\\'")
		}
		return scalar.Text(s), nil
	}), nil
}

func buildToChar(c *compiler, args []*node) (*node, error) {
	n := args[0]
	if len(args) == 1 || n.typ.Code == 0 {
		return c.toText(n), nil
	}
	format := c.toText(args[1])
	switch {
	case isDatetime(n.typ):
		return c.datetimeToChar(n, format)
	case isText(n.typ):
		n = c.toNumber(n)
	case isInterval(n.typ), n.typ.Code == datum.TypeRaw, isLOB(n.typ):
		return nil, wire.Errorf(932, "inconsistent datatypes: expected NUMBER got %s", typeName(n.typ))
	}
	n = c.toNumber(n)
	return c.pure(textType(64), []*node{n, format}, func(f *frame, v []datum.Datum) (datum.Datum, error) {
		s, err := scalar.FormatNumber(v[0].Number, v[1].Text, f.x.settings.Decimal, f.x.settings.Group)
		return scalar.Text(s), err
	}), nil
}

func (c *compiler) datetimeToChar(n, format *node) (*node, error) {
	model, err := constantModel(format)
	if err != nil {
		return nil, err
	}
	from := n.typ
	return c.pure(textType(100), []*node{n, format}, func(f *frame, v []datum.Datum) (datum.Datum, error) {
		m := model
		if m == nil {
			var err error
			if m, err = scalar.ParseModel(v[1].Text); err != nil {
				return datum.Datum{}, err
			}
		}
		d := v[0]
		if from.Code == datum.TypeDate && !m.Dates() {
			return datum.Datum{}, wire.Errorf(1821, "date format not recognized")
		}
		if from.Code == datum.TypeTimestampLTZ {
			d = scalar.Zone(scalar.Instant(d), f.x.settings.Offset)
		}
		return scalar.Text(m.Format(d, fractionDigits(from))), nil
	}), nil
}

// constantModel reads a format that is constant, once; nil for another.
func constantModel(format *node) (*scalar.Model, error) {
	if !format.constant || format.value.IsNull() {
		return nil, nil
	}
	return scalar.ParseModel(format.value.Text)
}

func buildToNumber(c *compiler, args []*node) (*node, error) {
	if len(args) == 1 {
		return c.toNumber(args[0]), nil
	}
	return c.pure(numberType, c.texts(args), func(f *frame, v []datum.Datum) (datum.Datum, error) {
		n, err := scalar.ReadNumber(v[0].Text, v[1].Text, f.x.settings.Decimal, f.x.settings.Group)
		return datum.Datum{Kind: datum.Number, Number: n}, err
	}), nil
}

// datetimeReader is TO_DATE and its kin.
func datetimeReader(t datum.Type) function {
	return function{1, 2, func(c *compiler, args []*node) (*node, error) {
		if len(args) == 1 || isDatetime(args[0].typ) {
			return c.castTo(c.throughText(args[0], t), t), nil
		}
		nodes := []*node{c.toText(args[0]), c.toText(args[1])}
		model, err := constantModel(nodes[1])
		if err != nil {
			return nil, err
		}
		return c.pure(t, nodes, func(f *frame, v []datum.Datum) (datum.Datum, error) {
			m := model
			if m == nil {
				var err error
				if m, err = scalar.ParseModel(v[1].Text); err != nil {
					return datum.Datum{}, err
				}
			}
			d, err := m.Parse(v[0].Text, f.x.settings.Now, f.x.settings.Offset)
			if err != nil {
				return d, err
			}
			return asDatetime(d, t, f.x.settings.Offset), nil
		}), nil
	}}
}

// throughText makes text of a number first, as TO_DATE(20260131) does.
func (c *compiler) throughText(n *node, t datum.Type) *node {
	if isDatetime(n.typ) || isText(n.typ) || n.typ.Code == 0 {
		return n
	}
	return c.toText(n)
}

func asDatetime(d datum.Datum, t datum.Type, offset int16) datum.Datum {
	switch t.Code {
	case datum.TypeDate:
		d = scalar.Date(d.Time)
		d.Time.Nano = 0
	case datum.TypeTimestamp:
		d = scalar.Date(d.Time)
	default:
		if d.Kind == datum.Time {
			d.Kind, d.Offset = datum.Zoned, offset
		}
	}
	return d
}

// castTo converts also inside a kind: TIMESTAMP to DATE loses the fraction.
func (c *compiler) castTo(n *node, t datum.Type) *node {
	from := n.typ
	if from.Code == 0 {
		out := *n
		out.typ = t
		return &out
	}
	target := scalar.Target{Type: t}
	return fold(c.x, &node{typ: t, column: -1, nullable: true, eval: func(f *frame) (datum.Datum, error) {
		d, err := n.eval(f)
		if err != nil || d.IsNull() {
			return d, err
		}
		return f.x.settings.Fit(d, from, &target)
	}}, n)
}

func (c *compiler) cast(e *sql.Cast) (*node, error) {
	n, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	switch e.Type.Code {
	case datum.TypeClob:
		return c.to(n, e.Type), nil
	case datum.TypeBlob, datum.TypeLong, datum.TypeLongRaw:
		return nil, at(e.Pos(), wire.Errorf(3001, "unimplemented feature: CAST to %s", typeName(e.Type)))
	case datum.TypeVarchar, datum.TypeChar:
		// A CAST cuts what is too long.
		n = c.toText(n)
		size := e.Type.Size
		cut := c.pure(e.Type, []*node{n}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			if runes := []rune(v[0].Text); len(runes) > size {
				v[0].Text = string(runes[:size])
			}
			return v[0], nil
		})
		return c.castTo(cut, e.Type), nil
	}
	return c.castTo(n, e.Type), nil
}
