package tns

import "encoding/binary"

// Limits of the session data unit; clients refuse others (reference tns-server 4).
const (
	MinSDU     = 512
	MaxSDU     = 2 << 20
	DefaultSDU = 8192
)

const (
	// acceptVersion is what this server speaks: 32-bit lengths, but below 318, so without the second word of
	// flags and what comes with it (reference tns-server 2).
	acceptVersion = 317
	// acceptOptions leaves bit 0x0400, urgent TCP data, clear.
	acceptOptions = 0x0801
	acceptLength  = 45
)

// Accept answers a CONNECT.
type Accept struct {
	Version uint16
	SDU     int
}

// Answer settles version and SDU with a client. ok is false for a client too old to frame packets with
// 32-bit lengths; no client of the reference is.
func Answer(c Connect, sdu int) (a Accept, ok bool) {
	a = Accept{Version: min(c.Version, acceptVersion), SDU: max(MinSDU, min(c.SDU, sdu))}
	return a, a.Version >= wideVersion
}

// Encode appends the packet. Its own length still has 16 bits.
func (a Accept) Encode(dst []byte) []byte {
	be := binary.BigEndian
	dst = appendHeader(dst, false, TypeAccept, acceptLength)
	dst = be.AppendUint16(dst, a.Version)
	dst = be.AppendUint16(dst, acceptOptions)
	dst = be.AppendUint16(dst, uint16(min(a.SDU, 0xFFFF)))
	dst = be.AppendUint16(dst, 0xFFFF) // TDU
	dst = be.AppendUint16(dst, 1)
	dst = be.AppendUint16(dst, 0)            // data length
	dst = be.AppendUint16(dst, acceptLength) // data offset: at the end, or go-ora dereferences nil
	dst = append(dst, 0x04, 0x08)            // no native network services
	dst = append(dst, make([]byte, 8)...)    // no reconnect address
	dst = be.AppendUint32(dst, uint32(a.SDU))
	dst = be.AppendUint32(dst, MaxSDU) // TDU
	return append(dst, 0, 0, 0, 0, 0)  // no compression, flags
}
