package verify

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Evidence is what the verdict rests on.
type Evidence struct {
	Format Format
	// Records holds each partition in the order of its offsets.
	Records   []Record
	Committed []ledger.Transaction
	Source    Source
	// Stored are the positions that were stored when the pipeline had died, one for each death; nil: not known.
	Stored []Stored
	// SCNs are where the rows left behind are held against the source.
	SCNs []uint64
	// Definitions are the schema changes in the order of their offsets.
	Definitions [][]byte
	// Asked are the signals that were sent, Answers what was said of them.
	Asked   []Asked
	Answers Answers
	// Seen is what the source held before each DDL.
	Seen []Seen
}

// Judge applies every rule; what says most about a fault comes first. An error means that the source could not be asked.
func Judge(ctx context.Context, ev Evidence) (*Report, error) {
	report := &Report{}
	h := Read(ev.Records, ev.Format, report)
	h.Ledger(ev.Committed, report)
	Definitions(ev.Definitions, ev.Format.Tables, report)
	h.Order(report)
	h.Stored(ev.Stored, report)
	h.Chain(report)
	h.Readings(report)
	h.Answered(ev.Asked, ev.Answers, report)
	h.Seen(ev.Seen, report)
	if err := h.Source(ctx, ev.Source, ev.Format.Tables, ev.SCNs, report); err != nil {
		return nil, err
	}
	return report, nil
}
