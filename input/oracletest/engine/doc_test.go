package engine

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/internal/doctable"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
)

// documented reads a table of doc.go and demands that every row has a test, and every test a row.
func documented(t *testing.T, heading string, tested []string) []doctable.Row {
	t.Helper()
	rows, err := doctable.Read("doc.go", heading)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, row := range rows {
		seen[row.Name] = true
		if !slices.Contains(tested, row.Name) {
			t.Errorf("doc.go, %s: the row %q has no test", heading, row.Name)
		}
	}
	for _, name := range tested {
		if !seen[name] {
			t.Errorf("the test of %q has no row in doc.go, %s", name, heading)
		}
	}
	return rows
}

// column is a declaration with a value that goes in, what comes out, and one that is refused.
type column struct {
	declared, in, out string
	refused           string
	code              int
}

func TestDocumentedTypes(t *testing.T) {
	tests := map[string][]column{
		"NUMBER, NUMBER(p), NUMBER(p,s), NUMBER(*,s)": {
			{"number", "1e-10", ".0000000001", "'x'", 1722},
			{"number(3)", "99.5", "100", "999.5", 1438},
			{"number(5,-2)", "12345", "12300", "99999999", 1438},
			{"number(*,1)", "1.25", "1.3", "'x'", 1722},
		},
		"INTEGER, INT, SMALLINT": {{"integer", "1.5", "2", "1e38", 1438}, {"int", "7", "7", "'x'", 1722}, {"smallint", "7", "7", "'x'", 1722}},
		"DECIMAL, DEC, NUMERIC": {
			{"decimal(4,1)", "1.25", "1.3", "1000", 1438}, {"dec", "1.5", "2", "'x'", 1722}, {"numeric(3)", "1.5", "2", "1000", 1438},
		},
		"FLOAT, FLOAT(b), REAL, DOUBLE PRECISION": {
			{"float", "3.14159", "3.14159", "'x'", 1722},
			{"float(4)", "123", "120", "'x'", 1722},
			{"real", "1.5", "1.5", "'x'", 1722},
			{"double precision", "1.5", "1.5", "'x'", 1722},
		},
		"BINARY_FLOAT, BINARY_DOUBLE": {
			{"binary_float", "1.1", "1.100000023841858", "sysdate", 932}, {"binary_double", "to_binary_double('NaN')", "NaN", "hextoraw('00')", 932},
		},
		"VARCHAR2(n [BYTE|CHAR]), VARCHAR(n)": {
			{"varchar2(4)", "'äb'", "äb", "'äöü'", 12899},
			{"varchar2(3 byte)", "''", "NULL", "'abcd'", 12899},
			{"varchar2(3 char)", "'äöü'", "äöü", "'abcd'", 12899},
			{"varchar(4000)", "rpad('x', 4000)", "x" + strings.Repeat(" ", 3999), "empty_blob()", 932},
		},
		"NVARCHAR2(n)":                        {{"nvarchar2(2)", "N'☃ü'", "☃ü", "'abc'", 12899}},
		"CHAR[(n [BYTE|CHAR])], CHARACTER":    {{"char", "'a'", "a", "'ab'", 12899}, {"char(3 char)", "'ä'", "ä  ", "'abcd'", 12899}, {"character(2)", "'a'", "a ", "'abc'", 12899}},
		"NCHAR[(n)]":                          {{"nchar", "'ä'", "ä", "'ab'", 12899}, {"nchar(2)", "'ä'", "ä ", "'abc'", 12899}},
		"DATE":                                {{"date", "timestamp '2026-01-31 10:11:12.9'", "2026-01-31 10:11:12", "'31.01.2026'", 1843}},
		"TIMESTAMP[(p)]":                      {{"timestamp", "timestamp '2026-01-31 10:11:12.1234567'", "2026-01-31 10:11:12.123457", "5", 932}, {"timestamp(9)", "sysdate", "2026-03-29 13:45:59", "'x'", 1858}},
		"TIMESTAMP[(p)] WITH TIME ZONE":       {{"timestamp(3) with time zone", "timestamp '2026-01-31 10:00:00.5 +05:30'", "2026-01-31 10:00:00.5 +05:30", "timestamp '2026-01-31 10:00:00 Europe/Berlin'", 1882}},
		"TIMESTAMP[(p)] WITH LOCAL TIME ZONE": {{"timestamp with local time zone", "timestamp '2026-01-31 10:00:00 +02:00'", "2026-01-31 08:00:00 +00:00", "5", 932}},
		"INTERVAL YEAR[(p)] TO MONTH":         {{"interval year to month", "interval '12-3' year to month", "+12-03", "interval '100' year(3)", 1873}},
		"INTERVAL DAY[(p)] TO SECOND[(f)]":    {{"interval day(3) to second(1)", "interval '1 02:03:04.56' day to second", "+01 02:03:04.600000", "numtodsinterval(1000, 'DAY')", 1873}},
		"RAW(n)":                              {{"raw(2)", "hextoraw('beef')", "beef", "hextoraw('beef00')", 12899}},
		"CLOB, NCLOB":                         {{"clob", "empty_clob()", "clob()", "5", 932}, {"nclob", "'☃'", "clob(☃)", "sysdate", 932}},
		"BLOB":                                {{"blob", "hextoraw('00ff')", "blob(00ff)", "'no hex'", 1465}},
	}
	documented(t, "Types of columns", slices.Collect(maps.Keys(tests)))
	for name, columns := range tests {
		t.Run(name, func(t *testing.T) {
			for _, col := range columns {
				c := openDatabase(t).app(t)
				c.exec("create table y (a " + col.declared + ")")
				c.exec("insert into y values (" + col.in + ")")
				c.want(col.out, "select a from y")
				c.refuse(col.code, "insert into y values ("+col.refused+")")
			}
		})
	}
}

