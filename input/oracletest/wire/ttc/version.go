package ttc

// VersionRequest is function 0x3B.
type VersionRequest struct{}

// Decode reads the message behind its header.
func (m *VersionRequest) Decode(r *Reader, d Dialect) error {
	r.U8() // banner wanted
	r.SkipUB(1)
	r.Skip(2)
	if d.FieldVersion >= 11 {
		r.SkipUB(1)
	}
	return r.Err()
}

// VersionAnswer is message 8 in answer to function 0x3B.
type VersionAnswer struct {
	Banner string
	Number uint32
}

// Encode appends the message. It and the status behind it have to travel in one packet: go-ora throws away
// what is left of the packet after the number.
func (m VersionAnswer) Encode(dst []byte, d Dialect) []byte {
	dst = append(dst, byte(CodeReturnParameters))
	dst = appendUB(dst, uint64(len(m.Banner)))
	if d.PrefixedText {
		dst = appendClr(dst, m.Banner)
	} else { // seen with Oracle's JDBC driver
		dst = append(dst, m.Banner...)
	}
	return appendUB(dst, uint64(m.Number))
}
