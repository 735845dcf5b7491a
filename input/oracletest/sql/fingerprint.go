package sql

import (
	"fmt"
	"strings"
)

// Fingerprint is equal for expressions that are written alike, whatever their position: how GROUP BY and ORDER BY
// recognise an expression of the select list.
func Fingerprint(x Expr) string { return FingerprintBy(x, writtenName) }

// FingerprintBy is Fingerprint with names told apart by what name returns, such as the column they mean.
func FingerprintBy(x Expr, name func(*Name) string) string {
	b := fingerprint{name: name}
	b.write(x)
	return b.String()
}

func writtenName(n *Name) string { return fmt.Sprintf("%q.%q.%q", n.Schema, n.Table, n.Column) }

type fingerprint struct {
	strings.Builder
	name func(*Name) string
}

func (b *fingerprint) writeAll(head string, list ...Expr) {
	b.WriteString(head)
	b.WriteByte('(')
	for _, x := range list {
		b.write(x)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}

func (b *fingerprint) order(head string, order []Order) {
	for _, o := range order {
		b.writeAll(fmt.Sprint(head, o.Desc, o.NullsFirst), o.X)
	}
}

func (b *fingerprint) write(x Expr) {
	switch x := x.(type) {
	case nil:
		b.WriteByte('-')
	case *Name:
		b.WriteString(b.name(x))
	case *Literal:
		fmt.Fprintf(b, "%d%q", x.Kind, x.Text)
	case *Interval:
		fmt.Fprintf(b, "interval%q%s%s%d.%d", x.Text, x.From, x.To, x.Precision, x.Fraction)
	case *Bind:
		fmt.Fprintf(b, ":%q", x.Name)
	case *Unary:
		b.writeAll("u"+x.Op, x.X)
	case *Binary:
		b.writeAll(x.Op, x.L, x.R)
	case *Compare:
		b.writeAll(x.Op+x.Quantifier, x.L, x.R)
	case *Logic:
		b.writeAll(fmt.Sprint("logic", x.And), x.L, x.R)
	case *Not:
		b.writeAll("not", x.X)
	case *IsNull:
		b.writeAll(fmt.Sprint("null", x.Not), x.X)
	case *Between:
		b.writeAll(fmt.Sprint("between", x.Not), x.X, x.Low, x.High)
	case *Like:
		b.writeAll(fmt.Sprint("like", x.Not), x.X, x.Pattern, x.Escape)
	case *Row:
		b.writeAll("row", x.Items...)
	case *Call:
		b.writeAll(fmt.Sprint(x.Name, x.Distinct, x.Star), x.Args...)
		b.order("within", x.Within)
		if x.Over != nil {
			b.writeAll("over", x.Over.Partition...)
			b.order("order", x.Over.OrderBy)
		}
	case *Trim:
		b.writeAll("trim"+x.Side, x.Chars, x.X)
	case *Extract:
		b.writeAll("extract"+x.Field, x.X)
	case *Cast:
		b.writeAll(fmt.Sprintf("cast%+v", x.Type), x.X)
	case *AtTimeZone:
		b.writeAll("at", x.X, x.Zone)
	case *Case:
		b.writeAll("case", x.Operand, x.Else)
		for _, w := range x.Whens {
			b.writeAll("when", w.Cond, w.Then)
		}
	case *In:
		b.writeAll(fmt.Sprintf("in%t%p", x.Not, x.Query), append([]Expr{x.X}, x.List...)...)
	default:
		// Subqueries are equal only to themselves.
		fmt.Fprintf(b, "%p", x)
	}
}
