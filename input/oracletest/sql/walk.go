package sql

// Any reports whether fn holds for e or an expression inside it; subqueries are not entered.
func Any(e Expr, fn func(Expr) bool) bool {
	if e == nil {
		return false
	}
	if fn(e) {
		return true
	}
	for _, part := range parts(e) {
		if Any(part, fn) {
			return true
		}
	}
	return false
}

// behind are the expressions of WITHIN GROUP and OVER.
func (c *Call) behind() []Expr {
	list := orderExprs(c.Within)
	if c.Over != nil {
		list = append(append(list, c.Over.Partition...), orderExprs(c.Over.OrderBy)...)
	}
	return list
}

func orderExprs(order []Order) []Expr {
	var list []Expr
	for _, o := range order {
		list = append(list, o.X)
	}
	return list
}

func parts(e Expr) []Expr {
	switch e := e.(type) {
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.L, e.R}
	case *Compare:
		return []Expr{e.L, e.R}
	case *Logic:
		return []Expr{e.L, e.R}
	case *Not:
		return []Expr{e.X}
	case *IsNull:
		return []Expr{e.X}
	case *Between:
		return []Expr{e.X, e.Low, e.High}
	case *Like:
		return []Expr{e.X, e.Pattern, e.Escape}
	case *In:
		return append([]Expr{e.X}, e.List...)
	case *Row:
		return e.Items
	case *Case:
		list := []Expr{e.Operand, e.Else}
		for _, w := range e.Whens {
			list = append(list, w.Cond, w.Then)
		}
		return list
	case *Call:
		return append(append([]Expr{}, e.Args...), e.behind()...)
	case *Trim:
		return []Expr{e.Chars, e.X}
	case *Extract:
		return []Expr{e.X}
	case *Cast:
		return []Expr{e.X}
	case *AtTimeZone:
		return []Expr{e.X, e.Zone}
	}
	return nil
}
