package engine

import "testing"

// Each row is a form of an outer join or of a join over columns of the same name.
func TestOuterJoins(t *testing.T) {
	c := openDatabase(t).app(t)
	for _, sql := range []string{
		"create table a (id number, x varchar2(2))", "create table b (id number, y varchar2(2), n number)", "create table c (id number, y varchar2(2), z varchar2(2))",
		"create table d (w varchar2(2), n varchar2(2))",
		"insert into a values (1, 'a1')", "insert into a values (2, 'a2')", "insert into a values (null, 'a0')",
		"insert into b values (2, 'b2', 1)", "insert into b values (2, 'B2', 2)", "insert into b values (3, 'b3', 1)",
		"insert into c values (3, 'b3', 'c3')", "insert into c values (4, 'b4', 'c4')", "insert into d values ('d', '1')", "commit",
	} {
		c.exec(sql)
	}
	for _, row := range []struct{ sql, want string }{
		{"select a.x, b.y from a, b where a.id = b.id(+) order by 1, 2", "a0|NULL ; a1|NULL ; a2|B2 ; a2|b2"},
		{"select a.x, b.y from a, b where b.id (+) = a.id order by 1, 2", "a0|NULL ; a1|NULL ; a2|B2 ; a2|b2"},
		{"select * from b, a where a.id = b.id(+) and b.n(+) = 1 order by x", "NULL|NULL|NULL|NULL|a0 ; NULL|NULL|NULL|1|a1 ; 2|b2|1|2|a2"},
		{"select a.x, b.y from a, b where a.id = b.id(+) and b.n = 1", "a2|b2"},
		{"select a.x from a, b where a.id = b.id(+) and b.id is null order by 1", "a0 ; a1"},
		{"select x, y from a, b where a.id(+) = b.id order by 2", "a2|B2 ; a2|b2 ; NULL|b3"},
		{"select x, b.y, z from a, b, c where a.id = b.id(+) and b.y = c.y(+) order by 1, 2", "a0|NULL|NULL ; a1|NULL|NULL ; a2|B2|NULL ; a2|b2|NULL"},
		{"select x, b.y, z from c, b, a where c.y(+) = b.y and a.id(+) = b.id order by 2", "a2|B2|NULL ; a2|b2|NULL ; NULL|b3|c3"},
		{"select count(*) from a, c, b where a.id = b.id(+) and c.y = b.y(+)", "6"},
		{"select count(*), count(b.id) from a, b where a.id = b.id(+) and b.n(+) between 2 and 5 and upper(b.y(+)) like 'B%'", "3|1"},
		{"select a.x, (select max(q.y) from b q, c r where q.id = a.id and q.y = r.y(+)) m from a order by 1", "a0|NULL ; a1|NULL ; a2|b2"},
		{"select q.x, b.y from (select * from a where id = 1) q, b where q.id = b.id(+)", "a1|NULL"},
		{"select count(*) from a, b where a.id = b.id(+) and rownum <= 3", "3"},
		{"select * from b natural join c", "3|b3|1|c3"},
		{"select * from a natural join b order by y", "2|a2|B2|2 ; 2|a2|b2|1"},
		{"select id, x, n from a natural left outer join b order by x, n", "NULL|a0|NULL ; 1|a1|NULL ; 2|a2|1 ; 2|a2|2"},
		{"select id, x, y from a natural right join b order by y", "2|a2|B2 ; 2|a2|b2 ; 3|NULL|b3"},
		{"select id, x, y from a natural full join b order by id, x, y", "1|a1|NULL ; 2|a2|B2 ; 2|a2|b2 ; 3|NULL|b3 ; NULL|a0|NULL"},
		{"select count(*) from a natural join d", "3"},
		{"select * from a full join b using (id) order by id, y", "1|a1|NULL|NULL ; 2|a2|B2|2 ; 2|a2|b2|1 ; 3|NULL|b3|1 ; NULL|a0|NULL|NULL"},
		{"select id, x, b.y, z from a full join b using (id) full outer join c using (id) order by id, b.y", "1|a1|NULL|NULL ; 2|a2|B2|NULL ; 2|a2|b2|NULL ; 3|NULL|b3|c3 ; 4|NULL|NULL|c4 ; NULL|a0|NULL|NULL"},
		{"select id, z from a full join b using (id) join c using (id)", "3|c3"},
		{"select id, y, x, z from (b full join c using (id, y)) left join a using (id) order by id, y", "2|B2|a2|NULL ; 2|b2|a2|NULL ; 3|b3|NULL|c3 ; 4|b4|NULL|c4"},
		{"select id, count(*) from a full join b using (id) where id > 1 group by id order by id", "2|2 ; 3|1"},
		{"select q.id from (select * from a full join b using (id)) q where q.id = 3", "3"},
		{"select count(*) from c left join (a full join b using (id)) on c.y = b.y", "2"},
	} {
		c.want(row.want, row.sql)
	}
	for _, row := range []struct {
		code int
		sql  string
	}{
		{1719, "select 1 from a, b where a.id = b.id(+) or a.x = 'x'"},
		{1719, "select 1 from a, b where a.id = b.id(+) and b.n(+) in (1, 2)"},
		{1799, "select 1 from a, b where b.id(+) = (select max(id) from a)"},
		{1468, "select 1 from a, b where a.id(+) = b.id(+)"},
		{1416, "select 1 from a, b where a.id(+) = b.id and a.id = b.id(+)"},
		{25156, "select 1 from a join b on a.id = b.id, c where b.y = c.y(+)"},
		{30563, "select a.id(+) from a"},
		{25156, "select 1 from a join b on a.id = b.id(+)"},
		{25156, "select 1 from a left join b on a.id = b.id(+)"},
		{1705, "select 1 from a where exists (select 1 from b where b.id = a.id(+))"},
		{3001, "select 1 from a, b where b.n(+) = 1"},
		{3001, "select 1 from a, b where a.id = b.id(+) and b.n(+) = b.id"},
		{904, "select 1 from a, b where a.id = b.nope(+)"},
		{918, "select 1 from a, b where a.x = id(+)"},
		{25154, "select a.id from a full join b using (id)"},
		{25154, "select b.id from a natural join b"},
		{3001, "select 1 from b full join d using (n)"},
		{3001, "select 1 from a cross apply (select 1 from b)"},
		{3001, "select 1 from a, lateral (select 1 from b)"},
	} {
		c.refuse(row.code, row.sql)
	}
}
