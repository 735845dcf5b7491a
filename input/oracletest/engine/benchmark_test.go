package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// One single-row statement with binds and a cached text.
func BenchmarkStatement(b *testing.B) {
	for _, bench := range []struct{ name, sql string }{
		{"insert", "insert into t (id, name, n) values (:1, :2, :3)"},
		{"update", "update t set n = n + 1 where id = :1 and :2 is not null and :3 is not null"},
		{"select", "select name, n from t where id = :1 and :2 is not null and :3 is not null"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			db := openDatabase(b)
			c := db.app(b)
			c.exec("create table t (id number primary key, name varchar2(20), n number)")
			if bench.name != "insert" {
				for i := range 1000 {
					c.exec("insert into t (id, n) values (:1, 1)", i)
				}
				c.exec("commit")
			}
			row := [][]datum.Datum{{{}, scalar.Text("some name"), scalar.Int(5)}}
			dst := make([]datum.Datum, 2)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				row[0][0] = scalar.Int(int64(i))
				if bench.name != "insert" {
					row[0][0] = scalar.Int(int64(i % 1000))
				}
				r, err := c.s.Execute(b.Context(), wire.Statement{SQL: bench.sql, Binds: row})
				if err != nil {
					b.Fatal(err)
				}
				if r.Rows != nil {
					if ok, err := r.Rows.Next(b.Context(), dst); !ok || err != nil {
						b.Fatal(ok, err)
					}
					_ = r.Rows.Close()
				}
				if i%100 == 99 {
					_ = c.s.Commit(b.Context())
				}
			}
		})
	}
}

// A capture query's WHERE over a view, per row.
func BenchmarkViewFilter(b *testing.B) {
	db := openDatabase(b)
	v := &counted{rows: 1 << 40}
	db.Extend(oneView{v}, nil)
	c := db.connect(b, "FREEPDB1", "system")
	r, err := c.s.Execute(b.Context(), wire.Statement{
		SQL:   "select n, text from v$numbers where (n <= :1 and not (n <= :2 and n <= :3)) and (n in (6, 7, 34, 36) or n between 1 and :1 and n in (101, 102, 103, 104, 105) or text = 't')",
		Binds: binds(1<<50, 0, 0, 1<<50),
	})
	if err != nil {
		b.Fatal(err)
	}
	row := make([]datum.Datum, 2)
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := r.Rows.Next(b.Context(), row); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
