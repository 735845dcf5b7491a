package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// Each row is a block as set-up scripts and migrations write it, and what a table of its own shows afterwards.
func TestBlocksWithControl(t *testing.T) {
	for _, row := range []struct{ name, block, want string }{
		{"drop if it exists", `begin
			execute immediate 'drop table nothing';
		exception
			when others then
				if sqlcode != -942 then raise; end if;
		end;`, ""},
		{"create unless it is there", `declare n number;
		begin
			select count(*) into n from t where 1 = 2;
			if n = 0 then execute immediate 'insert into t values (1, ''made'')'; end if;
		end;`, "1|made"},
		{"rows of a loop", `begin
			for i in 1 .. 3 loop
				insert into t (id) values (i);
				if mod(i, 2) = 0 then update t set v = 'even' where id = i; end if;
			end loop;
		end;`, "1|NULL ; 2|even ; 3|NULL"},
		{"nested loops", "begin for i in 1..2 loop for j in 1..3 loop exit when j = 3; continue when i = j; insert into t values (i * 10 + j, null); end loop; end loop; end;", "12|NULL ; 21|NULL"},
		{"a loop that shadows", "declare i number := 7; begin for i in 1..1 loop insert into t (id) values (i); end loop; insert into t (id) values (i); end;", "1|NULL ; 7|NULL"},
		{"an empty range", "begin for i in 2..1 loop insert into t (id) values (i); end loop; end;", ""},
		{"bounds are rounded", "begin for i in 0.5..1.4 loop insert into t (id) values (i); end loop; end;", "1|NULL"},
		{"a loop sees what was there", "begin insert into t (id) values (1); for r in (select id from t) loop insert into t (id) values (r.id + 1); end loop; end;", "1|NULL ; 2|NULL"},
		{"a variable of an inner block", "declare a number := 1; begin declare a number := 2; b number := 5; begin insert into t values (a, b); end; insert into t (id) values (a + 2); end;", "2|5 ; 3|NULL"},
		{"an inner block changes an outer variable", "declare a number := 1; begin begin a := 4; end; insert into t (id) values (a); end;", "4|NULL"},
		{"what a failed block did stays", "begin begin insert into t (id) values (1); insert into t (id) values (1); exception when dup_val_on_index then null; end; insert into t (id) values (2); end;", "1|NULL ; 2|NULL"},
		{"a failed statement is undone alone", "begin insert into t (id) values (1); begin insert into t (id) select 3 - level_ from (select 1 level_ from dual union all select 2 from dual) ; exception when dup_val_on_index then update t set v = 'kept'; end; end;", "1|kept"},
		{"an exception of its own", "declare e exception; n number; m varchar2(40); begin raise e; exception when e then n := sqlcode; m := sqlerrm; insert into t values (n, substr(m, 1, 9)); end;", "1|User-Defi"},
		{"an exception by its number", "declare e exception; pragma exception_init(e, -20005); begin raise_application_error(-20005, 'x'); exception when e then insert into t (id) values (5); end;", "5|NULL"},
		{"the text of an error", "declare m varchar2(99); begin raise_application_error(-20005, 'my text'); exception when others then m := sqlerrm; insert into t values (length(m), substr(m, 12)); end;", "18|my text"},
		{"the innermost handler", "begin begin raise no_data_found; exception when too_many_rows then insert into t (id) values (1); end; exception when no_data_found then insert into t (id) values (2); end;", "2|NULL"},
		{"a handler that raises", "begin begin raise zero_divide; exception when others then raise; end; exception when zero_divide then insert into t (id) values (3); end;", "3|NULL"},
		{"a division", "declare n number; begin n := 1 / 0; exception when zero_divide then insert into t (id) values (4); end;", "4|NULL"},
		{"a value error", "declare n number; begin n := 'x'; exception when value_error then insert into t (id) values (6); end;", "6|NULL"},
		{"an invalid number", "declare n number; begin select to_number('x') into n from dual; exception when invalid_number then insert into t (id) values (7); end;", "7|NULL"},
		{"dynamic faults", "begin execute immediate 'begin nope; end;'; exception when others then if sqlcode = -6550 then insert into t (id) values (8); end if; end;", "8|NULL"},
		{"no row for SELECT INTO", "declare n number := 1; begin begin select id into n from t; exception when no_data_found then n := 9; end; insert into t (id) values (n); end;", "9|NULL"},
		{"counts", "declare n number; begin insert into t (id) values (1); update t set v = 'a' where id = 2; n := sql%rowcount; if sql%notfound and n = 0 then execute immediate 'update t set v = ''b'''; end if; if sql%rowcount = 1 then commit; end if; end;", "1|b"},
		{"return", "begin for i in 1..5 loop if i = 2 then return; end if; insert into t (id) values (i); end loop; end;", "1|NULL"},
		{"a long text", "declare v varchar2(32767); begin for i in 1..5000 loop v := v || 'x'; end loop; insert into t (id) values (length(v)); end;", "5000|NULL"},
		{"a sequence", "declare n number; begin execute immediate 'create sequence s start with 3'; execute immediate 'select s.nextval from dual' into n; insert into t (id) values (n); end;", "3|NULL"},
		{"binds", "begin if :1 is null then insert into t (id) values (1); end if; end;", "1|NULL"},
		{"output", "begin dbms_output.put_line('n = ' || 1); insert into t (id) values (1); end;", "1|NULL"},
		{"while true", "declare n number := 0; begin while true loop n := n + 1; exit when n >= 3; end loop; insert into t (id) values (n); end;", "3|NULL"},
		{"unknown does not hold", "declare n number; begin if n > 1 then insert into t (id) values (1); elsif not (n > 1) then insert into t (id) values (2); else insert into t (id) values (3); end if; end;", "3|NULL"},
	} {
		t.Run(row.name, func(t *testing.T) {
			db := openDatabase(t)
			c := db.app(t)
			c.exec("create table t (id number primary key, v varchar2(9))")
			c.exec(row.block, nothings(row.block)...)
			c.want(row.want, "select * from t order by id")
		})
	}
}

