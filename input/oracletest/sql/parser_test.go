package sql

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// Precedence shows in the fingerprint, which writes every operator in front of its operands.
func TestPrecedence(t *testing.T) {
	for _, row := range []struct{ text, same string }{
		{"1 + 2 * 3", "1 + (2 * 3)"},
		{"1 - 2 - 3", "(1 - 2) - 3"},
		{"1 + 2 || 3 - 4", "((1 + 2) || 3) - 4"},
		{"8 / 2 / 2 * 3", "((8 / 2) / 2) * 3"},
		{"- a * b", "(- a) * b"},
		{"a.b + \"A\".\"B\"", "A.B + a.b"},
	} {
		a, err := ParseExpression(row.text)
		if err != nil {
			t.Fatalf("%s: %v", row.text, err)
		}
		b, err := ParseExpression(row.same)
		if err != nil {
			t.Fatalf("%s: %v", row.same, err)
		}
		if Fingerprint(a) != Fingerprint(b) {
			t.Errorf("%s\n is %s\nnot %s", row.text, Fingerprint(a), Fingerprint(b))
		}
	}
	for _, row := range []struct{ text, same string }{
		{"not a = 1 and b = 2 or c = 3", "((not (a = 1)) and (b = 2)) or (c = 3)"},
		{"a = 1 or b = 2 and c = 3", "a = 1 or (b = 2 and c = 3)"},
		{"a between 1 and 2 and b is null", "(a between 1 and 2) and (b is null)"},
		{"a || 'x' like 'b%'", "(a || 'x') like 'b%'"},
		{"not exists (select 1 from dual) or a in (1, 2)", "(not (exists (select 1 from dual))) or (a in (1, 2))"},
		{"(((a))) = ((1))", "a = 1"},
	} {
		a, b := where(t, row.text), where(t, row.same)
		if strings.Contains(row.text, "exists") {
			// Subqueries have no fingerprint; the shape around them is enough.
			a, b = reflect.TypeOf(a), reflect.TypeOf(b)
		}
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s\n is %v\nnot %v", row.text, a, b)
		}
	}
}

func where(t *testing.T, condition string) any {
	t.Helper()
	p, err := Parse("select 1 from dual where " + condition)
	if err != nil {
		t.Fatalf("%s: %v", condition, err)
	}
	q, ok := p.Statement.(*Query)
	if !ok {
		t.Fatalf("%s is a %T", condition, p.Statement)
	}
	if strings.Contains(condition, "exists") {
		return q.Select.Where
	}
	return Fingerprint(q.Select.Where)
}

