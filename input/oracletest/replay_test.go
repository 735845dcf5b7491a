package oracletest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/apd/v3"
	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// replayTables are made in every PDB of both databases.
var replayTables = []string{
	`CREATE TABLE wide (id NUMBER PRIMARY KEY, name VARCHAR2(2000), amount NUMBER(12,3), at TIMESTAMP(6), day DATE, bytes RAW(16),
		f BINARY_DOUBLE, fixed CHAR(5), nat NVARCHAR2(20), zoned TIMESTAMP(3) WITH TIME ZONE, more VARCHAR2(4000))`,
	`CREATE TABLE pair (a NUMBER, b VARCHAR2(10), v VARCHAR2(40) NOT NULL, PRIMARY KEY (a, b), UNIQUE (v))
		PARTITION BY LIST (a) AUTOMATIC (PARTITION p0 VALUES (0), PARTITION p1 VALUES (1, 2))`,
	"ALTER TABLE wide ADD SUPPLEMENTAL LOG DATA (%s) COLUMNS",
	"ALTER TABLE pair ADD SUPPLEMENTAL LOG DATA (%s) COLUMNS",
}

// replayLogging are the levels of supplemental logging that name the row (reference logminer D.3).
var replayLogging = []string{"ALL", "PRIMARY KEY", "PRIMARY KEY, UNIQUE"}

// replayQueries read them whole.
var replayQueries = []string{"SELECT * FROM app.wide%s ORDER BY id", "SELECT * FROM app.pair%s ORDER BY a, b"}

var replayPDBs = []string{"FREEPDB1", "SALES"}

func replayStage(t testing.TB, warts redo.Warts, logging string) *stage {
	s := newStage(t, Config{PDBs: replayPDBs, LogSize: 64 << 10, RedoMemory: 64 << 10, Warts: warts})
	for _, pdb := range replayPDBs {
		app := s.open(pdb, AppUser)
		for _, text := range replayTables {
			app.do(strings.ReplaceAll(text, "%s", logging))
		}
	}
	return s
}

// impatient is a context that ends when somebody waits for it: a statement that would wait for a row lock fails, and one
// goroutine can play several sessions.
type impatient struct {
	context.Context //nolint:containedctx // it is one
	waited          bool
}

func (c *impatient) Done() <-chan struct{} {
	c.waited = true
	ended := make(chan struct{})
	close(ended)
	return ended
}

func (c *impatient) Err() error {
	if c.waited {
		return context.Canceled
	}
	return c.Context.Err()
}

// player is a session that does random things.
type player struct {
	*actor
	savepoints int
}

func (p *player) play(rt *rapid.T) {
	switch rapid.IntRange(0, 13).Draw(rt, "action") {
	case 0:
		p.end(rt, true)
	case 1:
		p.end(rt, false)
	case 2:
		p.savepoints++
		p.attempt(rt, fmt.Sprintf("SAVEPOINT s%d", p.savepoints))
	case 3:
		if p.savepoints > 0 {
			p.attempt(rt, fmt.Sprintf("ROLLBACK TO SAVEPOINT s%d", rapid.IntRange(1, p.savepoints).Draw(rt, "savepoint")))
		}
	case 4, 5, 6:
		p.attempt(rt, "INSERT INTO wide VALUES (:1, :2, :3, :4, :5, :6, :7, :8, :9, :10, :11)", wideRow(rt)...)
	case 7:
		row := wideRow(rt)
		p.attempt(rt, "UPDATE wide SET name = :1, amount = :2, at = :3, f = :4 WHERE id = :5", row[1], row[2], row[3], row[6], row[0])
	case 8:
		// Keys move without passing through each other: rows are replayed one by one, and unique keys are checked after each.
		p.attempt(rt, "UPDATE wide SET id = -id, amount = amount + .125 WHERE id >= :1", drawKey(rt))
	case 9:
		p.attempt(rt, "DELETE FROM wide WHERE id = :1", drawKey(rt))
	case 10:
		p.attempt(rt, "INSERT INTO pair VALUES (:1, :2, :3)", drawKey(rt), drawText(rt, 12), drawText(rt, 5))
	case 11:
		p.attempt(rt, "UPDATE pair SET b = :1, v = NVL(:2, v) WHERE a = :3", drawText(rt, 10), drawText(rt, 5), drawKey(rt))
	case 12:
		p.attempt(rt, "INSERT INTO pair SELECT a + 1, b, v || 'x' FROM pair WHERE a <= :1", drawKey(rt))
	case 13:
		p.attempt(rt, "DELETE FROM pair WHERE a > :1", drawKey(rt))
	}
}

