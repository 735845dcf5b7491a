package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func TestSequences(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create sequence s start with 10 increment by 5 maxvalue 30 cycle nocache")
	c.refuse(8002, "select s.currval from dual")
	c.want("10|10", "select s.nextval, s.nextval from dual")
	c.want("15|15", "select s.currval, s.nextval from dual")
	c.want("15", "select s.currval from dual")
	c.want("20 ; 25", "select app.s.nextval from (select 1 from dual union all select 2 from dual)")
	c.want("30", "select s.nextval from dual")
	c.want("1", "select s.nextval from dual") // MINVALUE of an ascending one
	c.exec("create sequence d increment by -2 start with 3 minvalue 0 maxvalue 9")
	c.want("3", "select d.nextval from dual")
	c.want("1", "select d.nextval from dual")
	c.refuse(8004, "select d.nextval from dual")
	if s := db.Sequences(3); len(s) != 2 || s[0].Name != "D" || scalar.NumberText(s[0].Last, '.') != "-37" || s[0].Cache != 20 {
		t.Errorf("sequences %+v", s)
	}
	c.exec("create table t (id number default s.nextval primary key, v number)")
	c.exec("insert into t (v) values (s.currval)")
	c.want("6|6", "select * from t") // NEXTVAL comes first, wherever it stands
	r, err := c.s.Execute(t.Context(), wire.Statement{
		SQL: "insert into t (id, v) values (s.nextval, :1) returning id into :2", Binds: [][]datum.Datum{{scalar.Int(1), {}}, {scalar.Int(2), {}}},
	})
	if err != nil || show(r.Returned[0][0][0]) != "11" || show(r.Returned[1][0][0]) != "16" {
		t.Errorf("returned %v %v", r.Returned, err)
	}
	c.exec("insert into t (id, v) select s.nextval, v from t where v < 3")
	c.want("6|6 ; 11|1 ; 16|2 ; 21|1 ; 26|2", "select * from t order by id")
	c.exec("update t set v = s.nextval where v > 1 and v < 6")
	c.exec("rollback")
	c.want("6", "select s.currval from dual") // no transaction takes a number back
	out, err := c.s.Execute(t.Context(), wire.Statement{SQL: "begin :x := s.nextval; end;", Binds: [][]datum.Datum{{{}}}})
	if err != nil || show(out.Out[0].Value) != "11" {
		t.Errorf("block: %v %v", out.Out, err)
	}
	for _, text := range []string{
		"select 1 from dual where s.nextval > 0", "select distinct s.nextval from dual", "select s.nextval from dual order by 1", "select max(s.nextval) from dual",
		"select * from (select s.nextval from dual)", "insert into t (id) values ((select s.nextval from dual))", "delete t where id = s.nextval",
		"create view v as select s.nextval n from dual",
	} {
		c.refuse(2287, text)
	}
	c.exec("alter sequence s increment by 1 maxvalue 100 nocycle cache 5")
	c.refuse(2283, "alter sequence s start with 1")
	c.refuse(4009, "alter sequence s maxvalue 5")
	c.want("16", "select s.nextval from dual")
	c.want("17", "select s.nextval from dual")
	for _, row := range []struct {
		code int
		sql  string
	}{
		{955, "create sequence t"},
		{955, "create table s (a number)"},
		{955, "create view s as select 1 x from dual"},
		{955, "alter table t rename to s"},
		{4002, "create sequence x increment by 0"},
		{4004, "create sequence x minvalue 5 maxvalue 4"},
		{4006, "create sequence x start with 1 minvalue 5"},
		{4008, "create sequence x start with 9 maxvalue 5"},
		{4010, "create sequence x cache 1"},
		{2289, "select nothing.nextval from dual"},
		{2289, "alter sequence nothing cache 5"},
	} {
		c.refuse(row.code, row.sql)
	}
	c.exec("drop sequence s")
	c.refuse(2289, "select s.nextval from dual")
	c.exec("create table s (nextval number)")
	c.exec("insert into s values (5)")
	c.want("5", "select s.nextval from s") // a column wins
}

