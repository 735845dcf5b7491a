package workload

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// session is one connection with its part of the tables.
type session struct {
	name   string
	schema *Schema
	conn   *sql.Conn
	random *rand.Rand
	ledger *ledger.Ledger
	// base is the start of the session's range of order numbers, next the next free one.
	base, next int64
	committed  rows
	count      int
	linger     time.Duration
}

// loop runs transactions until the context ends.
func (s *session) loop(ctx context.Context, pause time.Duration) error {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		// A transaction is always brought to its end: its outcome goes into the ledger.
		if err := s.transaction(context.WithoutCancel(ctx)); err != nil {
			return fmt.Errorf("session %s transaction %d: %w", s.name, s.count, err)
		}
	}
}

// transaction makes one transaction and writes it down if it is committed.
func (s *session) transaction(ctx context.Context) error {
	s.count++
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	d := &draft{session: s, tx: tx, rows: s.committed.clone(), tag: fmt.Sprintf("%s-%05d", s.name, s.count)}
	defer d.leave()
	if err := d.work(ctx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if s.linger > 0 {
		open := time.NewTimer(time.Duration(s.random.Int64N(int64(s.linger))))
		<-open.C
	}
	if s.random.IntN(7) == 0 {
		return tx.Rollback()
	}
	if err := tx.Commit(); err != nil {
		if err := s.resolve(ctx, d.tag, err); err != nil {
			return err
		}
	}
	s.committed = d.rows
	s.ledger.Commit(ledger.Transaction{PDB: s.schema.PDB, Tag: d.tag, Changes: d.changes})
	return nil
}

// resolve finds out about a commit whose answer did not come: the row that every transaction inserts is there or not. Only
// the session itself changes it.
func (s *session) resolve(ctx context.Context, tag string, cause error) error {
	var n int
	err := s.conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM APP.ORDERS WHERE TAG = :1", tag).Scan(&n)
	switch {
	case err != nil:
		return errors.Join(cause, err)
	case n == 0:
		return cause
	}
	return nil
}

// violates reports whether a statement failed on a unique key.
func violates(err error) bool { return err != nil && strings.Contains(err.Error(), "ORA-00001") }
