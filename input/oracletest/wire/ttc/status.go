package ttc

// Status is message 9: the end of an answer to a simple call.
type Status struct {
	CallStatus uint32
}

// Encode appends the message.
func (m Status) Encode(dst []byte) []byte {
	dst = append(dst, byte(CodeStatus))
	dst = appendUB(dst, uint64(m.CallStatus))
	return append(dst, 0) // sequence
}
