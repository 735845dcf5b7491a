package snapshot

import (
	"slices"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Chunk is a part of a table that is read by one statement, or by one for each run of blocks.
type Chunk struct {
	Table schema.Table
	Mode  Mode
	Range Range
	// Rows is how many it was cut to hold; it may hold fewer or more.
	Rows int

	// blocks are the runs of blocks that it lies in (ByRowID).
	blocks []blocks
	// tries counts the failures at this size.
	tries int
	id    int
}

// Progress is what is left of the snapshot of one table: its chunks, cut or not yet. The reader takes chunks from it and cuts them, the
// emitter takes away what it emitted; it is safe for both at once.
type Progress struct {
	mu       sync.Mutex
	frontier Frontier
	// parts are what is left, in the order in which the table is cut. No two are the same part of the table, but those that are read
	// again.
	parts []*part
	next  int
	// mode is what the table is cut by where that is possible, rows what a chunk is cut to hold.
	mode Mode
	rows int
	// cutting: the table was cut, or is about to be.
	cutting bool
}

// part is a range that is left.
type part struct {
	chunk Chunk
	// cut: it is a chunk, or a piece of one; else it is to be cut first.
	cut bool
	// most is how many rows it may be read with; 0: those of a chunk.
	most int
	// pieces are what it was put together of; nil: it is one itself.
	pieces []*part
	// taken: the reader has it, or its rows wait for the gate.
	taken bool
}

// NewProgress begins a table, or goes on from where a position left it. A frontier that does not fit the version, or has another mode
// than is asked for, begins the table anew; resumed says that it does not. The empty mode asks for the best one.
func NewProgress(v *schema.Version, mode Mode, from *Frontier, chunkRows int) (p *Progress, resumed bool) {
	if mode == "" || mode == ByKey && !cutsByKey(v) {
		mode = ByRowID
		if cutsByKey(v) {
			mode = ByKey
		}
	}
	p = &Progress{mode: mode, rows: chunkRows}
	switch {
	case from != nil && from.One:
		p.frontier = start(v, mode)
		p.frontier.Rows, p.frontier.Estimate = from.Rows, from.Estimate
		p.parts = append(p.parts, p.one(v.Table))
		return p, true
	case from != nil && from.Mode == mode && from.Fits(v):
		p.frontier, resumed = *from, true
	default:
		p.frontier = start(v, mode)
	}
	for _, r := range p.frontier.Left {
		p.parts = append(p.parts, p.part(v.Table, r))
	}
	return p, resumed
}

func (p *Progress) part(t schema.Table, r Range) *part {
	p.next++
	return &part{chunk: Chunk{Table: t, Mode: p.frontier.Mode, Range: r, Rows: p.rows, id: p.next}, cut: p.frontier.Mode == Whole}
}

func (p *Progress) one(t schema.Table) *part {
	p.next++
	return &part{chunk: Chunk{Table: t, Mode: One, Rows: 1, id: p.next}, cut: true}
}

// One has one row of a table read again that is done, whichever it is.
func (p *Progress) One(t schema.Table) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parts = append(p.parts, p.one(t))
}

// onlyOne reports that nothing but such a row is left: where the table's rows were, and what its key was, does not matter to that.
func (p *Progress) onlyOne() bool {
	return len(p.parts) > 0 && !slices.ContainsFunc(p.parts, func(x *part) bool { return x.chunk.Mode != One })
}

// Frontier is what the position carries. Consecutive parts are one range in it, however they are cut.
func (p *Progress) Frontier() *Frontier {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frontier
	f.Left, f.One = nil, p.onlyOne()
	for _, part := range p.parts {
		if part.chunk.Mode == One && !f.One {
			continue // there are others again, and it would go out with them
		}
		r := part.chunk.Range
		if n := len(f.Left); n > 0 && f.Left[n-1].UpTo != nil && slices.Equal(f.Left[n-1].UpTo, r.After) {
			f.Left[n-1].UpTo = r.UpTo
			continue
		}
		f.Left = append(f.Left, r)
	}
	f.Done = len(f.Left) == 0
	return &f
}