// step is one statement of a scene: by APP in FREEPDB1 unless as names another user, with what it answers.
type step struct {
	as, sql string
	want    string // of a query
	code    int    // of a refusal
}

func do(statements ...string) []step {
	var list []step
	for _, sql := range statements {
		list = append(list, step{sql: sql})
	}
	return list
}

func ask(want, sql string) step       { return step{sql: sql, want: want} }
func fails(code int, sql string) step { return step{sql: sql, code: code} }
func by(user, sql string) step        { return step{as: user, sql: sql} }

// play runs the scenes of a table's rows, each in a database of its own.
func play(t *testing.T, scenes map[string][][]step) {
	t.Helper()
	for name, parts := range scenes {
		t.Run(name, func(t *testing.T) {
			db := openDatabase(t)
			clients := make(map[string]*client)
			for _, s := range slices.Concat(parts...) {
				c := clients[s.as]
				if c == nil {
					user, service, _ := strings.Cut(s.as, "@")
					if user == "" {
						user = "app"
					}
					if service == "" {
						service = "FREEPDB1"
					}
					c = db.connect(t, service, user)
					clients[s.as] = c
				}
				values := nothings(s.sql)
				switch {
				case s.code != 0:
					c.refuse(s.code, s.sql, values...)
				case s.want != "":
					c.want(s.want, s.sql)
				default:
					c.exec(s.sql, values...)
				}
			}
		})
	}
}

// nothings are NULLs for the binds of a statement.
func nothings(text string) []any {
	p, err := sql.Parse(text)
	if err != nil {
		return nil
	}
	return make([]any, len(uniqueNames(p.Binds)))
}