func TestViews(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, v varchar2(5))")
	c.exec("insert into t values (1, 'one')")
	c.exec("insert into t values (2, 'two')")
	c.exec("create view v as select id, upper(v) big from t where id > 1")
	c.exec("create view w (a, b) as select v.id * 10, v.big || '!' from v union all select 0, user from dual with read only")
	c.want("2|TWO", "select * from v")
	c.want("20|TWO!|2 ; 0|APP|NULL", "select w.a, app.w.b, t.id from w left join t on t.id * 10 = w.a order by a desc")
	c.want("1", "select count(*) from t where exists (select 1 from v where v.id = t.id)")
	c.exec("insert into t values (3, 'three')")
	c.want("2", "select count(*) from v x where x.big like 'T%'")
	c.exec("create or replace view v as select id, v big from t where rownum <= 1")
	c.want("1|one", "select * from v")
	if v := db.StoredViews(3); len(v) != 2 || v[1].Name != "W" || !v[1].ReadOnly || v[1].Columns[1].Name != "B" || v[0].Text != "select id, v big from t where rownum <= 1" {
		t.Errorf("views %+v", v)
	}
	for _, row := range []struct {
		code int
		sql  string
	}{
		{955, "create view t as select 1 x from dual"},
		{955, "create view v as select 1 x from dual"},
		{955, "create table v (a number)"},
		{942, "create view x as select * from nothing"},
		{998, "create view x as select 1 + 1 from dual"},
		{957, "create view x as select id, id from t"},
		{1730, "create view x (a) as select id, v from t"},
		{3001, "insert into v values (5, 'x')"},
		{3001, "update v set id = 5"},
		{3001, "delete v"},
		{942, "drop table v"},
		{942, "drop view t"},
		{942, "truncate table nothing"},
		{3001, "select * from v as of scn 1"},
		{904, "select v.rowid from v"},
	} {
		c.refuse(row.code, row.sql)
	}
	c.exec("alter table t drop column v")
	c.refuse(4063, "select * from v")
	c.exec("drop view v")
	c.refuse(4063, "select * from w")
	c.refuse(942, "select * from v")
}

// A view is read with the rights of its owner, without the owner's roles.
func TestViewsCarryTheRightsOfTheirOwner(t *testing.T) {
	db := openDatabase(t)
	app, system := db.app(t), db.connect(t, "FREEPDB1", "system")
	app.exec("create table t (id number)")
	app.exec("insert into t values (7)")
	app.exec("commit")
	app.exec("create sequence s")
	app.exec("create view v as select id, sys_context('userenv', 'session_user') who from t")
	system.exec("create user u identified by u")
	system.exec("grant create session, create view to u")
	u := db.connect(t, "FREEPDB1", "u")
	u.refuse(942, "select * from app.v")
	u.refuse(2289, "select app.s.nextval from dual")
	app.exec("grant select on v to u")
	app.exec("grant select on s to u")
	u.want("7|U", "select * from app.v")
	u.refuse(942, "select * from app.t")
	u.want("1", "select app.s.nextval from dual")
	u.refuse(2289, "alter sequence app.s cache 5")
	u.refuse(942, "drop view app.v")
	system.exec("create role r")
	app.exec("grant select on t to r")
	system.exec("grant r to u")
	u = db.connect(t, "FREEPDB1", "u")
	u.want("7", "select * from app.t")
	u.refuse(942, "create view mine as select * from app.t")
	app.exec("grant read on t to u")
	u.exec("create view mine as select * from app.t")
	app.exec("revoke read on t from u")
	u.refuse(4063, "select * from mine")
	app.refuse(2205, "grant update on s to u")
	app.refuse(2204, "grant index on v to u")
	u.refuse(1031, "create sequence mine2")
}
