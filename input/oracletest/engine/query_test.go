package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func shop(t *testing.T) *client {
	c := openDatabase(t).app(t)
	c.exec("create table dept (id number primary key, name varchar2(20))")
	c.exec("create table emp (id number primary key, name varchar2(20), dept number, pay number)")
	c.exec("insert into dept values (1, 'ops')")
	c.exec("insert into dept values (2, 'dev')")
	c.exec("insert into dept values (3, 'law')")
	for i, e := range []string{"1,'ann',1,10", "2,'bob',2,20", "3,'cid',2,30", "4,'dot',null,40"} {
		if n := c.exec("insert into emp values (" + e + ")"); n != 1 {
			t.Fatalf("row %d: %d inserted", i, n)
		}
	}
	c.exec("commit")
	return c
}

// Each row is a form of SELECT that doc.go lists.
func TestQueries(t *testing.T) {
	c := shop(t)
	for _, row := range []struct{ sql, want string }{
		{"select * from dept", "1|ops ; 2|dev ; 3|law"},
		{"select d.* from dept d where d.id = 2", "2|dev"},
		{"select e.*, 1 x from emp e where id = 4", "4|dot|NULL|40|1"},
		{"select name n from emp where pay > 15 order by n desc", "dot ; cid ; bob"},
		{"select name from emp order by dept, pay desc", "ann ; cid ; bob ; dot"},
		{"select name from emp order by dept desc nulls last, 1", "bob ; cid ; ann ; dot"},
		{"select name from emp order by dept nulls first, name", "dot ; ann ; bob ; cid"},
		{"select e.name, d.name from emp e, dept d where e.dept = d.id order by 1", "ann|ops ; bob|dev ; cid|dev"},
		{"select e.name, d.name from emp e join dept d on e.dept = d.id and d.id > 1 order by 1", "bob|dev ; cid|dev"},
		{"select e.name, d.name from emp e left join dept d on e.dept = d.id order by 1", "ann|ops ; bob|dev ; cid|dev ; dot|NULL"},
		{"select d.name, count(e.id) from dept d left outer join emp e on e.dept = d.id group by d.name order by d.name", "dev|2 ; law|0 ; ops|1"},
		{"select e.name, d.name from emp e right join dept d on e.dept = d.id order by 2, 1", "bob|dev ; cid|dev ; NULL|law ; ann|ops"},
		{"select e.name, d.name from emp e full join dept d on e.dept = d.id order by 1, 2", "ann|ops ; bob|dev ; cid|dev ; dot|NULL ; NULL|law"},
		{"select count(*) from emp cross join dept", "12"},
		{"select id, e.name, d.name from emp e join dept d using (id) order by id", "1|ann|ops ; 2|bob|dev ; 3|cid|law"},
		{"select count(*), count(dept), count(distinct dept), sum(pay), min(name), max(name), avg(pay) from emp", "4|3|2|100|ann|dot|25"},
		{"select count(*), sum(pay), max(pay) from emp where 1 = 2", "0|NULL|NULL"},
		{"select dept, sum(pay) from emp where dept is not null group by dept having sum(pay) > 10 order by dept", "2|50"},
		{"select dept + 1, count(*) from emp e group by e.dept + 1 order by 1", "2|1 ; 3|2 ; NULL|1"},
		{"select e.dept from emp e group by dept order by count(*) desc, dept", "2 ; 1 ; NULL"},
		{"select case when dept = 2 then 'x' else 'y' end k, count(*) from emp group by case when dept = 2 then 'x' else 'y' end order by k", "x|2 ; y|2"},
		{"select distinct dept from emp order by dept", "1 ; 2 ; NULL"},
		{"select name from emp where dept in (select id from dept where name like 'd%') order by 1", "bob ; cid"},
		{"select name from dept d where exists (select 1 from emp where dept = d.id) order by 1", "dev ; ops"},
		{"select name from dept d where not exists (select 1 from emp where emp.dept = d.id)", "law"},
		{"select name, (select count(*) from emp where dept = d.id) c from dept d order by id", "ops|1 ; dev|2 ; law|0"},
		{"select name from emp where (dept, pay) in (select dept, max(pay) from emp group by dept) order by 1", "ann ; cid"},
		{"select name from emp where pay >= all (select pay from emp)", "dot"},
		{"select n from (select name n, pay from emp where pay < 35 order by pay desc) where rownum <= 2", "cid ; bob"},
		{"select name from emp where rownum < 3", "ann ; bob"},
		{"select name from emp where rownum = 1", "ann"},
		{"select name from emp where rownum > 1", ""},
		{"select name, rownum from emp where pay > 10 order by name desc", "dot|3 ; cid|2 ; bob|1"},
		{"select name from emp order by pay desc fetch first 2 rows only", "dot ; cid"},
		{"select name from emp order by id offset 1 rows fetch next 1 row only", "bob"},
		{"select name from emp order by id offset 3 rows", "dot"},
		{"select name from emp fetch first row only", "ann"},
		{"select id from dept union select dept from emp order by 1", "1 ; 2 ; 3 ; NULL"},
		{"select 'a' x from dual union all select 'a' from dual", "a ; a"},
		{"select id from dept minus select dept from emp", "3"},
		{"select id from dept intersect select dept from emp order by id desc", "2 ; 1"},
		{"with big as (select * from emp where pay > 15), two (a) as (select count(*) from big) select a from two", "3"},
		{"select a.name from emp a, emp b where a.pay = b.pay + 10 and b.name = 'bob'", "cid"},
		{"select name from emp where rowid = (select rowid from emp where id = 3)", "cid"},
		{"select substr(rowid, 7) from emp where id = 2", "AAMAAAACHAAB"},
		{"select name from emp where id = '3'", "cid"},
		{"select name from emp where 3 = id and pay = 30", "cid"},
		{"select \"NAME\" from \"APP\".\"EMP\" where \"ID\" = 1", "ann"},
		{"select app.emp.name from app.emp where emp.id = 1", "ann"},
		{"select count(distinct ora_rowscn), count(*) from emp where ora_rowscn > 0", "1|4"},
		{"(select 1 from dual)", "1"},
		{"select name from emp where id = 1 for update", "ann"},
		{"select /*+ full(e) */ name -- who\n from emp e where id = 1", "ann"},
	} {
		c.want(row.want, row.sql)
	}
}

