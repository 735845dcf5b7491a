package conformance_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

func goraChecks() []goraCheck {
	return []goraCheck{
		{"log-on", logOn},
		{"log-on refused", logOnRefused},
		{"unknown service", unknownService},
		{"session attributes", attributes},
		{"ALTER SESSION", alterSession},
		{"describe", describe},
		{"column types", columnTypes},
		{"NULLs", nulls},
		{"LOB columns", lobColumns},
		{"temporary LOBs", temporaryLobs},
		{"scalar binds", scalarBinds},
		{"named binds", namedBinds},
		{"array binds", arrayBinds},
		{"PL/SQL binds", blockBinds},
		{"ref cursors", refCursors},
		{"RETURNING", returning},
		{"batch errors", batchErrors},
		{"re-execution", again},
		{"fetches", fetches},
		{"errors", errorsAtEachPlace},
		{"transactions", transactions},
		{"ping and log-off", ping},
		{"cancel", cancelled},
		{"cancel in the stream", cancelledInStream},
		{"several sessions", severalSessions},
		{"connection lost in a fetch", lost},
		{"TLS", overTLS},
	}
}

func logOn(s *session) error { return s.expect("select user from dual", []string{"APP"}) }

func logOnRefused(s *session) error {
	_, wrong := s.openAs(s.ctx, oracletest.AppUser, "wrong", "FREEPDB1")
	_, unknown := s.openAs(s.ctx, "nobody", oracletest.AppPassword, "FREEPDB1")
	return errors.Join(wantCode(wrong, 1017), wantCode(unknown, 1017))
}

func unknownService(s *session) error {
	_, err := s.openAs(s.ctx, oracletest.AppUser, oracletest.AppPassword, "NOWHERE")
	return wantCode(err, 12514)
}

func attributes(s *session) error {
	id, err := s.rows("select sys_context('USERENV', 'SID') from dual")
	if err != nil || len(id) != 1 || strings.Trim(id[0], "0123456789") != "" {
		return fmt.Errorf("session %q, error %w", id, err)
	}
	return nil // go-ora has no labels
}

func alterSession(s *session) error {
	if err := s.exec("alter session set nls_date_format = 'YYYY/DD/MM'"); err != nil {
		return err
	}
	return s.expect("select to_char(date '2024-02-29') from dual", []string{"2024/29/02"})
}

func describe(s *session) (err error) {
	rows, err := s.conn.QueryContext(s.ctx, "select n38, neg, sc, v, dt from conf_types")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Err(), rows.Close()) }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	var got []string
	for _, c := range types {
		line := c.Name()
		if p, scale, ok := c.DecimalSize(); ok {
			line += fmt.Sprintf(" %d %d", p, int8(scale)) // the driver's byte
		}
		if n, ok := c.Length(); ok && c.Name() == "V" {
			line += fmt.Sprintf(" %d", n)
		}
		got = append(got, line)
	}
	return want("columns", strings.Join(got, ","), "N38 38 0,NEG 5 -2,SC 10 2,V 100,DT")
}

const typesQuery = "select n, n38, neg, sc, v, nv, ch, dt, ts, tz, r, bd, bf from conf_types where id = :1"

func columnTypes(s *session) error {
	var numbers [4]string
	var v, nv, ch string
	var dt, ts, tz time.Time
	var r []byte
	var bd, bf float64
	err := s.conn.QueryRowContext(s.ctx, typesQuery, 1).Scan(
		&numbers[0], &numbers[1], &numbers[2], &numbers[3], &v, &nv, &ch, &dt, &ts, &tz, &r, &bd, &bf)
	if err != nil {
		return err
	}
	when := time.Date(2024, 2, 29, 12, 34, 56, 0, time.UTC)
	precise := when.Add(123456 * time.Microsecond)
	var rowid string
	if err := s.conn.QueryRowContext(s.ctx, "select rowid from conf_types where id = 1").Scan(&rowid); err != nil {
		return err
	}
	return errors.Join(
		want("numbers", numbers, [4]string{"-1234567", strings.Repeat("9", 38), "1234500", "-0.05"}),
		want("texts", []string{v, nv, ch}, []string{"Grüße 🌍", "Grüße 🌍", "ab   "}),
		want("date", dt.Equal(when), true), want("timestamp", ts.Equal(precise), true),
		want("zoned", tz.Equal(precise.Add(-2*time.Hour)), true), want("raw", r, []byte{0, 1, 254, 255}),
		want("floats", []float64{bd, bf}, []float64{-1.5, 0.5}),
		s.expect("select id from conf_types where rowid = :1", []string{"1"}, rowid),
	)
}

func nulls(s *session) error {
	return s.expect(typesQuery, []string{strings.TrimSuffix(strings.Repeat("-|", 13), "|")}, 2)
}

