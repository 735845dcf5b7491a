package ttc

// Fetch is function 0x05.
type Fetch struct {
	Cursor int
	Rows   uint32
}

// Decode reads the message behind its header.
func (m *Fetch) Decode(r *Reader) error {
	m.Cursor = r.UB2()
	m.Rows = uint32(r.UB(4))
	return r.Err()
}
