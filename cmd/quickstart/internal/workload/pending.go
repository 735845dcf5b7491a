package workload

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// pendingSession is the number of the first session that is not one of Run's.
const pendingSession = 90

// Pending is a transaction that stays open for as long as its owner likes. One goroutine at a time may use it.
type Pending struct {
	db    *sql.DB
	draft *draft
}

// Begin opens one; number, from 0 to 8, is its own in the PDB. It must be committed or closed.
func Begin(ctx context.Context, config Config, number int) (*Pending, error) {
	db := Open(config.Application)
	s, err := open(ctx, db, config, pendingSession+number)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s.name = fmt.Sprintf("pending%d", number)
	tx, err := s.conn.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, errors.Join(err, s.conn.Close(), db.Close())
	}
	return &Pending{db: db, draft: &draft{session: s, tx: tx, rows: newRows(config.Schema), tag: s.name}}, nil
}

// Work makes an insert and some more changes.
func (p *Pending) Work(ctx context.Context, steps int) error {
	ctx = context.WithoutCancel(ctx)
	if err := p.draft.insertOrder(ctx); err != nil {
		return fmt.Errorf("transaction %s: %w", p.draft.tag, err)
	}
	for range steps {
		if err := p.draft.step(ctx); err != nil {
			return fmt.Errorf("transaction %s: %w", p.draft.tag, err)
		}
	}
	return nil
}

// Commit ends it and writes it down.
func (p *Pending) Commit() error {
	if err := p.draft.tx.Commit(); err != nil {
		return fmt.Errorf("transaction %s: %w", p.draft.tag, err)
	}
	defer p.draft.leave()
	s := p.draft.session
	s.ledger.Commit(ledger.Transaction{PDB: s.schema.PDB, Tag: p.draft.tag, Changes: p.draft.changes})
	return nil
}

// Close leaves; what was not committed is rolled back.
func (p *Pending) Close() error {
	err := p.draft.tx.Rollback()
	p.draft.leave()
	if errors.Is(err, sql.ErrTxDone) {
		err = nil
	}
	return errors.Join(err, p.draft.conn.Close(), p.db.Close())
}
