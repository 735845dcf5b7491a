package engine

import (
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
)

func wholeSeconds(n int64) *apd.Decimal { return scalar.Int(n).Number }

func TestAsOfTimestamp(t *testing.T) {
	now := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	db := openDatabase(t, func(c *Config) { c.Clock = func() time.Time { return now } })
	c := db.app(t)
	c.exec("create table t (id number)")
	at := make([]time.Time, 3)
	for i := range at {
		now = now.Add(time.Minute)
		c.exec("insert into t values (:1)", i)
		c.exec("commit")
		at[i] = now
	}
	now = now.Add(time.Minute)
	for i, moment := range at {
		c.want(show(scalar.Int(int64(i+1))), "select count(*) from t as of timestamp :1", moment)
		c.want(show(scalar.Int(int64(i+1))), "select count(*) from t as of timestamp :1", moment.Add(59*time.Second))
	}
	c.want("2", "select count(*) from t as of timestamp systimestamp - interval '2' minute")
	c.want("3", "select count(*) from t as of timestamp sysdate")
	c.refuse(8180, "select * from t as of timestamp :1", at[0].Add(-time.Hour))
	c.refuse(932, "select * from t as of timestamp 5")
	scn := c.query("select timestamp_to_scn(:1) from dual", at[1])[0]
	c.want("2", "select count(*) from t as of scn "+scn)
	c.want("2026-01-01 10:02:00", "select scn_to_timestamp("+scn+") from dual")
	c.want("1", "select sign(timestamp_to_scn(systimestamp + 1) - "+scn+") from dual") // a time to come is now
	c.refuse(8181, "select scn_to_timestamp(999999999999) from dual")
	c.refuse(8181, "select scn_to_timestamp(1) from dual")
	c.refuse(8180, "select timestamp_to_scn(timestamp '2020-01-01 00:00:00') from dual")
}

func TestSetTransaction(t *testing.T) {
	db := openDatabase(t)
	a, b := table(t, db), db.app(t)
	a.exec("insert into t (id) values (1)")
	a.exec("commit")
	b.exec("set transaction read only")
	b.refuse(1453, "set transaction read write")
	a.exec("insert into t (id) values (2)")
	a.exec("commit")
	b.want("1", "select count(*) from t")
	b.refuse(1456, "insert into t (id) values (3)")
	b.refuse(1456, "update t set id = 3")
	b.refuse(1456, "delete t")
	b.refuse(1456, "select * from t for update")
	b.exec("commit")
	b.want("2", "select count(*) from t")
	b.exec("set transaction read write name 'payroll'")
	b.exec("insert into t (id) values (3)")
	if tx := db.Transactions(); len(tx) != 1 || tx[0].Origin.Transaction != "payroll" {
		t.Errorf("transactions %+v", tx)
	}
	b.refuse(1453, "set transaction name 'again'")
	b.exec("rollback")
	b.exec("insert into t (id) values (4)")
	if name := db.Transactions()[0].Origin.Transaction; name != "" {
		t.Errorf("the next transaction is named %q", name)
	}
	for i, r := range db.log.records[len(db.log.records)-2:] {
		if r.Origin.Transaction != "" {
			t.Errorf("record %d is of %q", i, r.Origin.Transaction)
		}
	}
}
