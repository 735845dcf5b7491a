package ttc

// StatementQuery is the statement type of a query in a summary.
const StatementQuery = 3

// StatusInTransaction is the bit of the call status that says so.
const StatusInTransaction = 0x02

// Summary is message 4: the end of an answer, and its error (reference tns-server 6).
type Summary struct {
	CallStatus uint32
	// Call is the sequence of the call that ends.
	Call byte
	Rows uint64
	// Code is the ORA number; 0 is success, 1403 says that a query has no more rows.
	Code int
	// Cursor is the cursor of the statement. Every summary of a statement carries it, also of a fetch:
	// go-ora overwrites its own with it.
	Cursor        int
	Position      int
	StatementType byte
	// Message is the text of the error, with the ORA-nnnnn prefix and a newline at the end.
	Message string
	// Batch are the errors of array DML that went on behind them.
	Batch []BatchError
}

// BatchError is the error of one execution of array DML.
type BatchError struct {
	Execution int
	Code      int
	Message   string
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
	dst = append(dst, 0)            // warning flags
	dst = appendZeros(dst, 5)       // rowid
	dst = append(dst, 0, 0, m.Call) // OS error, statement, call
	dst = appendZeros(dst, 3)       // padding, iterations, logical rowid
	dst = appendBatch(dst, m.Batch)
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

// appendBatch appends three lists: codes, offsets, texts. The byte in front of each is a size no client
// looks at, unless it says that chunks follow.
func appendBatch(dst []byte, errs []BatchError) []byte {
	if len(errs) == 0 {
		return appendZeros(dst, 3)
	}
	size := byte(min(len(errs), maxShort))
	dst = append(appendUB(dst, uint64(len(errs))), size)
	for _, e := range errs {
		dst = appendUB(dst, uint64(e.Code)&0xFFFF)
	}
	dst = append(appendUB(dst, uint64(len(errs))), size)
	for _, e := range errs {
		dst = appendUB(dst, uint64(e.Execution))
	}
	dst = append(appendUB(dst, uint64(len(errs))), size)
	for _, e := range errs {
		dst = appendUB(dst, uint64(len(e.Message)))
		dst = appendClr(dst, e.Message)
		dst = append(dst, 0, 0)
	}
	return dst
}
