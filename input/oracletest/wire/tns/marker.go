package tns

import "fmt"

// Marker is the last byte of a MARKER packet.
type Marker uint8

// Markers of the cancel exchange (reference tns-server 10).
const (
	MarkerBreak     Marker = 1
	MarkerReset     Marker = 2
	MarkerInterrupt Marker = 3
)

// AppendMarker appends a MARKER packet, 11 bytes.
func AppendMarker(dst []byte, wide bool, m Marker) []byte {
	dst = appendHeader(dst, wide, TypeMarker, headerSize+3)
	return append(dst, 1, 0, byte(m))
}

// Marker reads the body of a MARKER packet.
func (p Packet) Marker() (Marker, error) {
	if p.Type != TypeMarker || len(p.Body) != 3 || p.Body[0] != 1 {
		return 0, fmt.Errorf("packet type %d with %d bytes is not a marker", p.Type, len(p.Body))
	}
	m := Marker(p.Body[2])
	if m < MarkerBreak || m > MarkerInterrupt {
		return 0, fmt.Errorf("unknown marker %d", m)
	}
	return m, nil
}
