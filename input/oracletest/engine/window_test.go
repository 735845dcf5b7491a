package engine

import "testing"

// Each row is a form of aggregate, analytic function or row limit that applications and ORMs send.
func TestAggregatesWindowsAndLimits(t *testing.T) {
	c := openDatabase(t).app(t)
	for _, sql := range []string{
		"create table s (id number, g varchar2(1), v number, f binary_double, d date)",
		"insert into s values (1, 'a', 10, 1, date '2026-01-01')", "insert into s values (2, 'a', 20, 2, date '2026-01-02')", "insert into s values (3, 'a', 20, 4, null)",
		"insert into s values (4, 'b', 5, 8, null)", "insert into s values (5, 'b', null, null, null)", "commit",
	} {
		c.exec(sql)
	}
	for _, row := range []struct{ sql, want string }{
		{"select g, listagg(id, ', ') within group (order by id desc) from s group by g order by g", "a|3, 2, 1 ; b|5, 4"},
		{"select listagg(v) within group (order by id), listagg(distinct v, ';') within group (order by v) from s", "1020205|5;10;20"},
		{"select listagg(v, '/' on overflow error) within group (order by v desc, id) from s", "20/20/10/5"},
		{"select listagg(id, ',') within group (order by id) from s where 1 = 2", "NULL"},
		{"select median(v), median(f), variance(v), var_pop(v), var_samp(v), stddev_pop(f) from s", "15|3|56.25|42.1875|56.25|2.680951323690902"},
		{"select stddev(distinct v), variance(distinct v), stddev(v) from s where g = 'a' or id = 4", "7.63762615825973334431341198954668081497|58.33333333333333333333333333333333333333|7.5"},
		{"select count(distinct g), sum(distinct v), avg(distinct v), min(distinct v) from s", "2|35|11.66666666666666666666666666666666666667|5"},
		{"select g from s having count(v) > 1 group by g", "a"},
		{"select g, v, count(*) from s group by (g, v) order by 1, 2", "a|10|1 ; a|20|2 ; b|5|1 ; b|NULL|1"},
		{
			"select id, row_number() over (partition by g order by v desc, id), rank() over (order by v), dense_rank() over (order by v) from s order by id",
			"1|3|2|2 ; 2|1|3|3 ; 3|2|3|3 ; 4|2|1|1 ; 5|1|5|4",
		},
		{
			"select id, sum(v) over (order by v), sum(v) over (partition by g), count(*) over (), count(v) over (partition by g order by id) from s order by id",
			"1|15|50|5|1 ; 2|55|50|5|2 ; 3|55|50|5|3 ; 4|5|5|5|1 ; 5|55|5|5|1",
		},
		{
			"select id, lag(v) over (order by id), lead(v, 2) over (order by id), lag(v, 1, -1) over (partition by g order by id), lead(v, 0) over (order by id) from s order by id",
			"1|NULL|20|-1|10 ; 2|10|5|10|20 ; 3|20|NULL|20|20 ; 4|20|NULL|-1|5 ; 5|5|NULL|5|NULL",
		},
		{"select id, first_value(id) over (partition by g order by id desc), last_value(v) over (order by v) l from s order by id", "1|3|10 ; 2|3|20 ; 3|3|20 ; 4|5|5 ; 5|5|NULL"},
		{
			"select id, min(v) over (order by id), max(v) over (order by id), avg(v) over (partition by g) from s order by id",
			"1|10|10|16.66666666666666666666666666666666666667 ; 2|10|20|16.66666666666666666666666666666666666667 ; 3|10|20|16.66666666666666666666666666666666666667 ; 4|5|20|5 ; 5|5|20|5",
		},
		{"select g, count(*), row_number() over (order by count(*) desc), sum(count(*)) over () from s group by g order by g", "a|3|1|5 ; b|2|2|5"},
		{"select g, rank() over (order by max(v) desc) from s group by g having count(*) > 2", "a|1"},
		{"select id from (select s.*, row_number() over (partition by g order by id desc) rn from s) where rn = 1 order by id", "3 ; 5"},
		{"select distinct g, count(*) over (partition by g) from s order by g", "a|3 ; b|2"},
		{"select count(distinct v) over (partition by g) c from s order by id", "2 ; 2 ; 2 ; 1 ; 1"},
		{"select id from s order by row_number() over (order by id desc)", "5 ; 4 ; 3 ; 2 ; 1"},
		{"select id, (select max(v) from s i where i.g = s.g) m, count(*) over () from s where id in (1, 4) order by id", "1|20|2 ; 4|5|2"},
		{"select id, rownum, row_number() over (order by id desc) from s where id > 3 order by id", "4|1|2 ; 5|2|1"},
		{"select nvl(sum(v) over (order by id), 0) + 1 from s where id < 3 order by 1", "11 ; 31"},
		{"select row_number() over (order by id) from s where 1 = 2", ""},
		{"select v from s order by v fetch first 2 rows with ties", "5 ; 10"},
		{"select v from s order by v offset 1 row fetch next 2 rows with ties", "10 ; 20 ; 20"},
		{"select id from s order by g fetch first row with ties", "1 ; 2 ; 3"},
		{"select id from s fetch first 1 row with ties", "1"},
		{"select v from s order by v desc nulls last fetch first 20 percent rows with ties", "20 ; 20"},
		{"select id from s order by id fetch first 50 percent rows only", "1 ; 2 ; 3"},
		{"select id from s where id < 3 fetch first 0.1 percent rows only", "1"},
		{"select id from s order by id fetch first 0 percent rows only", ""},
		{"select id from s union all select 2 from dual order by 1 fetch first 2 rows with ties", "1 ; 2 ; 2"},
		{"select * from ( select row_.*, rownum rownum_ from ( select id, g from s order by id ) row_ where rownum <= 3) where rownum_ > 1", "2|a|2 ; 3|a|3"},
		{`select id from (select q.*, row_number() over (order by id desc) "rn" from (select id from s) q) where "rn" between 2 and 3 order by 1 desc`, "4 ; 3"},
		{"select 1 from dual where (1, 'a') = ((1, 'a')) and (1, 2) <> ((1, 3))", "1"},
		{"select id from s where (g, v) = (select 'a', max(v) from s) order by id", "2 ; 3"},
		{"select id from s where (g, id) <> (select 'a', 1 from dual) and id < 4 order by id", "2 ; 3"},
		{"select count(*) from s where not (g, id) = (select 'a', 1 from dual where 1 = 2)", "0"},
		{"select id from s a where (g, v) = (select i.g, max(i.v) from s i where i.g = a.g group by i.g) order by id", "2 ; 3 ; 4"},
		{"select to_char(date '-0044-03-15', 'SYYYY-MM-DD'), nq'!it's!', n'x' from dual", "-0044-03-15|it's|x"},
	} {
		c.want(row.want, row.sql)
	}
	for _, row := range []struct {
		code int
		sql  string
	}{
		{1489, "select listagg(rpad('x', 900), ',') within group (order by id) from s"},
		{3001, "select listagg(id, ',') from s"},
		{3001, "select listagg(id, ',' on overflow truncate) within group (order by id) from s"},
		{3001, "select listagg(distinct id, ',') within group (order by v) from s"},
		{30497, "select listagg(id, g) within group (order by id) from s"},
		{3001, "select sum(v) within group (order by id) from s"},
		{3001, "select median(d) from s"},
		{932, "select stddev(d) from s"},
		{30482, "select median(distinct v) from s"},
		{978, "select sum(count(*)) from s"},
		{3001, "select sum(count(*)) from s group by g"},
		{3001, "select g from s group by rollup(g)"},
		{3001, "select g from s group by grouping sets (g)"},
		{30483, "select id from s where row_number() over (order by id) = 1"},
		{30483, "select sum(row_number() over (order by id)) over () from s"},
		{30483, "select g from s group by g having rank() over (order by g) = 1"},
		{30483, "update s set v = row_number() over (order by id)"},
		{30484, "select row_number() from s"},
		{30485, "select rank() over (partition by g) from s"},
		{30487, "select count(distinct v) over (order by id) from s"},
		{3001, "select ratio_to_report(id) over () from s"},
		{3001, "select listagg(id) within group (order by id) over (partition by g) from s"},
		{3001, "select sum(v) over (order by id range unbounded preceding) from s"},
		{3001, "select lag(v ignore nulls) over (order by id) from s"},
		{3001, "select lag(v) ignore nulls over (order by id) from s"},
		{3001, "select max(v) keep (dense_rank first order by id) from s"},
		{1428, "select lag(v, -1) over (order by id) from s"},
		{979, "select id, row_number() over (order by count(*)) from s group by g"},
		{3001, "select id, row_number() over (order by id) from s for update"},
		{920, "select 1 from dual where (1, 2) = (1, 2)"},
		{913, "select 1 from dual where (1, 2) = ((1, 2, 3))"},
		{1796, "select 1 from dual where (1, 2) < ((1, 2))"},
		{1427, "select 1 from s where (g, id) = (select g, id from s)"},
		{947, "select 1 from s where (g, id) = (select g from s)"},
		{1841, "select date '-4713-01-01' from dual"},
	} {
		c.refuse(row.code, row.sql)
	}
}
