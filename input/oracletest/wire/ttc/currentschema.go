package ttc

// CurrentSchema is the piggyback 0x98.
type CurrentSchema struct {
	Schema string
}

// Decode reads the message behind its header.
func (m *CurrentSchema) Decode(r *Reader, d Dialect) error {
	r.U8() // pointer
	m.Schema = r.Text(r.Count(1024), d)
	return r.Err()
}
