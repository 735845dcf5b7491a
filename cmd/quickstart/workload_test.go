package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/workload"
)

// TestLedgerTellsWhatTheSourceHolds: without any pipeline, the changes written down lead to the rows that are there. Rows that
// several sessions update are left out: the ledger does not order transactions of different sessions.
func TestLedgerTellsWhatTheSourceHolds(t *testing.T) {
	ctx := bounded(t)
	p, err := startParts(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}()
	book := &ledger.Ledger{}
	group, working := errgroup.WithContext(ctx)
	working, stop := context.WithTimeout(working, 1500*time.Millisecond)
	defer stop()
	for _, schema := range p.schemas {
		config := workload.Config{
			Application: p.application(schema.PDB), Schema: schema, Ledger: book, Seed: 11, Sessions: 2, Pause: time.Millisecond,
		}
		group.Go(func() error { return workload.Run(working, config) })
		group.Go(func() error {
			return workload.Definer{
				Config: config, System: p.system(), Interval: 20 * time.Millisecond,
				Look: func(context.Context, *ledger.Table, uint64) error { return nil }, Passed: func(uint64) bool { return true },
			}.Run(working)
		})
		for n := range 2 {
			group.Go(func() error { return pend(ctx, working, config, n) })
		}
	}
	var scns []uint64
	group.Go(func() (err error) {
		scns, err = workload.Operate(working, p.system(), 100*time.Millisecond, 3)
		return err
	})
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	scn, err := workload.CurrentSCN(ctx, p.system())
	if err != nil {
		t.Fatal(err)
	}
	if len(scns) < 2 || scns[0] >= scn {
		t.Errorf("SCNs of the run %v, now %d", scns, scn)
	}
	compareWithSource(ctx, t, p, book, scn)
}

// pend leaves a transaction open for the whole run; the first is committed then, others are left for good.
func pend(ctx, working context.Context, config workload.Config, number int) (err error) {
	pending, err := workload.Begin(ctx, config, number)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pending.Close()) }()
	if err := pending.Work(ctx, 40); err != nil {
		return err
	}
	<-working.Done()
	if number > 0 {
		return nil
	}
	return pending.Commit()
}

func compareWithSource(ctx context.Context, t *testing.T, p *parts, book *ledger.Ledger, scn uint64) {
	t.Helper()
	state := map[*ledger.Table]map[string]*ledger.Change{}
	ddl := 0
	for _, table := range p.tables() {
		state[table] = map[string]*ledger.Change{}
		ddl += len(table.Steps)
	}
	if ddl == 0 {
		t.Error("no DDL was run")
	}
	transactions, changes := book.Count()
	for _, tx := range book.Transactions() {
		for i := range tx.Changes {
			c := &tx.Changes[i]
			changes--
			delete(state[c.Table], c.Key.String())
			if c.After != nil {
				state[c.Table][c.Columns().Key(c.After).String()] = c
			}
		}
	}
	if transactions != len(book.Transactions()) || changes != 0 {
		t.Errorf("%d transactions counted of %d, and %d changes too many", transactions, len(book.Transactions()), changes)
	}
	source := verify.Databases{}
	for _, pdb := range pdbs() {
		source[pdb] = workload.Open(p.application(pdb))
	}
	defer func() {
		if err := source.Close(); err != nil {
			t.Error(err)
		}
	}()
	for table, last := range state {
		rows := map[string]ledger.Row{}
		for key, c := range last {
			if row, left := table.Forward(c.After, c.Steps, len(table.Steps)); left {
				rows[key] = row
			}
		}
		got, err := source.Rows(ctx, table, scn)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(rows) {
			t.Errorf("%s: %d rows in the source, %d in the ledger", table.FullName(), len(got), len(rows))
		}
		for _, row := range got {
			key := table.Now().Key(row)
			if shared := table.Name == "ORDERS" && len(key[0].Text) == 1; !shared && !rows[key.String()].Equal(row) {
				t.Errorf("%s: the source has %s, the ledger %s", table.FullName(), row, rows[key.String()])
			}
		}
	}
}
