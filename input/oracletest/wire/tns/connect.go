package tns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Offsets in the CONNECT packet, from its start.
const (
	connectVersion    = 8
	connectSDU16      = 14
	connectDataLength = 24
	connectDataOffset = 26
	connectSDU32      = 58
	connectFixed      = 62 // up to and with SDU32
)

// Connect is what a client asks for.
type Connect struct {
	Version uint16
	// SDU is the session data unit the client wishes.
	SDU int
	// Data is the connect descriptor; empty when it follows in a DATA packet of its own (DataLength > 0).
	Data       string
	DataLength int
}

// Decode reads the body of a CONNECT packet.
func (c *Connect) Decode(p Packet) error {
	if p.Type != TypeConnect {
		return fmt.Errorf("packet type %d instead of a connect packet", p.Type)
	}
	at := func(offset int) []byte { return p.Body[offset-headerSize:] }
	if len(p.Body) < connectFixed-headerSize {
		return fmt.Errorf("connect packet of %d bytes is too short", len(p.Body)+headerSize)
	}
	c.Version = binary.BigEndian.Uint16(at(connectVersion))
	c.SDU = int(binary.BigEndian.Uint16(at(connectSDU16)))
	if wide := binary.BigEndian.Uint32(at(connectSDU32)); c.Version >= wideVersion && wide != 0 {
		c.SDU = int(min(wide, MaxSDU))
	}
	c.DataLength = int(binary.BigEndian.Uint16(at(connectDataLength)))
	offset := int(binary.BigEndian.Uint16(at(connectDataOffset)))
	switch end := offset - headerSize + c.DataLength; {
	case offset < connectFixed:
		return fmt.Errorf("connect data at offset %d lies inside the fixed part", offset)
	case end == len(p.Body):
		c.Data = string(at(offset))
	case offset-headerSize != len(p.Body):
		return fmt.Errorf("connect data of %d bytes at offset %d does not fit a packet of %d bytes",
			c.DataLength, offset, len(p.Body)+headerSize)
	}
	return nil
}

// ErrNoService says that a descriptor names neither a service nor a SID.
var ErrNoService = errors.New("connect descriptor names no service")

// Service finds the service name, or the SID, in a connect descriptor.
func Service(descriptor string) (string, error) {
	for _, key := range []string{"SERVICE_NAME", "SID"} {
		if value, ok := parameter(descriptor, key); ok && value != "" {
			return value, nil
		}
	}
	return "", ErrNoService
}

// parameter finds (KEY=value) at any depth; blanks around key and value do not count.
func parameter(descriptor, key string) (string, bool) {
	for rest := descriptor; ; {
		open := strings.IndexByte(rest, '(')
		if open < 0 {
			return "", false
		}
		rest = rest[open+1:]
		equal := strings.IndexByte(rest, '=')
		if equal < 0 {
			return "", false
		}
		if !strings.EqualFold(strings.TrimSpace(rest[:equal]), key) {
			continue
		}
		value := rest[equal+1:]
		if end := strings.IndexAny(value, "()"); end >= 0 {
			value = value[:end]
		}
		return strings.TrimSpace(value), true
	}
}
