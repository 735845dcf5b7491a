package store

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"

// Undo segments of a container (with local undo every container counts for itself, so equal XIDs can be open in two PDBs,
// reference logminer A.7).
const (
	undoSegments = 10
	undoSlots    = 34
	// firstSqn makes the first transaction of segment 5 the 5.0.614 of reference logminer O.
	firstSqn = 609
)

type segments struct {
	last  int // segment of the newest transaction
	slots [undoSegments][]slot
}

type slot struct {
	sqn  uint32
	used bool
}

func newSegments() *segments {
	s := &segments{}
	for i := range s.slots {
		s.slots[i] = make([]slot, undoSlots)
		for j := range s.slots[i] {
			s.slots[i][j].sqn = uint32(firstSqn + i)
		}
	}
	return s
}

// take gives out the XID of a new transaction: segments in turn, the lowest free slot, a higher sequence on every reuse.
func (s *segments) take() redo.XID {
	for range undoSegments {
		s.last = (s.last + 1) % undoSegments
		for j := range s.slots[s.last] {
			if !s.slots[s.last][j].used {
				return s.use(s.last, j)
			}
		}
	}
	s.slots[s.last] = append(s.slots[s.last], slot{sqn: firstSqn})
	return s.use(s.last, len(s.slots[s.last])-1)
}

func (s *segments) use(segment, j int) redo.XID {
	x := &s.slots[segment][j]
	x.used = true
	x.sqn++
	return redo.XID{USN: uint16(segment + 1), Slot: uint16(j), Sqn: x.sqn}
}

func (s *segments) release(x redo.XID) { s.slots[x.USN-1][x.Slot].used = false }
