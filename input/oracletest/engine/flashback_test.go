package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// fill inserts rows with the ids from one on, below another.
func (c *client) fill(table string, from, to int) {
	c.t.Helper()
	var rows [][]datum.Datum
	for id := from; id < to; id++ {
		rows = append(rows, binds(id, fmt.Sprintf("v%d", id))[0])
	}
	if _, err := c.s.Execute(c.t.Context(), wire.Statement{SQL: "insert into " + table + " values (:1, :2)", Binds: rows, AutoCommit: true}); err != nil {
		c.t.Fatal(err)
	}
}

// reading is a query whose rows are fetched one by one.
type reading struct {
	c    *client
	rows wire.Rows
	row  []datum.Datum
}

func (c *client) read(text string, values ...any) *reading {
	c.t.Helper()
	stmt := wire.Statement{SQL: text}
	if len(values) > 0 {
		stmt.Binds = binds(values...)
	}
	r, err := c.s.Execute(c.t.Context(), stmt)
	if err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
	c.t.Cleanup(func() { _ = r.Rows.Close() })
	return &reading{c: c, rows: r.Rows, row: make([]datum.Datum, len(r.Columns))}
}

// fetch fetches so many rows.
func (r *reading) fetch(n int) {
	r.c.t.Helper()
	for range n {
		if ok, err := r.rows.Next(r.c.t.Context(), r.row); err != nil || !ok {
			r.c.t.Fatalf("fetch: %v, %v", ok, err)
		}
	}
}

// rest counts the rows up to the end or an error.
func (r *reading) rest() (n int, err error) {
	for {
		ok, err := r.rows.Next(r.c.t.Context(), r.row)
		if err != nil || !ok {
			return n, err
		}
		n++
	}
}

// TestUndo covers ORA-01555 and ORA-08181: at the beginning of a query of the past and in the middle of its rows (R81, reference logminer J).
func TestUndo(t *testing.T) {
	db := openDatabase(t)
	c, writer := db.app(t), db.app(t)
	before := db.TakeSCN()
	c.exec("create table t (id number primary key, v varchar2(10))")
	c.fill("t", 1, 1001)
	s := db.TakeSCN()
	for _, query := range []string{"select id from t as of scn :1", "select id from t as of scn :1 order by id", "select id from t as of scn :1 where id > 0 order by id"} {
		db := openDatabase(t)
		c, writer := db.app(t), db.app(t)
		c.exec("create table t (id number primary key, v varchar2(10))")
		c.fill("t", 1, 1001)
		s := db.TakeSCN()
		long := c.read(query, s)
		long.fetch(300)
		writer.exec("update t set v = 'x'")
		writer.exec("commit")
		db.ExpireUndo(db.log.CurrentSCN())
		n, err := long.rest()
		wantCode(t, query, err, 1555)
		if n == 0 || n > 699 {
			t.Errorf("%s: %d rows came before the error", query, n)
		}
		c.refuse(1555, query, s)
		c.want("1000", "select count(*) from t as of scn :1", db.TakeSCN())
	}
	c.want("1000", "select count(*) from t as of scn :1", s)
	writer.exec("delete t where id <= 10")
	writer.exec("commit")
	c.want("1000", "select count(*) from t as of scn :1", s)
	c.refuse(8181, "select * from t as of scn :1", db.log.CurrentSCN()+1000)
	c.refuse(8181, "select * from t as of scn 5")
	c.refuse(8181, "select * from t as of scn 1.5")
	c.refuse(1466, "select * from t as of scn :1", before)
	db.ExpireUndo(s)
	c.want("1000", "select count(*) from t as of scn :1", s)
	// The definition is looked at before the rows.
	db.ExpireUndo(db.log.CurrentSCN())
	c.refuse(1555, "select count(*) from t as of scn :1", s)
	c.refuse(1466, "select * from t as of scn :1", before)
}

