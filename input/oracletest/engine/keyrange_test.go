package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// logged runs a query and returns its rows and what it read.
func (c *client) logged(text string, values ...any) ([]string, []TableRead) {
	c.t.Helper()
	l := c.db.LogStatements()
	defer l.Stop()
	rows := c.query(text, values...)
	list := l.Statements()
	if len(list) != 1 || !list[0].Ended || list[0].Rows != int64(len(rows)) || list[0].SQL != text {
		c.t.Fatalf("%s: logged %+v for %d rows", text, list, len(rows))
	}
	return rows, list[0].Reads
}

// TestRangesAreRead covers which rows a query visits (issue 8.1): chunks by key and by ROWID, pages, and the pass of planning.
func TestRangesAreRead(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number, v varchar2(10), constraint k primary key (id))")
	c.fill("t", 1, 10001)
	c.exec("create table w (a number, b varchar2(10), n number, constraint kw primary key (a, b))")
	var list [][]datum.Datum
	for i := range 10000 {
		list = append(list, binds(i/100, fmt.Sprintf("%02d", i%100), i)[0])
	}
	if _, err := c.s.Execute(t.Context(), wire.Statement{SQL: "insert into w values (:1, :2, :3)", Binds: list, AutoCommit: true}); err != nil {
		t.Fatal(err)
	}
	rowIDs := c.query("select rowid from t order by rowid")
	for _, row := range []struct {
		query         string
		values        []any
		rows, visited int
		path          ReadPath
		backward      bool
	}{
		{"select * from t", nil, 10000, 10000, FullScan, false},
		{"select * from t where id = 5", nil, 1, 1, UniqueKey, false},
		{"select * from t where rowid = :1", []any{rowIDs[3]}, 1, 1, RowIDPath, false},
		{"select * from t where id > :1 and id <= :2 order by id", []any{100, 200}, 100, 100, IndexRange, false},
		{"select * from t where id > :1 and id <= :2 order by id desc", []any{100, 200}, 100, 100, IndexRange, true},
		{"select * from t where id between :1 and :2", []any{100, 200}, 101, 101, IndexRange, false},
		{"select * from t where :1 < id and :2 >= id", []any{100, 200}, 100, 100, IndexRange, false},
		{"select * from t where not (id <= 100) and id <= 200", nil, 100, 200, IndexRange, false},
		{"select id from t where id > :1 order by id fetch first 50 rows only", []any{700}, 50, 50, IndexRange, false},
		{"select id from t where id > :1 order by id offset 49 rows fetch next 1 row only", []any{700}, 1, 50, IndexRange, false},
		{"select * from (select id from t where id > :1 order by id) where rownum <= 50", []any{700}, 50, 50, IndexRange, false},
		{"select id from t order by id fetch first 50 rows only", nil, 50, 50, IndexScan, false},
		{"select id from t order by id desc fetch first 50 rows only", nil, 50, 50, IndexScan, true},
		{"select id from t order by id fetch first 50 rows with ties", nil, 50, 10000, FullScan, false},
		{"select id from t order by v fetch first 50 rows only", nil, 50, 10000, FullScan, false},
		{"select id from t where v > 'v5' and id > 9000 order by id", nil, 999, 1000, IndexRange, false},
		{"select id from t where id > nullif(1, 1)", nil, 0, 0, IndexRange, false},
		{"select id from t where id > 5 and id < 3", nil, 0, 0, IndexRange, false},
		{"select id from t where id > 5 or v = 'v3'", nil, 9996, 10000, FullScan, false},
		{"select id from t where id + 0 > 9999", nil, 1, 10000, FullScan, false},
		{"select id from t where id > to_binary_double(9999)", nil, 1, 10000, FullScan, false},
		{"select * from t where rowid between :1 and :2", []any{rowIDs[1000], rowIDs[1999]}, 1000, 1000, RowIDRange, false},
		{"select * from t where rowid >= chartorowid(:1) and rowid < chartorowid(:2)", []any{rowIDs[1000], rowIDs[1999]}, 999, 999, RowIDRange, false},
		{
			"select * from t where rowid between dbms_rowid.rowid_create(1, 74569, 12, :1, 0) and dbms_rowid.rowid_create(1, 74569, 12, :2, 32767)",
			[]any{136, 137},
			182, 182, RowIDRange, false,
		},
		{
			"select * from t where rowid >= dbms_rowid.rowid_create(1, 74569, 12, :1, 0) and rowid < dbms_rowid.rowid_create(1, 74569, 12, :2, 0)",
			[]any{0, 136},
			91, 91, RowIDRange, false,
		},
		{"select * from t where rowid between dbms_rowid.rowid_create(1, 74570, 12, 0, 0) and dbms_rowid.rowid_create(1, 74570, 12, 9999, 32767)", nil, 0, 0, RowIDRange, false},
		{"select * from t where rowid between dbms_rowid.rowid_create(1, 74569, 13, 0, 0) and dbms_rowid.rowid_create(1, 74569, 13, 9999, 32767)", nil, 0, 0, RowIDRange, false},
		{"select * from t where rowid > :1 order by rowid fetch first 10 rows only", []any{rowIDs[9899]}, 10, 100, RowIDRange, false},
		{"select n from w where a > :1 or (a = :2 and b > :3) order by a, b fetch first 30 rows only", []any{7, 7, "49"}, 30, 30, IndexRange, false},
		{
			"select n from w where (a > :1 or (a = :2 and b > :3)) and (a < :4 or (a = :5 and b <= :6)) order by a, b",
			[]any{7, 7, "49", 9, 9, "09"},
			160, 160, IndexRange, false,
		},
		{"select n from w where a >= :1 and (a > :2 or b > :3) and a <= :4", []any{7, 7, "49", 8}, 150, 200, IndexRange, false},
		{"select n from w where a = :1 and b > :2 and b <= :3 order by a, b", []any{7, "49", "59"}, 10, 10, IndexRange, false},
		{"select n from w where a = 7 order by a, b", nil, 100, 100, IndexRange, false},
		{"select n from w where b > '98' order by a, b", nil, 100, 10000, IndexScan, false},
		{"select a, b from w order by a", nil, 10000, 10000, IndexScan, false},
		{"select a, b from w order by a, b desc", nil, 10000, 10000, FullScan, false},
		{"select a, b from w order by b, a", nil, 10000, 10000, FullScan, false},
		{"select id from (select id, row_number() over (order by id) r from t) where mod(r, 100) = 0", nil, 100, 10000, IndexScan, false},
		{"select id, r from (select id, row_number() over (order by id) r from t) where r <= 3", nil, 3, 10000, IndexScan, false},
		{"select a, b from (select a, b, row_number() over (order by a, b) r from w where a > 10) where mod(r, 100) = 0 order by a, b", nil, 89, 8900, IndexRange, false},
		{"select min(id), max(id), n, count(*) from (select id, ntile(20) over (order by id) n from t) group by n order by n", nil, 20, 10000, IndexScan, false},
		{"select min(id), max(id), count(*) from t", nil, 1, 10000, FullScan, false},
	} {
		text := row.query
		rows, reads := c.logged(text, row.values...)
		if len(rows) != row.rows || len(reads) != 1 {
			t.Errorf("%s: %d rows, %+v", text, len(rows), reads)
			continue
		}
		got := reads[0]
		if got.Visited != int64(row.visited) || got.Path != row.path || got.Backward != row.backward || got.Opened != 1 {
			t.Errorf("%s: visited %d by %s (%+v), want %d by %s", text, got.Visited, got.Path, got, row.visited, row.path)
		}
	}
}

