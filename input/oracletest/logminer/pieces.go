package logminer

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// pieces puts together changes that are built from two redo records (R7). A change whose other record lies outside of what the
// query reads shows with what there is of it.
type pieces struct {
	columns int // in the first record
	waiting []*redo.Record
}

// join returns what shows now that a record was read: nothing before a change is complete.
func (p *pieces) join(r *redo.Record) *redo.Record {
	switch {
	case r.FirstPiece():
		p.waiting = append(p.waiting, r.Clone())
		return nil
	case !r.LastPiece():
		return r
	}
	i := slices.IndexFunc(p.waiting, func(first *redo.Record) bool {
		return first.Container == r.Container && first.XID == r.XID && first.RowID == r.RowID && first.Table == r.Table
	})
	if i < 0 {
		// The first record is not in the range; what the second holds cannot be shown without its operation.
		return nil
	}
	first := p.waiting[i]
	p.waiting = slices.Delete(p.waiting, i, i+1)
	if !first.ShowsLast() {
		return first
	}
	whole := *first
	whole.RBA, whole.SSN, whole.SCN = r.RBA, r.SSN, r.SCN
	return &whole
}

// rest returns the next change that stayed incomplete, nil if there is none.
func (p *pieces) rest() *redo.Record {
	if len(p.waiting) == 0 {
		return nil
	}
	part := *p.waiting[0]
	p.waiting = p.waiting[1:]
	part.Before, part.BeforeSet = part.Before[:min(p.columns, len(part.Before))], part.BeforeSet[:min(p.columns, len(part.BeforeSet))]
	part.After, part.AfterSet = part.After[:min(p.columns, len(part.After))], part.AfterSet[:min(p.columns, len(part.AfterSet))]
	return &part
}
