package ttc

// Simple is a function without a body: commit, rollback, ping, logoff.
type Simple struct{}

// Decode reads the message behind its function number.
func (m *Simple) Decode(r *Reader) error {
	r.U8() // sequence
	return r.Err()
}
