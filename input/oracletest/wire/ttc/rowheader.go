package ttc

// RowHeader is message 6, in front of the rows of one answer.
type RowHeader struct {
	Columns int
	// Iterations is the number of rows the client asked for.
	Iterations uint32
}

// Encode appends the message.
func (m RowHeader) Encode(dst []byte) []byte {
	return appendRowHeader(append(dst, byte(CodeRowHeader)), m.Columns, m.Iterations)
}

func appendRowHeader(dst []byte, columns int, iterations uint32) []byte {
	dst = append(dst, 0) // flags
	dst = appendUB(dst, uint64(columns))
	dst = append(dst, 0) // iteration
	dst = appendUB(dst, uint64(iterations))
	return append(dst, 0, 0, 0) // buffer length, bit vector, and an empty field
}
