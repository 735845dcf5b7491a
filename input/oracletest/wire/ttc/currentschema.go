package ttc

// CurrentSchema is the piggyback 0x98.
type CurrentSchema struct {
	Schema string
}

// Decode reads the message behind its function number.
func (m *CurrentSchema) Decode(r *Reader, d Dialect) error {
	r.Skip(2) // sequence, pointer
	m.Schema = r.Text(r.Count(1024), d)
	return r.Err()
}
