package snapshot

import (
	"iter"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Batch is what one or several chunks hold AS OF one SCN. It belongs to whoever got it from the reader, until Release.
type Batch struct {
	Ticket Ticket
	SCN    position.SCN
	Parts  []*Part

	release func()
	// emitted tells the reader how long its rows took to go out.
	emitted func(rows int64, took time.Duration)
	// counted is how many rows it has.
	counted int64
	// least is the size below which a chunk is not halved.
	least int
}

// Part is one chunk of a batch.
type Part struct {
	Chunk Chunk
	// Version is what the rows were read by. Layout is its digest; at release it must be that of the version that is valid at the
	// batch's SCN, else the batch is given up and read again (R81).
	Version *schema.Version
	Layout  string
	// Millis is the time of the database at the SCN, by the server's clock in UTC.
	Millis int64

	progress *Progress
	row      *Row
	spool    spool
	// whole: all rows were read.
	whole bool
	// share is what it takes of the room for chunks that wait: of wholeShare.
	share int64
}

// wholeShare is the share of a chunk that is full, or not read yet.
const wholeShare = 100

// shareOf is what a chunk takes of the room for chunks that wait. Most tables have fewer rows than a chunk: many of them may wait where
// a few full chunks may, else a database of small tables would be read a handful at a time, each as slowly as the stream gets on.
func shareOf(rows int64, full int) int64 {
	return max(1, min(wholeShare, rows*wholeShare/int64(max(1, full))))
}

// Count is how many rows the part has.
func (p *Part) Count() int64 { return p.spool.rows }

// Bytes is the memory of its rows.
func (p *Part) Bytes() int64 { return p.spool.bytes }

// Progress is that of the part's table: once the last of its rows is rendered, Released makes the frontier one without it.
func (p *Part) Progress() *Progress { return p.progress }

// Released takes the part out of what is left of its table. The frontier behind it may travel with the part's last row.
func (p *Part) Released() *Frontier {
	p.progress.Released(p.Chunk, p.spool.rows)
	return p.progress.Frontier()
}

// Selected is a row that was read.
type Selected struct {
	// Image is aligned with Version.Columns.
	Image []value.Value
	// RowID is where the row lay, in tables whose key it is, and of rows that were asked for by it; else empty.
	RowID string
}

// Rows yields the rows, once, in no order that means anything. A row with an error (CDC-3001) cannot be read; those behind it can.
func (p *Part) Rows() iter.Seq2[Selected, error] {
	return func(yield func(Selected, error) bool) {
		p.spool.each(p.row.cells, func() bool { return yield(p.row.selected()) })
	}
}

// Chunks are those of all parts that a late commit may have read again (R83). A row that is read again by itself is none: its own chunk
// went out before, and what reaches the redo late and is older than the row it shows has nothing behind it that is out (K4).
func (b *Batch) Chunks() []Chunk {
	out := make([]Chunk, 0, len(b.Parts))
	for _, p := range b.Parts {
		if p.Chunk.Mode != One {
			out = append(out, p.Chunk)
		}
	}
	return out
}

// share is what its parts take of the room for chunks that wait.
func (b *Batch) share() (n int64) {
	for _, p := range b.Parts {
		n += p.share
	}
	return n
}

// Count is how many rows the batch has.
func (b *Batch) Count() int64 {
	var n int64
	for _, p := range b.Parts {
		n += p.spool.rows
	}
	return n
}

// Discard gives the chunks back to be read again at another SCN, and releases the batch.
func (b *Batch) Discard() {
	for _, p := range b.Parts {
		p.progress.giveBack(p.Chunk, false)
	}
	b.Release()
}

// GiveUp is Discard for a batch that the stream waited for too long, or that took the memory of what waits: read again as it is, it would be
// given up again, so that its chunks are halved (R78).
func (b *Batch) GiveUp() {
	for _, p := range b.Parts {
		if half := max(p.Chunk.Rows/2, b.least); p.Chunk.Mode.cuts() && half < p.Chunk.Rows {
			p.progress.recut(p.Chunk, half)
			continue
		}
		p.progress.giveBack(p.Chunk, false)
	}
	b.Release()
}

// Emitted says that all its rows went out, and how long they took: the next ones are so many that changes behind them do not wait long.
// Release follows.
func (b *Batch) Emitted(took time.Duration) {
	if b.emitted != nil {
		b.emitted(b.counted, took)
	}
}

// Release gives memory and place back to the reader. The batch is not used afterwards; a second call does nothing.
func (b *Batch) Release() {
	if b.release != nil {
		b.release()
		b.release = nil
	}
}
