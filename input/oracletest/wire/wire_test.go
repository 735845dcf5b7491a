package wire_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/cockroachdb/apd/v3"
	go_ora "github.com/sijms/go-ora/v2"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	testService  = "FREEPDB1"
	testUser     = "APP"
	testPassword = "Geheim#1ü"
)

// handler answers a statement of the scripted database.
type handler func(ctx context.Context, s *scriptSession, stmt wire.Statement) (wire.Result, error)

// script is a database that knows a few statements by their text and remembers what was asked of it.
type script struct {
	statements map[string]handler

	mu       sync.Mutex
	executed []wire.Statement
	events   []string
	logons   []wire.Logon
	labels   map[string]string
	open     int
}

func (s *script) label(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.labels == nil {
		s.labels = map[string]string{}
	}
	s.labels[name] = value
}

func (s *script) labelled(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.labels[name]
}

func newScript() *script { return &script{statements: map[string]handler{}} }

func (s *script) on(sql string, h handler) *script {
	s.statements[sql] = h
	return s
}

func (s *script) Service(name string) bool { return name == testService }

func (s *script) Password(_, user string) (string, bool) {
	return testPassword, user == testUser
}

func (s *script) Open(_ context.Context, logon wire.Logon) (wire.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logons = append(s.logons, logon)
	s.open++
	return &scriptSession{script: s, logon: logon}, nil
}

func (s *script) event(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, fmt.Sprintf(format, args...))
}

func (s *script) history() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.events...)
}

// last returns the statement executed last.
func (s *script) last(t testing.TB) wire.Statement {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.executed) == 0 {
		t.Fatal("nothing was executed")
	}
	return s.executed[len(s.executed)-1]
}

type scriptSession struct {
	script *script
	logon  wire.Logon
	dirty  bool
}

// Label remembers what changed.
func (s *scriptSession) Label(l wire.Labels) {
	for name, value := range map[string]*string{
		"id": l.ClientIdentifier, "module": l.Module, "action": l.Action, "info": l.ClientInfo, "operation": l.Operation,
	} {
		if value != nil {
			s.script.label(name, *value)
		}
	}
}

func (s *scriptSession) Execute(ctx context.Context, stmt wire.Statement) (wire.Result, error) {
	s.script.mu.Lock()
	s.script.executed = append(s.script.executed, stmt)
	s.script.mu.Unlock()
	h := s.script.statements[stmt.SQL]
	if h == nil {
		return wire.Result{}, wire.Errorf(942, "table or view does not exist")
	}
	result, err := h(ctx, s, stmt)
	if err == nil && result.Columns == nil {
		s.dirty = !stmt.AutoCommit
	}
	return result, err
}

func (s *scriptSession) Commit(context.Context) error {
	s.dirty = false
	s.script.event("commit")
	return nil
}

func (s *scriptSession) Rollback(context.Context) error {
	s.dirty = false
	s.script.event("rollback")
	return nil
}

func (s *scriptSession) InTransaction() bool { return s.dirty }

func (s *scriptSession) Close(clean bool) {
	s.script.event("close clean=%t", clean)
	s.script.mu.Lock()
	defer s.script.mu.Unlock()
	s.script.open--
}

// rowSource makes rows; next returns false behind the last one.
type rowSource struct {
	next   func(ctx context.Context, n int, dst []datum.Datum) (bool, error)
	n      int
	closed func()
}

func (r *rowSource) Next(ctx context.Context, dst []datum.Datum) (bool, error) {
	ok, err := r.next(ctx, r.n, dst)
	r.n++
	return ok, err
}

func (r *rowSource) Close() error {
	if r.closed != nil {
		r.closed()
	}
	return nil
}

var (
	numberType = datum.Type{Code: datum.TypeNumber}
	textType   = datum.Type{Code: datum.TypeVarchar, Size: 4000}
)

func number(n int64) datum.Datum {
	return datum.Datum{Kind: datum.Number, Number: apd.New(n, 0)}
}

func text(s string) datum.Datum { return datum.Datum{Kind: datum.Text, Text: s} }

// table answers a query with fixed rows.
func table(columns []wire.Column, rows ...[]datum.Datum) handler {
	return func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
		return wire.Result{Columns: columns, Rows: &rowSource{
			next: func(_ context.Context, n int, dst []datum.Datum) (bool, error) {
				if n == len(rows) {
					return false, nil
				}
				copy(dst, rows[n])
				return true, nil
			},
		}}, nil
	}
}

// series answers a query with n rows (N, S).
func series(n int) handler {
	return func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
		return wire.Result{Columns: seriesColumns(), Rows: &rowSource{
			next: func(_ context.Context, i int, dst []datum.Datum) (bool, error) {
				if i == n {
					return false, nil
				}
				dst[0], dst[1] = number(int64(i)), text(fmt.Sprintf("row %d", i))
				return true, nil
			},
		}}, nil
	}
}

func seriesColumns() []wire.Column {
	return []wire.Column{
		{Name: "N", Type: datum.Type{Code: datum.TypeNumber, HasPrecision: true, Precision: 10}},
		{Name: "S", Type: datum.Type{Code: datum.TypeVarchar, Size: 40}, Nullable: true},
	}
}

func done(rows int64) handler {
	return func(context.Context, *scriptSession, wire.Statement) (wire.Result, error) {
		return wire.Result{RowsAffected: rows}, nil
	}
}

// listen starts a server that is closed with the test.
func listen(t testing.TB, config wire.Config) *wire.Server {
	t.Helper()
	config.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	server, err := wire.Listen(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// dsn is the data source of the reference (tns-server 14.2), with further options.
func dsn(server *wire.Server, user, password, service string, options map[string]string) string {
	all := map[string]string{"PREFETCH_ROWS": "1000", "TIMEOUT": "20", "SERVER LOCATION": "UTC"}
	for k, v := range options {
		if v == "" {
			delete(all, k)
			continue
		}
		all[k] = v
	}
	addr := server.Addr()
	return go_ora.BuildUrl(addr.IP.String(), addr.Port, service, user, password, all)
}

// open opens a database with the right password.
func open(t testing.TB, server *wire.Server, options map[string]string) *sql.DB {
	t.Helper()
	return openDSN(t, dsn(server, testUser, testPassword, testService, options))
}

func openDSN(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db := sql.OpenDB(go_ora.NewConnector(dsn))
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Log("close:", err)
		}
	})
	return db
}

// rest counts the rows that are left and closes them.
func rest(rows *sql.Rows) (n int, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

// queryError is the error a query ends with, wherever it comes up.
func queryError(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, query string,
) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	_, err = rest(rows)
	return err
}
