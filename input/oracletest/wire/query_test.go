package wire_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// readSeries reads the rows of a series and checks that they are complete and in order.
func readSeries(t testing.TB, rows *sql.Rows, want int) {
	t.Helper()
	defer func() { _ = rows.Close() }()
	i := 0
	for ; rows.Next(); i++ {
		var n int64
		var s string
		if err := rows.Scan(&n, &s); err != nil {
			t.Fatal(err)
		}
		if n != int64(i) || s != fmt.Sprintf("row %d", i) {
			t.Fatalf("row %d is (%d, %s)", i, n, s)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if i != want {
		t.Fatalf("%d rows, want %d", i, want)
	}
}

// The row counts stand around the prefetch: nothing, one, a whole batch, exact multiples and one more.
func TestRowCountsAroundThePrefetch(t *testing.T) {
	backend := newScript()
	counts := []int{0, 1, 2, 7, 8, 9, 16, 17, 100}
	for _, n := range counts {
		backend.on(fmt.Sprintf("select %d", n), series(n))
	}
	server := listen(t, wire.Config{Backend: backend})
	for _, prefetch := range []int{1, 2, 8, 1000, 65535} {
		db := open(t, server, map[string]string{"PREFETCH_ROWS": fmt.Sprint(prefetch)})
		for _, n := range counts {
			t.Run(fmt.Sprintf("%d rows by %d", n, prefetch), func(t *testing.T) {
				rows, err := db.QueryContext(t.Context(), fmt.Sprintf("select %d", n))
				if err != nil {
					t.Fatal(err)
				}
				readSeries(t, rows, n)
			})
		}
	}
}

func TestManyRoundTrips(t *testing.T) {
	server := listen(t, wire.Config{Backend: newScript().on("select many", series(20000))})
	rows, err := open(t, server, map[string]string{"PREFETCH_ROWS": "128"}).QueryContext(t.Context(), "select many")
	if err != nil {
		t.Fatal(err)
	}
	readSeries(t, rows, 20000)
}

// Every way through the framing and the shape of messages gives the same rows and errors.
func TestMatrixOfSettings(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 2000) // crosses packets, and is longer than a chunk of 252 bytes
	for _, sdu := range []int{512, 8192, 2 << 20} {
		for _, style := range []wire.ErrorStyle{wire.ErrorPlain, wire.ErrorMarker} {
			for _, eager := range []bool{false, true} {
				for _, version := range []uint8{7, 8, 12} {
					name := fmt.Sprintf("sdu=%d style=%d eager=%t version=%d", sdu, style, eager, version)
					t.Run(name, func(t *testing.T) {
						testSetting(t, wire.Config{
							SDU: sdu, Errors: style, EagerReset: eager, FieldVersion: version,
						}, long)
					})
				}
			}
		}
	}
}

func testSetting(t *testing.T, config wire.Config, long string) {
	config.Backend = newScript().
		on("select series", series(300)).
		on("select :1", func(_ context.Context, s *scriptSession, stmt wire.Statement) (wire.Result, error) {
			return table([]wire.Column{{Name: "C", Type: datum.Type{Code: datum.TypeVarchar, Size: 32767}}},
				stmt.Binds[0])(nil, s, stmt)
		}).
		on("update t", func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
			return wire.Result{}, wire.Errorf(1, "unique constraint (A.B) violated")
		})
	db := open(t, listen(t, config), map[string]string{"PREFETCH_ROWS": "100"})
	db.SetMaxOpenConns(1)
	for range 2 {
		rows, err := db.QueryContext(t.Context(), "select series")
		if err != nil {
			t.Fatal(err)
		}
		readSeries(t, rows, 300)
		var got string
		if err := db.QueryRowContext(t.Context(), "select :1", long).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != long {
			t.Errorf("%d bytes came back, want %d", len(got), len(long))
		}
		_, err = db.ExecContext(t.Context(), "update t")
		wantOra(t, err, 1)
	}
}