func TestDocumentedStatements(t *testing.T) {
	created := do("create table t (id number primary key, v varchar2(9) default 'd', n number)", "insert into t (id) values (1)", "commit")
	scenes := map[string][][]step{
		"CREATE TABLE": {
			do("create table p (id number primary key)",
				"create table t (id number default 5 not null, u number constraint u unique, p number references p on delete cascade, q number,"+
					" constraint k primary key (id), foreign key (q) references p (id) on delete set null disable, check (u > 0)) tablespace x pctfree 5",
				"insert into t (q) values (9)"),
			{ask("5|NULL|NULL|9", "select * from t"), fails(2290, "update t set u = 0"), fails(2291, "update t set p = 1")},
			do("create table v (a number, b number invisible, c number generated always as (a + b) virtual)", "insert into v (a, b) values (1, 2)"),
			{ask("1|3", "select * from v")},
		},
		"ALTER TABLE columns": {
			created, do("alter table t add (a date, b number default 7)", "alter table t modify v varchar2(20)", "alter table t drop column a",
				"alter table t rename column b to c"),
			{ask("1|d|NULL|7", "select id, v, n, c from t"), fails(1439, "alter table t modify v date")},
			do("alter table t add unique (v, n)"),
			{fails(12991, "alter table t drop column v")},
			do("alter table t drop column v cascade constraints", "alter table t set unused (c)", "alter table t add (d number, e number) modify n default 2",
				"alter table t drop unused columns"),
			{ask("1|NULL|NULL|NULL", "select * from t")},
		},
		"ALTER TABLE MOVE":      {created, do("alter table t move"), {ask("1", "select id from t")}},
		"ALTER TABLE READ ONLY": {created, do("alter table t read only"), {fails(12081, "delete from t")}, do("alter table t read write", "delete from t")},
		"ALTER TABLE storage": {created, do("alter table t enable row movement", "alter table t shrink space", "alter table t disable row movement",
			"alter table t pctfree 5", "alter table t initrans 2", "alter table t cache", "alter table t parallel 2", "alter table t logging"), {ask("1", "select id from t")}},
		"ALTER TABLE constraints": {created, do("alter table t add constraint c check (n > 0)"), {fails(2290, "update t set n = 0")}, do("alter table t disable constraint c",
			"update t set n = 0", "commit"), {fails(2293, "alter table t enable constraint c")}, do("alter table t drop constraint c", "alter table t add unique (v)",
			"alter table t drop unique (v)", "alter table t add constraint c check (n > 0) disable", "alter table t rename constraint c to e",
			"alter table t modify constraint e disable", "alter table t disable primary key", "insert into t (id) values (1)", "create table p (id number primary key)",
			"alter table t add foreign key (n) references p disable"), {fails(2273, "alter table p drop primary key")}, do("alter table p drop primary key cascade")},
		"ALTER TABLE RENAME TO": {created, do("grant select on t to c##cdc", "alter table t rename to t2"), {
			ask("1", "select id from t2"), fails(942, "select * from t"),
			by("c##cdc", "select * from app.t2"),
		}},
		"ALTER TABLE logging": {
			created, do("alter table t add supplemental log data (all) columns", "alter table t add supplemental log data (primary key, unique, foreign key) columns",
				"alter table t drop supplemental log data (all, unique) columns", "alter table t add supplemental log group g (id, v no log) always, supplemental log data (all) columns"),
			{fails(32588, "alter table t add supplemental log data (primary key) columns"), fails(30567, "alter table t add supplemental log group g (n)")},
			do("alter table t drop supplemental log group g, supplemental log data (all) columns"),
		},
		"DROP TABLE": {
			created, do("create table c (p number references t)"),
			{fails(2449, "drop table t")},
			do("drop table t cascade constraints purge", "drop table c"),
			{fails(942, "select * from c")},
		},
		"CREATE TABLE ORGANIZATION": {
			do("create table i (id number primary key, v varchar2(5)) organization index", "insert into i values (2, 'b')", "insert into i values (1, 'a')", "create table h (id number) organization heap"),
			{
				ask("1|a ; 2|b", "select * from i"), ask("2", "select id from i where rowid = (select max(rowid) from i)"), ask("*", "select substr(rowid, 1, 1) from i where id = 1"),
				fails(25175, "create table j (id number) organization index"), fails(25188, "alter table i drop primary key"), ask("2", "select id from i where rowid > (select min(rowid) from i)"),
			},
		},
		"CREATE TABLE PARTITION BY": {
			do("create table r (k number) partition by range (k) interval (10) (partition p values less than (10))", "insert into r values (99)",
				"create table l (k number) partition by list (k) automatic (partition p values (1))", "insert into l values (2)",
				"create table h (k number) partition by hash (k) partitions 3 enable row movement", "insert into h values (4)",
				"create table s (k number) partition by range (k) (partition p values less than (10), partition q values less than (20))", "insert into s values (3)"),
			{ask("99", "select k from r"), ask("2", "select k from l"), ask("4", "select k from h"), fails(14402, "update s set k = 15")},
			do("alter table s enable row movement", "update s set k = 15"),
			{fails(14400, "insert into s values (20)")},
		},
		"ALTER TABLE partitions": {
			do("create table s (k number) partition by range (k) (partition p values less than (10), partition q values less than (20))", "create table x (k number)",
				"insert into s values (3)", "insert into x values (15)", "alter table s exchange partition q with table x", "alter table s move partition q",
				"alter table s split partition q at (15) into (partition q1, partition q2)", "alter table s add partition z values less than (99)",
				"alter table s rename partition z to y", "alter table s truncate partition p", "alter table s drop partition p",
				"alter table s merge partitions q2, y into partition m"),
			{ask("15", "select k from s"), ask("0", "select count(*) from x"), fails(3001, "alter table s coalesce partition")},
		},
		"CREATE TABLE AS SELECT": {
			created, do("create table c as select * from t", "create table d (a, b) nologging as select id, v || 'x' from t where id = 1"),
			{ask("1|d|NULL", "select * from c"), ask("1|dx", "select a, b from d")},
		},
		"RENAME": {created, do("rename t to t2", "create table t3 (id number)"), {ask("1", "select id from t2"), fails(955, "rename t2 to t3"), fails(4043, "rename t to x")}},
		"FLASHBACK TABLE": {
			created, do("drop table t", "create table t (id number)"),
			{fails(38312, "flashback table t to before drop")},
			do("flashback table t to before drop rename to t2"),
			{ask("1|d|NULL", "select * from t2")},
		},
		"PURGE": {created, do("drop table t", "purge table t"), {fails(38305, "flashback table t to before drop")}, do("create table t (id number)", "drop table t",
			"purge recyclebin"), {fails(38307, "purge table t")}},
		"TRUNCATE TABLE": {created, do("truncate table t"), {ask("0", "select count(*) from t")}},
		"CREATE INDEX, DROP INDEX": {
			created, do("create index i on t (v)", "create unique index u on t (n)", "update t set n = 1"),
			{fails(1, "insert into t (id, n) values (2, 1)")},
			do("drop index u", "drop index i", "insert into t (id, n) values (2, 1)"),
		},
		"CREATE, ALTER, DROP SEQUENCE": {
			created, do("create sequence s start with 5", "alter table t modify n default s.nextval", "insert into t (id) values (s.nextval)"),
			{ask("5|5", "select id, n from t where id > 1"), ask("6|6", "select s.nextval, s.currval from dual")},
			do("alter sequence s increment by 10", "update t set n = s.nextval"),
			{ask("7 ; 17", "select n from t order by n")},
			do("drop sequence s"),
		},
		"CREATE VIEW, DROP VIEW": {
			created, do("create view v as select id from t", "create or replace view v (x) as select id + 1 from t with read only", "grant select on v to c##cdc"),
			{ask("2", "select x from v"), fails(3001, "delete v"), by("c##cdc", "select * from app.v")},
			do("create view w as select * from t", "alter table t add z number"),
			{fails(4063, "select * from w")},
			do("drop view v"),
			{fails(942, "select * from v")},
		},
		"COMMENT ON": {created, do("comment on table t is 'x'", "comment on column t.id is 'it''s'"), {fails(942, "comment on table nothing is 'x'")}},
		"CREATE, ALTER, DROP USER": {{
			by("system", "create user u identified by p quota unlimited on users account lock"), by("system", "alter user u identified by q account unlock password expire"),
			by("system", "drop user u cascade"), by("system@FREE", "create user c##u identified by p container = all"),
			by("system@FREE", "alter user c##u set container_data = all container = current"), by("system@FREE", "drop user c##u"), fails(1031, "create user u identified by p"),
		}},
		"CREATE ROLE, DROP ROLE": {{by("system", "create role r"), by("system@FREE", "create role c##r"), by("system", "drop role r"), by("system@FREE", "drop role c##r"), fails(1031, "create role r")}},
		"GRANT, REVOKE": {
			created, do("create sequence s", "create view v as select * from t"),
			{
				by("system", "create role r"), by("system", "create user u identified by p"),
				by("system", "grant create session, select any table, r to u with admin option"), by("system", "grant execute on sys.dbms_logmnr to r"),
			},
			do("grant select, insert on t to u with grant option", "grant select on s to r", "grant select on v to public", "revoke insert on t from u"),
			{
				by("u", "grant select on app.t to r"), by("system@FREE", "grant logmining to system container = all"), by("system@FREE", "revoke logmining from system container = all"),
				by("system@FREE", "grant create table to c##cdc container = current"), fails(1031, "grant create session to r"),
			},
		},
		"ALTER DATABASE": {{
			by("system@FREE", "alter database add supplemental log data (all) columns"), by("system@FREE", "alter database drop supplemental log data (all) columns"),
			by("system@FREE", "alter database add supplemental log data (primary key, unique index, foreign key) columns"), by("system", "alter pluggable database drop supplemental log data (foreign key) columns"),
			by("system@FREE", "alter database force logging"), by("system@FREE", "alter database no force logging"),
			by("system", "alter pluggable database add supplemental log data"), fails(1031, "alter database add supplemental log data"),
		}},
		"ALTER PLUGGABLE DATABASE": {{
			by("system@FREE", "alter pluggable database freepdb1 close"), by("system@FREE", "alter pluggable database all close immediate"),
			by("system@FREE", "alter pluggable database freepdb1 open read only"), by("system@FREE", "alter pluggable database all open"),
			by("system@FREE", "alter pluggable database freepdb1 open force"), by("system@FREE", "alter pluggable database all except freepdb1 close abort"),
			by("system@FREE", "alter pluggable database freepdb1 save state"), by("system@FREE", "alter pluggable database all discard state"),
			by("system", "alter pluggable database save state"), fails(1031, "alter pluggable database close"),
		}},
		"ALTER SYSTEM": {{by("system", "alter system switch logfile"), by("system", "alter system archive log current"), by("system", "alter system checkpoint"), fails(1031, "alter system switch logfile")}},
		"ALTER SESSION": {do("alter session set nls_date_format = 'YYYY-MM-DD' time_zone = '+02:00'"), {
			ask("2026-03-29|+02:00", "select to_char(sysdate), sessiontimezone from dual"),
			by("system", "alter session set current_schema = app"), by("system@FREE", "alter session set container = freepdb1"), fails(1031, "alter session set container = cdb$root"),
		}},
		"INSERT": {created, do("insert into t values (2, default, null)", "insert into t (id, n) select id + 10, 5 from t"), {ask("1 ; 2 ; 11 ; 12", "select id from t order by 1")}},
		"UPDATE": {created, do("update t x set v = default, (x.n) = (select 5 from dual) where x.id = 1"), {ask("1|d|5", "select * from t")}},
		"DELETE": {created, do("delete t where id = 2", "delete from t x where x.id = 1"), {ask("0", "select count(*) from t")}, do("delete t")},
		"RETURNING": {
			created, do("begin insert into t (id) values (2) returning id into :a; update t set n = 1 where id = 2 returning n into :b; delete t where id = 2 return v into :c; end;"),
			{ask("1", "select count(*) from t")},
		},
		"COMMIT, ROLLBACK, SAVEPOINT": {
			created, do("savepoint s", "update t set n = 1", "rollback to savepoint s"),
			{ask("NULL", "select n from t")},
			do("update t set n = 2", "commit work", "update t set n = 3", "rollback work"),
			{ask("2", "select n from t")},
		},
		"SET TRANSACTION": {
			created, do("set transaction read write name 'x'", "commit", "set transaction isolation level read committed", "commit", "set transaction read only"),
			{fails(1456, "update t set n = 1")},
		},
	}
	documented(t, "Statements", slices.Collect(maps.Keys(scenes)))
	play(t, scenes)
}

