package ttc

// Fetch is function 0x05.
type Fetch struct {
	Cursor int
	Rows   uint32
}

// Decode reads the message behind its function number.
func (m *Fetch) Decode(r *Reader) error {
	r.U8() // sequence
	m.Cursor = r.UB2()
	m.Rows = uint32(r.UB(4))
	return r.Err()
}