func TestPreparedQueryIsExecutedAgain(t *testing.T) {
	backend := newScript().on("select n, s from t where n < :1",
		func(_ context.Context, s *scriptSession, stmt wire.Statement) (wire.Result, error) {
			n, err := stmt.Binds[0][0].Number.Int64()
			if err != nil {
				return wire.Result{}, err
			}
			return series(int(n))(nil, s, stmt)
		})
	db := open(t, listen(t, wire.Config{Backend: backend}), map[string]string{"PREFETCH_ROWS": "10"})
	stmt, err := db.PrepareContext(t.Context(), "select n, s from t where n < :1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stmt.Close() }()
	for _, n := range []int{5, 0, 10, 35, 1} {
		rows, err := stmt.QueryContext(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		readSeries(t, rows, n)
	}
}

func TestRowSourcesAreClosed(t *testing.T) {
	closed := 0
	backend := newScript().on("select forever", func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
		return wire.Result{Columns: seriesColumns(), Rows: &rowSource{
			closed: func() { closed++ },
			next: func(_ context.Context, n int, dst []datum.Datum) (bool, error) {
				dst[0], dst[1] = number(int64(n)), text("x")
				return true, nil
			},
		}}, nil
	})
	db := open(t, listen(t, wire.Config{Backend: backend}), map[string]string{"PREFETCH_ROWS": "10"})
	rows, err := db.QueryContext(t.Context(), "select forever")
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if err := rows.Close(); err != nil { //nolint:sqlclosecheck // closing early is the point
		t.Fatal(err)
	}
	if closed != 1 {
		t.Errorf("closed %d times, want once", closed)
	}
}

func TestCursorsAreLimited(t *testing.T) {
	db := open(t, listen(t, wire.Config{
		Backend: newScript().on("select s", series(3)), OpenCursors: 2,
	}), map[string]string{"PREFETCH_ROWS": "1"})
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	var open []*sql.Rows
	for range 2 {
		rows, err := conn.QueryContext(t.Context(), "select s") //nolint:rowserrcheck,sqlclosecheck // held open, not read, closed below
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, rows)
	}
	wantOra(t, queryError(t.Context(), conn, "select s"), 1000)
	for _, rows := range open {
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := conn.QueryContext(t.Context(), "select s")
	if err != nil {
		t.Fatal(err)
	}
	readSeries(t, rows, 3)
}

// Errors come back with their code from every place, and the connection goes on.
func TestErrorsAtEachPlace(t *testing.T) {
	failing := func(after int) handler {
		return func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
			return wire.Result{Columns: seriesColumns(), Rows: &rowSource{
				next: func(_ context.Context, n int, dst []datum.Datum) (bool, error) {
					if n == after {
						return false, wire.Errorf(1555, "snapshot too old")
					}
					dst[0], dst[1] = number(int64(n)), text(fmt.Sprintf("row %d", n))
					return true, nil
				},
			}}, nil
		}
	}
	parse := &wire.OraError{Code: 904, Message: `"X": invalid identifier`, Position: 7}
	backend := newScript().
		on("select x", func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
			return wire.Result{}, parse
		}).
		on("select early", failing(0)).
		on("select middle", failing(25)).
		on("begin fail; end;", func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
			return wire.Result{}, wire.Errorf(20001, "application\nORA-06512: at line 1")
		}).
		on("select odd", func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
			return wire.Result{}, errors.New("defect")
		}).
		on("select good", series(5))
	for _, style := range []wire.ErrorStyle{wire.ErrorPlain, wire.ErrorMarker} {
		t.Run(fmt.Sprint("style ", style), func(t *testing.T) {
			db := open(t, listen(t, wire.Config{Backend: backend, Errors: style}), map[string]string{"PREFETCH_ROWS": "10"})
			db.SetMaxOpenConns(1)
			good := func() {
				t.Helper()
				rows, err := db.QueryContext(t.Context(), "select good")
				if err != nil {
					t.Fatal(err)
				}
				readSeries(t, rows, 5)
			}
			err := queryError(t.Context(), db, "select x")
			wantOra(t, err, 904)
			if !strings.Contains(err.Error(), "position: 7") {
				t.Errorf("error %q without its position", err)
			}
			good()
			wantOra(t, queryError(t.Context(), db, "select early"), 1555)
			good()
			rows, err := db.QueryContext(t.Context(), "select middle")
			if err != nil {
				t.Fatal(err)
			}
			n, err := rest(rows)
			wantOra(t, err, 1555)
			if n < 20 || n > 25 {
				t.Errorf("%d rows in front of the error", n)
			}
			good()
			_, err = db.ExecContext(t.Context(), "begin fail; end;")
			wantOra(t, err, 20001)
			if !strings.Contains(err.Error(), "ORA-06512") {
				t.Errorf("error %q without its stack", err)
			}
			good()
			wantOra(t, queryError(t.Context(), db, "select odd"), 600)
			good()
		})
	}
}

func TestSessionsSideBySide(t *testing.T) {
	const sessions = 12
	server := listen(t, wire.Config{Backend: newScript().on("select many", series(2000))})
	db := open(t, server, map[string]string{"PREFETCH_ROWS": "50"})
	failed := make(chan error, sessions)
	for range sessions {
		go func() {
			rows, err := db.QueryContext(context.Background(), "select many")
			if err != nil {
				failed <- err
				return
			}
			n, err := rest(rows)
			if err == nil && n != 2000 {
				err = fmt.Errorf("%d rows", n)
			}
			failed <- err
		}()
	}
	for range sessions {
		select {
		case err := <-failed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(30 * time.Second):
			t.Fatal("sessions stuck")
		}
	}
}
