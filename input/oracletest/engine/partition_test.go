package engine

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawn makes expressions and conditions over the tables a and b.
type drawn struct{ t *rapid.T }

func (d drawn) pick(of ...string) string { return rapid.SampledFrom(of).Draw(d.t, "part") }

func (d drawn) number(depth int) string {
	if depth <= 0 {
		return d.pick("a.id", "a.x", "b.k1", "b.y", "b.f", "1", "2", "null", "1.0", "0")
	}
	switch rapid.IntRange(0, 7).Draw(d.t, "number") {
	case 0:
		return "(" + d.number(depth-1) + d.pick("+", "-", "*") + d.number(depth-1) + ")"
	case 1:
		return "nvl(to_number(" + d.number(depth-1) + "), 1)"
	case 2:
		return "case when " + d.pick("a.x = 1", "b.y is null", "a.v like 'a%'") + " then to_number(" + d.number(0) + ") else 1 end"
	case 3:
		return "length(" + d.text(0) + ")"
	case 4:
		return "(select max(q.id) from a q where q.id " + d.pick("=", "<", "<=") + " " + d.number(0) + ")"
	}
	return d.number(0)
}

func (d drawn) text(depth int) string {
	if depth <= 0 {
		return d.pick("a.v", "a.c", "a.u", "b.k2", "b.c", "'a'", "'1'", "null", "'ab'", "cast('a' as varchar2(3))")
	}
	switch rapid.IntRange(0, 4).Draw(d.t, "text") {
	case 0:
		return "upper(" + d.text(depth-1) + ")"
	case 1:
		return d.text(0) + "||" + d.text(0)
	case 2:
		return "substr(" + d.text(0) + ",1,1)"
	}
	return d.text(0)
}

func (d drawn) condition(depth int) string {
	if depth > 0 {
		switch rapid.IntRange(0, 3).Draw(d.t, "condition") {
		case 0:
			return "(" + d.condition(depth-1) + " and " + d.condition(depth-1) + ")"
		case 1:
			return "(" + d.condition(depth-1) + " or " + d.condition(depth-1) + ")"
		case 2:
			return "not (" + d.condition(depth-1) + ")"
		}
	}
	switch rapid.IntRange(0, 8).Draw(d.t, "predicate") {
	case 0:
		return d.number(1) + d.pick("=", "<>", "<", "<=", ">", ">=") + d.number(1)
	case 1:
		return d.text(1) + d.pick("=", "<>", "<", ">=") + d.text(1)
	case 2:
		return d.pick(d.number(1), d.text(1)) + d.pick(" is null", " is not null")
	case 3:
		return d.number(1) + d.pick(" in ", " not in ") + "(" + d.number(0) + "," + d.number(0) + "," + d.number(0) + "," + d.number(0) + ")"
	case 4:
		return d.number(0) + d.pick(" in ", " not in ") + "(select " + d.pick("q.k1", "q.y") + " from b q" + d.pick("", " where q.k1 = a.id", " where q.y > 1") + ")"
	case 5:
		return d.pick("", "not ") + "exists (select 1 from a q where q." + d.pick("id", "x") + " = " + d.number(0) + ")"
	case 6:
		return d.number(1) + d.pick(" between ", " not between ") + d.number(0) + " and " + d.number(0)
	case 7:
		return d.text(0) + d.pick(" like ", " not like ") + d.pick("'a%'", "'_'", "'%'", "a.u", "null")
	}
	return d.number(0) + d.pick("=", ">", "<>") + d.pick(" any", " all") + " (select q.x from a q" + d.pick("", " where q.id = b.k1") + ")"
}

func (d drawn) from() string {
	return d.pick("a, b", "a cross join b", "a join b on a.id = b.k1", "a left join b on a.id = b.k1 and b.k2 = a.u") +
		d.pick("", "", " join a z on z.id = a.id", " join a z on z.u = a.u and z.id = b.k1")
}

func (d drawn) outer() string {
	return d.pick("a left join b on ", "a right join b on ", "a full join b on ", "a join b on ") + d.condition(1)
}

// A condition is true, false or unknown for every row, whatever ways to the rows (keys, lookups, order of the joins) it allows; and a
// row passes WHERE exactly when CASE finds the condition true.
func TestConditionsPartTheRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := drawn{rt}
		c := openDatabase(t).app(t)
		c.exec("create table a (id number primary key, x number, v varchar2(5), c char(3), u varchar2(5) unique)")
		c.exec("create table b (k1 number, k2 varchar2(5), y number, f binary_double, c char(2), primary key (k1, k2))")
		c.exec("create unique index bi on b (c)")
		number := func() string { return d.pick("null", "0", "1", "2", "3", "1.5", "'1'") }
		text := func() string { return d.pick("null", "'1'", "'2'", "'a'", "'a '", "'ab'") }
		for i := range 6 {
			// A row that breaks a key is left out.
			_, _ = c.try(fmt.Sprintf("insert into a values (%d, %s, %s, %s, %s)", i, number(), text(), d.pick("'a'", "'ab'", "null"), text()))
			_, _ = c.try(fmt.Sprintf("insert into b values (%d, %s, %s, %s, %s)", i/2, text(), number(), d.pick("1.5", "null", "1"), d.pick("'a'", "null", "'1'")))
		}
		for range 10 {
			from := d.from()
			if rapid.Bool().Draw(rt, "outer") {
				from = d.outer()
			}
			p := d.condition(2)
			query := "select a.id, b.k1, b.k2, a.u, a.rowid, b.rowid from " + from
			all, err := c.rows(query)
			if err != nil {
				continue // a text that is no number
			}
			yes, errYes := c.rows(query + " where " + p)
			no, errNo := c.rows(query + " where not (" + p + ")")
			unknown, errUnknown := c.rows(query + " where case when " + p + " then 1 when not (" + p + ") then 0 end is null")
			sum, errSum := c.rows("select nvl(sum(case when " + p + " then 1 else 0 end), 0) from " + from)
			if errYes != nil || errNo != nil || errUnknown != nil || errSum != nil {
				continue
			}
			parts := slices.Sorted(slices.Values(slices.Concat(yes, no, unknown)))
			if slices.Sort(all); !slices.Equal(parts, all) {
				rt.Errorf("%s\nwhere %s: %d true, %d false, %d unknown of %d rows", query, p, len(yes), len(no), len(unknown), len(all))
			}
			if sum[0] != fmt.Sprint(len(yes)) {
				rt.Errorf("%s\nwhere %s: %d rows, by CASE %s", query, p, len(yes), sum[0])
			}
		}
	})
}
