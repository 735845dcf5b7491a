package snapshot

import (
	"context"
	"fmt"
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
	dest := make([]any, len(key))
	for i := range cells {
		dest[i] = &cells[i]
	}
	var chunks []Chunk
	var rest *Range
	after := c.Range.After
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		bound := make(Bound, len(key))
		good := true
		for i := range cells {
			text, ok := boundCell(&cells[i])
			bound[i], good = text, good && ok
		}
		if !good {
			continue // the chunk is larger by one
		}
		chunks = append(chunks, Chunk{Range: Range{after, bound}})
		after = bound
		if len(chunks) == maxCuts {
			rest = &Range{after, c.Range.UpTo}
			break
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	// Cuts that were found are as good after an error as before, but an error is rare and this is simpler.
	estimate := int64(0)
	if rest == nil {
		chunks = append(chunks, Chunk{Range: Range{after, c.Range.UpTo}})
		if c.Range.all() {
			estimate = int64(len(chunks)-1)*int64(c.Rows) + int64(c.Rows)/2
		}
	}
	progress.replace(c, chunks, rest, estimate)
	return nil
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