func TestColumnsOfAResultAreNamedAndTyped(t *testing.T) {
	c := shop(t)
	c.exec("create table types (n number(10,2), v varchar2(7), c char(3), d date, ts timestamp(3), r raw(5), f float, nv nvarchar2(4))")
	r, err := c.s.Execute(t.Context(), wire.Statement{SQL: "select t.*, n + 1, upper(v) as \"Up\", to_char(d, 'YYYY'), null, rowid from types t", DescribeOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, col := range r.Columns {
		got += fmt.Sprintf("%s:%d:%d ", col.Name, col.Type.Code, col.Type.Size)
		if isText(col.Type) && col.Type.Size == 0 {
			t.Errorf("column %s has size 0", col.Name)
		}
	}
	if want := "N:2:0 V:1:7 C:96:3 D:12:0 TS:180:3 R:23:5 F:2:0 NV:1:4 N+1:2:0 Up:1:7 TO_CHAR(D,'YYYY'):1:100 NULL:1:1 ROWID:11:18 "; got != want {
		t.Errorf("columns\n got %s\nwant %s", got, want)
	}
	if r.Rows != nil {
		t.Error("describe opened rows")
	}
}

// counted is a view of n numbers that knows how far it was read.
type counted struct {
	rows, read int
	project    []int
}

func (v *counted) Columns() []wire.Column {
	return []wire.Column{{Name: "N", Type: numberType}, {Name: "TEXT", Type: textType(10), Nullable: true}}
}

func (v *counted) Project(columns []int) View {
	v.project = columns
	return v
}

func (v *counted) Open(context.Context, Caller) (wire.Rows, error) {
	v.read = 0
	return v, nil
}

func (v *counted) Next(_ context.Context, dst []datum.Datum) (bool, error) {
	if v.read == v.rows {
		return false, nil
	}
	v.read++
	dst[0], dst[1] = scalar.Int(int64(v.read)), scalar.Text("t")
	return true, nil
}

func (v *counted) Close() error { return nil }

type oneView struct{ v View }

func (o oneView) View(owner, name string) (View, bool) {
	return o.v, name == "V$NUMBERS" && (owner == "" || owner == "SYS")
}

// A query over one view without order must not read ahead: V$LOGMNR_CONTENTS can be larger than memory.
func TestAViewIsStreamed(t *testing.T) {
	db := openDatabase(t)
	v := &counted{rows: 1_000_000}
	db.Extend(oneView{v}, nil)
	c := db.connect(t, "FREE", "system")
	r, err := c.s.Execute(t.Context(), wire.Statement{SQL: "select n from v$numbers where mod(n, 10) = 0 and n in (10, 20, 30, 40, 50)"})
	if err != nil {
		t.Fatal(err)
	}
	row := make([]datum.Datum, 1)
	for range 2 {
		if ok, err := r.Rows.Next(t.Context(), row); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if v.read != 20 || show(row[0]) != "20" {
		t.Errorf("two rows read %d rows of the view, last %s", v.read, show(row[0]))
	}
	if len(v.project) != 1 || v.project[0] != 0 {
		t.Errorf("projected columns %v, want [0]", v.project)
	}
	if err := r.Rows.Close(); err != nil {
		t.Fatal(err)
	}
	c.want("3", "select n from sys.v$numbers x where x.n > 2 and rownum <= 1")
	if v.read > 4 {
		t.Errorf("a row limit read %d rows", v.read)
	}
	c.want("", "select n from v$numbers where 1 = 2")
	if v.read > 4 {
		t.Errorf("a false condition read %d rows", v.read)
	}
	c.want("t|2", "select a.text, b.n from v$numbers a join v$numbers b on a.n + 1 = b.n where a.n < 2 and b.n < 3")
	c.refuse(2030, "delete from v$numbers")
	c.refuse(942, "select * from v$nothing")
}