func (p *player) end(rt *rapid.T, commit bool) {
	p.savepoints = 0
	how := p.Rollback
	if commit {
		how = p.Commit
	}
	if err := how(p.t.Context()); err != nil {
		rt.Fatal(err)
	}
}

// expected are the errors that a random statement may end with: unique key, NULL, value too long, number too large,
// savepoint gone, and the lock wait that was given up.
var expected = []int{1, 1400, 1407, 12899, 1438, 1086, 1013}

func (p *player) attempt(rt *rapid.T, text string, binds ...datum.Datum) {
	stmt := wire.Statement{SQL: text}
	if len(binds) > 0 {
		stmt.Binds = [][]datum.Datum{binds}
	}
	ctx := &impatient{Context: p.t.Context()}
	_, err := p.Execute(ctx, stmt)
	if err != nil && !ctx.waited && !slices.Contains(expected, oraCode(err)) {
		rt.Fatalf("%s: %v", text, err)
	}
}

func drawKey(rt *rapid.T) datum.Datum {
	return relation.Int(int64(rapid.IntRange(1, 12).Draw(rt, "key")))
}

func drawText(rt *rapid.T, most int) datum.Datum {
	return relation.Text(rapid.StringMatching(fmt.Sprintf(`[a-c' ,;&"\n=()|é☃]{0,%d}`, most)).Draw(rt, "text"))
}

// wideRow has values of every type, NULLs among them; the long column makes statements of several chunks.
func wideRow(rt *rapid.T) []datum.Datum {
	clock := func(nano uint32) datum.DateTime {
		return datum.DateTime{
			Year: int16(rapid.IntRange(1, 9999).Draw(rt, "year")), Month: 2, Day: 28, Hour: uint8(rapid.IntRange(0, 23).Draw(rt, "hour")),
			Minute: 59, Second: 1, Nano: nano,
		}
	}
	row := []datum.Datum{
		drawKey(rt), drawText(rt, 30),
		{Kind: datum.Number, Number: apd.New(int64(rapid.IntRange(-2_000_000_000, 2_000_000_000).Draw(rt, "amount")), -3)},
		{Kind: datum.Time, Time: clock(uint32(rapid.IntRange(0, 999_999).Draw(rt, "micro") * 1000))},
		{Kind: datum.Time, Time: clock(0)},
		relation.Bytes(rapid.SliceOfN(rapid.Byte(), 0, 16).Draw(rt, "raw")),
		{Kind: datum.Float, Float: rapid.Float64Range(-1e300, 1e300).Draw(rt, "float")},
		drawText(rt, 2), drawText(rt, 20),
		{Kind: datum.Zoned, Time: clock(123_000_000), Offset: int16(rapid.IntRange(-48, 56).Draw(rt, "offset") * 15)},
		{},
	}
	if rapid.IntRange(0, 4).Draw(rt, "long") == 0 {
		row[10] = relation.Text(strings.Repeat("it's long ", rapid.IntRange(1, 390).Draw(rt, "times")))
	}
	if n := rapid.IntRange(0, 3*len(row)).Draw(rt, "null"); n > 0 && n < len(row) {
		row[n] = datum.Datum{}
	}
	return row
}

// change is a row of V$LOGMNR_CONTENTS put together from its chunks.
type change struct {
	op                  redo.Op
	object              int64
	rowID, sqlRe, sqlUn string
}

// committed is a transaction to be replayed.
type committed struct {
	scn       redo.SCN
	container int64
	changes   []change
}

// slot is what tells open transactions apart: a partial XID has no sequence.
type slot struct{ container, usn, slot int64 }

