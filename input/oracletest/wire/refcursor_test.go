package wire_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

const openCursors = "begin open :1 for x; open :2 for y; :3 := z; end;"

// opens answers a block with two ref cursors and a number.
func opens(first, second handler, closed *int) handler {
	return func(ctx context.Context, s *scriptSession, stmt wire.Statement) (wire.Result, error) {
		a, err := first(ctx, s, stmt)
		if err != nil {
			return a, err
		}
		b, err := second(ctx, s, stmt)
		if err != nil {
			return b, err
		}
		a.Rows.(*rowSource).closed = func() { *closed++ }
		b.Rows.(*rowSource).closed = func() { *closed++ }
		return wire.Result{Out: []wire.Out{
			{Direction: wire.OutTo, Cursor: &a},
			{Direction: wire.OutTo, Cursor: &b},
			{Direction: wire.OutTo, Value: number(7)},
		}}, nil
	}
}

// Two ref cursors are read side by side, one with LOBs, while their block is executed again.
func TestRefCursorsReachTheDriver(t *testing.T) {
	columns, lobs := lobRows()
	for _, mode := range []string{"PRE", "POST"} {
		for _, config := range []wire.Config{{}, {SDU: 512}, {SDU: 2 << 20}, {FieldVersion: 7}, {BitVectors: true}} {
			t.Run(fmt.Sprintf("%s sdu %d version %d bits %t", mode, config.SDU, config.FieldVersion, config.BitVectors), func(t *testing.T) {
				closed := 0
				config.Backend = newScript().on(openCursors, opens(series(300), table(columns, lobs...), &closed))
				db := open(t, listen(t, config), map[string]string{"LOB FETCH": mode, "PREFETCH_ROWS": "100"})
				conn, err := db.Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = conn.Close() }()
				stmt, err := conn.PrepareContext(t.Context(), openCursors)
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = stmt.Close() }()
				for range 2 {
					readCursors(t, conn, stmt, lobs)
				}
				if closed != 4 {
					t.Errorf("%d row sources closed, want 4", closed)
				}
			})
		}
	}
}

func readCursors(t *testing.T, conn *sql.Conn, stmt *sql.Stmt, lobs [][]datum.Datum) {
	t.Helper()
	var a, b go_ora.RefCursor
	var n int
	if _, err := stmt.ExecContext(t.Context(), go_ora.Out{Dest: &a}, go_ora.Out{Dest: &b}, go_ora.Out{Dest: &n}); err != nil {
		t.Fatal(err)
	}
	if n != 7 {
		t.Errorf("the number is %d", n)
	}
	first, err := go_ora.WrapRefCursor(t.Context(), conn, &a)
	if err != nil {
		t.Fatal(err)
	}
	readSeries(t, first, 300)
	second, err := go_ora.WrapRefCursor(t.Context(), conn, &b)
	if err != nil {
		t.Fatal(err)
	}
	checkLobRows(t, second, lobs)
}

// A cursor that was never opened, and too many of them.
func TestRefCursorsThatCannotBeRead(t *testing.T) {
	const block = "begin open :1 for x; end;"
	result := wire.Result{}
	backend := newScript().on(block, func(ctx context.Context, s *scriptSession, stmt wire.Statement) (wire.Result, error) {
		r, err := series(10)(ctx, s, stmt)
		result = r
		return wire.Result{Out: []wire.Out{{Direction: wire.OutTo, Cursor: &result}}}, err
	}).on("begin null; end; -- :1", func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
		return wire.Result{Out: []wire.Out{{Direction: wire.OutTo}}}, nil
	})
	db := open(t, listen(t, wire.Config{Backend: backend, OpenCursors: 1}), nil)
	db.SetMaxOpenConns(1)
	var cursor go_ora.RefCursor
	_, err := db.ExecContext(t.Context(), block, go_ora.Out{Dest: &cursor})
	wantOra(t, err, 1000)
	if _, err := db.ExecContext(t.Context(), "begin null; end; -- :1", go_ora.Out{Dest: &cursor}); err != nil {
		t.Fatal(err)
	}
	if _, err := cursor.Query(); err == nil {
		t.Error("a cursor that was never opened has rows")
	}
	if err := db.PingContext(t.Context()); err != nil {
		t.Error(err)
	}
}
