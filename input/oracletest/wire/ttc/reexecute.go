package ttc

// ReExecute is function 0x04, and 0x4E for a query, up to the bind rows.
type ReExecute struct {
	Cursor int
	// Count is the execution count or, for a query, the row count.
	Count uint32
	// Commit asks to commit when the statement succeeds.
	Commit bool
}

// Decode reads the message behind its header.
func (m *ReExecute) Decode(r *Reader) error {
	m.Cursor = r.UB2()
	m.Count = uint32(r.UB(4))
	r.SkipUB(1)
	m.Commit = r.UB4()&1 != 0
	return r.Err()
}
