package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func stmt(text string, values ...any) wire.Statement {
	s := wire.Statement{SQL: text}
	if len(values) > 0 {
		s.Binds = binds(values...)
	}
	return s
}

// recorder is a package that notes its calls.
type recorder struct{ calls []string }

func (r *recorder) Call(_ context.Context, caller Caller, name string, args []Argument) (bool, error) {
	if !strings.HasPrefix(name, "DBMS_LOGMNR.") {
		return false, nil
	}
	var parts []string
	for _, a := range args {
		text := show(a.Value)
		if a.Name != "" {
			text = a.Name + "=>" + text
		}
		parts = append(parts, text)
	}
	r.calls = append(r.calls, fmt.Sprintf("%s %s(%s)", caller.User(), name, strings.Join(parts, ",")))
	if strings.HasSuffix(name, "FAIL") {
		return true, wire.Errorf(1291, "missing log file\nORA-06512: at \"SYS.DBMS_LOGMNR\", line 72")
	}
	return true, nil
}

func (r *recorder) Constant(name string) (datum.Datum, bool) {
	if name == "DBMS_LOGMNR.ADDFILE" {
		return scalar.Int(3), true
	}
	return datum.Datum{}, false
}

func TestProcedureCalls(t *testing.T) {
	db := openDatabase(t)
	r := &recorder{}
	db.Extend(nil, r)
	c := db.connect(t, "FREE", "c##cdc")
	c.exec("BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :f, Options => DBMS_LOGMNR.ADDFILE); END;", "/x.log")
	c.exec("begin sys.dbms_logmnr.start_logmnr(:1, endscn => :2 + 1, options => 16+2048 + 64); dbms_logmnr.end_logmnr; end;", 5, 6)
	c.exec("call dbms_logmnr.end_logmnr()")
	want := []string{
		"C##CDC DBMS_LOGMNR.ADD_LOGFILE(LOGFILENAME=>/x.log,OPTIONS=>3)",
		"C##CDC DBMS_LOGMNR.START_LOGMNR(5,ENDSCN=>7,OPTIONS=>2128)", "C##CDC DBMS_LOGMNR.END_LOGMNR()", "C##CDC DBMS_LOGMNR.END_LOGMNR()",
	}
	if diff := cmp.Diff(want, r.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	_, err := c.try("begin dbms_logmnr.fail; end;")
	wantCode(t, "fail", err, 1291)
	if text := err.Error(); !strings.HasSuffix(text, "line 72\nORA-06512: at line 1") {
		t.Errorf("stack %q", text)
	}
	c.refuse(6550, "begin nobody.nothing; end;")
	c.refuse(6550, "begin dbms_logmnr.add_logfile(options => dbms_logmnr.nothing); end;")
	c.refuse(6550, "begin null end;")
	c.refuse(6550, "begin end;")
	c.refuse(6550, "begin select 1 from dual; end;")
	for _, text := range []string{
		"begin null; end;", "BEGIN DBMS_SESSION.SET_IDENTIFIER('x'); END;", "begin dbms_lock.sleep(0.01); end;", "begin dbms_session.sleep(0); end;",
		"begin dbms_application_info.set_client_info('i'); dbms_application_info.set_action('a'); end;",
	} {
		c.exec(text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = c.s.Execute(ctx, stmt("begin dbms_lock.sleep(600); end;"))
	wantCode(t, "sleep", err, 1013)
}

func TestBlocksRunSQLAndReturnBinds(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	r, err := c.s.Execute(t.Context(), stmt(`begin
		insert into t (id, name) values (:id, :name);
		update t set n = 5 where id = :id;
		select n, name into :n, :copy from t where id = :id;
		:both := :both || 'x';
	end;`, 1, "one", nil, nil, "in"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range r.Out {
		got = append(got, fmt.Sprintf("%d %s", o.Direction, show(o.Value)))
	}
	if diff := cmp.Diff([]string{"32 NULL", "32 NULL", "48 5", "48 one", "48 inx"}, got); diff != "" {
		t.Errorf("binds (-want +got):\n%s", diff)
	}
	c.want("1|one|5", "select * from t")
	// A block is one statement: its failure undoes all of it.
	c.refuse(1, "begin insert into t (id) values (2); insert into t (id) values (1); end;")
	c.refuse(1403, "begin delete from t; select 1 into :1 from t; end;", nil)
	c.refuse(1422, "begin insert into t (id) values (9); select id into :1 from t; end;", nil)
	c.want("1|one|5", "select * from t")
	c.exec("begin savepoint s; delete from t; rollback to s; commit; execute immediate 'insert into t (id) values (7)'; end;")
	c.want("1 ; 7", "select id from t")
	c.exec("begin rollback; end;")
	c.want("1", "select id from t")
}

// go-ora's block on connect reads the NLS parameters into OUT binds.
func TestSelectIntoOutBindsOnly(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	c.exec("insert into t (id, name) values (1, 'A')")
	r, err := c.s.Execute(t.Context(), stmt("BEGIN\n SELECT MAX(CASE WHEN name='A' THEN id END) AS a, MAX(name) into :a, :b\n FROM app.t\n ;\nEND;", nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Out) != 2 || r.Out[0].Direction != wire.OutTo || show(r.Out[0].Value) != "1" || show(r.Out[1].Value) != "A" {
		t.Errorf("binds %+v", r.Out)
	}
}

func TestSessionSettings(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (d date, ts timestamp, tz timestamp with time zone, l timestamp with local time zone)")
	for _, text := range []string{
		"ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS'", "ALTER SESSION SET NLS_TIMESTAMP_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF9'",
		"ALTER SESSION SET NLS_TIMESTAMP_TZ_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM'", "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,'",
		"ALTER SESSION SET TIME_ZONE = 'UTC'", "alter session set nls_sort = binary nls_comp = binary",
	} {
		c.exec(text)
	}
	c.exec("insert into t values ('2026-01-31 10:11:12', '2026-01-31 10:11:12.5', '2026-01-31 10:11:12.5 +02:00', '2026-01-31 10:11:12.5 +02:00')")
	c.want("2026-01-31 10:11:12|2026-01-31 10:11:12.500000000|2026-01-31 10:11:12.500000000 +02:00|2026-01-31 08:11:12.500000000",
		"select to_char(d), to_char(ts), to_char(tz), to_char(l) from t")
	c.exec("alter session set time_zone = '+05:30'")
	c.want("2026-01-31 13:41:12.500000000|+05:30|2026-03-29 19:15:59", "select l || '', sessiontimezone, current_date || '' from t")
	c.exec("alter session set nls_numeric_characters = ',.'")
	c.want("1,5|1.234,5", "select to_char(1.5), trim(to_char(1234.5, '9G999D9')) from dual")
	c.refuse(1722, "select to_number('1.5') from dual")
	s, err := db.Open(t.Context(), wire.Logon{
		Service: "FREEPDB1", User: "app", SessionID: 9,
		Alter: "ALTER SESSION SET NLS_LANGUAGE='GERMAN' NLS_TERRITORY='GERMANY' TIME_ZONE='-03:00'\x00",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(true)
	other := &client{t: t, s: s, db: db}
	other.want("-03:00", "select sessiontimezone from dual")
}