func TestDocumentedQueries(t *testing.T) {
	base := do("create table a (id number, x number)", "create table b (id number, y number)", "insert into a values (1, 10)", "insert into a values (2, 20)",
		"insert into b values (2, 200)", "insert into b values (3, 300)", "commit")
	scenes := map[string][][]step{
		"Joins": {base, {
			ask("2", "select a.id from a, b where a.id = b.id"), ask("2", "select a.id from a inner join b on a.id = b.id"),
			ask("1|NULL ; 2|200", "select a.id, y from a left join b on a.id = b.id order by 1"), ask("2|20 ; 3|NULL", "select b.id, x from a right outer join b on a.id = b.id order by 1"),
			ask("3", "select count(*) from a full join b on a.id = b.id"), ask("4", "select count(*) from a cross join b"), ask("2|20|200", "select id, x, y from a join b using (id)"),
			ask("2|20|200", "select * from a natural join b"), ask("1|10|NULL ; 2|20|200 ; 3|NULL|300", "select * from a full join b using (id) order by id"),
		}},
		"Joins with (+)": {base, {
			ask("1|NULL ; 2|200", "select a.id, b.y from a, b where a.id = b.id(+) order by 1"), ask("3", "select b.id from a, b where a.id(+) = b.id and a.id is null"),
			fails(3001, "select * from a, b where b.y(+) = 200"),
		}},
		"OVER": {base, {
			ask("1|1|10|2 ; 2|2|30|2", "select id, row_number() over (partition by 1 order by id), sum(x) over (order by id), count(*) over () from a order by id"),
			fails(3001, "select sum(x) over (order by id rows 1 preceding) from a"), fails(30483, "select 1 from a where rank() over (order by id) = 1"),
		}},
		"Pages by ROWNUM": {base, {
			ask("2", "select id from (select q.*, rownum r from (select id from a order by id) q where rownum <= 2) where r > 1"),
			ask("2|2", "select * from (select row_.*, rownum rownum_ from (select id from a order by id) row_ where rownum <= 2) where rownum_ > 1"),
			ask("3", "select * from (select * from (select id from b order by id desc) where rownum <= 1)"),
		}},
		"Subqueries": {base, {
			ask("20", "select (select x from a where id = 2) from dual"), ask("2", "select id from a where id in (select id from b)"),
			ask("1", "select id from a where not exists (select 1 from b where b.id = a.id)"), ask("2", "select id from a where x > any (select id * 10 from a)"),
			ask("3", "select id from b where y >= all (select y from b)"), ask("30", "select sum(q.x) from (select x from a) q"),
		}},
		"WITH":             {base, {ask("30", "with q as (select x from a), r (s) as (select sum(x) from q) select s from r"), fails(942, "with q as (select 1 x from dual union all select x from q) select * from q")}},
		"GROUP BY, HAVING": {base, {ask("0|20", "select mod(id, 2), sum(x) from a having sum(x) > 10 group by mod(id, 2)"), ask("0|20 ; 1|10", "select mod(id, 2), sum(x) from a group by mod(id, 2) having count(*) = 1 order by 1")}},
		"DISTINCT":         {base, {ask("1", "select count(*) from (select distinct 5 from a)"), ask("5", "select unique 5 from a"), ask("1", "select count(distinct id * 0) from a")}},
		"ORDER BY": {base, {
			ask("2 ; 1", "select id from a order by x desc"), ask("2|200 ; 1|NULL", "select a.id, y z from a left join b on a.id = b.id order by z asc nulls last"),
			ask("1 ; 2", "select a.id from a left join b on a.id = b.id order by y nulls first, 1"), ask("2 ; 1", "select id from a order by -id"),
		}},
		"OFFSET, FETCH":           {base, {ask("2", "select id from a order by id offset 1 row fetch next 1 rows only"), ask("1", "select id from a order by id fetch first row only"), ask("1", "select id from a order by id fetch first 50 percent rows only"), ask("1 ; 2", "select id from a order by id * 0 fetch first 1 row with ties")}},
		"UNION, INTERSECT, MINUS": {base, {ask("1 ; 2 ; 3", "select id from a union select id from b order by 1"), ask("2", "select id from a intersect select id from b"), ask("1", "select id from a minus select id from b"), ask("4", "select count(*) from (select id from a union all (select id from b))")}},
		"AS OF":                   {base, {ask("2", "select count(*) from a as of timestamp systimestamp"), fails(8181, "select * from a as of scn 1"), fails(8181, "select * from a as of scn 99999999999999")}},
		"PARTITION": {do("create table z (a number)", "create table r (id number) partition by range (id) (partition p1 values less than (10), partition p2 values less than (20))", "insert into r select level2 from (select 5 level2 from dual union all select 15 from dual)"), {
			ask("15", "select id from r partition (p2)"), ask("5", "select x.id from r partition (p1) x where id < 20"), fails(2149, "select * from r partition (p3)"), fails(14501, "select * from (select 1 a from dual), z partition (p1)"),
		}},
		"SAMPLE":         {base, {ask("0", "select count(*) from a sample (0.000001)"), ask("0", "select count(*) from a sample block (0.000001) seed (5)"), fails(30562, "select * from a sample (100)")}},
		"FOR UPDATE":     {base, {ask("1", "select id from a where id = 1 for update nowait"), ask("2", "select id from a where id = 2 for update of x wait 1"), fails(3001, "select * from a, b for update")}},
		"Pseudo columns": {base, {ask("1", "select id from a where rownum = 1"), ask("1", "select count(*) from a where rowid = (select rowid from a where id = 2)"), ask("2", "select count(*) from a where ora_rowscn > 0")}},
		"Operators": {base, {
			ask("1 ; 2", "select id from a where -id + 2 * 3 / 6 - 0 <= 0 and 'a' || id like 'a_' or not (id in (1, 2)) and x between 1 and 5 order by 1"),
			ask("1", "select id from a where 'a%' like 'a\\%' escape '\\' and id < 2"), ask("2", "select id from a where x is not null and id <> 1 and id != 3 and exists (select 1 from b)"),
			ask("2", "select id from a where (id, x) = ((2, 20)) and (id, x) = (select max(id), max(x) from a)"), fails(920, "select id from a where (id, x) = (2, 20)"),
		}},
		"Expressions": {base, {ask("one|2|2026|x", "select case id when 1 then 'one' end, cast('2' as number), extract(year from date '2026-01-01'), trim(both ' ' from ' x ') from a where id = 1"), ask("2026-01-01 03:00:00 +02:00|2026-01-01 01:00:00 +00:00", "select timestamp '2026-01-01 01:00:00 +00:00' at time zone '+02:00', timestamp '2026-01-01 01:00:00 +00:00' at local from dual")}},
		"Literals":    {{ask("it's|x'y|ü|ü'x|-1.5|150|0.5|2026-01-02 00:00:00|2026-01-02 03:04:05.5|+01 00:00:00.000000", "select 'it''s', q'[x'y]', N'ü', Nq'{ü'x}', -1.5, 1.5e2, 0.5d, date '2026-01-02', timestamp '2026-01-02 03:04:05.5', interval '1' day from dual")}},
	}
	documented(t, "Queries", slices.Collect(maps.Keys(scenes)))
	play(t, scenes)
}