// Released takes away a chunk whose rows were all emitted.
func (p *Progress) Released(c Chunk, rows int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.parts)
	p.parts = slices.DeleteFunc(p.parts, func(x *part) bool { return x.chunk.id == c.id })
	if len(p.parts) < before {
		p.frontier.Rows += rows
	}
}

// Again queues a part of the table that was emitted already (R83). Bounds of another mode, which the table was cut by when it was read before,
// mean nothing here: all of it is read then.
func (p *Progress) Again(t schema.Table, r Range, mode Mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if mode != p.frontier.Mode {
		r = Range{}
	}
	p.parts = slices.Insert(p.parts, 0, p.part(t, r))
}

// Finished reports that everything was emitted.
func (p *Progress) Finished() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.parts) == 0
}

// Crossed reports a table of which the snapshot reads some keys no more: they were emitted, or lie behind the last key that there was when it was
// cut. A row that gets another key may pass from the others to those. Which of the two a key is, the server alone could say. A table that is
// cut otherwise has its rows read where they lie, whatever their keys are.
func (p *Progress) Crossed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frontier.Mode == ByKey && (p.cutting || len(p.parts) != 1 || !p.parts[0].chunk.Range.all())
}

// cuts notes that the table is about to be cut.
func (p *Progress) cuts() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cutting = true
}

// Restart begins the table anew: its key is another one, or its rows have new addresses.
func (p *Progress) Restart(v *schema.Version) {
	p.mu.Lock()
	defer p.mu.Unlock()
	mode := p.mode
	if mode == ByKey && !cutsByKey(v) {
		mode = ByRowID
	}
	p.frontier, p.cutting = start(v, mode), false
	p.parts = []*part{p.part(v.Table, Range{})}
}

// take gives the next chunk to be read: pieces that follow each other, with that many rows at most, but one at least. Without one, uncut is
// a range that must be cut first.
func (p *Progress) take(rows int) (c Chunk, uncut *Chunk, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.parts, func(x *part) bool { return !x.taken })
	if at < 0 {
		return Chunk{}, nil, false
	}
	first := p.parts[at]
	if !first.cut {
		whole := first.chunk
		return Chunk{}, &whole, false
	}
	together := first.chunk.Rows
	end := at + 1
	for first.single() && end < len(p.parts) {
		next := p.parts[end]
		together += next.chunk.Rows
		if !next.single() || next.taken || !next.cut || !follows(first, p.parts[end-1], next) || together > min(rows, p.limit(first), p.limit(next)) {
			break
		}
		end++
	}
	if end > at+1 {
		first = p.joined(slices.Clone(p.parts[at:end]))
		p.parts = slices.Replace(p.parts, at, end, first)
	}
	first.taken = true
	return first.chunk, nil, true
}

// single: it may be read with those behind it. One that failed is read again as it is.
func (x *part) single() bool { return x.pieces == nil && x.chunk.tries == 0 }

// follows reports that a part begins where the one before it ends, and is cut in the same way as the first.
func follows(first, before, next *part) bool {
	return before.chunk.Range.UpTo != nil && slices.Equal(before.chunk.Range.UpTo, next.chunk.Range.After) && next.chunk.Mode == first.chunk.Mode
}

func (p *Progress) limit(x *part) int {
	if x.most > 0 {
		return x.most
	}
	return p.rows
}

// joined makes one part of several.
func (p *Progress) joined(pieces []*part) *part {
	p.next++
	c := pieces[0].chunk
	c.Range.UpTo, c.Rows, c.id, c.blocks = pieces[len(pieces)-1].chunk.Range.UpTo, 0, p.next, nil
	for _, x := range pieces {
		c.Rows += x.chunk.Rows
		c.blocks = append(c.blocks, x.chunk.blocks...)
	}
	c.blocks = joinedBlocks(c.blocks)
	return &part{chunk: c, cut: true, pieces: pieces}
}

