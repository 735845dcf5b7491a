package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// giveIDs gives the partitions of a new table their ids, and names to those that have none.
func (sp *space) giveIDs(p *catalog.Partitioning, now time.Time) {
	for i := range p.Partitions {
		sp.newPartition(&p.Partitions[i], now)
	}
}

func (sp *space) newPartition(p *catalog.Partition, now time.Time) {
	p.ObjectID = sp.takeObject()
	p.DataObjectID, p.Created, p.LastDDL = p.ObjectID, now, now
	if p.Name == "" {
		p.Name = fmt.Sprintf("SYS_P%d", sp.nextPartition)
		sp.nextPartition++
	}
}

// partitionOf finds the partition of a row, -1 if there is none.
func partitionOf(p *catalog.Partitioning, values []datum.Datum) int {
	switch p.Kind {
	case catalog.ByRange:
		at := slices.IndexFunc(p.Partitions, func(one catalog.Partition) bool { return below(p, values, one.Below) })
		if at < 0 || !p.Partitions[at].Own {
			return at
		}
		// Between the partitions that an interval has made may be others that it will make.
		high, err := nextBound(transition(p), &values[p.Columns[0]], p.Interval)
		if err != nil {
			return -1
		}
		return slices.IndexFunc(p.Partitions, func(one catalog.Partition) bool { return scalar.Equal(&one.Below[0].Value, &high) })
	case catalog.ByList:
		value := &values[p.Columns[0]]
		at := slices.IndexFunc(p.Partitions, func(one catalog.Partition) bool {
			return slices.ContainsFunc(one.Values, func(v datum.Datum) bool { return scalar.Equal(&v, value) })
		})
		if at < 0 {
			at = slices.IndexFunc(p.Partitions, func(one catalog.Partition) bool { return one.Default })
		}
		return at
	}
	return hashed(p, values)
}

// below compares the key of a row with the bounds of a partition, column by column; NULL is above every value and below MAXVALUE.
func below(p *catalog.Partitioning, values []datum.Datum, bounds []catalog.Bound) bool {
	for i, column := range p.Columns {
		value := &values[column]
		switch {
		case bounds[i].Max:
			return true
		case value.IsNull():
			return false
		}
		if c := scalar.Compare(value, &bounds[i].Value); c != 0 {
			return c < 0
		}
	}
	return false
}

// hashed spreads rows by a hash of their key, which is not Oracle's.
func hashed(p *catalog.Partitioning, values []datum.Datum) int {
	h := uint32(2166136261)
	var buf [64]byte
	b := buf[:0]
	for _, column := range p.Columns {
		b = scalar.AppendKey(b, &values[column])
	}
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return int(h % uint32(len(p.Partitions)))
}

// heapFor finds the segment of a row, and makes its partition if the table makes them itself.
func (tx *Tx) heapFor(ctx context.Context, t *Table, values []datum.Datum) (*heap, error) {
	p := t.layout.Partitioning
	if p == nil {
		return t.heaps[0], nil
	}
	at := partitionOf(p, values)
	if at >= 0 {
		return t.heaps[p.Partitions[at].ObjectID], nil
	}
	one, err := ownPartition(p, values)
	if err != nil {
		return nil, err
	}
	return tx.makePartition(ctx, t, one)
}