func TestDocumentedBlocks(t *testing.T) {
	created := do("create table t (id number primary key, v varchar2(9))")
	scenes := map[string][][]step{
		"BEGIN ... END":     {created, do("begin insert into t values (1, 'a'); savepoint s; update t set v = 'b'; null; commit; end;"), {fails(1, "begin insert into t values (2, 'x'); insert into t values (1, 'y'); end;"), ask("1|b", "select * from t")}},
		"CALL":              {do("call dbms_application_info.set_module('m', 'a')"), {ask("m", "select sys_context('userenv', 'module') from dual")}},
		"DECLARE":           {created, do("declare a constant number := 1; b t.v%type default 'x'; e exception; pragma exception_init(e, -1); cursor c is select 1 from t; begin insert into t values (a, b); end;"), {ask("1|x", "select * from t")}},
		"Assignments":       {created, do("declare a number; begin a := 2 + 3; :x := a; insert into t values (a, null); end;"), {ask("5", "select id from t")}},
		"SELECT INTO":       {created, do("insert into t values (1, 'a')", "declare a number; begin select id, v into a, :x from t; update t set id = a + 1; end;"), {ask("2", "select id from t"), fails(1403, "declare a number; begin select id into a from t where id = 9; end;")}},
		"OPEN ... FOR":      {created, do("begin open :c for select * from t; end;")},
		"EXECUTE IMMEDIATE": {created, do("begin execute immediate 'insert into t values (' || 1 || ', null)'; execute immediate 'drop table t'; end;"), {fails(942, "select * from t")}, created, do("declare n number; begin execute immediate 'insert into t values (:1, :2)' using 1 + 1, 'x'; execute immediate 'select count(*) from t where id = :n' into n using 2; insert into t values (n, null); end;"), {ask("1 ; 2", "select id from t order by 1")}},
		"IF":                {created, do("begin if 1 = 2 then null; elsif null > 1 then insert into t values (1, 'a'); else insert into t values (2, 'b'); end if; end;"), {ask("2", "select id from t")}},
		"LOOP, WHILE, FOR": {
			created, do("declare n number := 0; cursor c is select id from t; begin for i in 1..3 loop insert into t values (i, 'x'); end loop; for i in reverse 4..5 loop continue when i = 5; insert into t values (i, 'y'); end loop;" +
				" while n < 2 loop n := n + 1; end loop; loop exit when n > 9; n := n * 5; end loop; for r in (select id, v from t) loop update t set v = r.v || r.id where id = r.id; end loop; for r in c loop n := n + r.id; end loop; insert into t values (n, null); return; delete t; end;"),
			{ask("1|x1 ; 2|x2 ; 3|x3 ; 4|y4 ; 20|NULL", "select * from t order by id")},
		},
		"EXCEPTION": {
			created, do("declare e exception; pragma exception_init(e, -1400); n number; begin begin insert into t values (1, 'a'); insert into t values (1, 'b'); exception when dup_val_on_index then update t set v = 'dup'; end;" +
				" begin insert into t values (null, null); exception when no_data_found or e then n := sqlcode; end; insert into t values (n, substr(:a, 1, 1)); select id into n from t where 1 = 2; exception when others then n := sqlcode; insert into t values (n, null); end;"),
			{ask("-1400|NULL ; 1|dup ; 100|NULL", "select * from t order by id"), fails(1403, "declare n number; begin select id into n from t where 1 = 2; exception when no_data_found then raise; end;"), fails(3001, "begin execute immediate 'lock table t in exclusive mode'; exception when others then null; end;")},
		},
		"RAISE_APPLICATION_ERROR": {{fails(20001, "begin raise_application_error(-20001, 'no'); end;"), fails(21000, "begin raise_application_error(1, 'no'); end;")}},
		"SQL attributes":          {created, do("declare n number; begin insert into t select 1, 'a' from dual; if sql%found then n := sql%rowcount; insert into t values (10 + n, null); end if; delete t where id = 5; if sql%notfound then update t set v = 'z'; end if; end;"), {ask("1|z ; 11|z", "select * from t order by id")}},
		"Procedure calls":         {do("begin dbms_application_info.set_module(action_name => 'two', module_name => 'one'); end;"), {ask("one|two", "select sys_context('userenv', 'module'), sys_context('userenv', 'action') from dual"), fails(6550, "begin nothing.at_all; end;")}},
		"DBMS_APPLICATION_INFO": {
			do("begin dbms_application_info.set_module('m', 'a'); dbms_application_info.set_action('b'); dbms_application_info.set_client_info('i'); end;"),
			{ask("m|b|i", "select sys_context('userenv', 'module'), sys_context('userenv', 'action'), sys_context('userenv', 'client_info') from dual")},
		},
		"DBMS_SESSION": {
			do("begin dbms_session.set_identifier('me'); end;"),
			{ask("me", "select sys_context('userenv', 'client_identifier') from dual")},
			do("begin dbms_session.clear_identifier; dbms_session.reset_package; dbms_session.modify_package_state(1); dbms_session.free_unused_user_memory; dbms_session.sleep(0); end;"),
			{ask("NULL", "select sys_context('userenv', 'client_identifier') from dual")},
		},
		"DBMS_STATS":  {do("create table z (id number)", "insert into z values (1)", "begin dbms_stats.gather_table_stats('APP', 'Z'); dbms_stats.set_table_stats(ownname => user, tabname => 'Z', numrows => 5, numblks => 2); end;"), {fails(20000, "begin dbms_stats.gather_table_stats(user, 'NONE'); end;")}},
		"DBMS_LOCK":   {{by("system", "begin dbms_lock.sleep(0.01); end;"), fails(6550, "begin dbms_lock.sleep(0); end;")}},
		"DBMS_OUTPUT": {do("begin dbms_output.enable(1000); dbms_output.put('a'); dbms_output.put_line('b'); dbms_output.new_line; dbms_output.disable; end;"), {fails(6550, "begin dbms_output.get_line(:a, :b); end;")}},
	}
	for _, row := range documented(t, "PL/SQL", slices.Collect(maps.Keys(scenes))) {
		var all strings.Builder
		for _, s := range slices.Concat(scenes[row.Name]...) {
			all.WriteString(strings.ToUpper(s.sql))
		}
		for _, word := range row.Words() {
			if word = strings.TrimRight(word, ":,"); strings.Contains(word, "_") && word == strings.ToUpper(word) && !strings.Contains(all.String(), word) {
				t.Errorf("%s: %s has no test", row.Name, word)
			}
		}
	}
	play(t, scenes)
}