// Every row is a form of a statement that the grammar knows, and the type of its tree.
func TestStatements(t *testing.T) {
	for _, row := range []struct{ text, kind string }{
		{"select 1 from dual", "Query"},
		{"  (select 1 from dual) ", "Query"},
		{"with a as (select 1 x from dual) select * from a", "Query"},
		{"select a, b c, d as \"E\" from t x where x.a = :1 group by a having count(*) > 1 order by 1 desc nulls last", "Query"},
		{"select * from (select 1 from dual) q, t left outer join u on t.a = u.a cross join v join w using (a, b)", "Query"},
		{"select a from t as of scn :s x for update of x.a wait 5", "Query"},
		{"select a from t union all select b from u minus (select 1 from dual) intersect select 2 from dual", "Query"},
		{"select a from t offset 5 rows fetch next :n rows only", "Query"},
		{"insert into t values (1, default, null)", "Insert"},
		{"insert into o.t (a, \"b\") select 1, 2 from dual", "Insert"},
		{"insert into t (a) (select 1 from dual)", "Insert"},
		{"update t x set x.a = 1, (b, c) = (select 1, 2 from dual), d = default where rowid = :r", "Update"},
		{"delete t where a = 1", "Delete"},
		{"delete from o.t x", "Delete"},
		{"commit work", "Commit"},
		{"rollback to savepoint s", "Rollback"},
		{"savepoint s", "Savepoint"},
		{"set transaction read write", "SetTransaction"},
		{"create table t (a number(*,2) default 1 not null primary key, constraint c unique (a, b), b timestamp(3) with local time zone null)", "CreateTable"},
		{"create unique index i on t (a asc, b) tablespace x", "CreateIndex"},
		{"create user u identified by \"p\" quota unlimited on users", "CreateUser"},
		{"create table t (a number references p, b number constraint k check (b > a or b is null) disable, foreign key (a, b) references o.p (x, y) on delete cascade)", "CreateTable"},
		{"create sequence o.s start with -5 increment by -1 maxvalue 0 nominvalue cycle nocache noorder", "Sequence"},
		{"alter sequence s cache 50", "Sequence"},
		{"drop sequence s", "DropSequence"},
		{"create or replace view o.v (a, b) as select 1, 2 from dual with read only", "CreateView"},
		{"drop view v cascade constraints", "DropView"},
		{"alter table t add (constraint c check (a > 1))", "AlterTable"},
		{"alter table t disable constraint c", "AlterTable"},
		{"alter table t enable validate primary key", "AlterTable"},
		{"alter table t drop unique (a, b) cascade", "AlterTable"},
		{"declare a number := 1; b t.c%type; begin a := b; open :c for select 1 from dual; end;", "Block"},
		{"insert into t values (1) returning a, b into :x, :y", "Insert"},
		{"create role r not identified", "CreateRole"},
		{"drop role r", "DropRole"},
		{"set transaction read only name 'x'", "SetTransaction"},
		{"drop table o.t cascade constraints purge", "DropTable"},
		{"drop index i", "DropIndex"},
		{"drop user u cascade", "DropUser"},
		{"truncate table t drop storage", "Truncate"},
		{"alter table t add a number", "AlterTable"},
		{"alter table t add (a number, b date)", "AlterTable"},
		{"alter table t add constraint c primary key (a) using index enable", "AlterTable"},
		{"alter table t modify (a not null, b varchar2(5))", "AlterTable"},
		{"alter table t drop column a cascade constraints", "AlterTable"},
		{"alter table t rename column a to b", "AlterTable"},
		{"alter table t add supplemental log data (all) columns", "AlterTable"},
		{"alter table t drop supplemental log data (primary key, unique, foreign key) columns", "AlterTable"},
		{"alter database add supplemental log data", "AlterDatabase"},
		{"alter pluggable database drop supplemental log data (all) columns", "AlterDatabase"},
		{"alter system switch logfile", "AlterSystem"},
		{"alter system archive log current", "AlterSystem"},
		{"alter session set nls_date_format = 'YYYY' time_zone = '-01:00'", "AlterSession"},
		{"alter session set container = cdb$root", "AlterSession"},
		{"alter user u identified by p account unlock", "AlterUser"},
		{"alter user u set container_data = all container = current", "AlterUser"},
		{"grant select any table, create session to u, public container = all", "Grant"},
		{"revoke select on t from u", "Grant"},
		{"comment on table o.t is 'x'", "Comment"},
		{"comment on column o.t.c is 'x'", "Comment"},
		{"begin null; end;", "Block"},
		{"BEGIN\n p.q(a => 1, :b); commit; :x := 5; execute immediate 'drop table t'; END;\n", "Block"},
		{"call p.q(1)", "Block"},
	} {
		p, err := Parse(row.text)
		if err != nil {
			t.Errorf("%s: %v", row.text, err)
			continue
		}
		if got := reflect.TypeOf(p.Statement).Elem().Name(); got != row.kind {
			t.Errorf("%s is a %s, want %s", row.text, got, row.kind)
		}
	}
}

