package scenario_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// patience bounds every wait for something that must happen. It is long, because the cores of a test machine may be busy, and a
// real database mines for seconds; nothing waits for its end.
var patience = map[bool]time.Duration{false: time.Minute, true: 5 * time.Minute}[wantsReal() || raceEnabled]

// scenario is a database with an application on it. Statements name its tables as $name.
type scenario struct {
	*session
	t  *testing.T
	db Database
	// server is the stand-in, nil on a real database.
	server *oracletest.Server
	tables []string
	// file is the position file of the pipeline that is started next.
	file   string
	fences int
}

// fenceTable is in every scenario: a row in it shows that everything committed before has been delivered.
const fenceTable = "fence"

// begin opens the database and its application.
func begin(t *testing.T, options ...option) *scenario {
	t.Helper()
	var o setup
	for _, opt := range options {
		opt(&o)
	}
	s := &scenario{t: t, file: filepath.Join(t.TempDir(), "position.json")}
	s.db, s.server = open(t, o)
	s.session = s.connect(app)
	s.table(fenceTable, "id NUMBER(9) PRIMARY KEY")
	return s
}

// table creates a table that can be captured.
func (s *scenario) table(name, columns string) {
	s.t.Helper()
	s.exec(fmt.Sprintf("CREATE TABLE $%s (%s)", name, columns))
	s.exec(fmt.Sprintf("ALTER TABLE $%s ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS", name))
	s.tables = append(s.tables, name)
}

// logAll lets tables that are made from now on be captured from their first moment, where tableWhileCapturing needs it: the stand-in
// does not know the clause of CREATE TABLE.
func (s *scenario) logAll() {
	s.t.Helper()
	if s.server != nil {
		s.connect(admin).exec("ALTER DATABASE ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	}
}

// tableWhileCapturing creates a table with its logging in one statement, so that capture never sees it without.
func (s *scenario) tableWhileCapturing(name, columns string) {
	s.t.Helper()
	if s.server == nil {
		columns += ", SUPPLEMENTAL LOG DATA (ALL) COLUMNS"
	}
	s.exec(fmt.Sprintf("CREATE TABLE $%s (%s)", name, columns))
	s.tables = append(s.tables, name)
}

// include are the patterns of the scenario's tables.
func (s *scenario) include(names ...string) []string {
	patterns := make([]string, len(names))
	for i, name := range names {
		patterns[i] = strings.ReplaceAll(s.full(name), ".", `\.`)
	}
	return patterns
}

// full is the name of a table as records and patterns have it.
func (s *scenario) full(name string) string {
	return s.db.PDB() + "." + s.db.Owner() + "." + s.db.Table(name)
}

// session is one connection to the database.
type session struct {
	s    *scenario
	db   *sql.DB
	conn *sql.Conn
}

func (s *scenario) connect(a account) *session {
	s.t.Helper()
	c := &session{s: s, db: sql.OpenDB(goora.NewConnector(s.db.DSN(a)))}
	s.t.Cleanup(func() {
		if err := c.db.Close(); err != nil {
			s.t.Error(err)
		}
	})
	var err error
	if c.conn, err = c.db.Conn(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.conn.Close() })
	return c
}

// conversation is what statements run on: a session, which commits each, or a transaction.
type conversation interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}

var tableName = regexp.MustCompile(`\B\$([a-z_0-9]+)`)

func (s *scenario) text(sql string) string {
	return tableName.ReplaceAllStringFunc(sql, func(name string) string { return s.db.Table(name[1:]) })
}

func (s *scenario) run(on conversation, statement string, args ...any) {
	s.t.Helper()
	if _, err := on.ExecContext(context.Background(), s.text(statement), args...); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
}

// exec runs a statement and commits.
func (c *session) exec(statement string, args ...any) {
	c.s.t.Helper()
	c.s.run(c.conn, statement, args...)
}

// transaction is open until commit or rollback.
type transaction struct {
	s  *scenario
	tx *sql.Tx
}

func (c *session) begin() *transaction {
	c.s.t.Helper()
	tx, err := c.conn.BeginTx(context.Background(), nil)
	if err != nil {
		c.s.t.Fatal(err)
	}
	// A connection does not close over an open transaction.
	c.s.t.Cleanup(func() { _ = tx.Rollback() })
	return &transaction{s: c.s, tx: tx}
}

func (x *transaction) exec(statement string, args ...any) {
	x.s.t.Helper()
	x.s.run(x.tx, statement, args...)
}

// fail runs a statement that the database must refuse.
func (x *transaction) fail(statement string, args ...any) {
	x.s.t.Helper()
	if _, err := x.tx.ExecContext(context.Background(), x.s.text(statement), args...); err == nil {
		x.s.t.Fatalf("%s: was not refused", statement)
	}
}

func (x *transaction) commit() {
	x.s.t.Helper()
	if err := x.tx.Commit(); err != nil {
		x.s.t.Fatal(err)
	}
}

func (x *transaction) rollback() {
	x.s.t.Helper()
	if err := x.tx.Rollback(); err != nil {
		x.s.t.Fatal(err)
	}
}

// commit runs statements in one transaction.
func (c *session) commit(statements ...string) {
	c.s.t.Helper()
	x := c.begin()
	for _, statement := range statements {
		x.exec(statement)
	}
	x.commit()
}

// rows reads a query as text, NULL as "-".
func (c *session) rows(query string, args ...any) [][]string {
	c.s.t.Helper()
	rows, err := c.conn.QueryContext(context.Background(), c.s.text(query), args...)
	if err != nil {
		c.s.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		c.s.t.Fatal(err)
	}
	var all [][]string
	for rows.Next() {
		cells, to := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := rows.Scan(to...); err != nil {
			c.s.t.Fatal(err)
		}
		row := make([]string, len(columns))
		for i, cell := range cells {
			row[i] = "-"
			if cell.Valid {
				row[i] = cell.String
			}
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		c.s.t.Fatalf("%s: %v", query, err)
	}
	return all
}

// switchLog begins a new redo log.
func (s *scenario) switchLog() {
	s.t.Helper()
	if err := s.db.SwitchLog(context.Background()); err != nil {
		s.t.Fatal(err)
	}
}