func lobColumns(s *session) error {
	largeText, largeBytes := strings.Repeat("Grüße, 世界 🌍. ", 6000), bytes.Repeat([]byte{0, 1, 254, 255, 7}, 40000)
	if err := s.exec("create table conf_lobs (id number primary key, c clob, nc nclob, b blob)"); err != nil {
		return err
	}
	const insert = "insert into conf_lobs values (:1, :2, :3, :4)"
	for _, args := range [][]any{
		{1, goora.Clob{String: largeText, Valid: true}, goora.NClob{String: largeText, Valid: true}, goora.Blob{Data: largeBytes, Valid: true}},
		{2, nil, nil, nil},
		{3, "x", "y", []byte("z")},
	} {
		if err := s.exec(insert, args...); err != nil {
			return err
		}
	}
	return s.expect("select c, nc, b from conf_lobs order by id",
		[]string{largeText + "|" + largeText + "|" + string(largeBytes), "-|-|-", "x|y|z"})
}

// temporaryLobs sends LOBs as binds of columns that are none: the driver goes through temporary ones.
func temporaryLobs(s *session) error {
	if err := s.exec("insert into conf_target values (5, :1)", goora.Clob{String: "through a temporary LOB 🌍", Valid: true}); err != nil {
		return err
	}
	err := s.expect("select s from conf_target where n = 5", []string{"through a temporary LOB 🌍"})
	return errors.Join(err, s.exec("delete from conf_target"))
}

func scalarBinds(s *session) error {
	when := time.Date(2021, 3, 4, 5, 6, 7, 0, time.UTC)
	var n, text string
	var b []byte
	var at time.Time
	var f float64
	err := s.conn.QueryRowContext(s.ctx, "select :1, :2, :3, :4, :5 from dual", 42, "Grüße 🌍", []byte{1, 2}, when, 1.5).
		Scan(&n, &text, &b, &at, &f)
	if err != nil {
		return err
	}
	return errors.Join(
		want("values", []any{n, text, b, at.Equal(when), f}, []any{"42", "Grüße 🌍", []byte{1, 2}, true, 1.5}),
		s.expect("select :1, :2 from dual", []string{"-|" + strings.Repeat("x", 4000)}, nil, strings.Repeat("x", 4000)),
	)
}

func namedBinds(s *session) error {
	return s.expect("select :b || :a, :b from dual", []string{"21|2"}, sql.Named("a", "1"), sql.Named("b", "2"))
}

func arrayBinds(s *session) error {
	numbers, texts := make([]int, 300), make([]string, 300)
	for i := range numbers {
		numbers[i], texts[i] = i, strings.Repeat("x", i)
	}
	if err := s.exec("insert into conf_target values (:1, :2)", numbers, texts); err != nil {
		return err
	}
	err := s.expect("select count(*), sum(n), sum(length(s)) from conf_target", []string{"300|44850|44850"})
	return errors.Join(err, s.exec("delete from conf_target"))
}

func blockBinds(s *session) error {
	for i := range 3 {
		var out int64
		both := "hello"
		err := s.exec("begin :b := :a * 2; :c := :c || '!'; end;", sql.Named("b", goora.Out{Dest: &out}), sql.Named("a", i),
			sql.Named("c", goora.Out{Dest: &both, In: true, Size: 100}))
		if err != nil {
			return err
		}
		if err := want("out", []any{out, both}, []any{2 * i, "hello!"}); err != nil {
			return err
		}
	}
	return nil
}

func refCursors(s *session) error {
	var cursor goora.RefCursor
	if err := s.exec("begin open :1 for select n, s from conf_numbers order by n; end;", goora.Out{Dest: &cursor}); err != nil {
		return err
	}
	rows, err := goora.WrapRefCursor(s.ctx, s.conn, &cursor)
	if err != nil {
		return err
	}
	lines, err := texts(rows)
	if err != nil {
		return err
	}
	return want("rows", []any{len(lines), lines[len(lines)-1]}, []any{1000, "999|row 999"})
}

func returning(s *session) error {
	var out int64
	if err := s.exec("INSERT INTO conf_target VALUES (7, 'seven') RETURNING n * 2 INTO :1", goora.Out{Dest: &out}); err != nil {
		return err
	}
	return errors.Join(want("value", out, 14), s.exec("delete from conf_target"))
}

func batchErrors(s *session) error {
	err := wantCode(s.exec("insert into conf_numbers (n) values (:1)", []int{2000, 5, 2001, 6}), 1)
	err = errors.Join(err, s.expect("select count(*) from conf_numbers where n >= 2000", []string{"2"}))
	return errors.Join(err, s.exec("rollback"))
}

func again(s *session) error {
	stmt, err := s.conn.PrepareContext(s.ctx, "select n, :2 from conf_numbers where n < :1 order by n")
	if err != nil {
		return err
	}
	defer func() { _ = stmt.Close() }()
	for _, n := range []int{5, 0, 10, 35, 1, 250} {
		rows, err := stmt.QueryContext(s.ctx, strings.Repeat("x", n+1), n)
		if err != nil {
			return err
		}
		lines, err := texts(rows)
		if err != nil {
			return err
		}
		if err := want("rows", len(lines), n); err != nil {
			return err
		}
	}
	return nil
}

