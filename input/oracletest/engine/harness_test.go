package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// log is a redo stream that keeps what is appended.
type log struct {
	*redo.Stream
	mu      sync.Mutex
	records []*redo.Record
}

func (l *log) Append(ctx context.Context, recs ...*redo.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.Stream.Append(ctx, recs...); err != nil {
		return err
	}
	l.records = append(l.records, recs...)
	return nil
}

// commits counts the COMMIT records above one SCN up to another.
func (l *log) commits(from, to redo.SCN) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, r := range l.records {
		if r.Op == redo.Commit && r.SCN > from && r.SCN <= to {
			n++
		}
	}
	return n
}

// database is an engine with its redo.
type database struct {
	*Engine
	log  *log
	next int // session id
}

var testTime = time.Date(2026, 3, 29, 13, 45, 59, 123456000, time.UTC)

func openDatabase(t testing.TB, change ...func(*Config)) *database {
	t.Helper()
	stream, err := redo.Open(redo.Config{LogSize: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stream.Close)
	l := &log{Stream: stream}
	cfg := Config{Redo: l, Clock: func() time.Time { return testTime }}
	for _, c := range change {
		c(&cfg)
	}
	e, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &database{Engine: e, log: l, next: 1}
}

// client is a session that fails the test on errors it does not expect.
type client struct {
	t  testing.TB
	s  wire.Session
	db *database
}

func (db *database) connect(t testing.TB, service, user string) *client {
	t.Helper()
	db.next++
	s, err := db.Open(t.Context(), wire.Logon{Service: service, User: user, SessionID: db.next, Serial: 100 + db.next, Program: "test"})
	if err != nil {
		t.Fatalf("open a session of %s in %s: %v", user, service, err)
	}
	t.Cleanup(func() { s.Close(false) })
	return &client{t: t, s: s, db: db}
}

func (db *database) app(t testing.TB) *client { return db.connect(t, "FREEPDB1", "app") }

func binds(values ...any) [][]datum.Datum {
	row := make([]datum.Datum, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case int:
			row[i] = scalar.Int(int64(v))
		case redo.SCN:
			row[i] = scalar.Uint(uint64(v))
		case string:
			row[i] = scalar.Text(v)
		case []byte:
			row[i] = datum.Datum{Kind: datum.Raw, Raw: v}
		case time.Time:
			row[i] = scalar.Zone(v, 0)
		case datum.Datum:
			row[i] = v
		default:
			panic(fmt.Sprintf("bind of type %T", v))
		}
	}
	return [][]datum.Datum{row}
}

// exec runs a statement and returns the rows it changed.
func (c *client) exec(text string, values ...any) int64 {
	c.t.Helper()
	n, err := c.try(text, values...)
	if err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
	return n
}

func (c *client) try(text string, values ...any) (int64, error) {
	stmt := wire.Statement{SQL: text}
	if len(values) > 0 {
		stmt.Binds = binds(values...)
	}
	r, err := c.s.Execute(c.t.Context(), stmt)
	if r.Rows != nil {
		_ = r.Rows.Close()
	}
	return r.RowsAffected, err
}

// refuse expects an ORA code.
func (c *client) refuse(code int, text string, values ...any) {
	c.t.Helper()
	_, err := c.try(text, values...)
	if err == nil {
		_, err = c.rows(text, values...)
	}
	wantCode(c.t, text, err, code)
}

func wantCode(t testing.TB, text string, err error, code int) {
	t.Helper()
	var ora *wire.OraError
	if !errors.As(err, &ora) || ora.Code != code {
		t.Errorf("%s: got %v, want ORA-%05d", text, err, code)
	}
}

func (c *client) rows(text string, values ...any) ([]string, error) {
	stmt := wire.Statement{SQL: text}
	if len(values) > 0 {
		stmt.Binds = binds(values...)
	}
	r, err := c.s.Execute(c.t.Context(), stmt)
	if err != nil {
		return nil, err
	}
	if r.Rows == nil {
		return nil, nil
	}
	defer func() { _ = r.Rows.Close() }()
	var list []string
	row := make([]datum.Datum, len(r.Columns))
	for {
		ok, err := r.Rows.Next(c.t.Context(), row)
		if err != nil || !ok {
			return list, err
		}
		cells := make([]string, len(row))
		for i, d := range row {
			cells[i] = show(d)
		}
		list = append(list, strings.Join(cells, "|"))
	}
}

// query returns the rows of a query, cells joined by a bar.
func (c *client) query(text string, values ...any) []string {
	c.t.Helper()
	rows, err := c.rows(text, values...)
	if err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
	return rows
}

func (c *client) want(want, text string, values ...any) {
	c.t.Helper()
	if got := strings.Join(c.query(text, values...), " ; "); got != want {
		c.t.Errorf("%s\n got %q\nwant %q", text, got, want)
	}
}

func show(d datum.Datum) string {
	switch d.Kind {
	case datum.Null:
		return "NULL"
	case datum.Number:
		return scalar.NumberText(d.Number, '.')
	case datum.Text, datum.RowID:
		return d.Text
	case datum.Time, datum.Zoned:
		text := scalar.ToTime(d.Time).Format("2006-01-02 15:04:05.999999999")
		if d.Kind == datum.Zoned {
			text += " " + scalar.OffsetText(d.Offset)
		}
		return text
	case datum.Raw:
		return fmt.Sprintf("%x", d.Raw)
	case datum.Float:
		return fmt.Sprint(d.Float)
	case datum.Clob:
		return "clob(" + d.Text + ")"
	case datum.Blob:
		return fmt.Sprintf("blob(%x)", d.Raw)
	case datum.IntervalYM, datum.IntervalDS:
		return scalar.IntervalText(d, datum.Type{Precision: 2, Size: 6})
	}
	return "?"
}

// trace shows records from a position on, one a line.
func (db *database) trace(from int) []string {
	var list []string
	for _, r := range db.log.records[from:] {
		line := fmt.Sprint(opName(r))
		if r.Table != nil {
			line += " " + r.Table.Name
		}
		if r.RowID != "" {
			line += " " + r.RowID[14:]
		}
		if r.BeforeSet != nil {
			line += " before" + image(r, r.Before, r.BeforeSet)
		}
		if r.AfterSet != nil {
			line += " after" + image(r, r.After, r.AfterSet)
		}
		if r.SQL != "" {
			line += " " + r.SQL
		}
		list = append(list, line)
	}
	return list
}

func opName(r *redo.Record) string {
	names := map[redo.Op]string{
		redo.Insert: "INSERT", redo.Delete: "DELETE", redo.Update: "UPDATE", redo.DDL: "DDL", redo.Start: "START",
		redo.Commit: "COMMIT", redo.Rollback: "ROLLBACK",
	}
	name := names[r.Op]
	if r.Undo {
		name += "(undo)"
	}
	if r.Shared {
		name = "+" + name
	}
	return name
}

func image(r *redo.Record, values []datum.Datum, set []bool) string {
	var parts []string
	for i := range set {
		if set[i] {
			parts = append(parts, r.Table.Columns[i].Name+"="+show(values[i]))
		}
	}
	return "(" + strings.Join(parts, ",") + ")"
}

func code(err error) string {
	var ora *wire.OraError
	if errors.As(err, &ora) {
		return fmt.Sprint(ora.Code)
	}
	return err.Error()
}

func position(err error) int {
	var ora *wire.OraError
	if errors.As(err, &ora) {
		return ora.Position
	}
	return -1
}
