package engine

import (
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// compiler turns the expressions of one query block into closures over its row.
type compiler struct {
	x     *execution
	scope *scope
	// group is set while expressions behind a GROUP BY are compiled.
	group *grouping
	// with are the common tables that names in FROM may mean.
	with map[string]*commonTable
	// windows are the analytic functions of the block; nil where they must not stand.
	windows *windowing
	// procedural is the block whose own expressions are compiled, not those of its SQL.
	procedural *blockRun
	// optional says that names may have the mark (+).
	optional bool
	// rownum is set when an expression read ROWNUM.
	rownum bool
	// sequences are those that the expressions read; nil where they must not.
	sequences *sequenceUses
}

// expr compiles what has a value.
func (c *compiler) expr(e sql.Expr) (*node, error) {
	if c.group != nil {
		if n, ok, err := c.group.lookup(c, e); ok || err != nil {
			return n, err
		}
	}
	switch e := e.(type) {
	case *sql.Literal:
		return c.literal(e)
	case *sql.Bind:
		return c.bind(e)
	case *sql.Name:
		return c.name(e)
	case *sql.Unary:
		return c.unary(e)
	case *sql.Binary:
		return c.binary(e)
	case *sql.Interval:
		return c.interval(e)
	case *sql.Call:
		return c.call(e)
	case *sql.Case:
		return c.caseOf(e)
	case *sql.Subquery:
		return c.scalarSubquery(e.Query)
	case *sql.Cast:
		return c.cast(e)
	case *sql.Trim:
		return c.trim(e)
	case *sql.Extract:
		return c.extract(e)
	case *sql.AtTimeZone:
		return c.atTimeZone(e)
	case *sql.Row:
		return nil, at(e.Pos(), wire.Errorf(907, "missing right parenthesis"))
	case *sql.Default:
		return nil, at(e.Pos(), wire.Errorf(936, "missing expression"))
	}
	return nil, at(e.Pos(), wire.Errorf(907, "missing right parenthesis"))
}

func (c *compiler) exprs(list []sql.Expr) ([]*node, error) {
	nodes := make([]*node, len(list))
	for i, e := range list {
		var err error
		if nodes[i], err = c.expr(e); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

func (c *compiler) literal(e *sql.Literal) (*node, error) {
	switch e.Kind {
	case sql.NullLiteral:
		return constantNode(datum.Datum{}, datum.Type{}), nil
	case sql.NumberLiteral:
		n, err := scalar.ParseNumber(e.Text, '.')
		return constantNode(datum.Datum{Kind: datum.Number, Number: n}, numberType), at(e.Pos(), err)
	case sql.FloatLiteral:
		f, err := strconv.ParseFloat(strings.TrimRight(e.Text, "fFdD"), 64)
		t := floatType
		if strings.HasSuffix(strings.ToLower(e.Text), "f") {
			t.Code = datum.TypeBinaryFloat
			f = float64(float32(f))
		}
		if err != nil {
			err = at(e.Pos(), wire.Errorf(1426, "numeric overflow"))
		}
		return constantNode(datum.Datum{Kind: datum.Float, Float: f}, t), err
	case sql.TextLiteral, sql.NationalLiteral:
		t := datum.Type{Code: datum.TypeChar, Size: max(len(e.Text), 1), National: e.Kind == sql.NationalLiteral}
		return constantNode(scalar.Text(e.Text), t), nil
	case sql.DateLiteral:
		d, err := c.datetimeLiteral(e, "YYYY-MM-DD")
		return constantNode(d, dateType), err
	case sql.TimestampLiteral:
		return c.timestampLiteral(e)
	}
	return nil, at(e.Pos(), wire.Errorf(936, "missing expression"))
}

func (c *compiler) datetimeLiteral(e *sql.Literal, format string) (datum.Datum, error) {
	if strings.HasPrefix(strings.TrimSpace(e.Text), "-") {
		format = "S" + format // years before Christ
	}
	m, err := scalar.ParseModel(format)
	if err != nil {
		return datum.Datum{}, err
	}
	d, err := m.Parse(e.Text, c.x.settings.Now, c.x.settings.Offset)
	return d, at(e.Pos(), err)
}

func (c *compiler) timestampLiteral(e *sql.Literal) (*node, error) {
	// A zone is what follows the time of day: a sign behind the date, or letters.
	_, clock, _ := strings.Cut(strings.TrimSpace(e.Text), " ")
	t := datum.Type{Code: datum.TypeTimestamp, Size: 9}
	format := "YYYY-MM-DD HH24:MI:SSXFF"
	if strings.ContainsAny(clock, "+-ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
		t.Code = datum.TypeTimestampTZ
		format += " TZR"
		if !strings.Contains(clock, ".") {
			format = "YYYY-MM-DD HH24:MI:SS TZR"
		}
	}
	d, err := c.datetimeLiteral(e, format)
	return constantNode(d, t), err
}

func (c *compiler) bind(e *sql.Bind) (*node, error) {
	if e.Index >= len(c.x.types) {
		return nil, wire.Errorf(1008, "not all variables bound")
	}
	i, t := e.Index, c.x.types[e.Index]
	if !c.x.array {
		return constantNode(c.x.binds[i], t), nil
	}
	return computed(t, func(f *frame) (datum.Datum, error) { return f.x.binds[i], nil }), nil
}

func (c *compiler) name(e *sql.Name) (*node, error) {
	if e.Optional && !c.optional {
		return nil, at(e.Pos(), wire.Errorf(30563, "outer join operator (+) is not allowed here"))
	}
	ref, ok, err := c.scope.resolve(e)
	if err != nil {
		return nil, err
	}
	if ok {
		if c.group != nil && ref.depth == 0 {
			return nil, c.group.outside(e)
		}
		return columnNode(ref), nil
	}
	if e.Table == "" && !e.Quoted {
		if e.Column == "ROWNUM" {
			if c.procedural != nil {
				return nil, c.x.compilation(e.Pos(), "PLS-00204", "function or pseudo-column 'ROWNUM' may be used inside a SQL statement only")
			}
			if c.group != nil {
				return nil, c.group.outside(e)
			}
			c.rownum = true
			return computed(numberType, func(f *frame) (datum.Datum, error) { return scalar.Int(f.rownum), nil }), nil
		}
		if n, ok := c.plainFunction(e.Column); ok {
			return n, nil
		}
	}
	if n, ok, err := c.sequenceValue(e); ok || err != nil {
		return n, err
	}
	if n, ok, err := c.blockName(e); ok || err != nil {
		return n, err
	}
	if d, ok := c.packagedName(e); ok {
		return d, nil
	}
	if e.Table != "" && c.scope.knows(e) {
		return nil, at(e.Pos(), wire.Errorf(904, "%s: invalid identifier", nameText(e)))
	}
	if c.procedural != nil {
		return nil, c.x.undeclared(e.Pos(), dottedName(e))
	}
	return nil, at(e.Pos(), wire.Errorf(904, "%s: invalid identifier", nameText(e)))
}

func dottedName(e *sql.Name) string {
	name := e.Column
	if e.Table != "" {
		name = e.Table + "." + name
	}
	if e.Schema != "" {
		name = e.Schema + "." + name
	}
	return name
}

func (s *scope) knows(e *sql.Name) bool {
	for at := s; at != nil; at = at.outer {
		for _, src := range at.sources {
			if src.matches(e.Schema, e.Table) {
				return true
			}
		}
	}
	return false
}

func columnNode(ref reference) *node {
	i := ref.column
	n := &node{typ: ref.typ, column: -1, nullable: ref.null}
	switch ref.depth {
	case 0:
		n.column = i
		n.eval = func(f *frame) (datum.Datum, error) { return f.row[i], nil }
	case 1:
		n.eval = func(f *frame) (datum.Datum, error) { return f.outer.row[i], nil }
	default:
		n.eval = func(f *frame) (datum.Datum, error) {
			for range ref.depth {
				f = f.outer
			}
			return f.row[i], nil
		}
	}
	return n
}

func (c *compiler) unary(e *sql.Unary) (*node, error) {
	n, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	if n.typ.Code == datum.TypeBinaryDouble || n.typ.Code == datum.TypeBinaryFloat {
		if e.Op == "+" {
			return n, nil
		}
		return fold(c.x, computed(n.typ, func(f *frame) (datum.Datum, error) {
			d, err := n.eval(f)
			d.Float = -d.Float
			return d, err
		}), n), nil
	}
	if isDatetime(n.typ) || n.typ.Code == datum.TypeRaw || isLOB(n.typ) {
		return nil, at(e.Pos(), wire.Errorf(932, "inconsistent datatypes: expected NUMBER got %s", typeName(n.typ)))
	}
	if !isInterval(n.typ) {
		n = c.toNumber(n)
	}
	if e.Op == "+" {
		return n, nil
	}
	return fold(c.x, computed(n.typ, func(f *frame) (datum.Datum, error) {
		d, err := n.eval(f)
		if err != nil || d.IsNull() {
			return d, err
		}
		neg := new(apd.Decimal).Neg(d.Number)
		return datum.Datum{Kind: d.Kind, Number: neg}, scalar.Round(neg)
	}), n), nil
}

func typeName(t datum.Type) string {
	switch t.Code {
	case datum.TypeNumber:
		return "NUMBER"
	case datum.TypeVarchar, datum.TypeChar:
		return "CHAR"
	case datum.TypeDate:
		return "DATE"
	case datum.TypeTimestamp:
		return "TIMESTAMP"
	case datum.TypeTimestampTZ:
		return "TIMESTAMP WITH TIME ZONE"
	case datum.TypeTimestampLTZ:
		return "TIMESTAMP WITH LOCAL TIME ZONE"
	case datum.TypeRaw:
		return "BINARY"
	case datum.TypeBinaryFloat:
		return "BINARY_FLOAT"
	case datum.TypeBinaryDouble:
		return "BINARY_DOUBLE"
	case datum.TypeRowID:
		return "ROWID"
	case datum.TypeClob:
		if t.National {
			return "NCLOB"
		}
		return "CLOB"
	case datum.TypeBlob:
		return "BLOB"
	case datum.TypeIntervalDS:
		return "INTERVAL DAY TO SECOND"
	case datum.TypeIntervalYM:
		return "INTERVAL YEAR TO MONTH"
	}
	return "-"
}

func (c *compiler) caseOf(e *sql.Case) (*node, error) {
	tests := make([]test, len(e.Whens))
	results := make([]*node, 0, len(e.Whens)+1)
	for i, w := range e.Whens {
		cond := w.Cond
		var err error
		if e.Operand != nil {
			tests[i], err = c.caseTest(e.Operand, cond)
		} else {
			tests[i], err = c.condition(cond)
		}
		if err != nil {
			return nil, err
		}
		then, err := c.expr(w.Then)
		if err != nil {
			return nil, err
		}
		results = append(results, then)
	}
	otherwise := constantNode(datum.Datum{}, datum.Type{})
	if e.Else != nil {
		var err error
		if otherwise, err = c.expr(e.Else); err != nil {
			return nil, err
		}
	}
	t, results, err := c.unify(append(results, otherwise))
	if err != nil {
		return nil, at(e.Pos(), err)
	}
	return computed(t, func(f *frame) (datum.Datum, error) {
		for i, cond := range tests {
			ok, err := cond(f)
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

// caseTest is WHEN of a simple CASE, which converts no text.
func (c *compiler) caseTest(operand, value sql.Expr) (test, error) {
	nodes, err := c.exprs([]sql.Expr{operand, value})
	if err != nil {
		return nil, err
	}
	if err := sameFamily(nodes[0].typ, nodes[1].typ); err != nil {
		return nil, at(value.Pos(), err)
	}
	t, err := c.compare("=", nodes[0], nodes[1])
	return t, at(value.Pos(), err)
}

// unify brings alternatives to one type, that of the first with a type, as CASE, NVL and COALESCE do; other kinds of types are
// ORA-00932.
func (c *compiler) unify(list []*node) (datum.Type, []*node, error) {
	var t datum.Type
	for _, n := range list {
		switch {
		case n.typ.Code == 0:
		case t.Code == 0:
			t = n.typ
		case isText(t) && isText(n.typ):
			if t.Code != n.typ.Code || t.Size != n.typ.Size {
				t.Code, t.Size = datum.TypeVarchar, max(t.Size, n.typ.Size)
			}
			t.CharUsed = t.CharUsed || n.typ.CharUsed
		case t.Code == datum.TypeNumber && n.typ.Code == datum.TypeNumber:
			if t != n.typ {
				t = numberType
			}
		case isInterval(t) && t.Code == n.typ.Code:
			t.Precision, t.Size = max(t.Precision, n.typ.Precision), max(t.Size, n.typ.Size)
		case isDatetime(t) && isDatetime(n.typ):
			if t.Code != n.typ.Code {
				t = widerDatetime(t, n.typ)
			}
		case scalar.Kind(t) != scalar.Kind(n.typ) || isText(t) != isText(n.typ):
			return t, nil, wire.Errorf(932, "inconsistent datatypes: expected %s got %s", typeName(t), typeName(n.typ))
		}
	}
	if t.Code == 0 {
		t = textType(1)
	}
	out := make([]*node, len(list))
	for i, n := range list {
		out[i] = c.to(n, t)
	}
	return t, out, nil
}

func widerDatetime(a, b datum.Type) datum.Type {
	rank := func(t datum.Type) int {
		switch t.Code {
		case datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
			return 2
		case datum.TypeTimestamp:
			return 1
		}
		return 0
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}
