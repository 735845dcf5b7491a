package workload

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Config of a workload.
type Config struct {
	// Application is the owner's URL to the PDB of the schema.
	Application string
	Schema      *Schema
	Ledger      *ledger.Ledger
	Seed        uint64
	// Existing are the rows that were there before; the sessions work on them too.
	Existing []ledger.Change
	// Sessions is how many work side by side, Pause the time from one transaction of a session to the next.
	Sessions int
	Pause    time.Duration
	// Linger is how long, at most, one of the sessions leaves its transactions open when their work is done.
	Linger time.Duration
}

// random draws the same for the same seed, PDB and session, and something else for each of them.
func (c Config) random(session int) *rand.Rand {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(c.Schema.PDB))
	return rand.New(rand.NewPCG(c.Seed, hash.Sum64()+uint64(session)))
}

// Run works until the context ends, and ends all transactions first.
func Run(ctx context.Context, config Config) error {
	db := Open(config.Application)
	defer db.Close()
	if err := prepare(context.WithoutCancel(ctx), db, config); err != nil {
		return fmt.Errorf("shared rows: %w", err)
	}
	group, ctx := errgroup.WithContext(ctx)
	for n := range config.Sessions {
		group.Go(func() error {
			s, err := open(ctx, db, config, n+1)
			if err != nil {
				return err
			}
			defer s.conn.Close()
			return s.loop(ctx, config.Pause)
		})
	}
	return group.Wait()
}

// rangeSize is how many order numbers a session has for itself.
const rangeSize = 100_000_000

func open(ctx context.Context, db *sql.DB, config Config, number int) (*session, error) {
	conn, err := db.Conn(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	linger := time.Duration(0)
	if number == 1 {
		linger = config.Linger
	}
	s := &session{
		linger: linger, name: fmt.Sprintf("s%d", number), schema: config.Schema, conn: conn, ledger: config.Ledger,
		base: int64(number) * rangeSize, random: config.random(number), committed: newRows(config.Schema),
	}
	s.inherit(config.Existing, number)
	return s, nil
}

// prepare inserts the shared rows in one transaction.
func prepare(ctx context.Context, db *sql.DB, config Config) error {
	keys := make([]ledger.Row, sharedRows)
	for i := range keys {
		keys[i] = ledger.Row{ledger.Int(int64(i + 1))}
	}
	return Insert(ctx, db, config, "shared", keys)
}

// Insert inserts orders of the given keys in one transaction of its own: the shared rows, and the mark that ends a run.
func Insert(ctx context.Context, db *sql.DB, config Config, tag string, keys []ledger.Row) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	s := &session{name: tag, schema: config.Schema, conn: conn, random: config.random(0), ledger: config.Ledger, committed: newRows(config.Schema)}
	d := &draft{session: s, tx: tx, rows: newRows(config.Schema), tag: tag}
	defer d.leave()
	for _, key := range keys {
		if err := d.insert(ctx, s.schema.Orders, key); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	config.Ledger.Commit(ledger.Transaction{PDB: s.schema.PDB, Tag: tag, Changes: d.changes})
	return nil
}
