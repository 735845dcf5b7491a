package sql

import (
	"fmt"
	"strings"
)

// Fingerprint is equal for expressions that are written alike, whatever their position: how GROUP BY and ORDER BY
// recognise an expression of the select list.
func Fingerprint(x Expr) string {
	var b strings.Builder
	write(&b, x)
	return b.String()
}

func writeAll(b *strings.Builder, head string, list ...Expr) {
	b.WriteString(head)
	b.WriteByte('(')
	for _, x := range list {
		write(b, x)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}

func write(b *strings.Builder, x Expr) {
	switch x := x.(type) {
	case nil:
		b.WriteByte('-')
	case *Name:
		fmt.Fprintf(b, "%q.%q.%q", x.Schema, x.Table, x.Column)
	case *Literal:
		fmt.Fprintf(b, "%d%q", x.Kind, x.Text)
	case *Interval:
		fmt.Fprintf(b, "interval%q%s", x.Text, x.Unit)
	case *Bind:
		fmt.Fprintf(b, ":%q", x.Name)
	case *Unary:
		writeAll(b, "u"+x.Op, x.X)
	case *Binary:
		writeAll(b, x.Op, x.L, x.R)
	case *Compare:
		writeAll(b, x.Op+x.Quantifier, x.L, x.R)
	case *Logic:
		writeAll(b, fmt.Sprint("logic", x.And), x.L, x.R)
	case *Not:
		writeAll(b, "not", x.X)
	case *IsNull:
		writeAll(b, fmt.Sprint("null", x.Not), x.X)
	case *Between:
		writeAll(b, fmt.Sprint("between", x.Not), x.X, x.Low, x.High)
	case *Like:
		writeAll(b, fmt.Sprint("like", x.Not), x.X, x.Pattern, x.Escape)
	case *Row:
		writeAll(b, "row", x.Items...)
	case *Call:
		writeAll(b, fmt.Sprint(x.Name, x.Distinct, x.Star), x.Args...)
	case *Trim:
		writeAll(b, "trim"+x.Side, x.Chars, x.X)
	case *Extract:
		writeAll(b, "extract"+x.Field, x.X)
	case *Cast:
		writeAll(b, fmt.Sprintf("cast%+v", x.Type), x.X)
	case *AtTimeZone:
		writeAll(b, "at", x.X, x.Zone)
	case *Case:
		writeAll(b, "case", x.Operand, x.Else)
		for _, w := range x.Whens {
			writeAll(b, "when", w.Cond, w.Then)
		}
	case *In:
		writeAll(b, fmt.Sprintf("in%t%p", x.Not, x.Query), append([]Expr{x.X}, x.List...)...)
	default:
		// Subqueries are equal only to themselves.
		fmt.Fprintf(b, "%p", x)
	}
}
