package tns

import (
	"encoding/binary"
	"fmt"
)

// Refuse answers a CONNECT that leads nowhere.
type Refuse struct {
	// Code is the ORA number, such as 12514 for an unknown service.
	Code int
}

// Encode appends the packet, in the form from which every client finds the number (reference tns-server 4).
func (r Refuse) Encode(dst []byte) []byte {
	text := fmt.Sprintf("(DESCRIPTION=(TMP=)(VSNNUM=318963712)(ERR=%d)(ERROR_STACK=(ERROR=(CODE=%d)(EMFI=4))))", r.Code, r.Code)
	dst = appendHeader(dst, false, TypeRefuse, headerSize+4+len(text))
	dst = append(dst, 0x22, 0)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(text)))
	return append(dst, text...)
}
