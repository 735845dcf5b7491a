package position

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// SCN is a system change number: 64 bits from 12.2 on. Nothing subtracts SCNs but the margin of R7 (R135).
type SCN uint64

// Unlimited is NEXT_CHANGE# of a current log from 12.2 on; it does not fit a signed integer (reference logminer H.2).
const Unlimited SCN = 1<<64 - 1

// ParseSCN reads decimal digits.
func ParseSCN(s string) (SCN, error) {
	n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("SCN %q: %w", s, err)
	}
	return SCN(n), nil
}

// String gives decimal digits.
func (s SCN) String() string { return strconv.FormatUint(uint64(s), 10) }

// MarshalJSON writes the SCN as text, since JSON readers lose digits of large numbers.
func (s SCN) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, s.String()), nil }

// UnmarshalJSON reads the text form.
func (s *SCN) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	n, err := ParseSCN(text)
	*s = n
	return err
}

// RBA is a redo byte address. Addresses are compared only inside one redo thread.
type RBA struct {
	Sequence, Block uint32
	Byte            uint16
}

// ParseRBA reads RS_ID: 0xssssss.bbbbbbbb.oooo with or without the blanks around it, lower or upper case.
func ParseRBA(s string) (RBA, error) {
	parts := strings.Split(strings.TrimSpace(s), ".")
	if len(parts) != 3 || !strings.HasPrefix(parts[0], "0x") {
		return RBA{}, fmt.Errorf("redo address %q: not of the form 0xsequence.block.offset", s)
	}
	var nums [3]uint64
	for i, p := range [3]string{parts[0][2:], parts[1], parts[2]} {
		bits := 32
		if i == 2 {
			bits = 16
		}
		n, err := strconv.ParseUint(p, 16, bits)
		if err != nil {
			return RBA{}, fmt.Errorf("redo address %q: %w", s, err)
		}
		nums[i] = n
	}
	return RBA{Sequence: uint32(nums[0]), Block: uint32(nums[1]), Byte: uint16(nums[2])}, nil //nolint:gosec // sized by ParseUint
}

// String gives RS_ID without blanks; text order is redo order inside one thread up to sequence 0xffffff.
func (r RBA) String() string { return fmt.Sprintf("0x%06x.%08x.%04x", r.Sequence, r.Block, r.Byte) }

// AppendRSID appends the form of RS_ID without blanks.
func (r RBA) AppendRSID(dst []byte) []byte {
	text := [...]byte{0: '0', 1: 'x', 8: '.', 17: '.', 21: 0}
	hex(text[9:17], r.Block)
	hex(text[18:], uint32(r.Byte))
	if r.Sequence >= 1<<24 {
		// The form has six digits; a longer sequence has as many as it needs.
		dst = strconv.AppendUint(append(dst, '0', 'x'), uint64(r.Sequence), 16)
		return append(dst, text[8:]...)
	}
	hex(text[2:8], r.Sequence)
	return append(dst, text[:]...)
}

// hex writes a number into all of dst.
func hex(dst []byte, n uint32) {
	const digits = "0123456789abcdef"
	for i := len(dst) - 1; i >= 0; i-- {
		dst[i] = digits[n&15]
		n >>= 4
	}
}

// IsZero reports the all-zero address that some ROLLBACK rows carry: no address at all (R13).
func (r RBA) IsZero() bool { return r == RBA{} }

// Compare orders addresses of one thread.
func (r RBA) Compare(o RBA) int {
	return cmp.Or(cmp.Compare(r.Sequence, o.Sequence), cmp.Compare(r.Block, o.Block), cmp.Compare(r.Byte, o.Byte))
}

// MarshalText gives RS_ID without blanks.
func (r RBA) MarshalText() ([]byte, error) { return r.AppendRSID(nil), nil }

// UnmarshalText reads RS_ID.
func (r *RBA) UnmarshalText(b []byte) error {
	v, err := ParseRBA(string(b))
	*r = v
	return err
}

// XID is a transaction id. It is unique only inside its container (reference logminer B.3).
type XID struct {
	USN, Slot uint16
	Sequence  uint32
}

// PartialSequence is the sequence of a partial XID, seen on rows of rollbacks: it stands for the transaction that is open
// on the same undo segment and slot (reference logminer B.3, R117).
const PartialSequence uint32 = 1<<32 - 1

// String gives usn.slot.sqn.
func (x XID) String() string { return string(x.Append(nil)) }

// Append appends usn.slot.sqn.
func (x XID) Append(dst []byte) []byte {
	dst = strconv.AppendUint(dst, uint64(x.USN), 10)
	dst = append(dst, '.')
	dst = strconv.AppendUint(dst, uint64(x.Slot), 10)
	dst = append(dst, '.')
	return strconv.AppendUint(dst, uint64(x.Sequence), 10)
}

// AppendHex appends the 16 hexadecimal digits of the RAW(8): undo segment, slot and sequence, each with its low byte first.
func (x XID) AppendHex(dst []byte) []byte {
	const digits = "0123456789abcdef"
	for _, part := range [...]struct {
		n    uint32
		size int
	}{{uint32(x.USN), 2}, {uint32(x.Slot), 2}, {x.Sequence, 4}} {
		for i := range part.size {
			b := byte(part.n >> (8 * i))
			dst = append(dst, digits[b>>4], digits[b&15])
		}
	}
	return dst
}

// IsZero reports the all-zero XID that Oracle writes on some START rows (R13).
func (x XID) IsZero() bool { return x == XID{} }

// IsPartial reports a partial XID.
func (x XID) IsPartial() bool { return x.Sequence == PartialSequence }

// ParseXID reads usn.slot.sqn.
func ParseXID(s string) (XID, error) {
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return XID{}, fmt.Errorf("transaction id %q: not of the form usn.slot.sqn", s)
	}
	usn, err1 := strconv.ParseUint(parts[0], 10, 16)
	slot, err2 := strconv.ParseUint(parts[1], 10, 16)
	sqn, err3 := strconv.ParseUint(parts[2], 10, 32)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return XID{}, fmt.Errorf("transaction id %q: %w", s, err)
	}
	return XID{USN: uint16(usn), Slot: uint16(slot), Sequence: uint32(sqn)}, nil //nolint:gosec // sized by ParseUint
}

// MarshalText gives usn.slot.sqn.
func (x XID) MarshalText() ([]byte, error) { return x.Append(nil), nil }

// UnmarshalText reads usn.slot.sqn.
func (x *XID) UnmarshalText(b []byte) error {
	v, err := ParseXID(string(b))
	*x = v
	return err
}
