package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// returned shows what a RETURNING clause gave: executions by semicolons, rows by commas, values by bars.
func (c *client) returned(text string, binds ...[]datum.Datum) string {
	c.t.Helper()
	r, err := c.s.Execute(c.t.Context(), wire.Statement{SQL: text, Binds: binds})
	if err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
	var all []string
	for _, execution := range r.Returned {
		var rows []string
		for _, row := range execution {
			var cells []string
			for _, d := range row {
				cells = append(cells, show(d))
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
		all = append(all, strings.Join(rows, ","))
	}
	return strings.Join(all, ";")
}

func TestReturning(t *testing.T) {
	c := openDatabase(t).app(t)
	c.exec("create table t (id number primary key, v varchar2(9) default 'none', d date)")
	none := datum.Datum{}
	two := func(n int) []datum.Datum { return []datum.Datum{scalar.Int(int64(n)), none, none} }
	for _, row := range []struct {
		sql   string
		binds [][]datum.Datum
		want  string
	}{
		{"insert into t (id) values (:1) returning id * 10, v into :2, :3", [][]datum.Datum{two(1)}, "10|none"},
		{"insert into t (id) values (:1) return id, upper(v) into :2, :3", [][]datum.Datum{two(2), two(3)}, "2|NONE;3|NONE"},
		{"update t set v = 'x' || id where id >= :1 returning id, v into :2, :3", [][]datum.Datum{two(2)}, "2|x2,3|x3"},
		{"update t set v = 'y' where id = :1 returning id, v into :2, :3", [][]datum.Datum{two(9), two(1)}, ";1|y"},
		{"delete from t where id < :1 returning id, v into :2, :3", [][]datum.Datum{two(3)}, "1|y,2|x2"},
	} {
		if got := c.returned(row.sql, row.binds...); got != row.want {
			t.Errorf("%s\n got %s\nwant %s", row.sql, got, row.want)
		}
	}
	rowid := c.query("select rowid from t")[0]
	if got := c.returned("update t set v = 'z' returning rowid into :r", []datum.Datum{none}); got != rowid {
		t.Errorf("ROWID %s, want %s", got, rowid)
	}
	c.refuse(913, "update t set v = 'z' returning id, v into :1", nil)
	c.refuse(934, "update t set v = 'z' returning count(*) into :1", nil)
	// A failed statement of an array gives back what is in front of it.
	r, err := c.s.Execute(t.Context(), wire.Statement{
		SQL: "insert into t (id) values (:1) returning id, v into :2, :3", Binds: [][]datum.Datum{two(5), two(3), two(6)},
	})
	wantCode(t, "array insert", err, 1)
	if len(r.Returned) != 1 || fmt.Sprint(r.Counts) != "[1]" {
		t.Errorf("returned %v, counts %v", r.Returned, r.Counts)
	}
}

func TestBlocksWithVariables(t *testing.T) {
	c := openDatabase(t).app(t)
	c.exec("create table t (id number primary key, v varchar2(5), d date)")
	run := func(text string, binds ...datum.Datum) []datum.Datum {
		t.Helper()
		stmt := wire.Statement{SQL: text}
		if len(binds) > 0 {
			stmt.Binds = [][]datum.Datum{binds}
		}
		r, err := c.s.Execute(t.Context(), stmt)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var out []datum.Datum
		for _, o := range r.Out {
			out = append(out, o.Value)
		}
		return out
	}
	out := run(`declare
		n number := 4;
		name constant varchar2(10) default 'x' || n;
		k t.v%type;
		when date;
	begin
		n := n + 1;
		insert into t values (n, name, sysdate) returning id, v into n, k;
		update t set v = 'new' where id = n returning v into k;
		select d into when from t where id = n;
		:a := k || n;
		:b := when;
		dbms_output.put_line(k);
	end;`, datum.Datum{}, datum.Datum{})
	if show(out[0]) != "new5" || show(out[1]) != "2026-03-29 13:45:59" {
		t.Errorf("binds %v", out)
	}
	c.want("5|new", "select id, v from t")
	for _, row := range []struct {
		code int
		sql  string
	}{
		{6550, "declare n number; n number; begin null; end;"},
		{6550, "declare n constant number := 1; begin n := 2; end;"},
		{6550, "begin nothing := 1; end;"},
		{6550, "begin select 1 into nothing from dual; end;"},
		{6550, "declare n number not null; begin null; end;"},
		{6550, "declare n t.nothing%type; begin null; end;"},
		{6550, "declare n nothing.id%type; begin null; end;"},
		{6502, "declare v varchar2(2) := 'abc'; begin null; end;"},
		{6502, "declare v number(1); begin v := 10; end;"},
		{6502, "declare v number; begin v := 'x'; end;"},
		{1403, "declare v number; begin select id into v from t where id = 99; end;"},
		{1422, "declare v number; begin insert into t (id) values (6); update t set d = null returning id into v; end;"},
		{3001, "declare v t%rowtype; begin null; end;"},
	} {
		c.refuse(row.code, row.sql)
	}
	c.want("1", "select count(*) from t")
}

func TestRefCursor(t *testing.T) {
	c := openDatabase(t).app(t)
	c.exec("create table t (id number)")
	c.exec("insert into t values (1)")
	r, err := c.s.Execute(t.Context(), wire.Statement{
		SQL:   "begin open :c for select id * :n x from t; insert into t values (2); end;",
		Binds: [][]datum.Datum{{{}, scalar.Int(5)}}, BindTypes: []datum.Type{{Code: datum.TypeCursor}, numberType},
	})
	if err != nil {
		t.Fatal(err)
	}
	cursor := r.Out[0].Cursor
	if cursor == nil || r.Out[0].Direction != wire.OutTo || cursor.Columns[0].Name != "X" {
		t.Fatalf("out %+v", r.Out)
	}
	row := make([]datum.Datum, 1)
	ok, err := cursor.Rows.Next(t.Context(), row)
	if !ok || err != nil || show(row[0]) != "5" {
		t.Errorf("row %v %v %v", ok, err, row)
	}
	if ok, _ := cursor.Rows.Next(t.Context(), row); ok {
		t.Error("the cursor shows what came after it was opened")
	}
	if err := cursor.Rows.Close(); err != nil {
		t.Error(err)
	}
	c.refuse(3001, "begin open c for select 1 from dual; end;")
	c.refuse(3001, "begin open :c for 'select 1 from dual'; end;", nil)
}