func fetches(s *session) error {
	for _, n := range []int{0, 1, 2, 6, 7, 8, 14, 99, 100, 101, 1000} {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf("%d|row %d", i, i)
		}
		if err := s.expect("select n, s from conf_numbers where n < :1 order by n", lines, n); err != nil {
			return err
		}
	}
	return nil
}

func errorsAtEachPlace(s *session) error {
	_, parse := s.rows("select * from nowhere")
	block := s.exec("begin execute immediate 'select * from nowhere'; end;")
	_, fetch := s.rows("select 1 / (500 - n) from conf_numbers")
	err := errors.Join(wantCode(parse, 942), wantCode(block, 942), wantCode(fetch, 1476), logOn(s))
	if block != nil && !strings.Contains(block.Error(), "ORA-06512") {
		err = errors.Join(err, fmt.Errorf("no stack in %w", block))
	}
	return err
}

func transactions(s *session) error {
	for _, commit := range []bool{false, true} {
		tx, err := s.conn.BeginTx(s.ctx, nil)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(s.ctx, "insert into conf_target values (:1, 'x')", map[bool]int{false: 1000, true: 1001}[commit])
		if commit {
			err = errors.Join(err, tx.Commit())
		} else {
			err = errors.Join(err, tx.Rollback())
		}
		if err != nil {
			return err
		}
	}
	if err := s.exec("insert into conf_target values (1002, 'by itself')"); err != nil {
		return err
	}
	other, err := s.open(s.ctx)
	if err != nil {
		return err
	}
	defer other.close()
	return other.expect("select n from conf_target where n >= 1000 order by n", []string{"1001", "1002"})
}

func ping(s *session) error {
	for range 3 {
		if err := s.conn.PingContext(s.ctx); err != nil {
			return err
		}
	}
	s.close()
	return want("after the log-off", s.conn.PingContext(s.ctx) != nil, true)
}

func cancelled(s *session) error {
	for range 3 {
		ctx, stop := context.WithTimeout(s.ctx, 300*time.Millisecond)
		_, err := s.conn.ExecContext(ctx, "begin dbms_session.sleep(60); end;")
		stop()
		if err := errors.Join(wantCode(err, 1013), logOn(s)); err != nil {
			return err
		}
	}
	return nil
}

// cancelledInStream cancels a query while its first answer is on its way, at other moments each time.
func cancelledInStream(s *session) error {
	big, err := s.withPrefetch("60000")
	if err != nil {
		return err
	}
	defer big.close()
	for delay := range 15 {
		ctx, stop := context.WithTimeout(s.ctx, time.Duration(4*delay)*time.Millisecond+time.Microsecond)
		rows, err := big.conn.QueryContext(ctx, "select a.n, b.s from conf_numbers a, conf_numbers b where a.n < 50")
		if err == nil {
			_, err = texts(rows)
		}
		stop()
		if err != nil && code(err) != 1013 && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		if err := logOn(big); err != nil && code(err) != 1013 { // a cancel that came too late is answered here
			return err
		}
		if err := logOn(big); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) withPrefetch(rows string) (*session, error) {
	g := s.gora
	g.options = map[string]string{"PREFETCH_ROWS": rows}
	return g.open(s.ctx)
}

func severalSessions(s *session) error {
	var wait sync.WaitGroup
	failed := make([]error, 8)
	for i := range failed {
		wait.Go(func() {
			own, err := s.open(s.ctx)
			if err != nil {
				failed[i] = err
				return
			}
			defer own.close()
			lines, err := own.rows("select n, s from conf_numbers")
			failed[i] = errors.Join(err, want("rows", len(lines), 1000))
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}

func lost(s *session) error {
	for _, how := range []string{"close", "reset"} {
		victim, err := s.withPrefetch("50")
		if err != nil {
			return err
		}
		_, err = victim.rows("select n from conf_numbers /* conformance " + how + " */")
		victim.close()
		if err == nil {
			return fmt.Errorf("%s went unnoticed", how)
		}
	}
	return logOn(s)
}

func overTLS(s *session) (err error) {
	connector, ok := goora.NewConnector(s.dsn(s.secure, oracletest.AppUser, oracletest.AppPassword, "FREEPDB1",
		map[string]string{"SSL": "true", "SSL VERIFY": "true"})).(*goora.OracleConnector)
	if !ok {
		return errors.New("connector of another type")
	}
	connector.WithTLSConfig(s.keys.client())
	db := sql.OpenDB(connector)
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(s.ctx, "select n, s from conf_numbers")
	if err != nil {
		return err
	}
	lines, err := texts(rows)
	return errors.Join(err, want("rows", len(lines), 1000))
}
