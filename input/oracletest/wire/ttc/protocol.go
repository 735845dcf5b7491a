package ttc

import "encoding/binary"

// Character sets of the stand-in; thin clients accept nothing else (reference tns-server 2).
const (
	CharsetUTF8  = 873  // AL32UTF8, the database character set
	CharsetUTF16 = 2000 // AL16UTF16, the national one
)

const protocolVersion = 6

// maxBanner is the longest banner node-oracledb reads.
const maxBanner = 47

// ProtocolRequest is message 1 of the client.
type ProtocolRequest struct {
	// Client is the name of the driver.
	Client string
}

// Decode reads the message behind its code.
func (m *ProtocolRequest) Decode(r *Reader) error {
	known := false
	for range 16 {
		version := r.U8()
		if version == 0 {
			break
		}
		known = known || version == protocolVersion
	}
	if !known {
		r.Fail("client does not offer protocol version %d", protocolVersion)
	}
	m.Client = r.CString(128)
	return r.Err()
}

// ProtocolAnswer is message 1 of the server.
type ProtocolAnswer struct {
	Banner       string
	CompileTime  []byte
	RunTimeFlags []byte
}

// Encode appends the message. At least 50 bytes follow the third one, which go-ora reads at once.
func (m ProtocolAnswer) Encode(dst []byte) []byte {
	dst = append(dst, byte(CodeProtocol), protocolVersion, 0)
	dst = append(dst, m.Banner[:min(len(m.Banner), maxBanner)]...)
	dst = append(dst, 0)
	dst = binary.LittleEndian.AppendUint16(dst, CharsetUTF8)
	dst = append(dst, 1)                                // flags
	dst = binary.LittleEndian.AppendUint16(dst, 0)      // charset elements
	block := make([]byte, 11)                           // only the national charset in it is read,
	binary.BigEndian.PutUint16(block[9:], CharsetUTF16) // at 6 + block[5] + block[6] + 3
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(block)))
	dst = append(dst, block...)
	dst = append(dst, byte(len(m.CompileTime)))
	dst = append(dst, m.CompileTime...)
	dst = append(dst, byte(len(m.RunTimeFlags)))
	return append(dst, m.RunTimeFlags...)
}
