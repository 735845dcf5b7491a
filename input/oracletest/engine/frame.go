package engine

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
)

// execution is one run of a statement.
type execution struct {
	ctx      context.Context //nolint:containedctx // rows outlive the call that made them and get a new ctx with every fetch
	session  *session
	rights   *rights     // with which names are resolved while it is compiled
	depth    int         // of views, while it is compiled
	top      *sql.Select // the block whose select list may read sequences
	ties     bool        // the query that is compiled is cut WITH TIES, for which its rows must be in memory
	settings scalar.Settings
	binds    []datum.Datum
	types    []datum.Type // of the binds, as declared
	// array says that the statement runs once for each of several rows of binds, so binds are no constants.
	array bool
	// noted is where the statement log wants what is read; nil without one.
	noted *executed
	// view is what the tables of the statement show.
	view store.View
	// block lets PL/SQL names (packaged constants and variables) stand for values.
	block     bool
	text      string // of the block
	variables map[string]*variable
	records   map[string]*record
	// returned are the rows of a RETURNING clause; returns says that there is one.
	returned      [][]datum.Datum
	returnedTypes []datum.Type
	returns       bool
}

// frame is where the expressions of one query block find the row in hand.
type frame struct {
	x      *execution
	outer  *frame
	row    []datum.Datum
	rownum int64
	// keys and aggregates are the group in hand, behind a GROUP BY.
	keys, aggregates []datum.Datum
	// windows are what the analytic functions of the block yield for the row in hand.
	windows []datum.Datum
}

// truth is the value of a condition.
type truth int8

const (
	isFalse truth = iota
	isTrue
	isUnknown
)

func truthOf(b bool) truth {
	if b {
		return isTrue
	}
	return isFalse
}

func (t truth) not() truth {
	switch t {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	}
	return isUnknown
}

// test is a compiled condition.
type test func(*frame) (truth, error)

// node is a compiled expression.
type node struct {
	typ  datum.Type // Code 0: NULL without a type
	eval func(*frame) (datum.Datum, error)
	// constant says that value is the value of every evaluation.
	constant bool
	value    datum.Datum
	// column is the index of a column of the block in hand in frame.row, or -1.
	column   int
	nullable bool
}

func constantNode(d datum.Datum, t datum.Type) *node {
	n := &node{typ: t, constant: true, value: d, column: -1, nullable: d.IsNull()}
	n.eval = func(*frame) (datum.Datum, error) { return n.value, nil }
	return n
}

func computed(t datum.Type, eval func(*frame) (datum.Datum, error)) *node {
	return &node{typ: t, eval: eval, column: -1, nullable: true}
}

// Types of what expressions yield.
var (
	numberType   = datum.Type{Code: datum.TypeNumber}
	dateType     = datum.Type{Code: datum.TypeDate}
	floatType    = datum.Type{Code: datum.TypeBinaryDouble}
	rowIDType    = datum.Type{Code: datum.TypeRowID, Size: 18}
	zonedType    = datum.Type{Code: datum.TypeTimestampTZ, Size: 6}
	secondsType  = datum.Type{Code: datum.TypeIntervalDS, HasPrecision: true, Precision: 9, Size: 9}
	monthsType   = datum.Type{Code: datum.TypeIntervalYM, HasPrecision: true, Precision: 9}
	longTextSize = 4000
	// longVariableSize is how long a text of PL/SQL may be.
	longVariableSize = 32767
)

func textType(size int) datum.Type {
	return datum.Type{Code: datum.TypeVarchar, Size: min(max(size, 1), longTextSize)}
}

func isText(t datum.Type) bool { return t.Code == datum.TypeVarchar || t.Code == datum.TypeChar }

func isDatetime(t datum.Type) bool {
	switch t.Code {
	case datum.TypeDate, datum.TypeTimestamp, datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
		return true
	}
	return false
}

func isInterval(t datum.Type) bool {
	return t.Code == datum.TypeIntervalDS || t.Code == datum.TypeIntervalYM
}

// fold computes an expression once if everything in it is constant.
func fold(x *execution, n *node, parts ...*node) *node {
	for _, p := range parts {
		if p != nil && !p.constant {
			return n
		}
	}
	d, err := n.eval(&frame{x: x})
	if err != nil {
		// The error belongs to the row that evaluates it, if one does.
		return n
	}
	return constantNode(d, n.typ)
}

// to converts an expression to a type.
func (c *compiler) to(n *node, t datum.Type) *node {
	if n.typ.Code == 0 || t.Code == 0 || scalar.Kind(n.typ) == scalar.Kind(t) {
		return n
	}
	from := n.typ
	return fold(c.x, &node{typ: t, column: -1, nullable: n.nullable, eval: func(f *frame) (datum.Datum, error) {
		d, err := n.eval(f)
		if err != nil || d.IsNull() {
			return d, err
		}
		return f.x.settings.Convert(d, from, t)
	}}, n)
}

func (c *compiler) toNumber(n *node) *node { return c.to(n, numberType) }

// toDate converts to DATE, without the fraction of a TIMESTAMP.
func (c *compiler) toDate(n *node) *node {
	if n.typ.Code == 0 || n.typ.Code == datum.TypeDate {
		return n
	}
	return c.castTo(n, dateType)
}

// toText converts to text; its size is what the text may take at most.
func (c *compiler) toText(n *node) *node {
	if isText(n.typ) {
		return n
	}
	size := 75
	switch n.typ.Code {
	case datum.TypeClob:
		size = longTextSize
	case datum.TypeNumber:
		size = 40
	case datum.TypeRaw:
		size = 2 * n.typ.Size
	case datum.TypeRowID:
		size = 18
	}
	return c.to(n, textType(size))
}
