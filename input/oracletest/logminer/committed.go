package logminer

import (
	"context"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// stageBytes is what COMMITTED_DATA_ONLY may hold of transactions whose COMMIT was not read; Oracle's limit is the PGA
// (reference logminer A.5).
const stageBytes = 64 << 20

// committed is COMMITTED_DATA_ONLY: it yields the records of a range by transaction, in the order of their COMMITs. What was
// rolled back, as a whole or to a savepoint, and what has no COMMIT in the range does not show (reference logminer F.6).
type committed struct {
	source source
	span   span

	open   map[transaction]*group
	staged int64
	limit  int64
	ready  *group
	next   int
}

// group is a transaction with what COMMITTED_DATA_ONLY shows on each of its rows.
type group struct {
	records []*redo.Record
	bytes   int64
	// begin is nil when the START was not read.
	begin  *redo.Record
	commit *redo.Record
	ddl    bool
}

func newCommitted(from source, wanted span) *committed {
	return &committed{source: from, span: wanted, open: map[transaction]*group{}, limit: stageBytes}
}

// read stages transactions until one ends with COMMIT.
func (c *committed) read(ctx context.Context) (*redo.Record, error) {
	for c.ready == nil || c.next == len(c.ready.records) {
		c.ready, c.next = nil, 0
		r, err := c.source.read(ctx)
		if r == nil || err != nil {
			return nil, err
		}
		if !c.span.holds(r) {
			continue
		}
		if r.Corrupt() {
			return r, nil // belongs to no transaction
		}
		if err := c.stage(r); err != nil {
			return nil, err
		}
	}
	c.next++
	return c.ready.records[c.next-1], nil
}

func (c *committed) stage(r *redo.Record) error {
	key := transaction{r.Container, r.XID}
	g := c.open[key]
	if r.Op == redo.Rollback {
		c.drop(key)
		return nil
	}
	if r.Undo {
		if g != nil {
			g.undo(r)
		}
		return nil
	}
	if g == nil {
		g = &group{}
		c.open[key] = g
	}
	r = r.Clone()
	g.records = append(g.records, r)
	size := r.Footprint()
	g.bytes, c.staged = g.bytes+size, c.staged+size
	switch r.Op {
	case redo.Start:
		g.begin = r
	case redo.DDL:
		g.ddl = true
	case redo.Commit:
		g.commit = r
		c.drop(key)
		c.ready = g
		return nil
	default:
	}
	if c.staged > c.limit {
		return wire.Errorf(4036, "PGA memory used by the instance exceeds PGA_AGGREGATE_LIMIT")
	}
	return nil
}

func (c *committed) drop(key transaction) {
	if g := c.open[key]; g != nil {
		c.staged -= g.bytes
		delete(c.open, key)
	}
}

var inverse = map[redo.Op]redo.Op{redo.Insert: redo.Delete, redo.Delete: redo.Insert, redo.Update: redo.Update, redo.Internal: redo.Internal}

// undo takes away the newest record that an undo record reverses.
func (g *group) undo(undo *redo.Record) {
	for i, r := range slices.Backward(g.records) {
		if r.Table != nil && segmentOf(r) == segmentOf(undo) && r.RowID == undo.RowID && r.Op == inverse[undo.Op] {
			g.records = slices.Delete(g.records, i, i+1)
			return
		}
	}
}

// commitSCN is NULL in normal mode, and on DDL rows and the START of their transactions (reference logminer B.2).
func commitSCN(r *row, d *datum.Datum, n *numbers) {
	if r.group == nil || r.op == redo.DDL || r.group.ddl && r.op == redo.Start {
		setNull(d)
		return
	}
	n.set(d, uint64(r.group.commit.SCN))
}

// groupTime is a time of the transaction, NULL in normal mode.
func groupTime(of func(*group) *redo.Record) func(*row) datum.Datum {
	return func(r *row) datum.Datum {
		at := time.Time{}
		if r.group != nil {
			if record := of(r.group); record != nil {
				at = record.Time
			}
		}
		return r.miner.serverDate(at)
	}
}