func TestBindsAreNumberedInTheOrderOfTheText(t *testing.T) {
	p, err := Parse("select :b, :1 from t where x in (:a, :B) and y = ':no' -- :no\n and z = :\"Q\"")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.Binds); got != "[B 1 A B Q]" {
		t.Errorf("binds %s", got)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, row := range []struct {
		code, pos int
		text      string
	}{
		{900, 0, ""},
		{900, 0, "what is this"},
		{900, 0, "'text'"},
		{936, 7, "select from t"},
		{923, 8, "select 1"},
		{923, 9, "select 1 where 1 = 1"},
		{903, 14, "select * from 5"},
		{936, 23, "select 1 from t where ("},
		{907, 18, "select (1 + 2 * 3 from t"},
		{933, 18, "select 1 from t x 5"},
		{936, 25, "select * from t where a ="},
		{925, 7, "insert t values (1)"},
		{926, 14, "insert into t 5"},
		{917, 24, "insert into t values (1 2)"},
		{971, 11, "update t a = 1"},
		{927, 15, "update t set a 1"},
		{901, 7, "create 5"},
		{906, 15, "create table t a number"},
		{902, 18, "create table t (a 5)"},
		{906, 26, "create table t (a varchar2)"},
		{904, 16, "create table t (1 number)"},
		{1735, 14, "alter table t 5"},
		{2248, 18, "alter session set "},
		{3290, 9, "truncate t"},
		{950, 5, "drop 5"},
		{940, 6, "alter 5"},
		{911, 7, "select ~ from t"},
		{1756, 7, "select 'a from t"},
		{972, 7, "select \"" + strings.Repeat("x", 129) + "\" from t"},
		{905, 14, "select case 1 from t"},
		{905, 30, "select case when a = 1 then 2 5 from t"},
		{3001, 0, "merge into t"},
		{3001, 7, "create synonym s for t"},
		{1027, 38, "create view v as select :1 x from dual"},
		{4001, 31, "create sequence s increment by 1.5"},
		{1027, 38, "create table t (a number check (a > :1))"},
	} {
		_, err := Parse(row.text)
		var syntax *Error
		if !errors.As(err, &syntax) {
			t.Errorf("%s: %v", row.text, err)
			continue
		}
		if syntax.Code != row.code {
			t.Errorf("%s: %v, want ORA-%05d", row.text, err, row.code)
		}
		if syntax.Pos != row.pos {
			t.Errorf("%s: %v at %d, want %d", row.text, err, syntax.Pos, row.pos)
		}
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	for _, text := range []string{
		"select " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + " from dual",
		"select " + strings.Repeat("-", 1) + strings.Repeat("+-", 5000) + "1 from dual",
		"select 1 from dual where " + strings.Repeat("not ", 5000) + "1 = 1",
		strings.Repeat("select * from (", 5000) + "select 1 from dual" + strings.Repeat(")", 5000),
	} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%.40s... parses", text)
		}
	}
}

// FuzzParse: no text brings the parser down, and a refusal points into the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"select a.b, count(*) c from t as of scn :1 a left join (select 1 from dual) on 1 = 1 where x like 'a%' escape '\\' order by 1",
		"insert into t (a) values (q'[x]', N'y', date '2026-01-01', interval '1' day, 1.5e3f)", "update t set (a, b) = (select 1, 2 from dual)",
		"create table t (a number(5,-2) default sysdate not null, primary key (a))", "alter table t modify (a varchar2(5 char))",
		"begin p.q(a => :b); select 1 into :x from dual; end;", "alter session set a = 'b'", "select case when 1=1 then 2 end, trim(both 'x' from y), extract(year from d), cast(a as date) from t",
		"with a (b) as (select 1 from dual) select * from a union (select 2 from dual) fetch first 5 rows only", "select \"x", "/*", "--", ":", "q'", "n'", "\x00", "é",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err == nil {
			if p.Statement == nil {
				t.Fatal("no error and no statement")
			}
			return
		}
		var syntax *Error
		if !errors.As(err, &syntax) || syntax.Pos < 0 || syntax.Pos > len(text) || syntax.Code == 0 {
			t.Fatalf("%#v", err)
		}
	})
}
