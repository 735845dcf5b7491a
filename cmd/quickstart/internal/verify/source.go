package verify

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Source is the databases that the records come from.
type Source interface {
	// Rows returns a table's rows AS OF an SCN.
	Rows(ctx context.Context, table *ledger.Table, scn uint64) ([]ledger.Row, error)
}

// Source holds the rows that the records left behind up to each SCN against the source AS OF that SCN.
func (h *History) Source(ctx context.Context, source Source, tables []*ledger.Table, scns []uint64, report *Report) error {
	for _, scn := range scns {
		state := h.State(scn)
		for _, table := range tables {
			if n := len(table.Steps); n > 0 && scn < table.Steps[n-1].Behind {
				continue // the source does not look behind a DDL; it was looked at before that
			}
			rows, err := source.Rows(ctx, table, scn)
			if err != nil {
				return fmt.Errorf("%s as of SCN %d: %w", table.FullName(), scn, err)
			}
			compareRows(table, scn, rows, state.rows[table], report)
		}
	}
	return nil
}

// Seen is what the source held in a table at an SCN, before a DDL.
type Seen struct {
	Table *ledger.Table
	SCN   uint64
	Rows  []ledger.Row
}

// Seen holds the rows that the records left behind up to each DDL against what the source held then.
func (h *History) Seen(seen []Seen, report *Report) {
	for _, s := range seen {
		compareRows(s.Table, s.SCN, s.Rows, h.State(s.SCN).rows[s.Table], report)
	}
}

func compareRows(table *ledger.Table, scn uint64, rows []ledger.Row, state map[string]held, report *Report) {
	name := fmt.Sprintf("%s as of SCN %d", table.FullName(), scn)
	found := map[string]bool{}
	for _, row := range rows {
		key := table.Layout(table.At(scn)).Key(row).String()
		found[key] = true
		switch left, ok := state[key]; {
		case !ok:
			report.fault("%s: the source has the row %s, the topic does not", name, key)
		case !left.row.Equal(row):
			report.fault("%s: the source has %s, the topic %s", name, row, left.row)
		}
	}
	for key := range state {
		if !found[key] {
			report.fault("%s: the topic has the row %s, the source does not", name, key)
		}
	}
}
