package snapshot

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// maxCuts bounds the pieces of one plan; what lies behind is planned when they are read: the next pass begins where this one ended.
const maxCuts = 10_000

// plan cuts a range of a table.
type plan struct {
	session   *oracle.Session
	container oracle.Container
	version   *schema.Version
	condition string
	segments  []oracle.Segment
	// least is the size of the smallest chunk.
	least int
}

// cut puts chunks into the place of a range in its table's progress.
func (p *plan) cut(ctx context.Context, progress *Progress, c Chunk) error {
	progress.cuts()
	if progress.statisticsWanted() {
		rows, _, err := oracle.Statistics(ctx, p.session, p.container, p.version.Table)
		if err != nil {
			return err
		}
		progress.estimated(rows)
	}
	if c.Mode == ByRowID {
		return p.byRowID(ctx, progress, c)
	}
	return p.byKey(ctx, progress, c)
}

// piece is how many rows the pieces of a range are to have.
func (p *plan) piece(c *Chunk) int { return pieceOf(c.Rows, p.least) }

// byKey reads every nth key of the range, in one pass.
func (p *plan) byKey(ctx context.Context, progress *Progress, c Chunk) error {
	upTo, err := p.end(ctx, c.Range)
	if err != nil {
		return err
	}
	piece := p.piece(&c)
	st, args := planByKey(p.version, Range{c.Range.After, upTo}, piece, p.condition)
	var chunks []Chunk
	var rows uint64
	after, more := c.Range.After, false
	err = p.keys(ctx, st, args, true, func(n uint64, bound Bound) bool {
		rows = n
		if bound != nil { // else the chunk is larger by one
			chunks = append(chunks, Chunk{Range: Range{after, bound}})
			after = bound
		}
		more = len(chunks) == maxCuts
		return !more
	})
	if err != nil {
		return err
	}
	if more {
		progress.replace(c, piece, chunks, &Range{after, upTo}, 0)
		return nil
	}
	estimate := int64(0)
	if c.Range.all() {
		estimate = int64(rows) + int64(piece)/2 //nolint:gosec // a count of rows
	}
	if len(chunks) == 0 || upTo == nil || !slices.Equal(after, upTo) { // else the last key is a cut, and nothing lies behind it
		chunks = append(chunks, Chunk{Range: Range{after, upTo}})
	}
	progress.replace(c, piece, chunks, nil, estimate)
	return nil
}

// end bounds a range that is open: at the last key that is there now. What gets a higher one later commits later, and the stream has it; a
// table that grows while it is read would have a last chunk without measure. Only where an index has the key at its end, and where its
// text is certainly the same key again: a row above an inexact bound would be lost.
func (p *plan) end(ctx context.Context, r Range) (Bound, error) {
	indexed := p.version.Key.Origin == schema.KeyPrimary || p.version.Key.Origin == schema.KeyUnique
	if r.UpTo != nil || !indexed || !exact(keyColumns(p.version)) {
		return r.UpTo, nil
	}
	var last Bound
	st, args := lastKey(p.version, r.After)
	err := p.keys(ctx, st, args, false, func(_ uint64, bound Bound) bool {
		last = bound
		return true
	})
	return last, err
}

// keys reads the keys that a statement gives, behind their numbers where it has them, until f says that it is enough. A key that is no
// place to cut at is nil.
func (p *plan) keys(ctx context.Context, st oracle.Statement, args []any, numbered bool, f func(n uint64, bound Bound) bool) (err error) {
	rows, err := p.session.Query(ctx, st, args...)
	if err != nil {
		return err
	}
	defer func() {
		if closed := rows.Close(); err == nil {
			err = closed
		}
	}()
	cells := make([]cell, len(p.version.Key.Columns))
	var number oracle.Text
	var dest []any
	if numbered {
		dest = append(dest, &number)
	}
	for i := range cells {
		dest = append(dest, &cells[i])
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		n, err := number.Uint64()
		if err != nil {
			return err
		}
		if !f(n, boundOf(cells)) {
			break
		}
	}
	return rows.Err()
}

// boundOf makes a bound of a key; nil: it is no place to cut at.
func boundOf(key []cell) Bound {
	bound := make(Bound, len(key))
	for i := range key {
		text, ok := boundCell(&key[i])
		if !ok {
			return nil
		}
		bound[i] = text
	}
	return bound
}

// exact reports keys of which every text comes back as the same value. Texts go through two character sets, binary floating point through
// decimal digits.
func exact(key []*schema.Column) bool {
	return !slices.ContainsFunc(key, func(c *schema.Column) bool {
		switch c.Type.Kind {
		case schema.Number, schema.Float, schema.Date, schema.Timestamp, schema.Raw:
			return false
		default:
			return true
		}
	})
}

// defaultRowsPerBlock stands for statistics that do not exist.
const defaultRowsPerBlock = 80

// byRowID cuts the extents of the table's segments.
func (p *plan) byRowID(ctx context.Context, progress *Progress, c Chunk) error {
	extents, err := oracle.Extents(ctx, p.session, p.container, p.version.Table)
	if err != nil {
		return err
	}
	rows, used, err := oracle.Statistics(ctx, p.session, p.container, p.version.Table)
	if err != nil {
		return err
	}
	perBlock := int64(defaultRowsPerBlock)
	if rows > 0 && used > 0 {
		perBlock = max(1, rows/int64(used)) //nolint:gosec // a count of blocks
	}
	runs, err := runsOf(extents, p.segments)
	if err != nil {
		return fmt.Errorf("extents of table %s: %w", p.version.Table, err)
	}
	if len(runs) == 0 && c.Range.all() {
		// Nothing is listed: no segment yet, or nobody may say. One statement finds out.
		progress.whole(c)
		return nil
	}
	runs, err = clip(runs, c.Range)
	if err != nil {
		return err
	}
	piece := p.piece(&c)
	chunks := cutBlocks(runs, uint64(max(1, int64(piece)/perBlock)), c.Range) //nolint:gosec // positive
	var rest *Range
	if len(chunks) > maxCuts {
		chunks = chunks[:maxCuts]
		rest = &Range{chunks[maxCuts-1].Range.UpTo, c.Range.UpTo}
	}
	progress.replace(c, piece, chunks, rest, 0)
	progress.segments(p.segments)
	return nil
}

// blockBound is a block as a bound.
func blockBound(object uint64, file int, block uint64) Bound {
	return Bound{strconv.FormatUint(object, 10), strconv.Itoa(file), strconv.FormatUint(block, 10)}
}
