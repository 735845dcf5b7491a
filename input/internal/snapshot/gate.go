package snapshot

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Ticket names a batch at the gate.
type Ticket uint64

// Step is what the emitter does next.
type Step uint8

// Steps.
const (
	// Wait: nothing may be emitted before the gate is told something new.
	Wait Step = iota
	// EmitItem: the lowest item that is known goes out.
	EmitItem
	// EmitBatch: the batch goes out.
	EmitBatch
)

// Gate orders snapshot batches and items (R76 to R79, R83). It knows their SCNs alone; what it says depends on nothing but the calls
// before, so that a schedule can be played again. It has no lock: all calls are made under the emitter's.
//
// A batch goes through Close, Set, Filled and Released, or ends with GiveUp. The emitter asks Next before each item and reports it with
// Emitted.
type Gate struct {
	last Ticket
	// closed are batches that have no SCN yet: no item passes.
	closed []Ticket
	// held are batches with an SCN, in its order.
	held []heldBatch
	// emitted is the highest commit SCN of an item that went out, at least the floor.
	emitted position.SCN
	// released are the chunks that went out in this run, by table.
	released map[schema.Table][]releasedChunk
}

type heldBatch struct {
	ticket Ticket
	scn    position.SCN
	filled bool
}

type releasedChunk struct {
	part Range
	scn  position.SCN
	mode Mode
}

// NewGate makes an open gate. floor is the SCN up to which the position that capture goes on from has everything: the done boundary and
// the item that it stands behind, or the SCN of a first start. No batch gets an SCN at or below it: what committed there is not in the
// stream any more.
func NewGate(floor position.SCN) *Gate {
	return &Gate{emitted: floor, released: map[schema.Table][]releasedChunk{}}
}

// Close begins a batch: until Set or GiveUp no item passes. It gives the highest commit SCN that was emitted; the batch's SCN is read
// from the database after it (R77).
func (g *Gate) Close() (Ticket, position.SCN) {
	g.last++
	g.closed = append(g.closed, g.last)
	return g.last, g.emitted
}

// Set gives a closed batch its SCN. False: an item at or above it is out already, the SCN must be read again and the gate stays closed.
// That is possible where instances have their own idea of the current SCN. Set is not called for a batch that was given up.
func (g *Gate) Set(t Ticket, scn position.SCN) bool {
	at := slices.Index(g.closed, t)
	if at < 0 || scn <= g.emitted {
		return false
	}
	g.closed = slices.Delete(g.closed, at, at+1)
	g.held = append(g.held, heldBatch{ticket: t, scn: scn})
	slices.SortStableFunc(g.held, func(a, b heldBatch) int {
		if a.scn < b.scn {
			return -1
		}
		if a.scn > b.scn {
			return 1
		}
		return 0
	})
	return true
}

// Filled says that all rows of a batch are there. False: it was given up before.
func (g *Gate) Filled(t Ticket) bool {
	at := g.find(t)
	if at >= 0 {
		g.held[at].filled = true
	}
	return at >= 0
}

// GiveUp ends a batch that will not go out. False: there is none of that name any more.
func (g *Gate) GiveUp(t Ticket) bool {
	if at := slices.Index(g.closed, t); at >= 0 {
		g.closed = slices.Delete(g.closed, at, at+1)
		return true
	}
	at := g.find(t)
	if at >= 0 {
		g.held = slices.Delete(g.held, at, at+1)
	}
	return at >= 0
}

func (g *Gate) find(t Ticket) int {
	return slices.IndexFunc(g.held, func(h heldBatch) bool { return h.ticket == t })
}

// Next decides (R76): everything that committed at or below frontier is known to the emitter or was emitted, and lowest is the lowest
// commit SCN that it knows, if known says so. An item exactly at a batch's SCN goes behind it.
func (g *Gate) Next(frontier position.SCN, lowest position.SCN, known bool) (Step, Ticket) {
	if len(g.held) > 0 {
		first := g.held[0]
		if !known || lowest >= first.scn {
			if first.filled && frontier >= first.scn {
				return EmitBatch, first.ticket
			}
			return Wait, 0
		}
	}
	if !known || len(g.closed) > 0 {
		return Wait, 0
	}
	return EmitItem, 0
}

// Blocks reports whether an item has to wait for a batch. It is Next without a frontier, for one who only wants to know the reason.
func (g *Gate) Blocks(scn position.SCN) bool {
	return len(g.closed) > 0 || len(g.held) > 0 && scn >= g.held[0].scn
}

// Pending is how many batches have not gone out, Holding the SCN of the first of them, 0 without one.
func (g *Gate) Pending() int { return len(g.closed) + len(g.held) }

// Holding is the SCN of the first batch that waits, 0 without one.
func (g *Gate) Holding() position.SCN {
	if len(g.held) == 0 {
		return 0
	}
	return g.held[0].scn
}

// Late is a part of a table that went out with newer rows than an item behind it has (R83). It is read again, by Progress.Again; that of
// a table without key cannot be put right by reading again, and is only told.
type Late struct {
	Table schema.Table
	Range Range
	// Mode is what the bounds of Range are of.
	Mode Mode
}

// Emitted says that an item of some tables went out. An item below the SCN of chunks that went out before it has put older rows over
// theirs: those chunks are returned, once, and must be read again. The frontier that travels with the item already has them.
func (g *Gate) Emitted(scn position.SCN, tables []schema.Table) []Late {
	g.emitted = max(g.emitted, scn)
	var late []Late
	for _, t := range tables {
		g.released[t] = slices.DeleteFunc(g.released[t], func(c releasedChunk) bool {
			if c.scn <= scn {
				return false
			}
			late = append(late, Late{t, c.part, c.mode})
			return true
		})
	}
	return late
}

// Released says that a batch went out, with these chunks.
func (g *Gate) Released(t Ticket, chunks []Chunk) {
	at := g.find(t)
	if at < 0 {
		return
	}
	scn := g.held[at].scn
	g.held = slices.Delete(g.held, at, at+1)
	for _, c := range chunks {
		g.released[c.Table] = remembered(g.released[c.Table], releasedChunk{c.Range, scn, c.Mode})
	}
}

// Forget drops what is remembered of a table that is captured no more, or whose snapshot begins anew.
func (g *Gate) Forget(t schema.Table) { delete(g.released, t) }

// maxRemembered bounds the chunks of a table that are remembered; behind it they are joined, and more is read again than needed.
const maxRemembered = 1024

func remembered(list []releasedChunk, c releasedChunk) []releasedChunk {
	if len(list) < maxRemembered {
		return append(list, c)
	}
	joined := list[:0]
	for _, x := range append(list, c) {
		n := len(joined)
		if n > 0 && joined[n-1].mode == x.mode && joined[n-1].part.UpTo != nil && slices.Equal(joined[n-1].part.UpTo, x.part.After) {
			joined[n-1].part.UpTo = x.part.UpTo
			joined[n-1].scn = max(joined[n-1].scn, x.scn)
			continue
		}
		joined = append(joined, x)
	}
	if len(joined) <= maxRemembered/2 {
		return joined
	}
	highest := c.scn
	for _, x := range joined {
		highest = max(highest, x.scn)
	}
	return append(joined[:0], releasedChunk{Range{}, highest, c.mode})
}
