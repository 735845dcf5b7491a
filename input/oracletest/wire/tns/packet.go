package tns

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Type is the packet type at offset 4 of the header.
type Type uint8

// Packet types that take part in a conversation.
const (
	TypeConnect Type = 1
	TypeAccept  Type = 2
	TypeRefuse  Type = 4
	TypeData    Type = 6
	TypeMarker  Type = 12
)

const (
	// headerSize counts the bytes in front of every body; the length field includes them.
	headerSize = 8
	// dataHeaderSize is the header and the data flags of a DATA packet.
	dataHeaderSize = headerSize + 2
	// largest is the biggest packet a peer may send: the largest SDU and the DATA header.
	largest = MaxSDU + dataHeaderSize
	// wideVersion is the first version whose packets carry 32-bit lengths, from behind ACCEPT on.
	wideVersion = 315
)

// FlagEndOfSession is the DATA flag of the last packet of a session.
const FlagEndOfSession uint16 = 0x0040

// Packet is one packet without its header. Body is never overwritten once the packet is read.
type Packet struct {
	Type Type
	Body []byte
}

// Data splits the body of a DATA packet.
func (p Packet) Data() (flags uint16, payload []byte, err error) {
	if p.Type != TypeData || len(p.Body) < 2 {
		return 0, nil, fmt.Errorf("packet type %d with %d bytes is not a data packet", p.Type, len(p.Body))
	}
	return binary.BigEndian.Uint16(p.Body), p.Body[2:], nil
}

// ReadPacket reads one packet. wide says that lengths have 32 bits: behind an ACCEPT of version 315 or later.
func ReadPacket(r io.Reader, wide bool) (Packet, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return Packet{}, err
	}
	length := int64(binary.BigEndian.Uint16(head[:]))
	if wide {
		length = int64(binary.BigEndian.Uint32(head[:]))
	}
	if length < headerSize || length > largest {
		return Packet{}, fmt.Errorf("packet type %d claims a length of %d", head[4], length)
	}
	body := make([]byte, length-headerSize)
	if _, err := io.ReadFull(r, body); err != nil {
		return Packet{}, fmt.Errorf("packet type %d: %w", head[4], err)
	}
	return Packet{Type: Type(head[4]), Body: body}, nil
}

// AppendData appends a DATA packet. The payload must fit the SDU together with the header: see Payload.
func AppendData(dst []byte, wide bool, flags uint16, payload []byte) []byte {
	dst = appendHeader(dst, wide, TypeData, dataHeaderSize+len(payload))
	dst = binary.BigEndian.AppendUint16(dst, flags)
	return append(dst, payload...)
}

// Payload is the number of message bytes a DATA packet of the given SDU holds.
func Payload(sdu int) int { return sdu - dataHeaderSize }

func appendHeader(dst []byte, wide bool, t Type, length int) []byte {
	if wide {
		dst = binary.BigEndian.AppendUint32(dst, uint32(length))
	} else {
		dst = binary.BigEndian.AppendUint16(dst, uint16(length))
		dst = append(dst, 0, 0)
	}
	return append(dst, byte(t), 0, 0, 0)
}
