package ttc

// StatementQuery is the statement type of a query in a summary.
const StatementQuery = 3

// StatusInTransaction is the bit of the call status that says so.
const StatusInTransaction = 0x02

// Summary is message 4: the end of an answer, and its error (reference tns-server 6).
type Summary struct {
	CallStatus uint32
	Rows       uint64
	// Code is the ORA number; 0 is success, 1403 says that a query has no more rows.
	Code int
	// Cursor is the cursor of the statement. Every summary of a statement carries it, also of a fetch:
	// go-ora overwrites its own with it.
	Cursor        int
	Position      int
	StatementType byte
	// Message is the text of the error, with the ORA-nnnnn prefix and a newline at the end.
	Message string
}

// Encode appends the message.
func (m Summary) Encode(dst []byte, d Dialect) []byte {
	dst = append(dst, byte(CodeSummary))
	dst = appendUB(dst, uint64(m.CallStatus))
	dst = append(dst, 0) // sequence
	dst = appendUB(dst, m.Rows)
	dst = appendUB(dst, uint64(m.Code)&0xFFFF)
	dst = append(dst, 0, 0)
	dst = appendUB(dst, uint64(m.Cursor))
	dst = appendUB(dst, uint64(m.Position))
	dst = append(dst, m.StatementType)
	dst = appendZeros(dst, 4)
	dst = append(dst, 0)      // warning flags
	dst = appendZeros(dst, 5) // rowid
	dst = append(dst, 0)      // OS error
	dst = appendZeros(dst, 3)
	dst = appendZeros(dst, 2) // iterations, logical rowid
	dst = appendZeros(dst, 3) // batch errors: codes, offsets, texts
	dst = appendUB(dst, uint64(m.Code))
	dst = appendUB(dst, m.Rows)
	if d.FieldVersion >= 14 {
		dst = append(dst, 0, 0)
	}
	if m.Code != 0 {
		dst = appendClr(dst, m.Message)
	}
	return dst
}
