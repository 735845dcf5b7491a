package ttc

import "strings"

// AuthRequest is function 0x76 and 0x73, the two phases of a log-on (reference tns-server 5.4).
type AuthRequest struct {
	User  string
	Mode  uint32
	Pairs []Pair
}

// Decode reads the message behind its header.
func (m *AuthRequest) Decode(r *Reader, d Dialect) error {
	hasUser := r.U8() != 0
	userLength := r.Count(1024)
	m.Mode = uint32(r.UB(4))
	r.U8()
	pairs := r.Count(256)
	r.Skip(2)
	if hasUser {
		m.User = r.Text(userLength, d)
	}
	m.Pairs = nil
	for range pairs {
		if r.Err() != nil {
			break
		}
		m.Pairs = append(m.Pairs, r.Pair())
	}
	return r.Err()
}

// Value is the value of a key, without the NUL some clients put behind it; empty if it was not sent.
func (m *AuthRequest) Value(key string) string {
	for _, p := range m.Pairs {
		if p.Key == key {
			return strings.TrimRight(p.Value, "\x00")
		}
	}
	return ""
}

// AuthAnswer is message 8 in answer to a phase of the log-on.
type AuthAnswer struct {
	Pairs []Pair
}

// Encode appends the message.
func (m AuthAnswer) Encode(dst []byte) []byte {
	dst = append(dst, byte(CodeReturnParameters))
	dst = appendUB(dst, uint64(len(m.Pairs)))
	for _, p := range m.Pairs {
		dst = appendPair(dst, p)
	}
	return dst
}