// keyTypes are the types of key columns, with values in the order of the database.
func keyTypes() map[string][]datum.Datum {
	text := func(list ...string) (out []datum.Datum) {
		for _, s := range list {
			out = append(out, scalar.Text(s))
		}
		return out
	}
	number := func(list ...string) (out []datum.Datum) {
		for _, s := range list {
			n, err := scalar.ParseNumber(s, '.')
			if err != nil {
				panic(err)
			}
			out = append(out, datum.Datum{Kind: datum.Number, Number: n})
		}
		return out
	}
	var times, zoned, raw, floats []datum.Datum
	for _, at := range []datum.DateTime{
		{Year: -4712, Month: 1, Day: 1},
		{Year: 1, Month: 1, Day: 1},
		{Year: 1969, Month: 12, Day: 31, Hour: 23, Minute: 59, Second: 59},
		{Year: 2026, Month: 2, Day: 3},
		{Year: 2026, Month: 2, Day: 3, Second: 1},
		{Year: 9999, Month: 12, Day: 31, Hour: 23},
	} {
		times = append(times, datum.Datum{Kind: datum.Time, Time: at})
	}
	for i, offset := range []int16{600, 330, 0, -300} {
		zoned = append(zoned, datum.Datum{Kind: datum.Zoned, Time: datum.DateTime{Year: 2026, Month: 2, Day: 3, Hour: 10 + uint8(i), Nano: 5}, Offset: offset})
	}
	for _, b := range [][]byte{{0}, {0, 0}, {0, 1}, {1}, {0x7f, 0xff}, {0x80}, {0xff}, {0xff, 0}, {0xff, 0xff}} {
		raw = append(raw, datum.Datum{Kind: datum.Raw, Raw: b})
	}
	for _, f := range []float64{-1e300, -1.5, 0, 1e-300, 1.5, 1e300} {
		floats = append(floats, datum.Datum{Kind: datum.Float, Float: f})
	}
	return map[string][]datum.Datum{
		"number":                      number("-1e120", "-10", "-9.99", "-0.001", "0", "1e-130", "9", "10", "10.000000000000000000000000000000000001", "9.9e125"),
		"float(20)":                   number("-3", "-2.5", "0", "1", "1024"),
		"varchar2(20)":                text("\x01", " ", " a", "A", "A ", "A a", "AB", "Z", "a", "ab", "z\x7f", "\u00e4", "\uffee", "\U0001f600"),
		"nvarchar2(10)":               text("A", "a", "\u00e4", "\u4e2d", "\U0001f600"),
		"char(4)":                     text("\x01", "A\x01", "A", "A b", "AB", "a", "\u00e4"),
		"raw(4)":                      raw,
		"date":                        times,
		"timestamp(9)":                append(slices.Clone(times), datum.Datum{Kind: datum.Time, Time: datum.DateTime{Year: 9999, Month: 12, Day: 31, Hour: 23, Nano: 1}}),
		"timestamp(9) with time zone": zoned,
		"binary_double":               floats,
		"interval day to second":      {{Kind: datum.IntervalDS, Number: number("-5")[0].Number}, {Kind: datum.IntervalDS, Number: number("0.5")[0].Number}, {Kind: datum.IntervalDS, Number: number("90000")[0].Number}},
		"interval year to month":      {{Kind: datum.IntervalYM, Number: number("-13")[0].Number}, {Kind: datum.IntervalYM, Number: number("0")[0].Number}, {Kind: datum.IntervalYM, Number: number("25")[0].Number}},
	}
}

