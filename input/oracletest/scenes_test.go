package oracletest

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// updateVariable makes the tests write the golden files instead of comparing with them.
const updateVariable = "UPDATE_GOLDEN"

// stage is a server that a scene of reference logminer O plays on, by real statements, and a mining session.
type stage struct {
	t      testing.TB
	server *Server
	next   int
	mining *actor
	// sessions are all that were opened.
	sessions []wire.Session
}

// actor is a session of the engine, without the wire.
type actor struct {
	t testing.TB
	wire.Session
}

// sceneTime is the clock of every scene: goldens must not depend on the day.
var sceneTime = time.Date(2026, 2, 28, 13, 45, 59, 0, time.UTC)

func newStage(t testing.TB, config Config) *stage {
	t.Helper()
	if config.Now == nil {
		config.Now = func() time.Time { return sceneTime }
	}
	server, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, server: server}
	t.Cleanup(s.close)
	s.mining = s.open("FREE", CaptureUser)
	for _, setting := range nlsSettings {
		s.mining.do("ALTER SESSION SET " + setting)
	}
	return s
}

// close may come before the end of the test.
func (s *stage) close() {
	for _, session := range s.sessions {
		session.Close(false)
	}
	s.sessions = nil
	if s.server == nil {
		return
	}
	if err := s.server.Close(); err != nil {
		s.t.Error(err)
	}
	s.server = nil
}

// nlsSettings are those of reference logminer A.6.
var nlsSettings = []string{
	"NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS'", "NLS_TIMESTAMP_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF9'",
	"NLS_TIMESTAMP_TZ_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM'", "NLS_NUMERIC_CHARACTERS = '.,'", "TIME_ZONE = 'UTC'",
}

