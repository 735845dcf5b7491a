package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Reasons to give a batch up that are no errors of the database.
var (
	errHeld     = errors.New("the stream waited for it as long as it may (snapshot.max_hold)")
	errTooLarge = errors.New("its rows are more than the memory for snapshots holds")
	errChanged  = errors.New("DDL reached the table while it was read")
)

// failure is an error of one chunk.
type failure struct {
	chunk Chunk
	task  *Task
	// planning: the chunk was to be cut.
	planning bool
	err      error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// read reads the parts of a batch AS OF one SCN and hands it over.
func (r *Reader) read(ctx context.Context, tables []*looked) (time.Duration, error) {
	b := &Batch{least: r.config.LeastRows}
	for _, t := range tables {
		b.Parts = append(b.Parts, t.parts...)
	}
	planned := 0
	for _, p := range b.Parts {
		planned += p.Chunk.Rows
		p.share = wholeShare
		if p.Chunk.Mode != Whole {
			p.share = shareOf(int64(p.Chunk.Rows), p.progress.rows)
		}
	}
	r.pending.Add(b.share())
	b.emitted = r.pace.wentOut
	b.release = func() {
		for _, p := range b.Parts {
			r.used.Add(-p.spool.bytes)
			p.spool = spool{}
		}
		r.pending.Add(-b.share())
		r.waiting.Add(-b.counted)
		r.config.Queue.Wake()
	}
	held, cancel := context.WithTimeoutCause(ctx, r.config.MaxHold, errHeld)
	defer cancel()
	began := r.config.Now()
	failed := r.fill(held, tables, b)
	if failed == nil {
		took := r.config.Now().Sub(began)
		b.counted = b.Count()
		r.waiting.Add(b.counted)
		r.pace.wasRead(b.counted, len(b.Parts), took)
		r.config.Log.Debug("A batch of a snapshot is read", "scn", b.SCN, "chunks", len(b.Parts), "rows_at_most", planned, "rows", b.counted, "took", took)
		for _, p := range b.Parts {
			if n := p.Count(); n > 0 {
				r.perRow[p.Chunk.Table] = p.Bytes()/n + 1
			}
			share := shareOf(p.Count(), p.progress.rows)
			r.pending.Add(share - p.share)
			p.share = share
		}
		r.alone = false
		r.faults.reset()
		// Whoever gives a batch up at the same moment has it then.
		if !r.config.Ordering.Deliver(b) {
			b.GiveUp()
		}
		return 0, nil
	}
	r.config.Ordering.GiveUp(b.Ticket)
	if ctx.Err() != nil {
		b.Discard()
		return 0, ctx.Err()
	}
	return r.gaveUp(ctx, tables, b, failed)
}

// fill takes the SCN of a batch and reads its rows.
func (r *Reader) fill(ctx context.Context, tables []*looked, b *Batch) error {
	if err := r.atSCN(ctx, tables[0], b); err != nil {
		return err
	}
	if err := r.rows(ctx, tables, b); err != nil {
		return err
	}
	for _, t := range tables {
		session, err := r.pool.get(ctx, 0, t.task.Container)
		if err != nil {
			return err
		}
		now, err := oracle.ReadShape(ctx, session, t.task.Container, t.task.Table)
		if err != nil {
			return err
		}
		if now.Objects != t.shape.Objects || Layout(now.Version) != Layout(t.version) {
			return &failure{chunk: t.parts[0].Chunk, task: t.task, err: errChanged}
		}
	}
	return nil
}

// scnWait is the wait before an SCN is read again that was not new.
const scnWait = 10 * time.Millisecond

// atSCN closes the gate and gives the batch an SCN above all that was emitted (R77).
func (r *Reader) atSCN(ctx context.Context, any *looked, b *Batch) error {
	session, err := r.pool.get(ctx, 0, any.task.Container)
	if err != nil {
		return err
	}
	b.Ticket, _ = r.config.Ordering.Close()
	for {
		scn, at, err := oracle.CurrentSCNAndTime(ctx, session)
		if err != nil {
			return err
		}
		if r.config.Ordering.Set(b.Ticket, scn) {
			b.SCN = scn
			for _, p := range b.Parts {
				p.Millis = at.UnixMilli()
			}
			return nil
		}
		if err := sleep(ctx, scnWait); err != nil {
			return err
		}
	}
}

// rows reads the parts, each on a connection of its own. The first error ends the others.
func (r *Reader) rows(ctx context.Context, tables []*looked, b *Batch) error {
	inside, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var workers sync.WaitGroup
	var once sync.Once
	var first error
	n := 0
	for _, t := range tables {
		for _, p := range t.parts {
			connection := n
			n++
			workers.Go(func() {
				err := r.part(inside, connection, t, p, b.SCN)
				if err == nil {
					p.whole = true
					return
				}
				once.Do(func() {
					first = &failure{chunk: p.Chunk, task: t.task, err: err}
					cancel(first)
				})
			})
		}
	}
	workers.Wait()
	if first != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return first
}

// part reads the rows of one chunk.
func (r *Reader) part(ctx context.Context, connection int, t *looked, p *Part, scn position.SCN) (err error) {
	session, err := r.pool.get(ctx, connection, t.task.Container)
	if err != nil {
		return err
	}
	if t.task.Override != "" {
		return r.override(ctx, session, t, p, scn)
	}
	if p.row, err = NewRow(p.Version); err != nil {
		return err
	}
	switch p.Chunk.Mode {
	case ByKey:
		st, args := readByKey(p.Version, p.row.List(), &p.Chunk, scn, t.task.Condition)
		return r.query(ctx, session, p, st, args)
	case ByRowID:
		for _, run := range p.Chunk.blocks {
			st, args := readByRowID(p.Version, p.row.List(), run, scn, t.task.Condition)
			if err := r.query(ctx, session, p, st, args); err != nil {
				return err
			}
		}
		return nil
	default:
		st, args := readWhole(p.Version, p.row.List(), scn, t.task.Condition)
		return r.query(ctx, session, p, p.Chunk.limited(st), args)
	}
}

// override reads the user's query. Columns that it does not give are unavailable in the records; the key it must give.
func (r *Reader) override(ctx context.Context, session *oracle.Session, t *looked, p *Part, scn position.SCN) error {
	st, args, err := readOverride(p.Version, "*", t.task.Override, scn, "1 = 0")
	if err != nil {
		return err
	}
	rows, err := session.Query(ctx, st, args...)
	if err != nil {
		return err
	}
	names, unnamed := rows.Columns()
	if err := errors.Join(unnamed, rows.Close()); err != nil {
		return err
	}
	if p.row, err = newRow(p.Version, func(c *schema.Column) bool { return slices.Contains(names, c.Name) }, false); err != nil {
		return err
	}
	if st, args, err = readOverride(p.Version, p.row.List(), t.task.Override, scn, t.task.Condition); err != nil {
		return err
	}
	return r.query(ctx, session, p, p.Chunk.limited(st), args)
}

// query spools the rows of a statement.
func (r *Reader) query(ctx context.Context, session *oracle.Session, p *Part, st oracle.Statement, args []any) (err error) {
	rows, err := session.Query(ctx, st, args...)
	if err != nil {
		return err
	}
	defer func() {
		if closed := rows.Close(); err == nil {
			err = closed
		}
	}()
	for rows.Next() {
		if err := p.row.scan(rows); err != nil {
			return err
		}
		if took := p.spool.append(p.row.cells); took > 0 && r.used.Add(took) > r.config.MaxBytes {
			return errTooLarge
		}
	}
	return rows.Err()
}

// gaveUp decides what becomes of a batch that failed: what is read again, in which size, and after which wait.
func (r *Reader) gaveUp(ctx context.Context, tables []*looked, b *Batch, err error) (time.Duration, error) {
	alone := r.pending.Load() == b.share()
	switch {
	case errors.Is(err, errHeld) && b.SCN == 0:
		// The database gave no SCN in time; that says nothing of the chunks.
		b.Discard()
		return 0, err
	case errors.Is(err, errTooLarge) && !alone:
		// Older batches have the memory; they are waited for.
		b.Discard()
		return lookRoom, nil
	case errors.Is(err, errTooLarge) && len(b.Parts) > 1:
		r.alone = true
		b.Discard()
		return 0, nil
	case errors.Is(err, errHeld), errors.Is(err, errTooLarge):
		b.Release()
		for _, t := range tables {
			for _, p := range t.parts {
				if p.whole {
					t.task.Progress.giveBack(p.Chunk, false)
					continue
				}
				if err := r.smaller(p.Chunk, t.task, err); err != nil {
					return 0, err
				}
			}
		}
		return 0, nil
	}
	var one *failure
	if !errors.As(err, &one) {
		b.Discard()
		return 0, err
	}
	// What becomes of the chunk that failed is decided with it as it was read.
	for _, p := range b.Parts {
		if p.progress != one.task.Progress || p.Chunk.id != one.chunk.id {
			p.progress.giveBack(p.Chunk, false)
		}
	}
	b.Release()
	return r.failed(ctx, one)
}

// failed decides about a chunk that the database did not read. A request that it does not take is given up alone.
func (r *Reader) failed(ctx context.Context, f *failure) (time.Duration, error) {
	wait, err := r.decided(ctx, f)
	if _, typed := stop.As(err); typed && f.task.Asked && ctx.Err() == nil {
		r.config.Queue.Remove(f.task.Table)
		r.config.Refused(f.task.Table, err)
		return 0, nil
	}
	return wait, err
}

func (r *Reader) decided(ctx context.Context, f *failure) (time.Duration, error) {
	number, old := tooOld(f.err)
	switch {
	case changedBy(f.err), number == missingTable:
		return r.firmly(ctx, r.config.Settle, r.again(f))
	case old:
		if f.planning {
			return r.firmly(ctx, r.config.RetryWait, r.again(f))
		}
		return 0, r.smaller(f.chunk, f.task, f.err)
	}
	class, typed := oracle.Classify(f.err)
	switch class {
	case oracle.Reconnect:
		f.task.Progress.giveBack(f.chunk, false)
		return 0, f.err
	case oracle.Stop:
		f.task.Progress.giveBack(f.chunk, false)
		return 0, blamed(typed, f)
	default:
		return r.firmly(ctx, r.config.RetryWait, r.again(f))
	}
}

// firmly waits whatever wakes the queue: a reading that comes too early counts as a failure.
func (r *Reader) firmly(ctx context.Context, d time.Duration, err error) (time.Duration, error) {
	if err != nil {
		return 0, err
	}
	return 0, sleep(ctx, d)
}

// blamed says of an error that a condition or a query of the user may have made where to look.
func blamed(typed *stop.Error, f *failure) error {
	setting := "snapshot.conditions"
	switch {
	case f.task.Asked:
		setting = "the request"
	case f.task.Override != "":
		setting = "snapshot.overrides"
	}
	if f.task.Override == "" && f.task.Condition == "" || typed.ORA == 0 || typed.Code != stop.Unclassified && !changedBy(f.err) {
		return about(typed, f.chunk)
	}
	said := stop.Wrap(stop.Configuration, f.err, f.chunk.Table.String(), "the database does not take what %s says of the table", setting)
	said.ORA = typed.ORA
	return said.Doing("correct it; ORA-00904 is a name that the table does not have")
}

// missingTable is what a table that was dropped answers, and one without a grant.
const missingTable = 942

// unknownColumn is what a column answers that was dropped, and one that never was.
const unknownColumn = 904

// changedBy reports errors that DDL gives to who reads AS OF an SCN before it (R81).
func changedBy(err error) bool {
	if errors.Is(err, errChanged) {
		return true
	}
	switch number, _ := oracle.Code(err); number {
	case 1466, unknownColumn, 8103, 1410: // the definition, a column, the object, the ROWIDs are others
		return true
	}
	return false
}

// again has a chunk read once more as it is.
func (r *Reader) again(f *failure) error {
	r.config.GaveUp(f.chunk, f.err.Error())
	if f.chunk.tries < r.config.Retries {
		f.task.Progress.giveBack(f.chunk, true)
		return nil
	}
	if number, _ := oracle.Code(f.err); number == unknownColumn && (f.task.Condition != "" || f.task.Override != "") {
		_, typed := oracle.Classify(f.err)
		return blamed(typed, f)
	}
	if changedBy(f.err) {
		typed := stop.Wrap(stop.SnapshotOld, f.err, f.chunk.Table.String(), "DDL reached the table while a chunk was read, %d times in a row", f.chunk.tries+1)
		typed.ORA, _ = oracle.Code(f.err)
		return typed.Doing("restart once no DDL runs on the table any more, grants included: the snapshot goes on where it is")
	}
	_, typed := oracle.Classify(f.err)
	return about(typed, f.chunk)
}

// smaller has a chunk read again in halves; where that is not possible, as it is.
func (r *Reader) smaller(c Chunk, task *Task, err error) error {
	if half := max(c.Rows/2, r.config.LeastRows); c.Mode.cuts() && half < c.Rows {
		r.config.GaveUp(c, err.Error())
		task.Progress.recut(c, half)
		return nil
	}
	if c.tries < r.config.Retries {
		r.config.GaveUp(c, err.Error())
		task.Progress.giveBack(c, true)
		return nil
	}
	object := c.Table.String()
	switch {
	case errors.Is(err, errTooLarge):
		return stop.Wrap(stop.BufferFull, err, object, "a chunk of %s cannot be read", rowsOf(c)).Doing("raise transactions.memory")
	case errors.Is(err, errHeld):
		return stop.Wrap(stop.SnapshotOld, err, object, "a chunk of %s cannot be read in time", rowsOf(c)).
			Doing("raise snapshot.max_hold; look for what makes queries of the table slow")
	}
	typed := stop.Wrap(stop.SnapshotOld, err, object, "a chunk of %s cannot be read: the undo of its SCN is gone before it is through", rowsOf(c))
	typed.ORA, _ = oracle.Code(err)
	return typed.Doing("raise UNDO_RETENTION and the size of the undo tablespace, or RETENTION GUARANTEE; then restart, and the snapshot goes on where it is")
}

func rowsOf(c Chunk) string {
	if c.Mode == One {
		return "one row"
	}
	if c.Mode == Whole {
		return "the whole table"
	}
	return fmt.Sprintf("%d rows", c.Rows)
}

// about names the table in an error that has no object, and the grants that reading a table needs.
func about(e *stop.Error, c Chunk) error {
	if e.Object != "" {
		return e
	}
	with := *e
	with.Object = c.Table.String()
	if e.Code == stop.Privilege {
		with.Do = "GRANT SELECT, FLASHBACK on the table TO <capture user> inside its PDB (resources/sql/setup-cdb.sql, step 4), or SELECT ANY TABLE, FLASHBACK ANY TABLE; then restart"
	}
	return &with
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
