package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

const (
	accounts = 6
	balance  = 100
)

// transfers moves money between accounts, with a line in the ledger for every transaction that commits.
func transfers(ctx context.Context, s wire.Session, worker, n int) error {
	rng := rand.New(rand.NewPCG(uint64(worker), 7))
	run := func(text string, values ...any) error {
		_, err := s.Execute(ctx, wire.Statement{SQL: text, Binds: binds(values...)})
		return err
	}
	for i := range n {
		from, to := rng.IntN(accounts), rng.IntN(accounts)
		err := run("update account set n = n - 1 where id = :1", from)
		if err == nil {
			err = run("update account set n = n + 1 where id = :1", to)
		}
		if err == nil {
			err = run("insert into ledger values (:1, :2)", worker, i)
		}
		var ora *wire.OraError
		switch {
		case errors.As(err, &ora) && ora.Code == 60, err == nil && rng.IntN(4) == 0:
			err = s.Rollback(ctx)
		case err == nil:
			err = s.Commit(ctx)
		}
		if err != nil {
			return fmt.Errorf("worker %d: %w", worker, err)
		}
	}
	return nil
}

// Whatever SCN a reader takes, AS OF it shows whole transactions, and exactly those whose COMMIT is in the redo at or below it.
func TestConcurrentSessionsSeeWholeTransactions(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table account (id number primary key, n number)")
	c.exec("create table ledger (worker number, i number, primary key (worker, i))")
	for id := range accounts {
		c.exec("insert into account values (:1, :2)", id, balance)
	}
	c.exec("commit")
	from := db.log.CurrentSCN()
	var group, readers errgroup.Group
	for worker := range 4 {
		s := db.app(t).s
		group.Go(func() error { return transfers(t.Context(), s, worker, 150) })
	}
	done := make(chan struct{})
	for range 2 {
		s := db.app(t).s
		readers.Go(func() error {
			for {
				if err := wholeTransactions(t.Context(), db, s, from); err != nil {
					return err
				}
				select {
				case <-done:
					return nil
				default:
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	close(done)
	if err := readers.Wait(); err != nil {
		t.Error(err)
	}
	c.want(strconv.Itoa(accounts*balance), "select sum(n) from account")
	if n := len(db.Transactions()); n != 0 {
		t.Errorf("%d transactions are open", n)
	}
}

func wholeTransactions(ctx context.Context, db *database, s wire.Session, from redo.SCN) error {
	scn := db.log.CurrentSCN()
	commits := db.log.commits(from, scn)
	r, err := s.Execute(ctx, wire.Statement{
		SQL: "select (select sum(n) from account as of scn :1), (select count(*) from ledger as of scn :1) from dual", Binds: binds(scn, scn),
	})
	if err != nil {
		return err
	}
	defer func() { _ = r.Rows.Close() }()
	row := make([]datum.Datum, 2)
	if _, err := r.Rows.Next(ctx, row); err != nil {
		return err
	}
	if got := show(row[0]); got != strconv.Itoa(accounts*balance) {
		return fmt.Errorf("sum AS OF SCN %d is %s", scn, got)
	}
	if got := show(row[1]); got != strconv.Itoa(commits) {
		return fmt.Errorf("AS OF SCN %d shows %s transactions, the redo %d", scn, got, commits)
	}
	return nil
}
