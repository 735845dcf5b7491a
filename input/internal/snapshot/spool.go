package snapshot

import (
	"encoding/binary"
	"math"
)

// pageSize is what a spool grows by.
const pageSize = 64 << 10

// spool holds selected rows as the driver gave them, packed, so that a chunk takes about the memory of its data and the garbage
// collector has nothing to follow in it. Rows are appended in full, then read from the first to the last, once.
type spool struct {
	pages [][]byte
	// cells is how many each row has.
	cells int
	rows  int64
	// bytes is the memory of all pages.
	bytes int64
}

// size is how many bytes a cell takes at most.
func (c *cell) size() int {
	if c.form == float {
		return 9
	}
	return binary.MaxVarintLen32 + len(c.text)
}

// append adds a row and gives the memory that it took.
func (s *spool) append(cells []cell) (took int64) {
	need := 0
	for i := range cells {
		need += cells[i].size()
	}
	n := len(s.pages)
	if n == 0 || cap(s.pages[n-1])-len(s.pages[n-1]) < need {
		took = int64(max(pageSize, need))
		s.pages = append(s.pages, make([]byte, 0, took))
		s.bytes += took
		n++
	}
	page := s.pages[n-1]
	for i := range cells {
		page = cells[i].pack(page)
	}
	s.pages[n-1] = page
	s.cells = len(cells)
	s.rows++
	return took
}

// pack appends a cell: its form in the lowest two bits of a number that has the length of the text above them.
func (c *cell) pack(dst []byte) []byte {
	if c.form == float {
		return binary.BigEndian.AppendUint64(append(dst, byte(float)), math.Float64bits(c.number))
	}
	dst = binary.AppendUvarint(dst, uint64(len(c.text))<<2|uint64(c.form))
	return append(dst, c.text...)
}

// each calls f with the cells of every row. Their texts are parts of one copy of the page. Pages are given up as they are read.
func (s *spool) each(cells []cell, f func() bool) {
	for at, page := range s.pages {
		texts := string(page)
		for i := 0; i < len(page); {
			for c := range cells {
				i = cells[c].unpack(page, texts, i)
			}
			if !f() {
				return
			}
		}
		s.pages[at] = nil
	}
}

// unpack reads the cell that lies at a place of a page, and gives the place behind it.
func (c *cell) unpack(page []byte, texts string, at int) int {
	head, n := binary.Uvarint(page[at:])
	at += n
	*c = cell{form: form(head & 3)}
	if c.form == float {
		c.number = math.Float64frombits(binary.BigEndian.Uint64(page[at:]))
		return at + 8
	}
	end := at + int(head>>2) //nolint:gosec // the length of a text
	c.text = texts[at:end]
	return end
}
