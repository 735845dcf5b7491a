package ttc

// ReturnParameters is message 8 behind an execution. Its values are the SCN halves of the snapshot, which no
// client of the reference uses, and the cursor, which Oracle's JDBC driver reads here.
type ReturnParameters struct {
	Cursor int
	// CountsWanted says that the client asked for the rows of each execution of array DML.
	CountsWanted bool
	Counts       []int64
}

// Encode appends the message. The registration field stays empty: go-ora prints another one.
func (m ReturnParameters) Encode(dst []byte) []byte {
	dst = append(dst, byte(CodeReturnParameters))
	dst = appendUB(dst, 3)
	dst = append(dst, 0, 0) // SCN in two halves
	dst = appendUB(dst, uint64(m.Cursor))
	dst = append(dst, 0, 0, 0) // a zero, pairs, registration
	if !m.CountsWanted {
		return dst
	}
	dst = appendUB(dst, uint64(len(m.Counts)))
	for _, n := range m.Counts {
		dst = appendUB(dst, uint64(max(n, 0)))
	}
	return dst
}
