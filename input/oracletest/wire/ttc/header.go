package ttc

// Header begins a function call or piggyback. A simple function (commit, rollback, ping, logoff) is nothing
// else.
type Header struct {
	Code     Code
	Function Function
	// Sequence numbers the calls of a session. Oracle's JDBC driver wants to find it in the summary; go-ora
	// always sends 0.
	Sequence byte
}

// Decode reads the header.
func (m *Header) Decode(r *Reader) error {
	m.Code, m.Function, m.Sequence = Code(r.U8()), Function(r.U8()), r.U8()
	return r.Err()
}
