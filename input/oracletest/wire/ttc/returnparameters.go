package ttc

// ReturnParameters is message 8 behind an execution. Its two values are the SCN halves of the snapshot,
// which no client of the reference uses.
type ReturnParameters struct {
	// CountsWanted says that the client asked for the rows of each execution of array DML.
	CountsWanted bool
	Counts       []int64
}

// Encode appends the message. The registration field stays empty: go-ora prints another one.
func (m ReturnParameters) Encode(dst []byte) []byte {
	dst = append(dst, byte(CodeReturnParameters))
	dst = appendUB(dst, 2)
	dst = appendZeros(dst, 5) // SCN in two halves, a zero, pairs, registration
	if !m.CountsWanted {
		return dst
	}
	dst = appendUB(dst, uint64(len(m.Counts)))
	for _, n := range m.Counts {
		dst = appendUB(dst, uint64(max(n, 0)))
	}
	return dst
}
