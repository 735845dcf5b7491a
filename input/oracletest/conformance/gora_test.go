package conformance_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	goora "github.com/sijms/go-ora/v2"
	"github.com/sijms/go-ora/v2/network"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// gora is go-ora in one setting.
type gora struct {
	server, secure *oracletest.Server
	keys           keys
	options        map[string]string
}

// session is one connection; check is the list of failures it finds.
type session struct {
	gora
	ctx  context.Context //nolint:containedctx // that of the test
	db   *sql.DB
	conn *sql.Conn
}

func (g *gora) dsn(s *oracletest.Server, user, password, service string, more map[string]string) string {
	options := map[string]string{"PREFETCH_ROWS": "100", "TIMEOUT": "60", "SERVER LOCATION": "UTC"}
	for _, m := range []map[string]string{g.options, more} {
		for k, v := range m {
			options[k] = v
		}
	}
	addr := s.Wire().Addr()
	return goora.BuildUrl(addr.IP.String(), addr.Port, service, user, password, options)
}

func (g *gora) open(ctx context.Context) (*session, error) {
	return g.openAs(ctx, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")
}

func (g *gora) openAs(ctx context.Context, user, password, service string) (*session, error) {
	s := &session{gora: *g, ctx: ctx, db: sql.OpenDB(goora.NewConnector(g.dsn(g.server, user, password, service, nil)))}
	var err error
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

func (s *session) close() {
	_ = s.conn.Close()
	_ = s.db.Close()
}

// code is the ORA number of an error.
func code(err error) int {
	var ora *network.OracleError
	if errors.As(err, &ora) {
		return ora.ErrCode
	}
	return 0
}

func wantCode(err error, want int) error {
	if code(err) != want {
		return fmt.Errorf("error %w, want ORA-%05d", err, want)
	}
	return nil
}

func want[T any](name string, got, want T) error {
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		return fmt.Errorf("%s: got %.200s, want %.200s", name, g, w)
	}
	return nil
}

func (s *session) exec(query string, args ...any) error {
	_, err := s.conn.ExecContext(s.ctx, query, args...)
	return err
}

// rows reads a query, each value as text; NULL is -.
func (s *session) rows(query string, args ...any) ([]string, error) {
	rows, err := s.conn.QueryContext(s.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return texts(rows)
}

func texts(rows *sql.Rows) (lines []string, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		cells, to := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		line := make([]string, len(columns))
		for i, c := range cells {
			line[i] = "-"
			if c.Valid {
				line[i] = c.String
			}
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	return lines, rows.Err()
}

// expect compares the rows of a query.
func (s *session) expect(query string, lines []string, args ...any) error {
	got, err := s.rows(query, args...)
	if err != nil {
		return err
	}
	if !slices.Equal(got, lines) {
		return fmt.Errorf("%s: got %.200q, want %.200q", query, got, lines)
	}
	return nil
}

// goraSettings runs the list with go-ora, the driver of the product, in every setting of the wire that matters.
func goraSettings(t *testing.T, found *findings) {
	t.Helper()
	for _, setting := range []struct {
		name    string
		config  oracletest.Config
		options map[string]string
	}{
		{"", oracletest.Config{}, nil},
		{" POST", oracletest.Config{Release: 19}, map[string]string{"LOB FETCH": "POST"}},
		{" SDU 512", oracletest.Config{SDU: 512, Errors: wire.ErrorMarker}, nil},
		{" 64 KB, bit vectors", oracletest.Config{SDU: 65535, BitVectors: true}, map[string]string{"PREFETCH_ROWS": "7"}},
		{" SDU 2 MB", oracletest.Config{SDU: 2 << 20, Errors: wire.ErrorMarker}, map[string]string{"PREFETCH_ROWS": "1000"}},
	} {
		t.Run("setting"+setting.name, func(t *testing.T) {
			g := &gora{options: setting.options, keys: newCertificate(t)}
			g.server = server(t, setting.config)
			setting.config.TLS = g.keys.server
			g.secure = server(t, setting.config)
			var results []result
			for _, check := range goraChecks() {
				results = append(results, check.run(t.Context(), g))
			}
			judge(t, results)
			found.add("go-ora"+setting.name, results)
		})
	}
}

type goraCheck struct {
	name string
	work func(*session) error
}

func (c goraCheck) run(ctx context.Context, g *gora) result {
	r := result{Check: c.name, Outcome: outcomeOK}
	if raceDetector && strings.HasPrefix(c.name, "cancel") {
		r.Outcome, r.Note = outcomeInapplicable, "go-ora's cancelling has a race of its own"
		return r
	}
	s, err := g.open(ctx)
	if err == nil {
		err = c.work(s)
		s.close()
	}
	if err == nil {
		return r
	}
	r.Outcome, r.Note = "failed", fmt.Sprintf("%.300s", err)
	return r
}