// apart puts the pieces of a part into its place, of which only so many rows may be read together from now on; 0: no other number than
// before.
func (p *Progress) apart(at, most int) {
	pieces := p.parts[at].pieces
	if most > 0 {
		for _, x := range pieces {
			x.most = most
		}
	}
	p.parts = slices.Replace(p.parts, at, at+1, pieces...)
}

// waiting reports whether there is something to take or to cut.
func (p *Progress) waiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.parts, func(x *part) bool { return !x.taken })
}

// giveBack makes a chunk that was not read the next one to take; failed counts a failure at its size.
func (p *Progress) giveBack(c Chunk, failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.find(c)
	switch {
	case at < 0:
	case failed:
		p.parts[at].taken = false
		p.parts[at].chunk.tries++
	case p.parts[at].pieces != nil:
		p.apart(at, 0)
	default:
		p.parts[at].taken = false
	}
}

// recut gives a chunk back to be read in smaller ones of at most that many rows: what it was put together of, or else what it is cut into.
func (p *Progress) recut(c Chunk, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.find(c)
	switch {
	case at < 0:
	case p.parts[at].pieces != nil:
		p.apart(at, rows)
	default:
		x := p.parts[at]
		x.taken, x.cut, x.chunk.Rows, x.chunk.tries = false, false, rows, 0
	}
}

func (p *Progress) find(c Chunk) int {
	return slices.IndexFunc(p.parts, func(x *part) bool { return x.chunk.id == c.id })
}

// replace puts the pieces of a plan, with that many rows each, into the place of the range that was cut: no more of them are read together
// than it was to have. rest, if any, is what the plan did not come to.
func (p *Progress) replace(c Chunk, rows int, chunks []Chunk, rest *Range, estimate int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.find(c)
	if at < 0 {
		return
	}
	fresh := make([]*part, 0, len(chunks)+1)
	for _, x := range chunks {
		p.next++
		x.id, x.Table, x.Mode, x.Rows = p.next, c.Table, c.Mode, rows
		fresh = append(fresh, &part{chunk: x, cut: true, most: c.Rows})
	}
	if rest != nil {
		x := p.part(c.Table, *rest)
		x.chunk.Rows = c.Rows
		fresh = append(fresh, x)
	}
	p.parts = slices.Replace(p.parts, at, at+1, fresh...)
	if estimate > 0 {
		p.frontier.Estimate = max(p.frontier.Estimate, estimate)
	}
}

// estimated notes what the statistics say, before there is a plan.
func (p *Progress) estimated(rows int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frontier.Estimate == 0 {
		p.frontier.Estimate = rows
	}
}

// statisticsWanted: nobody knows yet how many rows the table has.
func (p *Progress) statisticsWanted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frontier.Estimate == 0
}

// segments notes what the blocks of chunks by ROWID lie in.
func (p *Progress) segments(list []oracle.Segment) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frontier.Segments = p.frontier.Segments[:0:0]
	for _, s := range list {
		p.frontier.Segments = append(p.frontier.Segments, s.Object)
	}
	slices.Sort(p.frontier.Segments)
}

// moved reports that a segment is gone in which blocks were planned or read: its rows are elsewhere, or no more. A further segment has
// rows that are newer than the snapshot and come by the stream.
func (p *Progress) moved(now []oracle.Segment) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frontier.Mode == ByRowID && !p.onlyOne() && slices.ContainsFunc(p.frontier.Segments, func(object uint64) bool {
		return !slices.ContainsFunc(now, func(s oracle.Segment) bool { return s.Object == object })
	})
}

// whole makes a table of which no blocks are known one chunk.
func (p *Progress) whole(c Chunk) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frontier.Mode = Whole
	for _, x := range p.parts {
		if x.chunk.id == c.id {
			x.chunk.Mode, x.cut = Whole, true
		}
	}
}

// fits reports that the bounds mean something to a version of the table.
func (p *Progress) fits(v *schema.Version) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.onlyOne() || p.frontier.Fits(v)
}