func (s *stage) open(service, user string) *actor {
	s.t.Helper()
	s.next++
	session, err := s.server.engine.Open(s.t.Context(), wire.Logon{
		Service: service, User: user, SessionID: 100 + s.next, Serial: 7, Machine: "scene", OSUser: "oracle", Process: "4711", Program: "sqlplus",
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.sessions = append(s.sessions, session)
	return &actor{s.t, session}
}

func (s *stage) app() *actor { return s.open("FREEPDB1", AppUser) }

// table makes APP.T as in reference logminer O, with all columns logged.
func (s *stage) table(app *actor) {
	s.t.Helper()
	app.do("CREATE TABLE t (id NUMBER PRIMARY KEY, name VARCHAR2(50))")
	app.do("ALTER TABLE t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
}

// burn runs empty-handed transactions until the next one is of segment usn; the dictionary's own work does that in a real
// database.
func (s *stage) burn(app *actor, last string) {
	s.t.Helper()
	app.do("CREATE TABLE burned (id NUMBER)")
	for range 20 {
		app.do("INSERT INTO burned VALUES (1)")
		got := s.mining.rows("SELECT xidusn FROM v$transaction")
		app.do("COMMIT")
		if len(got) == 1 && got[0] == last {
			return
		}
	}
	s.t.Fatalf("no transaction of segment %s", last)
}

func (a *actor) run(text string, binds ...datum.Datum) (wire.Result, error) {
	stmt := wire.Statement{SQL: text}
	if len(binds) > 0 {
		stmt.Binds = [][]datum.Datum{binds}
	}
	return a.Execute(a.t.Context(), stmt)
}

func (a *actor) do(text string, binds ...datum.Datum) {
	a.t.Helper()
	if _, err := a.run(text, binds...); err != nil {
		a.t.Fatalf("%s: %v", text, err)
	}
}

// fail runs a statement that must fail with an ORA code.
func (a *actor) fail(code int, text string, binds ...datum.Datum) {
	a.t.Helper()
	_, err := a.run(text, binds...)
	if got := oraCode(err); got != code {
		a.t.Fatalf("%s: %v, want ORA-%05d", text, err, code)
	}
}

// rows reads a query as text, one row a line, cells separated by |.
func (a *actor) rows(text string, binds ...datum.Datum) []string {
	a.t.Helper()
	lines, err := a.tryRows(text, binds...)
	if err != nil {
		a.t.Fatalf("%s: %v", text, err)
	}
	return lines
}

func (a *actor) tryRows(text string, binds ...datum.Datum) ([]string, error) {
	result, err := a.run(text, binds...)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := result.Rows.Close(); err != nil {
			a.t.Error(err)
		}
	}()
	var lines []string
	row := make([]datum.Datum, len(result.Columns))
	for {
		ok, err := result.Rows.Next(context.WithoutCancel(a.t.Context()), row)
		if err != nil || !ok {
			return lines, err
		}
		cells := make([]string, len(row))
		for i := range row {
			cells[i] = cellText(&row[i])
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
}

func cellText(d *datum.Datum) string {
	switch d.Kind {
	case datum.Null:
		return "-"
	case datum.Number:
		var reduced apd.Decimal
		reduced.Reduce(d.Number)
		return reduced.Text('f')
	case datum.Text, datum.RowID:
		return d.Text
	case datum.Raw:
		return hex.EncodeToString(d.Raw)
	case datum.Float:
		return fmt.Sprint(d.Float)
	case datum.Time, datum.Zoned:
		t := d.Time
		text := fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d.%09d", t.Year, t.Month, t.Day, t.Hour, t.Minute, t.Second, t.Nano)
		if d.Kind == datum.Zoned {
			text += fmt.Sprintf(" %+d", d.Offset)
		}
		return text
	}
	return "?"
}

// start lists every log and starts LogMiner from an SCN on; 0 is the first.
func (s *stage) start(options int64) {
	s.t.Helper()
	names := s.mining.rows("SELECT name FROM v$archived_log WHERE deleted = 'NO' ORDER BY sequence#")
	names = append(names, s.mining.rows("SELECT f.member FROM v$log l JOIN v$logfile f ON f.group# = l.group# WHERE l.archived = 'NO' ORDER BY l.sequence#")...)
	for i, name := range names {
		s.mining.do("BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => :2); END;", relation.Text(name), relation.Int(int64(min(1+2*i, 3))))
	}
	s.mining.do("BEGIN DBMS_LOGMNR.START_LOGMNR(Options => :1); END;", relation.Int(options))
}

// captureOptions is DICT_FROM_ONLINE_CATALOG + NO_SQL_DELIMITER + NO_ROWID_IN_STMT.
const captureOptions = 2128

// committedDataOnly is COMMITTED_DATA_ONLY.
const committedDataOnly = 2

// sceneColumns are the columns of the tables of reference logminer O.
const sceneColumns = "scn, rs_id, ssn, operation_code, rollback, xidusn || '.' || xidslt || '.' || xidsqn, row_id, data_obj#, status, sql_redo"

// mine reads columns of the rows from an SCN on.
func (s *stage) mine(columns string, from redo.SCN) []string {
	s.t.Helper()
	s.start(captureOptions)
	return s.mining.rows("SELECT "+columns+" FROM v$logmnr_contents WHERE scn >= :1", relation.Uint(uint64(from)))
}

// golden compares lines with a file, that of the release if there is one: where no source tells of a difference, both
// releases show the same.
func golden(t *testing.T, name string, release int, lines []string) {
	t.Helper()
	path := filepath.Join("testdata", "scenes", name+".golden")
	if own := filepath.Join("testdata", "scenes", fmt.Sprintf("%s.%d.golden", name, release)); exists(own) {
		path = own
	}
	got := strings.Join(lines, "\n") + "\n"
	if os.Getenv(updateVariable) != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// releases runs a scene on both.
func releases(t *testing.T, scene func(t *testing.T, release int)) {
	for _, release := range []int{19, 23} {
		t.Run(fmt.Sprintf("release %d", release), func(t *testing.T) { scene(t, release) })
	}
}
