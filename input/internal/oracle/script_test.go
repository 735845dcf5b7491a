package oracle_test

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	service  = "FREE"
	user     = "C##CDC"
	password = "p@ss/w:ord&=?1"
)

// script is a database that answers statements by a part of their text.
type script struct {
	mu      sync.Mutex
	answers []answer
	// refuse keeps a setting from taking: ALTER SESSION is accepted and forgotten.
	refuse string
	// serialShift changes SERIAL# of every session from now on.
	serialShift int
}

type answer struct {
	part string
	make func(ctx context.Context, s *scriptSession) (wire.Result, error)
}

// on answers statements that contain part; the newest answer wins.
func (s *script) on(part string, make func(context.Context, *scriptSession) (wire.Result, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append([]answer{{strings.ToUpper(part), make}}, s.answers...)
}

// rows answers with rows of text columns; "" is NULL.
func (s *script) rows(part string, rows ...[]string) {
	s.on(part, func(context.Context, *scriptSession) (wire.Result, error) { return table(rows...), nil })
}

func (s *script) Service(name string) bool { return name == service }

func (s *script) Password(_, name string) (string, bool) {
	return password, strings.EqualFold(name, user)
}

func (s *script) Open(_ context.Context, logon wire.Logon) (wire.Session, error) {
	return &scriptSession{script: s, logon: logon, settings: map[string]string{
		"NLS_DATE_FORMAT": "DD-MON-RR", "NLS_TIMESTAMP_FORMAT": "DD-MON-RR HH.MI.SSXFF AM",
		"NLS_TIMESTAMP_TZ_FORMAT": "DD-MON-RR HH.MI.SSXFF AM TZR", "NLS_NUMERIC_CHARACTERS": ".,", "TIME_ZONE": "+02:00",
	}}, nil
}

type scriptSession struct {
	script   *script
	logon    wire.Logon
	settings map[string]string
}

func (s *scriptSession) Execute(ctx context.Context, st wire.Statement) (wire.Result, error) {
	text := strings.ToUpper(st.SQL)
	s.script.mu.Lock()
	answers := s.script.answers
	refuse, shift := s.script.refuse, s.script.serialShift
	s.script.mu.Unlock()
	for _, a := range answers {
		if strings.Contains(text, a.part) {
			return a.make(ctx, s)
		}
	}
	switch {
	case strings.HasPrefix(text, "ALTER SESSION SET "):
		name, value, _ := strings.Cut(st.SQL[len("ALTER SESSION SET "):], " = ")
		if name != refuse {
			s.settings[name] = strings.Trim(value, "'")
		}
		return wire.Result{}, nil
	case strings.Contains(text, "NLS_SESSION_PARAMETERS"):
		var rows [][]string
		for name, value := range s.settings {
			rows = append(rows, []string{name, value})
		}
		return table(rows...), nil
	case strings.Contains(text, "SESSIONTIMEZONE"):
		return table([]string{s.settings["TIME_ZONE"]}), nil
	case strings.Contains(text, "V$SESSION"):
		return table([]string{strconv.Itoa(s.logon.SessionID), strconv.Itoa(s.logon.Serial + shift)}), nil
	}
	return wire.Result{}, wire.Errorf(942, "table or view does not exist")
}

func (s *scriptSession) Commit(context.Context) error   { return nil }
func (s *scriptSession) Rollback(context.Context) error { return nil }
func (s *scriptSession) InTransaction() bool            { return false }
func (s *scriptSession) Close(bool)                     {}

// table makes the answer to a query of text columns.
func table(rows ...[]string) wire.Result {
	return stream(func(_ context.Context, n int) ([]string, error) {
		if n >= len(rows) {
			return nil, nil
		}
		return rows[n], nil
	}, width(rows))
}

func width(rows [][]string) int {
	if len(rows) == 0 {
		return 1
	}
	return len(rows[0])
}

// stream makes rows one by one; nil ends them.
func stream(next func(ctx context.Context, n int) ([]string, error), columns int) wire.Result {
	r := wire.Result{Rows: &rowSource{next: next}}
	for i := range columns {
		r.Columns = append(r.Columns, wire.Column{
			Name: fmt.Sprintf("C%d", i), Type: datum.Type{Code: datum.TypeVarchar, Size: 4000}, Nullable: true,
		})
	}
	return r
}

type rowSource struct {
	next func(context.Context, int) ([]string, error)
	n    int
}

func (r *rowSource) Next(ctx context.Context, dst []datum.Datum) (bool, error) {
	row, err := r.next(ctx, r.n)
	if err != nil || row == nil {
		return false, err
	}
	r.n++
	for i := range dst {
		dst[i] = datum.Datum{}
		if i < len(row) && row[i] != "" {
			dst[i] = datum.Datum{Kind: datum.Text, Text: row[i]}
		}
	}
	return true, nil
}

func (r *rowSource) Close() error { return nil }

// server starts a listener for a script.
func server(t *testing.T, s *script) *wire.Server {
	t.Helper()
	w, err := wire.Listen(context.Background(), wire.Config{Backend: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func config(w *wire.Server) oracle.Config {
	u := url.URL{Scheme: "oracle", User: url.UserPassword(user, password), Host: w.Addr().String(), Path: service}
	return oracle.Config{
		ConnectionString: u.String(), FetchRows: 50,
		ConnectTimeout: 20 * time.Second, ReadTimeout: 20 * time.Second, InterruptGrace: 10 * time.Second,
	}
}

// connect opens a session that is closed with the test.
func connect(t *testing.T, cfg oracle.Config) *oracle.Session {
	t.Helper()
	s, err := oracle.Connect(t.Context(), cfg, oracle.Mining)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// read collects a query's rows of one column.
func read(ctx context.Context, s *oracle.Session, text string) ([]string, error) {
	var got []string
	var value oracle.Text
	err := s.Each(ctx, oracle.Statement{Name: "read", Text: text}, nil, []any{&value}, func() error {
		got = append(got, string(value))
		return nil
	})
	return got, err
}
