package workload

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Existing inserts rows that are there before anybody captures: so many orders for each session, in its range of numbers, and some of the
// other tables. It gives them as changes, which no ledger has.
func Existing(ctx context.Context, config Config, orders int) ([]ledger.Change, error) {
	db := Open(config.Application)
	defer db.Close()
	var all []ledger.Change
	for n := range config.Sessions {
		changes, err := existing(ctx, config, n+1, orders)
		if err != nil {
			return nil, fmt.Errorf("existing rows of %s: %w", config.Schema.PDB, err)
		}
		all = append(all, changes...)
	}
	return all, nil
}

func existing(ctx context.Context, config Config, number, orders int) (changes []ledger.Change, err error) {
	db := Open(config.Application)
	defer db.Close()
	s, err := open(ctx, db, config, number)
	if err != nil {
		return nil, err
	}
	defer s.conn.Close()
	s.next = rangeSize / 2 // beyond what the session takes later
	tx, err := s.conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	d := &draft{session: s, tx: tx, rows: newRows(config.Schema), tag: fmt.Sprintf("existing-%d", number)}
	defer d.leave()
	for i := range orders {
		tables := []*ledger.Table{s.schema.Orders}
		if i%8 == 0 {
			tables = append(tables, s.schema.Accounts, s.schema.Measures, s.schema.Notes, s.schema.Visits)
		}
		for _, table := range tables {
			if err := d.insert(ctx, table, d.newKey(table)); err != nil {
				return nil, err
			}
		}
	}
	return d.changes, tx.Commit()
}

// inherit gives the session its part of the rows that were there before.
func (s *session) inherit(existing []ledger.Change, number int) {
	tag := fmt.Sprintf("existing-%d", number)
	for i := range existing {
		c := &existing[i]
		if c.Table.PDB == s.schema.PDB && c.After[c.Columns().Index(ledger.TagColumn)].Text == tag {
			s.committed[c.Table].rows[c.Key.String()] = c.After
		}
	}
}