// minedTransactions reads all redo and applies the undo rows, by the stack rule.
func (s *stage) minedTransactions(rt *rapid.T) []committed {
	s.start(captureOptions)
	result, err := s.mining.run(`SELECT scn, operation_code, rollback, csf, src_con_id, xidusn, xidslt, data_obj#, row_id, sql_redo, sql_undo
		FROM v$logmnr_contents WHERE operation_code IN (6, 7, 36) OR operation_code IN (1, 2, 3) AND seg_owner = 'APP'`)
	if err != nil {
		rt.Fatal(err)
	}
	defer func() {
		if err := result.Rows.Close(); err != nil {
			rt.Error(err)
		}
	}()
	open, list, text, inverse := map[slot][]change{}, []committed{}, "", ""
	row := make([]datum.Datum, len(result.Columns))
	for {
		ok, err := result.Rows.Next(s.t.Context(), row)
		if err != nil {
			rt.Fatal(err)
		}
		if !ok {
			return list
		}
		var n [8]int64
		for i := range n {
			if n[i], err = row[i].Number.Int64(); err != nil {
				rt.Fatal(err)
			}
		}
		text, inverse = text+row[9].Text, inverse+row[10].Text
		if n[3] == 1 {
			continue
		}
		key, op := slot{n[4], n[5], n[6]}, redo.Op(n[1])
		switch {
		case op == redo.Start:
			if _, twice := open[key]; twice {
				rt.Fatalf("transaction %v is open twice", key)
			}
			open[key] = nil
		case op == redo.Commit:
			if changes := open[key]; len(changes) > 0 {
				list = append(list, committed{redo.SCN(n[0]), n[4], changes})
			}
			delete(open, key)
		case op == redo.Rollback:
			if left := len(open[key]); left > 0 {
				rt.Fatalf("%d changes are not undone at ROLLBACK", left)
			}
			delete(open, key)
		case n[2] == 1:
			open[key] = undo(rt, open[key], change{op, n[7], row[8].Text, text, inverse})
		default:
			open[key] = append(open[key], change{op, n[7], row[8].Text, text, inverse})
		}
		text, inverse = "", ""
	}
}

// sameCommittedOnly demands that COMMITTED_DATA_ONLY shows what is left after the undo rows, transaction by transaction.
func (s *stage) sameCommittedOnly(rt *rapid.T, list []committed) {
	s.start(captureOptions | committedDataOnly)
	var got, want []string
	text := ""
	for _, line := range s.mining.rows(`SELECT commit_scn || ' ' || src_con_id || ' ' || row_id, csf, sql_redo
		FROM v$logmnr_contents WHERE operation_code IN (1, 2, 3) AND seg_owner = 'APP'`) {
		cells := strings.SplitN(line, "|", 3)
		if text += cells[2]; cells[1] == "1" {
			continue
		}
		got, text = append(got, cells[0]+" "+text), ""
	}
	for _, tx := range list {
		for _, c := range tx.changes {
			want = append(want, fmt.Sprintf("%d %d %s %s", tx.scn, tx.container, c.rowID, c.sqlRe))
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		rt.Fatalf("COMMITTED_DATA_ONLY (+) and the rows with their undo applied (-):\n%s", diff)
	}
}

// undo takes the newest change away, which the undo row must reverse (reference logminer F.2): it says what SQL_UNDO of the
// change says, an update without the predicates and a delete with ROWID instead of them.
func undo(rt *rapid.T, stack []change, u change) []change {
	if len(stack) == 0 {
		rt.Fatal("an undo row without a change")
	}
	top := stack[len(stack)-1]
	inverse := map[redo.Op]redo.Op{redo.Insert: redo.Delete, redo.Delete: redo.Insert, redo.Update: redo.Update}
	want := top.sqlUn
	switch u.op {
	case redo.Update:
		want = top.sqlUn[:min(len(u.sqlRe), len(top.sqlUn))]
		if !strings.HasPrefix(top.sqlUn[len(want):], " where ") {
			want += " and more"
		}
	case redo.Delete:
		table, _, _ := strings.Cut(top.sqlUn, " where ")
		want = table + " where ROWID = '" + u.rowID + "'"
	}
	if top.op != inverse[u.op] || top.object != u.object || top.rowID != u.rowID || u.sqlRe != want || u.sqlUn != "" {
		rt.Fatalf("an undo row %+v, newest change %+v", u, top)
	}
	return stack[:len(stack)-1]
}

// contents reads the tables of a PDB, now or at an SCN.
func contents(a *actor, at redo.SCN) string {
	var all []string
	for _, query := range replayQueries {
		if at == 0 {
			all = append(all, a.rows(fmt.Sprintf(query, ""))...)
			continue
		}
		all = append(all, a.rows(fmt.Sprintf(query, " AS OF SCN :1"), relation.Uint(uint64(at)))...)
	}
	return strings.Join(all, "\n")
}

// Random SQL from several sessions: replaying SQL_REDO of the committed transactions, in the order of their commit SCNs,
// gives the same tables, and so does AS OF SCN at every commit.
func TestReplayedSQLRedoGivesTheSameTables(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		source := replayStage(t, redo.Warts{
			K2PrivateStrand: rapid.SampledFrom([]int64{0, 2000, 1 << 20}).Draw(rt, "strand"), K1Displaced: rapid.SampledFrom([]int{0, 3}).Draw(rt, "strands"),
			R117PartialXID: rapid.Bool().Draw(rt, "partial"), R5SplitSCN: rapid.Bool().Draw(rt, "split"), K1SCNOrder: rapid.Bool().Draw(rt, "order"),
		}, rapid.SampledFrom(replayLogging).Draw(rt, "logging"))
		defer source.close()
		target := replayStage(t, redo.Warts{}, "ALL")
		defer target.close()
		var players []*player
		for i := range 4 {
			players = append(players, &player{actor: source.open(replayPDBs[i%2], AppUser)})
		}
		for range rapid.SampledFrom([]int{5, 60, 150}).Draw(rt, "steps") {
			rapid.SampledFrom(players).Draw(rt, "player").play(rt)
		}
		for _, p := range players[:2] {
			p.end(rt, rapid.Bool().Draw(rt, "commit"))
		}
		list := source.minedTransactions(rt)
		source.sameCommittedOnly(rt, list)
		slices.SortStableFunc(list, func(a, b committed) int { return cmp.Compare(a.scn, b.scn) })
		replay(rt, source, target, list)
	})
}

