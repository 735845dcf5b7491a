package store

import "testing"

// TestExtents holds the sizes of extents to their sums, and every block to the extent that it lies in.
func TestExtents(t *testing.T) {
	next, number := uint32(firstExtentBlock), uint32(0)
	for next < 2_000_000 {
		_, _, blocks := extentOf(next)
		for _, block := range []uint32{next, next + 1, next + blocks/2, next + blocks - 1} {
			if n, first, size := extentOf(block); n != number || first != next || size != blocks {
				t.Fatalf("block %d: extent %d from %d with %d blocks, want %d from %d with %d", block, n, first, size, number, next, blocks)
			}
		}
		next += blocks
		number++
	}
	if n, _, blocks := extentOf(firstExtentBlock + 16*8 + 63*128 + 120*1024); n != 16+63+120 || blocks != 8192 {
		t.Errorf("extent %d with %d blocks", n, blocks)
	}
}
