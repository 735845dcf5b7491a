package input_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	_ "github.com/redpanda-data/benthos/v4/public/components/io"
	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"
	goora "github.com/sijms/go-ora/v2"

	_ "github.com/oracle-cdc/redpanda-connect-oracle/input"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// received is a message as the consumer saw it.
type received struct {
	key, op, table string
	value          map[string]any
	tombstone      bool
}

// stream is a running pipeline with the input under test.
type stream struct {
	t      *testing.T
	stream *service.Stream
	ran    chan error

	mu   sync.Mutex
	got  []received
	more chan struct{}
}

func startStream(t *testing.T, dsn, file, extra string) *stream {
	t.Helper()
	s := &stream{t: t, ran: make(chan error, 1), more: make(chan struct{}, 1)}
	b := service.NewStreamBuilder()
	b.SetThreads(1)
	if err := b.SetLoggerYAML("level: " + logLevel()); err != nil {
		t.Fatal(err)
	}
	yaml := fmt.Sprintf("oracle_cdc:\n  connection_string: %s\n  topic_prefix: shop\n  include: ['FREEPDB1\\.APP\\..*']\n  position: {file: %s}\n  mining: {poll_interval: 100ms, idle_interval: 200ms}\n%s",
		dsn, file, extra)
	if err := b.AddInputYAML(yaml); err != nil {
		t.Fatal(err)
	}
	if err := b.AddBatchConsumerFunc(s.consume); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.stream, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	go func() { s.ran <- s.stream.Run(context.Background()) }()
	t.Cleanup(s.stop)
	return s
}

func logLevel() string { return "WARN" }

func (s *stream) stop() {
	_ = s.stream.StopWithin(20 * time.Second)
	select {
	case <-s.ran:
	case <-time.After(30 * time.Second):
		s.t.Error("the stream did not end")
	}
	s.ran <- nil
}

func (s *stream) consume(_ context.Context, batch service.MessageBatch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range batch {
		r := received{}
		raw, err := m.AsBytes()
		if err != nil {
			return err
		}
		r.key, _ = m.MetaGet("kafka_key")
		r.op, _ = m.MetaGet("operation")
		r.table, _ = m.MetaGet("table_name")
		_, r.tombstone = m.MetaGet("tombstone")
		if !r.tombstone {
			if err := json.Unmarshal(raw, &r.value); err != nil {
				return err
			}
		}
		s.got = append(s.got, r)
	}
	select {
	case s.more <- struct{}{}:
	default:
	}
	return nil
}

// await waits until n messages have come.
func (s *stream) await(n int) []received {
	s.t.Helper()
	deadline := time.After(30 * time.Second)
	for {
		s.mu.Lock()
		got := s.got
		s.mu.Unlock()
		if len(got) >= n {
			return got
		}
		select {
		case <-s.more:
		case <-deadline:
			s.t.Fatalf("%d messages, want %d: %+v", len(got), n, got)
		}
	}
}

func openDatabase(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db := sql.OpenDB(goora.NewConnector(dsn))
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func exec(t *testing.T, db interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}, statements ...string) {
	t.Helper()
	for _, st := range statements {
		if _, err := db.ExecContext(t.Context(), st); err != nil {
			t.Fatalf("%s: %v", st, err)
		}
	}
}

func TestChangesArriveInCommitOrderAndOnlyCommitted(t *testing.T) {
	server, err := oracletest.Start(t.Context(), oracletest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	db := openDatabase(t, server.DSN(oracletest.AppUser, oracletest.AppPassword, "FREEPDB1"))
	exec(t, db,
		"CREATE TABLE t (id NUMBER(9) PRIMARY KEY, name VARCHAR2(40), price NUMBER(10,2), made DATE, bin RAW(16), ts TIMESTAMP(6), c CHAR(5))",
		"ALTER TABLE t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
		"INSERT INTO t (id, name) VALUES (100, 'before the start')",
	)
	file := filepath.Join(t.TempDir(), "position.json")
	dsn := server.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name)
	s := startStream(t, dsn, file, "")
	// The start is durable before anything is emitted; what commits after it is delivered.
	time.Sleep(2 * time.Second)
	exec(t, db, "INSERT INTO t (id, name, price, made, bin, ts, c) VALUES (1, 'one', 12.5, DATE '2026-02-28', HEXTORAW('00ff'), TIMESTAMP '2026-02-28 01:02:03.000004', 'x')")
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, tx, "INSERT INTO t (id, name) VALUES (2, 'two')", "SAVEPOINT a", "UPDATE t SET name = 'zwei' WHERE id = 2", "ROLLBACK TO a",
		"UPDATE t SET id = 3 WHERE id = 2", "DELETE FROM t WHERE id = 1")
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	got := s.await(7)
	for i, r := range got {
		t.Logf("%d %+v", i, r)
	}
}
