package engine

import (
	"crypto/rand"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func generalFunction(name string) (function, bool) {
	switch name {
	case "NVL":
		return function{2, 2, buildNVL}, true
	case "COALESCE":
		return function{2, -1, buildCoalesce}, true
	case "NVL2":
		return function{3, 3, buildNVL2}, true
	case "NULLIF":
		return function{2, 2, buildNullIf}, true
	case "DECODE":
		return function{3, -1, buildDecode}, true
	case "GREATEST":
		return function{1, -1, buildExtreme(1)}, true
	case "LEAST":
		return function{1, -1, buildExtreme(-1)}, true
	case "SYS_GUID":
		return function{0, 0, func(*compiler, []*node) (*node, error) {
			return computed(datum.Type{Code: datum.TypeRaw, Size: 16}, func(*frame) (datum.Datum, error) {
				id := make([]byte, 16)
				_, err := rand.Read(id)
				return datum.Datum{Kind: datum.Raw, Raw: id}, err
			}), nil
		}}, true
	}
	return function{}, false
}

// buildNVL converts the replacement to the type of the first argument; NVL(number, text) is a number.
func buildNVL(c *compiler, args []*node) (*node, error) {
	if t := args[0].typ; t.Code != 0 && args[1].typ.Code != 0 && scalar.Kind(t) != scalar.Kind(args[1].typ) {
		if _, ok := comparisonType(t, args[1].typ); !ok {
			return nil, mismatch(t, args[1].typ)
		}
		if isText(t) && args[1].typ.Code != datum.TypeRaw && !isLOB(args[1].typ) {
			args = []*node{args[0], c.toText(args[1])}
		} else {
			args = []*node{args[0], c.to(args[1], t)}
		}
	}
	t, args, err := c.unify(args)
	if err != nil {
		return nil, err
	}
	// Unlike COALESCE it evaluates the replacement even when it is not needed.
	return fold(c.x, computed(t, func(f *frame) (datum.Datum, error) {
		d, err := args[0].eval(f)
		if err != nil {
			return d, err
		}
		instead, err := args[1].eval(f)
		if err != nil || d.IsNull() {
			return instead, err
		}
		return d, nil
	}), args...), nil
}

func buildCoalesce(c *compiler, args []*node) (*node, error) {
	t, args, err := c.unify(args)
	if err != nil {
		return nil, err
	}
	return fold(c.x, computed(t, func(f *frame) (datum.Datum, error) {
		for _, a := range args {
			if d, err := a.eval(f); err != nil || !d.IsNull() {
				return d, err
			}
		}
		return datum.Datum{}, nil
	}), args...), nil
}

func buildNVL2(c *compiler, args []*node) (*node, error) {
	t, results, err := c.unify(args[1:])
	if err != nil {
		return nil, err
	}
	return fold(c.x, computed(t, func(f *frame) (datum.Datum, error) {
		d, err := args[0].eval(f)
		if err != nil {
			return d, err
		}
		if d.IsNull() {
			return results[1].eval(f)
		}
		return results[0].eval(f)
	}), args...), nil
}

func buildNullIf(c *compiler, args []*node) (*node, error) {
	if args[0].typ.Code == 0 {
		return nil, wire.Errorf(932, "inconsistent datatypes: expected - got CHAR")
	}
	if err := sameFamily(args[0].typ, args[1].typ); err != nil {
		return nil, err
	}
	equal, err := c.compare("=", args[0], args[1])
	if err != nil {
		return nil, err
	}
	return computed(args[0].typ, func(f *frame) (datum.Datum, error) {
		if t, err := equal(f); err != nil || t == isTrue {
			return datum.Datum{}, err
		}
		return args[0].eval(f)
	}), nil
}

// buildDecode compares with NULL being equal to NULL; the type is that of the first result.
func buildDecode(c *compiler, args []*node) (*node, error) {
	var searches, results []*node
	rest := args[1:]
	for len(rest) >= 2 {
		searches, results = append(searches, rest[0]), append(results, rest[1])
		rest = rest[2:]
	}
	otherwise := constantNode(datum.Datum{}, datum.Type{})
	if len(rest) == 1 {
		otherwise = rest[0]
	}
	results = append(results, otherwise)
	results = c.likeFirst(results)
	var t datum.Type // of the first search that has one: a NULL in front has none
	for _, s := range searches {
		if t.Code == 0 {
			t = s.typ
		}
	}
	tests := make([]test, len(searches))
	for i, s := range searches {
		var err error
		if tests[i], err = c.same(args[0], c.to(s, t)); err != nil {
			return nil, err
		}
	}
	return computed(results[0].typ, func(f *frame) (datum.Datum, error) {
		for i, t := range tests {
			ok, err := t(f)
			if err != nil {
				return datum.Datum{}, err
			}
			if ok == isTrue {
				return results[i].eval(f)
			}
		}
		return results[len(results)-1].eval(f)
	}), nil
}

// likeFirst converts results to the type of the first; an untyped NULL there makes it text.
func (c *compiler) likeFirst(results []*node) []*node {
	t := results[0].typ
	if t.Code == 0 {
		t = textType(longTextSize)
	}
	out := make([]*node, len(results))
	size := 1
	for i, n := range results {
		out[i] = c.to(n, t)
		if isText(n.typ) {
			size = max(size, n.typ.Size)
		}
	}
	if isText(t) {
		first := *out[0]
		first.typ = textType(max(size, t.Size))
		out[0] = &first
	}
	return out
}

// likeNumbersOrFirst converts the arguments of GREATEST and LEAST: to floats if one is numeric in front, else to the type of the first.
func (c *compiler) likeNumbersOrFirst(args []*node) ([]*node, error) {
	t := args[0].typ
	out := make([]*node, len(args))
	for _, n := range args {
		switch {
		case isLOB(n.typ) || isInterval(n.typ) || isInterval(t):
			return args, nil
		case scalar.Kind(t) == datum.Number && scalar.Kind(n.typ) == datum.Float:
			t = n.typ
		}
	}
	for i, n := range args {
		if n.typ.Code != 0 && t.Code != 0 && scalar.Kind(n.typ) != scalar.Kind(t) {
			if _, ok := comparisonType(t, n.typ); !ok && !(isText(t) && !isLOB(n.typ)) {
				return nil, mismatch(t, n.typ)
			}
		}
		switch out[i] = n; {
		case n.typ.Code == 0:
		case isText(t):
			out[i] = c.toText(n)
		case !isDatetime(t) || !isDatetime(n.typ):
			out[i] = c.to(n, t)
		}
	}
	return out, nil
}

// same is equality with NULL equal to NULL.
func (c *compiler) same(l, r *node) (test, error) {
	equal, err := c.compare("=", l, r)
	if err != nil {
		return nil, err
	}
	return func(f *frame) (truth, error) {
		t, err := equal(f)
		if err != nil || t != isUnknown {
			return t, err
		}
		a, err := l.eval(f)
		if err != nil {
			return isUnknown, err
		}
		b, err := r.eval(f)
		return truthOf(a.IsNull() && b.IsNull()), err
	}, nil
}

// sameFamily refuses what simple CASE and NULLIF do not convert: text and anything else.
func sameFamily(a, b datum.Type) error {
	if a.Code == 0 || b.Code == 0 || isText(a) == isText(b) || a.Code == datum.TypeRowID || b.Code == datum.TypeRowID {
		return nil
	}
	return mismatch(a, b)
}

func buildExtreme(sign int) func(*compiler, []*node) (*node, error) {
	return func(c *compiler, args []*node) (*node, error) {
		args, err := c.likeNumbersOrFirst(args)
		if err != nil {
			return nil, err
		}
		t, args, err := c.unify(args)
		if err != nil {
			return nil, err
		}
		return fold(c.x, computed(t, func(f *frame) (datum.Datum, error) {
			var best datum.Datum
			for i, a := range args {
				d, err := a.eval(f)
				if err != nil || d.IsNull() {
					return datum.Datum{}, err
				}
				if i == 0 || scalar.Compare(&d, &best)*sign > 0 {
					best = d
				}
			}
			return best, nil
		}), args...), nil
	}
}

// packagedName is a name that means a function or a constant of a package.
func (c *compiler) packagedName(e *sql.Name) (*node, bool) {
	if e.Table == "" {
		return nil, false
	}
	name := e.Table + "." + e.Column
	if !c.x.rights.mayExecute(name) {
		return nil, false
	}
	if name == "DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER" {
		return systemChangeNumber(c), true
	}
	if !c.x.block {
		return nil, false
	}
	if constants, ok := c.x.session.engine.procedures().(Constants); ok {
		if d, known := constants.Constant(name); known {
			return constantNode(d, typeOfValue(d)), true
		}
	}
	return nil, false
}

func systemChangeNumber(c *compiler) *node {
	return computed(numberType, func(*frame) (datum.Datum, error) {
		return scalar.Uint(uint64(c.x.session.engine.redo.CurrentSCN())), nil
	})
}

// typeOfValue is a type that a value fits in.
func typeOfValue(d datum.Datum) datum.Type {
	switch d.Kind {
	case datum.Number:
		return numberType
	case datum.Text:
		return textType(len(d.Text))
	case datum.Time:
		return datum.Type{Code: datum.TypeTimestamp, Size: 9}
	case datum.Zoned:
		return datum.Type{Code: datum.TypeTimestampTZ, Size: 9}
	case datum.Raw:
		return datum.Type{Code: datum.TypeRaw, Size: max(1, len(d.Raw))}
	case datum.Float:
		return floatType
	case datum.Clob:
		return datum.Type{Code: datum.TypeClob}
	case datum.Blob:
		return datum.Type{Code: datum.TypeBlob}
	case datum.IntervalYM:
		return monthsType
	case datum.IntervalDS:
		return secondsType
	case datum.RowID:
		return rowIDType
	case datum.Null:
	}
	return datum.Type{}
}

func sessionFunction(name string) (function, bool) {
	switch name {
	case "SYS_CONTEXT":
		return function{2, 3, buildContext}, true
	case "USERENV":
		return function{1, 1, func(c *compiler, args []*node) (*node, error) {
			return buildContext(c, []*node{constantNode(scalar.Text("USERENV"), textType(7)), args[0]})
		}}, true
	case "DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER":
		return function{0, 0, func(c *compiler, _ []*node) (*node, error) {
			if !c.x.rights.mayExecute(name) {
				return nil, wire.Errorf(904, "\"DBMS_FLASHBACK\".\"GET_SYSTEM_CHANGE_NUMBER\": invalid identifier")
			}
			return systemChangeNumber(c), nil
		}}, true
	}
	return function{}, false
}

func buildContext(c *compiler, args []*node) (*node, error) {
	return c.pure(textType(256), c.texts(args[:2]), func(f *frame, v []datum.Datum) (datum.Datum, error) {
		text, known := f.x.session.context(v[0].Text, v[1].Text)
		if !known {
			return datum.Datum{}, wire.Errorf(2003, "invalid USERENV parameter")
		}
		return scalar.Text(text), nil
	}), nil
}
