package wire_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func named(name string, value any) sql.NamedArg { return sql.Named(name, value) }

func TestBlockWithoutBinds(t *testing.T) {
	backend := newScript().on("begin null; end;", done(0))
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	if _, err := db.ExecContext(t.Context(), "begin null; end;"); err != nil {
		t.Fatal(err)
	}
}

func TestBlockWithInBindsOnly(t *testing.T) {
	const block = "begin sys.dbms_logmnr.add_logfile(:1, :2); end;"
	backend := newScript().on(block, func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
		return wire.Result{Out: []wire.Out{{Direction: wire.In}, {Direction: wire.In}}}, nil
	})
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	stmt, err := db.PrepareContext(t.Context(), block)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stmt.Close() }()
	for i := range 3 {
		if _, err := stmt.ExecContext(t.Context(), "/redo/1.log", i); err != nil {
			t.Fatal(err)
		}
		if got := backend.last(t).Binds; len(got) != 1 || !equal(got[0][0], text("/redo/1.log")) || !equal(got[0][1], number(int64(i))) {
			t.Errorf("binds %+v", got)
		}
	}
}

// :1 in, :2 out, :3 both; again as a re-execution, which does not send the OUT bind.
func TestBlockWithOutBinds(t *testing.T) {
	const block = "begin :2 := :1 * 2; :3 := :3 || '!'; end;"
	backend := newScript().on(block, func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
		in, err := stmt.Binds[0][0].Number.Int64()
		if err != nil {
			return wire.Result{}, err
		}
		return wire.Result{Out: []wire.Out{
			{Direction: wire.In},
			{Direction: wire.OutTo, Value: number(2 * in)},
			{Direction: wire.InOut, Value: text(stmt.Binds[0][2].Text + "!")},
		}}, nil
	})
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	stmt, err := db.PrepareContext(t.Context(), block)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stmt.Close() }()
	for i := range 3 {
		var out int64
		both := "hello"
		_, err = stmt.ExecContext(t.Context(), i, go_ora.Out{Dest: &out}, go_ora.Out{Dest: &both, Size: 100, In: true})
		if err != nil {
			t.Fatal(err)
		}
		if out != int64(2*i) || both != "hello!" {
			t.Errorf("out %d, both %q", out, both)
		}
	}
}

func TestOutValuesAreAssigned(t *testing.T) {
	const block = "begin :1 := x; end;"
	for _, tc := range []struct {
		name  string
		value datum.Datum
		check func(t *testing.T, db *sql.DB)
	}{
		{"number to text", number(-12), wantOutText("-12")},
		{"raw to text", datum.Datum{Kind: datum.Raw, Raw: []byte{0xAB, 0x0C}}, wantOutText("AB0C")},
		{"null", datum.Datum{}, wantOutText("")},
		{"text to number", text(" 17 "), func(t *testing.T, db *sql.DB) {
			var got int64
			if _, err := db.ExecContext(t.Context(), block, go_ora.Out{Dest: &got}); err != nil || got != 17 {
				t.Errorf("got %d, error %v", got, err)
			}
		}},
		{"text that is no number", text("x"), func(t *testing.T, db *sql.DB) {
			var got int64
			_, err := db.ExecContext(t.Context(), block, go_ora.Out{Dest: &got})
			wantOra(t, err, 6502)
		}},
		{"text that is too long", text(strings.Repeat("x", 33)), func(t *testing.T, db *sql.DB) {
			var got string
			_, err := db.ExecContext(t.Context(), block, go_ora.Out{Dest: &got, Size: 5})
			wantOra(t, err, 6502)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			backend := newScript().on(block, func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
				return wire.Result{Out: []wire.Out{{Direction: wire.OutTo, Value: tc.value}}}, nil
			})
			tc.check(t, open(t, listen(t, wire.Config{Backend: backend}), nil))
		})
	}
}

func wantOutText(want string) func(*testing.T, *sql.DB) {
	return func(t *testing.T, db *sql.DB) {
		t.Helper()
		var got string
		_, err := db.ExecContext(t.Context(), "begin :1 := x; end;", go_ora.Out{Dest: &got, Size: 100})
		if err != nil || got != want {
			t.Errorf("got %q, error %v", got, err)
		}
	}
}
