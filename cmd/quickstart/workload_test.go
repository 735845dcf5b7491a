package main

import (
	"context"
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
	p, err := startParts(ctx)
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
	group.Go(func() error {
		return workload.Run(working, workload.Config{
			Application: p.oracle.application(), Ledger: book, Seed: 11, Sessions: 3, Pause: time.Millisecond,
		})
	})
	var scns []uint64
	group.Go(func() (err error) {
		scns, err = workload.Operate(working, p.oracle.system(), 100*time.Millisecond)
		return err
	})
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	scn, err := workload.CurrentSCN(ctx, p.oracle.system())
	if err != nil {
		t.Fatal(err)
	}
	if len(scns) < 2 || scns[0] >= scn {
		t.Errorf("SCNs of the run %v, now %d", scns, scn)
	}
	compareWithSource(ctx, t, p, book, scn)
}

func compareWithSource(ctx context.Context, t *testing.T, p *parts, book *ledger.Ledger, scn uint64) {
	t.Helper()
	state, changes := map[*ledger.Table]map[string]ledger.Row{workload.Orders: {}, workload.Items: {}}, 0
	for _, tx := range book.Transactions() {
		for _, c := range tx.Changes {
			changes++
			delete(state[c.Table], c.Key.String())
			if c.After != nil {
				state[c.Table][c.Table.Key(c.After).String()] = c.After
			}
		}
	}
	t.Logf("%d transactions, %d changes", len(book.Transactions()), changes)
	db := workload.Open(p.oracle.application())
	defer db.Close()
	for table, rows := range state {
		got, err := verify.Database{DB: db}.Rows(ctx, table, scn)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(rows) || len(got) == 0 {
			t.Errorf("%s: %d rows in the source, %d in the ledger", table.Name, len(got), len(rows))
		}
		for _, row := range got {
			key := table.Key(row)
			if shared := len(key[0].Text) == 1; !shared && !rows[key.String()].Equal(row) {
				t.Errorf("%s: the source has %s, the ledger %s", table.Name, row, rows[key.String()])
			}
		}
	}
}
