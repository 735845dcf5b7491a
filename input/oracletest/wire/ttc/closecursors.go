package ttc

// maxCursors bounds the cursors one piggyback closes.
const maxCursors = 65535

// CloseCursors is the piggyback 0x69, and 0x78, which cancels them.
type CloseCursors struct {
	Cursors []int
}

// Decode reads the message behind its header.
func (m *CloseCursors) Decode(r *Reader) error {
	r.U8() // pointer
	m.Cursors = m.Cursors[:0]
	for range r.Count(maxCursors) {
		if r.Err() != nil {
			break
		}
		m.Cursors = append(m.Cursors, r.UB4())
	}
	return r.Err()
}