// TestPagesOfEveryType reads tables with composite keys of every type that Oracle compares page by page (issue 8.1): together the pages are the
// whole table, once, in the order of a sort, and a page visits no row of another one.
func TestPagesOfEveryType(t *testing.T) {
	types := keyTypes()
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	slices.Sort(names)
	random := rand.New(rand.NewPCG(8, 1)) //nolint:gosec // no secret
	for i, first := range names {
		for _, second := range []string{names[(i+5)%len(names)], "number"} {
			t.Run(first+", "+second, func(t *testing.T) {
				db := openDatabase(t)
				c := db.app(t)
				c.exec("create table t (a " + first + ", b " + second + ", n number, primary key (a, b))")
				var rows [][]datum.Datum
				for x, a := range types[first] {
					for y, b := range types[second] {
						rows = append(rows, []datum.Datum{a, b, scalar.Int(int64(x*100 + y))})
					}
				}
				want := make([]string, len(rows))
				for k := range rows {
					want[k] = show(rows[k][2])
				}
				slices.SortFunc(rows, func([]datum.Datum, []datum.Datum) int { return random.IntN(3) - 1 })
				random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
				if _, err := c.s.Execute(t.Context(), wire.Statement{SQL: "insert into t values (:1, :2, :3)", Binds: rows, AutoCommit: true}); err != nil {
					t.Fatal(err)
				}
				if got := c.query("select n from t order by a, b"); !slices.Equal(got, want) {
					t.Fatalf("by the index\n got %v\nwant %v", got, want)
				}
				if got := c.query("select n from (select a, b, n, row_number() over (partition by 1 order by a, b) r from t) order by r"); !slices.Equal(got, want) {
					t.Fatalf("by a sort\n got %v\nwant %v", got, want)
				}
				at := c.db.TakeSCN()
				c.exec("delete t where mod(n, 3) = 0")
				c.exec("update t set n = -n")
				var got []string
				var last [2]datum.Datum
				for page := 0; ; page++ {
					where, values := "", []any(nil)
					if page > 0 {
						where, values = " where a > :1 or (a = :2 and b > :3)", []any{last[0], last[0], last[1]}
					}
					l := db.LogStatements()
					stmt := wire.Statement{SQL: "select a, b, n from t as of scn " + fmt.Sprint(uint64(at)) + where + " order by a, b fetch first 7 rows only"}
					if values != nil {
						stmt.Binds = binds(values...)
					}
					r, err := c.s.Execute(t.Context(), stmt)
					if err != nil {
						t.Fatal(err)
					}
					row := make([]datum.Datum, 3)
					n := 0
					for {
						ok, err := r.Rows.Next(t.Context(), row)
						if err != nil {
							t.Fatal(err)
						}
						if !ok {
							break
						}
						n++
						got = append(got, show(row[2]))
						last = [2]datum.Datum{row[0], row[1]}
					}
					if err := r.Rows.Close(); err != nil {
						t.Fatal(err)
					}
					l.Stop()
					if reads := l.Statements()[0].Reads; len(reads) != 1 || reads[0].Visited > int64(n) || reads[0].AsOf != at {
						t.Errorf("page %d of %d rows: %+v", page, n, reads)
					}
					if n < 7 {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("pages\n got %s\nwant %s", strings.Join(got, " "), strings.Join(want, " "))
				}
			})
		}
	}
}