// makePartition adds a partition in a transaction of Oracle's own, whose DDL row is an internal one at most (R103, reference
// logminer G.2).
func (tx *Tx) makePartition(ctx context.Context, t *Table, one catalog.Partition) (*heap, error) {
	if t.altering {
		return nil, errBusy()
	}
	if err := tx.flush(ctx); err != nil {
		return nil, err
	}
	s, sp := tx.store, tx.space
	layout := *t.layout
	layout.Partitioning = layout.Partitioning.Clone()
	sp.newPartition(&one, s.now())
	layout.Partitioning.Insert(one, scalar.Compare)
	layout.LastDDL = s.now()
	xid := sp.undo.take()
	defer sp.undo.release(xid)
	rec := func(op redo.Op) *redo.Record {
		return &redo.Record{XID: xid, Container: sp.container, Origin: tx.origin, Op: op}
	}
	less := ""
	if layout.Partitioning.Kind == catalog.ByRange {
		less = "LESS THAN "
	}
	start, ddl, commit := rec(redo.Start), rec(redo.DDL), rec(redo.Commit)
	ddl.Table, ddl.Recursive, ddl.Shared, ddl.Unlogged = &layout, true, true, s.logging == Logging{}
	ddl.SQL = `ALTER TABLE "` + layout.Owner + `"."` + layout.Name + `" ADD PARTITION "` + one.Name + `" VALUES ` + less + `(` + one.HighValue + `)`
	ddl.Effect = &redo.Effect{Tables: []*catalog.Table{&layout}}
	recs := []*redo.Record{start, ddl, commit}
	if s.log.Warts().R103NoInternalDDL {
		// What a dictionary from the redo needs is there all the same.
		commit.Effect = ddl.Effect
		recs = []*redo.Record{start, commit}
	}
	if err := s.log.Append(context.WithoutCancel(ctx), recs...); err != nil {
		return nil, err
	}
	s.lastCommit = commit.SCN
	s.moments.note(s.now(), commit.SCN)
	t.layout = &layout
	sp.segments[one.ObjectID] = t
	return t.addHeap(one.ObjectID, one.DataObjectID), nil
}

func noPartition() error {
	return wire.Errorf(14400, "inserted partition key does not map to any partition")
}

// ownPartition is the partition that a table makes for a row.
func ownPartition(p *catalog.Partitioning, values []datum.Datum) (catalog.Partition, error) {
	value := values[p.Columns[0]]
	switch {
	case p.Automatic:
		return catalog.Partition{Values: []datum.Datum{value}, HighValue: literal(&value), Own: true}, nil
	case p.Interval == nil, value.IsNull():
		return catalog.Partition{}, noPartition()
	}
	high, err := nextBound(transition(p), &value, p.Interval)
	if err != nil {
		return catalog.Partition{}, err
	}
	return catalog.Partition{Below: []catalog.Bound{{Value: high}}, HighValue: literal(&high), Own: true}, nil
}

// transition is the bound from which on an interval makes the partitions: that of the last one that was given.
func transition(p *catalog.Partitioning) *datum.Datum {
	var from *datum.Datum
	for i := range p.Partitions {
		if !p.Partitions[i].Own {
			from = &p.Partitions[i].Below[0].Value
		}
	}
	return from
}

// nextBound is the lowest bound above value that is whole intervals above from.
func nextBound(from, value *datum.Datum, step *catalog.Interval) (datum.Datum, error) {
	if from.Kind == datum.Number {
		ctx := apd.BaseContext.WithPrecision(60)
		var n, steps apd.Decimal
		if _, err := ctx.Sub(&n, value.Number, from.Number); err != nil {
			return datum.Datum{}, err
		}
		if _, err := ctx.QuoInteger(&steps, &n, step.Width); err != nil {
			return datum.Datum{}, err
		}
		if _, err := ctx.Add(&steps, &steps, apd.New(1, 0)); err != nil {
			return datum.Datum{}, err
		}
		high := new(apd.Decimal)
		if _, err := ctx.Mul(high, &steps, step.Width); err != nil {
			return datum.Datum{}, err
		}
		if _, err := ctx.Add(high, high, from.Number); err != nil {
			return datum.Datum{}, err
		}
		scalar.Normalize(high)
		return datum.Datum{Kind: datum.Number, Number: high}, nil
	}
	begin, at := instant(from), instant(value)
	high := begin
	switch {
	case step.Months > 0:
		for n := 1; !high.After(at); n++ {
			high = begin.AddDate(0, n*step.Months, 0)
		}
	default:
		seconds, err := step.Width.Float64()
		if err != nil {
			return datum.Datum{}, err
		}
		width := int64(seconds * float64(time.Second))
		steps := int64(at.Sub(begin))/width + 1
		high = begin.Add(time.Duration(steps * width))
	}
	out := datum.Datum{Kind: datum.Time, Time: datum.DateTime{
		Year: int16(high.Year()), Month: uint8(high.Month()), Day: uint8(high.Day()),
		Hour: uint8(high.Hour()), Minute: uint8(high.Minute()), Second: uint8(high.Second()), Nano: uint32(high.Nanosecond()),
	}}
	return out, nil
}

