package snapshot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// blocks is a run of blocks of one data file that belong to one segment: from the first up to and with the last.
type blocks struct {
	object      uint64
	file        int
	first, last uint64
}

func (b blocks) count() uint64 { return b.last - b.first + 1 }

// place is a block in the order in which ROWIDs compare.
type place struct {
	object uint64
	file   int
	block  uint64
}

func (p place) compare(o place) int {
	return cmp.Or(cmp.Compare(p.object, o.object), cmp.Compare(p.file, o.file), cmp.Compare(p.block, o.block))
}

func (b blocks) compare(o blocks) int {
	return place{b.object, b.file, b.first}.compare(place{o.object, o.file, o.first})
}

// runsOf gives the blocks of a table in the order of their ROWIDs, neighbours in one run.
func runsOf(extents []oracle.Extent, segments []oracle.Segment) ([]blocks, error) {
	objects := make(map[string]uint64, len(segments))
	for _, s := range segments {
		objects[s.Partition] = s.Object
	}
	var runs []blocks
	for _, e := range extents {
		object, ok := objects[e.Partition]
		if !ok {
			return nil, fmt.Errorf("partition %q is not among its objects", e.Partition)
		}
		if e.Blocks > 0 {
			runs = append(runs, blocks{object, e.File, e.Block, e.Block + e.Blocks - 1})
		}
	}
	slices.SortFunc(runs, blocks.compare)
	return joinedBlocks(runs), nil
}

// joinedBlocks makes neighbours among runs, which are in order, one run.
func joinedBlocks(runs []blocks) []blocks {
	joined := runs[:0]
	for _, r := range runs {
		if n := len(joined); n > 0 && joined[n-1].object == r.object && joined[n-1].file == r.file && joined[n-1].last+1 == r.first {
			joined[n-1].last = r.last
			continue
		}
		joined = append(joined, r)
	}
	return joined
}

// placeOf reads a bound.
func placeOf(b Bound) (p place, err error) {
	if len(b) != 3 {
		return p, fmt.Errorf("bound %q is not a block", b)
	}
	if p.object, err = strconv.ParseUint(b[0], 10, 64); err != nil {
		return p, err
	}
	if p.file, err = strconv.Atoi(b[1]); err != nil {
		return p, err
	}
	p.block, err = strconv.ParseUint(b[2], 10, 64)
	return p, err
}

// clip keeps the blocks behind the one bound of a range and up to the other.
func clip(runs []blocks, r Range) ([]blocks, error) {
	if r.After != nil {
		after, err := placeOf(r.After)
		if err != nil {
			return nil, err
		}
		runs = between(runs, func(b *blocks) {
			if b.object == after.object && b.file == after.file && b.first <= after.block {
				b.first = after.block + 1
			}
		}, func(b blocks) bool { return place{b.object, b.file, b.first}.compare(after) > 0 })
	}
	if r.UpTo != nil {
		upTo, err := placeOf(r.UpTo)
		if err != nil {
			return nil, err
		}
		runs = between(runs, func(b *blocks) {
			if b.object == upTo.object && b.file == upTo.file && b.last > upTo.block {
				b.last = upTo.block
			}
		}, func(b blocks) bool { return place{b.object, b.file, b.first}.compare(upTo) <= 0 })
	}
	return runs, nil
}

// between shortens runs and keeps those that have blocks left and lie on the right side.
func between(runs []blocks, shorten func(*blocks), inside func(blocks) bool) []blocks {
	var out []blocks
	for _, b := range runs {
		if shorten(&b); b.first <= b.last && inside(b) {
			out = append(out, b)
		}
	}
	return out
}

// cutBlocks makes chunks of at most n blocks. They cover the whole range, so that the last one's end is the range's.
func cutBlocks(runs []blocks, n uint64, r Range) []Chunk {
	var chunks []Chunk
	chunk := Chunk{Range: Range{After: r.After}}
	room := n
	for _, b := range runs {
		for b.first <= b.last {
			take := b
			if take.count() > room {
				take.last = take.first + room - 1
			}
			chunk.blocks = append(chunk.blocks, take)
			b.first = take.last + 1
			if room -= take.count(); room == 0 {
				bound := blockBound(take.object, take.file, take.last)
				chunk.Range.UpTo = bound
				chunks = append(chunks, chunk)
				chunk, room = Chunk{Range: Range{After: bound}}, n
			}
		}
	}
	switch {
	case len(chunk.blocks) > 0 || len(chunks) == 0:
		chunk.Range.UpTo = r.UpTo
		return append(chunks, chunk)
	default:
		chunks[len(chunks)-1].Range.UpTo = r.UpTo
		return chunks
	}
}
