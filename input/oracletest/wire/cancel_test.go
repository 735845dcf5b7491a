package wire_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// interruptMarker is what a client writes on its socket to end a fetch (reference tns-server 14.4).
var interruptMarker = []byte{0, 0, 0, 0x0B, 0x0C, 0, 0, 0, 1, 0, 3}

// dialer remembers the connection it made last.
type dialer struct {
	mu   sync.Mutex
	conn net.Conn
}

func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conn = conn
	return conn, err
}

func (d *dialer) last() net.Conn {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.conn
}

// openRemembered opens a pool of one connection and the dialer that knows its socket.
func openRemembered(t testing.TB, server *wire.Server, options map[string]string) (*sql.DB, *dialer) {
	t.Helper()
	connector, ok := go_ora.NewConnector(dsn(server, testUser, testPassword, testService, options)).(*go_ora.OracleConnector)
	if !ok {
		t.Fatal("connector of another type")
	}
	d := &dialer{}
	connector.Dialer(d)
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Log("close:", err)
		}
	})
	return db, d
}

// blocking waits in execute until its context ends.
func blocking(entered chan<- struct{}) handler {
	return func(ctx context.Context, _ *scriptSession, _ wire.Statement) (wire.Result, error) {
		entered <- struct{}{}
		<-ctx.Done()
		return wire.Result{}, wire.Errorf(1013, "user requested cancel of current operation")
	}
}

// blockingAt delivers rows and waits at row n, the first time only.
func blockingAt(n, total int, entered chan<- struct{}) handler {
	first := true
	return func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
		return wire.Result{Columns: seriesColumns(), Rows: &rowSource{
			next: func(ctx context.Context, i int, dst []datum.Datum) (bool, error) {
				if i == n && first {
					first = false
					entered <- struct{}{}
					<-ctx.Done()
					return false, ctx.Err()
				}
				if i == total {
					return false, nil
				}
				dst[0], dst[1] = number(int64(i)), text(fmt.Sprintf("row %d", i))
				return true, nil
			},
		}}, nil
	}
}

// skipDriverRace skips a test that cancels a context under go-ora: the driver's Session.IsBreak reads without
// the lock under which its cancel goroutine writes, and the race detector blames the test.
func skipDriverRace(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("go-ora v2.8.24 has a data race of its own in its cancel path")
	}
}

// Every kind of exchange a cancel can meet.
func cancelSettings(t *testing.T, test func(t *testing.T, config wire.Config)) {
	t.Helper()
	for _, sdu := range []int{512, 8192} {
		for _, eager := range []bool{false, true} {
			t.Run(fmt.Sprintf("sdu=%d eager=%t", sdu, eager), func(t *testing.T) {
				test(t, wire.Config{SDU: sdu, EagerReset: eager})
			})
		}
	}
}

func wantAlive(t *testing.T, db *sql.DB) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "select good")
	if err != nil {
		t.Fatal(err)
	}
	readSeries(t, rows, 500)
}

func TestContextCancelsARunningCall(t *testing.T) {
	skipDriverRace(t)
	cancelSettings(t, func(t *testing.T, config wire.Config) {
		entered := make(chan struct{}, 1)
		config.Backend = newScript().on("begin wait; end;", blocking(entered)).on("select good", series(500)).
			on("select blocked", blockingAt(0, 500, entered))
		server := listen(t, config)
		db, _ := openRemembered(t, server, nil)
		for range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-entered
				cancel()
			}()
			_, err := db.ExecContext(ctx, "begin wait; end;")
			wantOra(t, err, 1013)
			wantAlive(t, db)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-entered
			cancel()
		}()
		wantOra(t, queryError(ctx, db, "select blocked"), 1013)
		wantAlive(t, db)
		if n := len(server.Sessions()); n != 1 {
			t.Errorf("%d sessions, want the one", n)
		}
	})
}

// rows.Next takes no context: the product writes the interrupt marker itself (reference tns-server 14.4).
func TestInterruptMarkerEndsAFetch(t *testing.T) {
	cancelSettings(t, func(t *testing.T, config wire.Config) {
		for _, at := range []int{100, 150} { // between two fetches' rows, and with rows in front in the same answer
			entered := make(chan struct{}, 1)
			config.Backend = newScript().on("select blocked", blockingAt(at, 500, entered)).on("select good", series(500))
			db, d := openRemembered(t, listen(t, config), map[string]string{"PREFETCH_ROWS": "100"})
			rows, err := db.QueryContext(t.Context(), "select blocked")
			if err != nil {
				t.Fatal(err)
			}
			wrote := make(chan error, 1)
			go func() {
				<-entered
				_, err := d.last().Write(interruptMarker)
				wrote <- err
			}()
			n, err := rest(rows)
			wantOra(t, err, 1013)
			if n < 100 {
				t.Errorf("%d rows in front of the cancel", n)
			}
			if err := <-wrote; err != nil {
				t.Error(err)
			}
			wantAlive(t, db)
		}
	})
}

// A break that finds the session idle is answered with the next call, and only that.
func TestInterruptMarkerWhileIdle(t *testing.T) {
	cancelSettings(t, func(t *testing.T, config wire.Config) {
		config.Backend = newScript().on("select good", series(500))
		db, d := openRemembered(t, listen(t, config), nil)
		for range 3 {
			wantAlive(t, db)
			if _, err := d.last().Write(interruptMarker); err != nil {
				t.Fatal(err)
			}
			wantOra(t, queryError(t.Context(), db, "select good"), 1013)
			wantAlive(t, db)
		}
	})
}

// The marker meets rows that are being streamed: the client discards up to the marker and goes on.
func TestInterruptMarkerWhileStreaming(t *testing.T) {
	cancelSettings(t, func(t *testing.T, config wire.Config) {
		const total = 200000
		config.Backend = newScript().on("select stream", series(total)).on("select good", series(500))
		db, d := openRemembered(t, listen(t, config), map[string]string{"PREFETCH_ROWS": "65535"})
		for i := range 5 {
			rows, err := db.QueryContext(t.Context(), "select stream") //nolint:sqlclosecheck // rest closes them
			if err != nil {
				t.Fatal(err)
			}
			if !rows.Next() {
				t.Fatal(rows.Err())
			}
			wrote := make(chan error, 1)
			go func() {
				_, err := d.last().Write(interruptMarker)
				wrote <- err
			}()
			n, err := rest(rows)
			if err := <-wrote; err != nil {
				t.Fatal(err)
			}
			if err == nil {
				t.Fatalf("cancel %d: all %d rows came", i, n)
			}
			wantOra(t, err, 1013)
			wantAlive(t, db)
		}
	})
}

// A context that ends races with the end of its call in every way; what comes back is right or ORA-01013,
// and the connection survives (reference tns-server 14.4).
func TestCancelRacesWithCompletion(t *testing.T) {
	skipDriverRace(t)
	server := listen(t, wire.Config{Backend: newScript().on("select good", series(500))})
	db, _ := openRemembered(t, server, map[string]string{"PREFETCH_ROWS": "500"})
	wantAlive(t, db)
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		err := queryError(ctx, db, "select good")
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			wantOra(t, err, 1013)
		}
	}
	// A marker that was too late is answered with one of the next calls.
	for try := 0; ; try++ {
		err := db.PingContext(t.Context())
		if err == nil {
			break
		}
		wantOra(t, err, 1013)
		if try == 3 {
			t.Fatal(err)
		}
	}
	wantAlive(t, db)
	if n := len(server.Sessions()); n != 1 {
		t.Errorf("%d sessions, want the one", n)
	}
}