// Faults that PL/SQL finds before it runs anything: whatever branch or handler is around them.
func TestBlocksAreCompiledFirst(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key)")
	for _, row := range []struct {
		code int
		sql  string
		text string // of the answer
	}{
		{6550, "begin\n  commit;\n  insert into nope values (1);\nexception when others then null;\nend;", "line 3, column 15:\nPL/SQL: ORA-00942: table or view \"NOPE\" does not exist\nORA-06550: line 3, column 3:\nPL/SQL: SQL Statement ignored"},
		{6550, "begin if 1 = 2 then delete from nope; end if; end;", "ORA-00942"},
		{6550, "begin if 1 = 2 then update t set nope = 1; end if; end;", "ORA-00904"},
		{6550, "begin insert into t values (1, 2); exception when others then null; end;", "ORA-00913"},
		{6550, "begin for r in (select id from t) loop insert into t values (r.nope); end loop; end;", "PLS-00302: component 'NOPE' must be declared"},
		{6550, "begin select id from t; end;", "PLS-00428"},
		{6550, "declare n number; begin select id, id into n from t; end;", "ORA-00913"},
		{6550, "begin n := 1; end;", "PLS-00201: identifier 'N' must be declared"},
		{6550, "declare n number; begin n := m + 1; end;", "PLS-00201: identifier 'M' must be declared"},
		{6550, "begin if m > 1 then null; end if; end;", "PLS-00201"},
		{6550, "begin for i in 1..2 loop i := 5; end loop; end;", "PLS-00363"},
		{6550, "begin exit; end;", "PLS-00376"},
		{6550, "begin raise; end;", "PLS-00367"},
		{6550, "begin raise nothing; end;", "PLS-00201"},
		{6550, "begin null; exception when nothing then null; end;", "PLS-00201"},
		{6550, "begin null; exception when others then null; when no_data_found then null; end;", "PLS-00370"},
		{6550, "begin insert into t values (1) wher; end;", "ORA-00933"},
		{6550, "begin\n select 1 + from dual; end;", "line 2, column 13:\nPL/SQL: ORA-00936: missing expression"},
		{6550, "begin if 1 = 1 then null; end; end;", "PLS-00103"},
		{6550, "begin loop null; end loop end;", "PLS-00103"},
		{6550, "begin raise_application_error(-20001); end;", "PLS-00306"},
		{6550, "begin nobody.nothing; exception when others then null; end;", "PLS-00201"},
		{6550, "begin insert into t values (sqlcode); end;", "ORA-00904"},
		{6550, "begin insert into t values (sql%rowcount); end;", "ORA-00904"},
		{6550, "begin if exists (select 1 from t) then null; end if; end;", "PLS-00405"},
		{6550, "declare n number; begin n := (select 1 from dual); end;", "PLS-00405"},
		{6550, "begin if 1 in (select id from t) then null; end if; end;", "PLS-00405"},
		{6550, "declare n number := count(*); begin null; end;", "PLS-00204"},
		{6550, "declare n number; begin n := decode(1, 1, 2); end;", "PLS-00204"},
		{6550, "declare n number; begin n := rownum; end;", "PLS-00204"},
		{6550, "begin for i in 1..2 loop insert into t values (i); end loop; insert into t values (i); end;", "ORA-00904"},
		{3001, "begin raise login_denied; end;", "LOGIN_DENIED"},
		{3001, "begin if 1 = 2 then merge into t using dual on (1 = 1) when matched then update set id = 1; end if; end;", "MERGE"},
		{3001, "begin for i in 1..2 loop exit outer_loop; end loop; end;", "label"},
		{3001, "begin execute immediate 'select 1 from dual connect by 1 = 2'; exception when others then null; end;", "CONNECT BY"},
		{3001, "declare procedure p is begin null; end; begin p; end;", "PROCEDURE"},
		{3001, "declare r t%rowtype; begin null; end;", "variable"},
	} {
		_, err := c.try(row.sql)
		wantCode(t, row.sql, err, row.code)
		if err != nil && !strings.Contains(err.Error(), row.text) {
			t.Errorf("%s\n got %v\nwant %s", row.sql, err, row.text)
		}
	}
	c.want("0", "select count(*) from t")
}

