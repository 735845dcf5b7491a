package ttc

import "encoding/binary"

// NetworkServices is the native network services block, which python-oracledb sends whatever ACCEPT said
// (reference tns-server 5.1). A client that requires encryption is not served.
type NetworkServices struct {
	Version uint32
}

const networkServicesHead = 13

// Decode reads the block behind its first byte.
func (m *NetworkServices) Decode(r *Reader) error {
	if r.U8() != 0xAD || r.U8() != 0xBE || r.U8() != 0xEF {
		r.Fail("network services block without its mark")
	}
	length := int(r.U16())
	m.Version = r.U32()
	rest := length - 10
	if rest < 0 {
		r.Fail("network services block of %d bytes", length)
		return r.Err()
	}
	r.Bytes(rest)
	return r.Err()
}

// Encode appends the answer: no services.
func (m NetworkServices) Encode(dst []byte) []byte {
	dst = append(dst, 0xDE, 0xAD, 0xBE, 0xEF, 0, networkServicesHead)
	dst = binary.BigEndian.AppendUint32(dst, m.Version)
	return append(dst, 0, 0, 0)
}
