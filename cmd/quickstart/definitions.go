package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/workload"
)

// ddlInterval is the time from one DDL in a PDB to the next.
const ddlInterval = 300 * time.Millisecond

// looks are what the source held before each DDL.
type looks struct {
	mu   sync.Mutex
	seen []verify.Seen
}

// define runs DDL on the tables of a PDB.
func (d *demo) define(ctx context.Context, schema *workload.Schema) (err error) {
	source := verify.Databases{schema.PDB: workload.Open(d.parts.application(schema.PDB))}
	defer func() { err = errors.Join(err, source.Close()) }()
	return workload.Definer{
		Config: d.workload(schema), System: d.parts.system(), Interval: ddlInterval,
		Look: func(ctx context.Context, table *ledger.Table, scn uint64) error {
			rows, err := source.Rows(ctx, table, scn)
			if err != nil {
				return err
			}
			d.looks.mu.Lock()
			defer d.looks.mu.Unlock()
			d.looks.seen = append(d.looks.seen, verify.Seen{Table: table, SCN: scn, Rows: rows})
			return nil
		},
		Passed: func(scn uint64) bool { return d.watch.done.Load() >= scn },
	}.Run(ctx)
}
