package store

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// An XID never comes twice, and a slot has one active transaction at most (reference logminer B.3).
func TestXIDsAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSegments()
		var open []redo.XID
		given := make(map[redo.XID]bool)
		busy := make(map[[2]uint16]bool)
		for range rapid.IntRange(1, 800).Draw(t, "steps") {
			if len(open) > 0 && rapid.IntRange(0, 3).Draw(t, "end") == 0 {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				s.release(open[i])
				delete(busy, [2]uint16{open[i].USN, open[i].Slot})
				open[i] = open[len(open)-1]
				open = open[:len(open)-1]
				continue
			}
			x := s.take()
			slot := [2]uint16{x.USN, x.Slot}
			if given[x] || busy[slot] || x.USN < 1 || x.USN > undoSegments {
				t.Fatalf("XID %v again or in a used slot", x)
			}
			given[x], busy[slot] = true, true
			open = append(open, x)
		}
	})
}
