package oracletest

import (
	"errors"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func oraCode(err error) int {
	var ora *wire.OraError
	if errors.As(err, &ora) {
		return ora.Code
	}
	return 0
}

// prepared is a stage with APP.T; the next transaction is the 5.0.614 of reference logminer O.
func prepared(t *testing.T, config Config) (s *stage, app *actor, from redo.SCN) {
	t.Helper()
	s = newStage(t, config)
	app = s.app()
	s.table(app)
	s.burn(app, "4")
	return s, app, s.server.CurrentSCN() + 1
}

func TestScene1InsertUpdateDeleteCommit(t *testing.T) {
	releases(t, func(t *testing.T, release int) {
		s, app, from := prepared(t, Config{Release: release})
		app.do("INSERT INTO t (id, name) VALUES (1, 'one')")
		app.do("UPDATE t SET name = 'uno' WHERE id = 1")
		app.do("DELETE FROM t WHERE id = 1")
		app.do("COMMIT")
		golden(t, "scene1", release, s.mine(sceneColumns, from))
		golden(t, "scene1_columns", release, s.everyColumn(from))
	})
}

// everyColumn shows all columns of the rows, one a line, without those that are NULL.
func (s *stage) everyColumn(from redo.SCN) []string {
	s.t.Helper()
	s.start(captureOptions)
	result, err := s.mining.run("SELECT * FROM v$logmnr_contents WHERE scn >= :1", relation.Uint(uint64(from)))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() {
		if err := result.Rows.Close(); err != nil {
			s.t.Error(err)
		}
	}()
	var lines []string
	row := make([]datum.Datum, len(result.Columns))
	for {
		ok, err := result.Rows.Next(s.t.Context(), row)
		if err != nil {
			s.t.Fatal(err)
		}
		if !ok {
			return lines
		}
		for i := range row {
			if !row[i].IsNull() {
				lines = append(lines, result.Columns[i].Name+" "+cellText(&row[i]))
			}
		}
		lines = append(lines, "")
	}
}

func TestScene2SavepointAndFailedInsert(t *testing.T) {
	releases(t, func(t *testing.T, release int) {
		s, app, from := prepared(t, Config{Release: release})
		app.do("INSERT INTO t VALUES (1, 'one')")
		app.do("SAVEPOINT s")
		app.do("INSERT INTO t VALUES (2, 'b')")
		app.do("UPDATE t SET name = 'uno' WHERE id = 1")
		app.do("ROLLBACK TO SAVEPOINT s")
		app.do("INSERT INTO t VALUES (3, 'c')")
		app.fail(1, "INSERT INTO t VALUES (3, 'dup')")
		app.do("COMMIT")
		golden(t, "scene2", release, s.mine(sceneColumns, from))
	})
}

// Reference logminer F.2: the observed pairs, the undo of a delete among them.
func TestScene2UndoOfEveryKind(t *testing.T) {
	releases(t, func(t *testing.T, release int) {
		s := newStage(t, Config{Release: release})
		app := s.app()
		s.table(app)
		app.do("INSERT INTO t VALUES (1, 'first')")
		app.do("COMMIT")
		s.burn(app, "4")
		from := s.server.CurrentSCN() + 1
		app.do("INSERT INTO t VALUES (10, 'ten')")
		app.do("SAVEPOINT s")
		app.do("INSERT INTO t VALUES (11, 'eleven')")
		app.do("UPDATE t SET name = 'TEN' WHERE id = 10")
		app.do("DELETE FROM t WHERE id = 1")
		app.do("ROLLBACK TO s")
		app.do("COMMIT")
		golden(t, "scene2_undo", release, s.mine(sceneColumns, from))
	})
}

// A statement that changes several rows and fails at the last is undone row by row, newest first (reference logminer F.1).
func TestScene2FailedStatementOfSeveralRows(t *testing.T) {
	releases(t, func(t *testing.T, release int) {
		s, app, from := prepared(t, Config{Release: release})
		app.do("INSERT INTO t SELECT ROWNUM, 'n' || ROWNUM FROM dual")
		app.do("INSERT INTO t SELECT id + 1, 'n2' FROM t")
		app.fail(1, "UPDATE t SET id = 7")
		app.fail(1, "INSERT INTO t SELECT 3 - id, 'x' FROM t")
		app.do("COMMIT")
		golden(t, "scene2_rows", release, s.mine(sceneColumns, from))
	})
}

func TestScene3FullRollback(t *testing.T) {
	warts := redo.Warts{R117PartialXID: true, R13ZeroAddressRollback: true}
	releases(t, func(t *testing.T, release int) {
		for name, w := range map[string]redo.Warts{"scene3_plain": {}, "scene3": warts} {
			t.Run(name, func(t *testing.T) {
				s, app, from := prepared(t, Config{Release: release, Warts: w})
				app.do("INSERT INTO t VALUES (1, 'one')")
				app.do("ROLLBACK")
				golden(t, name, release, s.mine(sceneColumns, from))
			})
		}
	})
}

// The first range returns nothing of the transaction; the second, with the same first log, its rows with their old SCNs and
// addresses above all that was delivered.
func TestScene4LateStrand(t *testing.T) {
	releases(t, func(t *testing.T, release int) {
		s, app, from := prepared(t, Config{Release: release, Warts: redo.Warts{K2PrivateStrand: 64 << 10}})
		app.do("INSERT INTO t VALUES (1, 'late')")
		other := s.app()
		other.do("INSERT INTO t VALUES (2, 'other')")
		other.do("COMMIT")
		lines := append([]string{"first range"}, s.mine(sceneColumns, from)...)
		app.do("COMMIT")
		lines = append(append(lines, "second range"), s.mine(sceneColumns, from)...)
		golden(t, "scene4", release, lines)
	})
}

func TestScene8ContinuedStatement(t *testing.T) {
	releases(t, func(t *testing.T, release int) {
		s := newStage(t, Config{Release: release})
		app := s.app()
		app.do("CREATE TABLE l (id NUMBER PRIMARY KEY, a VARCHAR2(4000), b VARCHAR2(4000))")
		app.do("ALTER TABLE l ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
		from := s.server.CurrentSCN() + 1
		a, b := strings.Repeat("x", 3950)+"it''s", strings.Repeat("\u2603'", 900)
		app.do("INSERT INTO l VALUES (1, :1, :2)", relation.Text(a), relation.Text(b))
		app.do("UPDATE l SET b = 'short' WHERE id = 1")
		app.do("COMMIT")
		lines := s.mine("rs_id, ssn, operation_code, csf, row_id, status, LENGTHB(sql_redo), sql_redo", from)
		golden(t, "scene8", release, lines)
	})
}