// TestQueriesAcrossDDL covers ORA-01466, ORA-08103 and ORA-00904: which DDL queries of the past cannot look behind, and what they
// do to a query whose rows are being fetched (R81, R82, reference logminer J).
func TestQueriesAcrossDDL(t *testing.T) {
	for _, row := range []struct {
		ddl     string
		code    int // of a query of the past after it; 0: it still works
		reading int // of a query of the past in the middle of its rows
	}{
		{"alter table t add x number", 1466, 1466},
		{"alter table t modify v varchar2(20)", 1466, 1466},
		{"alter table t rename column v to w", 904, 1466},
		{"alter table t drop column v", 904, 1466},
		{"alter table t add constraint c check (id > 0)", 1466, 1466},
		{"alter table t add constraint u unique (v)", 1466, 1466},
		{"alter table t move", 1466, 8103},
		{"truncate table t", 1466, 8103},
		{"drop table t purge", 942, 8103},
		{"drop table t", 942, 8103},
		{"create index i on t (v)", 0, 0},
		{"create unique index i on t (v)", 0, 0},
		{"alter table t enable row movement", 0, 0},
		{"comment on table t is 'x'", 0, 0},
		{"grant select on t to system", 0, 0},
		{"alter table t add supplemental log data (all) columns", 0, 0},
		{"alter table t pctfree 5", 0, 0},
	} {
		t.Run(row.ddl, func(t *testing.T) {
			db := openDatabase(t)
			c, other := db.app(t), db.app(t)
			c.exec("create table t (id number primary key, v varchar2(10))")
			c.fill("t", 1, 501)
			s := db.TakeSCN()
			const query = "select id, v from t as of scn :1"
			r := c.read(query, s)
			r.fetch(10)
			other.exec(row.ddl)
			n, err := r.rest()
			if row.reading == 0 {
				if n != 490 || err != nil {
					t.Errorf("reading: %d more rows, %v", n, err)
				}
				c.want("500", "select count(v) from t as of scn :1", s)
				return
			}
			wantCode(t, "reading", err, row.reading)
			c.refuse(row.code, query, s)
			if row.code == 1466 {
				if _, err := c.rows(query, db.TakeSCN()); err != nil {
					t.Errorf("from behind the DDL: %v", err)
				}
			}
		})
	}
}

// TestFlashbackSpan covers ORA-01466 for some time after a DDL (reference logminer J).
func TestFlashbackSpan(t *testing.T) {
	now := testTime
	db := openDatabase(t, func(c *Config) {
		c.FlashbackSpan = 3 * time.Second
		c.Clock = func() time.Time { return now }
	})
	c := db.app(t)
	c.exec("create table t (id number primary key, v varchar2(10))")
	c.fill("t", 1, 3)
	s := db.TakeSCN()
	c.refuse(1466, "select count(*) from t as of scn :1", s)
	now = now.Add(5 * time.Second)
	c.refuse(1466, "select count(*) from t as of scn :1", s)
	s = db.TakeSCN()
	c.want("2", "select count(*) from t as of scn :1", s)
	now = now.Add(time.Minute)
	c.want("2", "select count(*) from t as of scn :1", s)
}

// TestPartitionsAcrossDDL covers what happens to the reading of a partition whose segment changes.
func TestPartitionsAcrossDDL(t *testing.T) {
	for _, ddl := range []string{"alter table t truncate partition p1", "alter table t move partition p1", "alter table t drop partition p1"} {
		db := openDatabase(t)
		c, other := db.app(t), db.app(t)
		c.exec("create table t (id number, v varchar2(10)) partition by range (id) (partition p1 values less than (1000), partition p2 values less than (2000))")
		c.fill("t", 1, 500)
		c.fill("t", 1500, 1600)
		s := db.TakeSCN()
		now, past, untouched := c.read("select id from t partition (p1)"), c.read("select id from t as of scn :1", s), c.read("select id from t partition (p2)")
		now.fetch(10)
		past.fetch(10)
		untouched.fetch(10)
		other.exec(ddl)
		_, err := now.rest()
		wantCode(t, ddl+", now", err, 8103)
		_, err = past.rest()
		wantCode(t, ddl+", past", err, 1466)
		if n, err := untouched.rest(); n != 90 || err != nil {
			t.Errorf("%s, another partition: %d, %v", ddl, n, err)
		}
	}
}

// TestRowIDOrder holds ROWIDs to the order of what they say, not of their characters (reference logminer B.3).
func TestRowIDOrder(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number, v varchar2(10))")
	c.fill("t", 1, 20001)
	all := c.query("select rowid from t order by rowid")
	if len(all) != 20000 {
		t.Fatal(len(all))
	}
	c.want("1", "select id from t where rowid = (select min(rowid) from t)")
	c.want("20000", "select id from t where rowid = (select max(rowid) from t)")
	for i, id := range []int{0, 1, 90, 91, 5000, 19999} {
		c.want(fmt.Sprint(id+1), "select count(*) from t where rowid <= :1", all[id])
		c.want(fmt.Sprint(20000-id-1), "select count(*) from t where rowid > chartorowid(:1)", all[id])
		if i > 0 {
			c.want(fmt.Sprint(id), "select count(*) from t where rowid between :1 and :2", all[1], all[id])
		}
	}
	if strings.Compare(all[0], all[9000]) < 0 && strings.Compare(all[9000], all[19999]) < 0 {
		t.Log("the characters happen to be in order")
	}
	c.want("0", "select count(*) from t where rowid > :1 and rowid < :2", all[100], all[50])
	c.want("0", "select count(*) from t where rowid > :1", nil)
}