func replay(rt *rapid.T, source, target *stage, list []committed) {
	readers, writers := map[int64]*actor{}, map[int64]*actor{}
	for i, pdb := range replayPDBs {
		readers[int64(3+i)], writers[int64(3+i)] = source.open(pdb, SystemUser), target.open(pdb, SystemUser)
		for _, setting := range nlsSettings {
			writers[int64(3+i)].do("ALTER SESSION SET " + setting)
		}
	}
	for _, tx := range list {
		w := writers[tx.container]
		for _, c := range tx.changes {
			result, err := w.run(c.sqlRe)
			if err != nil || result.RowsAffected != 1 {
				rt.Fatalf("%s: %d rows, %v", c.sqlRe, result.RowsAffected, err)
			}
		}
		w.do("COMMIT")
		if got, want := contents(w, 0), contents(readers[tx.container], tx.scn); got != want {
			rt.Fatalf("after the commit at %d the copy has\n%s\nthe source has\n%s", tx.scn, got, want)
		}
	}
	for container, w := range writers {
		if got, want := contents(w, 0), contents(readers[container], 0); got != want {
			rt.Fatalf("at the end the copy of container %d has\n%s\nthe source has\n%s", container, got, want)
		}
	}
}

// A key that an open transaction put on a row and took off again may come back with a rollback to a savepoint: whoever wants
// it waits. Otherwise the redo could not be replayed in the order of commits (correctness K4).
func TestK4InsertWaitsForAKeyOfAnOpenTransaction(t *testing.T) {
	s := newStage(t, Config{})
	a, b := s.app(), s.app()
	s.table(a)
	a.do("INSERT INTO t VALUES (4, 'a')")
	a.do("SAVEPOINT s")
	a.do("UPDATE t SET id = -4")
	ctx := &impatient{Context: t.Context()}
	if _, err := b.Execute(ctx, wire.Statement{SQL: "INSERT INTO t VALUES (4, 'b')"}); err == nil || !ctx.waited {
		t.Fatalf("the key was given away: %v", err)
	}
	a.do("COMMIT")
	b.do("INSERT INTO t VALUES (4, 'b')")
}