// What no handler takes undoes the block and names the line of the statement that failed.
func TestUnhandledExceptions(t *testing.T) {
	c := openDatabase(t).app(t)
	c.exec("create table t (id number primary key)")
	for _, row := range []struct {
		code int
		sql  string
		text string
	}{
		{1403, "declare n number;\nbegin\n  insert into t values (1);\n  select id into n from t where 1 = 2;\nend;", "ORA-01403: no data found\nORA-06512: at line 4"},
		{1, "begin\ninsert into t values (1);\nfor i in 1..2 loop\ninsert into t values (i);\nend loop;\nexception when no_data_found then null;\nend;", "ORA-06512: at line 4"},
		{20001, "begin insert into t values (1); raise_application_error(-20001, 'stop'); end;", "ORA-20001: stop\nORA-06512: at line 1"},
		{6510, "declare e exception; begin insert into t values (1); raise e; end;", "unhandled user-defined exception"},
		{6502, "declare v varchar2(1); begin insert into t values (1); v := 'ab'; end;", "character string buffer too small"},
		{6502, "declare v varchar2(32767) := rpad('x', 4000); begin for i in 1..9 loop v := v || v; end loop; end;", "character string buffer too small"},
		{6502, "declare n number; begin for i in n..2 loop null; end loop; end;", "numeric or value error"},
	} {
		_, err := c.try(row.sql)
		wantCode(t, row.sql, err, row.code)
		if err != nil && !strings.Contains(err.Error(), row.text) {
			t.Errorf("%s\n got %q\nwant %q", row.sql, err, row.text)
		}
		c.want("0", "select count(*) from t")
	}
}

// A loop without end stops with the call.
func TestAnEndlessLoopEndsWithItsCall(t *testing.T) {
	c := openDatabase(t).app(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := c.s.Execute(ctx, stmt("begin loop begin null; exception when others then null; end; end loop; end;"))
	wantCode(t, "loop", err, 1013)
	if errors.Is(err, context.DeadlineExceeded) {
		t.Error("the context's error reached the client")
	}
}
