package engine

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// function is a function of SQL: how many arguments it takes and how a call of it compiles.
type function struct {
	min, max int // max -1: any number
	build    func(c *compiler, args []*node) (*node, error)
}

// functionOf finds a function; the switch keeps the table free of package state.
func functionOf(name string) (function, bool) {
	for _, table := range [...]func(string) (function, bool){
		textFunction, numberFunction, datetimeFunction, conversionFunction, generalFunction, sessionFunction, lobFunction, rowIDFunction,
	} {
		if f, ok := table(name); ok {
			return f, true
		}
	}
	return function{}, false
}

func (c *compiler) call(e *sql.Call) (*node, error) {
	if c.procedural != nil && (e.Over != nil || isAggregate(e.Name) || isRanking(e.Name) || onlySQL(e.Name)) {
		return nil, c.x.compilation(e.Pos(), "PLS-00204", "function or pseudo-column '"+e.Name+"' may be used inside a SQL statement only")
	}
	if e.Over != nil {
		return c.window(e)
	}
	if isRanking(e.Name) {
		return nil, at(e.Pos(), wire.Errorf(30484, "missing window specification for this function"))
	}
	if isAggregate(e.Name) {
		return nil, at(e.Pos(), wire.Errorf(934, "group function is not allowed here"))
	}
	fn, ok := functionOf(strings.TrimPrefix(e.Name, "SYS."))
	if !ok {
		if isOracleFunction(strings.TrimPrefix(e.Name, "SYS.")) {
			return nil, at(e.Pos(), wire.Errorf(3001, "unimplemented feature: function %s", e.Name))
		}
		return nil, at(e.Pos(), wire.Errorf(904, "%s: invalid identifier", quote(e.Name)))
	}
	if e.Star || e.Distinct {
		return nil, at(e.Pos(), wire.Errorf(30482, "DISTINCT option not allowed for this function"))
	}
	if len(e.Args) < fn.min {
		return nil, at(e.Pos(), wire.Errorf(938, "not enough arguments for function"))
	}
	if fn.max >= 0 && len(e.Args) > fn.max {
		return nil, at(e.Pos(), wire.Errorf(939, "too many arguments for function"))
	}
	args, err := c.exprs(e.Args)
	if err != nil {
		return nil, err
	}
	build := fn.build
	for _, a := range args {
		if !isLOB(a.typ) {
			continue
		}
		if build = ofLOB(strings.TrimPrefix(e.Name, "SYS."), fn.build); build == nil {
			return nil, at(e.Pos(), wire.Errorf(3001, "unimplemented feature: %s of a %s", e.Name, typeName(a.typ)))
		}
	}
	n, err := build(c, args)
	return n, at(e.Pos(), err)
}

// onlySQL reports whether PL/SQL's own expressions lack a function of SQL.
func onlySQL(name string) bool { return name == "DECODE" || name == "NVL2" }

// isOracleFunction reports whether Oracle has a function that the stand-in has not: the answer then blames the stand-in and not the SQL.
func isOracleFunction(name string) bool {
	switch name {
	case "ACOS", "APPROX_COUNT_DISTINCT", "ASCIISTR", "ASIN", "ATAN", "ATAN2", "BIN_TO_NUM", "CARDINALITY", "COLLECT", "COMPOSE", "CONVERT", "CORR",
		"COS", "COSH", "COVAR_POP", "COVAR_SAMP", "DECOMPOSE", "DUMP", "EXP", "GROUPING", "GROUPING_ID", "JSON_ARRAY", "JSON_ARRAYAGG", "JSON_EXISTS",
		"JSON_OBJECT", "JSON_OBJECTAGG", "JSON_QUERY", "JSON_VALUE", "LENGTH2", "LENGTH4", "LENGTHC", "LN", "LOG", "NANVL", "NEW_TIME",
		"NLSSORT", "NLS_INITCAP", "NLS_LOWER", "NLS_UPPER", "NUMTOHEX", "ORA_HASH", "RAWTONHEX", "REGEXP_COUNT", "REGEXP_INSTR", "REGEXP_LIKE",
		"REGEXP_REPLACE", "REGEXP_SUBSTR", "REMAINDER", "REVERSE", "SIN", "SINH", "SOUNDEX", "STANDARD_HASH", "STATS_MODE",
		"CUME_DIST", "NTH_VALUE", "PERCENTILE_CONT", "PERCENTILE_DISC", "PERCENT_RANK", "RATIO_TO_REPORT", "SUBSTR2", "SUBSTR4", "SUBSTRC", "SYS_CONNECT_BY_PATH", "SYS_TYPEID", "TAN", "TANH", "TO_LOB", "TO_MULTI_BYTE",
		"TO_SINGLE_BYTE", "TREAT", "VSIZE", "WIDTH_BUCKET", "XMLAGG", "XMLELEMENT", "XMLTYPE",
		"UTL_RAW.CAST_TO_RAW", "UTL_RAW.CAST_TO_VARCHAR2", "DBMS_RANDOM.VALUE", "DBMS_RANDOM.STRING", "DBMS_LOB.FILEEXISTS", "DBMS_METADATA.GET_DDL":
		return true
	}
	return false
}

// strict evaluates args and yields NULL if one of them is.
func strict(t datum.Type, args []*node, compute func(f *frame, v []datum.Datum) (datum.Datum, error)) *node {
	return computed(t, func(f *frame) (datum.Datum, error) {
		var few [4]datum.Datum
		values := few[:0]
		for _, a := range args {
			d, err := a.eval(f)
			if err != nil || d.IsNull() {
				return datum.Datum{}, err
			}
			values = append(values, d)
		}
		return compute(f, values)
	})
}

// pure is a function that depends on its arguments alone, so constant arguments give a constant.
func (c *compiler) pure(t datum.Type, args []*node, compute func(f *frame, v []datum.Datum) (datum.Datum, error)) *node {
	return fold(c.x, strict(t, args, compute), args...)
}

// texts converts arguments to text.
func (c *compiler) texts(args []*node) []*node {
	out := make([]*node, len(args))
	for i, a := range args {
		out[i] = c.toText(a)
	}
	return out
}

// numbers converts arguments from the nth on to NUMBER.
func (c *compiler) numbers(args []*node, from int) []*node {
	out := append([]*node(nil), args...)
	for i := from; i < len(args); i++ {
		out[i] = c.toNumber(args[i])
	}
	return out
}

// small reads an integer argument; beyond an int32 it is cut to its bounds.
func small(d datum.Datum) int {
	n, err := scalar.TruncTo(d.Number, 0).Int64()
	switch {
	case err != nil && d.Number.Negative:
		return -1 << 31
	case err != nil:
		return 1 << 31
	}
	return int(max(min(n, 1<<31), -1<<31))
}
