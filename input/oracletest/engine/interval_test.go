package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func TestIntervals(t *testing.T) {
	c := openDatabase(t).app(t)
	for _, row := range []struct{ sql, want string }{
		{"interval '12-3' year to month", "+12-03"},
		{"interval '-3' month", "-00-03"},
		{"interval '123' year(3)", "+123-00"},
		{"interval '5 04:03:02.5' day to second", "+05 04:03:02.500000"},
		{"interval '-1 02:03:04.56' day to second(2)", "-01 02:03:04.560000"},
		{"interval '4 5' day to hour", "+04 05:00:00.000000"},
		{"interval '4 5:12' day to minute", "+04 05:12:00.000000"},
		{"interval '11:12' hour to minute", "+00 11:12:00.000000"},
		{"interval '30:02.1' minute to second", "+00 00:30:02.100000"},
		{"interval '250' hour(3)", "+10 10:00:00.000000"},
		{"to_char(interval '12-3' year(4) to month)", "+0012-03"},
		{"to_char(interval '5 04:03:02' day(3) to second(2))", "+005 04:03:02.00"},
		{"to_char(to_yminterval('-01-02'))", "-000000001-02"},
		{"to_char(to_dsinterval('1 02:03:04'))", "+000000001 02:03:04.000000000"},
		{"to_char(numtodsinterval(90, 'MINUTE'))", "+000000000 01:30:00.000000000"},
		{"to_char(timestamp '2026-01-02 03:04:05.5' - timestamp '2026-01-01 00:00:00')", "+000000001 03:04:05.500000000"},
		{"to_char(systimestamp - systimestamp)", "+000000000 00:00:00.000000"},
		{"interval '1' day + interval '12' hour", "+01 12:00:00.000000"},
		{"interval '1' day * 2.5", "+02 12:00:00.000000"},
		{"interval '5' month / 2", "+00-03"},
		{"-interval '1' day", "-01 00:00:00.000000"},
		{"extract(hour from interval '1 02:03:04.5' day to second)", "2"},
		{"extract(second from interval '-1 02:03:04.5' day to second)", "-4.5"},
		{"extract(month from interval '1-5' year to month)", "5"},
		{"date '2026-01-31' + interval '1' day", "2026-02-01 00:00:00"},
		{"case when interval '24' hour = interval '1' day then 'same' end", "same"},
		{"greatest(interval '23' hour, interval '1' day)", "+01 00:00:00.000000"},
		{"cast('1-6' as interval year to month)", "+01-06"},
	} {
		c.want(row.want, "select "+row.sql+" from dual")
	}
	c.refuse(30076, "select extract(year from interval '1' day) from dual")
	c.refuse(1867, "select to_dsinterval('x') from dual")
}

func TestIntervalColumns(t *testing.T) {
	c := openDatabase(t).app(t)
	c.exec("create table t (id number primary key, y interval year(4) to month, d interval day to second(3), u interval day(3) to second unique)")
	c.exec("insert into t values (1, interval '12-3' year to month, interval '5 04:03:02.1239' day to second, '1 00:00:00')")
	c.exec("insert into t (id, y) values (2, '-03-06')")
	c.exec("insert into t (id, d) values (3, :1)", datum.Datum{Kind: datum.IntervalDS, Number: wholeSeconds(90)})
	c.want("1|+12-03|+05 04:03:02.124000|+01 00:00:00.000000 ; 2|-03-06|NULL|NULL ; 3|NULL|+00 00:01:30.000000|NULL", "select * from t order by id")
	c.want("3 ; 1", "select id from t where d > interval '1' minute order by d")
	c.want("1", "select id from t where u = interval '24' hour")
	c.want("+0012-03", "select to_char(y) from t where id = 1")
	c.want("+05 04:03:02.124000", "select max(d) from t")
	c.refuse(1873, "insert into t (id, d) values (4, numtodsinterval(100, 'DAY'))")
	c.refuse(1867, "insert into t (id, d) values (4, '100 days')")
	c.refuse(1, "insert into t (id, u) values (4, interval '86400' second(5))")
	c.refuse(932, "insert into t (id, d) values (4, 5)")
	r, err := c.s.Execute(t.Context(), wire.Statement{SQL: "select y, d from t", DescribeOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if y, d := r.Columns[0].Type, r.Columns[1].Type; y.Precision != 4 || d.Precision != 2 || d.Size != 3 {
		t.Errorf("types %+v %+v", y, d)
	}
}
