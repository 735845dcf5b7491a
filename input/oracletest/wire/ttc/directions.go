package ttc

// Directions of a bind in message 11.
const (
	DirectionOut   byte = 16
	DirectionIn    byte = 32
	DirectionInOut byte = 48
)

// BindDirections is message 11: which binds of a PL/SQL block go in, out or both ways. The client does not
// know it before.
type BindDirections struct {
	Directions []byte
}

// Encode appends the message. It has the shape of a row header.
func (m BindDirections) Encode(dst []byte) []byte {
	dst = appendRowHeader(append(dst, byte(CodeBindDirections)), len(m.Directions), 1)
	return append(dst, m.Directions...)
}