func instant(d *datum.Datum) time.Time {
	t := d.Time
	return time.Date(int(t.Year), time.Month(t.Month), int(t.Day), int(t.Hour), int(t.Minute), int(t.Second), int(t.Nano), time.UTC)
}

// literal writes a value of a partition as the dictionary does.
func literal(d *datum.Datum) string {
	switch d.Kind {
	case datum.Null:
		return "NULL"
	case datum.Number:
		return d.Number.Text('f')
	case datum.Time:
		if d.Time.Nano != 0 {
			return "TIMESTAMP' " + instant(d).Format("2006-01-02 15:04:05.999999999") + "'"
		}
		return "TO_DATE(' " + instant(d).Format("2006-01-02 15:04:05") + "', 'SYYYY-MM-DD HH24:MI:SS', 'NLS_CALENDAR=GREGORIAN')"
	default:
	}
	return "'" + strings.ReplaceAll(d.Text, "'", "''") + "'"
}

// Reshape is what a partition maintenance does to a table.
type Reshape struct {
	// Layout has the partitions as they shall be; those without an object id are new.
	Layout catalog.Table
	// Empty are the object ids of partitions that lose their rows, Move those that get another data object.
	Empty, Move []uint32
	// Swap is the partition that changes places with a table.
	Swap     uint32
	With     *Table
	Validate bool
}

// AlterPartitions changes the partitions of a table. plan gets the present layout. Rows of partitions that are no more go to those that
// take them now, or are gone with Empty.
func (s *Store) AlterPartitions(ctx context.Context, by Issuer, t *Table, plan func(catalog.Table) (Reshape, error)) error {
	return s.ddl(ctx, by, func(sp *space) (*definition, error) {
		if err := sp.changeable(t); err != nil {
			return nil, err
		}
		old := t.layout
		if old.Partitioning == nil {
			return nil, wire.Errorf(14501, "object is not partitioned")
		}
		next := *old
		next.Partitioning = old.Partitioning.Clone()
		r, err := plan(next)
		if err != nil {
			return nil, err
		}
		if r.With != nil {
			return s.exchange(sp, t, &r)
		}
		now := s.now()
		r.Layout.LastDDL = now
		parts := r.Layout.Partitioning.Partitions
		for i := range parts {
			switch id := parts[i].ObjectID; {
			case id == 0:
				sp.newPartition(&parts[i], now)
			case slices.Contains(r.Empty, id) || slices.Contains(r.Move, id):
				parts[i].DataObjectID, parts[i].LastDDL = sp.takeObject(), now
			}
		}
		return defines(&r.Layout, func(scn redo.SCN) { t.repartition(&r, scn) }), nil
	})
}

// repartition puts the rows where the new layout wants them.
func (t *Table) repartition(r *Reshape, scn redo.SCN) {
	sp, old := t.space, t.layout
	t.layout = &r.Layout
	for _, id := range r.Empty {
		t.empty(t.heaps[id])
	}
	for i := range r.Layout.Partitioning.Partitions {
		p := &r.Layout.Partitioning.Partitions[i]
		if t.heaps[p.ObjectID] == nil {
			t.addHeap(p.ObjectID, p.DataObjectID)
		}
		t.heaps[p.ObjectID].data.Store(p.DataObjectID)
	}
	var homeless []*Row
	for i := range old.Partitioning.Partitions {
		id := old.Partitioning.Partitions[i].ObjectID
		if _, stays := r.Layout.Partition(id); stays {
			continue
		}
		h := t.heaps[id]
		delete(t.heaps, id)
		delete(sp.segments, id)
		t.rows.Scan(func(_ uint64, row *Row) bool {
			if row.heap == h {
				homeless = append(homeless, row)
			}
			return true
		})
	}
	for _, row := range homeless {
		t.rows.Delete(row.id)
		if !row.head.gone() {
			at := partitionOf(r.Layout.Partitioning, row.head.row())
			t.settle(t.heaps[r.Layout.Partitioning.Partitions[at].ObjectID], row)
		}
	}
	if len(homeless) > 0 || len(r.Empty) > 0 || len(r.Move) > 0 {
		t.change(scn)
	}
	sp.publish(t)
	t.buildIndexes()
}

