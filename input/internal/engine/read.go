package engine

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// readBatch emits what was read AS OF one SCN, unless the tables had another layout then than it was read by (R81).
func (e *emitter) readBatch(ctx context.Context, b *snapshot.Batch) error {
	versions := make([]*schema.Version, len(b.Parts))
	for i, p := range b.Parts {
		v, ok := e.snapshots.roster.at(p.Chunk.Table, b.SCN)
		// Of a table that began anew meanwhile, the frontier of the reading before says nothing of the one that runs.
		if r := e.snapshots.readings[p.Chunk.Table]; !ok || r == nil || r.task.Progress != p.Progress() || snapshot.Layout(v) != p.Layout {
			e.config.Log.Info("Rows are read again: their table had another layout than it was read by, or is read no more",
				"table", p.Chunk.Table.String(), "scn", b.SCN.String())
			e.order.drop(b)
			e.snapshots.queue.Wake()
			return nil
		}
		versions[i] = v
	}
	began := e.config.Now()
	// Those without rows go first: then a last row behind which there is nothing is known as such.
	for _, empty := range [...]bool{true, false} {
		for i, p := range b.Parts {
			if (p.Count() == 0) != empty {
				continue
			}
			if err := e.readPart(ctx, b, p, versions[i]); err != nil {
				return err
			}
		}
	}
	b.Emitted(e.config.Now().Sub(began))
	e.order.gone(b)
	b.Release()
	e.snapshots.queue.Wake()
	return e.finish()
}

// readPart emits one chunk. The position has it with its last row.
func (e *emitter) readPart(ctx context.Context, b *snapshot.Batch, p *snapshot.Part, v *schema.Version) error {
	r := e.snapshots.readings[p.Chunk.Table]
	now := e.running.Snapshot
	at, _ := now.Table(r.table.String())
	places := marks{incremental: now.Kind == readIncremental, first: now.Rows == 0, firstInTable: at.Rows == 0}
	var frontier *snapshot.Frontier
	n, count := int64(0), p.Count()
	left := e.left
	e.left = int(min(count, int64(e.config.BatchCount)))
	defer func() { e.left = left }()
	for row, err := range p.Rows() {
		if n++; n == count {
			frontier = p.Released()
			places.lastInTable, places.last = frontier.Done, frontier.Done && len(now.Tables) == 1
		}
		ev := change.Event{Version: v, After: row.Image, RowID: row.RowID, SCN: b.SCN, Millis: p.Millis, Mark: places.next()}
		if err == nil {
			err = e.addRead(&ev)
		}
		if err != nil {
			if err := e.buryRead(&ev, err); err != nil {
				return err
			}
		} else if ev.Mark == change.Last {
			e.snapshots.marked = now.ID
		}
		if n < count && e.full() {
			e.mark()
			if err := e.flush(ctx); err != nil {
				return err
			}
		}
	}
	switch {
	case n != count:
		return stop.New(stop.Corrupt, r.table.String(), "a chunk of the snapshot gave %d rows of %d", n, count)
	case count == 0:
		frontier = p.Released()
	}
	e.passed(r, frontier, count)
	if e.batch == nil {
		return nil
	}
	e.mark()
	if e.full() {
		return e.flush(ctx)
	}
	return nil
}

// marks are the places of a snapshot's records in it. A row that went out cannot be told later to have been the last: see closing.
type marks struct {
	incremental, first, firstInTable, lastInTable, last bool
}

// next gives the mark of the next record; of several that apply the order is Debezium's (reference debezium-format 3.2).
func (m *marks) next() (mark change.Mark) {
	switch {
	case m.incremental:
		mark = change.Incremental
	case m.last:
		mark = change.Last
	case m.first:
		mark = change.First
	case m.lastInTable:
		mark = change.LastInTable
	case m.firstInTable:
		mark = change.FirstInTable
	}
	m.first, m.firstInTable = false, false
	return mark
}

// addRead renders a row into the open batch.
func (e *emitter) addRead(ev *change.Event) error {
	if e.batch == nil {
		e.open()
	}
	from := len(e.buffer)
	ev.Built = e.clock.UnixNano()
	var err error
	e.batch.Events, e.buffer, err = e.records.AppendRead(e.batch.Events, e.buffer, ev)
	e.bytes += len(e.buffer) - from
	return err
}

// passed makes what was emitted part of the position.
func (e *emitter) passed(r *reading, frontier *snapshot.Frontier, rows int64) {
	name := r.table.String()
	r.rows += rows
	next := *e.running.Snapshot
	next.Rows += uint64(rows) //nolint:gosec // a count
	if rows > 0 {
		next.Last = name
	}
	e.progressed(&next)
	at, _ := next.Table(name)
	at.Table, at.Frontier = name, frontierOf(frontier)
	at.Rows += uint64(rows) //nolint:gosec // a count
	e.put(at)
	e.config.Observe.Read(name, rows)
	if frontier.Done {
		e.without(r.table)
	}
	e.progress(r, frontier)
}