// Every function that doc.go names, with arguments and what it yields.
func TestDocumentedFunctions(t *testing.T) {
	tests := map[string][2]string{
		"COUNT": {"count(*)", "1"}, "SUM": {"sum(5)", "5"}, "MIN": {"min('a')", "a"}, "MAX": {"max(date '2026-01-01')", "2026-01-01 00:00:00"}, "AVG": {"avg(2)", "2"},
		"UPPER": {"upper('a')", "A"}, "LOWER": {"lower('A')", "a"}, "INITCAP": {"initcap('a b')", "A B"}, "SUBSTR": {"substr('abc', 2)", "bc"}, "INSTR": {"instr('abc', 'c')", "3"},
		"LENGTH": {"length('ä')", "1"}, "LENGTHB": {"lengthb('ä')", "2"}, "LTRIM": {"ltrim(' a')", "a"}, "RTRIM": {"rtrim('a ')", "a"}, "LPAD": {"lpad('a', 2, 'b')", "ba"},
		"RPAD": {"rpad('a', 2, 'b')", "ab"}, "REPLACE": {"replace('ab', 'b', 'c')", "ac"}, "TRANSLATE": {"translate('ab', 'b', 'c')", "ac"}, "CONCAT": {"concat('a', 'b')", "ab"},
		"ASCII": {"ascii('a')", "97"}, "CHR": {"chr(97)", "a"},
		"EMPTY_CLOB": {"empty_clob()", "clob()"}, "EMPTY_BLOB": {"empty_blob()", "blob()"}, "TO_CLOB": {"to_clob('a')", "clob(a)"}, "TO_NCLOB": {"to_nclob('a')", "clob(a)"},
		"TO_BLOB": {"to_blob(hextoraw('00'))", "blob(00)"}, "DBMS_LOB.GETLENGTH": {"dbms_lob.getlength(to_clob('ab'))", "2"}, "DBMS_LOB.SUBSTR": {"dbms_lob.substr(to_clob('abc'), 1, 2)", "b"},
		"DBMS_LOB.INSTR": {"dbms_lob.instr(to_clob('abc'), 'c')", "3"}, "DBMS_LOB.COMPARE": {"dbms_lob.compare(to_clob('a'), to_clob('a'))", "0"},
		"ABS": {"abs(-1)", "1"}, "MOD": {"mod(5, 3)", "2"}, "ROUND": {"round(date '2026-07-01', 'YYYY')", "2027-01-01 00:00:00"}, "TRUNC": {"trunc(1.9)", "1"}, "FLOOR": {"floor(-1.5)", "-2"},
		"CEIL": {"ceil(1.5)", "2"}, "SIGN": {"sign(-5)", "-1"}, "POWER": {"power(2, 3)", "8"}, "SQRT": {"sqrt(9)", "3"}, "BITAND": {"bitand(6, 3)", "2"},
		"SYSDATE": {"sysdate", "2026-03-29 13:45:59"}, "SYSTIMESTAMP": {"systimestamp", "2026-03-29 13:45:59.123456 +00:00"}, "CURRENT_DATE": {"current_date", "2026-03-29 13:45:59"},
		"CURRENT_TIMESTAMP": {"current_timestamp", "2026-03-29 13:45:59.123456 +00:00"}, "LOCALTIMESTAMP": {"localtimestamp", "2026-03-29 13:45:59.123456"},
		"ADD_MONTHS": {"add_months(date '2026-01-31', 1)", "2026-02-28 00:00:00"}, "MONTHS_BETWEEN": {"months_between(date '2026-03-15', date '2026-02-14')", "1.03225806451612903225806451612903225806"}, "NEXT_DAY": {"next_day(date '2026-03-29', 'Monday')", "2026-03-30 00:00:00"},
		"LAST_DAY":        {"last_day(date '2026-02-01')", "2026-02-28 00:00:00"},
		"SYS_EXTRACT_UTC": {"sys_extract_utc(timestamp '2026-01-01 02:00:00 +02:00')", "2026-01-01 00:00:00"}, "FROM_TZ": {"from_tz(timestamp '2026-01-01 00:00:00', '+01:00')", "2026-01-01 00:00:00 +01:00"},
		"TZ_OFFSET": {"tz_offset('+01:00')", "+01:00"}, "DBTIMEZONE": {"dbtimezone", "+00:00"}, "SESSIONTIMEZONE": {"sessiontimezone", "+00:00"},
		"SCN_TO_TIMESTAMP": {"scn_to_timestamp(timestamp_to_scn(systimestamp))", "2026-03-29 13:45:59.123456"}, "TIMESTAMP_TO_SCN": {"sign(timestamp_to_scn(systimestamp))", "1"},
		"NUMTODSINTERVAL": {"numtodsinterval(90, 'SECOND')", "+00 00:01:30.000000"}, "NUMTOYMINTERVAL": {"numtoyminterval(14, 'MONTH')", "+01-02"},
		"TO_DSINTERVAL": {"to_dsinterval('1 00:00:00')", "+01 00:00:00.000000"}, "TO_YMINTERVAL": {"to_yminterval('1-2')", "+01-02"},
		"TO_CHAR": {"to_char(1234.5, '9,999.00')", " 1,234.50"}, "TO_NCHAR": {"to_nchar(1)", "1"}, "TO_NUMBER": {"to_number('1.5')", "1.5"}, "TO_DATE": {"to_date('2026', 'YYYY')", "2026-03-01 00:00:00"},
		"TO_TIMESTAMP": {"to_timestamp('2026-01-02 03', 'YYYY-MM-DD HH24')", "2026-01-02 03:00:00"}, "TO_TIMESTAMP_TZ": {"to_timestamp_tz('2026-01-02 +01:00', 'YYYY-MM-DD TZH:TZM')", "2026-01-02 00:00:00 +01:00"},
		"TO_BINARY_FLOAT": {"to_binary_float('0.5')", "0.5"}, "TO_BINARY_DOUBLE": {"to_binary_double(1.5)", "1.5"}, "HEXTORAW": {"hextoraw('0a')", "0a"}, "RAWTOHEX": {"rawtohex(hextoraw('0a'))", "0A"},
		"ROWIDTOCHAR": {"rowidtochar(chartorowid('AAASNJAAMAAAACHAAA'))", "AAASNJAAMAAAACHAAA"}, "CHARTOROWID": {"chartorowid('AAASNJAAMAAAACHAAA')", "AAASNJAAMAAAACHAAA"}, "UNISTR": {`unistr('\00e4')`, "ä"},
		"NVL": {"nvl(null, 1)", "1"}, "NVL2": {"nvl2(1, 2, 3)", "2"}, "COALESCE": {"coalesce(null, 2)", "2"}, "NULLIF": {"nullif(1, 1)", "NULL"}, "DECODE": {"decode(1, 1, 'a', 'b')", "a"},
		"GREATEST": {"greatest(1, 2)", "2"}, "LEAST": {"least(1, 2)", "1"}, "SYS_GUID": {"lengthb(sys_guid())", "32"}, "USER": {"user", "APP"}, "UID": {"uid", "100"},
		"SYS_CONTEXT": {"sys_context('userenv', 'con_name')", "FREEPDB1"}, "USERENV": {"userenv('LANG')", "US"}, "DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER": {"sign(dbms_flashback.get_system_change_number)", "1"},
	}
	maps.Copy(tests, map[string][2]string{
		"STDDEV": {"stddev(2)", "0"}, "STDDEV_POP": {"stddev_pop(2)", "0"}, "STDDEV_SAMP": {"stddev_samp(2)", "NULL"}, "VARIANCE": {"variance(2)", "0"}, "VAR_POP": {"var_pop(2)", "0"},
		"VAR_SAMP": {"var_samp(2)", "NULL"}, "MEDIAN": {"median(2)", "2"}, "LISTAGG": {"listagg('a', ',') within group (order by 1)", "a"},
		"ROW_NUMBER": {"row_number() over (order by 1)", "1"}, "RANK": {"rank() over (order by 1)", "1"}, "DENSE_RANK": {"dense_rank() over (order by 1)", "1"},
		"LAG": {"lag(1) over (order by 1)", "NULL"}, "LEAD": {"lead(1, 1, 5) over (order by 1)", "5"}, "FIRST_VALUE": {"first_value(3) over (partition by 1)", "3"},
		"NTILE":                         {"ntile(4) over (order by 1)", "1"},
		"DBMS_ROWID.ROWID_CREATE":       {"dbms_rowid.rowid_create(1, 74569, 12, 135, 0)", "AAASNJAAMAAAACHAAA"},
		"DBMS_ROWID.ROWID_OBJECT":       {"dbms_rowid.rowid_object('AAASNJAAMAAAACHAAB')", "74569"},
		"DBMS_ROWID.ROWID_RELATIVE_FNO": {"dbms_rowid.rowid_relative_fno(chartorowid('AAASNJAAMAAAACHAAB'))", "12"},
		"DBMS_ROWID.ROWID_BLOCK_NUMBER": {"dbms_rowid.rowid_block_number('AAASNJAAMAAAACHAAB')", "135"},
		"DBMS_ROWID.ROWID_ROW_NUMBER":   {"sys.dbms_rowid.rowid_row_number('AAASNJAAMAAAACHAAB')", "1"},
		"LAST_VALUE":                    {"last_value(3) over (order by 1)", "3"},
	})
	rows, err := doctable.Read("doc.go", "Functions")
	if err != nil {
		t.Fatal(err)
	}
	db := openDatabase(t)
	db.connect(t, "FREEPDB1", "system").exec("grant execute on sys.dbms_flashback to app")
	c := db.app(t)
	named := make(map[string]bool)
	for _, row := range rows {
		for _, name := range row.Words() {
			named[name] = true
			test, ok := tests[name]
			if !ok {
				t.Errorf("%s has no test", name)
				continue
			}
			if !strings.Contains(strings.ToUpper(test[0]), name) {
				t.Errorf("the test of %s does not call it: %s", name, test[0])
			}
			c.want(test[1], "select "+test[0]+" from dual")
		}
	}
	for name := range tests {
		if !named[name] {
			t.Errorf("%s is not in doc.go", name)
		}
	}
}