// settle gives a row a place in a heap.
func (t *Table) settle(h *heap, row *Row) {
	id := h.slot()
	t.rows.Set(id, &Row{id: id, heap: h, head: &version{tx: row.head.tx, sequence: row.head.sequence, cells: row.head.cells, packed: row.head.packed, absent: row.head.absent}})
}

// exchange lets a partition and a table change places: their segments and ids, as observed (reference logminer G.2, R101).
func (s *Store) exchange(sp *space, t *Table, r *Reshape) (*definition, error) {
	other := r.With
	if err := sp.changeable(other); err != nil {
		return nil, err
	}
	if other.layout.Partitioning != nil || other == t {
		return nil, wire.Errorf(14095, "ALTER TABLE EXCHANGE requires a non-partitioned, non-clustered table")
	}
	if len(other.layout.ForeignKeys) > 0 || sp.referenced(other, func(*catalog.ForeignKey) bool { return true }) {
		return nil, wire.Errorf(3001, "unimplemented feature: EXCHANGE PARTITION with a table that has foreign keys")
	}
	if !sameShape(t.layout, other.layout) {
		return nil, wire.Errorf(14097, "column type or size mismatch in ALTER TABLE EXCHANGE PARTITION")
	}
	at := slices.IndexFunc(r.Layout.Partitioning.Partitions, func(p catalog.Partition) bool { return p.ObjectID == r.Swap })
	p := &r.Layout.Partitioning.Partitions[at]
	if r.Validate {
		if err := other.fits(r.Layout.Partitioning, at); err != nil {
			return nil, err
		}
	}
	theirs, now := *other.layout, s.now()
	p.ObjectID, theirs.ObjectID = theirs.ObjectID, p.ObjectID
	p.DataObjectID, theirs.DataObjectID = theirs.DataObjectID, p.DataObjectID
	r.Layout.LastDDL, theirs.LastDDL, p.LastDDL = now, now, now
	return &definition{table: &r.Layout, tables: []*catalog.Table{&r.Layout, &theirs}, apply: func(scn redo.SCN) {
		delete(sp.byID, other.layout.ObjectID)
		mine, others := t.heaps[r.Swap], other.heaps[0]
		in, out := other.rowsOf(others), t.rowsOf(mine)
		t.empty(mine)
		other.empty(others)
		delete(t.heaps, r.Swap)
		t.layout, other.layout = &r.Layout, &theirs
		home := t.addHeap(p.ObjectID, p.DataObjectID)
		others.data.Store(theirs.DataObjectID)
		for _, row := range in {
			t.settle(home, row)
		}
		for _, row := range out {
			other.settle(others, row)
		}
		t.change(scn)
		other.change(scn)
		sp.publish(t)
		sp.publish(other)
		t.buildIndexes()
		other.buildIndexes()
	}}, nil
}

func (t *Table) rowsOf(h *heap) []*Row {
	var list []*Row
	t.rows.Scan(func(_ uint64, row *Row) bool {
		if row.heap == h && !row.head.gone() {
			list = append(list, row)
		}
		return true
	})
	return list
}

// fits reports ORA-14099 for a row that is not of a partition.
func (t *Table) fits(p *catalog.Partitioning, at int) error {
	for _, row := range t.rowsOf(t.heaps[0]) {
		if partitionOf(p, row.head.row()) != at {
			return wire.Errorf(14099, "all rows in table do not qualify for specified partition")
		}
	}
	return nil
}

func sameShape(a, b *catalog.Table) bool {
	return slices.EqualFunc(a.Columns, b.Columns, func(x, y catalog.Column) bool {
		return x.Type == y.Type && x.SegmentID == y.SegmentID && x.Name == y.Name && x.GuardBit == y.GuardBit && x.Unused == y.Unused
	})
}
