package snapshot

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// maxCuts bounds the chunks of one plan; what lies behind is planned when they are read. A pass over a table of a billion rows has as
// many with the default chunk.
const maxCuts = 10_000

// plan cuts a range of a table.
type plan struct {
	session   *oracle.Session
	container oracle.Container
	version   *schema.Version
	condition string
	segments  []oracle.Segment
}

// cut puts chunks into the place of a range in its table's progress.
func (p *plan) cut(ctx context.Context, progress *Progress, c Chunk) error {
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

// byKey reads every nth key of the range, in one pass.
func (p *plan) byKey(ctx context.Context, progress *Progress, c Chunk) (err error) {
	st, args := planByKey(p.version, c.Range, c.Rows, p.condition)
	rows, err := p.session.Query(ctx, st, args...)
	if err != nil {
		return err
	}
	defer func() {
		if closed := rows.Close(); err == nil {
			err = closed
		}
	}()
	key := keyColumns(p.version)
	cells := make([]cell, len(key))
	var number oracle.Text
	dest := []any{&number}
	for i := range cells {
		dest = append(dest, &cells[i])
	}
	cuts := cuts{after: c.Range.After, end: c.Range.UpTo}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		if cuts.rows, err = number.Uint64(); err != nil {
			return err
		}
		if cuts.at(cells); len(cuts.chunks) == maxCuts {
			progress.replace(c, cuts.chunks, &Range{cuts.after, c.Range.UpTo}, 0)
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	estimate := int64(0)
	if c.Range.all() {
		estimate = int64(cuts.rows) //nolint:gosec // a count of rows
	}
	progress.replace(c, cuts.finish(exact(key)), nil, estimate)
	return nil
}

// cuts gathers the chunks of a range.
type cuts struct {
	chunks []Chunk
	// after is the last cut, end the end of the range, rows how many it has up to the last one seen.
	after, end Bound
	rows       uint64
	// open: rows may lie behind the last cut.
	open bool
}

// at cuts behind a key.
func (c *cuts) at(key []cell) {
	bound := make(Bound, len(key))
	for i := range key {
		text, ok := boundCell(&key[i])
		if !ok {
			c.open = true
			return // the chunk is larger by one
		}
		bound[i] = text
	}
	c.chunks = append(c.chunks, Chunk{Range: Range{c.after, bound}})
	c.after, c.open = bound, false
}

// finish gives the chunks. The last one ends at the last key that the plan saw, where the key's text is certainly the key again (exact):
// what gets a higher one later commits after the plan, and the stream has it; a table that grows while it is read would have a last
// chunk without measure. A range without rows is a chunk too.
func (c *cuts) finish(exact bool) []Chunk {
	n := len(c.chunks)
	switch {
	case c.open || n == 0:
		return append(c.chunks, Chunk{Range: Range{c.after, c.end}})
	case !exact:
		c.chunks[n-1].Range.UpTo = c.end
	}
	return c.chunks
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
	chunks := cutBlocks(runs, uint64(max(1, int64(c.Rows)/perBlock)), c.Range) //nolint:gosec // positive
	var rest *Range
	if len(chunks) > maxCuts {
		chunks = chunks[:maxCuts]
		rest = &Range{chunks[maxCuts-1].Range.UpTo, c.Range.UpTo}
	}
	progress.replace(c, chunks, rest, 0)
	progress.segments(p.segments)
	return nil
}

// blockBound is a block as a bound.
func blockBound(object uint64, file int, block uint64) Bound {
	return Bound{strconv.FormatUint(object, 10), strconv.Itoa(file), strconv.FormatUint(block, 10)}
}
